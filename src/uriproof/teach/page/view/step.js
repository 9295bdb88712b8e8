// Stepping the recogniser through the text: which alternatives are alive, and where each one fails.
// Owns the slider and its clock. Imports the building of elements. Invariant: while stepping, what
// is above and below does not move.

import { named, shown } from "./characters.js";
import { el, show } from "./dom.js";

const BEAT = 700; // milliseconds between two steps while playing

class Step extends HTMLElement {
  connectedCallback() {
    if (this.slider) return;
    const { bench } = this;
    this.slider = el("input", { type: "range", min: 0, max: 0, value: 0, id: "step", class: "grow", oninput: () => this.#go(Number(this.slider.value)) });
    const button = (words, label, f) => el("button", { type: "button", "aria-label": label, title: label, onclick: f }, words);
    this.player = button("▶", "Play", () => this.#play());
    this.where = el("output", { for: "step", class: "mono" });
    this.list = el("div", { class: "alternatives", tabindex: 0, role: "region", "aria-label": "Alternatives" });
    this.stop = el("button", { type: "button", class: "small", onclick: () => this.#go(null) }, "Show all");
    this.append(
      el("label", { for: "step" }, "Characters read"),
      el("div", { class: "row stepper" }, button("⇤", "To the beginning", () => this.#go(0)), button("←", "One step back", () => this.#go(this.#at() - 1)), this.player, button("→", "One step on", () => this.#go(this.#at() + 1)), button("⇥", "To the end", () => this.#go(this.#length())), this.slider, this.stop),
      this.where, this.list,
    );
    bench.on("text steps step tab", () => this.#draw());
    bench.on("text", () => this.#halt());
    this.#draw();
  }

  disconnectedCallback() {
    this.#halt();
  }

  #length() {
    return this.bench.points.length;
  }

  #at() {
    return this.bench.step ?? this.#length();
  }

  #go(step) {
    const { bench } = this;
    if (step === null) this.#halt();
    bench.set("step", step === null ? null : Math.min(Math.max(step, 0), this.#length()));
  }

  #halt() {
    clearInterval(this.clock);
    this.clock = null;
    this.player.textContent = "▶";
    this.player.setAttribute("aria-label", "Play");
  }

  #play() {
    if (this.clock) return this.#halt();
    if (this.#at() >= this.#length()) this.#go(0);
    this.player.textContent = "❚❚";
    this.player.setAttribute("aria-label", "Pause");
    this.clock = setInterval(() => {
      if (this.#at() >= this.#length()) this.#halt();
      else this.#go(this.#at() + 1);
    }, BEAT);
  }

  #draw() {
    const { bench } = this;
    if (bench.tab !== "step") return this.clock && this.#halt();
    bench.askSteps();
    const at = this.#at();
    this.slider.max = this.#length();
    this.slider.value = at;
    this.stop.disabled = bench.step === null;
    const { steps } = bench;
    const read = el("code", {}, shown(bench.points.slice(0, at).join(""), 30) || "nothing");
    const character = bench.points[at];
    this.slider.setAttribute("aria-valuetext", `${at} of ${this.#length()}`);
    show(this.where, `${at} of ${this.#length()}: `, read, character === undefined ? " · the end" : [" · now ", el("b", {}, named(character))]);
    if (!steps) return void show(this.list, el("p", { class: "muted" }, "The steps are made by the engine…"));
    if (steps.error) return void show(this.list, el("p", { class: "trouble" }, steps.error.message));
    const step = steps.steps.find((one) => one.offset === at);
    if (!step) return void show(this.list, el("p", { class: "muted" }, at > steps.viable ? `Nothing is alive here: every alternative failed at ${steps.viable}.` : "This step was not worked out: the text is too long."));
    const order = { taken: 0, open: 1, failed: 2 };
    const rows = [...step.alternatives].sort((a, b) => order[a.fate] - order[b.fate]);
    const sign = { taken: "✓ taken", failed: "✗ fails", open: "○ open" };
    show(
      this.list,
      el("p", { class: "small" }, step.accepted ? "What was read so far is valid. " : "What was read so far is not complete. ", character === undefined ? `The text ends: ${steps.ok ? "valid" : "not valid"}.` : `${rows.filter((one) => one.fate === "failed").length} of ${rows.length} alternatives fail here.`),
      el("ul", {}, rows.map((one) => el("li", { class: `fate ${one.fate}` }, el("span", { class: "sign" }, sign[one.fate]), el("code", {}, one.word), el("span", { class: "muted mono small" }, one.path.join(" › "))))),
    );
  }
}

customElements.define("uri-step", Step);
