// <uri-sheet>: a class sheet for paper: questions about rules, or a lesson, each with its key.
//
// Owns the form, and what the address says of the sheet. Imports the engine, which lays all sheets
// out. Invariant: the same address makes the same sheet, key included.

import { build, el, show } from "./dom.js";
import { kept } from "./engine.js";
import { fetched, heldSource } from "./lesson-own.js";
import { failed } from "./lesson-said.js";
import { replace } from "./route.js";

class Sheet extends HTMLElement {
  #made = 0;

  set route(route) {
    this.given = route;
    if (this.isConnected) this.#begin();
  }

  connectedCallback() {
    this.#begin();
  }

  async #begin() {
    const { argument, params } = this.given ?? { params: {} };
    this.source = null;
    this.said = el("div", { role: "status", class: "no-print" });
    this.paper = el("div", {});
    if (params.source || argument === "own") {
      const found = params.source ? await fetched(params.source) : { source: heldSource() };
      if (found.source) this.source = found.source;
      else show(this.said, el("p", { class: "error" }, found.error ?? "No lesson of your own is open."));
    }
    this.params = params;
    show(this, el("h1", { class: "no-print" }, "Class sheet"), this.#form(params), this.said, this.paper);
    this.#lessons(params.lesson ?? (this.source ? "own" : ""));
    this.#make();
  }

  #form(params) {
    const number = (value, otherwise) => (/^\d+$/.test(value ?? "") ? value : String(otherwise));
    this.what = el("select", { id: "sheet-what", onchange: () => this.#changed() }, el("option", { value: "" }, "Questions about rules"));
    this.rules = el("input", { type: "text", class: "mono", value: params.rules ?? "URI", spellcheck: "false", list: "sheet-rules", onchange: () => this.#changed() });
    this.count = el("input", { type: "number", min: 1, max: 60, value: number(params.count, 10), onchange: () => this.#changed() });
    this.seed = el("input", { type: "number", min: 0, max: 2147483647, value: number(params.seed, 1), onchange: () => this.#changed() });
    this.explain = el("select", { onchange: () => this.#changed() }, el("option", { value: "" }, "short"), el("option", { value: "1", selected: params.explain === "1" }, "with what was expected"));
    const field = (words, input, more = "") => el("label", { class: more }, words, input);
    this.asked = [
      field("Rules, with commas between", this.rules, "full"),
      field("Questions", this.count),
      field("Seed", this.seed),
      field("Explanations", this.explain),
    ];
    return el(
      "form",
      { class: "sheet-form card no-print", onsubmit: (event) => event.preventDefault() },
      field("What is printed", this.what, "full"),
      this.asked,
      el(
        "div",
        { class: "row" },
        el("button", { type: "button", class: "main", onclick: () => print() }, "Print"),
        (this.other = el("button", { type: "button", onclick: () => this.#reseed() }, "Other questions")),
        el("label", { class: "with-key" }, (this.key = el("input", { type: "checkbox", checked: params.key !== "0", onchange: () => this.#changed() })), " With the key, on a page of its own"),
      ),
    );
  }

  async #lessons(chosen) {
    const found = await kept("all", { do: "lessons" });
    for (const one of found.lessons ?? []) this.what.append(el("option", { value: one.id }, `Lesson ${one.number}: ${one.title}`));
    if (this.source) this.what.append(el("option", { value: "own" }, "Your own lesson"));
    this.what.value = chosen;
  }

  #reseed() {
    this.seed.value = String(1 + Math.floor(Math.random() * 9999));
    this.#changed();
  }

  #changed() {
    const lesson = this.what.value;
    if (lesson === "own") this.params = { source: this.given.params.source };
    else if (lesson) this.params = { lesson };
    else {
      const { grammar } = this.given?.params ?? {};
      this.params = { v: 1, rules: this.rules.value.replaceAll(" ", ""), count: this.count.value, seed: this.seed.value, explain: this.explain.value, grammar };
    }
    if (!this.key.checked) this.params.key = "0";
    replace("sheet", lesson === "own" && !this.params.source ? "own" : null, this.params);
    this.#make();
  }

  async #make() {
    const mine = ++this.#made;
    const own = this.source && !this.params.rules && !this.params.lesson;
    const plain = !own && !this.params.lesson;
    for (const one of [...this.asked, this.other]) one.hidden = !plain;
    const patience = setTimeout(() => {
      if (mine === this.#made) show(this.said, el("p", { class: "waiting muted" }, "The sheet is made as soon as the engine has loaded."));
    }, 200);
    const asked = plain ? this.#request() : own ? { source: this.source } : { lesson: this.params.lesson };
    const made = await kept(asked.lesson, { do: "worksheet", ...asked });
    clearTimeout(patience);
    if (mine !== this.#made) return;
    show(this.said, made.error ? failed(made.error) : null);
    const pages = (made.pages ?? []).slice(0, this.key.checked ? 2 : 1);
    show(this.paper, pages.map(build));
    if (made.title) document.title = `${made.title} · uriproof`;
  }

  #request() {
    const rules = this.rules.value.split(/[\s,]+/).filter(Boolean);
    const bounded = (input, least, most, otherwise) => Math.min(most, Math.max(least, Number.parseInt(input.value, 10) || otherwise));
    const request = { rules, count: bounded(this.count, 1, 60, 10), seed: bounded(this.seed, 0, 2147483647, 0), explain: this.explain.value === "1" };
    const { grammar } = this.given?.params ?? {};
    return grammar ? { ...request, grammar } : request;
  }
}

customElements.define("uri-sheet", Sheet);
