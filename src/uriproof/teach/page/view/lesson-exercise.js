// One exercise: predict, run, light, explain, each open when the one before is done; and a question about
// what was wrong some days ago.
//
// Owns the order of the steps, what is said after each, and where the focus goes. Imports the forms and
// what is shown. Invariant: an answer can always be shown; a step that is open never tells more than the
// engine has said; whatever fails can be tried again.

import { el, show } from "./dom.js";
import { ask } from "./engine.js";
import { formFor } from "./lesson-forms.js";
import { reviewed } from "./lesson-progress.js";
import { compared, failed, given, plain, prose, reported, results, said, specimen, words } from "./lesson-said.js";

const TITLES = {
  predict: ["Predict", "before anything is run"],
  run: ["Run", "what the engine says"],
  light: ["Light", "the production in its diagram"],
  explain: ["Explain", "why it is so"],
};

const WRITTEN = { write: ["Write", "a text of your own"], define: ["Write", "a production of your own"] };

export class Exercise {
  // `host`: name, on (what leads on from the last step), legend, ask(step, fields), request(request),
  // answered(step, value, answer), finished(how), next(), and `kept`: {how, steps}, what was answered
  // before a reload.
  constructor(data, host) {
    this.data = data;
    this.host = host;
    this.how = host.kept.how;
    this.restoring = host.kept.steps.length;
    this.predicted = null;
    this.heading = el("h2", { tabindex: "-1" }, `${host.name}: `, words(data.title));
    this.list = el("ol", { class: "steps" });
    this.steps = data.steps.map((asked, at) => this.#step(asked, at));
    this.list.append(...this.steps.map((one) => one.element));
    this.element = el("section", { class: "exercise", "aria-label": host.name }, this.#head(), this.list);
    this.#open(0, false);
  }

  #head() {
    const { data } = this;
    const label = (name) => (data.other || data.base ? el("p", { class: "label" }, name) : null);
    return el(
      "header",
      {},
      this.heading,
      el("div", { class: "task" }, prose(data.task)),
      data.base ? [el("p", { class: "label" }, "Base URI"), specimen(data.base)] : null,
      typeof data.text === "string" ? [label(data.base ? "Reference" : "First text"), specimen(data.text)] : null,
      typeof data.other === "string" ? [label("Second text"), specimen(data.other)] : null,
      data.rule && data.steps.some((one) => ["run", "light"].includes(one.step) || one.kind === "write")
        ? el("p", { class: "as" }, "Read as ", el("code", {}, data.rule), data.grammar && data.grammar !== "rfc3986" ? [" of the grammar ", el("code", {}, data.grammar)] : null, data.query ? ["; the query as ", el("code", {}, data.query)] : null)
        : null,
    );
  }

  #step(asked, at) {
    const name = asked.step;
    const [title, about] = WRITTEN[asked.kind] ?? TITLES[name];
    const heading = el("h3", { tabindex: "-1" }, el("span", { class: "sr" }, `Step ${at + 1}: `), title, el("small", {}, about));
    const body = el("div", {});
    const badge = el("span", { class: "badge", "aria-hidden": "true" }, at + 1);
    return { name, asked, heading, body, badge, element: el("li", { class: "step later" }, badge, heading, body) };
  }

  #open(at, moved = true) {
    const step = this.steps[at];
    if (!step) return;
    if (at >= this.restoring) this.restoring = 0;
    step.element.className = "step now";
    step.element.setAttribute("aria-current", "step");
    if (step.name === "run") this.#run(step, at);
    else this.#ask(step, at);
    if (moved && !this.restoring) {
      step.heading.focus({ preventScroll: true });
      step.element.scrollIntoView({ block: "nearest" });
    }
  }

  #settled(step, state) {
    step.element.className = `step ${state}`;
    step.element.removeAttribute("aria-current");
    show(step.badge, { right: "✓", wrong: "✗", shown: "?" }[state]);
    if (state !== "right") this.#missed(state);
  }

  // Something was not known: an answer that was asked for counts more than a wrong one.
  #missed(state) {
    this.how = state === "shown" || this.how === "shown" ? "shown" : "missed";
    this.#keep();
  }

  // What was answered is kept until the exercise is left, so that a reload does not begin it again.
  #keep(at, fields) {
    const { kept } = this.host;
    kept.how = this.how;
    if (at !== undefined) kept.steps[at] = fields;
    this.host.keep(kept);
  }

  // What leads on from a step: to the next one, the next exercise, or the lesson's end.
  #on(at) {
    const last = at + 1 === this.steps.length;
    if (last && !this.restoring) this.host.finished(this.how);
    const next = this.steps[at + 1]?.name;
    const label = last ? this.host.on : `Go on: ${TITLES[next][0].toLowerCase()}`;
    const button = el("button", { type: "button", class: "main" }, label);
    const go = () => {
      if (last) return this.host.next();
      button.remove();
      this.#open(at + 1);
    };
    button.addEventListener("click", go);
    if (!last && at + 1 < this.restoring) queueMicrotask(go);
    return button;
  }

  // A question: predict, light or explain.
  #ask(step, at) {
    const form = formFor(step.asked, this.data, this.host, (fields) => this.host.ask(step.name, fields));
    // What was predicted is judged beside what the engine says, in the next step.
    const before = step.name === "predict" && this.steps[at + 1]?.name === "run" && !WRITTEN[step.asked.kind];
    const live = el("div", { role: "status" });
    const actions = el("div", { class: "actions" });
    let busy = false;

    const answered = async (fields) => {
      if (busy) return;
      busy = true;
      const patience = setTimeout(() => show(live, el("p", { class: "waiting muted" }, "This is checked as soon as the engine has loaded.")), 150);
      const answer = form.known?.(fields.value) ?? (await this.host.ask(step.name, fields));
      clearTimeout(patience);
      const shown = Boolean(fields.show);
      const again = !shown && !answer.right && !before;
      busy = !answer.error && !again;
      if (answer.error) return show(live, failed(answer.error, () => answered(fields)));
      if (!this.restoring) this.host.answered(step.name, shown ? null : fields.value, answer);
      if (again) {
        this.#missed("wrong");
        form.mark?.(fields.value, false);
        submit.textContent = "Check again";
        return show(live, said(answer));
      }
      const value = shown ? answer.answer.value : fields.value;
      // A diagram that came later would push the button away from under the pointer.
      await form.settle(value, answer.right, plain(answer.answer?.label));
      if (step.name === "predict") this.predicted = { value, answer, shown };
      this.#settled(step, shown ? "shown" : answer.right ? "right" : "wrong");
      this.#keep(at, fields);
      if (before) {
        actions.remove();
        show(live);
        return this.#open(at + 1);
      }
      show(live, shown ? given(answer) : said(answer));
      const on = this.#on(at);
      show(actions, on);
      if (!this.restoring) on.focus();
      if (at + 1 >= this.restoring) this.restoring = 0;
    };

    const submit = el("button", { type: "submit", class: "main" }, before ? "Run it" : "Check");
    show(actions, submit, el("button", { type: "button", onclick: () => answered({ show: true }) }, "Show answer"));
    const submitted = (event) => {
      event.preventDefault();
      const value = form.value();
      if (value !== null) return answered({ value });
      show(live, el("p", { class: "error" }, form.empty ?? "Choose an answer first, or let it be shown."));
      form.focus();
    };
    show(step.body, el("form", { novalidate: true, onsubmit: submitted }, form.element, live, actions));
    const kept = this.restoring > at ? this.host.kept.steps[at] : null;
    if (kept) Promise.resolve(form.ready).then(() => answered(kept));
  }

  async #run(step, at) {
    const { data, predicted } = this;
    show(step.body, el("p", { class: "waiting muted", role: "status" }, "This is shown as soon as the engine has loaded."));
    const answer = await this.host.ask("run", typeof data.text === "string" ? {} : { value: predicted?.value });
    if (answer.error) return show(step.body, failed(answer.error, () => this.#run(step, at)));
    // By now the answer is no secret: who was wrong sees it beside the prediction.
    const predict = at && !WRITTEN[this.steps[at - 1].asked.kind] ? predicted : null;
    const right = predict && (predict.answer.answer ? predict.answer : await this.host.ask("predict", { show: true }));
    if (right?.error) return show(step.body, failed(right.error, () => this.#run(step, at)));
    const own = predict && !predict.shown ? this.#predictedWords(predict.value) : null;
    show(
      step.body,
      right ? compared(own, words(right.answer.label)) : null,
      el("div", { role: "status" }, predict ? (predict.shown ? el("div", { class: "remark" }, prose(right.why)) : said({ ...predict.answer, why: right.why })) : null),
      answer.reports.map(reported),
      answer.results.length ? results(answer.results, answer.reports[0]?.text ?? "") : null,
      el("div", { class: "remark" }, prose(answer.why)),
      el("div", { class: "actions" }, this.#on(at)),
    );
    this.#settled(step, "right");
    if (!this.restoring) this.#keep(at, {});
    if (at + 1 >= this.restoring) this.restoring = 0;
  }

  #predictedWords(value) {
    const { asked } = this.steps[0];
    const option = asked.options?.find((one) => one.value === value);
    if (option) return words(option.label);
    if (asked.kind === "position") return value >= Array.from(this.data.text).length ? "something is missing at the end" : `the first violation is at ${value}`;
    return el("code", {}, String(value));
  }
}

// A question about a misconception that was met before, as an exercise with a new text of the same
// production. `due`: {lesson, exercise, misconception}. `next()` is called when it was answered.
export async function review({ lesson, exercise, misconception }, place, next) {
  const request = { do: "review", lesson, exercise, seed: Math.floor(Math.random() * 1_000_000) };
  show(place, el("p", { class: "waiting muted", role: "status" }, "This is asked as soon as the engine has loaded."));
  const asked = await ask(request);
  if (asked.error) return show(place, failed(asked.error, () => review(...arguments)));
  let counted = false;
  const view = new Exercise(asked.exercise, {
    name: "Again",
    on: "Go on",
    kept: { how: "right", steps: [] },
    keep() {},
    ask: (_, fields) => ask({ ...request, ...fields }),
    answered(_, value, answer) {
      if (!counted) reviewed(lesson, exercise, value !== null && answer.right);
      counted = true;
    },
    finished() {},
    next,
  });
  show(place, el("div", { class: "review" }, el("p", {}, "You once thought: ", el("q", {}, words(misconception))), view.element));
  view.heading.focus();
}
