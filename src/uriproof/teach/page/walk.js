// The instant layer: what a text is under a rule, from the tables of that rule alone.
//
// Owns what the page shows while a text is typed. Imports the examination of texts; no DOM, so that
// it runs in Node, too. Invariant: it holds no grammar, never throws, whatever the text, and takes
// time linear in it. Offsets are code points.
//
//   const rule = prepare(await (await fetch("tables/rfc3986/URI.json")).json());
//   walk(rule, "a b").blamed
//
// `walk` gives {
//   ok,          the verdict
//   length,      of the text
//   viable,      the length of the longest prefix that something valid starts with
//   next,        what may stand there: [{path, word, ranges: [[first, last], …], escape}]
//   components,  [{name, production, start, end}], in text order
//   characters,  for each: {component, production, path, word, words, ambiguous}
//   blamed,      [{start, end, component, production, path, kind, exact}], in text order
// }
//
// `escape` is the rule of an escape sequence that the element would go on with, or null.
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
      escape: item.escaping ? plan.tables.escape : null,
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

const NOTHING = {
  component: null,
  production: null,
  path: [],
  word: null,
  words: [],
  ambiguous: [],
};

// Characters that are read alike share an object.
function characters(plan, points, { pieces }) {
  const found = points.map(() => NOTHING);
  let before;
  let end = 0;
  for (const piece of [...pieces, undefined]) {
    const start = piece?.start ?? points.length;
    for (let at = end; at < start; at++) {
      found[at] = { ...NOTHING, ...plan.delimiter(points[at], before, piece) };
    }
    if (!piece) break;
    const readings =
      piece.productions === null ? [] : plan.readings(piece, points.slice(start, piece.end));
    const [first = []] = readings;
    const known = new Map();
    for (let at = piece.start; at < piece.end; at++) {
      const meant = first[at - start];
      let made = known.get(meant);
      if (made === undefined || readings.length > 1) {
        const others = readings.slice(1).map((reading) => reading[at - start]);
        made = {
          ...NOTHING,
          component: piece.component,
          ...meant,
          ambiguous: others.filter((o) => o),
        };
        known.set(meant, made);
      }
      found[at] = made;
    }
    before = piece;
    end = Math.max(end, piece.end);
  }
  return found;
}
