// The instant layer: what a text is under a rule, from the tables of that rule alone.
//
// Owns what the page shows while a text is typed, until the engine answers. Imports the division and
// the automata; no DOM, so that it runs in Node, too. Invariant: it holds no grammar, never throws,
// whatever the text, and takes time linear in it. Offsets are code points.
//
//   const rule = prepare(await (await fetch("tables/rfc3986/URI.json")).json());
//   walk(rule, "a b").blamed
//
// `walk` gives {
//   ok,          the verdict
//   length,      of the text
//   viable,      the length of the longest prefix that something valid starts with
//   next,        what may stand there: [{path, word, ranges: [[first, last], …], escape}]
//   components,  [{name, start, end}], in text order
//   characters,  for each: {component, production, path, word}
//   blamed,      the first violation, [{start, end, component}]; none where the engine has to choose
//                between two ways to divide the text
// }
//
// `escape` is the rule of an escape sequence that the element would go on with, or null. A delimiter
// between components has the component null; from where the whole text is not viable on, the
// production and the word are null.

import { Divider } from "./walk/divide.js";
import { Trace, readItems } from "./walk/trace.js";

class Plan {
  constructor(tables) {
    this.tables = tables;
    this._items = readItems(tables);
    this._traces = new Map();
    this.trace = this.named(tables.rule);
    this.components = new Map(Object.entries(tables.components));
    this.divider = tables.divide && new Divider(tables.divide);
  }

  // The automaton of a production, which is read when the first invalid text needs it.
  named(name) {
    if (!this._traces.has(name)) {
      this._traces.set(name, new Trace(this.tables.traces[name], this._items));
    }
    return this._traces.get(name);
  }
}

export function prepare(tables) {
  return new Plan(tables);
}

export function walk(plan, text) {
  const { trace, tables } = plan;
  const units = typeof text === "string" ? text : Array.from(text).join("");
  const points = Array.from(units, (one) => one.codePointAt(0));
  const read = [];
  const { state, at } = trace.run(points, (from, class_) => read.push([from, class_]));
  const ok = at === points.length && trace.accepting[state];
  const reading = divided(plan, units, points);
  return {
    ok,
    length: points.length,
    viable: at,
    next: trace.items[state].map((item) => ({
      path: item.path,
      word: item.word,
      ranges: (item.ranges ??= trace.ranges(item.classes)),
      escape: item.escaping ? tables.escape : null,
    })),
    components: reading.pieces
      .filter((piece) => !piece.extra)
      .map(({ name, start, end }) => ({ name, start, end })),
    characters: characters(plan, points, reading.pieces, read),
    blamed: ok ? [] : first(plan, points, reading),
  };
}

// The components; whether no other way to divide the text could be better; what is absent.
function divided(plan, units, points) {
  const { component: name, rule } = plan.tables;
  const whole = { name, start: 0, end: points.length, traces: [rule] };
  if (!plan.divider) return { pieces: [whole], sure: true, lacks: [] };
  const place = places(units, points);
  const { pieces, alone, lacks } = plan.divider.read(units);
  for (const piece of pieces) {
    piece.start = place(piece.start);
    piece.end = place(piece.end);
  }
  const begins = pieces.length > 0 && accepted(plan, points, pieces[0]);
  return { pieces, sure: alone || begins, lacks };
}

// How many code points stand before a code unit.
function places(units, points) {
  if (points.length === units.length) return (unit) => unit;
  const found = new Uint32Array(units.length + 1);
  let unit = 0;
  points.forEach((point, at) => {
    found[unit] = at;
    unit += point > 0xffff ? 2 : 1;
  });
  found[unit] = points.length;
  return (at) => found[at];
}

function accepted(plan, points, { start, end, traces = [] }) {
  const own = points.slice(start, end);
  return traces.some((name) => plan.named(name).accepts(own));
}

// The first component that no production accepts is to blame where the one that gets furthest stops.
// None is told where the engine has to choose: between two ways to divide the text, or between what
// is absent and what is there.
function first(plan, points, { pieces, sure, lacks }) {
  if (lacks.some(([, leads]) => leads)) return [{ start: 0, end: 0, component: lacks[0][0] }];
  if (!sure || lacks.length) return [];
  const { component: name, rule } = plan.tables;
  const whole = { name, start: 0, end: points.length, traces: [rule] };
  const piece = pieces.find((one) => !accepted(plan, points, one)) ?? whole;
  const { start, end } = piece;
  if (piece.extra) return [{ start, end, component: piece.name }];
  const own = points.slice(start, end);
  const at = start + Math.max(...piece.traces.map((trace) => plan.named(trace).stops(own)));
  return [{ start: at, end: Math.min(at + 1, end), component: piece.name }];
}

// Characters that are read alike share an object. Of what could stand in a state, an element of the
// component that the character is in is meant; of a delimiter, one that is in none.
function characters(plan, points, pieces, read) {
  const found = [];
  const named = [null, ...pieces.map((piece) => piece.name)].map((name) => [name, new Map()]);
  const known = new Map(named);
  let number = 0;
  for (let at = 0; at < points.length; at++) {
    while (number < pieces.length && pieces[number].end <= at) number += 1;
    const inside = number < pieces.length && pieces[number].start <= at;
    const component = inside ? pieces[number].name : null;
    const alike = known.get(component);
    const key = at < read.length ? `${read[at]}` : "";
    if (!alike.has(key)) alike.set(key, character(plan, component, read[at]));
    found.push(alike.get(key));
  }
  return found;
}

function character({ trace, components, divider }, component, read) {
  const nothing = { component, production: null, path: [], word: null };
  if (!read) return nothing;
  const [state, class_] = read;
  const owner = (path) => components.get(path.findLast((name) => components.has(name))) ?? null;
  const item = trace.items[state].find(
    ({ classes, path }) => classes.has(class_) && (!divider || owner(path) === component),
  );
  return item ? { component, production: item.path.at(-1), path: item.path, word: item.word } : nothing;
}
