// The engine as the views see it: ask, and get the newest answer only.
// Owns the connection and what is known of its state. Imports transport.js when it is first asked.
// Invariant: an answer that a newer question of the same kind has overtaken is never given.

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

// Whatever was asked under this key is no longer wanted.
export function drop(key) {
  newest.delete(key);
}
