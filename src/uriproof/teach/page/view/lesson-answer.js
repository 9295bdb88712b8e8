// What is said of an answer: right or wrong, why, the misconception, and a text that refutes it.
//
// Owns the words and links around the engine's. Imports the building of elements and routes.
// Invariant: right and wrong have a sign and a word, never a colour alone.

import { el } from "./dom.js";
import { prose, words } from "./lesson-text.js";
import { write } from "./route.js";
import { points, shown } from "./characters.js";

// The playground with a text and a rule.
export function playground(text, rule, grammar) {
  return write("play", null, { v: 1, text, rule, grammar: grammar === "rfc3986" ? null : grammar });
}

// In a tab of its own: the steps of an exercise are not kept, and Back would begin it again.
export function inPlayground(text, rule, grammar) {
  return el("a", { class: "button", href: playground(text, rule, grammar), target: "_blank", rel: "noopener", title: "In a new tab; the exercise stays as it is" }, "Open in the playground");
}

// The answer of the engine to a request `answer`; `shownAnswer` where it was asked for.
export function said(answer) {
  const { right, why, message, misconception, counterexample, conditions } = answer;
  return el(
    "div",
    { class: `feedback ${right ? "right" : "wrong"}` },
    el("p", { class: "tick" }, el("span", { "aria-hidden": "true" }, right ? "✓ " : "✗ "), right ? "Right." : "Not right."),
    message ? el("p", {}, words(message)) : null,
    conditions?.length ? met(conditions) : null,
    prose(why),
    misconception
      ? el("div", { class: "misconception" }, el("p", { class: "label" }, "The misconception"), el("p", {}, words(misconception)))
      : null,
    counterexample ? counter(counterexample) : null,
  );
}

// The conditions of a text to write, each with a sign and a word.
function met(conditions) {
  return el("ul", { class: "met" }, conditions.map((one) => el("li", { class: one.met ? "yes" : "no" }, el("strong", {}, one.met ? "✓ met: " : "✗ not met: "), words(one.words))));
}

export function counter({ text, rule, grammar, valid, what }) {
  return el(
    "div",
    { class: "counterexample" },
    el("p", { class: "label" }, "A counterexample"),
    el("p", {}, points(text).length ? el("code", { class: "text" }, shown(text)) : el("em", {}, "the empty text"), rule ? [valid ? ": a valid " : ": not a valid ", el("code", {}, rule)] : null),
    what ? el("p", {}, words(what)) : null,
    el("p", {}, inPlayground(text, rule, grammar)),
  );
}

// An error of the engine, in its words, with what to do.
export function failed(error, again = null) {
  const what = error.code === "unavailable" ? "The engine is not there, so this cannot be checked now." : "This could not be checked.";
  return el(
    "div",
    { class: "feedback unchecked", role: "alert" },
    el("p", { class: "tick" }, what),
    el("p", {}, error.message),
    again ? el("button", { type: "button", onclick: again }, "Try again") : null,
  );
}
