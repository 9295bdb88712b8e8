// The sets of states that a text so far can have led to.
//
// Owns these sets, which are made as texts need them. Imports nothing. Invariant: what is
// remembered of a set depends on the set alone; see uriproof.validate.states.

export const DEAD = -1;
export const MAX_NODES = 2048;

class Node {
  constructor(states, trace) {
    this.states = states; // sorted
    this.row = new Array(trace.size); // a node, null, or undefined where it is not known yet
    this.escaping = states.every((state) => trace.escaping[state]);
    this.accepting = states.some((state) => trace.accepting[state]);
    this.past = new Map();
    this.entering = new Map();
    this.passed = new Map();
    this.insertions = new Map();
    this.items = new Map();
  }
}

export class States {
  // `path` leads to the production; `escape` and `octet` are the tables'.
  constructor(trace, path, { encode, escape, octet, leaves }) {
    Object.assign(this, { trace, path, encode, escape, octet, leaves });
    this._before = path.slice(0, -1);
    this._forget();
  }

  _forget() {
    this._nodes = new Map();
    this._start = this._node([0]);
  }

  _node(states) {
    const sorted = [...new Set(states)].sort((a, b) => a - b);
    const key = sorted.join();
    if (!this._nodes.has(key)) this._nodes.set(key, new Node(sorted, this.trace));
    return this._nodes.get(key);
  }

  _step(node, class_) {
    let target = node.row[class_];
    if (target === undefined) {
      const { rows } = this.trace;
      const states = node.states.map((s) => rows[s][class_]).filter((t) => t !== DEAD);
      target = node.row[class_] = states.length ? this._node(states) : null;
    }
    return target;
  }

  // Read on until a character is not allowed where it stands, or to the end. `entered` is where
  // the last escape sequence began, or -1.
  _run(from, classes, start) {
    let node = from;
    let before = from;
    let entered = -1;
    for (let at = start; at < classes.length; at++) {
      const target = this._step(node, classes[at]);
      if (target === node) continue;
      if (target === null) return { node, at, before, entered };
      if (target.escaping && !node.escaping) {
        before = node;
        entered = this._enters(node, classes[at]) ? at : -1;
      }
      node = target;
    }
    return { node, at: classes.length, before, entered };
  }

  // True when the character itself begins an escape sequence, rather than goes on in one.
  _enters(node, class_) {
    return remember(node.entering, class_, () =>
      node.states.some((s) => this.trace.rows[s][class_] !== DEAD && !this.trace.escaping[s]),
    );
  }

  // The node after a blamed character: not there, or in the place of any legal one.
  _widened(node) {
    const { rows } = this.trace;
    node.after ??= this._node([
      ...node.states,
      ...node.states.flatMap((s) => [...rows[s]].filter((t) => t !== DEAD)),
    ]);
    return node.after;
  }

  _looping(node) {
    node.looping ??= this._items(node)[0]?.looping ?? false;
    return node.looping;
  }

  // True in a loop that nothing follows: any legal character leads back to where it is.
  _closed(node) {
    node.closed ??= this._widened(node).states.every(
      (state) => node.states.includes(state) || this.trace.escaping[state],
    );
    return node.closed;
  }

  _items(node) {
    if (!node.next) {
      const found = node.states.flatMap((state) => this.trace.items[state]);
      const plain = found.filter((item) => !item.escaping);
      node.next = plain.length ? plain : found;
    }
    return node.next;
  }

  // The path to the production that was being read; where one has only been entered, and another
  // could have been as well, to the one that has both.
  _describe(node) {
    if (node.described) return node.described;
    const items = this._items(node);
    if (!items.length) return (node.described = this.path);
    let path = items[0].path;
    if (!items.some((item) => item.begun)) {
      const shared = (size) =>
        items.every((i) => path.slice(0, size).every((n, k) => i.path[k] === n));
      let size = path.length;
      while (size > 1 && !this.leaves.has(path[size - 1]) && !shared(size)) size -= 1;
      path = path.slice(0, size);
    }
    return (node.described = [...this._before, ...path]);
  }
}

export function remember(known, key, make) {
  let made = known.get(key);
  if (made === undefined) known.set(key, (made = make()));
  return made;
}
