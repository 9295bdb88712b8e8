// One exercise: predict, run, light, explain, each open when the one before is done.
//
// Owns the order of the steps, what is said after each, and where the focus goes. Imports the forms,
// the report and the diagram. Invariant: an answer can always be shown; a step that is open never
// tells more than the engine has said; whatever fails can be tried again.

import { el, show } from "./dom.js";
import { failed, said } from "./lesson-answer.js";
import { choices, positions, writing } from "./lesson-forms.js";
import { liveFor } from "./lesson-live.js";
import { rails } from "./lesson-rails.js";
import { run } from "./lesson-run.js";
import { prose, specimen, words } from "./lesson-text.js";
import { observed } from "./lesson-observed.js";

const TITLES = {
  predict: ["Predict", "before anything is run"],
  run: ["Run", "what the engine says"],
  light: ["Light", "the production in its diagram"],
  explain: ["Explain", "why it is so"],
};

export class Exercise {
  // `host`: number, of, ask(step, fields), request(request), last, finished(how), next().
  constructor(data, host) {
    this.data = data;
    this.host = host;
    this.how = "right";
    this.predicted = null;
    this.heading = el("h2", { tabindex: "-1" }, `Exercise ${host.number} of ${host.of}: `, words(data.title));
    this.list = el("ol", { class: "steps" });
    this.steps = data.steps.map((name, at) => this.#step(name, at));
    this.list.append(...this.steps.map((one) => one.element));
    this.element = el("section", { class: "exercise", "aria-label": `Exercise ${host.number}` }, this.#head(), this.list);
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
      data.rule
        ? el("p", { class: "as" }, "Read as ", el("code", {}, data.rule), data.grammar && data.grammar !== "rfc3986" ? [" of the grammar ", el("code", {}, data.grammar)] : null, data.query ? ["; the query as ", el("code", {}, data.query)] : null)
        : null,
    );
  }

  #step(name, at) {
    const [title, about] = TITLES[name];
    const heading = el("h3", { tabindex: "-1" }, el("span", { class: "sr" }, `Step ${at + 1}: `), title, el("small", {}, about));
    const body = el("div", {});
    const badge = el("span", { class: "badge", "aria-hidden": "true" }, at + 1);
    return { name, heading, body, badge, element: el("li", { class: "step later" }, badge, heading, body) };
  }

  #open(at, moved = true) {
    const step = this.steps[at];
    if (!step) return;
    step.element.className = "step now";
    step.element.setAttribute("aria-current", "step");
    if (step.name === "run") this.#run(step, at);
    else this.#ask(step, at);
    if (moved) {
      step.heading.focus({ preventScroll: true });
      step.element.scrollIntoView({ block: "nearest" });
    }
  }

  #settled(step, state) {
    step.element.className = `step ${state}`;
    step.element.removeAttribute("aria-current");
    show(step.badge, { right: "✓", wrong: "✗", shown: "?" }[state]);
    if (state === "shown") this.how = "shown";
  }

  // What leads on from a step: to the next one, the next exercise, or the lesson's end.
  #on(at) {
    const last = at + 1 === this.steps.length;
    if (last) this.host.finished(this.how);
    const go = () => {
      button.disabled = !last;
      if (last) return this.host.next();
      button.remove();
      this.#open(at + 1);
    };
    const next = this.steps[at + 1]?.name;
    const label = last ? (this.host.last ? "Finish the lesson" : "Next exercise") : `Go on: ${TITLES[next][0].toLowerCase()}`;
    const button = el("button", { type: "button", class: "main", onclick: go }, label);
    return button;
  }

  // A question: predict, light or explain.
  #ask(step, at) {
    const form = this.#form(step);
    const before = step.name === "predict" && this.steps[at + 1]?.name === "run";
    const live = el("div", { role: "status" });
    const actions = el("div", { class: "actions" });
    const submit = el("button", { type: "submit", class: "main" }, before ? "Run it" : "Check");
    const reveal = el("button", { type: "button", onclick: () => answered({ show: true }) }, "Show answer");
    let busy = false;

    const answered = async (fields) => {
      if (busy) return;
      busy = true;
      show(live, el("p", { class: "waiting muted" }, "Checking; this may wait for the engine to load."));
      const answer = await this.host.ask(step.name, fields);
      busy = false;
      if (answer.error) return show(live, failed(answer.error, () => answered(fields)));
      const value = fields.show ? answer.answer : fields.value;
      if (fields.show || answer.right || before) {
        form.settle(value, fields.show || answer.right);
        this.#lit(form, answer, step);
        this.predicted = step.name === "predict" ? { value, answer, shown: Boolean(fields.show) } : this.predicted;
        this.#settled(step, fields.show ? "shown" : answer.right ? "right" : "wrong");
        if (before) {
          show(live);
          actions.remove();
          return this.#open(at + 1);
        }
        show(live, this.#words(answer, fields.show, step));
        const on = this.#on(at);
        show(actions, on);
        on.focus();
      } else {
        form.mark?.(value, false);
        show(live, said(answer));
        submit.textContent = "Check again";
      }
    };

    const asked = el(
      "form",
      {
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          const value = form.value();
          if (value !== null) return answered({ value });
          show(live, el("p", { class: "error" }, form.empty ?? "Choose an answer first, or let it be shown."));
          form.focus();
        },
      },
      form.element,
      actions,
    );
    show(actions, submit, reveal);
    show(step.body, asked, live);
  }

  #words(answer, shown, step) {
    if (!shown) return said(answer);
    const text = typeof answer.answer === "string" && step.name === "predict" ? el("code", {}, answer.answer) : null;
    return el("div", { class: "said shown" }, el("p", { class: "sign" }, "The answer", text ? [": ", text] : null), answer.why ? el("p", {}, words(answer.why)) : null);
  }

  #form(step) {
    const { data } = this;
    const asked = data[step.name];
    const legend = words(asked.question);
    if (step.name === "explain" || asked.options) {
      if (step.name === "light") return this.#light(asked, legend);
      return choices(legend, asked.options.map((one) => ({ value: one.value, label: one.text ?? one.label })), { columns: asked.options.length === 2 && step.name === "predict" });
    }
    if (asked.kind === "position") return { ...positions(legend, data.text), empty: "Choose a character first, or let the answer be shown." };
    const live = asked.kind === "write" ? liveFor(data.rule, data.grammar) : null;
    const hint = (asked.conditions ?? []).map((one) => el("li", {}, words(one)));
    const written = writing(legend, { value: asked.start ?? "", live });
    if (hint.length) written.element.firstChild.after(el("ul", { class: "conditions" }, hint));
    return { ...written, empty: "Write a text first, or let the answer be shown." };
  }

  // A list, and the same choice as boxes of a railroad diagram.
  #light(asked, legend) {
    const options = asked.options.map((one) => (typeof one === "string" ? { value: one, label: one } : { value: one.value, label: one.text ?? one.label ?? one.value }));
    const name = (one) => (typeof one.label === "string" ? one.label : one.label.map((piece) => piece.text).join(""));
    const list = choices(legend, options.map((one) => ({ ...one, label: name(one), code: true })), { columns: true });
    if (!asked.diagram) return list;
    const place = el("div", { class: "rails", tabindex: "0", role: "region", "aria-label": `Railroad diagram of ${asked.diagram}; its boxes can be chosen, as in the list` });
    const about = el("p", { class: "legend" }, "Choose a box of the diagram, or a line of the list.");
    const wrap = el("div", {}, list.element.firstChild, place, about, list.element);
    const fieldset = list.element;
    fieldset.prepend(wrap.firstChild);
    const form = { ...list, element: wrap };
    let settled = null;
    place.hidden = about.hidden = true;
    this.host.request({ do: "railroad", grammar: this.data.grammar, rule: asked.diagram }).then((answer) => {
      if (answer.error) return;
      const find = (label) => options.find((one) => name(one) === label);
      const drawn = rails(answer.drawing, options.map(name), (label) => {
        list.choose(find(label).value);
        drawn.choose(label);
      });
      for (const input of list.inputs) {
        input.addEventListener("change", () => drawn.choose(name(options.find((one) => JSON.stringify(one.value) === JSON.stringify(list.of(input))))));
      }
      show(place, drawn.element);
      place.hidden = about.hidden = false;
      form.drawn = drawn;
      if (settled) settled();
    });
    form.settle = (value, right) => {
      list.settle(value, right);
      settled = () => {
        form.drawn.choose(null);
        form.drawn.settle();
        form.drawn.light(form.lit ?? []);
        about.textContent = form.lit?.length ? "The path that the text takes is drawn thick." : "";
      };
      form.light = (places) => {
        form.lit = places;
        if (form.drawn) settled();
      };
      if (form.drawn) settled();
    };
    return form;
  }

  #lit(form, answer, step) {
    if (step.name === "light" && form.light) form.light(answer.lit ?? []);
  }

  async #run(step, at) {
    const { data } = this;
    show(step.body, el("p", { class: "waiting muted", role: "status" }, "Running; this may wait for the engine to load."));
    const check = (text) => this.host.request({ do: "check", text, rule: data.rule, grammar: data.grammar, ...(data.query ? { query: data.query } : {}) });
    const texts = [data.text, data.other].filter((one) => typeof one === "string");
    const reports = await Promise.all(texts.map(check));
    const wrong = reports.find((one) => one.error);
    if (wrong) return show(step.body, failed(wrong.error, () => this.#run(step, at)));
    const { predicted } = this;
    const on = this.#on(at);
    show(
      step.body,
      reports.map((one, number) => run(number || !predicted || predicted.shown ? null : this.#predictedWords(predicted.value), one.report, data.rule, data.grammar)),
      data.observed ? observed(data.observed, data.text) : null,
      data.run?.note?.length ? el("div", { class: "note" }, typeof data.run.note === "string" || data.run.note[0]?.kind ? prose(data.run.note) : el("p", {}, words(data.run.note))) : null,
      el("div", { role: "status" }, predicted ? this.#words(predicted.answer, predicted.shown, { name: "predict" }) : null),
      el("div", { class: "actions" }, on),
    );
    this.#settled(step, "right");
  }

  #predictedWords(value) {
    const { predict, text } = this.data;
    const option = predict.options?.find((one) => JSON.stringify(one.value) === JSON.stringify(value));
    if (option) return words(option.text ?? option.label);
    if (predict.kind === "position") return value >= Array.from(text).length ? "something is missing at the end" : `the first violation is at ${value}`;
    return String(value);
  }
}
