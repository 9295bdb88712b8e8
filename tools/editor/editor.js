// What the page uses of CodeMirror; all else is left out of the bundle.

export { EditorState } from "@codemirror/state";
export { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
export { acceptCompletion, autocompletion, completionKeymap } from "@codemirror/autocomplete";
export { lintKeymap, setDiagnostics } from "@codemirror/lint";
export { tags } from "@lezer/highlight";
