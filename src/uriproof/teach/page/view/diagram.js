// The railroad diagram of a production: the way of a text through it, and boxes that can be chosen.
//
// Owns what a derivation says of a diagram, and the diagrams of lessons. Imports the building of
// elements. Invariant: what is lit is what the engine says that the text takes; whatever a box can do
// with the mouse, it can do with the keyboard.

import { el, picture } from "./dom.js";

// The way of a node's text through the diagram of its production: for each look its places, as the
// drawing names them in `data-node`. The text leaves it at `left`; `inside` is an error further inside.
export function way({ nodes, lit, left }, number) {
  const torn = nodes.filter((one) => one.parent === number && !one.whole && one.kind === "rule");
  return { lit: lit?.[number] ?? [], left: left?.[number] ?? [], inside: torn.map((one) => one.place) };
}

// The number of the innermost node of a rule that is around the character `at`; or of the last one.
export function around({ nodes }, rule, at) {
  const numbers = nodes.map((_, number) => number).filter((number) => nodes[number].name === rule);
  return numbers.findLast((number) => nodes[number].start <= at && at < Math.max(nodes[number].end, nodes[number].start + 1)) ?? numbers.at(-1);
}

// Give the places of each look, {look: [place, …]}, its class, and no others.
export function lighten(root, looks) {
  for (const [look, places] of Object.entries(looks)) {
    const all = new Set(places);
    for (const one of root.querySelectorAll("[data-node]")) one.classList.toggle(look, all.has(one.dataset.node));
  }
}

const key = (look) => el("span", { class: `swatch ${look}`, "aria-hidden": "true" });

// What the lines in a diagram mean: `what` takes the path, which goes to its end or not.
export function legend(what, whole) {
  return [key("lit"), what, whole ? null : ["; ", key("left"), "red where it leaves it"]];
}

const BOXES = "g.rule, g.terminal, g.range";

// The diagram of a lesson. `chosen(place)` is called with the `data-node` of a box; without it no box can be chosen.
export function rails(drawing, chosen = null) {
  const svg = picture(drawing);
  svg.setAttribute("role", "group");
  const boxes = [...svg.querySelectorAll(BOXES)].filter((box) => box.dataset.node && !box.parentElement.closest("g.rail"));
  const nameOf = (box) => box.querySelector("text")?.textContent ?? "";
  for (const box of chosen ? boxes : []) {
    const choose = () => chosen(box.dataset.node);
    box.classList.add("choosable");
    for (const [name, value] of [["role", "button"], ["tabindex", "0"], ["aria-label", nameOf(box)], ["aria-pressed", "false"]]) box.setAttribute(name, value);
    box.addEventListener("click", choose);
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    });
  }
  return {
    element: svg,
    choose(place) {
      for (const box of boxes) {
        const is = box.dataset.node === place;
        box.classList.toggle("chosen", is);
        box.setAttribute("aria-pressed", String(is));
      }
    },
    // A sign beside the color: a box that is not right is crossed out.
    mark(place, right) {
      for (const box of boxes) {
        const wrong = !right && box.dataset.node === place;
        box.classList.toggle("not-this", wrong);
        box.setAttribute("aria-label", wrong ? `${nameOf(box)}, not this` : nameOf(box));
      }
    },
    focus: () => (boxes.find((box) => box.classList.contains("chosen")) ?? boxes[0])?.focus(),
    // No box can be chosen any more: the way of a text is shown, and the box that was asked for, by its place or name.
    light(looks, right = null) {
      for (const box of boxes) {
        for (const name of ["tabindex", "aria-pressed", "aria-label", "role"]) box.removeAttribute(name);
        box.classList.remove("choosable", "chosen", "not-this");
      }
      lighten(svg, looks);
      for (const box of boxes) if (box.dataset.node === right || nameOf(box) === right) box.classList.add("lit", "answer");
      svg.classList.add("lighted");
    },
  };
}
