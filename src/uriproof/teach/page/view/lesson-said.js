// Texts of a lesson: prose with code in it, and the text of an exercise, character by character.
//
// Owns how both look. Imports the building of elements. Invariant: before a prediction is made,
// nothing of the verdict can be seen: colours come with a report, never before.

import { named, points, visible } from "./characters.js";
import { el } from "./dom.js";

// Pieces of the engine, [{text, code, emphasis}], as elements; a plain string stays one.
export function words(pieces) {
  if (typeof pieces === "string") return [pieces];
  return (pieces ?? []).map(({ text, code, emphasis }) => (code ? el("code", {}, text) : emphasis ? el("em", {}, text) : text));
}

// Paragraphs and lists: [{kind: "paragraph", pieces} or {kind: "list", items}].
export function prose(blocks) {
  if (typeof blocks === "string") return blocks ? [el("p", {}, blocks)] : [];
  return (blocks ?? []).map((block) =>
    block.kind === "list"
      ? el("ul", {}, block.items.map((item) => el("li", {}, words(item))))
      : el("p", {}, words(block.pieces)),
  );
}

const NAMES = "scheme userinfo host port path query fragment".split(" ");

// The components of a report, in the order of the text; of two at one place, the longer one last.
export function components(report) {
  return Object.entries(report?.components ?? {})
    .filter(([name, one]) => NAMES.includes(name) && one)
    .map(([name, one]) => ({ name, ...one }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

// The text, a cell for each character with its place below; with a report also what each one is.
export function specimen(text, report = null) {
  const all = points(text);
  if (!all.length) return el("p", { class: "specimen none" }, el("em", {}, "the empty text: no characters at all"));
  const names = components(report);
  const blamed = (at) => report?.violations.some((one) => one.start <= at && at < one.end);
  const missing = (at) => report?.violations.some((one) => one.start === one.end && one.start === at);
  const cells = all.map((one, at) => {
    const component = names.find((name) => name.start <= at && at < name.end);
    const look = blamed(at) ? "blamed" : component ? `c c-${component.name}` : "";
    return el("span", { class: `glyph${missing(at) ? " missing" : ""}` }, el("span", { class: `character ${look}` }, shape(one)), el("small", {}, at));
  });
  if (missing(all.length)) cells.push(el("span", { class: "glyph missing" }, el("span", { class: "character blamed" }, "…"), el("small", {}, "end")));
  return el(
    "div",
    { class: "specimen" },
    el("p", { class: "sr" }, `The text: ${all.map(visible).join("")}`),
    el("div", { class: "glyphs", "aria-hidden": "true" }, cells),
    report && names.length
      ? el("ul", { class: "names", "aria-label": "Components" }, names.map((one) => el("li", {}, el("span", { class: `c c-${one.name}` }, one.name), " ", one.text ? el("code", {}, Array.from(one.text).map(visible).join("")) : el("em", {}, "empty"))))
      : null,
  );
}

export function shape(character) {
  return character === " " ? "␣" : visible(character);
}

export { named, points };
