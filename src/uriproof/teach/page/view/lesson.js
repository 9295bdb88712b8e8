// <uri-lesson>: one lesson, from its introduction to its last exercise.
//
// Owns which exercise is shown, and where the lesson comes from: the curriculum, a link or a file.
// Imports the views of its pieces. Invariant: a lesson that cannot be read is shown with its errors
// and what to do, never as an empty page.

import { el, show } from "./dom.js";
import { kept, onStatus } from "./engine.js";
import { Exercise } from "./lesson-exercise.js";
import { signs } from "./lesson-forms.js";
import { errors, fetched, heldSource, hold, linkTo, opener } from "./lesson-own.js";
import { begun, done, finish, keep, onChange, record, visit } from "./lesson-progress.js";
import { failed, plain, prose, words } from "./lesson-said.js";
import { section } from "./lessons.js";
import { compact } from "./production.js";
import { replace, write } from "./route.js";
import { copied, onlyHere } from "./share.js";

class Lesson extends HTMLElement {
  #loads = 0;

  set route(route) {
    this.given = route;
    if (this.isConnected) this.#load();
  }

  connectedCallback() {
    this.unheard = onChange(() => this.lesson && this.tabs?.isConnected && this.#tabs(this.at));
    this.#load();
  }

  disconnectedCallback() {
    this.stop?.();
    this.unheard?.();
  }

  async #load() {
    const mine = ++this.#loads;
    const { argument, params } = this.given ?? { params: {} };
    const at = Math.max(0, (Number.parseInt(params.exercise ?? "1", 10) || 1) - 1);
    this.#waiting();
    const asked = await this.#which(argument, params);
    if (mine !== this.#loads) return;
    if (!asked) return show(this, el("h1", {}, "A lesson of your own"), el("p", {}, "No lesson is open."), opener());
    if (asked.error) return this.#unread({ message: asked.error }, "");
    this.fields = asked.source === undefined ? { lesson: asked.lesson } : { source: asked.source };
    this.kept = asked.lesson ?? null;
    const found = await kept(this.kept, { do: "lesson", ...this.fields });
    if (mine !== this.#loads) return;
    this.stop?.();
    if (found.error) return this.#unread(found.error, asked.source ?? "");
    this.lesson = found.lesson;
    // Progress of a lesson that is not of the curriculum is kept, too, under its own name.
    this.key = asked.source === undefined ? this.lesson.id : `own:${this.lesson.id}`;
    this.#draw(Math.min(at, this.lesson.exercises.length - 1));
  }

  // {lesson} or {source} or {error}, or null where there is nothing to open.
  async #which(argument, params) {
    if (params.source) {
      const found = await fetched(params.source);
      if (found.source !== undefined) hold(found.source);
      return found;
    }
    if (argument === "own") {
      const source = heldSource();
      return source ? { source } : null;
    }
    if (!argument) return { error: "This link names no lesson." };
    if (!/^\d+$/.test(argument)) return { lesson: argument };
    const all = await kept("all", { do: "lessons" });
    if (all.error) return { error: all.error.message };
    const one = all.lessons.find((lesson) => lesson.number === Number(argument));
    return one ? { lesson: one.id } : { error: `There is no lesson ${argument}; the lessons are 1 to ${all.lessons.length}.` };
  }

  #waiting() {
    if (this.lesson) return;
    const what = el("span", {}, "the lesson");
    show(this, el("h1", {}, "Lesson"), el("p", { class: "waiting muted", role: "status" }, "Loading ", what, "…"));
    this.stop = onStatus((status) => {
      if (status.state === "loading") what.textContent = `the lesson (${status.what ?? "the engine"} is still loading)`;
    });
  }

  #unread(error, source) {
    this.lesson = null;
    document.title = "Lesson · uriproof";
    show(
      this,
      el("nav", { class: "crumbs", "aria-label": "Where you are" }, el("a", { href: write("lessons") }, "All lessons")),
      el("h1", {}, "This lesson cannot be shown"),
      error.code === "unavailable" ? failed(error, () => this.#load()) : errors(error, source),
    );
  }

  #draw(at) {
    const { lesson } = this;
    const own = this.fields.source !== undefined;
    document.title = `${own ? "" : `Lesson ${lesson.number}: `}${plain(lesson.title)} · uriproof`;
    this.tabs = el("ol", { class: "exercises", "aria-label": "Exercises" });
    this.place = el("div", {});
    const link = own ? linkTo(this.fields.source) : null;
    const sheet = own ? { source: this.fields.source } : { lesson: lesson.id };
    const tooLong = own && !link;
    show(
      this,
      el(
        "nav",
        { class: "crumbs", "aria-label": "Where you are" },
        el("a", { href: write("lessons") }, "All lessons"),
        el("a", { href: tooLong ? write("sheet", "own") : write("sheet", null, sheet) }, "Print as a class sheet"),
        own ? copier(link) : null,
      ),
      el(
        "header",
        { class: "lesson-head" },
        el("span", { class: "numeral", "aria-hidden": "true" }, own ? "✎" : lesson.number),
        el(
          "div",
          {},
          el("h1", {}, own ? null : el("span", { class: "sr" }, `Lesson ${lesson.number}: `), words(lesson.title)),
          el("p", { class: "muted" }, words(lesson.concept), lesson.cited ? ` · ${lesson.cited}` : ""),
        ),
      ),
      (this.intro = introduction(lesson)),
      lesson.exercises.length > 1 ? this.tabs : null,
      this.place,
      this.#foot(),
    );
    this.#exercise(at);
  }

  // `moved`: the person asked for it, so the focus goes there.
  #exercise(at, moved = false) {
    const { lesson } = this;
    const one = lesson.exercises[at];
    if (this.fields.source === undefined) visit(lesson.id, at);
    this.#tabs(at);
    // What was finished begins anew when someone goes back to it.
    if (moved && begun(this.key, one.id).steps.length >= one.steps.length) keep(this.key, one.id, null);
    // Who has read it once can have it again: the question is what one needs to see.
    this.intro.open = at === 0 && !Object.keys(done(this.key)).length;
    if (moved && this.fields.source === undefined) replace("lesson", lesson.id, at ? { exercise: at + 1 } : {});
    const view = new Exercise(one, {
      name: `Exercise ${at + 1} of ${lesson.exercises.length}`,
      on: at + 1 < lesson.exercises.length ? "Next exercise" : "Finish the lesson",
      legend: lesson.legend,
      kept: begun(this.key, one.id),
      keep: (kept) => keep(this.key, one.id, kept),
      answered: (step, value, answer) => record(this.key, one.id, step, value, answer),
      ask: (step, fields) => kept(this.kept, { do: "answer", ...this.fields, exercise: one.id, step, ...fields }),
      request: (request) => kept(this.kept, request),
      finished: (how) => {
        finish(this.key, one.id, how);
        this.#tabs(at);
      },
      next: () => {
        keep(this.key, one.id, null);
        if (at + 1 < lesson.exercises.length) this.#exercise(at + 1, true);
        else this.#end();
      },
    });
    this.shown = view;
    show(this.place, view.element);
    if (moved) view.heading.focus();
  }

  // The exercises, with signs on those that are done, in this tab or another.
  #tabs(at) {
    this.at = at;
    const finished = done(this.key);
    this.lesson.exercises.forEach((each, number) => {
      const item = this.tabs.children[number] ?? this.tabs.appendChild(el("li", {}, el("button", { type: "button", onclick: () => this.#exercise(number, true) })));
      const button = item.firstChild;
      if (number === at) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      show(button, Object.hasOwn(finished, each.id) ? ticked(finished[each.id]) : null, `Exercise ${number + 1}`);
    });
  }

  #end() {
    const { lesson } = this;
    const title = el("h2", { tabindex: "-1" }, "✓ The lesson is done");
    const next = this.fields.source === undefined ? lesson.next : null;
    this.place.querySelector(".finished")?.remove();
    this.place.append(
      el(
        "section",
        { class: "finished" },
        title,
        prose(lesson.summary),
        el(
          "p",
          {},
          next ? el("a", { class: "button main", href: write("lesson", next.id) }, "Next lesson: ", words(next.title)) : el("a", { class: "button main", href: write("lessons") }, "Back to all lessons"),
        ),
      ),
    );
    title.focus();
  }

  #foot() {
    const { lesson } = this;
    const own = this.fields.source !== undefined;
    return el(
      "nav",
      { class: "lesson-foot", "aria-label": "Lessons" },
      !own && lesson.previous ? el("a", { href: write("lesson", lesson.previous.id) }, "← ", words(lesson.previous.title)) : el("span", {}),
      !own && lesson.next ? el("a", { href: write("lesson", lesson.next.id) }, words(lesson.next.title), " →") : null,
    );
  }
}

// The sign of an exercise that is done, and in words how.
function ticked(how) {
  const [sign, said] = how === "missed" ? ["↻", "done, with a wrong answer: "] : how === "shown" ? ["?", "done, with an answer shown: "] : ["✓", "done: "];
  return el("span", { class: "done" }, el("span", { "aria-hidden": "true" }, `${sign} `), el("span", { class: "sr" }, said));
}

// What the lesson is about: it folds away once an exercise is done.
function introduction({ introduction, productions, legend }) {
  return el("details", { class: "intro", open: true }, el("summary", {}, "What this lesson is about"), prose(introduction), rules(productions), signs(legend, productions.length > 0));
}

// The productions that the lesson is about, as the grammar writes them.
function rules(productions) {
  if (!productions?.length) return null;
  const where = (one) => (one.grammar !== "rfc3986" ? (one.section === "-" || !one.section ? ` (grammar ${one.grammar})` : ` (grammar ${one.grammar}, ${section(one.section)})`) : ` (${section(one.section)})`);
  return el("dl", { class: "productions" }, productions.map((one) => [
    el("dt", {}, one.gloss, one.grammar === "grammar" ? null : where(one)),
    el("dd", {}, el("pre", { class: "lesson-abnf", tabindex: "0" }, el("code", {}, compact(one.abnf)))),
  ]));
}

// A button that copies the link with the lesson inside, or says why there is none.
function copier(link) {
  const said = el("span", { role: "status" });
  if (!link) return el("span", {}, "This lesson is too long for a link: send the file, or put it beside this page and link to it.");
  const copy = async () => {
    if (await copied(link)) {
      const only = onlyHere();
      const words = only ? `Copied.${only} To a class, send the file, or put it beside a page that you host.` : "Copied: whoever opens the link has this lesson.";
      return void (said.textContent = words);
    }
    const field = el("input", { type: "text", readonly: true, value: link, "aria-label": "The link to copy" });
    show(said, "Copy this link: ", field);
    field.select();
  };
  return el("span", { class: "row" }, el("button", { type: "button", onclick: copy }, "Copy link"), said);
}

customElements.define("uri-lesson", Lesson);
