// How the page asks the engine: through this machine's server, or a worker with Python in it.
//
// Owns both ways and the queue before them; transport.json beside the page says which it is. Imports
// nothing, and touches no document. Invariant: `ask` never rejects; what cannot be answered is an
// answer with `error`, in the form that the engine gives to errors.

const HERE = new URL("./", import.meta.url);

/**
 * Connect to the engine.
 *
 * `onState` is called with `{state, what, done?, of?}`: state is "loading" (what is being loaded;
 * `done` of `of` bytes), "ready", or "failed" (what to do). It may be called again at any time.
 * Gives `{kind, ask}`. `ask(request, {slot})` gives the answer; a request in a slot takes the place
 * of an earlier one in it that still waits, which is answered with the error "superseded".
 */
export async function connect(onState = () => {}) {
  let about;
  try {
    about = await read("transport.json");
  } catch (error) {
    onState({ state: "failed", what: `transport.json cannot be read: ${error.message}` });
    return { kind: "none", ask: async (request) => failed(request, "unavailable", NO_ENGINE) };
  }
  return about.kind === "worker" ? throughWorker(about, onState) : throughServer(onState);
}

const NO_ENGINE = "the engine is not available";
const GONE = "The server does not answer. Is `uriproof teach` still running?";
const AT_ONCE = 4; // requests that the server works on; browsers open six connections

async function read(name) {
  const response = await fetch(new URL(name, HERE));
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.json();
}

function failed(request, code, message) {
  return { do: request?.do ?? null, error: { code, message } };
}

/** Requests in order, at most `width` at work, none before `open()`; `send` gives an answer. */
function queue(send, width) {
  const waiting = [];
  let atWork = 0;
  let opened = false;

  async function next() {
    if (!opened || atWork === width || !waiting.length) return;
    const { request, settle } = waiting.shift();
    atWork += 1;
    settle(await send(request));
    atWork -= 1;
    next();
  }

  return {
    open() {
      opened = true;
      for (let free = width; free; free -= 1) next();
    },
    ask(request, { slot } = {}) {
      return new Promise((settle) => {
        const old = slot === undefined ? -1 : waiting.findIndex((one) => one.slot === slot);
        if (old >= 0) {
          const [one] = waiting.splice(old, 1);
          one.settle(failed(one.request, "superseded", "a later request took its place"));
        }
        waiting.push({ request, settle, slot });
        next();
      });
    },
  };
}

function throughServer(onState) {
  let gone = false;

  async function send(request) {
    try {
      const response = await fetch(new URL("handle", HERE), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(request),
      });
      const answer = await response.json();
      if (gone) onState({ state: "ready", what: "The server answers again." });
      gone = false;
      return answer;
    } catch {
      if (!gone) onState({ state: "failed", what: GONE });
      gone = true;
      return failed(request, "unavailable", GONE);
    }
  }

  const { ask, open } = queue(send, AT_ONCE);
  open();
  onState({ state: "ready", what: "The engine is ready." });
  return { kind: "server", ask };
}

function throughWorker(about, onState) {
  let worker;
  let settle; // of the request that the worker has
  let broken; // why there is no worker any more

  function fail(what) {
    if (broken) return;
    broken = what;
    worker?.terminate();
    onState({ state: "failed", what });
    settle?.(failed(null, "unavailable", what));
    open();
  }

  async function send(request) {
    if (broken) return failed(request, "unavailable", broken);
    const text = await new Promise((resolve) => {
      settle = resolve;
      worker.postMessage(JSON.stringify(request));
    });
    return typeof text === "string" ? JSON.parse(text) : { ...text, do: request?.do ?? null };
  }

  const { ask, open } = queue(send, 1);
  try {
    if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
    worker = new Worker(script("worker.js"), { type: "module" });
  } catch (error) {
    fail(error.message);
    return { kind: "worker", ask };
  }
  worker.onerror = (event) => {
    event.preventDefault?.();
    fail(event.message ?? "the worker did not start");
  };
  worker.onmessage = ({ data }) => {
    if (broken) return; // what was on its way
    if (data.answer !== undefined) settle(data.answer);
    else if (data.state === "failed") fail(data.what);
    else {
      onState(data);
      if (data.state === "ready") open();
    }
  };
  onState({ state: "loading", what: "Python", done: 0, of: about.bytes });
  worker.postMessage(about);
  return { kind: "worker", ask };
}

/** The address of a script as the content security policy wants it: made by a named policy. */
function script(name) {
  const url = new URL(name, HERE).href;
  return policy ? policy.createScriptURL(url) : url;
}

const policy = globalThis.trustedTypes?.createPolicy("uriproof", {
  createScriptURL(url) {
    if (new URL(url).href.startsWith(HERE.href)) return url;
    throw new TypeError(`${url} is not one of the page's scripts`);
  },
});

/**
 * Keep a static site for use without a network: to be called once the engine is ready or has failed,
 * since it loads every file of the site, from the browser's own cache where that has it.
 *
 * `onNews({what, apply?})` is called with what to show: when everything is kept, and when a new
 * version waits, which `apply` starts. Nothing happens where `uriproof teach` serves the page.
 */
export async function keep(onNews = () => {}) {
  const { serviceWorker } = navigator;
  if (!serviceWorker || !globalThis.isSecureContext) return;
  let about;
  try {
    about = await read("transport.json");
  } catch {
    return; // `connect` says so
  }
  if (about.kind !== "worker") return;
  let asked = false;
  serviceWorker.addEventListener("controllerchange", () => {
    if (asked) location.reload();
  });
  const offer = (waiting) =>
    onNews({
      what: "A new version is ready.",
      apply() {
        asked = true;
        waiting.postMessage("apply");
      },
    });
  try {
    const registration = await serviceWorker.register(script("service-worker.js"));
    if (registration.waiting && serviceWorker.controller) offer(registration.waiting);
    let watched = null;
    const watch = () => {
      const coming = registration.installing;
      if (!coming || coming === watched) return;
      watched = coming;
      coming.addEventListener("statechange", () => {
        if (coming.state === "installed" && serviceWorker.controller) offer(coming);
        else if (coming.state === "activated" && !asked)
          onNews({ what: "The page is kept: it works without a network." });
      });
    };
    registration.addEventListener("updatefound", watch);
    watch(); // it may have begun before this
  } catch {
    // Without it the page works, but not without a network.
  }
}
