// Where each component of a text is.
//
// Owns the readings of a text. Imports nothing. Invariant: every text has a reading, whatever it
// holds; places are those of JavaScript's strings. What divides is the expression in the tables.

export class Divider {
  constructor(divide) {
    this._divide = divide;
    this._rules = divide.rules.map((rule) => ({
      names: rule.names,
      inner: new Map(Object.entries(rule.inner)),
      expression: new RegExp(rule.pattern, "du"),
    }));
    this._divided = new Set(this._rules.flatMap((rule) => [...rule.inner.keys()]));
    this._layouts = new Map(
      Object.entries(divide.layouts).map(([names, layout]) => [
        names,
        { ...layout, productions: new Map(Object.entries(layout.productions)) },
      ]),
    );
  }

  // The readings to choose from, the one with more components first.
  *readings(text) {
    const { tried, divisions } = this._divide;
    for (const [rule, alone] of tried) {
      const found = this._spans(rule, text);
      if (found.size || rule === divisions.at(-1)) {
        yield this._reading(found, text);
        if (alone) return;
      }
    }
  }

  // A reading with an absent component's delimiter put in, if that brings the component about.
  supplied(reading, text) {
    const gap = reading.absent.find((one) => one.supply);
    if (!gap) return null;
    const { at } = gap;
    const more = gap.supply.length;
    const divided = text.slice(0, at) + gap.supply + text.slice(at);
    for (const rule of this._divide.divisions) {
      const found = this._spans(rule, divided);
      if (!found.has(gap.component)) continue;
      const moved = (place) => Math.max(place - more, Math.min(place, at));
      for (const [name, span] of found) found.set(name, span.map(moved));
      const other = this._reading(found, text);
      const [start, end] = found.get(gap.component);
      if (start === at && end === at) {
        other.pieces = other.pieces.filter((piece) => piece.component !== gap.component);
      }
      other.absent.unshift({ at, component: gap.component, path: gap.path, supply: "" });
      return other;
    }
    return null;
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

  _layout(names) {
    return this._layouts.get([...names].sort().join(" "));
  }

  _reading(found, text) {
    let layout = this._layout(found.keys());
    if (layout.optional.length) layout = this._withoutEmpty(layout, found);
    const { productions } = layout;
    const pieces = [];
    let before = 0;
    let extra = 0;
    for (const [name, [start, end]] of found) {
      if (productions.has(name)) {
        pieces.push({ component: name, start, end, productions: productions.get(name) });
      } else if (!layout.whole && !layout.known.includes(name) && extra < end && before < end) {
        // With the delimiter before it, or else the one after it.
        let after = end;
        if (before === start) {
          const starts = [...found.values()].map(([s]) => s).filter((s) => s > start);
          after = Math.min(...starts, ...(starts.length ? [] : [text.length]));
        }
        const opening = this._afterMark(found, before, text);
        pieces.push({
          component: name,
          start: opening,
          end: Math.max(end, after),
          productions: null,
        });
        extra = end; // with all that is inside it
      }
      before = this._divided.has(name) ? start : end;
    }
    const absent = layout.whole ? [] : layout.absent.map((gap) => this._absent(gap, found, text));
    return { found, pieces, absent };
  }

  // The layout of a text without a component that is empty and need not be there.
  _withoutEmpty(layout, found) {
    let last = 0;
    for (const [name, [start, end]] of found) {
      if (!layout.productions.has(name)) continue;
      if (start === end && end === last && layout.optional.includes(name)) {
        return this._layout([...found.keys()].filter((other) => other !== name));
      }
      last = end;
    }
    return layout;
  }

  // Where a delimiter after the first component begins: what ends that is its own.
  _afterMark(found, before, text) {
    const { mark, divisions } = this._divide;
    if (!mark.length || !mark.every((name) => found.has(name))) return before;
    if (Math.max(...mark.map((name) => found.get(name)[1])) !== before) return before;
    for (let end = before + 1; end < text.length; end++) {
      const spans = this._spans(divisions[0], text.slice(0, end));
      if (mark.every((name) => spans.has(name))) return end;
    }
    return before;
  }

  // Where an absent component should stand: after what goes before it.
  _absent(gap, found, text) {
    const { component, path } = gap;
    if (gap.text && text.toLowerCase().startsWith(gap.text)) {
      return { at: gap.text.length, component, path, supply: gap.delimiter }; // it is there itself
    }
    let at = 0;
    for (const part of gap.before) {
      if (typeof part !== "string") at = found.get(part.component)?.[1] ?? at;
      else if (text.startsWith(part, at)) at += part.length;
    }
    return { at, component, path, supply: gap.supply };
  }
}
