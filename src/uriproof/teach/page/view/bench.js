// What the playground is about: a text, a rule of a grammar, and all that is known of them.
// Owns the state, the requests, and the hash. Imports the table walk, the engine and the route; no
// DOM. Invariant: what is known (`walked`, `report`, `tree`, `steps`) is of the present text and
// rule, or null; a late answer is dropped.
//
// Events: setup (rule or grammar), rules, text, walked (late), engine, tree, steps, point (hover), select, explained, tab.

import { prepare, walk } from "../walk.js";
import { points } from "./characters.js";
import { after, during } from "./dom.js";
import { ask, drop, latest } from "./engine.js";
import { replace, VERSION } from "./route.js";

const GENERIC = "rfc3986";
export const LARGE = 3_000; // characters: above, the text is not coloured in place, and the engine makes no tree
const HASH_MOST = 60_000; // of the hash: some browsers keep no more of an address
const PAUSE = 160;

export class Bench extends EventTarget {
  text = "";
  points = [];
  rule = "";
  grammar = GENERIC;
  abnf = null; // one's own grammar, or null
  explained = false; // whether each violation is shown with what was expected, and its rule
  step = null; // an offset, or null where nothing is stepped
  tab = "check";
  selected = null; // a number of a node of the tree, or null
  production = null; // the rule whose diagram is shown
  pointed = null; // {start, end, node?, source} that is hovered or focused
  seed = 1;
  base = ""; // a URI that references are resolved against
  compared = null; // the two that the Compare tab was given: [a, b], or null for what the rule suggests

  walked = null;
  report = null;
  resolved = null; // against the base: {ok, text, components}, or {ok: false, reason}
  tree = null; // {derivation}, or with an error
  steps = null;
  trouble = null; // an error of the engine that concerns all
  rules = [];
  grammars = [];
  #plan = null;
  #undo = [];
  #soon = after(PAUSE, () => this.#askAll());
  #save = after(250, () => this.save());
  #slow = after(120, () => this.#walk("walked"));

  on(names, listener) {
    for (const name of names.split(" ")) this.addEventListener(name, listener);
  }

  #tell(name) {
    this.dispatchEvent(new Event(name));
  }

  // All that a link says.
  open(params) {
    const first = this.rule === "";
    const grammar = params.grammar || GENERIC;
    const abnf = params.abnf ?? null;
    const rule = params.rule || (grammar === GENERIC && abnf === null ? "URI" : "");
    this.explained = params.explain === "1";
    this.tab = params.tab || "check";
    this.seed = Number.isSafeInteger(Number(params.seed)) && params.seed ? Math.abs(Number(params.seed)) : 1;
    this.step = /^\d{1,6}$/.test(params.step ?? "") ? Number(params.step) : null;
    this.production = params.show || null;
    this.base = params.base ?? "";
    this.compared = params.a && params.b ? [params.a, params.b] : null;
    const setup = first || grammar !== this.grammar || abnf !== this.abnf || rule !== this.rule;
    this.text = params.text ?? (first ? "http://1.2.3.4:80/a b?q=é#top" : this.text);
    if (setup) this.choose({ grammar, abnf, rule }, true);
    else this.#changed();
    this.#tell("explained");
    this.#tell("tab");
  }

  params() {
    const { text, rule, grammar, abnf, step, seed } = this;
    return {
      v: VERSION,
      text,
      rule: rule === "URI" && abnf === null ? null : rule,
      grammar: grammar === GENERIC ? null : grammar,
      abnf,
      explain: this.explained ? 1 : null,
      tab: this.tab === "check" ? null : this.tab,
      step,
      seed: seed === 1 ? null : seed,
      show: this.production === rule ? null : this.production,
      base: this.base,
      a: this.compared?.[0],
      b: this.compared?.[1],
    };
  }

  save() {
    if (!this.active) return;
    const params = this.params();
    this.unsaved = (params.text.length + (params.abnf ?? "").length) * 3 > HASH_MOST;
    if (this.unsaved) params.text = params.text.length * 3 > HASH_MOST ? null : params.text;
    if (this.unsaved && (params.abnf ?? "").length * 3 > HASH_MOST) params.abnf = null;
    replace("play", null, params);
  }

  common() {
    return this.abnf === null ? { grammar: this.grammar, rule: this.rule } : { abnf: this.abnf, rule: this.rule };
  }

  // Another rule or grammar. What is not given stays; a new grammar begins with its start rule.
  choose(wanted, keep = false) {
    return during(this.#choose(wanted, keep));
  }

  async #choose({ grammar = this.grammar, abnf = this.abnf, rule = this.rule }, keep) {
    const other = grammar !== this.grammar || abnf !== this.abnf;
    Object.assign(this, { grammar, abnf, rule });
    if (!keep) this.production = null;
    this.#plan = null;
    this.#tell("setup");
    const mine = (this.setup = Symbol());
    if (other || !this.rules.length || !rule) {
      const answer = await this.#named();
      if (this.setup !== mine) return;
      if (answer && !answer.error && !this.rules.some((one) => one.name === this.rule)) {
        if (this.rule && !keep) this.rule = answer.start;
        else this.rule ||= answer.start;
      }
      this.#tell("setup");
    }
    if (!this.rule) return this.#changed();
    this.#changed();
    const tables = await this.#tables();
    if (this.setup !== mine || !tables) return;
    this.#plan = prepare(tables);
    if (this.report) this.#stand();
    else this.#walk("walked"); // the text is the same: what the engine said of it meanwhile stays
  }

  // The rules of the grammar. For the generic one the tables are there before the engine is.
  async #named() {
    const wanted = { do: "rules", ...this.common() };
    delete wanted.rule;
    const waiting = latest("rules", wanted).then((answer) => {
      if (!answer) return null;
      this.trouble = answer.error ?? null;
      if (!answer.error) this.rules = answer.rules;
      this.start = answer.start;
      this.#tell("rules");
      return answer;
    });
    return this.rule && this.abnf === null && this.grammar === GENERIC ? null : waiting;
  }

  // Of another grammar there are none: there the engine's answers do.
  async #tables() {
    if (this.abnf !== null || this.grammar !== GENERIC) return null;
    try {
      const found = await fetch(new URL(`../tables/${GENERIC}/${this.rule}.json`, import.meta.url));
      return found.ok ? await found.json() : null;
    } catch {
      return null;
    }
  }

  // The text as typed, or put there by a button: then it can be undone.
  write(text, undo = false) {
    if (text === this.text) return;
    if (undo) this.#undo.push(this.text);
    this.text = text;
    if (this.step !== null) this.step = Math.min(this.step, points(text).length);
    this.#changed();
  }

  get undoable() {
    return this.#undo.length > 0;
  }

  undo() {
    if (this.#undo.length) this.write(this.#undo.pop());
  }

  #changed() {
    this.report = this.resolved = this.tree = this.steps = this.selected = this.pointed = null;
    this.points = points(this.text);
    drop("check");
    drop("explain");
    drop("steps");
    if (this.points.length > LARGE) {
      this.walked = null;
      this.#tell("text");
      this.#slow();
    } else this.#walk("text");
    this.#soon();
    this.#save();
  }

  #walk(event) {
    this.walked = this.#plan ? walk(this.#plan, this.text) : null;
    this.#tell(event);
  }

  async #askAll() {
    if (!this.rule) return;
    const common = { ...this.common(), text: this.text };
    latest("check", { do: "check", ...common, ...(this.base ? { base: this.base } : {}) }).then((answer) => {
      if (!answer || answer.error?.code === "superseded") return;
      this.trouble = answer.error ?? null;
      this.report = answer.report ?? null;
      this.resolved = answer.resolved ?? null;
      this.#stand();
      this.#tell("engine");
    });
    if (this.points.length > LARGE) {
      this.tree = { derivation: { nodes: [], characters: [], rules: {}, ambiguities: [], following: [] }, error: `There is no tree of a text of more than ${LARGE.toLocaleString("en")} characters.` };
      return void this.#tell("tree");
    }
    latest("explain", { do: "explain", ...common }).then((answer) => {
      if (!answer || answer.error) return;
      this.tree = { derivation: answer.derivation };
      this.#stand();
      this.#tell("tree");
    });
    if (this.tab === "step" || this.step !== null) this.askSteps();
  }

  // What the engine says takes the place of the walk, which knows the first violation alone; what may
  // come next, and what a character is read as, stays where the tables tell it.
  #stand() {
    const { report, tree } = this;
    if (!report || this.points.length > LARGE) return;
    const first = this.#plan && walk(this.#plan, this.text);
    const derivation = tree?.derivation;
    const components = Object.entries(report.components).map(([name, { production, start, end }]) => ({ name, production, start, end }));
    const characters = this.points.map((_, at) => {
      if (first?.characters[at].word) return first.characters[at];
      const leaf = derivation?.nodes[derivation.characters[at]];
      const path = [];
      for (let node = leaf && derivation.nodes[leaf.parent]; node; node = derivation.nodes[node.parent]) path.unshift(node.name);
      const component = components.find(({ start, end }) => start <= at && at < end)?.name ?? null;
      return { component, production: path.at(-1) ?? null, path, word: leaf?.name ?? null };
    });
    const following = report.ok || !derivation ? null : derivation.following.map(({ expected, path }) => ({ word: expected, path }));
    const { viable, next } = first ?? { viable: derivation?.viable ?? 0, next: following };
    this.walked = { ok: report.ok, length: this.points.length, viable, next, components, characters, blamed: report.violations };
    this.#tell("walked");
    if (!first && report.ok && derivation) this.#goesOn(this.walked);
  }

  // A derivation says what was expected where a text goes wrong; how a valid one goes on, the steps say.
  async #goesOn(walked) {
    const { length } = walked;
    const answer = await latest("goes on", { do: "steps", ...this.common(), text: this.text, from: length, to: length });
    if (!answer || this.walked !== walked) return;
    walked.next = answer.steps?.at(-1)?.alternatives ?? null;
    this.#tell("walked");
  }

  async askSteps() {
    if (this.steps || !this.rule || this.points.length > LARGE) return;
    const answer = await latest("steps", { do: "steps", ...this.common(), text: this.text });
    if (!answer) return;
    this.steps = answer;
    this.#tell("steps");
  }

  point(pointed) {
    const same = JSON.stringify(pointed) === JSON.stringify(this.pointed);
    this.pointed = pointed;
    if (!same) this.#tell("point");
  }

  // The production whose diagram is shown, and the node that lights it.
  select(production, node = null) {
    this.production = production;
    this.selected = node;
    this.#tell("select");
    this.#save();
  }

  set(key, value) {
    this[key] = value;
    this.#tell(key);
    this.#save();
  }

  base_(base) {
    this.base = base;
    this.resolved = null;
    this.#tell("engine");
    this.#soon();
    this.#save();
  }

  async loadGrammars() {
    if (this.grammars.length) return;
    const answer = await ask({ do: "grammars" });
    this.grammars = answer.grammars ?? [];
    this.#tell("rules");
  }

  about(name) {
    const rules = this.tree?.derivation.rules ?? {};
    const told = Object.hasOwn(rules, name) ? rules[name] : this.rules.find((rule) => rule.name === name);
    return told ? { name, ...told } : null;
  }

  component(name) {
    this.named ??= new Map();
    if (this.named.rules !== this.rules) {
      this.named = new Map(this.rules.map((rule) => [rule.name, rule.component]));
      this.named.rules = this.rules;
    }
    return this.named.get(name) ?? null;
  }
}

