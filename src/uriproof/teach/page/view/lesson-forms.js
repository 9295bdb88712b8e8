// The ways to give an answer: choose one of a few, a character, a production or a box of a diagram; or
// write a text or a production.
//
// Owns the controls, each a group that has a legend and works with the keyboard alone. Imports the
// diagram, and the editor when an exercise needs it. Invariant: `value()` is in the form that the
// request `answer` takes, or null as long as nothing was chosen; `settle(value, right, label)` shows an
// answer and takes no other; what is said while one writes is the engine's, on the text that is shown.

import { abnfField } from "./abnf-field.js";
import { named, points, shape, visible } from "./characters.js";
import { around, legend as keyed, rails, way } from "./diagram.js";
import { after, el, picture, show } from "./dom.js";
import { latest } from "./engine.js";
import { code, failed, looks, words } from "./lesson-said.js";
import { compact } from "./production.js";

let groups = 0;

// Radio buttons. `items`: [{value, content}]. `look` has the class of the group, that of an item, and
// whether an answer has words beside its color.
function radios(legend, items, look, within = (labels) => labels) {
  const name = `choice-${++groups}`;
  const inputs = items.map(({ value }, at) => el("input", { type: "radio", name, id: `${name}-${at}`, "data-value": JSON.stringify(value) }));
  const labels = items.map(({ content }, at) => el("label", { class: look.item, for: `${name}-${at}` }, inputs[at], content));
  const mark = (value, right) => items.forEach((item, at) => {
    labels[at].classList.remove("right", "wrong");
    labels[at].querySelector(".verdict")?.remove();
    if (item.value !== value) return;
    labels[at].classList.add(right ? "right" : "wrong");
    if (look.told) labels[at].append(el("span", { class: "verdict" }, right ? "✓ right" : "✗ not this"));
  });
  return {
    element: el("fieldset", { class: look.group }, el("legend", {}, legend), within(labels)),
    value: () => items.find((_, at) => inputs[at].checked)?.value ?? null,
    mark,
    settle(value, right) {
      inputs.forEach((input, at) => Object.assign(input, { checked: items[at].value === value, disabled: true }));
      mark(value, right);
    },
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0])?.focus(),
  };
}

// One of a few. `options`: [{value, label, code?, more?}], `more` being words below the label.
function choices(legend, options, columns = false) {
  const items = options.map(({ value, label, code, more }) => ({ value, content: el("span", {}, code ? el("code", {}, label) : words(label), more ? el("small", {}, more) : null) }));
  return radios(legend, items, { group: `choices${columns ? " columns" : ""}`, item: "choice", told: true });
}

// A character of a text, by its place, or the place after the last one.
function positions(legend, text) {
  const item = (value, shown, spoken, more = "") => ({
    value,
    content: [el("span", { class: `character${more}`, "aria-hidden": "true" }, shown), el("small", { "aria-hidden": "true" }, value), el("span", { class: "sr" }, `${spoken}, place ${value}`)],
  });
  const all = points(text);
  const items = [...all.map((one, at) => item(at, shape(one), named(one))), item(all.length, "end", "the end", " after")];
  const made = radios(legend, items, { group: "positions", item: "glyph" }, (labels) => el("div", { class: "glyphs" }, labels));
  return { ...made, empty: "Choose a character first, or let the answer be shown." };
}

// A text to write. `live(text, place)` fills the place below it.
function writing(legend, { value = "", live = null, above = null } = {}) {
  const id = `writing-${++groups}`;
  const below = el("div", { id: `${id}-live`, class: "live" });
  let touched = false;
  const input = el("input", {
    type: "text", id, class: "mono", value, spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off", "aria-describedby": below.id,
    oninput: () => {
      touched = true;
      live?.(input.value, below);
    },
  });
  live?.(value, below);
  return {
    element: el("div", { class: "writing" }, el("label", { for: id }, legend), above, input, below),
    value: () => (touched || input.value ? input.value : null),
    settle(given) {
      input.value = given;
      input.readOnly = true;
      live?.(given, below);
    },
    focus: () => input.focus(),
    empty: "Write a text first, or let the answer be shown.",
  };
}

// The colors of a text while it is written, and how far it is a whole one.
function reading(rule, grammar) {
  return async (text, place) => {
    const report = (await latest("live", { do: "check", grammar, rule, text }))?.report;
    if (!report) return;
    const look = looks(text, report);
    const start = report.violations[0]?.start;
    const name = el("code", {}, rule);
    const told = report.ok ? ["So far this is a valid ", name, "."]
      : !text ? "Nothing is written yet."
      : start === look.length ? ["So far nothing is wrong, but this is not yet a whole ", name, "."]
      : `It goes wrong at ${start}.`;
    const colored = points(text).map((one, at) => el("span", { class: look[at] || "c-none" }, visible(one)));
    show(place, el("p", { class: "coloured", "aria-hidden": "true" }, colored), el("p", { class: "reading muted" }, told));
  };
}

// A production of a list, or a box of a diagram: which of them reads or refuses a character. Once it is
// settled, the way of the text is drawn in the diagram that was asked about.
function light(asked, legend, data, request) {
  const place = el("div", { class: "rails", tabindex: "0", role: "region", hidden: true });
  const about = el("p", { class: "legend", hidden: true });
  const drawing = async (rule, chosen) => {
    const answer = await request({ do: "railroad", grammar: asked.grammar, rule });
    place.hidden = false;
    if (answer.error) return show(place, failed(answer.error)), null;
    const made = rails(answer.drawing, chosen);
    place.setAttribute("aria-label", `Railroad diagram of ${rule}`);
    show(place, made.element);
    return made;
  };
  const lit = async (drawn, rule, right) => {
    const { derivation } = await request({ do: "explain", text: data.text, rule: data.rule, grammar: data.grammar });
    const node = derivation && around(derivation, rule, asked.at);
    drawn.light(node === undefined ? {} : way(derivation, node), right);
    about.hidden = false;
    show(about, keyed("The path that the text takes", derivation?.nodes[node]?.whole !== false));
  };
  return asked.diagram ? boxes(asked, legend, place, about, drawing, lit) : names(asked, legend, place, about, drawing, lit);
}

function boxes(asked, legend, place, about, drawing, lit) {
  let box = null;
  let drawn = null;
  const ready = drawing(asked.diagram, (node) => drawn.choose((box = node))).then((made) => {
    drawn = made;
    about.hidden = !made;
    about.textContent = "Choose a box: click it, or go to it with Tab and press Enter.";
  });
  return {
    element: el("fieldset", { class: "boxes-of" }, el("legend", {}, legend), place, about),
    ready,
    value: () => box,
    empty: "Choose a box first, or let the answer be shown.",
    mark: (value, right) => drawn?.mark(value, right),
    focus: () => drawn?.focus(),
    // `value` is a box's place, or a name.
    async settle(value) {
      await ready;
      if (drawn) await lit(drawn, asked.diagram, value);
    },
  };
}

function names(asked, legend, place, about, drawing, lit) {
  const list = choices(legend, asked.among.map(({ name, gloss }) => ({ value: name, label: name, code: true, more: gloss })), true);
  list.element.append(place, about);
  return {
    ...list,
    empty: "Choose a production first, or let the answer be shown.",
    // `label` is the name that is right, in words.
    async settle(value, right, label) {
      const name = [value, label].find((one) => asked.among.some((each) => each.name === one));
      list.settle(name, right);
      const drawn = await drawing(name);
      if (drawn) await lit(drawn, name);
    },
  };
}

// A production to write. `ask` is the request "answer" for its step, `request` any other.
function define(asked, legend, signs, ask, request) {
  const state = el("p", { class: "define-state", role: "status" });
  const errors = el("ol", { class: "define-errors" });
  const cards = el("div", { class: "define-cards" });
  let newest = 0;
  let last = null; // the last answer, and the text that it is about

  const look = after(250, () => judge(editor.value()));
  const changed = () => {
    state.textContent = "…";
    look();
  };
  const editor = abnfField({ value: bare(asked.start), label: `ABNF of ${asked.rule}`, names: asked.names, changed });
  editor.ready.then(() => editor.value().trim() !== asked.start.trim() && changed());

  async function judge(text) {
    const mine = ++newest;
    const patience = setTimeout(() => mine === newest && (state.textContent = "This is compared as soon as the engine is ready."), 1_000);
    const answer = await ask({ value: text });
    clearTimeout(patience);
    if (mine !== newest) return;
    last = { text, answer };
    await tell(answer, mine);
  }

  async function tell({ written, error }, mine) {
    if (error) {
      state.className = "define-state unsure";
      state.textContent = error.message;
      editor.mark([]);
      return show(errors), show(cards);
    }
    editor.mark(written.errors);
    state.className = `define-state ${written.right ? "right" : "wrong"}`;
    state.textContent = written.right
      ? asked.accepts.length ? "✓ All texts of the two lists are judged as they should be." : `✓ Equal: these are exactly the texts of ${asked.rule}.`
      : written.errors.length ? "✗ This cannot be read yet." : "✗ Not equal yet.";
    show(errors, written.errors.map((one) => el("li", {}, one.line ? el("strong", {}, `Line ${one.line}, column ${one.column}: `) : null, one.message)));
    const drawn = await Promise.all([
      written.too_much === null ? null : card("Accepted, and should not be", written.too_much, written, request),
      written.too_little === null ? null : card("Should be accepted, and is not", written.too_little, written, request),
    ]);
    if (mine === newest) show(cards, drawn);
  }

  const listed = (name, texts) => (texts.length ? [el("dt", {}, name), el("dd", {}, texts.map((one) => [code(one), " "]))] : null);
  const element = el(
    "div",
    { class: "define" },
    el("p", { class: "define-legend", id: "define-legend" }, legend),
    asked.given.length ? el("div", { class: "given" }, el("p", { class: "label" }, "You may use"), el("pre", { class: "lesson-abnf", tabindex: "0" }, el("code", {}, asked.given.map(compact).join("\n")))) : null,
    asked.accepts.length || asked.refuses.length ? el("dl", { class: "define-lists" }, listed("To be accepted", asked.accepts), listed("To be refused", asked.refuses)) : null,
    editor.element, signs, state, errors, cards,
  );

  return {
    element,
    ready: editor.ready,
    value: () => (editor.value().trim() ? editor.value() : null),
    // What was answered already is not asked again.
    known: (text) => (last && last.text === text && !last.answer.error ? last.answer : null),
    async settle(value) {
      await editor.ready;
      look.cancel();
      editor.set(bare(value));
      editor.close();
      await judge(value);
    },
    async mark(value) {
      look.cancel();
      if (last?.text !== value) await judge(value);
    },
    focus: () => editor.focus(),
    empty: "Write the production first, or let the answer be shown.",
  };
}

// One text that tells the two apart: its tree, and its path through the pupil's own diagram.
async function card(title, text, { abnf, rule }, request) {
  const [diagram, explained, tree] = await Promise.all(
    [{ do: "railroad" }, { do: "explain", text }, { do: "tree", text }].map((one) => request({ ...one, abnf, rule })),
  );
  const drawings = [];
  const region = (label, svg) => drawings.push(el("div", { class: "rails", tabindex: "0", role: "region", "aria-label": `${label} ${text || "the empty text"}` }, svg));
  if (!diagram.error && !explained.error) {
    const made = rails(diagram.drawing);
    const { nodes } = explained.derivation;
    made.light(way(explained.derivation, 0));
    region(`Diagram of your ${rule}, with the path of`, made.element);
    drawings.push(el("p", { class: "legend" }, keyed("The path of the text", nodes[0].whole)));
  }
  if (!tree.error) region(`Tree of your ${rule}, with`, picture(tree.drawing));
  return el("section", { class: "define-card" }, el("p", { class: "label" }, `✗ ${title}`), el("p", { class: "define-text" }, code(text)), drawings);
}

// Without the line breaks around it that a file gives it; a space at the end is to be written after.
const bare = (text) => text.replace(/^\n+|\n+$/g, "");

// The form of a step. `data` is its exercise, `host` what that has; `ask` is the request "answer" for the step.
export function formFor(asked, data, host, ask) {
  const legend = words(asked.question);
  if (asked.step === "light") return light(asked, legend, data, host.request);
  if (asked.options) return choices(legend, asked.options, asked.options.length === 2 && asked.step === "predict");
  if (asked.kind === "position") return positions(legend, data.text);
  if (asked.kind === "define") return define(asked, legend, signs(host.legend), ask, host.request);
  const above = asked.conditions?.length ? el("ul", { class: "conditions" }, asked.conditions.map((one) => el("li", {}, words(one)))) : null;
  return writing(legend, { value: asked.start ?? "", live: asked.kind === "write" ? reading(data.rule, data.grammar) : null, above });
}

// The signs of ABNF in words, to be opened beside a production.
export function signs(legend, open = false) {
  if (!legend?.length) return null;
  return el("details", { class: "signs", open }, el("summary", {}, "The signs of ABNF"), el("dl", {}, legend.map((one) => [el("dt", {}, el("code", {}, one.sign)), el("dd", {}, words(one.words))])));
}
