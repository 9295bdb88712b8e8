// Two grammars compared: how they are related, and the shortest texts that tell them apart.
// Owns the form and its answer, as a view of its own and in the playground. Imports the engine, the
// route and the building of elements. Invariant: what is shown is the engine's answer.

import { shown } from "./characters.js";
import { el, show } from "./dom.js";
import { latest } from "./engine.js";
import { replace, VERSION, write } from "./route.js";

const WORDS = {
  equal: "They accept the same texts.",
  overlapping: "Each accepts texts that the other does not.",
  contained: "All that the first accepts, the second accepts, too, and more.",
  contains: "All that the second accepts, the first accepts, too, and more.",
  disjoint: "No text is accepted by both.",
};
const EXAMPLES = [
  ["rfc2396:URI-reference", "rfc3986:URI-reference"],
  ["rfc3986:IPv4address", "re:[0-9.]+"],
  ["rfc3986:relative-ref", "rfc3986:URI-reference"],
  ["rfc3986:port", "re:[0-9]*"],
];

class Compare extends HTMLElement {
  connectedCallback() {
    this.#build();
    if (this.bench) this.#asked();
  }

  set route(route) {
    this.page = true;
    this.#build();
    this.a.value = route.params.a || EXAMPLES[0][0];
    this.b.value = route.params.b || EXAMPLES[0][1];
    this.#compare();
  }

  #build() {
    if (this.a) return;
    const side = (key, label) => el("input", { type: "text", id: `compare-${key}`, class: "mono grow", spellcheck: "false", autocapitalize: "off", "aria-label": label, list: "compare-known" });
    this.a = side("a", "First");
    this.b = side("b", "Second");
    this.form = el("form", { class: "against", onsubmit: (event) => (event.preventDefault(), this.#set(this.a.value, this.b.value)) }, this.a, el("span", { class: "muted" }, "against"), this.b, el("button", { type: "submit", class: "main" }, "Compare"));
    this.result = el("div", { "aria-live": "polite", class: "result" });
    const examples = EXAMPLES.map(([a, b]) => el("button", { type: "button", class: "small", onclick: () => this.#set(a, b) }, `${a} · ${b}`));
    this.heading = el("h1", { class: "page-title" }, "Compare two grammars");
    this.append(
      this.heading,
      el("p", { class: "muted" }, "A rule, GRAMMAR:RULE, or re:PATTERN. The answer is exact, with the shortest texts that tell the two apart."),
      this.form, el("div", { class: "row examples" }, examples), this.result,
    );
    if (!this.page) this.heading.hidden = true;
  }

  #asked() {
    this.heading.hidden = true;
    this.bench.on("tab setup", () => {
      if (this.bench.tab !== "compare") return;
      if (this.bench.compared) [this.a.value, this.b.value] = this.bench.compared;
      else {
        const own = this.bench.abnf !== null;
        this.a.value = own ? this.bench.rule : `${this.bench.grammar}:${this.bench.rule}`;
        this.b.value = this.bench.rule === "URI-reference" ? "rfc2396:URI-reference" : "rfc3986:URI-reference";
      }
      this.#compare();
    });
  }

  #set(a, b) {
    this.a.value = a;
    this.b.value = b;
    this.bench?.set("compared", [a, b]);
    this.#compare();
  }

  async #compare() {
    const [a, b] = [this.a.value.trim(), this.b.value.trim()];
    if (!a || !b) return;
    const wanted = JSON.stringify([a, b, this.bench?.abnf]);
    if (this.wanted === wanted && this.result.firstChild) return;
    this.wanted = wanted;
    if (this.page) replace("compare", null, { v: VERSION, a, b });
    const request = { do: "compare", a, b };
    if (this.bench?.abnf && !/^\w[\w-]*:/.test(a)) Object.assign(request, { abnf_a: this.bench.abnf });
    show(this.result, el("p", { class: "muted" }, "Comparing…"));
    const answer = await latest(`compare ${this.page}`, request);
    if (!answer) return;
    if (answer.error) {
      this.wanted = null;
      return void show(this.result, el("p", { class: "trouble" }, answer.error.message));
    }
    show(
      this.result,
      el("p", { class: "relation" }, WORDS[answer.relation] ?? "How they are related could not be settled."),
      answer.searched ? el("p", { class: "muted small" }, "Not decided by automata: texts were searched.") : null,
      el("div", { class: "halves" }, this.#list(`Only in ${answer.a.name}`, answer.only_a, answer.a), this.#list(`Only in ${answer.b.name}`, answer.only_b, answer.b)),
      answer.both !== null && answer.both !== undefined ? el("p", {}, el("span", { class: "muted" }, "The shortest in both: "), el("code", {}, shown(answer.both) || "the empty text")) : null,
    );
  }

  #list(title, witnesses, side) {
    const item = ({ text }) => el("li", {}, this.#link(text, side));
    return el("section", {}, el("h3", {}, title), witnesses.length ? el("ul", { class: "plain" }, witnesses.map(item)) : el("p", { class: "muted" }, "None."));
  }

  #link(text, side) {
    const words = shown(text, 60) || "(the empty text)";
    if (this.bench) return el("button", { type: "button", class: "link mono sample", onclick: () => this.bench.write(text, true) }, words);
    const params = { v: VERSION, text, grammar: side.grammar ?? "rfc3986", rule: side.rule ?? "URI-reference" };
    return el("a", { class: "mono sample", href: write("play", null, params) }, words);
  }
}

customElements.define("uri-compare", Compare);
