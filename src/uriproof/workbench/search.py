"""Two rules side by side where no automaton decides: texts that tell them apart, by looking.

Owns the search for witnesses up to a bound. Imports the recognizer and the comparison of
automata. Invariant: a witness is a text that the one accepts and the other does not; what was not
found is said not to exist only where every text was looked at.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from ..grammar.charset import Alphabet
from ..grammar.derive.recognizer import Prefix, Recognizer
from ..grammar.errors import GrammarLimit
from ..grammar.graph import reachable
from ..grammar.machine.automaton import DEAD, Automaton
from ..grammar.machine.product import columns
from ..grammar.machine.readable import order
from ..grammar.machine.sample import samples
from ..grammar.model import Model, references
from .compare import Relation, Witness, relation_of
from .derived import derived

if TYPE_CHECKING:
    from ..grammar.compiled import Compiled

MAX_TEXTS = 10_000
"""Beginnings of texts to look at: some seconds."""

DRAWN = 500
"""Longer random texts of either side to try."""

PATTERN = "re:"
"""What a side begins with that is a pattern."""

_LONGEST = 60

_KINDS = ((1, 0), (0, 1), (1, 1))
"""Whether A, and whether B, accepts a text."""


@dataclass(frozen=True, slots=True)
class Language:
    """One side of a comparison: a rule, with its automaton if it has one, or a pattern's automaton.

    ``name`` is ``GRAMMAR:RULE``, or ``re:PATTERN``.
    """

    name: str
    automaton: Automaton | None
    compiled: Compiled | None = None
    rule: str = ""

    def to_dict(self) -> dict[str, str | None]:
        grammar = self.compiled.name if self.compiled is not None else None
        return {"name": self.name, "grammar": grammar, "rule": self.rule or None}

    def accepts(self, text: str) -> bool:
        if self.automaton is not None:
            return self.automaton.accepts(text)
        assert self.compiled is not None  # noqa: S101 -- one of the two is given
        return self.compiled.accepts(self.rule, text)

    def texts(self) -> Iterator[str]:
        """Random texts of all lengths up to a bound."""
        if self.automaton is not None:
            return samples(self.automaton)
        assert self.compiled is not None  # noqa: S101 -- one of the two is given
        return derived(self.compiled.model, self.rule, most=_LONGEST)


@dataclass(frozen=True, slots=True)
class Search:
    """What was found out about A and B by looking at texts.

    ``only_a``, ``only_b`` and ``both`` are as in a ``Comparison``, but None means only that no
    such text was found: among all texts of up to ``length`` code points, and ``drawn`` longer
    ones. ``relation`` is None where that does not settle it; with ``every`` it does. With ``same``
    the rules are word for word the same, and no text was looked at.
    """

    relation: Relation | None
    only_a: Witness | None
    only_b: Witness | None
    both: str | None
    length: int
    drawn: int
    every: bool
    same: bool = False

    @property
    def differ(self) -> bool:
        return self.only_a is not None or self.only_b is not None


def language(compiled: Compiled, rule: str) -> Language:
    """What a rule accepts, by its automaton if there is one."""
    name = f"{compiled.name}:{rule}"
    try:
        return Language(name, compiled.automaton(rule), compiled, rule)
    except GrammarLimit:
        return Language(name, None, compiled, rule)


def pattern(named: str) -> Language:
    """What ``re:PATTERN`` matches. Errors: BadPattern, GrammarLimit."""
    from .read_pattern import read_pattern

    return Language(named, read_pattern(named.removeprefix(PATTERN)))


def _same(a: Language, b: Language) -> bool:
    """True when two rules, and all that they lead to, are word for word the same: so are the
    languages. False says nothing."""
    if a.compiled is None or b.compiled is None or a.rule != b.rule:
        return False
    one, other = (
        {name: model.rules[name].element for name in reachable([a.rule], _used(model).__getitem__)}
        for model in (a.compiled.model, b.compiled.model)
    )
    return one == other


def _used(model: Model) -> dict[str, list[str]]:
    return {name: list(references(rule.element)) for name, rule in model.rules.items()}


_Moved: TypeAlias = tuple[object, ...]


class _Automaton:
    """A state of an automaton, as ``Prefix`` is one of a recognizer."""

    def __init__(self, automaton: Automaton, state: int = 0) -> None:
        self._automaton = automaton
        self._state = state
        self.accepted = state in automaton.accepting

    def takes(self, class_: int) -> tuple[int, ...]:
        target = self._automaton.rows[self._state][class_]
        return () if target == DEAD else (target,)

    def step(self, moved: tuple[int, ...]) -> _Automaton:
        return _Automaton(self._automaton, moved[0])


def search(a: Language, b: Language, most: int = MAX_TEXTS) -> Search:
    """Look for shortest texts that only A, only B and both accept.

    All texts are looked at, the shortest first, as far as ``most`` beginnings of them go, where
    those that can only go on alike count once; then ``DRAWN`` longer texts of either side. Errors:
    GrammarLimit, for grammars with too many readings. Cost: O(most * readings left).

    >>> from uriproof.grammar.registry import compile_abnf
    >>> a = compile_abnf('n = "(" n ")" / "x"')
    >>> b = compile_abnf('n = "(" n ")" / "x" / "()"')
    >>> found = search(language(a, "n"), language(b, "n"))
    >>> found.only_a, found.only_b, found.both
    (None, Witness(text='()', stops=1), 'x')
    """
    if _same(a, b):
        return Search("equal", None, None, None, 0, 0, every=True, same=True)
    looked = _Looked(a, b, most)
    only_a, only_b, both = map(looked.found.get, _KINDS)
    drawn = 0
    if not looked.every:
        for mine, other, known in ((a, b, only_a), (b, a, only_b)):
            if known is None:
                drawn += DRAWN
                texts = sorted(islice(mine.texts(), DRAWN), key=order)
                text = next((t for t in texts if not other.accepts(t)), None)
                witness = Witness(text, _stops(other, text)) if text is not None else None
                if mine is a:
                    only_a = witness
                else:
                    only_b = witness
    found = [w.text if w is not None else None for w in (only_a, only_b, both)]
    settled = looked.every or None not in found
    relation = relation_of(*found) if settled else None
    return Search(relation, only_a, only_b, found[2], looked.length, drawn, looked.every)


def _stops(language: Language, text: str) -> int:
    """The length of the longest beginning that something accepted has."""
    at: Prefix | _Automaton = _begin(language)
    alphabet = _alphabet(language)
    for offset, char in enumerate(text):
        moved = at.takes(alphabet.of(char))
        if not moved:
            return offset
        at = at.step(moved)  # type: ignore[arg-type]  # each takes what it gave
    return len(text)


def _recognizer(language: Language) -> Recognizer:
    assert language.compiled is not None  # noqa: S101 -- asked only where there is no automaton
    return language.compiled.recognizer(language.rule)


def _begin(language: Language) -> Prefix | _Automaton:
    if language.automaton is not None:
        return _Automaton(language.automaton)
    return _recognizer(language).begin()


def _alphabet(language: Language) -> Alphabet:
    automaton = language.automaton
    return automaton.alphabet if automaton is not None else _recognizer(language).alphabet


class _Looked:
    """All texts, the shortest first, as far as a number of their beginnings goes.

    ``found`` has the first text for each pair of verdicts; ``length`` is that up to which all
    texts were looked at; with ``every``, that is all texts that there are.
    """

    def __init__(self, a: Language, b: Language, most: int) -> None:
        self.found: dict[tuple[int, int], Witness] = {}
        self.length = -1
        rows = columns(_alphabet(a), _alphabet(b))
        start = _begin(a), _begin(b)
        queue: deque[tuple[str, tuple[Prefix | _Automaton | None, ...], int]]
        queue = deque([("", start, 0)])
        seen: set[tuple[object, ...]] = set()
        while queue and most and len(self.found) < len(_KINDS):
            most -= 1
            text, sides, dead = queue.popleft()
            self.length = len(text) - 1
            verdict = tuple(int(side is not None and side.accepted) for side in sides)
            if any(verdict):
                stops = dead if None in sides else len(text)
                self.found.setdefault((verdict[0], verdict[1]), Witness(text, stops))
            tried: set[tuple[object, ...]] = set()
            for char, *classes, _ in rows:
                moved = tuple(
                    side.takes(class_) if side is not None else ()
                    for side, class_ in zip(sides, classes, strict=True)
                )
                if not any(moved) or moved in tried:
                    continue
                tried.add(moved)
                key = tuple(map(frozenset, moved))
                if key in seen:
                    continue
                seen.add(key)
                onward = tuple(
                    side.step(m) if side is not None and m else None  # type: ignore[arg-type]
                    for side, m in zip(sides, moved, strict=True)
                )
                queue.append((text + char, onward, dead if None in sides else len(text)))
        self.every = not queue
        if self.every:
            self.length = 0
