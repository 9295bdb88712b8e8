"""The derivations in a chart: how many there are, and the one that is meant.

Owns counting and choosing. Imports the chart. Invariant: the chosen derivation takes, at each
alternation, the first alternative that derives the span (RFC 3986 §3.2.2 calls this
"first-match-wins"), and at each division the longest first part; an option that can be empty is
taken, and empty. It is finite even if there are infinitely many.

A tree of lark's is that derivation without the rules of characters: its tokens, joined, are the
text, and every node has the name of its rule. It serves if no parser of lark's reads a rule fast
enough, or at any depth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ..graph import is_cyclic, reachable, strongly_connected
from ..spelling import identifier
from .chart import Chart, Kind, Slot, State
from .recognizer import Node

if TYPE_CHECKING:
    from lark import Tree


Span: TypeAlias = tuple[Slot, int, int]
"""A slot, and the half-open range of code points that it derives."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One item of a sequence or round of a loop: the states around it, and its span."""

    before: State
    after: State
    span: Span


@dataclass(frozen=True, slots=True)
class Ways:
    """In how many ways a span can be made of its items; ``number`` None is infinitely many.

    ``choices`` are the numbers of the alternatives that derive the span, the meant one first.
    """

    number: int | None
    choices: tuple[int, ...]


class Forest:
    """The derivations of spans in a chart. Errors: GrammarLimit, when the chart's work is spent."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._spend = chart.reading.spend
        self._steps: dict[Span, list[_Step]] = {}
        self._counts: dict[Span, int | None] = {}
        self._callers: dict[Node, set[Node]] = {}

    def count(self, root: Span) -> int | None:
        """How many derivations a span has; None if infinitely many."""
        counts = self._counts

        def inside(span: Span) -> Iterator[Span]:
            for inner in self._inside(span):
                self._spend()
                if inner not in counts:
                    yield inner

        for group in strongly_connected([root], inside):
            looping = is_cyclic(group, self._inside)
            counts.update((span, None if looping else self._count(span)) for span in group)
        return counts[root]

    def ways(self, span: Span) -> Ways:
        """In how many ways one span is made, whatever the spans inside it."""
        match span[0].kind:
            case Kind.CHOICE:
                meant = self._meant(span)
                others = [number for number in self._choices(span) if number != meant]
                return Ways(1 + len(others), (meant, *others))
            case Kind.SEQUENCE | Kind.LOOP:
                return Ways(self._paths(span, alone=True), ())
            case _:
                return Ways(1, ())

    def parts(self, span: Span) -> list[Span]:
        """The spans that the meant derivation of a span consists of."""
        slot, start, end = span
        match slot.kind:
            case Kind.TERMINAL:
                return []
            case Kind.RULE:
                return [(slot.items[0], start, end)]
            case Kind.CHOICE:
                return [(slot.items[self._meant(span)], start, end)]
            case _ if slot.is_option and start == end:
                # taken if it can be, as lark takes it: the node of a rule in it is always there
                inner = slot.items[0], start, end
                is_there = end in self._chart.ends(inner[0], start) and self._founded(span, inner)
                return [inner] if is_there else []
            case _:
                path = self._path(span, span)
                return path if path is not None else self._path(span, None) or []

    def _choices(self, span: Span) -> Iterator[int]:
        slot, start, end = span
        for number, item in enumerate(slot.items):
            if end in self._chart.ends(item, start):
                yield number

    def _meant(self, span: Span) -> int:
        """The first alternative that derives a span, and does not need the span for it."""
        slot, start, end = span
        choices = self._choices(span)
        first = next(choices)
        if self._founded(span, (slot.items[first], start, end)):
            return first
        founded = (n for n in choices if self._founded(span, (slot.items[n], start, end)))
        return next(founded, first)

    # Self-derivation: of equal spans, each rests on those that were found before it

    def _founded(self, span: Span, inner: Span) -> bool:
        """False if the inner span can only be derived by way of the outer one."""
        if span[1:] != inner[1:]:
            return True
        slot, start, end = inner
        node = self._chart.reading.node(span[0].owner, start)
        if node is None or end not in node.ends or node not in self._outer(node):
            return True
        match slot.kind:
            case Kind.TERMINAL:
                return True
            case Kind.RULE:
                callee = self._chart.reading.node(slot.owner, start)
                assert callee is not None  # noqa: S101 -- spans come out of the chart
                return callee.ends[end] > node.ends[end] or callee not in self._outer(node)
            case Kind.CHOICE:
                items = (slot.items[n] for n in self._choices(inner))
                return any(self._founded(span, (item, start, end)) for item in items)
            case _:
                return self._path(inner, span) is not None

    def _outer(self, node: Node) -> set[Node]:
        """The nodes that call a node at its own offset, directly or by others."""
        found = self._callers.get(node)
        if found is None:

            def callers(inner: Node) -> list[Node]:
                return [outer for _, _, outer in inner.callers if outer.at == inner.at]

            found = self._callers[node] = reachable(callers(node), callers)
        return found

    # Sequences and loops

    def _path(self, of: Span, founded: Span | None) -> list[Span] | None:
        """The spans on the way with the longest first part, and no empty round unless needed.

        With ``founded``, no span on it rests on that one. None if there is no such way.
        """
        slot, start, end = of

        def steps(state: State) -> Iterator[tuple[State, Span]]:
            item = slot.item(state[0])
            if item is None:
                return
            for to in self._chart.longest_first(item, state[1], end):
                self._spend()
                span, after = (item, state[1], to), slot.following(state, to)
                if after not in seen and (founded is None or self._founded(founded, span)):
                    yield after, span

        seen = {(0, start)}
        path: list[Span] = []
        stack = [((0, start), steps((0, start)))]
        while stack:
            state, onward = stack[-1]
            if state[1] == end and slot.may_end(state[0]):
                return path
            step = next(onward, None)
            if step is None:
                stack.pop()
                del path[-1:]
            else:
                seen.add(step[0])
                path.append(step[1])
                stack.append((step[0], steps(step[0])))
        return None

    def _lattice(self, span: Span) -> list[_Step]:
        """The steps on all ways from a span's start to its end, each after those before it."""
        known = self._steps.get(span)
        if known is not None:
            return known
        slot, start, end = span
        chart = self._chart
        into: dict[State, list[_Step]] = {}
        for state in chart.states(slot, start):
            item = slot.item(state[0])
            if item is None or state[1] > end:
                continue
            for to in chart.ends(item, state[1]):
                if to <= end:
                    step = _Step(state, slot.following(state, to), (item, state[1], to))
                    into.setdefault(step.after, []).append(step)
                    self._spend()
        stack = self._finals(span)
        seen = set(stack)
        steps: list[_Step] = []
        while stack:
            for step in into.get(stack.pop(), ()):
                steps.append(step)
                if step.before not in seen:
                    seen.add(step.before)
                    stack.append(step.before)
        steps.sort(key=lambda s: (s.before[1], s.before[0]))
        self._steps[span] = steps
        return steps

    def _finals(self, span: Span) -> list[State]:
        """The states in which a sequence or loop can end where the span does."""
        slot, start, end = span
        states = self._chart.states(slot, start)
        return [s for s in states if s[1] == end and slot.may_end(s[0])]

    def _paths(self, span: Span, alone: bool = False) -> int | None:
        """How many ways lead through the items, each with all derivations of them."""
        ways: dict[State, int] = {(0, span[1]): 1}
        for step in self._lattice(span):
            number = 1 if alone else self._counts[step.span]
            if number is None or step.before == step.after:
                return None
            ways[step.after] = ways.get(step.after, 0) + ways.get(step.before, 0) * number
        return sum(ways.get(state, 0) for state in self._finals(span))

    # Counting

    def _inside(self, span: Span) -> Iterable[Span]:
        """The spans that some derivation of a span consists of."""
        slot, start, end = span
        match slot.kind:
            case Kind.TERMINAL:
                return ()
            case Kind.RULE:
                return [(slot.items[0], start, end)]
            case Kind.CHOICE:
                return [(slot.items[n], start, end) for n in self._choices(span)]
            case _:
                return dict.fromkeys(step.span for step in self._lattice(span))

    def _count(self, span: Span) -> int | None:
        match span[0].kind:
            case Kind.TERMINAL:
                return 1
            case Kind.RULE | Kind.CHOICE:
                numbers = [self._counts[inner] for inner in self._inside(span)]
                known = [number for number in numbers if number is not None]
                return sum(known) if len(known) == len(numbers) else None
            case _:
                return self._paths(span)


def tree_of(chart: Chart) -> Tree[Any]:
    """The tree of a text that was read and accepted; a rule made only of characters is one token.

    Cost: O(n) if one reading is left at each character. Errors: GrammarLimit, for a text with too
    many readings.
    """
    from lark import Token, Tree
    from lark.lexer import LineCounter

    def token(type_: str) -> Token:
        text, line, column = chart.text[start:end], place.line, place.column
        place.feed(text)
        return Token(type_, text, start, line, column, place.line, place.column, end)

    forest, leaves, types = Forest(chart), chart.leaves, chart.reader.types
    place = LineCounter("\n")  # type: ignore[no-untyped-call]
    top: list[Any] = []
    stack = [((chart.root, 0, len(chart.text)), top)]
    while stack:
        (slot, start, end), around = stack.pop()
        chart.reading.spend()
        if slot.kind is Kind.RULE:
            inside: list[Any] = []
            around.append(Tree(slot.owner, inside))
            around = inside
            if slot.owner in leaves:
                if end > start:
                    around.append(token(identifier(slot.owner).upper()))
                continue
        elif slot.kind is Kind.TERMINAL:
            if end > start:
                around.append(token(types[slot.element]))
            continue
        stack += ((span, around) for span in reversed(forest.parts((slot, start, end))))
    whole: Tree[Any] = top[0]
    return whole
