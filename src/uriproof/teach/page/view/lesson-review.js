// What was wrong comes back: a misconception, and a new question about the same production.
//
// Owns how a question is asked again. Imports the engine and the progress. Invariant: the question
// and its answer are the engine's; only what is due is asked.

import { el, show } from "./dom.js";
import { ask } from "./engine.js";
import { failed, said } from "./lesson-answer.js";
import { choices, writing } from "./lesson-forms.js";
import { reviewed } from "./lesson-progress.js";
import { specimen, words } from "./lesson-text.js";

// `due`: {lesson, exercise, misconception}. `done()` is called when it was answered.
export function review(due, done) {
  const seed = Math.floor(Math.random() * 1_000_000);
  const request = { do: "review", lesson: due.lesson, exercise: due.exercise, seed };
  const place = el("div", {}, el("p", { class: "waiting muted", role: "status" }, "This is asked as soon as the engine has loaded."));
  const heading = el("h3", { tabindex: "-1" }, "Again, with another text");
  begin();
  return el("section", { class: "review exercise" }, el("header", {}, heading, el("p", {}, "You once thought: ", el("q", {}, words(due.misconception)))), place);

  async function begin() {
    const found = await ask(request);
    if (found.error) return show(place, failed(found.error, begin));
    const { question } = found;
    const legend = question.asked;
    const form = question.options.length
      ? choices(legend, question.options.map((value) => ({ value, label: value, code: question.kind !== "verdict" })))
      : writing(legend, { value: question.kind === "fix" ? question.text : "" });
    const live = el("div", { role: "status" });
    const submit = async (event) => {
      event.preventDefault();
      const value = form.value();
      if (value === null) return show(live, el("p", { class: "error" }, "Choose an answer first."));
      const answer = await ask({ ...request, value });
      if (answer.error) return show(live, failed(answer.error));
      form.settle(value, answer.right);
      reviewed(due.lesson, due.exercise, answer.right);
      const next = el("button", { type: "button", class: "main", onclick: done }, "Go on");
      show(live, said(answer), el("div", { class: "actions" }, next));
      actions.remove();
      next.focus();
    };
    const actions = el("div", { class: "actions" }, el("button", { type: "submit", class: "main" }, "Check"));
    show(place, el("p", { class: "as" }, "Read as ", el("code", {}, question.rule)), specimen(question.text), marked(question), el("form", { novalidate: true, onsubmit: submit }, form.element, live, actions));
  }
}

function marked({ text, start, end }) {
  return start === null ? null : el("p", { class: "as" }, "It is about ", el("code", {}, Array.from(text).slice(start, end).join("")), ` at ${start}.`);
}
