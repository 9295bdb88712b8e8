// Choosing a rule, a grammar, or one of a few things.
// Owns one chooser: a button that opens a panel with a list, and a search field unless it is plain. Imports the building
// of elements. Invariant: the focus is in the panel as soon as it is open; it closes with Escape, and
// the focus goes back to the button.

import { el, show } from "./dom.js";

class Chooser extends HTMLElement {
  connectedCallback() {
    if (this.button) return;
    const { label, id } = this;
    const panel = `${id}-panel`;
    this.value_ = el("b", { class: "mono" });
    this.button = el("button", { type: "button", popovertarget: panel, "aria-haspopup": "dialog", onclick: (event) => this.#toggle(event) }, el("span", { class: "muted" }, `${label} `), this.value_, el("span", { "aria-hidden": "true" }, " ▾"));
    this.search = el("input", { type: "search", placeholder: "Search", "aria-label": `Search: ${label.toLowerCase()}`, oninput: () => this.#list(), onkeydown: (event) => this.#key(event), hidden: this.plain ? "" : null });
    this.list = el("ul", { class: "plain options" });
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.panel = el("div", { id: panel, popover: "auto", class: "panel", role: "dialog", "aria-label": `Choose: ${label.toLowerCase()}` }, this.search, this.list);
    this.append(this.button, this.panel);
    this.refresh();
  }

  refresh() {
    if (!this.value_) return;
    this.value_.textContent = this.current();
    if (this.panel.matches(":popover-open")) this.#list();
  }

  // A browser tells of a panel that has opened only later, when the next key may have been pressed already: so it is
  // opened here, and has the focus at once.
  #toggle(event) {
    event.preventDefault();
    this.panel.togglePopover();
    if (this.panel.matches(":popover-open")) this.#opened();
  }

  #opened() {
    this.search.value = "";
    this.#list();
    const { left, bottom } = this.button.getBoundingClientRect();
    this.panel.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - this.panel.offsetWidth - 8))}px`;
    this.panel.style.top = `${Math.min(bottom + 4, Math.max(8, innerHeight - this.panel.offsetHeight - 8))}px`;
    (this.plain ? this.list.querySelector("button") : this.search).focus();
    this.onopen?.();
  }

  #list() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.options().filter(({ value, words: told }) => words.every((word) => `${value} ${told}`.toLowerCase().includes(word)));
    const exact = found.filter(({ value }) => value.toLowerCase().startsWith(words[0] ?? ""));
    const ordered = words.length ? [...exact, ...found.filter((one) => !exact.includes(one))] : found;
    const current = this.current();
    show(
      this.list,
      ordered.map(({ value, words: told }) =>
        el("li", {}, el("button", { type: "button", class: "option", "aria-current": value === current ? "true" : null, onclick: () => this.#choose(value) }, this.plain ? told : [el("span", { class: "mono" }, value), el("span", { class: "muted small" }, told)]))),
      ordered.length ? null : el("li", { class: "muted pad" }, this.options().length ? "None." : "The engine is still loading."),
    );
  }

  #choose(value) {
    this.panel.hidePopover();
    this.button.focus();
    this.choose(value);
  }

  #key(event) {
    const options = [...this.list.querySelectorAll("button")];
    const at = options.indexOf(document.activeElement);
    if (event.key === "Enter" && at < 0 && options.length) options[0].click();
    else if (event.key === "ArrowDown") options[at + 1]?.focus();
    else if (event.key === "ArrowUp") (options[at - 1] ?? (this.plain ? options[0] : this.search)).focus();
    else return;
    event.preventDefault();
  }
}

customElements.define("uri-chooser", Chooser);
