// What browsers make of a text, beside what the grammar says.
//
// Owns that table: what was observed when the lesson was written, and this browser's own reading,
// made now. Imports the building of elements. Invariant: this browser's line is what `new URL()`
// gave, never what a lesson says.

import { el } from "./dom.js";

function here(text) {
  try {
    const url = new URL(text);
    return { accepted: true, href: url.href, host: url.host, path: url.pathname };
  } catch {
    return { accepted: false };
  }
}

export function observed(lesson, text) {
  const rows = [
    [`Observed in ${lesson.browser}`, lesson],
    ["This browser, just now", here(text)],
  ];
  return el(
    "div",
    { class: "observed" },
    el("p", { class: "label" }, "What browsers make of it, by new URL()"),
    el(
      "dl",
      {},
      rows.map(([who, one]) => [
        el("dt", {}, who),
        el("dd", {}, one.accepted ? ["accepts it", one.href ? [": ", el("code", {}, one.href)] : null] : "refuses it"),
      ]),
    ),
  );
}
