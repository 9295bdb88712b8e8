"""Which elements of a rule a text passes through.

Owns the way of a text through one rule at a time. Imports the model and the automata of the rules
that it refers to. Invariant: the way is the one that RFC 3986 means: of alternatives the first
that fits (§3.2.2), and what stands earlier takes as much as it can (Appendix B, "greedy").
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...grammar.errors import GrammarLimit
from ...grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    NumVal,
    Repetition,
    RuleRef,
)

if TYPE_CHECKING:
    from ...grammar.compiled import Compiled

__all__ = ["MAX_LIT", "lit"]

MAX_LIT = 1_000
"""Code points of a text whose way is looked for: a diagram is for eyes."""

MAX_LIT_IRREGULAR = 100
"""The same where a rule has no automaton, so that each part of the text is tried by itself."""


def lit(compiled: Compiled, rule: str, text: str, *, deep: bool = False) -> tuple[str, ...]:
    """The ids of the elements that the text passes through, in the order in which it does.

    Empty when the rule does not accept the text. A repetition passed through without a round adds
    its id with ``:skip``, one with two rounds or more its id with ``:again``. With ``deep``, the
    elements of the rules that are referred to as well, for whatever part of the text they read.

    Errors: GrammarLimit, for a text of more than ``MAX_LIT`` code points, or than
    ``MAX_LIT_IRREGULAR`` where a rule that is referred to has no automaton; KeyError for a rule in
    another spelling than its own. Cost: O(n²) for each rule that has one.

    >>> from uriproof.grammar.registry import load
    >>> lit(load("rfc3986"), "host", "1.2.3.4"), lit(load("rfc3986"), "port", "")
    (('host', 'host.1'), ('port', 'port:skip'))
    """
    if len(text) > MAX_LIT:
        raise GrammarLimit(
            f"a way through a diagram is shown for at most {MAX_LIT:,} characters, "
            f"not {len(text):,}"
        )
    found: dict[str, None] = {}
    pending = [(rule, 0, len(text))]
    seen = set(pending)
    for name, start, end in pending:  # grows while it is gone over
        way = _Way(compiled, text, name)
        element = compiled.model.rules[name].element
        if not way.ends(element, start) >> end & 1:
            break
        for node, inner, at, to in way.walk(element, name, start, end):
            found[node] = None
            task = (inner, at, to)
            if deep and inner and task not in seen:
                seen.add(task)
                pending.append(task)
    return tuple(found)


class _Way:
    """One rule and one text: where an element that starts somewhere can end, as bits of an int."""

    def __init__(self, compiled: Compiled, text: str, rule: str) -> None:
        self.compiled = compiled
        self.text = text
        self.rule = rule
        self._memo: dict[tuple[int, int], int] = {}

    def ends(self, element: Element, start: int) -> int:
        """The offsets at which the element, read from ``start``, can end."""
        key = id(element), start
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self._find(element, start)
        return found

    def _find(self, element: Element, start: int) -> int:
        match element:
            case RuleRef(name):
                return self._rule(name, start)
            case CharVal() | NumVal():
                return self._terminal(element, start)
            case Concatenation(items):
                mask = 1 << start
                for item in items:
                    mask = self._step(item, mask)
                return mask
            case Alternation(items):
                mask = 0
                for item in items:
                    mask |= self.ends(item, start)
                return mask
            case Repetition(item, least, most):
                return self._repeated(item, least, most, start)

    def _step(self, item: Element, mask: int) -> int:
        found = 0
        for at in _bits(mask):
            found |= self.ends(item, at)
        return found

    def _repeated(self, item: Element, least: int, most: int | None, start: int) -> int:
        mask, before = 1 << start, -1
        for _ in range(least):
            if mask == before:  # rounds that need not read: as many of them as it takes
                break
            before, mask = mask, self._step(item, mask)
        found = fresh = mask
        for _ in range(len(self.text) if most is None else min(most - least, len(self.text))):
            fresh = self._step(item, fresh) & ~found
            if not fresh:
                break
            found |= fresh
        return found

    def _terminal(self, element: CharVal | NumVal, start: int) -> int:
        from ...grammar.charset import of_terminal

        sets = of_terminal(element)
        part = self.text[start : start + len(sets)]
        fits = len(part) == len(sets) and all(
            any(low <= ord(char) <= high for low, high in ranges)
            for char, ranges in zip(part, sets, strict=True)
        )
        return 1 << (start + len(sets)) if fits else 0

    def _rule(self, name: str, start: int) -> int:
        try:
            automaton = self.compiled.automaton(name)
        except GrammarLimit:
            if len(self.text) > MAX_LIT_IRREGULAR:
                raise
            accepts, ends = self.compiled.matcher(name), range(start, len(self.text) + 1)
            return sum(1 << end for end in ends if accepts(self.text[start:end]))
        mask, state = (1 << start if 0 in automaton.accepting else 0), 0
        for at, class_ in enumerate(automaton.alphabet.encode(self.text[start:]), start + 1):
            state = automaton.rows[state][class_]
            if state < 0:
                break
            if state in automaton.accepting:
                mask |= 1 << at
        return mask

    def walk(
        self, element: Element, node: str, start: int, end: int
    ) -> Iterator[tuple[str, str, int, int]]:
        """The ids on the way through an element that can be read so, each with a rule it enters."""
        yield node, element.name if isinstance(element, RuleRef) else "", start, end
        match element:
            case Concatenation(items):
                ways = [1 << end]  # what is left to read from there can be read to the end
                for item in reversed(items[1:]):
                    ways.append(self._before(item, start, end, ways[-1]))
                for i, (item, good) in enumerate(zip(items, reversed(ways), strict=True)):
                    to = (self.ends(item, start) & good).bit_length() - 1
                    yield from self.walk(item, f"{node}.{i}", start, to)
                    start = to
            case Alternation(items):
                for i, item in enumerate(items):
                    if self.ends(item, start) >> end & 1:
                        yield from self.walk(item, f"{node}.{i}", start, end)
                        break
            case Repetition(item):
                rounds = 0
                for at, to in self._rounds(element, start, end):
                    rounds += 1
                    if rounds == 2:  # noqa: PLR2004 -- the second round is the first to come back
                        yield f"{node}:again", "", at, to
                    yield from self.walk(item, f"{node}.0", at, to)
                if not rounds:
                    yield f"{node}:skip", "", start, end

    def _before(self, item: Element, start: int, end: int, good: int) -> int:
        """The offsets from which the item can be read to one of the good ones."""
        mask = 0
        for at in range(start, end + 1):
            if self.ends(item, at) & good:
                mask |= 1 << at
        return mask

    def _rounds(self, element: Repetition, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The rounds of a repetition, each as long as can be; none reads nothing in vain."""
        item, length = element.item, end - start
        # More rounds than there are characters read nothing, and what reads nothing once may do
        # so as often as is asked for: counts need not be larger than that.
        least = min(element.least, max(length, 1))
        if element.most is None:
            after = self._closed(item, start, end)
            counts = least
        else:
            after = 1 << end
            counts = min(element.most, least + length)
        ways = [after]  # from where the end can be reached: after all rounds, all but one, ...
        for count in reversed(range(counts)):
            ways.append(self._before(item, start, end, ways[-1]) | (count >= least) << end)
        count = 0
        while start < end or count < least:
            count += 1
            good = ways[max(counts - count, 0)]
            to = (self.ends(item, start) & good).bit_length() - 1
            yield start, to
            start = to

    def _closed(self, item: Element, start: int, end: int) -> int:
        """The offsets from which any number of rounds lead to the end."""
        mask = 1 << end
        for at in reversed(range(start, end)):
            if self.ends(item, at) & mask:
                mask |= 1 << at
        return mask


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
