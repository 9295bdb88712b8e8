// Questions about rules, on paper: the sheet, and its key.
//
// Owns how a question of each kind looks. Imports the engine. Invariant: the sheet shows nothing of
// the key; the seed that makes both again is on each page.

import { points, visible } from "./characters.js";
import { el } from "./dom.js";
import { ask } from "./engine.js";

// Spaces at the ends of a line would not be seen on paper.
const seen = (characters) => characters.map((one) => (one === " " ? "␣" : visible(one))).join("");

// {title, pages} or {error}.
export async function worksheet(request) {
  const found = await ask(request);
  if (found.error) return found;
  const code = `Made by uriproof. This sheet again: ${found.code}`;
  return {
    title: found.title,
    pages: [
      paper(found.title, true, code, el("ol", { class: "questions" }, found.questions.map(question))),
      paper(`Key: ${found.title}`, false, code, el("ol", { class: "key" }, found.key.map((one) => solved(one, found.questions.find((q) => q.number === one.number))))),
    ],
  };
}

export function paper(title, named, code, ...content) {
  const field = (words) => el("span", { class: "name" }, `${words}:`, el("i", {}));
  return el(
    "section",
    { class: "paper" },
    el("header", {}, el("h2", {}, title), named ? el("div", { class: "row grow" }, field("Name"), field("Date")) : null),
    content,
    code ? el("p", { class: "seed" }, code) : null,
  );
}

function question(one) {
  const all = points(one.text);
  const marked = one.start !== null && one.end !== null;
  const text = marked ? [seen(all.slice(0, one.start)), el("mark", {}, seen(all.slice(one.start, one.end))), seen(all.slice(one.end))] : seen(all);
  const options = one.options.length ? one.options : one.kind === "verdict" ? ["valid", "invalid"] : [];
  return el(
    "li",
    { class: "question" },
    el("span", { class: "no" }, `${one.number}.`),
    el(
      "div",
      {},
      el("p", {}, one.asked),
      el("p", { class: "given" }, all.length ? text : el("em", {}, "the empty text")),
      options.length ? el("ul", { class: "boxes" }, options.map((option) => el("li", {}, option))) : el("div", { class: "lines" }),
    ),
  );
}

function solved(one, asked) {
  const [word, at] = asked?.kind === "verdict" ? one.answer.split(" ") : [null, null];
  const character = at === undefined || at === null ? null : points(asked.text)[Number(at)];
  const words = word === "invalid" ? `invalid: ${character ? `${visible(character)} at offset ${at}` : `something is missing at offset ${at}`}` : one.answer;
  return el("li", {}, el("span", { class: "no" }, `${one.number}.`), el("p", {}, el("strong", {}, words), one.why ? ` ${one.why}` : "", one.section ? el("span", { class: "muted" }, ` ${one.section}`) : null));
}
