// What a lesson shows: its prose, its texts character by character, and what is said of an answer or a text.
//
// Owns how they look, and the words around the engine's. Imports the building of elements and routes.
// Invariant: before a prediction is made, nothing of the verdict can be seen: colours come with a
// report; right and wrong have a sign and a word; every word about a violation is the engine's.

import { points, shape, shown, visible } from "./characters.js";
import { el } from "./dom.js";
import { write } from "./route.js";

// Pieces of the engine, [{text, code, emphasis}], as elements; a plain string stays one.
export function words(pieces) {
  if (typeof pieces === "string") return [pieces];
  return (pieces ?? []).map(({ text, code, emphasis }) => (code ? el("code", {}, text) : emphasis ? el("em", {}, text) : text));
}

// The same without any look; undefined where there are none.
export function plain(pieces) {
  return typeof pieces === "string" ? pieces : pieces?.map((piece) => piece.text).join("");
}

// Paragraphs and lists: [{kind: "paragraph", pieces} or {kind: "list", items}].
export function prose(blocks) {
  return (blocks ?? []).map((block) =>
    block.kind === "list"
      ? el("ul", {}, block.items.map((item) => el("li", {}, words(item))))
      : el("p", {}, words(block.pieces)),
  );
}

// A text as one piece of code; of the empty one the name.
export function code(text, name = null) {
  return text ? el("code", { class: name }, shown(text)) : el("em", {}, "the empty text");
}

const NAMES = "scheme userinfo host port path query fragment".split(" ");

// The components of a report, in the order of the text; of two at one place, the longer one last.
function components(report) {
  return Object.entries(report?.components ?? {})
    .filter(([name, one]) => NAMES.includes(name) && one)
    .map(([name, one]) => ({ name, ...one }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

// The look of each character of a text by its report: blamed, or of its component.
export function looks(text, report) {
  const names = components(report);
  const blamed = (at) => report?.violations.some((one) => one.start <= at && at < one.end);
  const component = (at) => names.find((name) => name.start <= at && at < name.end);
  return points(text).map((_, at) => (blamed(at) ? "blamed" : component(at) ? `c c-${component(at).name}` : ""));
}

// The text, a cell for each character with its place below; with a report also what each one is.
export function specimen(text, report = null) {
  const all = points(text);
  if (!all.length) return el("p", { class: "specimen none" }, el("em", {}, "the empty text: no characters at all"));
  const names = components(report);
  const look = looks(text, report);
  const missing = (at) => report?.violations.some((one) => one.start === one.end && one.start === at);
  const cells = all.map((one, at) => el("span", { class: `glyph${missing(at) ? " missing" : ""}` }, el("span", { class: `character ${look[at]}` }, shape(one)), el("small", {}, at)));
  if (missing(all.length)) cells.push(el("span", { class: "glyph missing" }, el("span", { class: "character blamed" }, "…"), el("small", {}, "end")));
  return el(
    "div",
    { class: "specimen" },
    el("p", { class: "sr" }, `The text: ${all.map(visible).join("")}`),
    el("div", { class: "glyphs", "aria-hidden": "true" }, cells),
    names.length
      ? el("ul", { class: "names", "aria-label": "Components" }, names.map((one) => el("li", {}, el("span", { class: `c c-${one.name}` }, one.name), " ", one.text ? el("code", {}, points(one.text).map(visible).join("")) : el("em", {}, "empty"))))
      : null,
  );
}

// The playground with a text and a rule, in a tab of its own: the exercise stays as it is.
function inPlayground(text, rule, grammar) {
  const href = write("play", null, { v: 1, text, rule, grammar: grammar === "rfc3986" ? null : grammar });
  return el("a", { class: "button", href, target: "_blank", rel: "noopener", title: "In a new tab; the exercise stays as it is" }, "Open in the playground");
}

// The answer of the engine to a request `answer`.
export function said({ right, why, message, misconception, counterexample, conditions }) {
  return el(
    "div",
    { class: `feedback ${right ? "right" : "wrong"}` },
    el("p", { class: "tick" }, el("span", { "aria-hidden": "true" }, right ? "✓ " : "✗ "), right ? "Right." : "Not right."),
    message ? el("p", {}, words(message)) : null,
    conditions?.length ? el("ul", { class: "met" }, conditions.map((one) => el("li", { class: one.met ? "yes" : "no" }, el("strong", {}, one.met ? "✓ met: " : "✗ not met: "), words(one.words)))) : null,
    prose(why),
    misconception ? el("div", { class: "misconception" }, el("p", { class: "label" }, "The misconception"), el("p", {}, words(misconception))) : null,
    counterexample ? counter(counterexample) : null,
  );
}

function counter({ text, rule, grammar, valid, what }) {
  return el(
    "div",
    { class: "counterexample" },
    el("p", { class: "label" }, "A counterexample"),
    el("p", {}, code(text, "text"), valid ? ": a valid " : ": not a valid ", el("code", {}, rule)),
    el("p", {}, words(what)),
    el("p", {}, inPlayground(text, rule, grammar)),
  );
}

// An answer that was asked for.
export function given({ answer, why }) {
  return el("div", { class: "feedback shown" }, el("p", { class: "tick" }, "The answer: ", words(answer.label)), prose(why));
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

// A prediction, in words, beside the answer; one that was not made is null.
export function compared(predicted, found) {
  const box = (label, value) => el("div", {}, el("p", { class: "label" }, label), el("p", { class: "value" }, value));
  return el("div", { class: "lesson-against" }, predicted === null ? null : box("You predicted", predicted), box("The engine finds", found));
}

// The report of a text: every violation with its place.
export function reported(report) {
  const { ok, text, violations, advice } = report;
  const count = violations.length + report.more;
  return el(
    "div",
    { class: "ran" },
    el("p", { class: `outcome ${ok ? "ok" : "not"}` }, ok ? "✓ valid" : `✗ invalid: ${count} ${count === 1 ? "violation" : "violations"}`),
    specimen(text, report),
    violations.length + advice.length
      ? el("ul", { class: "report" }, violations.map(violation), advice.map((one) => el("li", { class: "advice" }, el("p", { class: "spot" }, "Advice: ", one.title ?? one.code), el("p", {}, one.message))))
      : null,
    el("p", { class: "no-print" }, inPlayground(text, report.rule, report.grammar)),
  );
}

function violation({ start, end, found, message, production, section }) {
  const place = end - start > 1 ? `${start}–${end - 1}` : start;
  return el(
    "li",
    {},
    el("p", { class: "spot" }, found ? ["At ", place, ": ", el("code", {}, shown(found))] : `At ${start}: something is missing`),
    el("p", {}, message),
    el("p", { class: "exact" }, section ? `${production}, ${section}` : production),
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
