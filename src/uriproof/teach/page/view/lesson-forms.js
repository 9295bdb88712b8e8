// The ways to give an answer: choose one of a few, choose a character of the text, or write.
//
// Owns the controls, each a group that has a legend and works with the keyboard alone. Imports the
// building of elements. Invariant: `value()` is in the form that the request `answer` takes, or
// null as long as nothing was chosen; `settle(value)` shows an answer and takes no other.

import { named, points, shape, words } from "./lesson-text.js";
import { el } from "./dom.js";

let groups = 0;

// Radio buttons. `options`: [{value, label, code?, more?}], `more` being words below the label.
export function choices(legend, options, { columns = false } = {}) {
  const name = `choice-${++groups}`;
  const inputs = options.map(({ value }, at) =>
    el("input", { type: "radio", name, id: `${name}-${at}`, "data-value": JSON.stringify(value) }),
  );
  const labels = options.map(({ label, code, more }, at) =>
    el("label", { class: "choice", for: `${name}-${at}` }, inputs[at], el("span", {}, code ? el("code", {}, label) : words(label), more ? el("small", {}, more) : null)),
  );
  const of = (input) => JSON.parse(input.dataset.value);
  return {
    element: el("fieldset", { class: `choices${columns ? " columns" : ""}` }, el("legend", {}, legend), labels),
    value() {
      const chosen = inputs.find((input) => input.checked);
      return chosen ? of(chosen) : null;
    },
    settle(value, right) {
      inputs.forEach((input, at) => {
        input.checked = of(input) === value;
        input.disabled = true;
        labels[at].classList.remove("right", "wrong");
        labels[at].querySelector(".verdict")?.remove();
        if (input.checked) mark(labels[at], right);
      });
    },
    mark(value, right) {
      inputs.forEach((input, at) => {
        labels[at].classList.remove("right", "wrong");
        labels[at].querySelector(".verdict")?.remove();
        if (of(input) === value) mark(labels[at], right);
      });
    },
    choose(value) {
      for (const input of inputs) input.checked = of(input) === value;
    },
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0])?.focus(),
    inputs,
    of,
  };
}

// A sign and a word beside the colour.
function mark(label, right) {
  label.classList.add(right ? "right" : "wrong");
  label.append(el("span", { class: "verdict" }, right ? "✓ right" : "✗ not this"));
}

// A character of a text, by its place; where `end` is given, also the place after the last one.
export function positions(legend, text, { end = true } = {}) {
  const all = points(text);
  const options = all.map((one, at) => ({ value: at, label: one }));
  if (end) options.push({ value: all.length, label: "end" });
  const name = `position-${++groups}`;
  const inputs = options.map(({ value }) => el("input", { type: "radio", name, value: String(value), id: `${name}-${value}` }));
  const cells = options.map(({ value, label }, at) => {
    const last = end && value === all.length;
    return el(
      "label",
      { class: "glyph", for: `${name}-${value}` },
      inputs[at],
      el("span", { class: `character${last ? " after" : ""}`, "aria-hidden": "true" }, last ? "end" : shape(label)),
      el("small", { "aria-hidden": "true" }, value),
      el("span", { class: "sr" }, last ? `the end, place ${value}` : `${named(label)}, place ${value}`),
    );
  });
  return {
    element: el("fieldset", { class: "positions" }, el("legend", {}, legend), el("div", { class: "glyphs" }, cells)),
    value() {
      const found = inputs.find((input) => input.checked);
      return found ? Number(found.value) : null;
    },
    settle(value, right) {
      inputs.forEach((input, at) => {
        input.checked = Number(input.value) === value;
        input.disabled = true;
        if (input.checked) cells[at].classList.add(right ? "right" : "wrong");
      });
    },
    mark(value, right) {
      inputs.forEach((input, at) => {
        cells[at].classList.remove("right", "wrong");
        if (Number(input.value) === value) cells[at].classList.add(right ? "right" : "wrong");
      });
    },
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0])?.focus(),
  };
}

// A text to write. `onwrite` is called with it, and gives what is shown below.
export function writing(legend, { value = "", live = null, hint = "" } = {}) {
  const id = `writing-${++groups}`;
  const input = el("input", {
    type: "text", id, class: "mono", value, spellcheck: "false", autocapitalize: "off", autocomplete: "off",
    autocorrect: "off", "aria-describedby": `${id}-live`,
    oninput: () => live?.(input.value, below),
  });
  const below = el("div", { id: `${id}-live`, class: "live" });
  let touched = false;
  input.addEventListener("input", () => (touched = true));
  live?.(value, below);
  return {
    element: el("div", { class: "writing" }, el("label", { for: id }, legend), hint ? el("p", { class: "muted" }, hint) : null, input, below),
    value: () => (touched || input.value ? input.value : null),
    settle(given) {
      input.value = given;
      input.readOnly = true;
      live?.(given, below);
    },
    mark() {},
    focus: () => input.focus(),
  };
}
