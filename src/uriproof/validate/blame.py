"""Which characters of a component its production does not allow: the engine of blame.

Owns error recovery: how reading goes on after a character that cannot stand where it stands.
Imports the traces. Invariant: reading starts anew at most a bounded number of times per character,
so that blaming is linear; what is made here is never changed once another thread can see it.

How it works. The automaton is run over the text; a ``Node`` is the set of its states that the
text so far can have led to. Where no state goes on, the character is blamed, and then the set is
widened to all states that could be meant:

    2024-1x as year "-" 2DIGIT        the x cannot stand after the digit
    2024-1                            as if the x were not there: still one digit to come
    2024-1?                           as if a legal character stood in its place: complete

All of them are kept, and those that fail first are dropped by themselves, for a set only loses
states; so what is left always is the way that gets furthest. Where putting in what is missing gets
further still (``24-01`` lacks two digits before its ``-``), a violation of no width says so. In a
loop over characters, such as a query, nothing is ever missing: there the blamed characters are
exactly those that the loop does not admit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from ..grammar.charset import MAX_REMEMBERED
from ..grammar.machine.automaton import DEAD
from ..grammar.machine.trace import Item, Trace
from ..report import Kind

MAX_NODES = 2_048
"""Sets of states that a reader remembers before it is made anew: hostile texts make many."""

MAX_MISSING = 40
"""Characters that can be missing at one place: an IPv6 address has 39."""

Words: TypeAlias = tuple[str, ...]


class Node:
    """A set of states; ``row`` leads on by character class: to a node, to None, or not known yet.

    What is remembered here is the same whichever thread works it out.
    """

    __slots__ = (
        "accepting",
        "after",
        "closed",
        "described",
        "encodings",
        "escaping",
        "insertions",
        "looping",
        "row",
        "states",
    )

    def __init__(self, states: frozenset[int], trace: Trace) -> None:
        self.states = states
        self.row: list[Node | None] = [UNKNOWN] * trace.automaton.alphabet.size
        self.escaping = all(trace.escaping[s] for s in states)
        self.accepting = not states.isdisjoint(trace.automaton.accepting)
        self.after: Node | None = None
        self.described: tuple[Words, Words] | None = None
        self.looping: bool | None = None
        self.closed: bool | None = None
        self.encodings: dict[str, tuple[bool, Node | None]] = {}
        self.insertions: dict[int, Insertion | None] = {}


UNKNOWN: Node = object.__new__(Node)
"""Where a row leads that has not been worked out yet."""


class Run(NamedTuple):
    """Where a run ended, and where the last escape sequence began that it entered (-1: none)."""

    node: Node
    at: int
    before: Node
    entered: int


class Insertion(NamedTuple):
    """What could be missing before a character: the node after that character, and the words."""

    node: Node
    path: Words
    expected: Words
    absent: str
    quoted: bool
    """True where one character is missing, and it or the one after it is quoted."""
    several: bool
    """True where several characters are missing that the grammar demands."""
    partial: bool
    """True where part of a quoted text is missing."""


class Blame:
    """One blamed range: the production's path, from the traced rule, and what could stand there.

    ``fixes`` holds, per character, what to put in its place, where that is safe and allowed.
    ``absent`` is all that is missing, as ABNF.
    """

    __slots__ = ("absent", "end", "expected", "fixes", "kind", "path", "start")

    def __init__(
        self,
        start: int,
        end: int,
        kind: Kind,
        path: Words,
        expected: Words,
        fixes: list[str] | None = None,
        absent: str = "",
    ) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.path = path
        self.expected = expected
        self.fixes = fixes
        self.absent = absent

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
    """One production, ready to blame; ``encode`` allows percent-encoding as a fix.

    ``loops`` are the rules that repeat characters, with how often at least.

    ``path`` leads to the production, and all paths of its blames start with it.
    """

    def __init__(
        self,
        trace: Trace,
        path: Words,
        encode: bool,
        loops: Mapping[str, int],
        leaves: frozenset[str],
    ) -> None:
        self._trace = trace
        self._path = path
        self._before = path[:-1]
        self._encode = encode
        self._loops = loops
        self._leaves = leaves
        self._nodes: dict[frozenset[int], Node] = {}
        self._start = self._node(frozenset({0}))

    @property
    def remembered(self) -> int:
        """How many sets of states have occurred so far."""
        return len(self._nodes)

    def viable(self, text: str) -> int:
        """The length of the longest prefix that could be the start of something valid."""
        run = self._run(self._start, self._trace.automaton.alphabet.encode(text), 0)
        return run.entered if run.node.escaping and run.entered >= 0 else run.at

    def blame(self, text: str) -> list[Blame]:
        """All that is to blame in a text, sorted and disjoint. Cost: O(n)."""
        classes = self._trace.automaton.alphabet.encode(text)
        end = len(classes)
        found: list[Blame] = []
        run = self._run(self._start, classes, 0)
        plain = run.node  # where reading is if blamed characters are only left out
        while run.at < end or not run.node.accepting:
            node, at = run.node, run.at
            if node.escaping and run.entered >= 0:
                blame, run = self._bad_escape(run, classes, text)
                _add(found, blame)
                plain = run.node
                continue
            if at == end:
                found.append(self._missing_at_end(node, at))
                break
            encoded, beyond = self._encoded(node, text[at])
            if beyond is None:
                shut = self._looping(node) and self._closed(node)
                beyond = node if shut else self._widened(node)
            if beyond is node and self._looping(node):
                stop = self._same_again(node, classes, at, text, encoded)
                _add(found, self._illegal(node, text, at, stop, encoded))
                run = self._run(node, classes, stop)
                plain = run.node
            else:
                ahead = self._run(beyond, classes, at + 1)
                put_in = self._put_in(node, classes, at, ahead)
                if put_in is not None:
                    insertion, run = put_in
                    found.append(_missing(insertion, at))
                    plain = run.node
                    continue
                _add(found, self._illegal(plain, text, at, at + 1, encoded))
                run = ahead
                if plain is not beyond:
                    other = self._run(plain, classes, at + 1)
                    plain = other.node if other.at == run.at else run.node
                else:
                    plain = run.node
        return found

    def _illegal(self, node: Node, text: str, start: int, end: int, encoded: bool) -> Blame:
        path, expected = node.described or self._describe(node)
        fixes = [percent_encoded(c) or c for c in text[start:end]] if encoded else None
        return Blame(start, end, "illegal", path, expected, fixes)

    def blame_address(self, text: str, most: int) -> list[Blame]:
        """What is to blame in an address, where one wrong character makes the rest hard to judge.

        One character, or up to ``most``, if all else is right then; part of a quoted text that is
        missing, if all else is right; else all from the first blamed character to the end.
        Cost: O(n).
        """
        classes = self._trace.automaton.alphabet.encode(text)
        end = len(classes)
        first = self._run(self._start, classes, 0)
        if first.at == end:
            return [self._missing_at_end(first.node, end)]
        found: list[Blame] = []
        run = first
        for _ in range(most):
            if run.at == end:
                break
            path, expected = self._describe(run.node)
            found.append(Blame(run.at, run.at + 1, "illegal", path, expected))
            run = self._run(self._widened(run.node), classes, run.at + 1)
        right = bool(found) and _reach(run, end) > end
        if right and len(found) == 1:
            return found
        insertion = self._insertion(first.node, classes[first.at]) if most else None
        if insertion is not None and insertion.partial:
            rest = self._run(insertion.node, classes, first.at + 1)
            if _reach(rest, end) > end:
                return [_missing(insertion, first.at)]
        path, expected = self._describe(first.node)
        whole = [Blame(first.at, end, "illegal", path, expected)]
        joined: list[Blame] = []
        for blame in found if right else whole:
            _add(joined, blame)
        return joined

    # Sets of states

    def _node(self, states: frozenset[int]) -> Node:
        node = self._nodes.get(states)
        if node is None:
            # One of two threads wins, and both go on with the same node.
            node = self._nodes.setdefault(states, Node(states, self._trace))
        return node

    def _step(self, node: Node, class_: int) -> Node | None:
        """The node after one more character; None if no state goes on."""
        target = node.row[class_]
        if target is UNKNOWN:
            rows = self._trace.automaton.rows
            states = frozenset(t for s in node.states if (t := rows[s][class_]) != DEAD)
            target = node.row[class_] = self._node(states) if states else None
        return target

    def _run(self, node: Node, classes: list[int], at: int) -> Run:
        """Read on until a character cannot stand where it stands, or to the end."""
        before, entered = node, -1
        end = len(classes)
        while at < end:
            class_ = classes[at]
            target = node.row[class_]
            if target is UNKNOWN:
                target = self._step(node, class_)
            if target is None:
                break
            if target.escaping and not node.escaping:
                before, entered = node, at if self._enters(node, class_) else -1
            node = target
            at += 1
        return Run(node, at, before, entered)

    def _enters(self, node: Node, class_: int) -> bool:
        """True when the character itself begins an escape sequence, rather than goes on in one."""
        trace = self._trace
        return any(
            trace.automaton.rows[s][class_] != DEAD for s in node.states if not trace.escaping[s]
        )

    def _widened(self, node: Node) -> Node:
        """The node after a blamed character: not there, or in the place of any legal one."""
        if node.after is None:
            node.after = self._node(node.states | self._successors(node.states))
        return node.after

    def _successors(self, states: Iterable[int]) -> frozenset[int]:
        rows = self._trace.automaton.rows
        return frozenset(t for s in states for t in rows[s] if t != DEAD)

    # Escapes and fixes

    def _bad_escape(self, run: Run, classes: list[int], text: str) -> tuple[Blame, Run]:
        """The blame of an escape sequence that is not whole, and where reading goes on.

        This is the one exception to "the first character that nothing valid could have there": a
        percent sign without two hexadecimal digits is blamed itself, and reading goes on right
        after it, as if it began a sequence that is whole; with the digits that it has, if only
        that gets on.
        """
        at, before = run.entered, run.before
        path, _ = self._describe(self._step(before, classes[at]) or before)
        after = self._past_escape(before, classes[at])
        on = self._run(after, classes, at + 1)
        encoded, _ = self._encoded(before, text[at])
        if run.at > at + 1:
            other = self._run(after, classes, run.at)
            if _reach(other, len(classes)) > _reach(on, len(classes)):
                on, encoded = other, False  # encoded, the digits could not follow
        fixes = [percent_encoded(text[at]) or text[at]] if encoded else None
        words = self._trace.escape_words
        if path[-1] != self._trace.escape:
            path = (*path, self._trace.escape)
        return Blame(at, at + 1, "bad-escape", path, words, fixes), on

    def _past_escape(self, node: Node, class_: int) -> Node:
        """The node after an escape sequence that began in a node with a character."""
        rows = self._trace.automaton.rows
        todo = {t for s in node.states if (t := rows[s][class_]) != DEAD}
        seen: set[int] = set()
        done: set[int] = set()
        while todo:
            state = todo.pop()
            seen.add(state)
            if self._trace.escaping[state]:
                todo |= {t for t in rows[state] if t != DEAD} - seen
            else:
                done.add(state)
        return self._node(frozenset(done))

    def _encoded(self, node: Node, char: str) -> tuple[bool, Node | None]:
        """Whether a character may be percent-encoded in its place, and the node after it."""
        known = node.encodings.get(char)
        if known is None:
            after: Node | None = None
            encoded = percent_encoded(char) if self._encode else None
            if encoded is not None:
                after = node
                for class_ in self._trace.automaton.alphabet.encode(encoded):
                    after = after and self._step(after, class_)
            known = after is not None, after
            if len(node.encodings) >= MAX_REMEMBERED:
                node.encodings = {}
            node.encodings[char] = known
        return known

    def _same_again(self, node: Node, classes: list[int], at: int, text: str, encoded: bool) -> int:
        """Where a loop stops meeting what it does not admit, and what is fixed alike."""
        stop, end = at + 1, len(classes)
        while stop < end:
            target = node.row[classes[stop]]
            if target is UNKNOWN:
                target = self._step(node, classes[stop])
            if target is not None:
                break
            fixed, beyond = self._encoded(node, text[stop])
            if fixed is not encoded or (fixed and beyond is not node):
                break
            stop += 1
        return stop

    # What is missing

    def _put_in(
        self, node: Node, classes: list[int], at: int, ahead: Run
    ) -> tuple[Insertion, Run] | None:
        """What is missing before a character, if putting it in gets further than blaming that.

        Where both get as far, what is after the next blamed character decides; at the beginning
        one is missing, if the grammar quotes it or what follows it.
        """
        end = len(classes)
        furthest = _reach(ahead, end)
        if (furthest > end and at > 0) or self._looping(node):
            return None
        insertion = self._insertion(node, classes[at])
        if insertion is None:
            return None
        other = self._run(insertion.node, classes, at + 1)
        gain = _reach(other, end) - furthest
        if gain == 0 and insertion.several and other.at < end:
            gain = self._after_next(other, classes) - self._after_next(ahead, classes)
        if gain > 0 or (gain == 0 and at == 0 and insertion.quoted):
            return insertion, other
        return None

    def _after_next(self, run: Run, classes: list[int]) -> int:
        """How far reading gets if the next character that cannot stand is passed over, too."""
        on = self._run(self._widened(run.node), classes, run.at + 1)
        return _reach(on, len(classes))

    def _looping(self, node: Node) -> bool:
        """True in a loop over characters, where nothing is missing but at its beginning."""
        if node.looping is None:
            items = self._items(node)
            first = items[0] if items else None
            node.looping = first is not None and (
                first.path[-1] in self._loops and (first.begun or self._loops[first.path[-1]] == 0)
            )
        return node.looping

    def _closed(self, node: Node) -> bool:
        """True in a loop that nothing follows: any legal character leads back to where it is."""
        if node.closed is None:
            beyond = self._widened(node).states - node.states
            node.closed = all(self._trace.escaping[state] for state in beyond)
        return node.closed

    def _insertion(self, node: Node, class_: int) -> Insertion | None:
        """The least that could stand before a character so that it can be read."""
        if class_ not in node.insertions:
            node.insertions[class_] = self._find_insertion(node, class_)
        return node.insertions[class_]

    def _find_insertion(self, node: Node, class_: int) -> Insertion | None:
        """Breadth first over what could be put in, one character more at a time.

        More than one character is put in only if they are what the grammar demands there, and if
        it quotes them, or the character before which they are missing: otherwise anything could
        be meant.
        """
        rows, moves = self._trace.automaton.rows, self._trace.moves
        distances = self._trace.distances
        level = [_Step(None, state, None, True) for state in sorted(node.states)]
        seen = set(node.states)
        for length in range(1, MAX_MISSING + 1):
            found: dict[int, _Step] = {}
            for step in level:
                for move in moves[step.state]:
                    if length > 1 and distances[move.target] >= distances[step.state]:
                        continue
                    literal = step.literal and move.literal
                    known = found.get(move.target)
                    if known is None or (literal and not known.literal):
                        found[move.target] = _Step(step, move.target, move.item, literal)
            landed = [
                step
                for step in found.values()
                if rows[step.state][class_] != DEAD
                and (length == 1 or step.literal or self._quotes(step.state, class_))
            ]
            if landed:
                return self._insert(node, landed, class_, length)
            level = [
                step
                for state, step in found.items()
                if state not in seen
                and step.before is not None
                and distances[state] < distances[step.before.state]
            ]
            seen |= found.keys()
            if not level:
                break
        return None

    def _insert(self, node: Node, landed: list[_Step], class_: int, length: int) -> Insertion:
        """The words for what is missing: of one character all that it could be, else the whole."""
        rows = self._trace.automaton.rows
        target = self._node(frozenset(rows[step.state][class_] for step in landed))
        items = landed[0].items()
        quoted = length == 1 and (
            all(step.literal for step in landed)
            or any(self._quotes(step.state, class_) for step in landed)
        )
        partial = all(step.literal for step in landed) and (
            items[0].inside or self._within(landed[0], class_)
        )
        first = items[0]
        chosen = [first]
        if length == 1:
            chosen = [*(step.items()[0] for step in landed), *self._escapes(node)]
        path, words = _absent_elements(first, chosen)
        absent = _sequence(items, path) if length > 1 or partial else " / ".join(words)
        absent = f"part of {absent}" if partial else absent
        return Insertion(target, self._before + path, words, absent, quoted, length > 1, partial)

    def _within(self, step: _Step, class_: int) -> bool:
        """True when a character goes on in the quoted text that was put in before it."""
        return any(
            class_ in i.classes and i.inside and step.item is not None and i.word == step.item.word
            for i in self._trace.items[step.state]
        )

    def _missing_at_end(self, node: Node, at: int) -> Blame:
        """What is missing at the end: a shortest way to something valid."""
        distances = self._trace.distances
        least = min(distances[s] for s in node.states)
        states = [s for s in sorted(node.states) if distances[s] == least]
        items = [item for s in states for item in self._trace.needed(s)]
        if not items:
            return Blame(at, at, "missing", self._path, ())
        path, words = _absent_elements(items[0], [*items, *self._escapes(node)])
        absent = " / ".join(words)
        if len(words) == 1:
            absent = _sequence(self._to_the_end(states[0], items[0]), path)
            if items[0].inside:
                absent = f"part of {absent}"
        return Blame(at, at, "missing", self._before + path, words, None, absent)

    def _to_the_end(self, state: int, first: Item) -> list[Item]:
        """The items on a shortest way from a state to the end, the first of them given."""
        rows, distances = self._trace.automaton.rows, self._trace.distances
        chosen = [first]
        for _ in range(MAX_MISSING):
            following = [t for c in chosen[-1].classes if (t := rows[state][c]) != DEAD]
            state = min(following, key=lambda t: (distances[t], t))
            needed = self._trace.needed(state)
            if state in self._trace.automaton.accepting or not needed:
                break
            chosen.append(needed[0])
        return chosen

    def _escapes(self, node: Node) -> list[Item]:
        """The items that begin an escape sequence: longer than a character, and as good as one."""
        rows, escaping = self._trace.automaton.rows, self._trace.escaping
        return [
            item
            for state in sorted(node.states)
            for item in self._trace.items[state]
            if any((t := rows[state][c]) != DEAD and escaping[t] for c in item.classes)
        ]

    def _quotes(self, state: int, class_: int) -> bool:
        """True when a state reads a character as one that the grammar quotes."""
        return any(m.literal and class_ in m.item.classes for m in self._trace.moves[state])

    # Words

    def _items(self, node: Node) -> list[Item]:
        """What could stand next; inside an escape only where there is nothing else."""
        found = [i for s in sorted(node.states) for i in self._trace.items[s]]
        return [i for i in found if not i.escaping] or found

    def _describe(self, node: Node) -> tuple[Words, Words]:
        """The production that was being read, and the elements of it that could stand next.

        Where a production has only been entered, and another could have been as well, it is the
        one that has both.
        """
        if node.described is None:
            items = self._items(node)
            if not items:
                node.described = self._path, ()
                return node.described
            path = items[0].path
            if not any(i.begun for i in items):
                while len(path) > 1 and path[-1] not in self._leaves:
                    if all(i.path[: len(path)] == path for i in items):
                        break
                    path = path[:-1]
            size = len(path)
            words = [
                i.word if len(i.path) == size else i.path[size]
                for i in items
                if i.path[:size] == path
            ]
            node.described = self._before + path, tuple(dict.fromkeys(words))
        return node.described


class _Step(NamedTuple):
    """One character put in: the state that it leads to, and the item that it is."""

    before: _Step | None
    state: int
    item: Item | None
    literal: bool

    def items(self) -> list[Item]:
        """The items from the first character that was put in to this one."""
        found: list[Item] = []
        step: _Step | None = self
        while step is not None and step.item is not None:
            found.append(step.item)
            step = step.before
        return found[::-1]


def _sequence(items: list[Item], path: Words) -> str:
    """The elements that a run of characters makes up, as ABNF: 2DIGIT, or ``"=" value``.

    They are those of the last production of ``path``, or of one above it where that ends.
    """
    while any(i.path[: len(path)] != path for i in items):
        path = path[:-1]
    words: list[str] = []
    counts: list[int] = []
    for item in items:
        direct = len(item.path) == len(path)
        word = item.word if direct else item.path[len(path)]
        if not words or words[-1] != word:
            words.append(word)
            counts.append(1)
        elif direct and not item.inside and word[0] not in '"%':
            counts[-1] += 1  # else it is one more character of the same element
    return " ".join(word if n == 1 else f"{n}{word}" for word, n in zip(words, counts, strict=True))


def _absent_elements(first: Item, items: list[Item]) -> tuple[Words, Words]:
    """The production that lacks something, and what it lacks."""
    words = dict.fromkeys(i.word for i in items if i.path == first.path)
    return first.path, tuple(words)


def _missing(insertion: Insertion, at: int) -> Blame:
    return Blame(at, at, "missing", insertion.path, insertion.expected, None, insertion.absent)


def _add(found: list[Blame], blame: Blame) -> None:
    if found and found[-1].joins(blame):
        found[-1].join(blame)
    else:
        found.append(blame)


def _reach(run: Run, end: int) -> int:
    """How far a run got: to accept at the end is further than to come to the end."""
    return run.at + (run.at == end and run.node.accepting)


@lru_cache(maxsize=4096)
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
