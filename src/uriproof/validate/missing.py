"""The part missing before a character, or at the end, and its ABNF.

Owns the search for the shortest insertion. Imports the sets of states. Invariant: an insertion
leads to a state that continues; it has more than one character only if the grammar demands exactly
these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..grammar.machine.automaton import DEAD
from ..grammar.machine.trace import Item, Trace
from ..limits import MAX_ELEMENT_STATES, MAX_MISSING
from .states import Node, Run, Words, per_node
from .words.quoted import choice


class Insertion(NamedTuple):
    """The possible omission before a character: the node after that character, and the words."""

    node: Node
    path: Words
    expected: Words
    absent: str
    quoted: bool
    """True if one character is missing, and it or the one after it is quoted."""
    several: bool
    """True if several characters are missing that the grammar demands."""
    inside_literal: bool
    """True if part of a quoted text is missing."""


def omitted(node: Node, classes: list[int], at: int, ahead: Run) -> tuple[Insertion, Run] | None:
    """The part missing before a character, if inserting it gets further than blaming that.

    If both get equally far, the text after the next blamed character decides; at the beginning
    a part is missing if the grammar quotes it or its successor.
    """
    # Of a separator that stands twice ("a=1&&b=2"), neither is wrong: nothing is between them.
    if at and classes[at - 1] == classes[at] and _separates(node, classes[at]):
        path, words = node.described
        empty = Insertion(node, path, words, " / ".join(words), True, False, False)
        return empty, node.run(classes, at + 1)
    end = len(classes)
    furthest = ahead.reach(end)
    # Nothing is gained if blaming the character already leads to the end; at the beginning
    # a quoted word can still be the omission. A loop takes any number of its characters,
    # so that none of them is ever "missing" in it (contract: exact).
    if (furthest > end and at > 0) or node.looping:
        return None
    found = insertion(node, classes[at])
    if found is None:
        return None
    other = found.node.run(classes, at + 1)
    gain = other.reach(end) - furthest
    # Putting in several characters is a large claim: on a tie it must also be right about what
    # comes after the next mistake ("24-01-01": a year of four digits, not a wrong hyphen).
    if gain == 0 and found.several and other.at < end:
        gain = _after_next(other, classes) - _after_next(ahead, classes)
    # On a tie the character that is there is blamed: it is certain that it cannot stand, and
    # only a guess what should have. Not at the beginning, before which nothing could be wrong.
    if gain > 0 or (gain == 0 and at == 0 and found.quoted):
        return found, other
    return None


def _after_next(run: Run, classes: list[int]) -> int:
    """How far reading gets if the next illegal character is also skipped."""
    return run.node.after.run(classes, run.at + 1).reach(len(classes))


@per_node
def _separates(node: Node, class_: int) -> bool:
    """True if the character that was read last separates elements: one and it lead back here.

    Read once more at once, it shows that an element is missing: ``a@b,,c@d``. In an element is
    nothing that the production with the separator quotes: else ``{`` would be one, for ``a}``
    leads to the next. The way is searched in so many states that blame stays linear.
    """
    return not node.looping and any(_ways_back(node, class_))


def _ways_back(node: Node, class_: int) -> Iterator[Words]:
    """The productions that quote a character which leads to a node from behind an element."""
    rows, moves = node.sets.trace.automaton.rows, node.sets.trace.moves
    quoting = dict.fromkeys(node.states, frozenset[Words]())  # on the way to a state
    todo = [*quoting]
    for state in todo:
        here = {m.item.path for m in moves[state] if m.literal and class_ in m.item.classes}
        if rows[state][class_] in node.states:
            yield from here - quoting[state]
        for move in moves[state]:
            more = {move.item.path} if move.literal else set()
            is_new = move.target not in quoting and move.item.classes != {class_}
            if is_new and len(todo) < MAX_ELEMENT_STATES:
                quoting[move.target] = quoting[state] | more
                todo.append(move.target)


@per_node
def insertion(node: Node, class_: int) -> Insertion | None:
    """The shortest insertion before a character so that it can be read.

    Breadth first over possible insertions, one character more at a time. More than one character
    is inserted only if the grammar demands exactly these, and if it quotes them, or the character
    before which they are missing: otherwise anything could be meant.
    """
    trace = node.sets.trace
    rows, moves, distances = trace.automaton.rows, trace.moves, trace.distances
    level = [_Step(None, state, None, True) for state in sorted(node.states)]
    seen = set(node.states)
    for length in range(1, MAX_MISSING + 1):
        found: dict[int, _Step] = {}
        for step in level:
            for move in moves[step.state]:
                # From the second character on, only what leads nearer to the end: else the
                # search would go round in loops, and find words that nobody left out.
                if length > 1 and distances[move.target] >= distances[step.state]:
                    continue
                literal = step.literal and move.literal
                known = found.get(move.target)
                # Of two ways to a state, the one that the grammar spells out says more.
                if known is None or (literal and not known.literal):
                    found[move.target] = _Step(step, move.target, move.item, literal)
        landed = [
            step
            for step in found.values()
            if rows[step.state][class_] != DEAD
            and (length == 1 or step.literal or _quotes(trace, step.state, class_))
        ]
        if landed:
            return _inserted(node, landed, class_, length)
        # Each state once, and only ways that get nearer to the end: the least that is missing.
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


def _inserted(node: Node, landed: list[_Step], class_: int, length: int) -> Insertion:
    """The words for the missing part: for one character all alternatives, else the whole."""
    sets, trace = node.sets, node.sets.trace
    rows = trace.automaton.rows
    target = sets.node(frozenset(rows[step.state][class_] for step in landed))
    items = landed[0].items()
    quoted = length == 1 and (
        all(step.literal for step in landed)
        or any(_quotes(trace, step.state, class_) for step in landed)
    )
    inside_literal = all(step.literal for step in landed) and (
        items[0].inside or _within(trace, landed[0], class_)
    )
    first = items[0]
    chosen = [first]
    # For a single character every alternative is named; for several, alternatives at each place
    # would be a product of words that no sentence can hold: the first way stands for all.
    if length == 1:
        chosen = [*(step.items()[0] for step in landed), *_escapes(node)]
    path, words = _absent_elements(first, chosen)
    absent = _sequence(items, path) if length > 1 or inside_literal else " / ".join(words)
    place = sets.before + path
    # Of a choice of words ("base" / "one" / "sub"), all are named, not the letters of one.
    wanted = None if first.inside else choice(node)
    if wanted is not None and first.word in wanted.expected:
        place, words, absent = wanted.path, wanted.expected, ""
    absent = f"part of {absent}" if inside_literal else absent
    return Insertion(target, place, words, absent, quoted, length > 1, inside_literal)


def _within(trace: Trace, step: _Step, class_: int) -> bool:
    """True when a character continues the quoted text that was inserted before it."""
    return any(
        class_ in i.classes and i.inside and step.item is not None and i.word == step.item.word
        for i in trace.items[step.state]
    )


@per_node
def lacking(node: Node) -> tuple[Words, Words, str]:
    """The part missing at the end, a shortest way to a valid text: path, words, ABNF."""
    sets, trace = node.sets, node.sets.trace
    # A shortest way: whatever else could follow, no less than this is enough.
    least = min(trace.distances[s] for s in node.states)
    states = [s for s in sorted(node.states) if trace.distances[s] == least]
    items = [item for s in states for item in trace.needed(s)]
    if not items:
        return sets.path, (), ""
    path, words = _absent_elements(items[0], [*items, *_escapes(node)])
    wanted = None if items[0].inside else choice(node)
    if wanted is not None and items[0].word in wanted.expected:
        return wanted.path, wanted.expected, ""
    absent = " / ".join(words)
    # With one word the whole way is spelled ("::" alone would not complete "1:2"); a choice of
    # words has a way for each, and is named as the choice.
    if len(words) == 1:
        absent = _sequence(_to_the_end(trace, states[0], items[0]), path)
        if items[0].inside:
            absent = f"part of {absent}"
    return sets.before + path, words, absent


def _to_the_end(trace: Trace, state: int, first: Item) -> list[Item]:
    """The items on a shortest way from a state to the end, the first of them given."""
    rows, distances = trace.automaton.rows, trace.distances
    chosen = [first]
    # The way gets shorter with each step; the bound is for words as long as the grammar likes.
    for _ in range(MAX_MISSING):
        following = [t for c in chosen[-1].classes if (t := rows[state][c]) != DEAD]
        state = min(following, key=lambda t: (distances[t], t))
        needed = trace.needed(state)
        if state in trace.automaton.accepting or not needed:
            break
        chosen.append(needed[0])
    return chosen


def _escapes(node: Node) -> list[Item]:
    """The items that begin an escape sequence: longer than a character, and as good as one, so that
    not only the bare characters are named as missing."""
    rows, escaping = node.sets.trace.automaton.rows, node.sets.trace.escaping
    return [
        item
        for state in sorted(node.states)
        for item in node.sets.trace.items[state]
        if any((t := rows[state][c]) != DEAD and escaping[t] for c in item.classes)
    ]


def _quotes(trace: Trace, state: int, class_: int) -> bool:
    """True when a state reads a character as one that the grammar quotes."""
    return any(m.literal and class_ in m.item.classes for m in trace.moves[state])


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
    """The elements of a run of characters, as ABNF: 2DIGIT, or ``"=" value``.

    They are those of the last production of ``path``, or of one above it if that ends.
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
    """The production that is incomplete, and its missing part."""
    words = dict.fromkeys(i.word for i in items if i.path == first.path)
    return first.path, tuple(words)
