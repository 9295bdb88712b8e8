// A production that a pupil writes: the editor, and what the engine says of it while it is written.
//
// Owns the editor and the two texts that show what differs, each in the diagram of the pupil's own
// rule. Imports the editor when an exercise needs it. Invariant: the verdict is the engine's, on the
// text that is shown; where the editor does not load, a plain field takes its place.

import { points, shown } from "./characters.js";
import { after, el, show } from "./dom.js";
import { rails, taken } from "./lesson-rails.js";
import { words } from "./lesson-text.js";

const CORE = ["ALPHA", "BIT", "CHAR", "DIGIT", "DQUOTE", "HEXDIG", "SP", "VCHAR"];

// `asked` is the step, `ask` the request "answer" for it, `request` any other.
export function define(asked, legend, signs, ask, request) {
  const state = el("p", { class: "define-state", role: "status" });
  const errors = el("ol", { class: "define-errors" });
  const cards = el("div", { class: "define-cards" });
  const place = el("div", { class: "define-editor" });
  let editor = plain(asked.start, asked.rule);
  let newest = 0;
  let last = null; // the last answer, and the text that it is about
  show(place, editor.element);

  const look = after(250, () => judge(editor.value()));
  const changed = () => {
    state.textContent = "…";
    look();
  };

  async function judge(text) {
    const mine = ++newest;
    const patience = setTimeout(() => mine === newest && (state.textContent = "This is compared as soon as the engine is ready."), 1_000);
    const answer = await ask({ value: text });
    clearTimeout(patience);
    if (mine !== newest) return;
    last = { text, answer };
    await tell(answer, mine);
  }

  async function tell(answer, mine) {
    const { written, error } = answer;
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

  const listed = (name, texts) => (texts.length ? [el("dt", {}, name), el("dd", {}, texts.map((one) => [one ? el("code", {}, shown(one)) : el("em", {}, "the empty text"), " "]))] : null);
  const element = el(
    "div",
    { class: "define" },
    el("p", { class: "define-legend", id: "define-legend" }, legend),
    asked.given.length ? el("div", { class: "given" }, el("p", { class: "label" }, "You may use"), el("pre", { class: "lesson-abnf", tabindex: "0" }, el("code", {}, asked.given.join("\n")))) : null,
    asked.accepts.length || asked.refuses.length ? el("dl", { class: "define-lists" }, listed("To be accepted", asked.accepts), listed("To be refused", asked.refuses)) : null,
    place,
    signs,
    state,
    errors,
    cards,
  );

  const names = [...asked.names, ...CORE];
  const ready = import("./lesson-editor.js")
    .then(({ editorFor }) => editorFor({ value: editor.value(), label: `ABNF of ${asked.rule}`, names, changed }))
    .then((made) => {
      const focused = editor.element.contains(document.activeElement);
      made.set(editor.value());
      editor = made;
      show(place, made.element);
      if (focused) made.focus();
    })
    .catch(() => editor.element.addEventListener("input", changed));
  ready.then(() => editor.value().trim() !== asked.start.trim() && changed());

  return {
    element,
    ready,
    value: () => (editor.value().trim() ? editor.value() : null),
    // What was answered already is not asked again.
    known: (text) => (last && last.text === text && !last.answer.error ? last.answer : null),
    async settle(value) {
      await ready;
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

// One text that tells the two apart, and its path through the pupil's own diagram.
async function card(title, text, written, request) {
  const about = { abnf: written.abnf, rule: written.rule };
  const [diagram, explained] = await Promise.all([request({ do: "railroad", ...about }), request({ do: "explain", text, ...about })]);
  const derivation = explained.derivation;
  let drawing = null;
  if (!diagram.error) {
    const made = rails(diagram.drawing, () => {});
    made.settle();
    made.light(derivation ? taken(derivation, written.rule, 0) : [], null);
    drawing = [
      el("div", { class: "rails", tabindex: "0", role: "region", "aria-label": `Diagram of your ${written.rule}, with the path of ${text || "the empty text"}` }, made.element),
      el("p", { class: "legend" }, derivation?.ok ? "Drawn thick: the path of the text." : "Drawn thick: the path of the text, as far as your production reads it."),
    ];
  }
  return el("section", { class: "define-card" }, el("p", { class: "label" }, `✗ ${title}`), el("p", { class: "define-text" }, points(text).length ? el("code", {}, shown(text)) : el("em", {}, "the empty text")), drawing);
}

// Without the line breaks around it that a file gives it; a space at the end is to be written after.
const bare = (text) => text.replace(/^\n+|\n+$/g, "");

// A plain field, until the editor is there and where it is not.
function plain(start, rule) {
  const field = el("textarea", { class: "mono", rows: 4, spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-label": `ABNF of ${rule}`, value: bare(start) });
  return {
    element: field,
    value: () => field.value,
    set: (text) => (field.value = text),
    mark() {},
    close: () => (field.readOnly = true),
    focus: () => field.focus(),
  };
}

// The signs of ABNF in words, to be opened beside a production.
export function signs(legend, open = false) {
  if (!legend?.length) return null;
  return el("details", { class: "signs", open }, el("summary", {}, "The signs of ABNF"), el("dl", {}, legend.map((one) => [el("dt", {}, el("code", {}, one.sign)), el("dd", {}, words(one.words))])));
}
