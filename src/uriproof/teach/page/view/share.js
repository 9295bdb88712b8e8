// Taking the view along: as a link, as text, or as SVG.
// Owns the menu and what is written to the clipboard. Imports the chooser and the building of elements. Invariant: a drawing
// that is copied needs no style sheet.

import "./chooser.js";
import { shown } from "./characters.js";
import { verdict } from "./check.js";
import { el } from "./dom.js";
import { ask } from "./engine.js";

const LIT = { stroke: "#c2410c", "stroke-width": "3.5" };

// What is said of a link that nobody else can open.
export function onlyHere({ hostname } = location) {
  return /^(localhost|127\..*|\[::1\])?$/.test(hostname) ? " It works on this computer only, while the server runs." : "";
}

// Whether a text could be put on the clipboard.
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", { class: "sr", value: text, "aria-label": "Copy" });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

class Share extends HTMLElement {
  connectedCallback() {
    if (this.menu) return;
    const items = {
      "Copy the link": async () => this.#copy(this.#link(), `The link is copied.${onlyHere()}`),
      "Copy the link of the bare view": async () => this.#copy(this.#link(true), `The link of the bare view is copied.${onlyHere()}`),
      "Copy as text": async () => this.#copy(asText(this.bench), "Copied as text."),
      "Save the tree and the diagram as SVG": async () => this.#save(),
    };
    this.menu = Object.assign(document.createElement("uri-chooser"), {
      id: "share", label: "Copy", current: () => "", options: () => Object.keys(items).map((words) => ({ value: words, words })), plain: true,
      choose: (words) => items[words]().catch((error) => this.#say(error.message)),
    });
    this.said = el("span", { class: "toast small", role: "status" });
    this.append(this.menu, this.said);
  }

  #say(words) {
    this.said.textContent = words;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.said.textContent = ""), 6000);
  }

  #link(bare = false) {
    this.bench.save();
    const url = new URL(location.href);
    if (bare) url.search = "?embed";
    if (this.bench.unsaved) throw new Error("This text is too long for a link.");
    return url.href;
  }

  async #copy(text, words) {
    const done = await copied(text);
    this.menu.button.focus();
    if (!done) throw new Error("This browser does not allow copying.");
    this.#say(words);
  }

  #diagram() {
    const svg = document.querySelector("uri-production svg");
    if (!svg) throw new Error("There is no diagram yet.");
    const copy = svg.cloneNode(true);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    for (const one of copy.querySelectorAll("path.lit, .lit > rect, .lit > a > rect")) {
      for (const [key, value] of Object.entries(LIT)) one.setAttribute(key, value);
    }
    return new XMLSerializer().serializeToString(copy);
  }

  #download(name, text) {
    const href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    const link = el("a", { href, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }

  async #save() {
    const answer = await ask({ do: "tree", ...this.bench.common(), text: this.bench.text });
    if (answer.error) throw new Error(answer.error.message);
    const name = `${this.bench.production ?? this.bench.rule}.svg`;
    this.#download(name, this.#diagram());
    this.#download("tree.svg", answer.svg);
    this.#say(`Saved as tree.svg and ${name}.`);
  }
}

// The text, the verdict, the violations under their characters, and the tree by indentation.
function asText(bench) {
  const lines = [[...bench.points].map((one) => shown(one)).join(""), verdict(bench).words];
  for (const one of bench.report?.violations ?? []) lines.push(`  ${one.start}: ${one.message}`);
  for (const one of bench.report?.advice ?? []) lines.push(`  advice: ${one.message}`);
  const nodes = bench.tree?.derivation.nodes ?? [];
  if (nodes.length) lines.push("");
  for (const node of nodes) {
    if (node.kind !== "rule") continue;
    lines.push(`${"  ".repeat(node.depth)}${node.name}  ${shown(bench.points.slice(node.start, node.end).join(""), 60)}`);
  }
  return `${lines.join("\n")}\n`;
}

customElements.define("uri-share", Share);
