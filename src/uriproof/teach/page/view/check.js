// The verdict, and what is behind it: violations with fixes, what may come next, ambiguity, advice.
// Owns the words of the verdict, and the fixes that are applied. Imports the building of elements.
// Invariant: the verdict is of the present text, from the tables at once, or from the engine; until
// the engine has answered, no number of violations is told.

import { named, points, shown } from "./characters.js";
import { after, el, show, spaced } from "./dom.js";
import { status } from "./engine.js";

const many = (count, one, more = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
const article = (rule) => (/^(IP|[AEFHILMNORSX](?![a-z])|[aeio])/.test(rule) ? "an" : "a");

export function verdict(bench) {
  const { walked, report, rule } = bench;
  if (bench.trouble?.faults) return { state: "none", words: "No verdict: the grammar cannot be used" };
  if (bench.trouble && !walked) return { state: "none", words: bench.trouble.message };
  const ok = report?.ok ?? walked?.ok;
  if (ok === undefined) return { state: "none", words: rule ? "Checking…" : "Reading the grammar…" };
  if (ok) return { state: "ok", words: `Valid: this is ${article(rule)} ${rule}` };
  if (walked && walked.viable === walked.length) {
    return { state: "open", words: walked.length ? `Not yet ${article(rule)} ${rule}: nothing wrong so far, but it is not complete` : `Empty, which is not ${article(rule)} ${rule}: begin to type` };
  }
  const found = report ? many(report.violations.length + report.more, "violation") : soFar(bench);
  return { state: "bad", words: `Not ${article(rule)} ${rule}: ${found}` };
}

// What is known before the engine answers: of a text that can be divided in two ways, the verdict alone.
function soFar({ trouble, walked: { blamed } }) {
  if (trouble || status.state === "failed") return blamed.length ? "only the first violation is marked" : "where, the engine would say";
  return blamed.length ? "only the first violation is marked so far" : "looking for the violations…";
}

const SIGNS = { ok: "✓", bad: "✗", open: "…", none: "·" };

class Verdict extends HTMLElement {
  connectedCallback() {
    if (this.line) return;
    const { bench } = this;
    this.line = el("p", { id: "verdict" });
    this.next = el("p", { class: "next", tabindex: 0, role: "group", "aria-label": "What may come next" });
    this.spoken = el("p", { class: "sr", role: "status" });
    this.append(this.line, this.next, this.spoken);
    this.speak = after(900, () => (this.spoken.textContent = verdict(bench).words));
    bench.on("text walked engine", () => this.#draw());
    this.#draw();
  }

  #draw() {
    const { bench } = this;
    const { state, words } = verdict(bench);
    this.dataset.verdict = state;
    show(this.line, el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[state]), words);
    if (words !== this.last) this.speak();
    this.last = words;
    const { walked } = bench;
    const place = walked && walked.viable < walked.length ? `At ${walked.viable} the grammar expects` : "May come next";
    this.next.hidden = !walked;
    const next = [...new Set((walked?.next ?? []).map((item) => item.word))];
    const items = next.map((word) => {
      const paths = walked.next.filter((item) => item.word === word).map((item) => item.path.join(" › "));
      return el("code", { class: "chip", title: paths.join("\n") }, word);
    });
    const nothing = walked?.next ? "nothing: no text goes on from here" : "…";
    show(this.next, el("span", { class: "muted" }, place, ": "), items.length ? items : el("span", { class: "muted" }, nothing));
  }
}

class Check extends HTMLElement {
  connectedCallback() {
    if (this.bound) return;
    this.bound = true;
    const { bench } = this;
    this.body = el("div", {});
    this.explain = el("button", { type: "button", class: "small", title: "Show what is expected, and the rule", onclick: () => bench.set("explained", !bench.explained) }, "Explain");
    this.all = el("button", { type: "button", class: "main small", onclick: () => this.#fix(this.#fixes()) }, "Apply all fixes");
    this.undo = el("button", { type: "button", class: "small", onclick: () => this.#back() }, "Undo");
    this.append(el("div", { class: "row spread" }, this.explain, el("div", { class: "row" }, this.all, this.undo)), this.body);
    const soon = after(50, () => this.#draw());
    bench.on("text walked", soon);
    bench.on("engine tree explained", () => this.#draw());
    this.#draw();
  }

  #fixes() {
    return (this.bench.report?.violations ?? []).map((violation) => violation.fix).filter(Boolean);
  }

  #fix(fixes) {
    const all = points(this.bench.text);
    for (const fix of [...fixes].sort((a, b) => b.start - a.start)) {
      all.splice(fix.start, fix.end - fix.start, ...points(fix.replacement));
    }
    this.#replace(all.join(""));
  }

  #replace(text) {
    this.bench.write(text, true);
    this.bench.put = this.bench.text;
    this.field.area.focus();
  }

  #back() {
    this.bench.undo();
    this.field.area.focus();
  }

  #draw() {
    const { bench } = this;
    const { report, tree, walked } = bench;
    this.explain.setAttribute("aria-pressed", String(bench.explained));
    const fixes = this.#fixes();
    this.all.disabled = !fixes.length;
    this.all.textContent = fixes.length > 1 ? `Apply all ${fixes.length} fixes` : "Apply the fix";
    this.undo.disabled = !bench.undoable;
    const found = report?.violations ?? walked?.blamed ?? [];
    const more = report?.more ?? 0;
    const meant = report?.suggestions ?? [];
    const hints = found.map((one) => one.hint).filter((hint) => hint?.endsWith("."));
    const reasons = [...new Set([...meant.map((one) => one.reason), ...hints])];
    const list = bench.explained ? found : found.filter((one) => !reasons.includes(one.hint));
    show(
      this.body,
      bench.trouble ? this.#trouble(bench.trouble) : null,
      reasons.length ? this.#suggestions(reasons, meant) : null,
      list.length ? el("ol", { class: "violations" }, list.slice(0, 100).map((one) => this.#violation(one))) : found.length ? null : el("p", { class: "muted none" }, report?.ok || walked?.ok ? "No violations." : bench.trouble ? "" : "Nothing to show yet."),
      list.length && !report ? el("p", { class: "muted" }, bench.trouble || status.state === "failed" ? "There may be more: the engine, which finds them all, has not answered." : "There may be more: the engine finds them all, in a moment.") : null,
      list.length > 100 || more ? el("p", { class: "muted" }, `and ${many(more + Math.max(0, list.length - 100), "more violation", "more violations")}`) : null,
      (tree?.derivation.ambiguities ?? []).slice(0, 5).map((one) => this.#ambiguity(one)),
      (report?.advice ?? []).map((one) => this.#advice(one)),
    );
  }

  // What the engine could not read. Of a grammar: each place, and the way to it.
  #trouble({ message, faults }) {
    if (!faults) return el("p", { class: "trouble" }, message);
    return [
      el("ul", { class: "plain faults" }, faults.slice(0, 20).map((one) => el("li", {}, el("b", {}, `Line ${one.line}, column ${one.column}: `), one.message))),
      el("button", { type: "button", class: "small", onclick: () => this.bench.set("tab", "grammar") }, "Open the grammar"),
    ];
  }

  #violation(one) {
    const { bench } = this;
    const found = bench.points.slice(one.start, one.end).join("");
    const around = [
      el("span", { class: "muted" }, shown(bench.points.slice(Math.max(0, one.start - 12), one.start).join(""))),
      el("mark", { class: "blamed" }, spaced(shown(found, 24)) || "⌃"),
      el("span", { class: "muted" }, shown(bench.points.slice(one.end, one.end + 12).join(""))),
    ];
    const fix = one.fix;
    return el(
      "li",
      {},
      el("button", { type: "button", class: "link where", title: "Select these characters", onclick: () => this.field.reveal(one.start, one.end) }, el("span", { class: "muted" }, `${one.start} `), el("span", { class: "mono" }, around)),
      el("p", {}, one.message ?? `${found ? named(points(found)[0]) : "Something"} ${found ? "is not allowed here" : "is missing here"} (${one.production ?? one.component}).`),
      one.message ? this.#production(one) : null,
      fix ? el("button", { type: "button", class: "small fix", onclick: () => this.#fix([fix]) }, "Fix: ", fix.end > fix.start ? el("del", { class: "mono" }, spaced(shown(bench.points.slice(fix.start, fix.end).join(""), 16))) : null, fix.end > fix.start ? " → " : null, el("ins", { class: "mono" }, shown(fix.replacement, 24) || "(remove)")) : null,
    );
  }

  // The production that is not met; on request also what it expects, its rule, and the hint.
  #production({ production, section, expected, rule, hint }) {
    const about = el("p", { class: "muted small" }, [production, section].filter(Boolean).join(", "));
    if (!this.bench.explained) return about;
    return [
      expected.length ? el("p", { class: "small" }, "Expected: ", el("code", {}, [...new Set(expected)].join(" / "))) : null,
      rule ? el("pre", { class: "small wrap" }, rule) : null,
      hint && !hint.endsWith(".") ? el("p", { class: "small" }, "Hint: ", hint) : null,
      about,
    ];
  }

  // What the whole text is, and what was probably meant. It stands for the sentences about
  // characters that it explains, which are shown on request.
  #suggestions(reasons, all) {
    const choose = (text) => this.#replace(text);
    return el(
      "section",
      { class: "note suggestions" },
      el("p", {}, reasons.join(" "), all.length ? " Did you mean:" : null),
      el("ul", { class: "plain" }, all.map((one) => el("li", {}, el("button", { type: "button", class: "small mono", title: "Put this text in place of yours", onclick: () => choose(one.text) }, shown(one.text, 80))))),
    );
  }

  #ambiguity(one) {
    const text = shown(this.bench.points.slice(one.start, one.end).join(""), 30);
    const [first, ...others] = one.alternatives;
    return el(
      "section",
      { class: "note ambiguity" },
      el("h3", {}, "Ambiguous: ", el("span", { class: "mono" }, one.rule)),
      el("p", {}, el("code", {}, text || "the empty text"), first ? [" can be read as ", el("b", { class: "mono" }, first), " or as ", others.map((other, at) => [at ? " or as " : "", el("span", { class: "mono" }, other)])] : [" can be divided in ", String(one.ways), " ways"], "."),
      el("p", { class: "small" }, first ? ["It is ", el("b", { class: "mono" }, first), ": "] : null, one.reason, "."),
    );
  }

  #advice(one) {
    return el("section", { class: "note advice" }, el("h3", {}, "Advice: ", one.title ?? one.code), el("p", {}, one.message), one.why ? el("details", {}, el("summary", {}, "Why"), el("p", { class: "small" }, one.why)) : null);
  }
}

customElements.define("uri-verdict", Verdict);
customElements.define("uri-check", Check);
