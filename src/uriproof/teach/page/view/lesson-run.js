// What the engine says of a text, beside what was predicted.
//
// Owns the step "run". Imports the building of elements. Invariant: every violation is shown with
// its place, and each word about it is the engine's.

import { el } from "./dom.js";
import { inPlayground } from "./lesson-answer.js";
import { specimen } from "./lesson-text.js";
import { shown } from "./characters.js";

const place = ({ start, end }) => (end - start > 1 ? `${start}–${end - 1}` : `${start}`);

// `predicted` are words; the report is one of a request `check`.
export function run(predicted, report, rule, grammar) {
  const count = report.violations.length + report.more;
  return el(
    "div",
    {},
    el(
      "div",
      { class: "versus" },
      predicted === null ? null : el("div", {}, el("p", { class: "label" }, "You predicted"), el("p", { class: "value" }, predicted)),
      el(
        "div",
        {},
        el("p", { class: "label" }, "The engine says"),
        el("p", { class: `value ${report.ok ? "ok" : "not"}` }, report.ok ? "✓ valid" : `✗ invalid: ${count} ${count === 1 ? "violation" : "violations"}`),
      ),
    ),
    specimen(report.text, report),
    report.violations.length + report.advice.length
      ? el(
          "ul",
          { class: "report" },
          report.violations.map((one) =>
            el(
              "li",
              {},
              el("p", { class: "where" }, one.found ? ["At ", place(one), ": ", el("code", {}, shown(one.found))] : `At ${one.start}: something is missing`),
              el("p", {}, one.beginner ?? one.message),
              one.beginner ? el("p", { class: "exact" }, one.message, one.section ? ` (${one.section})` : "") : null,
              one.hint ? el("p", {}, one.hint) : null,
            ),
          ),
          report.advice.map((one) => el("li", { class: "advice" }, el("p", { class: "where" }, one.title ?? one.code), el("p", {}, one.message))),
        )
      : null,
    el("p", { class: "no-print" }, inPlayground(report.text, rule, grammar)),
  );
}
