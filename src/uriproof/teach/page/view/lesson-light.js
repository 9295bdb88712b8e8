// The step "light": which production, or which box of a diagram, reads or refuses a character.
//
// Owns the list of productions and the diagram, kept in step. Imports the forms and the diagram.
// Invariant: one choice at a time, seen in both; once settled, the path of the text is drawn in the
// diagram of the production that was asked about.

import { el, show } from "./dom.js";
import { choices } from "./lesson-forms.js";
import { rails, taken } from "./lesson-rails.js";

// `request` asks the engine; `data` is the exercise, `asked` its step.
export function light(asked, legend, data, request) {
  const names = asked.among.map((one) => one.name);
  const list = choices(
    legend,
    asked.among.map((one) => ({ value: one.name, label: one.name, code: true, more: one.gloss })),
    { columns: true },
  );
  const place = el("div", { class: "rails", tabindex: "0", role: "region", hidden: true });
  const about = el("p", { class: "legend", hidden: true }, "Choose a box here, or a name below.");
  const fieldset = list.element;
  let drawn = null;
  let box = null; // the place of the box that was chosen, where it was chosen in the diagram

  async function drawing(rule, chosen) {
    const answer = await request({ do: "railroad", grammar: asked.grammar, rule });
    if (answer.error) return null;
    const made = rails(answer.drawing, chosen);
    place.setAttribute("aria-label", `Railroad diagram of ${rule}`);
    show(place, made.element);
    place.hidden = false;
    return made;
  }

  const ready = asked.diagram
    ? drawing(asked.diagram, (node, name) => {
        box = node;
        drawn.choose(node);
        list.choose(names.includes(name) ? name : null);
      }).then((made) => {
        drawn = made;
        about.hidden = !made;
      })
    : Promise.resolve();
  for (const input of list.inputs) {
    input.addEventListener("change", () => {
      box = null;
      drawn?.choose(list.of(input));
    });
  }
  fieldset.firstChild.after(place, about);

  return {
    ...list,
    value: () => box ?? list.value(),
    empty: "Choose a production first, or let the answer be shown.",
    mark(value, right) {
      list.mark(value, right);
    },
    // `value` is a name or a box's place; `label` the name that is right, in words.
    async settle(value, right, label) {
      const name = names.find((one) => one === value) ?? names.find((one) => one === label) ?? null;
      list.settle(name, right);
      await ready;
      const rule = asked.diagram ?? name;
      drawn ??= await drawing(rule, () => {});
      if (!drawn) return;
      drawn.choose(null);
      drawn.settle();
      const { derivation } = await request({ do: "explain", text: data.text, rule: data.rule, grammar: data.grammar });
      drawn.light(derivation ? taken(derivation, rule, asked.at) : [], asked.diagram ? value : null);
      about.hidden = false;
      about.textContent = derivation?.ok === false ? "Drawn thick: the path that the text takes, as far as it goes." : "Drawn thick: the path that the text takes.";
    },
  };
}
