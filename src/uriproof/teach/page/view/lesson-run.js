// What the engine says of a text, beside what was predicted.
//
// Owns the step "run". Imports the building of elements. Invariant: every violation is shown with
// its place, and each word about it is the engine's.

import { el } from "./dom.js";
import { inPlayground } from "./lesson-answer.js";
import { specimen, words } from "./lesson-text.js";
import { shown } from "./characters.js";

const place = ({ start, end }) => (end - start > 1 ? `${start}–${end - 1}` : `${start}`);

// A prediction, in words, beside the answer; one that was not made is null.
export function compared(predicted, found) {
  const box = (label, value) => el("div", {}, el("p", { class: "label" }, label), el("p", { class: "value" }, value));
  return el("div", { class: "lesson-against" }, predicted === null ? null : box("You predicted", predicted), box("The engine finds", found));
}

// The report of a text.
export function run(report) {
  const count = report.violations.length + report.more;
  return el(
    "div",
    { class: "ran" },
    el("p", { class: `outcome ${report.ok ? "ok" : "not"}` }, report.ok ? "✓ valid" : `✗ invalid: ${count} ${count === 1 ? "violation" : "violations"}`),
    specimen(report.text, report),
    report.violations.length + report.advice.length
      ? el("ul", { class: "report" }, report.violations.map(violation), report.advice.map((one) => el("li", { class: "advice" }, el("p", { class: "spot" }, "Advice: ", one.title ?? one.code), el("p", {}, one.message))))
      : null,
    el("p", { class: "no-print" }, inPlayground(report.text, report.rule, report.grammar)),
  );
}

function violation(one) {
  const exact = one.section ? `${one.production}, ${one.section}` : one.production;
  return el(
    "li",
    {},
    el("p", { class: "spot" }, one.found ? ["At ", place(one), ": ", el("code", {}, shown(one.found))] : `At ${one.start}: something is missing`),
    el("p", {}, one.message),
    el("p", { class: "exact" }, exact),
  );
}

// What else was worked out: a resolved reference, decoded pairs, what a browser made of the text.
export function results(found, text) {
  return el(
    "dl",
    { class: "results" },
    found.map((one) => [
      el("dt", {}, words(one.words)),
      el("dd", {}, one.verdict === null ? el("code", {}, shown(one.text, 300)) : one.text),
      one.name === "observed" ? [el("dt", {}, "This browser, just now:"), el("dd", {}, here(text))] : null,
    ]),
  );
}

function here(text) {
  try {
    return el("code", {}, new URL(text).href);
  } catch {
    return "refused";
  }
}
