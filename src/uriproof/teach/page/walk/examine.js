// Where each component of a text is, and what is to blame in it.
//
// Owns the choice between the readings of a text, and the ways to read a component. Imports the
// division, the traces and error recovery. Invariant: reads and blames as uriproof.validate does;
// which components there are, and what delimits them, stands in the tables.

import { Divider } from "./divide.js";
import { Trace, readItems, same } from "./trace.js";
import { Reader, blamed } from "./recover.js";

const codePoints = (text) => Array.from(text, (char) => char.codePointAt(0));
const cost = (blames) => blames.reduce((sum, b) => sum + Math.max(b.end - b.start, 1), 0);
const shift = (blames, by) => {
  for (const blame of blames) {
    blame.start += by;
    blame.end += by;
  }
  return blames;
};

// A text as JavaScript holds it, and as code points.
export class Text {
  constructor(text) {
    this.text = text;
    this.points = codePoints(text);
    if (this.points.length < text.length) {
      this._places = new Uint32Array(text.length + 1);
      let unit = 0;
      this.points.forEach((point, place) => {
        this._places[unit] = place;
        unit += point > 0xffff ? 2 : 1;
      });
      this._places[unit] = this.points.length;
    }
  }

  // How many code points stand before a code unit.
  place(unit) {
    return this._places ? this._places[unit] : unit;
  }
}

// One rule, ready to examine texts.
export class Plan {
  constructor(tables) {
    this.tables = tables;
    this._items = readItems(tables);
    this._traces = new Map();
    this._readers = [];
    this._followers = new Map();
    this._names = new Set(tables.names);
    this._leaves = new Set(tables.leaves);
    this._components = new Map(Object.entries(tables.components));
    this._divider = tables.divide && new Divider(tables.divide);
  }

  trace(name = this.tables.trace) {
    if (!this._traces.has(name)) {
      this._traces.set(name, new Trace(this.tables.traces[name], this._items));
    }
    return this._traces.get(name);
  }

  reader(number) {
    const { path, trace, encode } = this.tables.candidates[number];
    const { escape, octet } = this.tables;
    const settings = { encode, escape, octet, leaves: this._leaves };
    return (this._readers[number] ??= new Reader(this.trace(trace), path, settings));
  }

  // How a text is read, and all that is to blame in it, in text order.
  examine(text) {
    const valid = this.trace().accepts(text.points);
    if (this._divider) {
      const chosen = this._choose(text);
      if (valid !== chosen.placed.length > 0 && disjoint(chosen.placed)) return chosen;
    }
    const { component, whole: productions } = this.tables;
    const pieces = [{ component, start: 0, end: text.text.length, productions }];
    return this._examine({ found: new Map(), absent: [], pieces }, text);
  }

  // The way of a component to accept a text, and its productions that do; null if there is none.
  meant(productions, points) {
    for (const way of this.tables.productions[productions].ways) {
      const names = way.names.filter((_, i) => this.trace(way.traces[i]).accepts(points));
      if (names.length) return { way, names };
    }
    return null;
  }

  // What each character of a piece is read as: for each production that accepts it, or for the one
  // that it is blamed under, an array with null where a character is blamed.
  readings({ accepted, candidate, number, blames }, points) {
    if (accepted) {
      const { way, names } = accepted;
      return names.map((name) => {
        const before = name === way.path.at(-1) ? way.path.slice(0, -1) : way.path;
        const trace = way.traces[way.names.indexOf(name)];
        return this._read(this._follower(trace), before, points, []);
      });
    }
    const read = candidate.trace ? number : candidate.whole;
    if (read === undefined) return [];
    return [this._read(this.reader(read), candidate.path.slice(0, -1), points, blames)];
  }

  _read(reader, before, points, blames) {
    const known = new Map([[null, null]]);
    return reader.reading(points, blames).map((items) => {
      let made = known.get(items);
      if (made === undefined) {
        const words = [...new Set(items.map((item) => item.word))];
        const path = items.length ? [...before, ...items[0].path] : null;
        made = path && { production: path.at(-1), path, word: words[0], words };
        known.set(items, made);
      }
      return made;
    });
  }

  // A reader of a trace, for texts that it accepts.
  _follower(trace) {
    if (!this._followers.has(trace)) {
      const settings = { encode: false, escape: "", octet: "", leaves: this._leaves };
      this._followers.set(trace, new Reader(this.trace(trace), [trace], settings));
    }
    return this._followers.get(trace);
  }

  // What the characters between the pieces are: elements of the rules above the components.
  delimiter(point, before, after) {
    const trace = this.trace();
    const class_ = trace.classOf(point);
    this._delimiters ??= [...new Set(trace.items.flat())].filter(
      (item) => !item.path.some((name) => this._components.has(name)),
    );
    const path = (piece) =>
      piece?.productions != null ? this.tables.productions[piece.productions].ways[0].path : [];
    const [one, other] = [path(before), path(after)];
    const shared = one.filter((name, i) => same(one.slice(0, i + 1), other.slice(0, i + 1))).length;
    // An element of the rule that has both components, or else of one that leads to either.
    const worth = (item) => (item.path.length === shared ? Infinity : item.path.length);
    const leads = (item, to) =>
      item.path.length < to.length && same(item.path, to.slice(0, item.path.length));
    const [found] = this._delimiters
      .filter((item) => item.classes.has(class_) && (leads(item, one) || leads(item, other)))
      .sort((a, b) => worth(b) - worth(a));
    if (!found) return null;
    return {
      production: found.path.at(-1),
      path: found.path,
      word: found.word,
      words: [found.word],
    };
  }

  // The first reading, if what it has and the others have not is in order; else the one with the
  // fewest blamed characters; a tie goes to the first if it found an authority.
  _choose(text) {
    let best = null;
    let least = 0;
    let keep = 0;
    for (const reading of this._divider.readings(text.text)) {
      let examined = this._examine(reading, text);
      const { placed } = examined;
      const wellBegun = beginsWell(reading, placed);
      const complete = reading.absent.length === 0;
      if (!best && complete && wellBegun) return examined;
      let sum = cost(placed);
      const other = complete ? null : this._divider.supplied(reading, text.text);
      if (other) {
        const withIt = this._examine(other, text);
        if (cost(withIt.placed) < sum) {
          examined = withIt;
          sum = cost(withIt.placed);
        }
      }
      if (!best) {
        best = examined;
        keep = reading.found.has(this.tables.divide.keep) ? 1 : 0;
        least = keep ? sum : sum + this._beforeMark(reading, placed, text);
      } else if (complete && sum <= least - keep) {
        best = examined;
      }
      if (wellBegun) break;
    }
    return best;
  }

  // How many characters more would have to go before the first component could begin.
  _beforeMark(reading, placed, text) {
    const [first] = reading.pieces;
    if (!placed.length || !first || placed[0].component !== this.tables.divide.first) return 0;
    if (first.productions === null) return 0;
    const { shortest } = this.tables.productions[first.productions];
    const inner = codePoints(text.text.slice(first.start, first.end));
    const [way] = this.tables.productions[first.productions].ways;
    const begins = (point) => way.traces.some((name) => this.trace(name).accepts([point]));
    const start = inner.findIndex(begins);
    if (start >= 0) return Math.max(start - 1, 0);
    const accepted = this.meant(first.productions, [...codePoints(shortest), ...inner]);
    return accepted ? text.points.length : 0;
  }

  // One reading, and all that is to blame in it; from here on places are code points.
  _examine(reading, text) {
    const placed = reading.absent.map((gap) => ({
      component: gap.component,
      ...blamed(text.place(gap.at), text.place(gap.at), "missing", gap.path),
    }));
    const pieces = [];
    for (const { component, start: from, end: to, productions } of reading.pieces) {
      const [start, end] = [text.place(from), text.place(to)];
      const piece = { component, start, end, productions, accepted: null, blames: [] };
      pieces.push(piece);
      if (productions === null) {
        placed.push({ component, ...blamed(start, end, "extra", [this.tables.rule]) });
        continue;
      }
      const points = text.points.slice(start, end);
      piece.accepted = this.meant(productions, points);
      if (piece.accepted) continue;
      const { candidates } = this.tables.productions[productions];
      Object.assign(piece, this._blameBest(candidates, points));
      for (const one of piece.blames) {
        const { path, kind } = one;
        const moved = blamed(one.start + start, one.end + start, kind, path);
        placed.push({ component: this._component(path, component), ...moved });
      }
    }
    if (reading.absent.length) placed.sort((a, b) => a.start - b.start || a.end - b.end);
    return { found: reading.found, pieces, placed };
  }

  // The component that a blamed production makes up; a rule read as one has several.
  _component(path, piece) {
    if (this._names.has(piece)) return piece;
    const name = path.findLast((name) => this._components.has(name));
    return name === undefined ? piece : this._components.get(name);
  }

  // Blaming one component

  // The candidate with the longest viable prefix; of equals the first whose first blame is
  // content, not a delimiter. `candidate` is a number, or the path of a choice without a text.
  _blameBest(numbers, points) {
    const all = this.tables.candidates;
    let left = numbers;
    if (left.length > 1) {
      const parent = (number) => all[number].path.slice(0, -1);
      if (!points.length && left.every((n) => parent(n).join(" ") === parent(left[0]).join(" "))) {
        const path = parent(left[0]);
        return { candidate: { path }, blames: [blamed(0, 0, "missing", path)] };
      }
      left = this._longest(left, points);
    }
    let best = null;
    for (const number of left) {
      const blames = this._blame(number, points);
      const content = !blames.length || blames[0].path.some((name) => this._leaves.has(name));
      if (!best?.blames.length || content) best = { candidate: all[number], number, blames };
      if (content) break;
    }
    return best;
  }

  _longest(numbers, points) {
    const all = this.tables.candidates;
    const opens = (n) =>
      all[n].opening === undefined || startsWith(points, codePoints(all[n].opening));
    const could = numbers.filter(opens);
    if (could.length < 2) return could.length ? could : numbers.slice(0, 1);
    const viable = could.map((number) => this._viable(number, points));
    const longest = Math.max(...viable);
    return could.filter((_, i) => viable[i] === longest);
  }

  _viable(number, points) {
    const candidate = this.tables.candidates[number];
    if (candidate.separator !== undefined) return this._viable(candidate.whole, points);
    if (candidate.opening !== undefined) {
      return startsWith(points, codePoints(candidate.opening)) ? points.length : 0;
    }
    return this.reader(number).viable(points);
  }

  _blame(number, points) {
    const candidate = this.tables.candidates[number];
    if (candidate.separator !== undefined) return this._ofElements(candidate, points);
    if (candidate.opening !== undefined) return this._ofEnclosed(candidate, points);
    const { path } = candidate;
    if (!points.length && path.length > 1) return [blamed(0, 0, "missing", path.slice(0, -1))];
    return this.reader(number).blame(points);
  }

  _ofElements(listed, points) {
    const separator = listed.separator.codePointAt(0);
    const found = [];
    for (let start = 0; start <= points.length;) {
      const stop = points.indexOf(separator, start);
      const end = stop < 0 ? points.length : stop;
      const element = points.slice(start, end);
      if (!this.trace(listed.trace).accepts(element)) {
        for (const blame of shift(this._blame(listed.element, element), start)) found.push(blame);
      }
      start = end + 1;
    }
    // In any list but a query a separator may be what is wrong.
    if (!listed.query && cost(found) > 1) {
      const whole = this._blame(listed.whole, points);
      if (cost(whole) < cost(found)) return whole;
    }
    return found;
  }

  _ofEnclosed(enclosed, points) {
    const [opening, closing] = [codePoints(enclosed.opening), codePoints(enclosed.closing)];
    if (!startsWith(points, opening)) return this._blame(enclosed.whole, points);
    const start = opening.length;
    let end = points.length - closing.length;
    while (end >= start && !startsWith(points, closing, end)) end -= 1;
    const closed = end >= start;
    const inner = points.slice(start, closed ? end : undefined);
    const accepts = (n) => this.trace(this.tables.candidates[n].trace).accepts(inner);
    const found = [];
    if (!inner.length) {
      found.push(blamed(start, start, "missing", enclosed.path));
    } else if (!enclosed.inner.some(accepts)) {
      const readers = enclosed.inner.map((number) => this.reader(number));
      const viable = readers.map((reader) => reader.viable(inner));
      const address = readers[viable.indexOf(Math.max(...viable))];
      found.push(...shift(address.blameAddress(inner, closed ? 2 : 0), start));
    }
    const { length } = points;
    if (!closed) {
      if (!found.length) found.push(blamed(length, length, "missing", enclosed.path));
    } else if (end + closing.length < length) {
      found.push(blamed(end + closing.length, length, "illegal", enclosed.after));
    }
    return found;
  }
}

const startsWith = (points, other, at = 0) => other.every((point, i) => points[at + i] === point);

// True when nothing is to blame in the first component.
const beginsWell = (reading, placed) =>
  !placed.length || !reading.pieces.length || placed[0].component !== reading.pieces[0].component;

// True when what is blamed is in text order, and nothing is blamed twice.
const disjoint = (placed) => placed.every((b, i) => i === 0 || placed[i - 1].end <= b.start);
