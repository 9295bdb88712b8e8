// What a production is: one line for what is pointed at, and a card with the diagram.
// Owns the path that is lit in the diagram. Imports the engine and the building of elements.
// Invariant: what is lit is what the engine says the node's text takes.

import { named, shown } from "./characters.js";
import { legend, lighten, way } from "./diagram.js";
import { draw, el, show } from "./dom.js";
import { latest } from "./engine.js";

const SMALLEST = 0.7; // of its size: a wider diagram is made smaller, and then scrolls
const RFC = /^rfc(\d+)$/;

// A link to the section, as a link only: nothing is loaded from there.
function cited(about) {
  const rfc = RFC.exec(about?.grammar ?? "")?.[1];
  if (!rfc || !about.section) return null;
  const anchor = /^[A-Z]/.test(about.section) ? "appendix" : "section";
  const href = `https://www.rfc-editor.org/rfc/rfc${rfc}#${anchor}-${about.section}`;
  return el("a", { href, rel: "noreferrer", class: "cite" }, `RFC ${rfc} §${about.section}`);
}

// Without the space that lines up the rules of a whole grammar.
export function compact(abnf) {
  const gap = /^\S+(\s{2,})=\s*|^\S+ =(\s{2,})/.exec(abnf);
  const spare = (gap?.[1] ?? gap?.[2] ?? " ").length - 1;
  const [first, ...more] = abnf.split("\n");
  return [first.replace(/^(\S+)\s*=\s*/, "$1 = "), ...more.map((line) => line.replace(new RegExp(`^ {0,${spare}}`), ""))].join("\n");
}

const oneLine = (abnf) => abnf.replace(/\s+/g, " ").trim();

class Peek extends HTMLElement {
  connectedCallback() {
    if (this.bound) return;
    this.bound = true;
    this.bench.on("point text walked tree", () => this.#draw());
    this.#draw();
  }

  #draw() {
    const { bench } = this;
    const { pointed, tree, walked } = bench;
    if (!pointed) {
      return show(this, el("span", { class: "muted" }, "Point at a character or a node, or move the caret: its production is explained here."));
    }
    const text = bench.points.slice(pointed.start, pointed.end).join("");
    if (pointed.node === undefined) {
      const one = walked?.characters[pointed.start];
      const number = tree?.derivation.characters[pointed.start];
      const leaf = number === undefined ? null : tree.derivation.nodes[number];
      const path = one?.path?.length ? one.path : leaf ? [tree.derivation.nodes[leaf.parent]?.name] : [];
      const blamed = walked?.blamed.some((b) => b.start <= pointed.start && pointed.start < b.end);
      const here = (tree?.derivation.ambiguities ?? []).filter(({ start, end }) => start <= pointed.start && pointed.start < end);
      const others = here.flatMap(({ alternatives }) => alternatives.slice(1)).join(", ");
      return show(
        this,
        el("b", { class: "mono" }, named(text)),
        blamed ? el("span", { class: "bad" }, "✗ not allowed here") : null,
        path.length ? el("span", { class: "mono trail" }, path.join(" › ")) : null,
        one?.word ? el("span", { class: "mono muted" }, `as ${one.word}`) : null,
        others ? el("span", { class: "muted" }, `could also be ${others}`) : null,
        cited(bench.about(path.at(-1))),
      );
    }
    const node = tree?.derivation.nodes[pointed.node];
    const about = node && bench.about(node.name);
    if (node?.kind === "error" || node?.kind === "missing") {
      const told = bench.report?.violations.find((one) => one.start === node.start && one.end === node.end);
      return show(
        this,
        el("b", { class: "mono" }, !text ? node.name : node.end - node.start === 1 ? named(text) : shown(text, 20)),
        el("span", { class: "bad" }, text ? "✗ not allowed here" : "✗ missing here"),
        told ? el("span", {}, told.message) : null,
        cited(about),
      );
    }
    return show(
      this,
      el("b", { class: "mono" }, node?.name ?? ""),
      el("span", { class: "muted mono" }, `${pointed.start}–${pointed.end}`),
      about ? el("code", { class: "trail" }, oneLine(about.abnf)) : el("code", {}, shown(text, 20) || "empty"),
      about?.gloss ? el("span", {}, about.gloss) : null,
      cited(about),
    );
  }
}

class Production extends HTMLElement {
  connectedCallback() {
    if (this.title_) return;
    const { bench } = this;
    this.title_ = el("h2", { class: "row", id: "production" });
    this.gloss = el("p", { class: "muted gloss" });
    this.abnf = el("pre", { class: "rule-text", role: "group", tabindex: 0, "aria-label": "ABNF of the production" });
    this.way = el("p", { class: "small" });
    this.diagram = el("div", { class: "diagram", tabindex: 0, role: "region", "aria-label": "Railroad diagram" });
    this.diagram.addEventListener("click", (event) => this.#follow(event));
    this.append(this.title_, this.gloss, this.abnf, this.way, this.diagram);
    bench.on("tree select rules setup step steps", () => this.#draw());
    bench.on("point", () => this.#hinted());
    this.#draw();
  }

  get name() {
    return this.bench.production ?? this.bench.rule;
  }

  // The node that lights the diagram: the chosen one, or the first of this production.
  #node() {
    const { tree, selected } = this.bench;
    const nodes = tree?.derivation.nodes ?? [];
    if (selected !== null && nodes[selected]?.name === this.name) return selected;
    const found = nodes.findIndex((node) => node.kind === "rule" && node.name === this.name);
    return found < 0 ? null : found;
  }

  async #draw() {
    const { bench, name } = this;
    const about = bench.about(name);
    const source = `${bench.grammar} ${bench.abnf} ${name}`;
    show(this.title_, name ? el("span", { class: "mono" }, name) : el("span", { class: "muted" }, "No production"), cited(about) ?? el("span", { class: "muted small" }, about?.grammar ?? ""));
    if (about) {
      this.gloss.textContent = about.gloss || " ";
      show(this.abnf, this.#linked(about.abnf));
    }
    if (this.source !== source && name) {
      const request = { do: "railroad", ...bench.common(), rule: name };
      const answer = await latest("railroad", request);
      if (!answer) return;
      this.source = answer.error ? null : source;
      this.shown = answer.error ? null : name;
      if (answer.error) {
        show(this.diagram, el("p", { class: "muted" }, answer.error.code === "unavailable" ? "The diagram needs the engine." : answer.error.message));
        return;
      }
      const drawing = draw(answer.drawing);
      drawing.style.minWidth = `${Math.round(Number(drawing.getAttribute("width")) * SMALLEST)}px`;
      show(this.diagram, drawing);
      for (const link of this.diagram.querySelectorAll("a")) link.setAttribute("tabindex", "0");
      if (!bench.about(name)) show(this.abnf, this.#linked(answer.abnf));
    }
    this.#light();
  }

  // The ABNF, with each rule's name as a button that shows that rule.
  #linked(abnf) {
    const names = new Map(this.bench.rules.map((rule) => [rule.name.toLowerCase(), rule.name]));
    return compact(abnf).split(/("[^"]*"|<[^>]*>|%[^\s]+|[A-Za-z][A-Za-z0-9-]*)/).map((piece, at) => {
      const name = /^[A-Za-z]/.test(piece) ? names.get(piece.toLowerCase()) : null;
      if (!name || at === 1) return piece;
      return el("button", { type: "button", class: "link mono", onclick: () => this.#open(name) }, piece);
    });
  }

  // A rule of the production that is shown: its node inside, if the text has one there.
  #open(name) {
    const nodes = this.bench.tree?.derivation.nodes ?? [];
    const from = this.#node();
    const inside = from === null ? -1 : nodes.findIndex((node, at) => at > from && node.name === name && node.kind === "rule");
    this.bench.select(name, inside < 0 ? null : inside);
  }

  #follow(event) {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    const href = link.getAttribute("href") ?? "";
    if (href.startsWith("#rule-")) this.#open(decodeURIComponent(href.slice(6)));
  }

  // The path of the node's text; red where the text leaves it, or has an error further inside. While
  // stepping, what is read so far, and where each reading that is still possible stands.
  #light() {
    const { tree, step, steps, points } = this.bench;
    const number = this.#node();
    const node = number === null ? null : tree.derivation.nodes[number];
    const now = step === null ? null : steps?.steps?.find((one) => one.offset === step);
    const looks = { lit: [], left: [], inside: [], ...(node ? way(tree.derivation, number) : {}) };
    if (now) Object.assign(looks, { lit: this.#read(number, looks.lit), left: [], inside: [] });
    const [alive, ending] = [new Set(), new Set()];
    for (const { path, places, fate } of now?.alternatives ?? []) {
      path.forEach((name, at) => name === this.name && (fate === "failed" ? ending : alive).add(places[at + 1]));
    }
    lighten(this.diagram, { ...looks, alive, ending: [...ending].filter((one) => !alive.has(one)) });
    this.#tell(node, now, alive.size, points);
  }

  // What of a node's path has been read before the present step.
  #read(number, lit) {
    const { tree, step } = this.bench;
    if (number === null) return lit;
    const last = tree.derivation.nodes.filter((one) => one.parent === number && one.start < step).at(-1);
    const here = last ? last.place : this.name;
    const ended = last && last.end <= step;
    const around = (place) => place === here ? !ended : here.startsWith(`${place}.`) || place === this.name;
    return lit.slice(0, lit.lastIndexOf(ended ? `${here}:out` : here) + 1).filter((one) => !one.endsWith(":out") || !around(one.slice(0, -4)));
  }

  #tell(node, now, alive, points) {
    if (now) {
      const words = alive ? `${alive} ${alive === 1 ? "element" : "elements"} of it can read the next character` : "it is not being read here, or cannot go on";
      const key = el("span", { class: "swatch alive", "aria-hidden": "true" });
      return void show(this.way, key, now.offset === points.length ? "Here the text ends." : `Before character ${now.offset}: ${words}.`);
    }
    if (!node) return void show(this.way, el("span", { class: "muted" }, this.bench.tree ? "This text has no such production." : " "));
    const text = shown(points.slice(node.start, node.end).join(""), 40);
    const path = text ? ["The path that ", el("code", {}, text), " takes"] : "The path of the empty text";
    show(this.way, legend([path, node.alternative ? [": ", el("code", {}, node.alternative)] : null], node.whole));
  }

  #hinted() {
    const { pointed, tree } = this.bench;
    const name = pointed?.node === undefined ? null : tree?.derivation.nodes[pointed.node]?.name;
    for (const one of this.diagram.querySelectorAll("g.rule")) one.classList.toggle("hint", Boolean(name) && one.textContent.endsWith(name));
  }
}

customElements.define("uri-peek", Peek);
customElements.define("uri-production", Production);
