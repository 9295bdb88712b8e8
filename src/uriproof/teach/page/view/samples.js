// Valid samples and near misses of any production that read well, the same for the same seed.
// Owns the lists. Imports the engine and the building of elements. Invariant: a sample is shown with
// the production and the seed that it was made of.

import { shown } from "./characters.js";
import { el, show } from "./dom.js";
import { latest } from "./engine.js";

const COUNT = 8;

class Samples extends HTMLElement {
  connectedCallback() {
    if (this.lists) return;
    const { bench } = this;
    this.rule = el("select", { id: "sample-rule", onchange: () => this.#make() });
    const again = el("button", { type: "button", onclick: () => bench.set("seed", bench.seed + 1) }, "Others");
    this.lists = el("div", { class: "halves" });
    this.append(el("div", { class: "row" }, el("label", { for: "sample-rule" }, "Production"), this.rule, again), this.lists);
    bench.on("rules setup", () => this.#rules());
    bench.on("tab seed", () => this.#make());
    this.#rules();
  }

  #rules() {
    const { bench } = this;
    const wanted = bench.rule;
    show(this.rule, (bench.rules.length ? bench.rules.map((rule) => rule.name) : [wanted]).map((name) => el("option", { value: name }, name)));
    this.rule.value = wanted;
    this.made = null;
    this.#make();
  }

  async #make() {
    const { bench } = this;
    if (bench.tab !== "samples" || !this.rule.value) return;
    const wanted = JSON.stringify([bench.common(), this.rule.value, bench.seed]);
    if (this.made === wanted) return;
    this.made = wanted;
    const request = { do: "sample", ...bench.common(), rule: this.rule.value, seed: bench.seed, count: COUNT, most: 24, readable: true };
    const [valid, misses] = await Promise.all([latest("valid", { ...request, kind: "valid" }), latest("misses", { ...request, kind: "near-miss" })]);
    if (!valid || !misses) return;
    if (valid.error?.code === "unavailable") this.made = null;
    show(this.lists, this.#list("Valid samples", "✓", valid), this.#list("Near misses", "✗", misses));
  }

  #list(title, sign, answer) {
    const { bench } = this;
    const rule = this.rule.value;
    const take = (text) => {
      if (rule !== bench.rule) bench.choose({ rule });
      bench.write(text, true);
      bench.put = text;
    };
    const item = ({ text, edit }) => el("li", {}, el("button", { type: "button", class: "link mono sample", title: `Check this as ${rule}`, onclick: () => take(text) }, el("span", { "aria-hidden": "true" }, `${sign} `), shown(text, 60) || "(empty)"), edit ? el("span", { class: "muted small" }, ` from `, el("span", { class: "mono" }, shown(edit.of, 40) || "(empty)")) : null);
    return el("section", {}, el("h3", {}, title), answer.error ? el("p", { class: "muted" }, answer.error.message) : el("ul", { class: "plain" }, answer.samples.map(item)));
  }
}

customElements.define("uri-samples", Samples);
