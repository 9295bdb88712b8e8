// The derivation as an icicle: each node as wide as the text that it derives, its children below.
// Owns which nodes are open, and the keys. Imports the building of elements. Invariant: a cell is
// exactly under its characters; children are made when their node is opened.

import { shown } from "./characters.js";
import { after, el, show } from "./dom.js";

const ROW = 28;
const LEAST_ROWS = 6; // room that is always there, so that what is below holds still

class Tree extends HTMLElement {
  #nodes = [];
  #children = [];
  #cells = new Map();
  #turned = new Map(); // what was opened or closed by hand, by place in the tree

  connectedCallback() {
    if (this.bench) this.#build();
  }

  #build() {
    if (this.box) return;
    this.box = el("div", {
      role: "tree", "aria-label": "Derivation tree", "aria-orientation": "horizontal", class: "nodes",
      onkeydown: (event) => this.#key(event),
      onclick: (event) => this.#click(event),
      onpointerover: (event) => this.#over(event),
      onpointerleave: () => this.bench.point(null),
      onfocusin: (event) => this.#over(event),
    });
    this.words = el("p", { class: "muted pad" });
    this.rest = el("div", { class: "rest", "aria-hidden": "true", title: "The tree ends here: nothing that the rule accepts goes on like this" });
    this.append(this.rest, this.box, this.words);
    const { bench } = this;
    // Of an earlier text until the engine has answered; seen to be only where that takes long.
    this.fade = after(400, () => this.classList.add("late"));
    bench.on("text", () => (this.classList.add("stale"), this.fade()));
    bench.on("tree", () => this.#read());
    bench.on("point", () => this.#pointed());
    bench.on("select", () => this.#selected());
    bench.on("step", () => this.#stepped());
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
    const focused = this.box.contains(document.activeElement);
    this.#cells.clear();
    show(this.box);
    this.box.hidden = !this.#nodes.length;
    this.words.textContent = this.#nodes.length ? "" : tree ? "Nothing of this text can begin what the rule accepts: there is no tree." : "";
    this.words.hidden = !this.words.textContent;
    if (this.#nodes.length) this.#grow(0, 1, 1);
    const first = this.#cells.get(0);
    if (first) first.tabIndex = 0;
    this.#place();
    this.#selected();
    this.#stepped();
    if (focused) first?.focus({ preventScroll: true }); // the cell that had the focus is gone
  }

  #name(number) {
    const node = this.#nodes[number];
    return `${node.depth}:${node.name}:${node.start}`;
  }

  // Open at first: what has a rule inside that is longer than one character.
  #isOpen(number) {
    const turned = this.#turned.get(this.#name(number));
    if (turned !== undefined) return turned;
    return this.#children[number].some((child) => {
      const { kind, start, end } = this.#nodes[child];
      return kind === "rule" && end - start > 1;
    });
  }

  #grow(number, position, size) {
    const node = this.#nodes[number];
    const parent = this.#children[number].length > 0;
    const open = parent && this.#isOpen(number);
    const text = shown(this.bench.points.slice(node.start, node.end).join(""), 30);
    const component = this.bench.component(node.name);
    const cell = el(
      "div",
      {
        role: "treeitem", class: `node ${node.kind}${component ? ` k-${component}` : ""}${node.whole ? "" : " torn"}`,
        "aria-level": node.depth + 1, "aria-posinset": position, "aria-setsize": size,
        "aria-expanded": parent ? String(open) : null, "aria-selected": "false",
        "aria-label": `${node.name}, ${text ? `“${text}”` : "empty"}${node.whole ? "" : ", not complete"}`,
        tabindex: -1, "data-node": number,
      },
      el("span", {}, node.name),
    );
    this.#cells.set(number, cell);
    this.box.append(cell);
    if (open) {
      const children = this.#children[number];
      children.forEach((child, at) => this.#grow(child, at + 1, children.length));
    }
  }

  #place() {
    if (!this.box || this.field.mode === "large") return;
    const length = this.bench.points.length;
    let depth = LEAST_ROWS - 1;
    const places = [];
    for (const [number, cell] of this.#cells) {
      const node = this.#nodes[number];
      depth = Math.max(depth, node.depth);
      const left = this.field.x(Math.min(node.start, length));
      places.push({ number, cell, node, left, width: this.field.x(Math.min(node.end, length)) - left });
    }
    const { viable } = this.bench.tree?.derivation ?? { viable: length };
    const [broken, end] = [this.field.x(viable), this.field.x(length)];
    const edges = []; // of each row, where the cell on the right begins: cells are in the text's order
    for (const place of places.reverse()) {
      place.room = (edges[place.node.depth] ?? (place.node.depth ? Infinity : end)) - place.left;
      edges[place.node.depth] = place.left;
    }
    for (const { number, cell, node, left, width, room } of places) {
      cell.style.left = `${left}px`;
      cell.style.width = `${Math.max(width - 2, 6)}px`;
      cell.style.top = `${node.depth * ROW}px`;
      cell.classList.toggle("empty", width < 1);
      const [label, words] = this.#label(node, this.#children[number].length > 0 && cell.ariaExpanded === "false", width, room);
      cell.dataset.label = label;
      if (cell.textContent !== words) cell.firstChild.textContent = words;
    }
    this.rest.hidden = viable >= length;
    if (!this.rest.hidden) {
      this.rest.style.left = `${broken}px`;
      this.rest.style.width = `${end - broken}px`;
    }
    this.box.style.height = `${(depth + 1) * ROW}px`;
  }

  // How a name is written where it has this much room: never cut. A literal has its quotes if they fit.
  #label({ name, kind }, closed, width, room) {
    const { em, rem } = this.field;
    const large = (words) => words.length * em * 0.8125 * rem + 0.7 * rem + 5;
    const small = (words) => words.length * em * 0.6875 * rem + 5;
    const literal = kind === "terminal" && /^".+"$/.test(name) ? name.slice(1, -1) : name;
    if (closed && large(`${name} +`) <= width) return ["whole", `${name} +`];
    if (large(name) <= width) return ["whole", name];
    if (small(name) <= width) return ["thin", name];
    if (small(literal) <= width) return ["thin", literal];
    if (width + large(name) <= room) return ["beside", name];
    return ["bare", name];
  }

  #redraw(number) {
    this.#cells.clear();
    show(this.box);
    this.#grow(0, 1, 1);
    this.#place();
    this.#selected();
    this.#stepped();
    this.#focus(number);
  }

  #turn(number, open) {
    if (!this.#children[number].length || this.#isOpen(number) === open) return false;
    this.#turned.set(this.#name(number), open);
    this.#redraw(number);
    return true;
  }

  #focus(number) {
    const cell = this.#cells.get(number);
    if (!cell) return;
    for (const other of this.box.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #number(event) {
    const cell = event.target.closest?.("[data-node]");
    return cell ? Number(cell.dataset.node) : null;
  }

  #over(event) {
    const number = this.#number(event);
    if (number === null) return;
    const { start, end } = this.#nodes[number];
    this.bench.point({ start, end, node: number, source: "tree" });
  }

  #click(event) {
    const number = this.#number(event);
    if (number === null) return;
    this.#choose(number);
    if (!this.#turn(number, !this.#isOpen(number))) this.#focus(number);
  }

  #choose(number) {
    let at = number;
    while (this.#nodes[at].kind !== "rule") at = this.#nodes[at].parent;
    this.bench.select(this.#nodes[at].name, at);
  }

  // As the tree lies: down to the children, up to the parent, left and right along the text.
  #key(event) {
    const number = this.#number(event);
    if (number === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const order = [...this.#cells.keys()];
    const row = order.filter((one) => this.#nodes[one].depth === this.#nodes[number].depth);
    const along = (by) => row[row.indexOf(number) + by] ?? number;
    let to = null;
    if (event.key === "ArrowDown") to = this.#isOpen(number) ? this.#children[number][0] : this.#turn(number, true) ? number : null;
    else if (event.key === "ArrowUp") to = Math.max(0, this.#nodes[number].parent);
    else if (event.key === "ArrowRight") to = along(1);
    else if (event.key === "ArrowLeft") to = along(-1);
    else if (event.key === "Home") to = row[0];
    else if (event.key === "End") to = row.at(-1);
    else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(number);
      this.#turn(number, !this.#isOpen(number));
      return;
    } else return;
    event.preventDefault();
    if (to !== null) this.#focus(to);
  }

  #pointed() {
    const { pointed } = this.bench;
    for (const [number, cell] of this.#cells) {
      const { start, end } = this.#nodes[number];
      const on = pointed && (pointed.node === undefined ? start <= pointed.start && pointed.end <= end : number === pointed.node);
      cell.classList.toggle("on", Boolean(on));
    }
  }

  #selected() {
    for (const [number, cell] of this.#cells) cell.setAttribute("aria-selected", String(number === this.bench.selected));
  }

  // While stepping, what is not read yet is hidden, but has its place.
  #stepped() {
    const { step } = this.bench;
    for (const [number, cell] of this.#cells) {
      const { start, end } = this.#nodes[number];
      cell.classList.toggle("future", step !== null && start >= step && number > 0);
      cell.classList.toggle("begun", step !== null && start < step && step < end);
    }
  }
}

customElements.define("uri-tree", Tree);
