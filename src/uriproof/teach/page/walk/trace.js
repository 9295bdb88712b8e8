// A trace: an automaton that remembers, at every state, what was being read.
//
// Owns the reading of a trace's text form (docs/teach/tables.md). Imports nothing. Invariant: holds
// no grammar; all that it knows of one stands in the tables.

const DEAD = -1;
const ASCII = 128; // below, the class of a code point is looked up, and not searched for

// Ranges, as numbers: 1-4,6.
export function numbers(ranges) {
  const found = [];
  for (const run of ranges ? ranges.split(",") : []) {
    const [low, high = low] = run.split("-").map(Number);
    for (let number = low; number <= high; number++) found.push(number);
  }
  return found;
}

// The items of the tables: each an element that could stand next.
export function readItems(tables) {
  const paths = tables.paths.map((path) => path.split(" "));
  return tables.items.map((line) => {
    const [path, distance, classes, flags, ...word] = line.split(" ");
    return {
      path: paths[path],
      word: word.join(" "),
      classes: new Set(numbers(classes)),
      distance: Number(distance),
      escaping: flags.includes("e"),
      begun: flags.includes("b"),
      inside: flags.includes("i"),
      looping: flags.includes("o"),
      literal: flags.includes("l"),
    };
  });
}

export class Trace {
  constructor(raw, items) {
    this.starts = raw.starts;
    this.ids = raw.classes;
    this.size = raw.classes.reduce((most, id) => Math.max(most, id), 0) + 1;
    this.items = [];
    this.rows = [];
    this.accepting = [];
    for (const line of raw.states) this._readState(line, items);
    this.escaping = this.items.map((found) => found.length > 0 && found.every((i) => i.escaping));
    this._ascii = Array.from({ length: ASCII }, (_, point) => this._find(point));
  }

  _readState(line, items) {
    const accepts = line.startsWith("!");
    const [listed, moves] = (accepts ? line.slice(1) : line).split("|");
    this.accepting.push(accepts);
    this.items.push(
      listed.startsWith("=")
        ? this.items[listed.slice(1)]
        : numbers(listed).map((number) => items[number]),
    );
    let row = null;
    for (const move of moves ? moves.split(" ") : []) {
      if (move.startsWith("=")) {
        row = this.rows[move.slice(1)].slice();
        continue;
      }
      row ??= new Int16Array(this.size).fill(DEAD);
      const [classes, target] = move.split(">");
      for (const class_ of numbers(classes)) row[class_] = target;
    }
    this.rows.push(row ?? new Int16Array(this.size).fill(DEAD));
  }

  // The class of a code point: that of the last interval that starts at or before it.
  classOf(point) {
    return point < ASCII ? this._ascii[point] : this._find(point);
  }

  _find(point) {
    let low = 0;
    let high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= point) low = middle;
      else high = middle;
    }
    return this.ids[low];
  }

  encode(points) {
    return points.map((point) => this.classOf(point));
  }

  // The code points of some classes, as [first, last].
  ranges(classes) {
    const found = [];
    this.ids.forEach((id, i) => {
      if (!classes.has(id)) return;
      const end = (this.starts[i + 1] ?? 0x110000) - 1;
      const last = found.at(-1);
      if (last && last[1] === this.starts[i] - 1) last[1] = end;
      else found.push([this.starts[i], end]);
    });
    return found;
  }

  // Where a run from the start comes to, and how far it gets.
  run(points) {
    let state = 0;
    for (let at = 0; at < points.length; at++) {
      const target = this.rows[state][this.classOf(points[at])];
      if (target === DEAD) return { state, at };
      state = target;
    }
    return { state, at: points.length };
  }

  accepts(points) {
    const { state, at } = this.run(points);
    return at === points.length && this.accepting[state];
  }

  // Per state, the least number of code points still missing.
  get distances() {
    if (this._distances) return this._distances;
    const back = this.rows.map(() => []);
    this.rows.forEach((row, state) => {
      for (const target of new Set(row)) if (target !== DEAD) back[target].push(state);
    });
    const distances = this.rows.map(() => this.rows.length + 1);
    const queue = this.rows.map((_, state) => state).filter((state) => this.accepting[state]);
    for (const state of queue) distances[state] = 0;
    for (const state of queue) {
      for (const source of back[state]) {
        if (distances[source] > this.rows.length) {
          distances[source] = distances[state] + 1;
          queue.push(source);
        }
      }
    }
    return (this._distances = distances);
  }

  // Where each item of a state leads: once for each state that it leads to. It is literal where
  // it is one quoted character, and no other of its production would have served as well.
  moves(state) {
    this._moves ??= [];
    if (this._moves[state]) return this._moves[state];
    const found = [];
    for (const item of this.items[state]) {
      const targets = new Set([...item.classes].map((class_) => this.rows[state][class_]));
      for (const target of targets) found.push({ item, target });
    }
    const alike = (move) =>
      found.filter((m) => m.target === move.target && same(m.item.path, move.item.path)).length;
    for (const move of found) move.literal = move.item.literal && alike(move) === 1;
    return (this._moves[state] = found.filter((move) => move.target !== DEAD));
  }

  // The items that start a shortest way to the end.
  needed(state) {
    const least = Math.min(...this.items[state].map((item) => item.distance));
    return this.items[state].filter((item) => item.distance === least);
  }
}

export function same(one, other) {
  return (
    one === other || (one.length === other.length && one.every((name, i) => name === other[i]))
  );
}
