// The instant layer: what a text is under a rule, from the tables of that rule alone.
//
// Owns what the page shows while a text is typed. Imports the examination of texts; no DOM, so that
// it runs in Node, too. Invariant: it holds no grammar, never throws, whatever the text, and takes
// time linear in it. Offsets are code points.
//
//   const rule = prepare(await (await fetch("tables/rfc3986/URI.json")).json());
//   walk(rule, "http://a/%zz").blamed
//
// `walk` gives {
//   ok,          the verdict
//   length,      of the text
//   viable,      the length of the longest prefix that something valid starts with
//   next,        what may stand there: [{path, word, ranges: [[first, last], …]}]
//   components,  [{name, production, start, end}], in text order
//   characters,  for each: {component, production, path, word, words, ambiguous}
//   blamed,      [{start, end, component, production, path, kind, exact}], in text order
// }
//
// Of a character, `production` and `word` (an element of it) are what it is read as; both are null
// where it is blamed. A delimiter between components has the component null. `words` are all the
// elements that it could be as far as the text before it says, and `ambiguous` the other
// productions that accept the same component: [{production, path, word}]; the first one in the
// grammar is meant.

import { Plan, Text } from "./walk/examine.js";

export function prepare(tables) {
  return new Plan(tables);
}

export function walk(plan, text) {
  const read = new Text(typeof text === "string" ? text : Array.from(text).join(""));
  const trace = plan.trace();
  const { state, at } = trace.run(read.points);
  const ok = at === read.points.length && trace.accepting[state];
  const examined = plan.examine(read);
  return {
    ok,
    length: read.points.length,
    viable: at,
    next: trace.items[state].map((item) => ({
      path: item.path,
      word: item.word,
      ranges: (item.ranges ??= trace.ranges(item.classes)),
    })),
    components: examined.pieces.filter((p) => p.productions !== null).map(component),
    characters: characters(plan, read.points, examined),
    blamed: examined.placed.map((blame) => ({
      start: blame.start,
      end: blame.end,
      component: blame.component,
      production: blame.path.at(-1),
      path: blame.path,
      kind: blame.kind,
      exact: true,
    })),
  };
}

function component({ component: name, start, end, accepted, candidate }) {
  return { name, production: accepted ? accepted.names[0] : candidate.path.at(-1), start, end };
}

const NOTHING = { component: null, production: null, path: [], word: null, words: [], ambiguous: [] };

function characters(plan, points, { pieces }) {
  const found = points.map(() => NOTHING);
  pieces.forEach((piece) => {
    const inner = points.slice(piece.start, piece.end);
    const readings = piece.productions === null ? [] : plan.readings(piece, inner);
    for (let at = piece.start; at < piece.end; at++) {
      const [meant, ...others] = readings.map((reading) => reading[at - piece.start]);
      found[at] = meant
        ? { component: piece.component, ...meant, ambiguous: others.filter((other) => other) }
        : { ...NOTHING, component: piece.component };
    }
  });
  let before;
  let end = 0;
  for (const piece of [...pieces, undefined]) {
    for (let at = end; at < (piece?.start ?? points.length); at++) {
      found[at] = { ...NOTHING, ...plan.delimiter(points[at], before, piece) };
    }
    before = piece;
    end = piece ? Math.max(end, piece.end) : end;
  }
  return found;
}
