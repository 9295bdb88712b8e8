// The derivation as an icicle: each node as wide as the text that it derives, its children below.
// Owns which nodes are open, and the keys. Imports the building of elements. Invariant: a cell is
// exactly under its characters; an error is always shown; a cell that stays keeps its element.

import { shown } from "./characters.js";
import { after, el } from "./dom.js";

const ROW = 28;
const LEAST_ROWS = 6; // room that is always there, so that what is below holds still
const STEP_ROWS = 11; // the same while stepping, where readings have rows of their own
const RUN = 8; // children of one character each, alike: more are one cell until it is opened
const WIDEST = 120; // cells below a node: one with more begins closed

class Tree extends HTMLElement {
  #nodes = [];
  #children = [];
  #items = []; // what is drawn, in the order of a walk through the tree
  #cells = new Map(); // by key: {cell, item, and what it was last given}
  #turned = new Map(); // what was opened or closed by hand, by key

  connectedCallback() {
    if (this.box || !this.bench) return;
    this.box = el("div", {
      role: "tree", "aria-label": "Derivation tree", "aria-orientation": "horizontal", class: "nodes",
      onkeydown: (event) => this.#key(event),
      onclick: (event) => this.#click(event),
      onpointerover: (event) => this.#over(event),
      onpointerleave: () => this.bench.point(null),
      onfocusin: (event) => this.#over(event),
    });
    this.words = el("p", { class: "muted pad" });
    this.append(this.box, this.words);
    const { bench } = this;
    // Of an earlier text until the engine has answered; seen to be only where that takes long.
    this.fade = after(400, () => this.classList.add("late"));
    bench.on("text", () => (this.classList.add("stale"), this.fade()));
    bench.on("tree", () => this.#read());
    bench.on("point", () => this.#pointed());
    bench.on("select", () => this.#selected());
    bench.on("step steps", () => this.#draw());
    this.field.addEventListener("placed", () => this.#place());
    this.#read();
  }

  #read() {
    const { tree } = this.bench;
    this.fade.cancel();
    this.classList.remove("stale", "late");
    this.#nodes = tree?.derivation.nodes ?? [];
    this.#children = this.#nodes.map(() => []);
    this.#nodes.forEach((node, number) => node.parent >= 0 && this.#children[node.parent].push(number));
    this.words.textContent = tree?.error ?? "";
    this.words.hidden = !tree?.error;
    this.#draw();
  }

  #draw() {
    const { step, steps } = this.bench;
    const now = step === null ? null : steps?.steps?.find((one) => one.offset === step);
    this.#items = !this.#nodes.length ? [] : now ? this.#living(now) : this.#grown();
    this.box.hidden = !this.#items.length;
    this.#renew();
    this.#place();
    this.#selected();
    this.#pointed();
  }

  // What is open of the tree: each item a node, or a run of alike ones.
  #grown() {
    const items = [];
    const waiting = [{ numbers: [0], parent: null, at: 1, of: 1 }];
    while (waiting.length) {
      const { numbers, parent, at, of } = waiting.pop();
      const node = this.#nodes[numbers[0]];
      const run = numbers.length > 1;
      const item = {
        ...node, number: numbers[0], parent, at, of, run: run ? numbers : null, row: parent ? parent.row + 1 : 0,
        end: this.#nodes[numbers.at(-1)].end, key: `${node.depth}:${node.name}:${node.start}:${run ? "run" : node.kind}`,
      };
      const inner = run ? numbers.map((one) => [one]) : this.#grouped(this.#children[numbers[0]]);
      item.parts = inner.length;
      item.open = inner.length > 0 && (this.#turned.get(item.key) ?? (!run && this.#opens(inner)));
      items.push(item);
      const below = item.open ? inner : inner.filter((group) => group.some((one) => !this.#nodes[one].whole));
      for (let number = below.length - 1; number >= 0; number--) waiting.push({ numbers: below[number], parent: item, at: number + 1, of: below.length });
    }
    return items;
  }

  // Open at first: what has a rule inside that is longer than one character.
  #opens(inner) {
    return inner.length <= WIDEST && inner.some(([one]) => this.#nodes[one].kind === "rule" && this.#nodes[one].end - this.#nodes[one].start > 1);
  }

  // Children, of which those that follow one another and are of one character each are together.
  #grouped(children) {
    const groups = [];
    for (const child of children) {
      const { name, kind, start, end } = this.#nodes[child];
      const last = groups.at(-1);
      const alike = last && this.#nodes[last[0]].name === name && last.single && end - start === 1 && kind === "rule";
      if (alike) last.push(child);
      else groups.push(Object.assign([child], { single: end - start === 1 && kind === "rule" }));
    }
    return groups.flatMap((group) => (group.length > RUN ? [group] : group.map((one) => [one])));
  }

  // Before a character: each reading that is still possible in rows of its own, and what it has read.
  #living({ offset, alternatives }) {
    const known = new Map();
    const tops = [];
    for (const { path, begun, fate } of alternatives) {
      let key = "";
      let inner = tops;
      let parent = null;
      path.forEach((name, depth) => {
        key = `${key}/${name}:${begun[depth]}`;
        if (begun[depth] >= offset && depth) return;
        let item = known.get(key);
        if (!item) {
          item = { key, name, kind: "rule", start: begun[depth], end: offset, depth, parent, inner: [], number: this.#find(name, begun[depth], depth), fate, whole: true, parts: 0 };
          known.set(key, item);
          inner.push(item);
        }
        if (fate === "taken") item.fate = fate;
        [inner, parent] = [item.inner, item];
      });
    }
    const items = [];
    const waiting = [...tops].reverse();
    let row = 0;
    while (waiting.length) {
      const item = waiting.pop();
      Object.assign(item, { row: row++, at: 1, of: 1, live: true, open: item.inner.length > 0 });
      items.push(item);
      waiting.push(...item.inner.reverse());
      if (item.number === null || (!item.inner.length && waiting.length)) continue; // no room below it
      for (const group of this.#grouped(this.#children[item.number])) {
        const node = this.#nodes[group[0]];
        const { end } = this.#nodes[group.at(-1)];
        if (end > offset || (item.inner.length && end > Math.min(...item.inner.map((one) => one.start)))) continue;
        items.push({ ...node, end, key: `${item.key}|${node.name}:${node.start}`, number: group[0], parent: item, parts: 0, row, at: 1, of: 1, run: group.length > 1 ? group : null });
      }
    }
    return items;
  }

  #find(name, start, depth) {
    const found = this.#nodes.findIndex((node) => node.name === name && node.start === start && node.depth === depth);
    return found < 0 ? null : found;
  }

  // The cells of the items: one that was there stays the same element.
  #renew() {
    const old = this.#cells;
    const cells = new Map();
    let next = this.box.firstChild;
    for (const item of this.#items) {
      while (cells.has(item.key)) item.key += "'";
      const one = old.get(item.key) ?? { cell: el("div", { role: "treeitem", tabindex: -1 }, el("span", {})), given: {} };
      old.delete(item.key);
      cells.set(item.key, one);
      one.item = item;
      if (one.cell === next) next = next.nextSibling;
      else this.box.insertBefore(one.cell, next);
      this.#describe(one);
    }
    const lost = [...old.values()].some(({ cell }) => cell === document.activeElement);
    for (const { cell } of old.values()) cell.remove();
    this.#cells = cells;
    const first = this.#items[0] && cells.get(this.#items[0].key).cell;
    if (first && !this.box.querySelector('[tabindex="0"]')) first.tabIndex = 0;
    if (lost) first?.focus({ preventScroll: true });
  }

  #describe(one) {
    const { item } = one;
    const component = this.bench.component(item.name);
    const text = shown(this.bench.points.slice(item.start, item.end).join(""), 30);
    const what = text ? `“${text}”` : "empty";
    const state = item.kind === "error" ? `${what}, not allowed in ${item.name}` : item.kind === "missing" ? `${item.name}, missing` : null;
    const torn = !item.whole && !state;
    const words = item.live ? (item.fate === "failed" ? ", cannot go on" : ", can still be read") : torn ? ", with an error" : "";
    this.#give(one, {
      class: `node ${item.kind}${component && !state ? ` k-${component}` : ""}${torn ? " torn" : ""}${item.live ? ` live ${item.fate}` : ""}`,
      "aria-level": item.row + 1, "aria-posinset": item.at, "aria-setsize": item.of,
      "aria-expanded": item.parts ? String(item.open) : null,
      "aria-label": state ?? `${item.run ? `${item.run.length} × ` : ""}${item.name}, ${what}${words}`,
      "data-node": item.number,
    });
  }

  // Only what is new is told to the element: each change makes the browser work.
  #give({ cell, given }, attributes) {
    for (const [key, value] of Object.entries(attributes)) {
      if (given[key] === value) continue;
      given[key] = value;
      if (value === null) cell.removeAttribute(key);
      else cell.setAttribute(key, value);
    }
  }

  #place() {
    if (!this.box || this.field.mode === "large") return;
    const length = this.bench.points.length;
    let rows = this.bench.step === null ? LEAST_ROWS : STEP_ROWS;
    const edges = []; // of each row, where the cell on the right begins
    const items = this.#items.toSorted((a, b) => b.start - a.start || b.end - a.end);
    for (const item of items) {
      const one = this.#cells.get(item.key);
      const left = this.field.x(Math.min(item.start, length)) - (item.kind === "missing" ? 7 : 0);
      const width = item.kind === "missing" ? 0 : this.field.x(Math.min(item.end, length)) - left;
      const room = (edges[item.row] ?? Infinity) - left;
      edges[item.row] = left;
      rows = Math.max(rows, item.row + 1);
      const [label, words] = this.#label(item, width, room);
      const style = `left:${left}px;width:${Math.max(width - 2, 6)}px;top:${item.row * ROW}px`;
      if (one.given.style !== style) one.cell.style.cssText = one.given.style = style;
      this.#give(one, { "data-label": label, "data-empty": width < 1 ? "" : null });
      if (one.given.words !== words) one.cell.firstChild.textContent = one.given.words = words;
    }
    if (this.rows !== rows) this.box.style.height = `${(this.rows = rows) * ROW}px`;
  }

  // How a name is written where it has this much room: never cut. A literal has its quotes if they fit.
  #label({ name, kind, run, parts, open }, width, room) {
    const { em, rem } = this.field;
    const large = (words) => words.length * em * 0.8125 * rem + 0.7 * rem + 5;
    const small = (words) => words.length * em * 0.6875 * rem + 5;
    const literal = kind === "terminal" && /^".+"$/.test(name) ? name.slice(1, -1) : name;
    const full = run ? `${name} × ${run.length}` : kind === "missing" ? `${name} missing` : kind === "error" ? `✗ ${name}` : name;
    if (parts && !open && large(`${full} +`) <= width) return ["whole", `${full} +`];
    if (large(full) <= width) return ["whole", full];
    if (kind === "error" && small("✗") <= width) return ["thin", "✗"];
    if (small(name) <= width) return ["thin", name];
    if (small(literal) <= width) return ["thin", literal];
    if (width + large(full) <= room) return ["beside", full];
    return ["bare", full];
  }

  #turn(item, open) {
    if (!item.parts || item.live || item.open === open) return false;
    this.#turned.set(item.key, open);
    this.#draw();
    this.#focus(this.#items.find((one) => one.key === item.key));
    return true;
  }

  #focus(item) {
    const cell = item && this.#cells.get(item.key)?.cell;
    if (!cell) return;
    for (const other of this.box.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #item(event) {
    const cell = event.target.closest?.("[role=treeitem]");
    return (cell && this.#items.find((item) => this.#cells.get(item.key).cell === cell)) ?? null;
  }

  #over(event) {
    const item = this.#item(event);
    if (item) this.bench.point({ start: item.start, end: item.end, node: item.number ?? undefined, source: "tree" });
  }

  #click(event) {
    const item = this.#item(event);
    if (!item) return;
    this.#focus(item);
    this.#choose(item);
    this.#turn(item, !item.open);
  }

  #choose({ name, number }) {
    let at = number;
    while (at !== null && this.#nodes[at].kind !== "rule") at = this.#nodes[at].parent;
    this.bench.select(at === null ? name : this.#nodes[at].name, at);
  }

  // As the tree lies: down to the children, up to the parent, left and right along the text.
  #key(event) {
    const item = this.#item(event);
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = this.#items.filter((one) => one.row === item.row).sort((a, b) => a.start - b.start);
    const along = (by) => row[row.indexOf(item) + by] ?? item;
    const below = () => this.#items.find((one) => one.parent === item);
    let to = null;
    if (event.key === "ArrowDown") to = below() ?? (this.#turn(item, true) ? null : item);
    else if (event.key === "ArrowUp") to = item.parent ?? item;
    else if (event.key === "ArrowRight") to = along(1);
    else if (event.key === "ArrowLeft") to = along(-1);
    else if (event.key === "Home") to = row[0];
    else if (event.key === "End") to = row.at(-1);
    else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(item);
      this.#turn(item, !item.open);
      return;
    } else return;
    event.preventDefault();
    this.#focus(to);
  }

  #pointed() {
    const { pointed } = this.bench;
    for (const { cell, item } of this.#cells.values()) {
      const on = pointed && (pointed.node === undefined ? item.start <= pointed.start && pointed.end <= item.end : item.number === pointed.node);
      cell.classList.toggle("on", Boolean(on));
    }
  }

  #selected() {
    for (const one of this.#cells.values()) this.#give(one, { "aria-selected": String(one.item.number !== null && one.item.number === this.bench.selected) });
  }
}

customElements.define("uri-tree", Tree);
