"""The possible productions of a component, and how to diagnose a text that matches none of them.

Owns the ways to read a component: character by character, element by element, between two
delimiters, or up to the first violation. Imports the engine of blame and the grammars. Invariant:
made once for a place in a rule, and never changed except for remembered results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from ..grammar.compile.shapes import Slot, listed, shapes
from ..grammar.compiled import Compiled
from ..grammar.model import Alternation, CharVal, Model, RuleRef
from ..grammar.remember import per_grammar
from .loops import Loop, loop_of
from .recovery import Reader
from .states import MAX_NODES

QUERY = "query"
"""The component that a query grammar speaks about (RFC 3986 §3.4)."""

Path: TypeAlias = tuple[str, ...]
Matcher: TypeAlias = Callable[[str], Any]


class ComponentRule:
    """The possible productions of one component of a rule; the first that accepts is meant.

    ``ways`` has for each its acceptor, its name, and the alternatives that it is a choice of;
    ``accepts`` returns something true for a text that one of them accepts.
    """

    def __init__(self, grammar: Compiled, component: str, slots: Iterable[Slot]) -> None:
        self.grammar = grammar
        self.component = component
        self.slots: tuple[Slot, ...] = tuple(dict.fromkeys(slots))
        self.ways: tuple[tuple[Matcher, str, tuple[str, ...]], ...] = tuple(
            _way(grammar, slot) for slot in self.slots
        )
        # Of a single one, its own matcher: most components have no other.
        self.accepts: Matcher = self.ways[0][0] if len(self.ways) == 1 else self._accepts
        self.accepts_empty: bool = bool(self.accepts(""))

    def _accepts(self, text: str) -> bool:
        """True when one of the productions accepts a text."""
        for match, _, _ in self.ways:  # noqa: SIM110 -- a generator takes twice as long
            if match(text):
                return True
        return False

    @cached_property
    def loop(self) -> Loop | None:
        """The loop over characters that the component is, if it is nothing else."""
        only = self.candidates[0]
        return only.loop if len(self.candidates) == 1 and isinstance(only, ByCharacter) else None

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """The productions to diagnose a failed text against, in order."""
        grammar = self.grammar
        own_text = tuple(
            ByCharacter(own, slot.path, False)
            for slot in self.slots
            if (own := spelled(grammar, slot)) is not None
        )
        return own_text or tuple(
            _candidate(grammar, path if name == path[-1] else (*path, name), self.component)
            for path in (slot.path for slot in self.slots)
            for name in grammar.alternatives(path[-1])
        )


def _way(grammar: Compiled, slot: Slot) -> tuple[Matcher, str, tuple[str, ...]]:
    own = spelled(grammar, slot)
    production = slot.path[-1]
    if own is not None:
        return own.matcher(production), production, ()
    components = grammar.model.components
    element = grammar.rule(production).element
    items = element.items if isinstance(element, Alternation) else ()
    names = [item.name for item in items if isinstance(item, RuleRef)]
    choice = items and len(names) == len(items) and production in components
    return grammar.matcher(production), production, tuple(names) if choice else ()


@per_grammar
def spelled(grammar: Compiled, slot: Slot) -> Compiled | None:
    """A grammar of a component that the rule spells out (RFC 9110 §4.2.1: "http" "://" …)."""
    if not slot.text:
        return None
    (name,) = slot.path
    rule = grammar.rule(name)._replace(element=CharVal(slot.text))
    return Compiled(model=Model(grammar.name, "", {name: rule}, (name,)))


# The candidates: a production to read a text as, to which ``path`` leads from the rule.


class ByCharacter:
    """Read character by character."""

    def __init__(self, grammar: Compiled, path: Path, encode: bool) -> None:
        self.path: Path = path
        self.grammar: Compiled = grammar
        self._encode = encode
        self._reader: Reader | None = None

    @cached_property
    def loop(self) -> Loop | None:
        """The loop over characters that it is, if it is one."""
        return loop_of(self.grammar, self.reader())

    def reader(self) -> Reader:
        """The engine that reads it; rebuilt when its cache exceeds ``MAX_NODES``."""
        reader = self._reader
        if reader is None or len(reader.nodes) > MAX_NODES:
            # Other threads might continue with the one that this one replaces.
            self._reader = reader = Reader(self.grammar, self.path, self._encode)
        return reader


class ByElement:
    """Read element by element; an empty one is a missing one."""

    __slots__ = ("as_characters", "element", "is_query", "match", "path", "separator")

    def __init__(
        self, grammar: Compiled, path: Path, component: str, division: tuple[str, str]
    ) -> None:
        self.path: Path = path
        element, separator = division
        self.separator: str = separator
        self.match: Callable[[str], Any] = grammar.matcher(element)
        self.element: Candidate = _candidate(grammar, (*path, element), component)
        self.as_characters: ByCharacter = ByCharacter(
            grammar, path, component in grammar.model.fixable
        )
        self.is_query: bool = component == QUERY


class Bracketed:
    """Read between two delimiters, up to the last closing one (RFC 3986: IP-literal).

    ``after`` is the place after it, and the possible continuations.
    """

    __slots__ = ("after", "as_characters", "closing", "inner", "matches", "opening", "path")

    def __init__(
        self, grammar: Compiled, path: Path, around: tuple[str, tuple[Path, ...], str]
    ) -> None:
        self.path: Path = path
        opening, inner, closing = around
        self.opening: str = opening
        self.closing: str = closing
        self.inner: list[ByCharacter] = [
            ByCharacter(grammar, (*path[:-1], *p), False) for p in inner
        ]
        self.matches: list[Callable[[str], Any]] = [grammar.matcher(p[-1]) for p in inner]
        self.as_characters: ByCharacter = ByCharacter(grammar, path, False)
        self.after: tuple[Path, Path] = _following(grammar, path)


class FirstErrorOnly(NamedTuple):
    """Read up to the first violation: all that is known of a rule that is not regular."""

    grammar: Compiled
    path: Path


Candidate: TypeAlias = ByCharacter | ByElement | Bracketed | FirstErrorOnly


@per_grammar
def _candidate(grammar: Compiled, path: Path, component: str) -> Candidate:
    """A production as the text of a component is read by it. Cost: once for each path."""
    production = path[-1]
    division = listed(grammar.model, production)
    around = _enclosed(grammar, production)
    if not grammar.traceable(production):
        return FirstErrorOnly(grammar, path)
    if division is not None:
        return ByElement(grammar, path, component, division)
    if around is not None:
        return Bracketed(grammar, path, around)
    return ByCharacter(grammar, path, component in grammar.model.fixable)


def _following(grammar: Compiled, path: Path) -> tuple[Path, Path]:
    """The continuations of the last production of a path: their rule, and their first texts.

    RFC 3986: after an IP-literal comes ":" in authority. The same path, if there are none.
    """
    for size in range(len(path) - 1, 0, -1):
        texts = {
            after: None
            for shape in shapes(grammar.model, path[size - 1])
            for slot, after in zip(shape.parts, shape.parts[1:], strict=False)
            if isinstance(slot, Slot) and slot.path[-1] in path and isinstance(after, str)
        }
        if texts:
            return path[:size], tuple(f'"{text}"' for text in texts)
    return path, ()


def _enclosed(grammar: Compiled, rule: str) -> tuple[str, tuple[Path, ...], str] | None:
    """For a rule that is one component between two delimiters: these, and the paths between.

    RFC 3986: IP-literal. None for any other rule.
    """
    found = shapes(grammar.model, rule) if rule in grammar.model.components else ()
    ends: set[tuple[str, str]] = set()
    for shape in found:
        match shape.parts:
            case (str(opening), Slot(), str(closing)):
                ends.add((opening, closing))
            case _:
                return None
    if len(ends) != 1:
        return None
    opening, closing = ends.pop()
    return opening, tuple(s.slots[0].path for s in found), closing
