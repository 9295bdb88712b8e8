"""A component of a rule: the productions that it may be, and what they blame in a text.

Owns the ways to read a component: character by character, element by element, between two
delimiters, or up to the first violation. Imports the engine of blame and the grammars. Invariant:
a component is made once for its place in a rule and never changed; nothing is blamed exactly when
one of its productions accepts the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from ..grammar.compile.shapes import Slot, listed, separators, shapes
from ..grammar.compiled import Compiled
from ..grammar.machine.trace import loop_rules
from ..grammar.model import Alternation, CharVal, Model, RuleRef
from ..report import Kind
from .blame import Blame, Reader
from .states import MAX_NODES

QUERY = "query"
"""The component that a query grammar speaks about (RFC 3986 §3.4)."""

Path: TypeAlias = tuple[str, ...]
Matcher: TypeAlias = Callable[[str], Any]


class Candidate(Protocol):
    """One production that a text may be read as; ``path`` leads to it from the rule."""

    path: Path

    def viable(self, text: str) -> int:
        """The length of the longest prefix that could be the start of the production."""

    def blame(self, text: str) -> list[Blame]:
        """What is to blame in a text that the production does not accept. Cost: O(n)."""


class Productions:
    """The productions that one component of a rule may be; the first that accepts is meant."""

    def __init__(self, grammar: Compiled, component: str, slots: Iterable[Slot]) -> None:
        self.component = component
        self._grammar = grammar
        self._slots = tuple(dict.fromkeys(slots))
        self._ways = tuple(_way(grammar, slot) for slot in self._slots)
        self.production = self._slots[0].path[-1]
        self.accepts_empty = any(match("") for match, _, _ in self._ways)

    def accepts(self, text: str) -> bool:
        """True when one of the productions accepts a text."""
        for match, _, _ in self._ways:  # noqa: SIM110 -- a generator takes twice as long
            if match(text):
                return True
        return False

    def meant(self, text: str) -> str | None:
        """The production that accepts a text; None where none does."""
        for match, production, finals in self._ways:
            if match(text):
                # Of a choice, such as host, its alternative (RFC 3986 §3.2.2: first match wins).
                accepts = self._grammar.accepts
                return next((name for name in finals if accepts(name, text)), production)
        return None

    def first_start(self, text: str) -> int:
        """Where the first character stands that could be all of the component by itself."""
        match, _, _ = self._ways[0]
        return next((i for i, c in enumerate(text) if match(c)), len(text))

    def blame(self, text: str) -> tuple[str, list[Blame]]:
        """The production that a text which none accepts is read as, and what it blames.

        It is the one with the longest viable prefix. Of equals it is the first whose first blame is
        content, not a delimiter: a path that starts with what is not allowed there is no
        path-absolute without its slash.
        """
        candidates = self._candidates
        if len(candidates) > 1:
            if not text and len({c.path[:-1] for c in candidates}) == 1:
                path = candidates[0].path
                words = tuple([c.path[-1] for c in candidates])
                return path[-2], [Blame(0, 0, "missing", path[:-1], words)]
            candidates = _longest(candidates, text)
        if len(candidates) == 1:
            return candidates[0].path[-1], candidates[0].blame(text)
        leaves = self._grammar.model.leaves
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

    @cached_property
    def _candidates(self) -> list[Candidate]:
        grammar = self._grammar
        spelled: list[Candidate] = [
            _Whole(own, slot.path, False)
            for slot in self._slots
            if (own := _spelled(grammar, slot))
        ]
        return spelled or [
            candidate(grammar, path if name == path[-1] else (*path, name), self.component)
            for path in (slot.path for slot in self._slots)
            for name in grammar.alternatives(path[-1])
        ]


def _way(grammar: Compiled, slot: Slot) -> tuple[Matcher, str, tuple[str, ...]]:
    """What accepts a production, its name, and the alternatives that it is a choice of."""
    own = _spelled(grammar, slot)
    production = slot.path[-1]
    if own is not None:
        return own.matcher(production), production, ()
    components = grammar.model.components
    element = grammar.rule(production).element
    items = element.items if isinstance(element, Alternation) else ()
    names = [item.name for item in items if isinstance(item, RuleRef)]
    choice = items and len(names) == len(items) and production in components
    return grammar.matcher(production), production, tuple(names) if choice else ()


def _spelled(grammar: Compiled, slot: Slot) -> Compiled | None:
    """A grammar of a component that the rule spells out (RFC 9110 §4.2.1: "http" "://" …)."""
    if not slot.text:
        return None
    key = _spelled, slot
    if key not in grammar.cache:
        (name,) = slot.path
        rule = grammar.rule(name)._replace(element=CharVal(slot.text))
        grammar.cache[key] = Compiled(model=Model(grammar.name, "", {name: rule}, (name,)))
    own: Compiled = grammar.cache[key]
    return own


def candidate(grammar: Compiled, path: Path, component: str) -> Candidate:
    """A production as the text of a component is read by it. Cost: once for each path."""
    key = candidate, path, component
    made: Candidate | None = grammar.cache.get(key)
    if made is None:
        encode = component in grammar.model.fixable
        production = path[-1]
        division = listed(grammar.model, production)
        around = _enclosed(grammar, production)
        if not grammar.traceable(production):
            made = _UpToFirst(grammar, path)
        elif division is not None:
            made = _List(grammar, path, component, division)
        elif around is not None:
            made = _Enclosed(grammar, path, around)
        else:
            made = _Whole(grammar, path, encode)
        grammar.cache[key] = made
    return made


def _longest(candidates: list[Candidate], text: str) -> list[Candidate]:
    """Those that can read most of a text."""
    could = [c for c in candidates if not isinstance(c, _Enclosed) or c.opens(text)]
    if len(could) < 2:  # noqa: PLR2004 -- one is left to choose
        return could or candidates[:1]
    viable = [candidate.viable(text) for candidate in could]
    longest = max(viable)
    return [c for c, n in zip(could, viable, strict=True) if n == longest]


def cost(blames: Iterable[Blame]) -> int:
    """How many characters are blamed; what is missing counts as one."""
    return sum([max(blame.end - blame.start, 1) for blame in blames])


def shifted(blames: list[Blame], by: int) -> list[Blame]:
    """The same blames in a longer text."""
    for blame in blames:
        blame.start += by
        blame.end += by
    return blames


class _Whole:
    """Read character by character."""

    def __init__(self, grammar: Compiled, path: Path, encode: bool) -> None:
        self.path = path
        self._grammar = grammar
        self._encode = encode
        self._dividing: dict[Path, frozenset[str]] = {}
        self._made: Reader | None = None

    def _reader(self) -> Reader:
        reader = self._made
        if reader is None or reader.remembered > MAX_NODES:
            # Other threads may go on with the one that this one takes the place of.
            grammar = self._grammar
            loops = grammar.cache.get(loop_rules)
            if loops is None:
                loops = grammar.cache[loop_rules] = loop_rules(grammar.model)
            trace = grammar.trace(self.path[-1])
            leaves = grammar.model.leaves
            self._made = reader = Reader(trace, self.path, self._encode, loops, leaves)
        return reader

    def viable(self, text: str) -> int:
        return self._reader().viable(text)

    def blame(self, text: str) -> list[Blame]:
        if not text and len(self.path) > 1:
            return [Blame(0, 0, "missing", self.path[:-1], (self.path[-1],))]
        found = self._reader().blame(text)
        for blame in found:
            if blame.fixes and not self._divides(blame.path).isdisjoint(
                text[blame.start : blame.end]
            ):
                blame.fixes = None  # encoded, it would not separate any more (RFC 3986 §2.2)
        return found

    def address(self, text: str, closed: bool) -> list[Blame]:
        """What is to blame in an address; single characters only if it is closed, too."""
        return self._reader().blame_address(text, 2 if closed else 0)

    def _divides(self, path: Path) -> frozenset[str]:
        """What divides the lists that a blamed production is an element of."""
        made = self._dividing.get(path)
        if made is None:
            rules = self._grammar.model.rules
            found = (separators(rules[name].element) for name in path[:-1])
            made = self._dividing[path] = frozenset().union(*found)
        return made


class _List:
    """Read element by element; an empty one is a missing one."""

    def __init__(
        self, grammar: Compiled, path: Path, component: str, division: tuple[str, str]
    ) -> None:
        self.path = path
        element, self._separator = division
        self._match = grammar.matcher(element)
        self._element = candidate(grammar, (*path, element), component)
        self._whole = _Whole(grammar, path, component in grammar.model.fixable)
        self._is_query = component == QUERY

    def viable(self, text: str) -> int:
        return self._whole.viable(text)

    def blame(self, text: str) -> list[Blame]:
        found: list[Blame] = []
        at = 0
        for part in text.split(self._separator):
            if not self._match(part):
                found += shifted(self._element.blame(part), at)
            at += len(part) + len(self._separator)
        # A query is divided at its separators, whatever else could be meant (RFC 3986 §3.4
        # leaves that to its grammar); in any other list one of them may be what is wrong.
        if not self._is_query and cost(found) > 1:
            whole = self._whole.blame(text)
            if cost(whole) < cost(found):
                return whole
        return found


class _Enclosed:
    """Read between two delimiters, up to the last closing one (RFC 3986: IP-literal)."""

    def __init__(
        self, grammar: Compiled, path: Path, around: tuple[str, tuple[Path, ...], str]
    ) -> None:
        self.path = path
        self._opening, inner, self._closing = around
        self._inner = [_Whole(grammar, (*path[:-1], *p), False) for p in inner]
        self._matches = [grammar.matcher(p[-1]) for p in inner]
        self._whole = _Whole(grammar, path, False)
        self._after = _following(grammar, path)

    def opens(self, text: str) -> bool:
        """True when a text starts with the opening delimiter."""
        return text.startswith(self._opening)

    def viable(self, text: str) -> int:
        # Whatever is wrong after the opening delimiter, an address is meant.
        return len(text) if text.startswith(self._opening) else 0

    def blame(self, text: str) -> list[Blame]:
        if not text.startswith(self._opening):
            return self._whole.blame(text)
        start, end = len(self._opening), text.rfind(self._closing)
        closed = end >= start
        inner = text[start : end if closed else None]
        found: list[Blame] = []
        if not inner:
            words = tuple([whole.path[-1] for whole in self._inner])
            found.append(Blame(start, start, "missing", self.path, words))
        elif not any(match(inner) for match in self._matches):
            chosen = max(self._inner, key=lambda whole: whole.viable(inner))
            found += shifted(chosen.address(inner, closed), start)
        if not closed:
            # Nothing is missing after what is blamed: that may be what was meant to be the end.
            if not found:
                at = len(text)
                found.append(Blame(at, at, "missing", self.path, (f'"{self._closing}"',)))
        elif end + len(self._closing) < len(text):
            path, words = self._after
            found.append(Blame(end + len(self._closing), len(text), "illegal", path, words))
        return found


class _UpToFirst:
    """Read up to the first violation: all that can be told of a rule that is not regular."""

    def __init__(self, grammar: Compiled, path: Path) -> None:
        self.path = path
        self._grammar = grammar

    def viable(self, text: str) -> int:
        furthest = self._grammar.furthest(self.path[-1], text)
        return len(text) + 1 if furthest is None else furthest.offset

    def blame(self, text: str) -> list[Blame]:
        furthest = self._grammar.furthest(self.path[-1], text)
        if furthest is None:
            return []
        offset, expected, inner = furthest
        escape = self._grammar.model.escape
        kind: Kind = "missing" if offset == len(text) else "illegal"
        if escape is not None and inner[-1] == escape and offset < len(text):
            kind = "bad-escape"
        end = min(offset + 1, len(text))
        return [Blame(offset, end, kind, (*self.path[:-1], *inner), expected)]


def _following(grammar: Compiled, path: Path) -> tuple[Path, Path]:
    """What can follow the last production of a path: in which rule, and the texts it begins with.

    RFC 3986: after an IP-literal comes ":" in authority. The path as it is, where nothing can.
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
