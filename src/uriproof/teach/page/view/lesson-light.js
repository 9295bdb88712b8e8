// The step "light": which production, or which box of a diagram, reads or refuses a character.
//
// Owns the list of productions, or the diagram whose boxes are buttons. Imports the forms and the
// diagram. Invariant: one choice at a time; once settled, the path of the text is drawn in the
// diagram of the production that was asked about.

import { el, show } from "./dom.js";
import { failed } from "./lesson-answer.js";
import { choices } from "./lesson-forms.js";
import { rails, taken } from "./lesson-rails.js";

// `request` asks the engine; `data` is the exercise, `asked` its step.
export function light(asked, legend, data, request) {
  return asked.diagram ? boxes(asked, legend, data, request) : names(asked, legend, data, request);
}

const region = () => el("div", { class: "rails", tabindex: "0", role: "region", hidden: true });

async function drawing(place, asked, rule, request, chosen) {
  const answer = await request({ do: "railroad", grammar: asked.grammar, rule });
  place.hidden = false;
  if (answer.error) return show(place, failed(answer.error)), null;
  const made = rails(answer.drawing, chosen);
  place.setAttribute("aria-label", `Railroad diagram of ${rule}`);
  show(place, made.element);
  return made;
}

// The path of the text, once the answer is known.
async function lit(drawn, asked, data, rule, right, about, request) {
  drawn.choose(null);
  drawn.settle();
  const { derivation } = await request({ do: "explain", text: data.text, rule: data.rule, grammar: data.grammar });
  drawn.light(derivation ? taken(derivation, rule, asked.at) : [], right);
  about.hidden = false;
  about.textContent = derivation?.ok === false ? "Drawn thick: the path that the text takes, as far as it goes." : "Drawn thick: the path that the text takes.";
}

// A box of a diagram.
function boxes(asked, legend, data, request) {
  const place = region();
  const about = el("p", { class: "legend", hidden: true }, "Choose a box: click it, or go to it with Tab and press Enter.");
  let box = null;
  let drawn = null;
  const ready = drawing(place, asked, asked.diagram, request, (node) => {
    box = node;
    drawn.choose(node);
  }).then((made) => {
    drawn = made;
    about.hidden = !made;
  });
  return {
    element: el("fieldset", { class: "boxes-of" }, el("legend", {}, legend), place, about),
    ready,
    value: () => box,
    empty: "Choose a box first, or let the answer be shown.",
    mark: (value, right) => drawn?.mark(value, right),
    focus: () => drawn?.focus(),
    // `value` is a box's place, or a name.
    async settle(value) {
      await ready;
      if (drawn) await lit(drawn, asked, data, asked.diagram, value, about, request);
    },
  };
}

// A production of a list.
function names(asked, legend, data, request) {
  const all = asked.among.map((one) => one.name);
  const list = choices(
    legend,
    asked.among.map((one) => ({ value: one.name, label: one.name, code: true, more: one.gloss })),
    { columns: true },
  );
  const place = region();
  const about = el("p", { class: "legend", hidden: true });
  list.element.append(place, about);
  return {
    ...list,
    empty: "Choose a production first, or let the answer be shown.",
    // `label` is the name that is right, in words.
    async settle(value, right, label) {
      const name = all.find((one) => one === value) ?? all.find((one) => one === label) ?? null;
      list.settle(name, right);
      const drawn = await drawing(place, asked, name, request, () => {});
      if (drawn) await lit(drawn, asked, data, name, null, about, request);
    },
  };
}
