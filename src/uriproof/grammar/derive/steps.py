"""A text read one character at a time: the alternatives alive before each, and those that fail.

Owns the displayed steps. Imports the recognizer, by way of the chart's reader. Invariant: an
alternative is alive before a character exactly when a text that the rule derives continues with it
there; a rule that fails at a character was alive before it, and no reading that continues after the
character has it, whole or begun.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeAlias

from ..compile.to_lark import characters_of
from ..graph import reachable, strongly_connected
from ..machine.trace import named_of
from .chart import reader_of
from .recognizer import Beginning, Node, callers

if TYPE_CHECKING:
    from ..compiled import Compiled
    from .chart import Reader

Fate = Literal["taken", "failed", "open"]

MOST = 100
"""Alternatives shown of one step, and productions that fail there; the rest are counted."""

_WAYS = 40
"""Ways to one rule at one offset that are told apart."""

_Way: TypeAlias = tuple[tuple[str, int, str], ...]
"""The rules from the outermost on, each once, where each was begun, and its place in the one around
it."""


_Key: TypeAlias = tuple[tuple[str, ...], tuple[int, ...], tuple[str, ...], str, bool]
"""An alternative without its fate."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """An element of a production that can come next, and the path of productions to it.

    ``begun`` says where each of these productions began, ``places`` where each is in the definition
    of the one around it (see ``Derivation``), and last where the element is. ``inside`` is true if
    part of the element has been read. ``fate`` is the effect of the next character on it; it is
    ``open`` if there is none.
    """

    path: tuple[str, ...]
    begun: tuple[int, ...]
    places: tuple[str, ...]
    word: str
    inside: bool
    fate: Fate


@dataclass(frozen=True, slots=True)
class Failed:
    """A production that was read since ``start``, and that the text is not with this character."""

    path: tuple[str, ...]
    start: int


@dataclass(frozen=True, slots=True)
class Step:
    """The facts before the character at an offset; ``accepted``: the text can end there.

    ``more`` is the number of alternatives that are not shown, beyond ``MOST``.
    """

    offset: int
    accepted: bool
    alternatives: tuple[Alternative, ...]
    failed: tuple[Failed, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a window, as far as the text is viable; ``viable`` and ``ok`` are of it all."""

    ok: bool
    viable: int
    steps: tuple[Step, ...]


def steps(compiled: Compiled, rule: str, text: str, start: int, end: int) -> Steps:
    """The steps from one offset to another, both included.

    ``rule`` in its canonical spelling. Errors: GrammarLimit, for a text with too many readings.
    Cost: O(n) if few readings are left at each character, and more in the window.

    >>> from uriproof.grammar.registry import load
    >>> found = steps(load("rfc3986"), "host", "1.2.3.4.5", 7, 7)
    >>> [(a.path[-1], a.word, a.fate) for a in found.steps[0].alternatives if a.inside]
    [('IPv4address', 'dec-octet', 'failed')]
    >>> found.steps[0].failed
    (Failed(path=('host', 'IPv4address'), start=0),)
    """
    reader = reader_of(compiled, rule)
    reading = reader.recognizer.begin(text)
    stepper = _Stepper(reader)
    made: list[Step] = []
    read: set[Node] = set()  # the rules that the character before was read in; some end here
    for beginning in reader.recognizer.beginnings(reading, range(start - 1, end + 1)):
        left = reachable([node for _, node in beginning.taken], callers)
        if beginning.offset >= start:
            made.append(stepper.step(beginning, read, left))
        read = left
    return Steps(reading.accepted, reading.offset, tuple(made))


class _Stepper:
    """The words of one rule's steps."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._words = reader.network.words
        self._known: dict[Node, list[_Way]] = {}

    def step(self, beginning: Beginning, read: set[Node], left: set[Node]) -> Step:
        """The step at an offset; ``read`` and ``left`` are the rules alive on either side of it."""
        more = beginning.offset < len(beginning.reading.classes)
        alternatives: dict[_Key, Fate] = {}
        taken = set(beginning.taken)
        for reader in beginning.readers:
            place, node = reader
            word, matched = self._words[place]
            fate: Fate = "open" if not more else "taken" if reader in taken else "failed"
            for way in self._ways(node, beginning):
                leaf = self._leaf(way)
                path, begun, places = zip(*way[: leaf + 1], strict=True)
                name, since, at = (*way, (word, beginning.offset - matched, self._place(place)))[
                    leaf + 1
                ]
                key = path, begun, (*places, at), name, since < beginning.offset
                if alternatives.get(key) != "taken":
                    alternatives[key] = fate
        shown = list(alternatives.items())
        if len(shown) > MOST:  # those that continue are always shown
            shown = sorted(shown, key=lambda one: one[1] != "taken")[:MOST]
        return Step(
            beginning.offset,
            beginning.accepted,
            tuple(Alternative(*key, fate) for key, fate in shown),
            tuple(islice(self._failed(beginning, read, left), MOST)) if more else (),
            len(alternatives) - len(shown),
        )

    def _failed(self, beginning: Beginning, read: set[Node], left: set[Node]) -> Iterator[Failed]:
        """The outermost productions that were read, and are not read on, whole or begun."""
        alive = read | reachable([node for _, node in beginning.readers], callers)
        gone = {
            node
            for node in alive - left
            if beginning.offset not in node.ends or not beginning.goes_on_after(node)
        }
        found: dict[Failed, None] = {}
        for node in gone:
            around = callers(node)
            if around and all(caller in gone for caller in around):
                continue
            for way in self._ways(node, beginning):
                if self._leaf(way) == len(way) - 1:
                    found[Failed(tuple(name for name, *_ in way), node.at)] = None
        yield from sorted(found, key=lambda failed: (failed.start, failed.path))

    def _leaf(self, way: _Way) -> int:
        """The number of the last rule of a way that a report names."""
        names, compiled = [name for name, *_ in way], self._reader.compiled
        return named_of(names, compiled.model.leaves, characters_of(compiled))

    def _ways(self, node: Node, beginning: Beginning) -> list[_Way]:
        """The ways to a rule that is being read."""
        known = self._known
        if node not in known:

            def around(inner: Node) -> list[Node]:
                return [caller for caller in callers(inner) if caller not in known]

            for group in strongly_connected([node], around):
                ways: dict[Node, dict[_Way, None]] = {inner: {} for inner in group}
                changed = True
                while changed:
                    changed = False
                    for inner in group:
                        for way in self._longer(inner, ways):
                            beginning.reading.spend(len(way))
                            if way not in ways[inner] and len(ways[inner]) < _WAYS:
                                ways[inner][way] = None
                                changed = True
                known.update((inner, list(found)) for inner, found in ways.items())
        return known[node]

    def _longer(self, node: Node, ways: dict[Node, dict[_Way, None]]) -> Iterator[_Way]:
        if not node.callers:
            yield ((node.rule, node.at, ""),)
        for call, _, caller in node.callers:
            own = node.rule, node.at, self._place(call)
            for way in [*ways.get(caller, ()), *self._known.get(caller, ())]:
                names = [name for name, *_ in way]
                yield (*way[: names.index(node.rule)], own) if node.rule in names else (*way, own)

    def _place(self, place: int) -> str:
        slot, number = self._reader.network.slots[place]
        return slot.place(number)
