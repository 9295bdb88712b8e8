// The engine as the views see it: ask, and get the newest answer only.
// Owns the connection, what is known of its state, and the answers that were worked out beforehand, so
// that a lesson does not wait for it to load. Imports transport.js when it is first asked.
// Invariant: an answer that a newer question of the same kind has overtaken is never given; a kept
// answer is the one that the engine gives to the same request.

import { during } from "./dom.js";

const listeners = new Set();
export let status = { state: "loading", what: "the engine" };
let connection = null;
const newest = new Map();

function noted(state) {
  status = state;
  for (const listener of listeners) listener(state);
}

export function onStatus(listener) {
  listeners.add(listener);
  listener(status);
  return () => listeners.delete(listener);
}

export function connected() {
  connection ??= import("../transport.js")
    .then((module) => module.connect(noted))
    .catch((error) => {
      noted({ state: "failed", what: `the engine did not load (${error.message})` });
      return { kind: "none", ask: async (request) => unavailable(request, error) };
    });
  return connection;
}

function unavailable(request, error) {
  return { do: request.do, error: { code: "unavailable", message: `The engine is not available: ${error.message}` } };
}

// The engine's answer; a failure to reach it is an answer, too. Of the questions in a slot that wait,
// the engine is asked the newest alone.
export function ask(request, slot) {
  return during(asked(request, slot));
}

async function asked(request, slot) {
  try {
    return await (await connected()).ask(request, { slot });
  } catch (error) {
    return unavailable(request, error);
  }
}

// As ask, but null where a newer question with the same key was asked meanwhile.
export async function latest(key, request) {
  const mine = Symbol(key);
  newest.set(key, mine);
  const answer = await ask(request, key);
  return newest.get(key) === mine ? answer : null;
}

const HERE = new URL("../", import.meta.url);
const files = new Map();

// A request as a key: the same fields in any order are the same request.
function key(request) {
  return JSON.stringify(Object.keys(request).sort().map((name) => [name, request[name]]));
}

// lessons/NAME.json of a static site; a server answers at once and has none.
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
export function kept(name, request) {
  return during(
    connected().then(async ({ kind }) => {
      const found = name && kind === "worker" ? (await file(name))?.get(key(request)) : undefined;
      return found ?? ask(request);
    }),
  );
}

// Whatever was asked under this key is no longer wanted.
export function drop(key) {
  newest.delete(key);
}
