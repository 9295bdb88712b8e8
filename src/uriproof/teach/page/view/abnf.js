// The grammar as text to edit: after a pause it is read again, and everything follows.
// Owns what is said about the text. Imports the field for ABNF, the engine and the building of elements.
// Invariant: while the text cannot be used, the last grammar that could stays.

import { abnfField } from "./abnf-field.js";
import { after, el, show } from "./dom.js";
import { latest } from "./engine.js";

class Abnf extends HTMLElement {
  connectedCallback() {
    if (this.state) return;
    const { bench } = this;
    this.place = el("div", {});
    this.state = el("p", { id: "abnf-state", role: "status" });
    this.list = el("ol", { class: "plain faults" });
    this.reset = el("button", { type: "button", class: "small", onclick: () => this.#reset() }, "Back to the bundled grammar");
    this.append(el("div", { class: "row spread" }, el("span", { "aria-hidden": "true" }, "ABNF of the grammar"), this.reset), this.place, this.state, this.list);
    this.read = after(400, () => this.#read());
    bench.on("tab setup", () => this.#load());
    bench.on("select", () => this.#follow());
    this.#load();
  }

  async #load() {
    const { bench } = this;
    if (bench.tab !== "grammar") return;
    if (!this.editor) show(this.place, (this.editor = abnfField({ label: "ABNF of the grammar", changed: () => this.#typed() })).element);
    this.reset.disabled = bench.abnf === null;
    const source = bench.abnf ?? bench.grammar;
    if (this.source === source || this.editor.value() === bench.abnf) return;
    this.source = source;
    await this.editor.ready;
    if (bench.abnf !== null) {
      this.editor.set(bench.abnf);
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
    this.editor.set(answer.abnf);
    this.editor.go({ line: answer.rules.find((rule) => rule.line)?.line ?? 1 });
    this.#lint({ grammar: bench.grammar }, answer.rules);
  }

  // The rules are there at once; what is doubtful in them takes longer to find.
  async #lint(source, rules) {
    this.state.className = "";
    this.state.textContent = `${rules.length} rules; looking for what is doubtful in them…`;
    show(this.list);
    const abnf = this.editor.value();
    const answer = await latest("grammar", { do: "grammar", ...source });
    if (answer && abnf === this.editor.value()) this.#tell(answer);
  }

  #typed() {
    this.state.textContent = "…";
    this.read();
  }

  async #read() {
    const abnf = this.editor.value();
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
    this.editor.mark(faults);
    this.state.className = answer.error ? "trouble" : "";
    this.state.textContent = answer.error
      ? faults.length ? this.bench.rules.length ? "This grammar cannot be used: the text is checked against the last one that could." : "This grammar cannot be used." : answer.error.message
      : `${answer.rules.length} rules${faults.length ? `; ${faults.length} cannot be used` : ""}${doubts.length ? `; ${doubts.length} ${doubts.length === 1 ? "diagnostic" : "diagnostics"}` : ""}.`;
    const item = (one, kind) => el("li", { class: kind }, el("button", { type: "button", class: "link", onclick: () => this.#jump(one) }, `Line ${one.line}`), ` ${kind === "bad" ? "✗" : "△"} ${one.message}`);
    show(this.list, faults.slice(0, 50).map((one) => item(one, "bad")), doubts.slice(0, 50).map((one) => item(one, "doubt")));
  }

  #jump(place) {
    this.editor.go(place);
    this.editor.focus();
  }

  // The rule that was chosen in the tree or in a diagram.
  #follow() {
    const { production, tab } = this.bench;
    if (tab !== "grammar" || !production) return;
    const at = this.editor.value().split("\n").findIndex((line) => line.toLowerCase().startsWith(production.toLowerCase()) && /^\s*=/.test(line.slice(production.length)));
    if (at >= 0) this.editor.go({ line: at + 1, length: production.length });
  }

  #reset() {
    const { bench } = this;
    this.source = null;
    bench.rules = [];
    bench.choose({ abnf: null, rule: "" });
  }
}

customElements.define("uri-abnf", Abnf);
