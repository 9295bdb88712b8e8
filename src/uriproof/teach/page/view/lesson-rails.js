// The railroad diagram of a step "light": boxes that can be chosen, and the path that a text takes.
//
// Owns the diagram of a lesson. Imports the building of elements. Invariant: whatever a box can do,
// a radio button in the list beside it can, too; the drawing is one more way to reach it.

import { draw } from "./dom.js";

// `chosen(name)` is called with the name in a box. Boxes whose name is no option do nothing.
export function rails(drawing, options, chosen) {
  const svg = draw(drawing);
  svg.setAttribute("role", "group");
  for (const one of svg.querySelectorAll("[id]")) one.removeAttribute("id");
  // A link would leave the lesson: its box stays, the link goes.
  for (const link of svg.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  const boxes = [];
  for (const box of svg.querySelectorAll("g.rule, g.terminal, g.range")) {
    const name = box.querySelector("text")?.textContent;
    if (!options.includes(name)) continue;
    boxes.push([name, box]);
    box.classList.add("choosable");
    box.setAttribute("role", "button");
    box.setAttribute("tabindex", "0");
    box.setAttribute("aria-label", `choose ${name}`);
    box.setAttribute("aria-pressed", "false");
    box.addEventListener("click", () => chosen(name));
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      chosen(name);
    });
  }
  return {
    element: svg,
    choose(name) {
      for (const [of, box] of boxes) {
        box.classList.toggle("chosen", of === name);
        box.setAttribute("aria-pressed", String(of === name));
      }
    },
    settle() {
      for (const [, box] of boxes) {
        for (const name of ["role", "tabindex", "aria-pressed", "aria-label"]) box.removeAttribute(name);
        box.classList.remove("choosable");
      }
    },
    // The `data-node` of the places that a text takes.
    light(places) {
      const lit = new Set(places);
      for (const one of svg.querySelectorAll("[data-node]")) {
        const node = one.dataset.node;
        one.classList.toggle("lit", lit.has(node));
      }
      svg.classList.add("lighted");
    },
  };
}
