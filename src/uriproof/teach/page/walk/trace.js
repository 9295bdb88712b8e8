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
    const [path, , classes, flags, ...word] = line.split(" ");
    return {
      path: paths[path],
      word: word.join(" "),
      classes: new Set(numbers(classes)),
      escaping: flags.includes("e"),
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

  // Where a run from the start comes to, how far it gets, and where the escape sequence began that
  // it is inside of, or -1. `visit` is called with each state and the class that is read there.
  run(points, visit = () => {}) {
    let state = 0;
    let entered = -1;
    for (let at = 0; at < points.length; at++) {
      const class_ = this.classOf(points[at]);
      const target = this.rows[state][class_];
      if (target === DEAD) return { state, at, entered };
      visit(state, class_);
      if (!this.escaping[target]) entered = -1;
      else if (!this.escaping[state]) entered = at;
      state = target;
    }
    return { state, at: points.length, entered };
  }

  accepts(points) {
    const { state, at } = this.run(points);
    return at === points.length && this.accepting[state];
  }

  // Where the first violation of a text begins that is not accepted: at the end of its longest
  // viable prefix, but at the first character of an escape sequence that is not one.
  stops(points) {
    const { at, entered } = this.run(points);
    return entered < 0 ? at : entered;
  }
}
