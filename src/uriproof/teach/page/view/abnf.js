// The grammar as text to edit: after a pause it is read again, and everything follows.
// Owns the editor, its line numbers and its list of what is wrong. Imports the engine and the
// building of elements. Invariant: while the text cannot be used, the last grammar that could stays.

import { after, el, show } from "./dom.js";
import { latest } from "./engine.js";

class Abnf extends HTMLElement {
  connectedCallback() {
    if (this.area) return;
    const { bench } = this;
    this.gutter = el("pre", { class: "gutter", "aria-hidden": "true" }, "1");
    this.area = el("textarea", { id: "abnf", wrap: "off", spellcheck: "false", autocapitalize: "off", rows: 16, "aria-describedby": "abnf-state", oninput: () => this.#typed(), onscroll: () => (this.gutter.scrollTop = this.area.scrollTop) });
    this.state = el("p", { id: "abnf-state", role: "status" });
    this.list = el("ol", { class: "plain faults" });
    this.reset = el("button", { type: "button", class: "small", onclick: () => this.#reset() }, "Back to the bundled grammar");
    this.append(el("div", { class: "row spread" }, el("label", { for: "abnf" }, "ABNF of the grammar"), this.reset), el("div", { class: "editor" }, this.gutter, this.area), this.state, this.list);
    this.read = after(400, () => this.#read());
    bench.on("tab setup", () => this.#load());
    bench.on("select", () => this.#follow());
    this.#load();
  }

  async #load() {
    const { bench } = this;
    if (bench.tab !== "grammar") return;
    this.reset.disabled = bench.abnf === null;
    const source = bench.abnf ?? bench.grammar;
    if (this.source === source || this.area.value === bench.abnf) return;
    this.source = source;
    if (bench.abnf !== null) {
      this.area.value = bench.abnf;
      return this.#read();
    }
    this.state.textContent = "Reading the grammar…";
    const answer = await latest("own rules", { do: "grammar", grammar: bench.grammar, lint: false });
    if (!answer) return;
    if (answer.error) {
      this.source = null;
      this.state.textContent = answer.error.message;
      return;
    }
    this.area.value = answer.abnf;
    this.#numbers();
    this.#scroll(answer.rules.find((rule) => rule.line)?.line ?? 1);
    this.#lint({ grammar: bench.grammar }, answer.rules);
  }

  // The rules are there at once; what is doubtful in them takes longer to find.
  async #lint(source, rules) {
    this.state.className = "";
    this.state.textContent = `${rules.length} rules; looking for what is doubtful in them…`;
    show(this.list);
    const abnf = this.area.value;
    const answer = await latest("grammar", { do: "grammar", ...source });
    if (answer && abnf === this.area.value) this.#tell(answer);
  }

  #typed() {
    this.#numbers();
    this.state.textContent = "…";
    this.read();
  }

  #numbers() {
    const lines = this.area.value.split("\n").length;
    if (lines === this.lines) return;
    this.lines = lines;
    this.gutter.textContent = Array.from({ length: lines }, (_, at) => at + 1).join("\n");
  }

  async #read() {
    this.#numbers();
    const abnf = this.area.value;
    const rules = await latest("own rules", { do: "rules", abnf });
    if (!rules) return;
    if (rules.error) return this.#tell(rules);
    if (abnf !== this.bench.abnf) {
      this.source = abnf;
      this.bench.rules = [];
      const known = rules.rules.some((rule) => rule.name === this.bench.rule);
      this.bench.choose({ abnf, rule: known ? this.bench.rule : rules.start });
    }
    this.#lint({ abnf }, rules.rules);
  }

  #tell(answer) {
    const faults = answer.error?.faults ?? answer.faults ?? [];
    const doubts = answer.diagnostics ?? [];
    this.state.className = answer.error ? "trouble" : "";
    this.state.textContent = answer.error
      ? faults.length ? this.bench.rules.length ? "This grammar cannot be used: the text is checked against the last one that could." : "This grammar cannot be used." : answer.error.message
      : `${answer.rules.length} rules${faults.length ? `; ${faults.length} cannot be used` : ""}${doubts.length ? `; ${doubts.length} ${doubts.length === 1 ? "diagnostic" : "diagnostics"}` : ""}.`;
    const item = (one, kind) => el("li", { class: kind }, el("button", { type: "button", class: "link", onclick: () => this.#jump(one) }, `Line ${one.line}`), ` ${kind === "bad" ? "✗" : "△"} ${one.message}`);
    show(this.list, faults.slice(0, 50).map((one) => item(one, "bad")), doubts.slice(0, 50).map((one) => item(one, "doubt")));
  }

  #jump({ line, column, length }) {
    const before = this.area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(before + Math.max(0, (column ?? 1) - 1), before + Math.max(0, (column ?? 1) - 1) + (length ?? 0));
    this.#scroll(line - 3);
  }

  // The rule that was chosen in the tree or in a diagram.
  #follow() {
    const { production, tab } = this.bench;
    if (tab !== "grammar" || !production) return;
    const at = this.area.value.split("\n").findIndex((line) => line.toLowerCase().startsWith(production.toLowerCase()) && /^\s*=/.test(line.slice(production.length)));
    if (at >= 0) this.#scroll(at - 1);
  }

  #scroll(line) {
    this.area.scrollTop = Math.max(0, (line - 1) * parseFloat(getComputedStyle(this.area).lineHeight));
  }

  #reset() {
    const { bench } = this;
    this.source = null;
    bench.rules = [];
    bench.choose({ abnf: null, rule: "" });
  }
}

customElements.define("uri-abnf", Abnf);
