"""Error recovery: which characters of a text one production does not allow.

Owns error recovery: how reading continues after a character that is not allowed in its place.
Imports the traces. Invariant: reading starts anew at most a bounded number of times per character,
so that blaming is linear; an object is never changed once another thread can see it.

How it works. The automaton is run over the text; a ``Node`` is the set of its states that the text
so far can have led to. If no state continues, the character is blamed, and then the set is widened
to all states that could be meant:

    2024-1x as year "-" 2DIGIT        the x is not allowed after the digit
    2024-1                            as if the x were not there: still one digit to come
    2024-1?                           as if a legal character stood in its place: complete

All of them are kept, and those that fail first drop out by themselves, because a set only loses
states; so the rest is always the way that gets furthest. If inserting the missing part gets further
still (``24-01`` lacks two digits before its ``-``), a violation of no width says so. In a loop over
characters, such as a query, nothing is ever missing: there the blamed characters are exactly those
that the loop does not admit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple, TypeAlias

from ..grammar.charset import MAX_REMEMBERED
from ..grammar.compiled import Compiled
from ..grammar.machine.automaton import DEAD
from ..report import Kind
from .missing import Insertion, insertion, lacking, omitted
from .octets import encoded_character
from .states import Node, Passed, Run, States, Words, per_node
from .words.quoted import choice, quoted, wrong_word

About: TypeAlias = tuple[Kind, Words, Words, bool, str]
"""What a blame says of its range: its fields from ``kind`` to ``absent``."""


class Blame(NamedTuple):
    """One blamed range: the production's path, from the traced rule, and the expected elements.

    ``encodes`` says that its characters may be percent-encoded. ``absent`` is all that is missing,
    as ABNF. ``component`` and ``grammar`` are filled in by ``examine``, which
    also makes the offsets those of the whole text.
    """

    start: int
    end: int
    kind: Kind
    path: Words
    expected: Words
    encodes: bool = False
    absent: str = ""
    component: str = ""
    grammar: Compiled = None  # type: ignore[assignment]  # filled in, as the class says

    def fix(self, text: str) -> str | None:
        """The replacement of its characters, if they may be encoded and have octets."""
        if not self.encodes:
            return None
        octets = [encoded_character(char) for char in text[self.start : self.end]]
        return None if None in octets else "".join(octets)  # type: ignore[arg-type]


def cost(blames: Iterable[Blame]) -> int:
    """The number of blamed characters; a missing part counts as one."""
    return sum([max(one.end - one.start, 1) for one in blames])


def add(found: list[Blame], blame: Blame) -> None:
    """Append a blame to those before it, as one with the last if both are one violation: adjacent,
    and alike in production and kind, against one grammar.
    """
    last = found[-1] if found else None
    if (
        last is not None
        and last.start < last.end == blame.start < blame.end
        and last.kind == blame.kind
        and last.path[-1] == blame.path[-1]
        and last.grammar is blame.grammar
    ):
        found[-1] = last._replace(end=blame.end, encodes=last.encodes and blame.encodes)
    else:
        found.append(blame)


def shifted(blames: list[Blame], by: int) -> list[Blame]:
    """The same blames in a longer text."""
    return [one._replace(start=one.start + by, end=one.end + by) for one in blames]


class Reader(States):
    """One production, ready to blame; ``encode`` allows percent-encoding as a fix."""

    def __init__(self, grammar: Compiled, path: Words, encode: bool) -> None:
        super().__init__(grammar, path)
        self.encodes = encode
        self.start = self.node(frozenset({0}))
        self._has_words = bool(quoted(grammar))

    def targets(self, node: Node) -> dict[int, Node]:
        """By class, the node after a character that is allowed."""
        size = self.trace.automaton.alphabet.size
        return {c: target for c in range(size) if (target := node.step(c)) is not None}

    def after(self, node: Node, text: str) -> Node | None:
        """The node after some more characters; None if one of them is not allowed."""
        run = node.run(self.encode(text))
        return run.node if run.at == len(text) else None

    def repeats(self, node: Node) -> bool:
        """True if a text can end here, and a wrong character does not change what can follow."""
        return node.accepting and node.looping and node.closed

    def asks_for_a_word(self, node: Node) -> bool:
        """True if one of some words is to come, of which a wrong one is blamed as a whole."""
        return self._has_words and choice(node) is not None

    def describe_escape(self, node: Node) -> tuple[Words, Words]:
        """The path and the elements of a blame of an incomplete escape sequence."""
        classes = [c for c, target in self.targets(node).items() if target.escaping]
        return _past_escape(node, classes[0])[1], self.trace.escape_words

    def spelled(self, classes: Iterable[int]) -> str:
        """The characters of some classes, inside the brackets of an expression."""
        ranges = [r for c in classes for r in self.trace.automaton.alphabet.ranges(c)]
        return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)

    def others(self, classes: Collection[int]) -> str:
        """An expression of a character of no such class, by the fewer characters: ``re`` takes
        milliseconds to compile a set with most of Unicode."""
        alphabet = self.trace.automaton.alphabet
        left = set(range(alphabet.size)).difference(classes)
        size, others = (
            sum(high - low + 1 for c in some for low, high in alphabet.ranges(c))
            for some in (classes, left)
        )
        if size < others:
            return f"[^{self.spelled(classes)}]"
        return f"[{self.spelled(left)}]" if others else "(?!)"

    def viable(self, text: str) -> int:
        """The length of the longest prefix that could be the start of something valid."""
        run = self.start.run(self.encode(text))
        return run.entered if run.node.escaping and run.entered >= 0 else run.at

    def read(self, text: str) -> list[Blame]:
        """All that is to blame in a text, sorted and disjoint. Cost: O(n)."""
        classes = self.encode(text)
        end = len(classes)
        found: list[Blame] = []
        run = self.start.run(classes)
        plain = run.node  # the position if blamed characters are only skipped
        while run.at < end or not run.node.accepting:
            node, at = run.node, run.at
            if node.escaping and run.entered >= 0:
                blame, run = self._bad_escape(run, classes, text)
                add(found, blame)
                plain = run.node
                continue
            if at == end:
                found.append(_missing_at_end(node, at))
                break
            word = wrong_word(run, classes, text) if self._has_words else None
            if word is not None:
                start, stop, words = word
                add(found, Blame(start, stop, "illegal", words.path, words.expected))
                run = words.after.run(classes, stop)
                plain = run.node
                continue
            passed = self._passed(node, text[at])
            beyond = passed.beyond
            ahead = beyond.run(classes, at + 1)
            put_in = omitted(node, classes, at, ahead)
            if put_in is not None:
                absent, run = put_in
                found.append(_missing(absent, at))
                plain = run.node
                continue
            add(found, _illegal(plain, at, at + 1, passed.fix is not None))
            run = ahead
            other = plain.run(classes, at + 1) if plain is not beyond else run
            plain = other.node if other.at == run.at else run.node
        return found

    def blame_address(self, text: str, most: int) -> list[Blame]:
        """The blame of an address, in which one wrong character makes the rest hard to judge.

        One character, or up to ``most``, if the rest is then right; part of a quoted text that is
        missing, if the rest is right; else all from the first blamed character to the end. Cost:
        O(n).
        """
        classes = self.encode(text)
        end = len(classes)
        first = self.start.run(classes)
        if first.at == end:
            return [_missing_at_end(first.node, end)]
        found: list[Blame] = []
        run = first
        for _ in range(most):
            if run.at == end:
                break
            found.append(_illegal(run.node, run.at, run.at + 1))
            run = run.node.after.run(classes, run.at + 1)
        right = bool(found) and run.reach(end) > end
        if right and len(found) == 1:
            return found
        absent = insertion(first.node, classes[first.at]) if most else None
        if absent is not None and absent.inside_literal:
            rest = absent.node.run(classes, first.at + 1)
            if rest.reach(end) > end:
                return [_missing(absent, first.at)]
        joined: list[Blame] = []
        for blame in found if right else [_illegal(first.node, first.at, end)]:
            add(joined, blame)
        return joined

    # Escapes and fixes

    def _bad_escape(self, run: Run, classes: list[int], text: str) -> tuple[Blame, Run]:
        """The blame of an incomplete escape sequence, and where reading continues.

        This is the one exception to "the first character that no valid text could have there": a
        percent sign without two hexadecimal digits is blamed itself, and reading continues right
        after it, as if it began a complete sequence; with the digits that it has, if only that
        continues.
        """
        at, before = run.entered, run.before
        after, path = _past_escape(before, classes[at])
        on = after.run(classes, at + 1)
        fix = self._passed(before, text[at]).fix
        if run.at > at + 1:
            other = after.run(classes, run.at)
            if other.reach(len(classes)) > on.reach(len(classes)):
                on, fix = other, None  # encoded, the digits could not follow
        words = self.trace.escape_words
        return Blame(at, at + 1, "bad-escape", path, words, fix is not None), on

    def _passed(self, node: Node, char: str) -> Passed:
        """The treatment of a character that is not allowed in its place, and of the reading."""
        known = node.passed.get(char)
        if known is None:
            fix = encoded_character(char) if self.encodes else None
            beyond = None if fix is None else self.after(node, fix)
            if beyond is None:
                fix = None
                beyond = node if node.looping and node.closed else node.after
            known = Passed(fix, beyond)
            if len(node.passed) >= MAX_REMEMBERED:
                node.passed = {}
            node.passed[char] = known
        return known


@per_node
def _past_escape(node: Node, class_: int) -> tuple[Node, Words]:
    """The node after an escape sequence that began in a node with a character, and its path."""
    trace = node.sets.trace
    path, _ = (node.step(class_) or node).described
    if path[-1] != trace.escape:
        path = (*path, trace.escape)
    rows = trace.automaton.rows
    todo = {t for s in node.states if (t := rows[s][class_]) != DEAD}
    seen: set[int] = set()
    done: set[int] = set()
    while todo:
        state = todo.pop()
        seen.add(state)
        if trace.escaping[state]:
            todo |= {t for t in rows[state] if t != DEAD} - seen
        else:
            done.add(state)
    return node.sets.node(frozenset(done)), path


def _illegal(node: Node, start: int, end: int, encodes: bool = False) -> Blame:
    path, expected = node.described
    return Blame(start, end, "illegal", path, expected, encodes)


def _missing_at_end(node: Node, at: int) -> Blame:
    path, words, absent = lacking(node)
    return Blame(at, at, "missing", path, words, absent=absent)


def _missing(absent: Insertion, at: int) -> Blame:
    return Blame(at, at, "missing", absent.path, absent.expected, absent=absent.absent)
