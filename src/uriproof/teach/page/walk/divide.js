// Where each component of a text is.
//
// Owns the reading of a text. Imports nothing. Invariant: every text has a reading, whatever it
// holds; places are those of JavaScript's strings. What divides is the expression in the tables.

export class Divider {
  constructor({ rules, tried, layouts }) {
    this._rules = rules.map(({ names, inner, pattern }) => ({
      names,
      inner: new Map(Object.entries(inner)),
      expression: new RegExp(pattern, "du"),
    }));
    this._tried = tried;
    this._layouts = new Map(
      Object.entries(layouts).map(([names, layout]) => [
        names,
        { ...layout, traces: new Map(Object.entries(layout.traces)) },
      ]),
    );
  }

  // The components that the first dividing rule finds, in text order: {name, start, end, traces}, or
  // {name, start, end, extra} with the delimiter before it, if the rule has no such component. `lacks`
  // has the components that are not there; `alone` says that no other division is worth a try.
  read(text) {
    const [found, alone] = this._found(text);
    const { traces, extra, absent } = this._layout(found);
    const pieces = [];
    let before = 0;
    for (const [name, [start, end]] of found) {
      if (traces.has(name)) pieces.push({ name, start, end, traces: traces.get(name) });
      else if (extra.includes(name)) pieces.push({ name, start: before, end, extra: true });
      else continue;
      before = end;
    }
    return { pieces, lacks: absent, alone };
  }

  _found(text) {
    for (const [rule, alone] of this._tried) {
      const found = this._spans(rule, text);
      if (found.size) return [found, alone];
    }
    return [new Map(), true];
  }

  // The names that a dividing rule finds, in text order.
  _spans(number, text, offset = 0) {
    const { names, inner, expression } = this._rules[number];
    const indices = expression.exec(text)?.indices;
    const found = new Map();
    names.forEach((name, i) => {
      const span = indices?.[i + 1];
      if (!span) return;
      found.set(name, [offset + span[0], offset + span[1]]);
      if (inner.has(name)) {
        const deeper = this._spans(inner.get(name), text.slice(...span), offset + span[0]);
        for (const [innerName, place] of deeper) found.set(innerName, place);
      }
    });
    return found;
  }

  // What the names make up; a component that is empty and need not be there is not there.
  _layout(found) {
    const named = (names) => this._layouts.get(names.sort().join(" "));
    const layout = named([...found.keys()]);
    let last = 0;
    for (const [name, [start, end]] of found) {
      if (!layout.traces.has(name)) continue;
      if (start === end && end === last && layout.optional.includes(name)) {
        return named([...found.keys()].filter((other) => other !== name));
      }
      last = end;
    }
    return layout;
  }
}
