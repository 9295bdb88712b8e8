// The colours of a text while it is written, from the tables of its rule.
//
// Owns the line below a field to write in. Imports the walk and the tables. Invariant: where a rule
// has no tables, nothing is coloured and nothing is claimed; the engine decides when it is asked.

import { el, show } from "./dom.js";
import { ask } from "./engine.js";
import { points, visible } from "./characters.js";

const plans = new Map();

async function plan(rule, grammar) {
  const key = `${grammar}:${rule}`;
  if (!plans.has(key)) plans.set(key, made(rule, grammar).catch(() => null));
  return plans.get(key);
}

async function made(rule, grammar) {
  const { prepare } = await import("../walk.js");
  let tables = null;
  if (grammar === "rfc3986") {
    const response = await fetch(new URL(`../tables/rfc3986/${encodeURIComponent(rule)}.json`, import.meta.url));
    if (response.ok) tables = await response.json();
  }
  tables ??= (await ask({ do: "tables", grammar, rule })).tables;
  return tables && tables.walkable !== false ? prepare(tables) : null;
}

// A function for `writing`: (text, place) shows the coloured text and what may come next.
export function liveFor(rule, grammar) {
  let newest = 0;
  return async (text, place) => {
    const mine = ++newest;
    const [found, { walk }] = await Promise.all([plan(rule, grammar), import("../walk.js")]);
    if (mine !== newest || !found) return;
    const walked = walk(found, text);
    show(place, el("p", { class: "coloured", "aria-hidden": "true" }, coloured(points(text), walked)), el("p", { class: "reading muted" }, reading(text, rule, walked)));
  };
}

function coloured(all, walked) {
  const blamed = (at) => walked.blamed.some((one) => one.start <= at && at < one.end);
  return all.map((one, at) => {
    const component = walked.characters[at]?.component;
    return el("span", { class: blamed(at) ? "blamed" : component ? `c c-${component}` : "c-none" }, visible(one));
  });
}

function reading(text, rule, walked) {
  if (walked.ok) return ["So far this is a valid ", el("code", {}, rule), "."];
  if (!text) return ["Nothing is written yet."];
  if (walked.viable === walked.length) return ["So far nothing is wrong, but this is not yet a whole ", el("code", {}, rule), "."];
  return [`It goes wrong at ${walked.viable}.`];
}
