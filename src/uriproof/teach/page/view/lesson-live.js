// The colours of a text while it is written, from the tables of its rule, or else from the engine.
//
// Owns the line below a field to write in. Imports the walk and the tables. Invariant: where a rule
// has no tables, nothing is coloured and nothing is claimed until the engine has answered.

import { el, show } from "./dom.js";
import { latest } from "./engine.js";
import { points, visible } from "./characters.js";

const plans = new Map();

async function plan(rule, grammar) {
  const key = `${grammar}:${rule}`;
  if (!plans.has(key)) plans.set(key, made(rule, grammar).catch(() => null));
  return plans.get(key);
}

async function made(rule, grammar) {
  if (grammar !== "rfc3986") return null;
  const { prepare } = await import("../walk.js");
  const response = await fetch(new URL(`../tables/rfc3986/${encodeURIComponent(rule)}.json`, import.meta.url));
  return response.ok ? prepare(await response.json()) : null;
}

// A function for `writing`: (text, place) shows the coloured text and what may come next.
export function liveFor(rule, grammar) {
  let newest = 0;
  return async (text, place) => {
    const mine = ++newest;
    const found = await plan(rule, grammar);
    const walked = found ? (await import("../walk.js")).walk(found, text) : await told(rule, grammar, text);
    if (mine !== newest || !walked) return;
    show(place, el("p", { class: "coloured", "aria-hidden": "true" }, coloured(points(text), walked)), el("p", { class: "reading muted" }, reading(text, rule, walked)));
  };
}

// What the engine says, in the form of the walk; null where it says nothing, or something newer is asked.
async function told(rule, grammar, text) {
  const report = (await latest("live", { do: "check", grammar, rule, text }))?.report;
  if (!report) return null;
  const all = points(text);
  const parts = Object.entries(report.components);
  const characters = all.map((_, at) => ({ component: parts.find(([, { start, end }]) => start <= at && at < end)?.[0] }));
  const blamed = report.violations;
  return { ok: report.ok, length: all.length, viable: blamed[0]?.start ?? all.length, characters, blamed };
}

function coloured(all, walked) {
  const wrong = walked.ok ? -1 : stop(walked);
  const blamed = (at) => at === wrong || walked.blamed.some((one) => one.start <= at && at < one.end);
  return all.map((one, at) => {
    const component = walked.characters[at]?.component;
    return el("span", { class: blamed(at) ? "blamed" : component ? `c c-${component}` : "c-none" }, visible(one));
  });
}

function reading(text, rule, walked) {
  if (walked.ok) return ["So far this is a valid ", el("code", {}, rule), "."];
  if (!text) return ["Nothing is written yet."];
  if (walked.viable === walked.length) return ["So far nothing is wrong, but this is not yet a whole ", el("code", {}, rule), "."];
  return [`It goes wrong at ${stop(walked)}.`];
}

// Where it goes wrong: at the first character to blame, or where nothing can be read on.
function stop({ blamed: [first], viable }) {
  return first && first.start < first.end ? first.start : viable;
}
