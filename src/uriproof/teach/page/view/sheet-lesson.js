// A lesson on paper: its productions, its exercises with boxes to tick or to mark, and the key.
//
// Owns that sheet. Imports the engine's answers and the building of elements. Invariant: the key has what the engine answers, and
// stands on a page of its own.

import { points } from "./characters.js";
import { draw, el } from "./dom.js";
import { answer } from "./lesson-kept.js";
import { document as source } from "./lessons.js";
import { prose, shape, words } from "./lesson-text.js";

// `which` is {lesson} or {source}. {title, pages} or {error}.
export async function lessonSheet(which) {
  const kept = which.lesson ?? null;
  const found = await answer(kept, { do: "lesson", ...which });
  if (found.error) return found;
  const { lesson } = found;
  const steps = lesson.exercises.flatMap((exercise) => exercise.steps.filter((one) => one.step !== "run").map((one) => ({ exercise, one })));
  const answers = await Promise.all(steps.map(({ exercise, one }) => answer(kept, { do: "answer", ...which, exercise: exercise.id, step: one.step, show: true })));
  const broken = answers.find((one) => one.error);
  if (broken) return broken;
  const diagrams = new Map();
  for (const { one } of steps.filter(({ one }) => one.diagram)) {
    const { drawing } = await answer(kept, { do: "railroad", rule: one.diagram, grammar: one.grammar });
    if (drawing) diagrams.set(one, drawing);
  }
  const title = lesson.number ? `Lesson ${lesson.number}: ${lesson.title}` : lesson.title;
  const letter = (at) => "abc"[at];
  let count = -1;
  return {
    title,
    pages: [
      paper(
        title,
        true,
        lesson.section ? source(lesson.section) : null,
        el("div", { class: "paper-intro" }, prose(lesson.introduction), lesson.productions.map((one) => el("pre", { class: "lesson-abnf" }, el("code", {}, one.abnf)))),
        el("ol", { class: "questions" }, lesson.exercises.map((exercise) => printed(exercise, letter, diagrams))),
      ),
      paper(
        `Key: ${title}`,
        false,
        null,
        el(
          "ol",
          { class: "key" },
          lesson.exercises.map((exercise) =>
            el(
              "li",
              {},
              el("span", { class: "no" }, `${exercise.number}.`),
              el(
                "div",
                {},
                exercise.steps.filter((one) => one.step !== "run").map((_, at) => {
                  count += 1;
                  return el("div", {}, el("p", {}, `${letter(at)}) `, el("strong", {}, words(answers[count].answer.label))), prose(answers[count].why));
                }),
              ),
            ),
          ),
        ),
        prose(lesson.summary),
      ),
    ],
  };
}

function paper(title, named, code, ...content) {
  const field = (words) => el("span", { class: "name" }, `${words}:`, el("i", {}));
  return el(
    "section",
    { class: "paper" },
    el("header", {}, el("h2", {}, title), named ? el("div", { class: "row grow" }, field("Name"), field("Date")) : null),
    content,
    code ? el("p", { class: "seed" }, code) : null,
  );
}

function printed(exercise, letter, diagrams) {
  const text = (name, given) =>
    typeof given === "string" ? el("p", {}, name ? [el("span", { class: "muted" }, name), " "] : null, points(given).length ? el("code", { class: "given" }, points(given).map(shape).join("")) : el("em", {}, "the empty text")) : null;
  return el(
    "li",
    { class: "question" },
    el("span", { class: "no" }, `${exercise.number}.`),
    el(
      "div",
      {},
      el("p", {}, el("strong", {}, words(exercise.title)), el("span", { class: "muted" }, " as "), el("code", {}, exercise.rule)),
      prose(exercise.task),
      text("Base URI:", exercise.base),
      text(exercise.other ? "First:" : "", exercise.text),
      text("Second:", exercise.other),
      exercise.steps.filter((one) => one.step !== "run").map((one, at) => asked(one, letter(at), diagrams.get(one))),
    ),
  );
}

function asked(step, letter, drawing) {
  const options = step.options?.map((one) => words(one.label)) ?? step.among?.map((one) => el("code", {}, one.name)) ?? [];
  const long = step.options?.some((one) => one.label.map((piece) => piece.text).join("").length > 28);
  return el(
    "div",
    { class: "sheet-exercise" },
    el("p", {}, `${letter}) `, words(step.question)),
    step.conditions?.length ? el("ul", { class: "conditions" }, step.conditions.map((one) => el("li", {}, words(one)))) : null,
    drawing ? diagram(step, drawing) : options.length ? el("ul", { class: `boxes${long ? " tall" : ""}` }, options.map((one) => el("li", {}, el("span", {}, one)))) : el("div", { class: "lines" }),
  );
}

// The diagram of a production, in which a box is marked by hand.
function diagram(step, drawing) {
  const svg = draw(drawing);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Railroad diagram of ${step.diagram}`);
  for (const one of svg.querySelectorAll("[id]")) one.removeAttribute("id");
  for (const link of svg.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  svg.classList.remove("railroad"); // the playground gives that name another look
  return [el("p", { class: "muted" }, "Mark it in the diagram of ", el("code", {}, step.diagram), ":"), el("div", { class: "rails" }, svg)];
}
