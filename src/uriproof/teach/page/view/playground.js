// The playground: one text, and all that can be seen of it.
// Owns the layout and the tabs. Imports its elements and the bench. Invariant: one bench for all of
// them; each draws itself when the bench tells of a change.

import "./abnf.js";
import "./browser.js";
import "./check.js";
import "./chooser.js";
import "./compare.js";
import "./field.js";
import "./production.js";
import "./samples.js";
import "./share.js";
import "./step.js";
import "./tree.js";
import { Bench } from "./bench.js";
import { after, el, show } from "./dom.js";
import { onStatus } from "./engine.js";

const TABS = [
  ["check", "Violations", "uri-check"],
  ["step", "Step", "uri-step"],
  ["samples", "Samples", "uri-samples"],
  ["browser", "Browser and base", "uri-browser"],
  ["compare", "Compare", "uri-compare"],
  ["grammar", "Grammar", "uri-abnf"],
];
const AT_FIRST = 3; // tabs; the others are in a menu, until one is chosen

class Playground extends HTMLElement {
  bench = new Bench();

  set route(route) {
    this.pending = route;
    if (this.built) this.bench.open(route.params);
  }

  connectedCallback() {
    const { bench } = this;
    bench.active = true;
    if (this.built) return;
    this.built = true;
    const make = (tag, more = {}) => Object.assign(document.createElement(tag), { bench, ...more });
    const field = make("uri-field");
    const tree = make("uri-tree", { field });
    this.rule = make("uri-chooser", {
      id: "rule", label: "Rule", current: () => bench.rule || "…",
      options: () => bench.rules.map((rule) => ({ value: rule.name, words: [rule.gloss, rule.section && `§${rule.section}`].filter(Boolean).join(" · ") })),
      choose: (rule) => bench.choose({ rule }),
    });
    this.grammar = make("uri-chooser", {
      id: "grammar", label: "Grammar", current: () => (bench.abnf === null ? bench.grammar : "your own"),
      options: () => bench.grammars.map((grammar) => ({ value: grammar.name, words: grammar.title })),
      onopen: () => bench.loadGrammars(),
      choose: (grammar) => {
        bench.rules = [];
        bench.choose({ grammar, abnf: null, rule: "" });
      },
    });
    this.tools = el("div", { class: "row tools" }, this.rule, this.grammar, el("span", { class: "grow" }), make("uri-share"));
    this.panels = TABS.map(([id, words, tag]) => ({
      id,
      button: el("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => bench.set("tab", id) }, words),
      panel: el("section", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` }, make(tag, { field })),
    }));
    this.more = make("uri-chooser", {
      id: "more", label: "More", current: () => "", options: () => TABS.slice(AT_FIRST).map(([value, words]) => ({ value, words })), plain: true,
      choose: (tab) => (bench.set("tab", tab), this.panels.find(({ id }) => id === tab).button.focus()),
    });
    const tabs = el("div", { class: "tabs" }, el("div", { role: "tablist", "aria-label": "About this text", onkeydown: (event) => this.#key(event) }, this.panels.map(({ button }) => button)), this.more);
    this.append(
      el("h1", { class: "sr" }, "Playground"),
      this.tools,
      make("uri-verdict"),
      el("section", { class: "score", "aria-label": "The text and its tree" }, field, tree),
      make("uri-peek"),
      el("div", { class: "below" }, Object.assign(make("uri-production"), { className: "card" }), el("div", { class: "card side" }, tabs, this.panels.map(({ panel }) => panel))),
    );
    bench.on("setup rules", () => (this.rule.refresh(), this.grammar.refresh(), this.#credit()));
    bench.on("tab", () => this.#tabs());
    this.#tabs();
    const grammars = after(1500, () => bench.loadGrammars()); // before they are asked for
    onStatus(({ state }) => {
      this.dataset.engine = state;
      if (state === "ready") grammars();
    });
    bench.open(this.pending?.params ?? {});
  }

  disconnectedCallback() {
    this.bench.active = false;
    this.#credit();
  }

  // What the page's last line names: the grammar that is used. Other views use the generic one.
  #credit() {
    const { abnf, active, grammar, grammars } = this.bench;
    const about = active ? grammars.find(({ name }) => name === grammar) : null;
    const named = !active || grammar === "rfc3986" ? el("a", { href: "https://www.rfc-editor.org/rfc/rfc3986#appendix-A", rel: "noreferrer" }, "RFC 3986, Appendix A") : about?.title ?? grammar;
    show(document.getElementById("credit"), "Grammar: ", active && abnf !== null ? "your own" : named);
  }

  #tabs() {
    const known = TABS.some(([id]) => id === this.bench.tab);
    for (const [at, { id, button, panel }] of this.panels.entries()) {
      const on = id === (known ? this.bench.tab : "check");
      button.setAttribute("aria-selected", String(on));
      button.tabIndex = on ? 0 : -1;
      panel.hidden = !on;
      button.hidden = !on && at >= AT_FIRST;
    }
    this.classList.toggle("editing", this.bench.tab === "grammar");
  }

  #key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const there = this.panels.filter((one) => !one.button.hidden);
    const at = there.findIndex(({ button }) => button === document.activeElement);
    const { id, button } = there[(at + by + there.length) % there.length];
    this.bench.set("tab", id);
    button.focus();
    event.preventDefault();
  }
}

customElements.define("uri-playground", Playground);
