"""Which characters of a component its production does not allow: the engine of blame.

Owns reading on after a character that cannot stand where it stands. Imports the traces. Invariant:
reading starts anew at most a bounded number of times per character, so that blaming is linear.

A character that nothing valid could have there is blamed, and reading goes on in every way at
once: as if the character were not there, and as if a legal one stood in its place. The ways that
die first are forgotten, so that what is left is always the way that gets furthest. Where one
character more, before it, gets further still, that one is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ..grammar.automaton import DEAD
from ..grammar.charset import MAX_REMEMBERED
from ..grammar.trace import Item, Trace
from ..report import Kind

UNKNOWN = -2

Run: TypeAlias = tuple[int, int, int, int]
"""Where a run ended: the set and the offset, then the set and the offset of the first character
of the last escape sequence that it entered (-1 if none)."""


@dataclass(slots=True)
class Blame:
    """One blamed range: the production's path, from the traced rule, and what could stand there.

    ``fixes`` holds, per character, what to put in its place, where that is safe and allowed.
    """

    start: int
    end: int
    kind: Kind
    path: tuple[str, ...]
    expected: tuple[str, ...]
    fixes: list[str] | None = None

    def joins(self, other: Blame) -> bool:
        """True when both are one violation: adjacent, and alike in production and kind."""
        return (
            self.end == other.start < other.end
            and self.start < self.end
            and self.kind == other.kind
            and self.path[-1] == other.path[-1]
        )

    def join(self, other: Blame) -> None:
        """Take in the next one; a lone surrogate, which has no octets, leaves both without fix."""
        self.end = other.end
        if self.fixes is None or other.fixes is None:
            self.fixes = None
        else:
            self.fixes += other.fixes


class Reader:
    """A trace read in several ways at once; sets of its states are numbered as they occur."""

    def __init__(self, trace: Trace, rule: str, encode: bool) -> None:
        self._trace = trace
        self._rule = rule
        self._encode = encode
        self._numbers: dict[frozenset[int], int] = {}
        self._sets: list[frozenset[int]] = []
        self._rows: list[list[int]] = []
        self._escaping: list[bool] = []
        self._accepting: list[bool] = []
        self._after: dict[int, int] = {}
        self._put_in: dict[tuple[int, int], int] = {}
        self._fixes: dict[tuple[int, str], tuple[str | None, int]] = {}
        self._bad_escapes: dict[tuple[int, int], tuple[tuple[str, ...], str | None, int]] = {}
        self._described: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        self.start = self._number(frozenset({0}))

    @property
    def remembered(self) -> int:
        """How many sets of states have occurred so far."""
        return len(self._sets)

    def _number(self, states: frozenset[int]) -> int:
        number = self._numbers.get(states)
        if number is None:
            number = self._numbers[states] = len(self._sets)
            self._sets.append(states)
            self._rows.append([UNKNOWN] * self._trace.automaton.alphabet.size)
            self._escaping.append(all(self._trace.escaping[s] for s in states))
            self._accepting.append(not states.isdisjoint(self._trace.automaton.accepting))
        return number

    def _step(self, number: int, class_: int) -> int:
        """The set after one more character; DEAD if no way goes on."""
        rows = self._trace.automaton.rows
        states = frozenset(t for s in self._sets[number] if (t := rows[s][class_]) != DEAD)
        found = self._number(states) if states else DEAD
        self._rows[number][class_] = found
        return found

    def _run(self, number: int, classes: list[int], at: int) -> Run:
        """Read on until a character cannot stand where it stands, or to the end."""
        rows, escaping = self._rows, self._escaping
        before, entered = number, -1
        for here in range(at, len(classes)):
            class_ = classes[here]
            target = rows[number][class_]
            if target == UNKNOWN:
                target = self._step(number, class_)
            if target == DEAD:
                return number, here, before, entered
            if escaping[target] and not escaping[number]:
                before, entered = number, here if self._enters(number, class_) else -1
            number = target
        return number, len(classes), before, entered

    def _enters(self, number: int, class_: int) -> bool:
        """True when the character itself begins an escape sequence, rather than goes on in one."""
        trace = self._trace
        return any(
            trace.automaton.rows[s][class_] != DEAD
            for s in self._sets[number]
            if not trace.escaping[s]
        )

    def blame(self, text: str) -> list[Blame]:
        """All that is to blame in a text, sorted and disjoint. Cost: O(n)."""
        classes = self._trace.automaton.alphabet.encode(text)
        end = len(classes)
        found: list[Blame] = []

        def add(blame: Blame) -> None:
            if found and found[-1].joins(blame):
                found[-1].join(blame)
            else:
                found.append(blame)

        number, at, before, entered = self._run(self.start, classes, 0)
        plain = number  # where reading is if blamed characters are only left out, if that goes on
        while at < end or not self._accepting[number]:
            if self._escaping[number] and entered >= 0:
                # The one exception to "the first character that nothing valid could have": a
                # percent sign without two hex digits is blamed itself, and reading goes on
                # right after it, as if it began a sequence that is whole.
                path, fix, number = self._bad_escape(before, classes[entered])
                words = self._trace.escape_words
                fixes = None if fix is None else [fix]
                add(Blame(entered, entered + 1, "bad-escape", path, words, fixes))
                number, at, before, entered = self._run(number, classes, entered + 1)
                plain = number
                continue
            if at == end:
                add(self._missing(number, at, self._needed(number)))
                break
            fix, beyond = self._fix(number, text[at])
            if fix is None:
                beyond = self._any(number)
            fixes = None if fix is None else [fix]
            stop = self._more(number, classes, at, text, fixes) if beyond == number else at + 1
            ahead = self._run(beyond, classes, stop)
            if self._reach(ahead, end) <= end:
                inserted = self._insert(number, classes[at])
                if inserted != DEAD:
                    other = self._run(inserted, classes, at + 1)
                    if self._reach(other, end) > self._reach(ahead, end):
                        add(self._missing(number, at, self._towards(number, classes[at])))
                        number, at, before, entered = other
                        plain = number
                        continue
            path, expected = self._describe(plain)
            add(Blame(at, stop, "illegal", path, expected, fixes))
            number, at, before, entered = ahead
            if plain != beyond:
                other = self._run(plain, classes, stop)
                plain = other[0] if other[1] == at else number
            else:
                plain = number
        return found

    def _more(
        self, number: int, classes: list[int], at: int, text: str, fixes: list[str] | None
    ) -> int:
        """Where a loop stops meeting more of the same; nothing changes there but the fix."""
        stop = at + 1
        while stop < len(classes) and classes[stop] == classes[at]:
            fix, _ = self._fix(number, text[stop])
            if (fix is None) is not (fixes is None):
                break
            if fixes is not None and fix is not None:
                fixes.append(fix)
            stop += 1
        return stop

    def viable(self, text: str) -> int:
        """The length of the longest prefix that could be the start of something valid."""
        classes = self._trace.automaton.alphabet.encode(text)
        number, at, _, entered = self._run(self.start, classes, 0)
        return entered if self._escaping[number] and entered >= 0 else at

    def _reach(self, run: Run, end: int) -> int:
        """How far a run got: to accept at the end is further than to come to the end."""
        number, at, _, _ = run
        return at + (at == end and self._accepting[number])

    def _any(self, number: int) -> int:
        """The set after a blamed character: not there, or in the place of any legal one."""
        after = self._after.get(number)
        if after is None:
            states = self._sets[number]
            after = self._after[number] = self._number(states | self._successors(states))
        return after

    def _successors(self, states: frozenset[int]) -> frozenset[int]:
        rows = self._trace.automaton.rows
        return frozenset(t for s in states for t in rows[s] if t != DEAD)

    def _insert(self, number: int, class_: int) -> int:
        """The set after the character, if one other stood before it; DEAD if that is no help."""
        key = number, class_
        inserted = self._put_in.get(key)
        if inserted is None:
            rows = self._trace.automaton.rows
            reachable = self._successors(self._sets[number])
            states = frozenset(t for s in reachable if (t := rows[s][class_]) != DEAD)
            inserted = self._put_in[key] = self._number(states) if states else DEAD
        return inserted

    def _towards(self, number: int, class_: int) -> list[Item]:
        """The items that could stand before the character."""
        rows = self._trace.automaton.rows
        return [
            item
            for state in sorted(self._sets[number])
            for item in self._trace.items[state]
            if any((t := rows[state][c]) != DEAD and rows[t][class_] != DEAD for c in item.classes)
        ]

    def _needed(self, number: int) -> list[Item]:
        """The items that begin a shortest way to the end of something valid."""
        least = min(self._trace.distances[s] for s in self._sets[number])
        return [
            item
            for state in sorted(self._sets[number])
            if self._trace.distances[state] == least
            for item in self._trace.needed(state)
        ]

    def _missing(self, number: int, at: int, items: list[Item]) -> Blame:
        path = items[0].path if items else (self._rule,)
        escapes = self._escapes(number) if items else []
        chosen = [i for i in (*items, *escapes) if i.path == path]
        return Blame(at, at, "missing", path, tuple(dict.fromkeys(i.word for i in chosen)))

    def _escapes(self, number: int) -> list[Item]:
        """The items that begin an escape sequence: longer than a character, and as good as one."""
        rows, escaping = self._trace.automaton.rows, self._trace.escaping
        return [
            item
            for state in sorted(self._sets[number])
            for item in self._trace.items[state]
            if any((t := rows[state][c]) != DEAD and escaping[t] for c in item.classes)
        ]

    def _bad_escape(self, number: int, class_: int) -> tuple[tuple[str, ...], str | None, int]:
        """The path of an escape sequence entered from a set, the fix, and the set to go on with."""
        known = self._bad_escapes.get((number, class_))
        if known is None:
            path, _ = self._describe(self._step(number, class_))
            fix, _ = self._encoded(number, self._trace.automaton.alphabet.sample(class_))
            after = self._escaped(number, class_)
            known = self._bad_escapes[number, class_] = (*path, self._trace.escape), fix, after
        return known

    def _escaped(self, number: int, class_: int) -> int:
        """The set after an escape sequence that began in this set with this character."""
        rows = self._trace.automaton.rows
        todo = {t for s in self._sets[number] if (t := rows[s][class_]) != DEAD}
        seen: set[int] = set()
        done: set[int] = set()
        while todo:
            state = todo.pop()
            seen.add(state)
            if self._trace.escaping[state]:
                todo |= {t for t in rows[state] if t != DEAD} - seen
            else:
                done.add(state)
        return self._number(frozenset(done))

    def _fix(self, number: int, char: str) -> tuple[str | None, int]:
        """The percent-encoding of a character, where safe and allowed, and the set after it."""
        if not self._encode:
            return None, DEAD
        known = self._fixes.get((number, char))
        if known is None:
            known = self._encoded(number, char)
            if len(self._fixes) > MAX_REMEMBERED:
                self._fixes.clear()
            self._fixes[number, char] = known
        return known

    def _encoded(self, number: int, char: str) -> tuple[str | None, int]:
        """The percent-encoding of a character, where it is allowed, and the set after it."""
        encoded = percent_encoded(char) if self._encode else None
        after = DEAD if encoded is None else self._after_text(number, encoded)
        return (None, DEAD) if after == DEAD else (encoded, after)

    def _after_text(self, number: int, text: str) -> int:
        for class_ in self._trace.automaton.alphabet.encode(text):
            target = self._rows[number][class_]
            number = self._step(number, class_) if target == UNKNOWN else target
            if number == DEAD:
                break
        return number

    def _describe(self, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The production that was being read, and what it could have next."""
        described = self._described.get(number)
        if described is None:
            found = [i for s in sorted(self._sets[number]) for i in self._trace.items[s]]
            # The inside of an escape sequence counts only where nothing else was being read.
            items = [i for i in found if not i.escaping] or found
            path = items[0].path if items else (self._rule,)
            words = tuple(dict.fromkeys(i.word for i in items if i.path == path))
            described = self._described[number] = path, words
        return described


def percent_encoded(char: str) -> str | None:
    """The UTF-8 octets of a character as escapes, upper case (RFC 3986 §2.1, §2.5).

    None for a lone surrogate, which has no octets.

    >>> percent_encoded("é")
    '%C3%A9'
    """
    try:
        octets = char.encode()
    except UnicodeEncodeError:
        return None
    return "".join(f"%{octet:02X}" for octet in octets)
