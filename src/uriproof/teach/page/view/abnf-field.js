// A field for ABNF: a plain one, until the editor is there and where it is not.
//
// Owns the exchange of one for the other. Imports the editor on demand. Invariant: what is written, and
// the focus, stay.

import { el, show } from "./dom.js";

const CORE = ["ALPHA", "BIT", "CHAR", "DIGIT", "DQUOTE", "HEXDIG", "SP", "VCHAR"];

// As `editorFor`, with `ready`, a promise. `names` are offered to complete a word.
export function abnfField({ value = "", label, names = [], changed }) {
  const area = el("textarea", { class: "mono", rows: 4, spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-label": label, value, oninput: changed });
  let now = {
    value: () => area.value,
    set: (text) => (area.value = text),
    mark() {},
    go() {},
    close: () => (area.readOnly = true),
    focus: () => area.focus(),
  };
  const element = el("div", { class: "abnf-field" }, area);
  const ready = import("./lesson-editor.js").then(
    ({ editorFor }) => {
      const focused = element.contains(document.activeElement);
      now = editorFor({ value: area.value, label, names: [...names, ...CORE], changed });
      show(element, now.element);
      if (focused) now.focus();
    },
    () => {},
  );
  const passed = (name) => (...given) => now[name](...given);
  return { element, ready, ...Object.fromEntries(Object.keys(now).map((name) => [name, passed(name)])) };
}
