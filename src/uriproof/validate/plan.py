"""The plan of a rule: everything about it that does not depend on the text.

Computed once, then cached. Owns how the texts of a rule are divided. Imports the productions and
the grammars. Invariant: a plan is a fact of its grammar and rule, the same in any thread; facts
computed later, for the first text that needs them, are finished before they are stored, and never
changed.

A ``Plan`` has the ``Dividing`` of a compound rule, which has a ``Layout`` for each set of names
that is found in a text: the ``ComponentRule`` of each component. The shapes of a rule are all its
right-hand sides, as components and the texts between them; a layout is that of the nearest shape:

    scheme, authority, host, path     as URI: a shape of it, nothing is absent; the path after an
                                      authority is validated against path-abempty
    authority, host, path             as URI: the nearest shape has a scheme, which is absent
    scheme, path, fragment            as absolute-URI: no shape has the fragment, which is extra
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from ..grammar import registry
from ..grammar.compile.shapes import Shape, Slot, shapes
from ..grammar.compiled import Compiled
from ..grammar.remember import per_grammar
from .productions import ComponentRule, Path

PARTS = "-parts"
CUT = "-cut"
"""A dividing rule X-parts divides X further; any other divides a whole text. A rule X-cut divides
as X does, as other engines can do it fast."""

Spans: TypeAlias = dict[str, tuple[int, int]]
Places: TypeAlias = Sequence[tuple[int, int]]


class Plan:
    """One rule of one grammar: its matcher, and how its texts are read."""

    def __init__(self, grammar: Compiled, rule: str) -> None:
        self.grammar = grammar
        self.rule = rule
        self.match: Callable[[str], Any] = grammar.matcher(rule)

    @cached_property
    def component(self) -> str:
        """The component that the rule itself is; of others, its name."""
        return self.grammar.model.components.get(self.rule, self.rule)

    @cached_property
    def is_whole(self) -> bool:
        """Whether the rule is one of a whole reference: its texts have components and a path."""
        return self.dividing is not None and "path" in self.paths

    @cached_property
    def as_one(self) -> ComponentRule:
        """The rule read as one component."""
        return ComponentRule(self.grammar, self.component, [Slot(self.component, (self.rule,))])

    @cached_property
    def components(self) -> frozenset[str]:
        """The names of all components of the grammar."""
        return frozenset(self.grammar.model.components.values())

    @cached_property
    def dividing(self) -> Dividing | None:
        """How a compound rule divides its texts; None for a rule that is read as one."""
        model = self.grammar.model
        if model.split is None or self.rule in model.components:
            return None
        found = shapes(model, self.rule)
        made = Dividing(self.grammar, self.rule, found) if found else None
        return made if made and made.divides else None

    @cached_property
    def paths(self) -> dict[str, Path]:
        """The components that a text of the rule can have, each with the first path to it."""
        paths: dict[str, Path] = {}
        for shape in shapes(self.grammar.model, self.rule) if self.dividing else ():
            for slot in shape.slots:
                paths.setdefault(slot.component, slot.path)
        return paths or {self.component: (self.rule,)}


@per_grammar
def plan_of(grammar: Compiled, rule: str) -> Plan:
    """The plan of a rule, in its canonical spelling. Cost: once for each."""
    return Plan(grammar, rule)


# How a text is divided


class Division:
    """A dividing rule: the place of each of its names in a text."""

    __slots__ = ("_match", "_nested", "_none", "forms", "inner", "names", "rule")

    def __init__(self, divider: Compiled, rule: str) -> None:
        self.rule: str = rule
        self._match, self.names = divider.captures(rule)
        starts = divider.model.starts
        self.inner: dict[str, Division] = {
            n: Division(divider, n + PARTS) for n in self.names if n + PARTS in starts
        }
        groups = enumerate(self.names, 1)
        self._nested = [(i, self.inner[n]._match) for i, n in groups if n in self.inner]
        self._none: tuple[tuple[int, int], ...] = ((-1, -1),) * (len(self.names) + 1)
        self.forms: dict[tuple[bool, ...], Form] = {}

    def places(self, text: str) -> tuple[tuple[int, int], ...]:
        """The place of each group, then those of the groups inside; (-1, -1) if absent. Cost: O(n).

        Groups are known by their numbers here: to find them by their names takes twice as long.
        What is divided further is so once, by a rule that matches every text.
        """
        found = self._match(text)
        if found is None:
            return self._none
        places: tuple[tuple[int, int], ...] = found.regs
        for group, match in self._nested:
            start, end = places[group]
            if start >= 0:
                places += match(text, start, end).regs
        return places

    def spans(self, text: str) -> Spans:
        """The names found in a text, in text order; none if the rule does not match. Cost: O(n)."""
        places = self.places(text)
        numbers = self.numbers([start >= 0 for start, _ in places])
        return {name: places[number] for name, number in numbers.items()}

    def numbers(self, there: Sequence[bool]) -> dict[str, int]:
        """By its name, the number of each place that has been found, in text order."""
        numbers = {name: n for n, name in enumerate(self.names, 1) if there[n]}
        found: dict[str, int] = {}
        begin = len(self.names) + 1
        for name, number in numbers.items():
            found[name] = number
            if name in self.inner:
                inner = self.inner[name].numbers(there[begin:])
                found |= {one: begin + n for one, n in inner.items()}
                begin += len(self.inner[name].names) + 1
        return found


class Layout(NamedTuple):
    """For one set of names found: the productions of each component, and the slots left empty.

    ``known`` are the names found that only contain components (authority), and ``divided`` those
    that are divided further. ``optional`` are the components that cannot be
    empty and need not be there; ``complete`` says that nothing is absent, and nothing too much.
    """

    productions: dict[str, ComponentRule]
    known: frozenset[str]
    divided: frozenset[str]
    absent: tuple[tuple[Slot, Shape], ...]
    optional: frozenset[str]
    complete: bool


class Step(NamedTuple):
    """A component of a text: its name, the number of its place, its acceptor and its productions.

    They are None if the rule has no such component; then the place includes its delimiter, and
    nothing is accepted.
    """

    component: str
    place: int
    accepts: Callable[[str], Any]
    productions: ComponentRule | None


def step(component: str, place: int, productions: ComponentRule | None) -> Step:
    """The step of a component."""
    accepts = (lambda text: False) if productions is None else productions.accepts
    return Step(component, place, accepts, productions)


class Form(NamedTuple):
    """What is known of all texts in which a division finds the same groups.

    ``numbers`` are those of their places. ``steps`` are the components; None if something is absent
    or too much, or can be: then they depend on the text.
    """

    numbers: dict[str, int]
    layout: Layout
    steps: list[Step] | None


class Dividing:
    """A compound rule of a grammar with a dividing grammar.

    ``divisions`` are the dividing rules, the one with more components first; ``tried`` are
    pairs (division, is_last): try in order, stop after the first with is_last. ``mark`` holds the
    components that only the first division finds (scheme).
    """

    def __init__(self, grammar: Compiled, rule: str, found: tuple[Shape, ...]) -> None:
        assert grammar.model.split is not None  # noqa: S101 -- see the class's own words
        self.grammar = grammar
        divider = registry.load(grammar.model.split)
        starts = [r for r in divider.model.starts if not r.endswith(CUT)]
        divisions = {r: Division(divider, r) for r in starts}
        self._known = frozenset(n for d in divisions.values() for n in d.names)
        self.divisions: tuple[Division, ...] = _fitting(divisions, found)
        self.mark: frozenset[str] = self._mark(self.divisions[0])
        self._shapes = tuple(self._spell(s, rule) for s in found)
        *others, last = self.divisions
        # A dividing rule is left out if it finds a component that the rule never has, and the
        # last if it misses one that the rule always has.
        kept = [d for d in others if any(self._mark(d) <= s.names for s in self._shapes)]
        is_last = [all(self._mark(d) <= s.names for s in self._shapes) for d in kept]
        self.tried: tuple[tuple[Division, bool], ...] = tuple(
            zip([*kept, last], [*is_last, False], strict=True)
        )
        self.remembered: dict[Callable[..., Any], dict[Any, Any]] = {}

    @property
    def divides(self) -> bool:
        """True when the dividing grammar knows every component of the rule."""
        return all(slot.component in self._known for s in self._shapes for slot in s.slots)

    def _mark(self, division: Division) -> frozenset[str]:
        return frozenset(division.names) - frozenset(self.divisions[-1].names)

    def _spell(self, shape: Shape, rule: str) -> Shape:
        """The shape, with the components in its first text taken out of that text.

        "http://" is a scheme, ":" and "//" to the dividing grammar: it also divides this text, and
        the parts that only its first rule finds are there as soon as the text is long enough.
        """
        first = shape.parts[0] if shape.parts else ""
        if not isinstance(first, str) or len(self.divisions) == 1:
            return shape
        for end in range(1, len(first) + 1):
            spans = self.divisions[0].spans(first[:end])
            if len(self.mark) == 1 and self.mark <= spans.keys():
                (name,) = self.mark
                start, stop = spans[name]
                slot = Slot(name, (rule,), first[start:stop])
                texts = [t for t in (first[stop:end], first[end:]) if t]
                return Shape((slot, *texts, *shape.parts[1:]))
        return shape

    def form(self, division: Division, there: tuple[bool, ...]) -> Form:
        """What is known of the texts that a division divides so; it is remembered."""
        numbers = division.numbers(there)
        layout = self.layout(tuple(numbers))
        rules = layout.productions
        steps = None
        if layout.complete and not layout.optional:
            steps = [step(name, n, rules[name]) for name, n in numbers.items() if name in rules]
        made = division.forms[there] = Form(numbers, layout, steps)
        return made

    @per_grammar
    def layout(self, names: tuple[str, ...]) -> Layout:
        """The layout of the texts in which a division finds just these names: that of the shapes
        that differ least from them.
        """
        named = frozenset(names)
        differing = {s: len(s.names & self._known ^ named) for s in self._shapes}
        nearest = min(self._shapes, key=lambda s: differing[s])
        chosen = [s for s in self._shapes if s.names & self._known == nearest.names & self._known]
        slots: dict[str, list[Slot]] = {}
        for slot in (slot for shape in chosen for slot in shape.slots):
            if slot.component in named:
                slots.setdefault(slot.component, []).append(slot)
        absent = tuple((slot, nearest) for slot in nearest.slots if slot.component not in named)
        productions = {
            name: ComponentRule(self.grammar, name, found) for name, found in slots.items()
        }
        divided = {n: inner for d in self.divisions for n, inner in d.inner.items()}
        # A rule can have the parts of an authority under another name, or under none.
        known = {n for n, d in divided.items() if not nearest.names.isdisjoint(d.names)}
        reachable = nearest.names | known
        exact = [{slot.component for slot in s.slots} for s in self._shapes]
        optional = frozenset(
            name
            for name, made in productions.items()
            if not made.accepts_empty and productions.keys() - {name} in exact
        )
        complete = not absent and all(n in productions or n in reachable for n in named)
        return Layout(productions, reachable, frozenset(divided), absent, optional, complete)


def _fitting(divisions: dict[str, Division], found: tuple[Shape, ...]) -> tuple[Division, ...]:
    """The rules that divide a text of these shapes: by the components that they have.

    A text with a host and no path is divided like an authority, whatever its name (RFC 3987:
    iauthority, RFC 2396: hostport).
    """
    components = {slot.component for shape in found for slot in shape.slots}
    inner = [d for r, d in divisions.items() if r.endswith(PARTS) and components <= {*d.names}]
    return tuple(inner or [d for r, d in divisions.items() if not r.endswith(PARTS)])


@per_grammar
def shortest(grammar: Compiled, production: str) -> str:
    """A shortest text of a production, or "" if that would be expensive."""
    return grammar.trace(production).shortest()
