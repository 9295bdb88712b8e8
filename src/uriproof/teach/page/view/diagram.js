// The railroad diagram of a step "light": boxes that can be chosen, and the path that a text takes.
//
// Owns the diagram of a lesson. Imports the building of elements. Invariant: whatever a box can do
// with the mouse, it can do with the keyboard.

import { picture } from "./dom.js";

const BOXES = "g.rule, g.terminal, g.range";

// `chosen(place, name)` is called with the `data-node` of a box and the words in it.
export function rails(drawing, chosen) {
  const svg = picture(drawing);
  svg.setAttribute("role", "group");
  const boxes = [...svg.querySelectorAll(BOXES)].filter((box) => box.dataset.node && !box.parentElement.closest("g.rail"));
  const nameOf = (box) => box.querySelector("text")?.textContent ?? "";
  for (const box of boxes) {
    const choose = () => chosen(box.dataset.node, nameOf(box));
    box.classList.add("choosable");
    box.setAttribute("role", "button");
    box.setAttribute("tabindex", "0");
    box.setAttribute("aria-label", nameOf(box));
    box.setAttribute("aria-pressed", "false");
    box.addEventListener("click", choose);
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    });
  }
  return {
    element: svg,
    // By the place of one box, or the name in all of them; null chooses none.
    choose(what) {
      for (const box of boxes) {
        const is = box.dataset.node === what || nameOf(box) === what;
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
    settle() {
      for (const box of boxes) {
        for (const name of ["tabindex", "aria-pressed", "aria-label", "role"]) box.removeAttribute(name);
        box.classList.remove("choosable", "chosen", "not-this");
      }
    },
    // The `data-node` of the places that a text takes, and of the box that was asked for.
    light(places, right) {
      const lit = new Set(places);
      for (const one of svg.querySelectorAll("[data-node]")) one.classList.toggle("lit", lit.has(one.dataset.node));
      for (const box of boxes) if (box.dataset.node === right || nameOf(box) === right) box.classList.add("lit", "answer");
      svg.classList.add("lighted");
    },
  };
}

// What a text takes in the diagram of a rule, of a derivation: [data-node, …] of the node at `at`.
export function taken(derivation, rule, at) {
  const { nodes, lit } = derivation;
  const numbers = nodes.map((_, number) => number).filter((number) => nodes[number].name === rule);
  const around = numbers.filter((number) => nodes[number].start <= at && at < Math.max(nodes[number].end, nodes[number].start + 1));
  const chosen = around.at(-1) ?? numbers.at(-1);
  return chosen === undefined ? [] : lit[chosen];
}
