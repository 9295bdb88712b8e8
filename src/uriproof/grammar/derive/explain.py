"""How a rule derives a text: every production on the way to every character.

Owns the displayed tree, the ambiguities of its grammar, and the valid part of an invalid text.
Imports the chart and its forest. Invariant: the leaves of a derivation, in order, are the text from
its start to ``viable``, each character once; nothing here needs Python's stack, however deep a text
is nested.

How it works. The recognizer reads the text once, with a stack that all readings share, and notes
for each rule and offset where the rule ended: no tree yet. The chart asks it where an element of a
rule can end, the forest which of these ends fit together, and only the intended derivation is
written down. For ``host`` and ``1.2.3.4`` (RFC 3986 section 3.2.2):

    recognizer   IPv4address 0: ends at 7     reg-name 0: ends at 7     dec-octet 2: ends at 3
    forest       host 0-7 = IPv4address or reg-name: two derivations; the first alternative is meant
    derivation   host 0-7, IPv4address 0-7, dec-octet 0-1, DIGIT 0-1, %x30-39 0-1, "." 1-2, ...

Of a text that is not valid, one is derived that the rule accepts and that is as near as can be; see
``broken``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

from ...errors import HasVerdict
from ...text.drawing import named
from ...text.passwords import SECRET, masked, passwords, without_passwords
from ..model import Rule
from ..work import spend
from .chart import Chart, Kind, Slot
from .forest import Forest, Span, Ways

Fault = Literal["", "error", "missing"]

_EXACT = 1 << 53
"""From here on, readers of JSON read a number differently (RFC 8259 §6)."""

_DIGITS = 1_000
"""Bits of a number beyond which nobody reads its digits: some 300 of them."""
_NODE = 20
"""Steps of work that a node is made and told in."""


@dataclass(frozen=True, slots=True)
class Node:
    """One rule, or one terminal, and the code points ``[start, end)`` that it derives.

    Nodes are in the order of a walk through the tree: ``parent`` is the number of the node around
    it (-1 for the first), ``depth`` how many are around it. ``name`` is the rule's, or the
    terminal's ABNF. ``whole`` is false if the text ends, or becomes invalid, before the node does.
    ``alternative`` is the ABNF of the alternative that the rule was read as, if it has several, and
    ``place`` where in the definition of the rule around it the node is. ``fault`` is "error" for
    characters that no rule reads, "missing" for a rule or terminal that should be there.
    """

    parent: int
    depth: int
    name: str
    is_rule: bool
    start: int
    end: int
    whole: bool
    alternative: str = ""
    place: str = ""
    fault: Fault = ""

    @property
    def kind(self) -> str:
        return self.fault or ("rule" if self.is_rule else "terminal")


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A place in the derivation where the grammar leaves a choice.

    ``node`` is the number of the node, ``element`` the ABNF of the element that derives ``[start,
    end)`` in ``number`` ways (None: infinitely many). For an alternation, ``ways`` are the
    alternatives that do, the winner first; for others it is empty: the items can be divided
    otherwise.
    """

    node: int
    rule: str
    element: str
    start: int
    end: int
    number: int | None
    ways: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Next:
    """A possible element where a text becomes invalid: part of a production, and the path there."""

    path: tuple[str, ...]
    word: str

    @property
    def production(self) -> str:
        return self.path[-1]


class Blame(NamedTuple):
    """What a report says of ``[start, end)``: the rules from the first to the one not met."""

    start: int
    end: int
    path: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Derivation(HasVerdict):
    """The derivation of a text by a rule.

    ``viable`` is the length of the longest viable prefix: all of a valid text. ``count`` is the
    number of derivations: None for infinitely many, 0 for a text that is not valid. ``following``
    has the possible elements at ``viable``; for a valid text it is empty. ``rules`` are those that
    occur, ``characters`` all of the grammar that are one character or escape sequence. ``taken``
    holds for each node the places in its rule's definition that its text takes, each once, in the
    order in which they are begun; for a terminal there are none. ``left`` holds the places where
    the text leaves the definition: there it has an error, or something is missing.

    The place of an element is the rule's name and the positions, from 0, that lead to it
    (``host.0.1``). It is followed by ``:out`` if the element has been read as a whole, and for a
    repetition by ``:skip`` if it has no round at all, by ``:again`` if it has several.
    """

    grammar: str
    rule: str
    text: str
    ok: bool
    viable: int
    count: int | None
    nodes: tuple[Node, ...]
    ambiguities: tuple[Ambiguity, ...]
    following: tuple[Next, ...]
    rules: dict[str, Rule]
    characters: frozenset[str]
    taken: tuple[tuple[str, ...], ...]
    left: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def inner(self) -> list[list[int]]:
        """For each node, the numbers of the nodes directly inside it. Cost: O(nodes), once."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes):
            if node.parent >= 0:
                found[node.parent].append(number)
        return found

    def children(self, number: int) -> Iterator[int]:
        """The numbers of the nodes directly inside a node."""
        yield from self.inner[number]

    def leaves(self) -> list[int]:
        """For each character as far as it goes, the number of the node that reads it, or of the
        error that it is in."""
        found = [0] * max(self.viable, self.nodes[0].end if self.nodes else 0)
        for number, node in enumerate(self.nodes):
            if not node.is_rule:
                found[node.start : node.end] = [number] * (node.end - node.start)
        return found

    def path(self, number: int) -> tuple[str, ...]:
        """The names from the first node to a node. Cost: O(its depth)."""
        names: list[str] = []
        while number >= 0:
            names.append(self.nodes[number].name)
            number = self.nodes[number].parent
        return tuple(reversed(names))

    def masked(self) -> Derivation:
        """The derivation for display: with asterisks for passwords (RFC 3986 §3.2.1).

        Offsets stay; the same derivation if there is no password. Cost: O(n + nodes).
        """
        if self.ok:
            spans = {node.name.partition("-")[0]: (node.start, node.end) for node in self.nodes}
            text = masked(self.text, passwords(self.text, spans))
        else:
            text = without_passwords(self.text)
        return self if text == self.text else replace(self, text=text)

    def __repr__(self) -> str:
        shown = self.masked()
        return (
            f"Derivation(text={shown.text!r}, rule={self.rule!r}, grammar={self.grammar!r}, "
            f"ok={self.ok}, viable={self.viable})"
        )

    def _repr_html_(self) -> str:
        """The tree as a drawing, for notebooks: passwords masked, light and dark, no scripts."""
        from ...text.page import derivation_html
        from .svg import to_svg

        shown = self.masked()
        ways = "one way" if self.count == 1 else f"{counted(self.count)} ways"
        if self.ok:
            why = f"derived in {ways}"
        elif self.viable == len(self.text):
            why = "it ends too early"
        elif shown.text[self.viable] != self.text[self.viable]:
            why = SECRET
        else:
            why = f"{named(self.text[self.viable])} at {self.viable} is not allowed"
        notes = [(shown.text[a.start : a.end], a.rule, a.ways, a.reason) for a in self.ambiguities]
        return derivation_html(self.rule, self.ok, why, to_svg(shown, styled=False), notes)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: flat, so that no depth of nesting is too deep for a reader of JSON.

        ``derivations`` is a number, or words if no number is exact in JSON.
        """
        exact = self.count is not None and self.count < _EXACT
        return {
            "grammar": self.grammar,
            "rule": self.rule,
            "text": self.text,
            "ok": self.ok,
            "viable": self.viable,
            "derivations": self.count if exact else counted(self.count),
            "nodes": [
                {
                    "parent": node.parent,
                    "depth": node.depth,
                    "name": node.name,
                    "kind": node.kind,
                    "start": node.start,
                    "end": node.end,
                    "whole": node.whole,
                    "alternative": node.alternative or None,
                    "place": node.place,
                }
                for node in self.nodes
            ],
            "characters": self.leaves(),
            "ambiguities": [
                {
                    "node": a.node,
                    "rule": a.rule,
                    "element": a.element,
                    "start": a.start,
                    "end": a.end,
                    "ways": a.number if (a.number or _EXACT) < _EXACT else counted(a.number),
                    "alternatives": list(a.ways),
                    "reason": a.reason,
                }
                for a in self.ambiguities
            ],
            "following": [
                {"production": n.production, "expected": n.word, "path": list(n.path)}
                for n in self.following
            ],
            "rules": {
                name: {
                    "abnf": rule.text,
                    "grammar": rule.grammar,
                    "section": rule.section,
                    "gloss": rule.gloss,
                }
                for name, rule in self.rules.items()
            },
        }


def counted(number: int | None) -> str:
    """A number of derivations as a person writes it.

    >>> counted(1234), counted(None), counted(3 ** 3000)
    ('1,234', 'infinitely many', 'about 10^1431')
    """
    if number is None:
        return "infinitely many"
    if number.bit_length() > _DIGITS:
        return f"about 10^{int(number.bit_length() * 0.30103)}"
    return f"{number:,}"


def derivation_of(chart: Chart, rule: str) -> Derivation:
    """The whole derivation of a text that the rule accepts. Errors and cost: as for ``explain``."""
    forest = Forest(chart)
    builder = _Builder(chart, forest)
    top: Span = chart.root, 0, len(chart.text)
    builder.grow(top)
    return builder.derivation(rule, forest.count(top))


class _Builder:
    """A derivation that is being built."""

    def __init__(self, chart: Chart, forest: Forest) -> None:
        self._chart = chart
        self._forest = forest
        self._nodes: list[Node] = []
        self._ambiguities: list[Ambiguity] = []
        self._taken: list[dict[str, None]] = []

    def derivation(self, rule: str, count: int | None) -> Derivation:
        model = self._chart.model
        names = dict.fromkeys(node.name for node in self._nodes if node.is_rule)
        return Derivation(
            model.name,
            rule,
            self._chart.text,
            True,
            len(self._chart.text),
            count,
            tuple(self._nodes),
            tuple(self._ambiguities),
            (),
            {name: model.rules[name] for name in names},
            self._chart.characters,
            tuple(map(tuple, self._taken)),
        )

    def _add(self, parent: int, span: Span, place: str) -> int:
        spend(_NODE)
        slot, start, end = span
        depth = self._nodes[parent].depth + 1 if parent >= 0 else 0
        is_rule = slot.kind is Kind.RULE
        name = slot.owner if is_rule else str(slot.element)
        self._nodes.append(Node(parent, depth, name, is_rule, start, end, True, "", place))
        self._taken.append({})
        return len(self._nodes) - 1

    def grow(self, top: Span) -> None:
        """Add the intended derivation of a span."""
        stack = [(top, -1, "", False)]
        while stack:
            span, parent, place, direct = stack.pop()
            slot, start, end = span
            self._chart.reading.spend()
            self._take(parent, place, f"{place}:out")
            if slot.kind is Kind.TERMINAL:
                if end > start or not parent >= 0:
                    self._add(parent, span, place)
                continue
            inner = self._forest.parts(span)
            if slot.kind is Kind.RULE:
                parent, place = self._add(parent, span, place), slot.owner
                stack.append((inner[0], parent, place, True))
                continue
            ways = self._forest.ways(span)
            if slot.kind is Kind.CHOICE and direct:
                self._choose(parent, str(slot.items[ways.choices[0]].element))
            if ways.number != 1:
                self._tell(parent, span, ways)
            first = ways.choices[0] if slot.kind is Kind.CHOICE else 0
            places = self._places(slot, parent, place, len(inner), first)
            grown = [(s, parent, p, False) for s, p in zip(inner, places, strict=True)]
            stack += reversed(grown)

    def _take(self, node: int, *places: str) -> None:
        """Note that the text of a node goes by some places of its rule's definition."""
        if node >= 0:
            self._taken[node].update(dict.fromkeys(places))

    def _places(self, slot: Slot, node: int, place: str, items: int, first: int = 0) -> list[str]:
        """The places of so many items of an element, which follow one another in it."""
        if slot.kind is not Kind.LOOP:
            return [f"{place}.{first + number}" for number in range(items)]
        if items != 1 and slot.most != 0:
            self._take(node, f"{place}:again" if items else f"{place}:skip")
        return [f"{place}.0"] * items

    def _choose(self, parent: int, alternative: str) -> None:
        self._nodes[parent] = replace(self._nodes[parent], alternative=alternative)

    def _tell(self, node: int, span: Span, ways: Ways) -> None:
        slot, start, end = span
        names = tuple(str(slot.items[n].element) for n in ways.choices)
        if slot.kind is Kind.CHOICE:
            reason = "the first alternative that matches wins (RFC 3986 §3.2.2, first-match-wins)"
        elif ways.number is None:
            reason = "a round can read nothing, so that any number of them is possible; none is"
            reason += " counted that is not needed"
        elif slot.is_option and span[1] == span[2]:
            reason = "the option can be left out, or be empty, which is meant"
        else:
            reason = "the items can be divided otherwise; the longest first one wins"
        rule = self._nodes[node].name
        self._ambiguities.append(
            Ambiguity(node, rule, str(slot.element), start, end, ways.number, names, reason)
        )
