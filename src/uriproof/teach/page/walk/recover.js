// Error recovery: which characters of a text one production does not allow.
//
// Owns how reading goes on after a character that is not allowed where it stands, and what is
// missing. Imports the sets of states. Invariant: blames what uriproof.validate.recovery blames, in
// linear time.

import { DEAD, MAX_NODES, States, remember } from "./states.js";

const MAX_MISSING = 40;
const utf8 = new TextEncoder();

// How far a run got: to accept at the end is further than to come to the end.
const reach = (run, end) => run.at + (run.at === end && run.node.accepting ? 1 : 0);

const last = (path) => path[path.length - 1];

export class Reader extends States {
  // The length of the longest prefix that could be the start of something valid.
  viable(points) {
    const run = this._run(this._start, this.trace.encode(points), 0);
    return run.node.escaping && run.entered >= 0 ? run.entered : run.at;
  }

  // All that is to blame in a text that is not accepted: sorted, disjoint.
  blame(points) {
    if (this._nodes.size > MAX_NODES) this._forget();
    const classes = this.trace.encode(points);
    const end = classes.length;
    const found = [];
    let run = this._run(this._start, classes, 0);
    let plain = run.node; // where reading is if blamed characters are only left out
    while (run.at < end || !run.node.accepting) {
      const { node, at } = run;
      if (node.escaping && run.entered >= 0) {
        const [blame, on] = this._badEscape(run, classes, points);
        add(found, blame);
        run = on;
        plain = run.node;
        continue;
      }
      if (at === end) {
        found.push(this._missingAtEnd(node, at));
        break;
      }
      const passed = this._passed(node, points[at]);
      if (passed.same) {
        const stop = this._sameAgain(node, classes, at, points, passed);
        add(found, blamed(at, stop, "illegal", this._describe(node)));
        run = this._run(node, classes, stop);
        plain = run.node;
        continue;
      }
      const ahead = this._run(passed.beyond, classes, at + 1);
      const putIn = this._putIn(node, classes, at, ahead);
      if (putIn) {
        found.push(blamed(at, at, "missing", putIn.insertion.path));
        run = putIn.run;
        plain = run.node;
        continue;
      }
      add(found, blamed(at, at + 1, "illegal", this._describe(plain)));
      run = ahead;
      if (plain !== passed.beyond) {
        const other = this._run(plain, classes, at + 1);
        plain = other.at === run.at ? other.node : run.node;
      } else {
        plain = run.node;
      }
    }
    return found;
  }

  // The same in an address, where one wrong character makes the rest hard to judge: a few single
  // characters if all else is right then, else all from the first on.
  blameAddress(points, most) {
    if (this._nodes.size > MAX_NODES) this._forget();
    const classes = this.trace.encode(points);
    const end = classes.length;
    const first = this._run(this._start, classes, 0);
    if (first.at === end) return [this._missingAtEnd(first.node, end)];
    const found = [];
    let run = first;
    for (let i = 0; i < most && run.at < end; i++) {
      found.push(blamed(run.at, run.at + 1, "illegal", this._describe(run.node)));
      run = this._run(this._widened(run.node), classes, run.at + 1);
    }
    const right = found.length > 0 && reach(run, end) > end;
    if (right && found.length === 1) return found;
    const insertion = most ? this._insertion(first.node, classes[first.at]) : null;
    if (insertion?.partial) {
      const rest = this._run(insertion.node, classes, first.at + 1);
      if (reach(rest, end) > end) return [blamed(first.at, first.at, "missing", insertion.path)];
    }
    if (!right) return [blamed(first.at, end, "illegal", this._describe(first.node))];
    const joined = [];
    for (const blame of found) add(joined, blame);
    return joined;
  }

  // What each character of a text may be: items, the same array for the same; null if it is blamed.
  reading(points, blames) {
    if (this._nodes.size > MAX_NODES) this._forget();
    let node = this._start;
    let next = 0;
    return points.map((point, at) => {
      while (next < blames.length && blames[next].end <= at) next += 1;
      const class_ = this.trace.classOf(point);
      if (next < blames.length && blames[next].start <= at) {
        node = this._widened(node);
        return null;
      }
      let here = node;
      let target = this._step(here, class_);
      if (!target) {
        here = this._widened(here);
        target = this._step(here, class_);
      }
      node = target ?? here;
      return remember(here.items, class_, () =>
        this._items(here).filter((item) => item.classes.has(class_)),
      );
    });
  }

  // Escapes and what is passed over

  _badEscape(run, classes, points) {
    const { entered: at, before } = run;
    const known = remember(before.past, classes[at], () => this._pastEscape(before, classes[at]));
    let on = this._run(known.node, classes, at + 1);
    if (run.at > at + 1) {
      const other = this._run(known.node, classes, run.at);
      if (reach(other, classes.length) > reach(on, classes.length)) on = other;
    }
    return [blamed(at, at + 1, "bad-escape", known.path), on];
  }

  // The node after an escape sequence that began in a node with a character, and its path.
  _pastEscape(node, class_) {
    const { rows, escaping } = this.trace;
    let path = this._describe(this._step(node, class_) ?? node);
    if (last(path) !== this.escape) path = [...path, this.escape];
    const todo = node.states.map((s) => rows[s][class_]).filter((t) => t !== DEAD);
    const seen = new Set(todo);
    const done = [];
    for (const state of todo) {
      if (!escaping[state]) {
        done.push(state);
        continue;
      }
      for (const target of rows[state]) {
        if (target !== DEAD && !seen.has(target)) {
          seen.add(target);
          todo.push(target);
        }
      }
    }
    return { node: this._node(done), path };
  }

  // What becomes of a character that is not allowed where it stands, and of the reading.
  _passed(node, point) {
    if (node.passed.size > MAX_NODES) node.passed.clear();
    return remember(node.passed, point, () => {
      const fix = this.encode ? this._encoded(point) : null;
      let beyond = fix && node;
      for (const class_ of fix ?? []) beyond = beyond && this._step(beyond, class_);
      const looping = this._looping(node);
      const fixed = Boolean(beyond);
      if (!fixed) beyond = looping && this._closed(node) ? node : this._widened(node);
      return { fixed, beyond, same: looping && beyond === node };
    });
  }

  // The classes of a character that is percent-encoded; null for a lone surrogate: no octets.
  _encoded(point) {
    const text = String.fromCodePoint(point);
    if (!text.isWellFormed()) return null;
    this._octet ??= this._classes(this.octet);
    this._digits ??= this._classes(
      Array.from({ length: 16 }, (_, n) => n.toString(16))
        .join("")
        .toUpperCase(),
    );
    const digits = this._digits;
    return [...utf8.encode(text)].flatMap((byte) => [
      ...this._octet,
      digits[byte >> 4],
      digits[byte & 15],
    ]);
  }

  _classes(text) {
    return Array.from(text, (char) => this.trace.classOf(char.codePointAt(0)));
  }

  // Where a loop stops meeting what it does not admit, and what is fixed alike.
  _sameAgain(node, classes, at, points, passed) {
    let stop = at + 1;
    for (; stop < classes.length && !this._step(node, classes[stop]); stop++) {
      const other = this._passed(node, points[stop]);
      if (!other.same || other.fixed !== passed.fixed) break;
    }
    return stop;
  }

  // What is missing

  _missingAtEnd(node, at) {
    if (!node.lacking) {
      const { distances } = this.trace;
      const least = Math.min(...node.states.map((s) => distances[s]));
      const state = node.states.find((s) => distances[s] === least);
      const needed = node.states
        .filter((s) => distances[s] === least)
        .flatMap((s) => (this.trace.items[s].length ? this.trace.needed(s) : []));
      node.lacking =
        needed.length && state !== undefined ? [...this._before, ...needed[0].path] : this.path;
    }
    return blamed(at, at, "missing", node.lacking);
  }

  // What is missing before a character, if putting it in gets further than blaming that.
  _putIn(node, classes, at, ahead) {
    const end = classes.length;
    const furthest = reach(ahead, end);
    if ((furthest > end && at > 0) || this._looping(node)) return null;
    const insertion = this._insertion(node, classes[at]);
    if (!insertion) return null;
    const run = this._run(insertion.node, classes, at + 1);
    let gain = reach(run, end) - furthest;
    if (gain === 0 && insertion.several && run.at < end) {
      gain = this._afterNext(run, classes) - this._afterNext(ahead, classes);
    }
    const better = gain > 0 || (gain === 0 && at === 0 && insertion.quoted);
    return better ? { insertion, run } : null;
  }

  // How far reading gets if the next character that cannot stand is passed over, too.
  _afterNext(run, classes) {
    return reach(this._run(this._widened(run.node), classes, run.at + 1), classes.length);
  }

  _insertion(node, class_) {
    return remember(node.insertions, class_, () => this._findInsertion(node, class_));
  }

  // The least that could stand before a character so that it can be read: breadth first, one
  // character more at a time. Several are put in only if the grammar demands and quotes them.
  _findInsertion(node, class_) {
    const { rows, distances } = this.trace;
    let level = node.states.map((state) => ({ before: null, state, item: null, literal: true }));
    const seen = new Set(node.states);
    for (let length = 1; length <= MAX_MISSING && level.length; length++) {
      const found = new Map();
      for (const step of level) {
        for (const move of this.trace.moves(step.state)) {
          if (length > 1 && distances[move.target] >= distances[step.state]) continue;
          const literal = step.literal && move.literal;
          const known = found.get(move.target);
          if (!known || (literal && !known.literal)) {
            found.set(move.target, { before: step, state: move.target, item: move.item, literal });
          }
        }
      }
      const landed = [...found.values()].filter(
        (step) =>
          rows[step.state][class_] !== DEAD &&
          (length === 1 || step.literal || this._quotes(step.state, class_)),
      );
      if (landed.length) return this._insert(landed, class_, length);
      level = [...found.values()].filter(
        (step) => !seen.has(step.state) && distances[step.state] < distances[step.before.state],
      );
      for (const state of found.keys()) seen.add(state);
    }
    return null;
  }

  _insert(landed, class_, length) {
    const { rows, items } = this.trace;
    const literal = landed.every((step) => step.literal);
    let first = landed[0];
    while (first.before.item) first = first.before;
    const goesOn = items[landed[0].state].some(
      (i) => i.classes.has(class_) && i.inside && i.word === landed[0].item.word,
    );
    return {
      node: this._node(landed.map((step) => rows[step.state][class_])),
      path: [...this._before, ...first.item.path],
      quoted: length === 1 && (literal || landed.some((step) => this._quotes(step.state, class_))),
      several: length > 1,
      partial: literal && (first.item.inside || goesOn),
    };
  }

  // True when a state reads a character as one that the grammar quotes.
  _quotes(state, class_) {
    return this.trace.moves(state).some((move) => move.literal && move.item.classes.has(class_));
  }
}

export function blamed(start, end, kind, path) {
  return { start, end, kind, path };
}

// Adjacent characters of one production and kind are one violation.
function add(found, blame) {
  const before = found.at(-1);
  const joins =
    before &&
    before.end === blame.start &&
    blame.start < blame.end &&
    before.start < before.end &&
    before.kind === blame.kind &&
    last(before.path) === last(blame.path);
  if (joins) before.end = blame.end;
  else found.push(blame);
}
