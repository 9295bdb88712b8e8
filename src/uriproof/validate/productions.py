"""The possible productions of a component, and what each blames in a text that matches none.

Owns the ways to read a component: character by character, element by element, between two
delimiters, or up to the first violation; and the choice of the production that a text is read as.
Imports the engine of blame and the grammars. Invariant: made once for a place in a rule, and never
changed except for remembered results; blamed ranges are in text order and disjoint, and there is at
least one for every text that none of the productions accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from ..grammar.compile.shapes import Slot, listed, shapes
from ..grammar.compiled import Compiled
from ..grammar.model import Alternation, CharVal, Model, RuleRef
from ..grammar.remember import per_grammar
from ..report import Kind
from .loops import Loop, list_separators, loop_of
from .recovery import Blame, Reader, cost, shifted
from .states import MAX_NODES
from .words.quoted import begun, letters

QUERY = "query"
"""The component that a query grammar speaks about (RFC 3986 §3.4)."""

Path: TypeAlias = tuple[str, ...]
Matcher: TypeAlias = Callable[[str], Any]
Candidate: TypeAlias = "ByCharacter | ByElement | Bracketed | FirstErrorOnly"
"""A production to read a text as, to which ``path`` leads from the rule; all its texts begin with
``opening``. ``viable`` is the length of the longest prefix of a text that could be the start of it,
and ``blame`` are the blamed ranges in a text that it does not accept. Cost: O(n)."""


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

    def diagnose(self, text: str) -> tuple[str, list[Blame]]:
        """Choose the production to diagnose a text against: its name, and the blamed ranges.

        It is the one with the longest viable prefix. Of equals it is the first whose first blame is
        content, not a delimiter: a path that starts with an illegal character is not a
        path-absolute without its slash. Cost: O(n).
        """
        candidates = self.candidates
        if len(candidates) > 1:
            if not text and len({c.path[:-1] for c in candidates}) == 1:
                path = candidates[0].path
                words = tuple([c.path[-1] for c in candidates])
                return path[-2], [Blame(0, 0, "missing", path[:-1], words)]
            could = [c for c in candidates if text.startswith(c.opening)] or [candidates[0]]
            viable = [c.viable(text) for c in could] if len(could) > 1 else [0]
            longest = max(viable)
            candidates = tuple([c for c, n in zip(could, viable, strict=True) if n == longest])
        leaves = self.grammar.model.leaves
        best: list[Blame] = []
        chosen = candidates[0]
        for candidate in candidates:
            blames = candidate.blame(text)
            content = not blames or not leaves.isdisjoint(blames[0].path)
            if not best or content:
                best, chosen = blames, candidate
            if content:
                break
        return chosen.path[-1], best


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


class ByCharacter:
    """Read character by character."""

    opening = ""

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

    def viable(self, text: str) -> int:
        return self.reader().viable(text)

    def blame(self, text: str) -> list[Blame]:
        if not text and len(self.path) > 1:
            return [Blame(0, 0, "missing", self.path[:-1], (self.path[-1],))]
        found = self.loop.blame(text, 0, len(text), "", self.grammar) if self.loop else None
        if found is None:
            found = self.reader().read(text)
            for number, one in enumerate(found):
                separators = list_separators(self.grammar, one.path)
                if one.encodes and not separators.isdisjoint(text[one.start : one.end]):
                    # Encoded, it would not separate any more (RFC 3986 §2.2).
                    found[number] = one._replace(encodes=False)
        return found


class ByElement:
    """Read element by element; an empty one is a missing one."""

    opening = ""

    def __init__(
        self, grammar: Compiled, path: Path, component: str, division: tuple[str, str]
    ) -> None:
        self.path: Path = path
        element, self._separator = division
        self._match: Matcher = grammar.matcher(element)
        self._element = _candidate(grammar, (*path, element), component)
        self._as_characters = ByCharacter(grammar, path, component in grammar.model.fixable)
        self._is_query = component == QUERY

    def viable(self, text: str) -> int:
        return self._as_characters.viable(text)

    def blame(self, text: str) -> list[Blame]:
        found: list[Blame] = []
        at = 0
        for element in text.split(self._separator):
            if not self._match(element):
                found += shifted(self._element.blame(element), at)
            at += len(element) + len(self._separator)
        # A query is divided at its separators, whatever else could be meant (RFC 3986 §3.4
        # leaves that to its grammar); in any other list one of them might be wrong.
        if not self._is_query and cost(found) > 1:
            whole = self._as_characters.blame(text)
            if cost(whole) < cost(found):
                return whole
        return found


class Bracketed:
    """Read between two delimiters, up to the last closing one (RFC 3986: IP-literal)."""

    def __init__(
        self, grammar: Compiled, path: Path, around: tuple[str, tuple[Path, ...], str]
    ) -> None:
        self.path: Path = path
        self.opening, inner, self._closing = around
        self._inner = [ByCharacter(grammar, (*path[:-1], *p), False) for p in inner]
        self._matches: list[Matcher] = [grammar.matcher(p[-1]) for p in inner]
        self._as_characters = ByCharacter(grammar, path, False)
        self._after = _following(grammar, path)

    def viable(self, text: str) -> int:
        # Whatever is wrong after the opening delimiter, an address is meant.
        return len(text) if text.startswith(self.opening) else 0

    def blame(self, text: str) -> list[Blame]:
        if not text.startswith(self.opening):
            return self._as_characters.blame(text)
        start, end = len(self.opening), text.rfind(self._closing)
        closed = end >= start
        inner = text[start : end if closed else None]
        found: list[Blame] = []
        if not inner:
            words = tuple([whole.path[-1] for whole in self._inner])
            found.append(Blame(start, start, "missing", self.path, words))
        elif not any(match(inner) for match in self._matches):
            address = max((whole.reader() for whole in self._inner), key=lambda r: r.viable(inner))
            # Single characters only if it is also closed.
            found += shifted(address.blame_address(inner, 2 if closed else 0), start)
        if not closed:
            # Nothing is missing after a blamed character: that might be the intended end.
            if not found:
                at = len(text)
                found.append(Blame(at, at, "missing", self.path, (f'"{self._closing}"',)))
        elif end + len(self._closing) < len(text):
            path, words = self._after
            found.append(Blame(end + len(self._closing), len(text), "illegal", path, words))
        return found


class FirstErrorOnly(NamedTuple):
    """Read up to the first violation: all that is known of a rule that is not regular."""

    grammar: Compiled
    path: Path
    opening: str = ""

    def viable(self, text: str) -> int:
        furthest = self.grammar.furthest(self.path[-1], text)
        return len(text) + 1 if furthest is None else furthest.offset

    def blame(self, text: str) -> list[Blame]:
        path, grammar = self.path, self.grammar
        furthest = grammar.furthest(path[-1], text)
        if furthest is None:
            return []
        offset, expected, inner = furthest
        escape = grammar.model.escape
        kind: Kind = "missing" if offset == len(text) else "illegal"
        if escape is not None and inner[-1] == escape and offset < len(text):
            kind = "bad-escape"
        start, more = begun(grammar, expected, text, offset), letters(text, offset)
        absent = f"part of {expected[0]}" if start < offset == len(text) else ""
        start, end = (start, offset + more) if more else (offset, min(offset + 1, len(text)))
        return [Blame(start, end, kind, (*path[:-1], *inner), expected, absent=absent)]


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
