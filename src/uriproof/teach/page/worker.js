// The engine in the browser: Python as WebAssembly, with the package's own wheel.
//
// Owns how it starts. The first message is transport.json; every later one is a request as JSON, and
// is answered in order by `{answer}`: JSON, or an object with `error`. Before that it posts
// `{state, what, done, of}`. Invariant: nothing is loaded but what transport.json names, from beside
// the page, and nothing that is asked ends the worker.

const HERE = new URL("./", self.location.href);

const SETUP = `
import json
from uriproof.teach import handle

def answer(request):
    return json.dumps(handle(json.loads(request)))

answer
`;

let answer; // once Python runs

self.onmessage = async ({ data }) => {
  if (typeof data !== "string") {
    try {
      answer = await start(data);
      self.postMessage({ state: "ready", what: "The engine is ready." });
    } catch (error) {
      self.postMessage({ state: "failed", what: lastLine(error) });
    }
    return;
  }
  try {
    self.postMessage({ answer: answer(data) });
  } catch (error) {
    const message = `this is a mistake of uriproof: ${lastLine(error)}`;
    self.postMessage({ answer: { error: { code: "internal", message } } });
  }
};

/** Of an error of Python, which has a traceback, the line that names it. */
function lastLine(error) {
  return String(error?.message ?? error).trim().split("\n").at(-1);
}

async function start(about) {
  const stage = { what: "Python" };
  // Pyodide waits for ever for a file that it does not get: the first one that is lost ends this.
  const lost = watchFetch(about.bytes, (done, of) => {
    self.postMessage({ state: "loading", what: stage.what, done, of });
  });
  return Promise.race([lost, load(about, stage)]);
}

async function load(about, stage) {
  const base = new URL(about.pyodide, HERE).href;
  const wheels = about.wheels.map(async (name) => [name, await bytes(name)]);
  for (const wheel of wheels) wheel.catch(() => {}); // awaited below
  const { loadPyodide } = await import(`${base}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: base });
  stage.what = "uriproof";
  for (const wheel of wheels) {
    const [name, data] = await wheel;
    python.unpackArchive(data, "wheel", { filename: name.split("/").at(-1) });
  }
  return python.runPython(SETUP);
}

async function bytes(name) {
  return (await fetch(new URL(name, HERE))).arrayBuffer();
}

/**
 * Count what is fetched from here on; `report` is called with the bytes so far, now and then. Gives a
 * promise that is rejected when a file cannot be had.
 */
function watchFetch(of, report) {
  const fetched = self.fetch.bind(self);
  let done = 0;
  let last = 0;
  let lose;
  const lost = new Promise((_, reject) => (lose = reject));
  self.fetch = async (request, options) => {
    const name = new URL(request.url ?? request, HERE).pathname.split("/").at(-1);
    let response;
    try {
      response = await fetched(request, options);
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
    } catch (error) {
      lose(new Error(`${name} could not be loaded: ${error.message}`));
      throw error;
    }
    const counter = new TransformStream({
      transform(chunk, controller) {
        done += chunk.byteLength;
        if (done - last > of / 50) report(Math.min((last = done), of), of);
        controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  };
  return lost;
}
