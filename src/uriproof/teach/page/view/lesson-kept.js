// Answers that were worked out beforehand, so that a lesson does not wait for the engine to load.
//
// Owns reading lessons/*.json of a static site; a server answers at once and has none. Imports the
// engine for all else. Invariant: an answer is the one that the engine gives to the same request;
// where none is kept, the engine is asked.

import { during } from "./dom.js";
import { ask, connected } from "./engine.js";

const HERE = new URL("../", import.meta.url);
const files = new Map();

// A request as a key: the same fields in any order are the same request.
export function key(request) {
  return JSON.stringify(Object.keys(request).sort().map((name) => [name, request[name]]));
}

async function file(name) {
  if (!/^[\w-]+$/.test(name)) return null;
  if (!files.has(name)) {
    const read = fetch(new URL(`lessons/${name}.json`, HERE))
      .then((response) => (response.ok ? response.json() : null))
      .then((all) => (all ? new Map(all.answers.map(([request, answer]) => [key(request), answer])) : null))
      .catch(() => null);
    files.set(name, read);
  }
  return files.get(name);
}

// The answer to a request, from the file of this name where it is kept there.
export function answer(name, request) {
  return during(answered(name, request));
}

async function answered(name, request) {
  const { kind } = await connected();
  const kept = name && kind === "worker" ? (await file(name))?.get(key(request)) : undefined;
  return kept ?? ask(request);
}
