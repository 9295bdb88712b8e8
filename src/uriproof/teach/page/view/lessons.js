// <uri-lessons>: the curriculum, how far one is in it, and a place for a teacher's own lesson.
//
// Owns the list. Imports the engine's answers and the progress kept in this browser. Invariant: the
// list is there without the engine, and says nothing of a lesson but what its data says.

import { el, show } from "./dom.js";
import { kept } from "./engine.js";
import { review } from "./lesson-exercise.js";
import { opener } from "./lesson-own.js";
import { answers, done, exported, forget, last, onChange, reviews } from "./lesson-progress.js";
import { failed, words } from "./lesson-said.js";
import { write } from "./route.js";

class Lessons extends HTMLElement {
  set route(route) {
    this.params = route.params;
    if (this.isConnected) this.#load();
  }

  connectedCallback() {
    this.unheard = onChange(() => this.list && !this.querySelector(".review") && this.#draw());
    this.#load();
  }

  disconnectedCallback() {
    this.unheard?.();
  }

  async #load() {
    if (!this.list) show(this, el("h1", {}, "Lessons"), el("p", { class: "muted", role: "status" }, "Loading the lessons…"));
    const found = await kept("all", { do: "lessons" });
    if (found.error) show(this, el("h1", {}, "Lessons"), failed(found.error, () => this.#load()), this.#own());
    else {
      this.list = found.lessons;
      this.#draw();
    }
  }

  #draw() {
    const finished = this.list.filter((one) => state(one).whole).length;
    const at = last();
    const resumed = at && this.list.find((one) => one.id === at.lesson);
    const next = resumed && !state(resumed).whole ? resumed : this.list.find((one) => !state(one).whole);
    const begun = this.list.some((one) => state(one).count);
    show(
      this,
      el(
        "header",
        { class: "lessons-head" },
        el("h1", {}, "Learn the grammar of URIs"),
        el("p", { class: "lead" }, "Each lesson takes a few minutes: predict what the grammar says, run it, find the production in its diagram, and explain. Wrong answers are welcome: each comes with a text that shows why."),
        el(
          "div",
          { class: "row" },
          next
            ? el("a", { class: "button main", href: write("lesson", next.id, resumed === next && at.exercise ? { exercise: at.exercise + 1 } : {}) }, begun ? `Go on with lesson ${next.number}` : `Begin with lesson ${next.number}`)
            : el("p", { class: "all-done" }, "✓ All lessons are done."),
          el("p", { class: "count" }, `${finished} of ${this.list.length} lessons done`),
        ),
        el("progress", { max: this.list.length, value: finished, "aria-label": "Lessons done" }),
      ),
      this.#due(),
      el("ol", { class: "lesson-list" }, this.list.map((one) => entry(one, one === next))),
      el(
        "div",
        { class: "lessons-foot" },
        this.#own(),
        begun || at
          ? el("div", { class: "row" }, el("p", { class: "muted" }, "Your progress is kept in this browser alone."), answers().length ? el("button", { type: "button", onclick: saved }, "Save my answers as a file") : null, el("button", { type: "button", onclick: () => this.#forget() }, "Forget my progress"))
          : el("p", { class: "muted" }, "Your progress will be kept in this browser alone."),
      ),
    );
  }

  // What was wrong one, three and seven days ago.
  #due() {
    const known = new Set(this.list.map((one) => one.id));
    const due = reviews().filter((one) => known.has(one.lesson));
    if (!due.length) return null;
    const place = el("section", { class: "due card", "aria-labelledby": "due-title" });
    const next = () => {
      this.#draw();
      (this.querySelector(".due button") ?? this.querySelector("h1")).focus();
    };
    show(
      place,
      el("h2", { id: "due-title" }, "To come back to"),
      el("p", {}, `${due.length === 1 ? "One answer of yours was" : `${due.length} answers of yours were`} wrong some days ago. Here is a new question about the same production.`),
      el("button", { type: "button", class: "main", onclick: () => review(due[0], place, next) }, "Ask me again"),
    );
    return place;
  }

  #forget() {
    forget();
    this.#draw();
    const count = this.querySelector(".count");
    count.setAttribute("tabindex", "-1");
    count.setAttribute("role", "status");
    count.focus();
  }

  #own() {
    return el(
      "section",
      { class: "own", "aria-labelledby": "own-title" },
      el("h2", { id: "own-title" }, "A lesson of your own"),
      el("p", { class: "muted" }, "A lesson is one text file. Open it here, then copy its link for the class."),
      opener(),
    );
  }
}

// Every answer, as a file that `uriproof grammar grade` reads.
function saved() {
  const link = el("a", { href: URL.createObjectURL(new Blob([exported()], { type: "application/json" })), download: "uriproof-lessons.json" });
  link.click();
  URL.revokeObjectURL(link.href);
}

// How far one is: {count, whole, how many}.
function state(one) {
  const count = Object.keys(done(one.id)).length;
  return { count, whole: count > 0 && count >= (one.exercises ?? 2) };
}

function entry(one, next) {
  const { count, whole } = state(one);
  const of = one.exercises ?? 2;
  return el(
    "li",
    { class: `${whole ? "whole" : count ? "started" : ""}${next ? " upnext" : ""}` },
    el(
      "a",
      { href: write("lesson", one.id) },
      el("span", { class: "number", "aria-hidden": "true" }, whole ? "✓" : one.number),
      el(
        "span",
        { class: "about" },
        el("span", { class: "title" }, el("span", { class: "sr" }, `Lesson ${one.number}: `), words(one.title)),
        el("span", { class: "concept muted" }, words(one.concept)),
      ),
      el("span", { class: "aside" }, one.section ? el("span", { class: "section" }, section(one.section)) : null, el("span", { class: "far" }, whole ? "done" : count ? `${count} of ${of} done` : next ? "next" : "")),
    ),
  );
}

// A lesson, or a production, may be of another document, which it names itself.
export function section(text) {
  return /^[\d.,\s]+$/.test(text) ? `§${text}` : text;
}

customElements.define("uri-lessons", Lessons);
