// The editor of ABNF: colors, completion of the names of rules, and marks under errors.
//
// Owns what CodeMirror is told. Imports it, as one file. Invariant: its styles are in a shadow root,
// where the page's policy lets it make them; Tab leaves the editor, as it leaves a field.

import {
  EditorState, EditorView, HighlightStyle, StreamLanguage, acceptCompletion, autocompletion, bracketMatching, completionKeymap,
  defaultKeymap, drawSelection, history, historyKeymap, keymap, lineNumbers, lintKeymap, setDiagnostics, syntaxHighlighting, tags,
} from "../vendor/codemirror.js";

const NAME = /[A-Za-z][A-Za-z0-9-]*/;

const abnf = StreamLanguage.define({
  startState: () => ({}),
  token(stream) {
    if (stream.match(/^;.*/)) return "comment";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^%[xdbXDB][0-9A-Fa-f.-]+/)) return "number";
    if (stream.sol() && stream.match(/^[A-Za-z][A-Za-z0-9-]*/)) return "definition";
    if (stream.match(/^[A-Za-z][A-Za-z0-9-]*/)) return "name";
    if (stream.match(/^[0-9*]+/) || stream.match(/^=\/?|^\//)) return "operator";
    stream.next();
    return null;
  },
  tokenTable: { definition: tags.definition(tags.variableName), name: tags.variableName },
});

const look = EditorView.theme({
  "&": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--edge)", borderRadius: "8px", fontSize: "var(--size-of-editor, 1.1rem)", maxHeight: "24rem" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", minHeight: "5.5rem", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: ".5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "0" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-wash) !important" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--blame) 2px", textUnderlineOffset: "4px" },
  ".cm-lintPoint-error:after": { borderBottomColor: "var(--blame)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--edge)", fontSize: "1rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
});

const colors = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.definition(tags.variableName), fontWeight: "700" },
    { tag: tags.variableName, color: "var(--accent)" },
    { tag: tags.string, color: "var(--ok)" },
    { tag: tags.number, color: "var(--ok)" },
    { tag: tags.operator, color: "var(--ink)", fontWeight: "700" },
    { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  ]),
);

// {element, value(), set(text), mark(errors), go(place), close(), focus()}; `changed()` is called at each
// change that `set` does not make. Errors and places have a line, and may have a column and a length.
export function editorFor({ value, label, names, changed }) {
  const element = document.createElement("div");
  element.className = "abnf-editor";
  const root = element.attachShadow({ mode: "open" });
  const complete = (context) => {
    const before = context.matchBefore(NAME);
    if (!before && !context.explicit) return null;
    const own = context.state.doc.toString().match(/^[A-Za-z][A-Za-z0-9-]*(?=\s*=)/gm) ?? [];
    const options = [...new Set([...own, ...names])].map((name) => ({ label: name, type: "variable" }));
    return { from: before?.from ?? context.pos, options, validFor: /^[A-Za-z0-9-]*$/ };
  };
  let setting = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: value,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        autocompletion({ override: [complete], icons: false }),
        keymap.of([{ key: "Tab", run: acceptCompletion }, ...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        abnf,
        colors,
        look,
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
        EditorView.domEventHandlers({ beforeinput: replaced }),
        EditorView.updateListener.of((update) => update.docChanged && !setting && changed()),
      ],
    }),
  });
  view.dispatch({ selection: { anchor: view.state.doc.length } });
  return {
    element,
    value: () => view.state.doc.toString(),
    set(text) {
      if (text === view.state.doc.toString()) return;
      setting = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      view.dispatch({ selection: { anchor: view.state.doc.length } });
      setting = false;
    },
    mark: (errors) => view.dispatch(setDiagnostics(view.state, errors.filter((one) => one.line).map((one) => ({ ...range(view.state.doc, one), severity: "error", message: one.message })))),
    go(place) {
      const { from, to } = range(view.state.doc, place);
      view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    },
    close() {
      // It can still be scrolled and read by the keyboard: it keeps its tabindex.
      for (const [name, value] of [["contenteditable", "false"], ["aria-readonly", "true"]]) view.contentDOM.setAttribute(name, value);
    },
    focus: () => view.focus(),
  };
}

// A browser that replaces a selection itself writes inline styles, which the page's policy blocks.
function replaced(event, view) {
  if (event.inputType !== "insertText" || !event.data || view.state.selection.main.empty) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

// Columns count code points; the editor counts UTF-16 units.
function range(doc, { line, column, length }) {
  const before = (column ?? 1) - 1;
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const all = Array.from(at.text);
  const units = (count) => all.slice(0, count).join("").length;
  const from = Math.min(at.from + units(before), at.to);
  return { from, to: Math.min(at.from + units(before + (length || 1)), at.to) };
}
