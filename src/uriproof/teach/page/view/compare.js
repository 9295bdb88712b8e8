// Two grammars compared: how they are related, and the shortest texts that tell them apart.
// Owns the form and its answer. Imports the engine and the building of elements. Invariant: what is shown is the engine's answer.

import { shown } from "./characters.js";
import { el, show } from "./dom.js";
import { latest } from "./engine.js";

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
    if (this.a) return;
    const side = (key, label) => el("input", { type: "text", id: `compare-${key}`, class: "mono grow", spellcheck: "false", autocapitalize: "off", "aria-label": label });
    this.a = side("a", "First");
    this.b = side("b", "Second");
    this.form = el("form", { class: "against", onsubmit: (event) => (event.preventDefault(), this.#set(this.a.value, this.b.value)) }, this.a, el("span", { class: "muted" }, "against"), this.b, el("button", { type: "submit", class: "main" }, "Compare"));
    this.result = el("div", { "aria-live": "polite", class: "result" });
    const examples = EXAMPLES.map(([a, b]) => el("button", { type: "button", class: "small", onclick: () => this.#set(a, b) }, `${a} · ${b}`));
    this.append(
      el("p", { class: "muted" }, "A rule, GRAMMAR:RULE, or re:PATTERN. The answer is exact, with the shortest texts that tell the two apart."),
      this.form, el("div", { class: "row examples" }, examples), this.result,
    );
    this.bench.on("tab setup", () => this.#asked());
    this.#asked();
  }

  #asked() {
    const { abnf, compared, grammar, rule, tab } = this.bench;
    if (tab !== "compare") return;
    const other = rule === "URI-reference" ? "rfc2396:URI-reference" : "rfc3986:URI-reference";
    [this.a.value, this.b.value] = compared ?? [abnf === null ? `${grammar}:${rule}` : rule, other];
    this.#compare();
  }

  #set(a, b) {
    this.bench.set("compared", [a, b]);
    this.#asked();
  }

  async #compare() {
    const [a, b] = [this.a.value.trim(), this.b.value.trim()];
    const { abnf } = this.bench;
    const wanted = JSON.stringify([a, b, abnf]);
    if (!a || !b || (this.wanted === wanted && this.result.firstChild)) return;
    this.wanted = wanted;
    const request = { do: "compare", a, b };
    if (abnf && !/^\w[\w-]*:/.test(a)) request.abnf_a = abnf;
    show(this.result, el("p", { class: "muted" }, "Comparing…"));
    const answer = await latest("compare", request);
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

  // A text with the side that accepts it, if that is a rule: it is then checked as that.
  #list(title, witnesses, { grammar, rule }) {
    const { bench } = this;
    const take = (text) => {
      bench.compared ??= [this.a.value, this.b.value]; // another rule suggests others
      if (grammar && rule && bench.abnf === null) bench.choose({ grammar, rule });
      bench.write(text, true);
    };
    const item = ({ text }) => el("li", {}, el("button", { type: "button", class: "link mono sample", onclick: () => take(text) }, shown(text, 60) || "(the empty text)"));
    return el("section", {}, el("h3", {}, title), witnesses.length ? el("ul", { class: "plain" }, witnesses.map(item)) : el("p", { class: "muted" }, "None."));
  }
}

customElements.define("uri-compare", Compare);
