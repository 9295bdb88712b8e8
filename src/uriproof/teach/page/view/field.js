// The text: a real text field over its own coloured reflection, one scrolling container for both.
// Owns where each character is on the screen. Imports the bench and the building of elements.
// Invariant: the reflection has the same characters at the same places as the field; where that
// cannot be (control characters, bidirectional text), the reading is shown apart, below the field.

import { LARGE } from "./bench.js";
import { offset, points, unit, unshown, visible } from "./characters.js";
import { after, el, show } from "./dom.js";

const LONGEST_RUN = 128; // characters that look the same, in one element
const BLOCK = 40; // elements that the browser lays out together: a key changes one block
const FAR = 240; // pixels from where a long component begins to its name, which is to be seen

class Field extends HTMLElement {
  drawn = [];
  widths = new Map(); // of the components' names, in pixels

  connectedCallback() {
    if (this.area) return;
    const { bench } = this;
    this.area = el("textarea", {
      rows: 1, wrap: "off", id: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      autocorrect: "off", "aria-describedby": "verdict", dir: "ltr",
      oninput: () => bench.write(this.area.value),
      onkeydown: (event) => this.#key(event),
      onkeyup: () => this.#caret(),
      onclick: () => this.#caret(),
      onpointermove: (event) => this.#hover(event),
      onpointerleave: () => bench.point(null),
    });
    this.mirror = el("div", { class: "mirror", "aria-hidden": "true" });
    this.mark = el("div", { class: "mark", "aria-hidden": "true", hidden: true });
    this.cursor = el("div", { class: "cursor", "aria-hidden": "true", hidden: true });
    this.strip = el("div", { class: "strip", "aria-hidden": "true" });
    this.apart = el("p", { class: "apart muted", hidden: true });
    this.line = el("div", { class: "line" }, this.mark, this.cursor, this.mirror, this.area);
    this.append(el("label", { class: "sr", for: "text" }, "Text to check"), this.line, this.apart, this.strip);
    this.mirror.addEventListener("pointermove", (event) => this.#hover(event));
    this.mirror.addEventListener("pointerleave", () => bench.point(null));
    bench.on("text walked", () => this.#draw());
    bench.on("point", () => this.#pointed());
    bench.on("step", () => this.#stepped());
    document.fonts?.ready.then(() => this.#resized());
    addEventListener("resize", after(100, () => this.#resized()));
    this.#draw();
  }

  #resized() {
    this.wide = 0;
    this.widths.clear();
    this.#draw();
  }

  #key(event) {
    const { bench } = this;
    if (event.key === "Enter") event.preventDefault();
    const undo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (undo && bench.undoable && bench.put === bench.text) {
      event.preventDefault();
      bench.undo();
      bench.put = bench.undoable ? bench.text : null;
    }
  }

  #caret() {
    if (this.area.selectionStart !== this.area.selectionEnd) return;
    const at = offset(this.area.value, this.area.selectionStart);
    if (at < this.bench.points.length) this.bench.point({ start: at, end: at + 1, source: "text" });
    else this.bench.point(null);
  }

  #hover(event) {
    if (this.mode === "large") return;
    const at = this.at(event.clientX - this.line.getBoundingClientRect().left);
    this.bench.point(at === null ? null : { start: at, end: at + 1, source: "text" });
  }

  #draw() {
    const { bench, area } = this;
    const { text } = bench;
    if (area.value !== text) area.value = text;
    const length = bench.points?.length ?? 0;
    this.mode = length > LARGE ? "large" : unshown(text) ? "apart" : "over";
    this.dataset.mode = this.mode;
    area.rows = this.mode === "large" ? 6 : 1;
    area.wrap = this.mode === "large" ? "soft" : "off";
    const apart = {
      large: `${length.toLocaleString("en")} characters: too many to color in place. Each violation is shown below with what stands around it.`,
      apart: "Some of these characters cannot be seen, or change the order of others. The line above shows each by its number.",
    }[this.mode];
    this.apart.hidden = !apart;
    this.apart.textContent = apart ?? "";
    this.#reflect();
    this.#measure();
    this.#size();
    this.#strip();
    this.#pointed();
    this.#stepped();
    this.dispatchEvent(new Event("placed"));
  }

  // Few elements: one for each run of characters that look the same.
  #reflect() {
    const { bench } = this;
    this.runs = [];
    this.missing = [];
    if (this.mode === "large") return this.#renew();
    const all = bench.points;
    const walked = bench.walked;
    const blamed = new Uint8Array(all.length + 1);
    for (const one of walked?.blamed ?? []) {
      for (let at = one.start; at < one.end; at++) blamed[at] = 1;
    }
    let last = null;
    let run = null;
    for (let at = 0; at < all.length; at++) {
      const one = walked?.characters[at];
      const chip = this.mode === "apart" && unshown(all[at]);
      const look = blamed[at]
        ? all[at] === " " ? "blamed blank" : "blamed"
        : one?.component || one?.word
          ? `c c-${one.component ?? "none"}${one.word?.startsWith('"') ? " literal" : ""}`
          : "c-none";
      if (chip || last !== look || at - run.start >= LONGEST_RUN) {
        run = { start: at, text: "", chip };
        this.runs.push(run);
        run.look = look;
        last = chip ? null : look;
      }
      run.text += chip ? visible(all[at]) : all[at];
    }
    this.#renew();
    // A violation of no characters: something is missing here.
    this.missing = (walked?.blamed ?? []).filter((one) => one.start === one.end);
  }

  // Only the runs that changed are made anew: the same ones before and after them stay. They are in
  // blocks, of which the browser draws those that can be seen.
  #renew() {
    const [old, runs] = [this.drawn, this.runs];
    const same = (one, other) => one.text === other.text && one.look === other.look && one.chip === other.chip;
    const least = Math.min(old.length, runs.length);
    let head = 0;
    while (head < least && same(old[head], runs[head])) head++;
    let tail = 0;
    while (tail < least - head && same(old[old.length - 1 - tail], runs[runs.length - 1 - tail])) tail++;
    for (let at = 0; at < head; at++) this.#keep(runs[at], old[at]);
    for (let at = 1; at <= tail; at++) this.#keep(runs[runs.length - at], old[old.length - at]);
    for (const { span } of old.slice(head, old.length - tail)) {
      if (span.parentElement.childElementCount === 1) span.parentElement.remove();
      else span.remove();
    }
    const made = runs.slice(head, runs.length - tail).map((one) => {
      one.node = document.createTextNode(one.text);
      one.span = el("span", { class: one.chip ? `${one.look} chip` : one.look }, one.node);
      return one.span;
    });
    const before = head ? old[head - 1].span : null;
    const room = before && before.parentElement.childElementCount + made.length <= 2 * BLOCK;
    if (room) before.after(...made);
    else if (made.length) {
      // What follows in a block that is full goes into a block of its own, so that order stays.
      const rest = before ? [...before.parentElement.childNodes].slice([...before.parentElement.childNodes].indexOf(before) + 1) : [];
      const all = [...made, ...rest];
      const blocks = [];
      for (let at = 0; at < all.length; at += BLOCK) blocks.push(el("span", { class: "block" }, all.slice(at, at + BLOCK)));
      if (before) before.parentElement.after(...blocks);
      else this.mirror.prepend(...blocks);
    }
    this.drawn = runs;
  }

  #keep(run, old) {
    run.node = old.node;
    run.span = old.span;
  }

  #measure() {
    this.plain = this.mode === "over" && /^[\x20-\x7e]*$/.test(this.bench.text);
    this.zero = null;
    this.mirror.classList.toggle("plain", this.plain);
    if (this.wide) return;
    const probe = el("span", { class: "probe" }, "0".repeat(100));
    this.mirror.append(probe);
    this.wide = probe.getBoundingClientRect().width / 100;
    this.em = this.wide / parseFloat(getComputedStyle(probe).fontSize); // a character's width, of its font's size
    this.rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.left = 1.1 * this.rem;
    probe.remove();
  }

  // How wide each block is where it is not drawn, told if that is new.
  #size() {
    if (!this.plain) return;
    for (const block of this.mirror.children) {
      const wide = `${block.textContent.length * this.wide}px 1px`;
      if (block.wide !== wide) block.style.containIntrinsicSize = block.wide = wide;
    }
  }

  // The left edge of a character, in pixels from the line's. Each is read once of the layout.
  x(at) {
    if (this.plain || !this.runs.length) return this.left + at * this.wide;
    if (this.zero === null) {
      this.zero = this.line.getBoundingClientRect().left;
      this.edges = [];
      for (const run of this.runs) run.rect = null;
    }
    return (this.edges[at] ??= this.#edge(at));
  }

  #edge(at) {
    let [low, high] = [0, this.runs.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.runs[middle].start <= at) low = middle;
      else high = middle - 1;
    }
    const run = this.runs[low];
    run.rect ??= run.span.getBoundingClientRect();
    const inside = at - run.start;
    if (inside === 0) return run.rect.left - this.zero;
    if (low === this.runs.length - 1 && at >= this.bench.points.length) return run.rect.right - this.zero;
    const range = document.createRange();
    range.setStart(run.node, 0);
    range.setEnd(run.node, run.chip ? run.text.length : unit(points(run.text), inside));
    return range.getBoundingClientRect().right - this.zero;
  }

  // The character at a place, or null.
  at(x) {
    const length = this.bench.points.length;
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.x(middle + 1) <= x) low = middle + 1;
      else high = middle;
    }
    return low < length && x >= this.left ? low : null;
  }

  // The names of the components, right under the text: told apart without colours. A name that is
  // wider than its component is beside the names before it, or under them, never cut.
  #strip() {
    const { walked } = this.bench;
    if (this.mode === "large" || !walked) return this.#stripped("");
    const parts = walked.components.filter((one) => one.end > one.start).map((one) => ({ ...one, left: this.x(one.start), right: this.x(one.end) }));
    const missing = this.missing.map((one) => this.x(one.start));
    if (!this.#stripped(JSON.stringify([parts.map((one) => [one.name, one.left, one.right]), missing]))) return;
    const taken = [0, 0]; // how far right each of the two lines is full
    const cells = parts.map((one) => {
      const wide = this.#wide(one.name);
      const wanted = Math.max(4, Math.min((one.left + one.right - wide) / 2, one.left + FAR));
      const line = taken[0] <= wanted || taken[0] + wide / 2 <= one.right ? 0 : 1;
      const left = Math.max(wanted, taken[line]);
      taken[line] = left + wide + 7;
      const name = el("span", { class: line ? "name under" : "name" }, one.name);
      const cell = el("span", { class: `component c-${one.name}` }, name);
      cell.style.left = `${one.left}px`;
      cell.style.width = `${one.right - one.left}px`;
      name.style.left = `${left - one.left}px`;
      return cell;
    });
    const gaps = missing.map((left) => {
      const gap = el("span", { class: "gap" }, "⌃");
      gap.style.left = `${left}px`;
      return gap;
    });
    show(this.strip, cells, gaps);
  }

  // Whether there is something else to show.
  #stripped(now) {
    if (this.stripped === now) return false;
    this.stripped = now;
    if (!now) show(this.strip);
    return Boolean(now);
  }

  #wide(name) {
    if (!this.widths.has(name)) {
      const probe = el("span", { class: "probe" }, name);
      this.strip.append(probe);
      this.widths.set(name, probe.getBoundingClientRect().width);
      probe.remove();
    }
    return this.widths.get(name);
  }

  #pointed() {
    const { pointed } = this.bench;
    this.mark.hidden = !pointed || this.mode === "large";
    if (this.mark.hidden) return;
    const left = this.x(pointed.start);
    this.mark.style.left = `${left}px`;
    this.mark.style.width = `${Math.max(2, this.x(pointed.end) - left)}px`;
  }

  #stepped() {
    const { step } = this.bench;
    this.cursor.hidden = step === null || this.mode === "large";
    if (!this.cursor.hidden) this.cursor.style.left = `${this.x(step)}px`;
  }

  // Select characters and show them: what a violation points to.
  reveal(start, end) {
    const all = this.bench.points;
    this.area.focus();
    this.area.setSelectionRange(unit(all, start), unit(all, Math.max(end, start)));
    const scroller = this.closest(".score");
    if (this.mode !== "large" && scroller) {
      const x = this.x(start);
      if (x < scroller.scrollLeft || x > scroller.scrollLeft + scroller.clientWidth - 40) scroller.scrollLeft = x - 80;
    }
  }
}

customElements.define("uri-field", Field);
