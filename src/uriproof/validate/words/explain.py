"""Explain: turns a blamed range into a Violation, with a fix if there is a safe one.

Owns the words of a violation. Imports the messages and the hints. Invariant: no fix
where a hint says that something else may be meant, nor for what is not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, Protocol

from ...grammar.compiled import Compiled
from ...grammar.remember import per_grammar
from ...report import Component, Fix, Kind, Meant, Told, Violation, spliced
from ...text.invisible import hidden, hides
from ..divide import Reading
from ..productions import Path
from ..recovery import Blame
from .hint import Hint, Place, hint
from .messages import message
from .quoted import quoted

_OFTEN = 4
"""Wordings are cached for runs of at most this many characters: longer runs seldom come again, and
would fill the cache."""


class Validates(Protocol):
    """What a text was validated against."""

    @property
    def components(self) -> Callable[[str, Reading], Mapping[str, Component]]:
        """What finds the components of a text that is read so."""

    def accepts(self, text: str) -> bool:
        """The verdict on another text."""

    def mistake(self, text: str, more: int, told: Explanations) -> Meant | None:
        """The mistake of the text as a whole, if one is recognized."""


class Explanations:
    """The violations of a text, and what is said of them, which is made when it is first read.

    Two threads can make the same twice, and get equal values. ``more`` others are only counted.
    """

    _meant: Meant | Literal[False] | None = False
    _fixes: list[Fix | None] | None = None
    _components: Mapping[str, Component] | None = None

    def __init__(
        self, text: str, reading: Reading, blames: list[Blame], more: int, validation: Validates
    ) -> None:
        self._text = text
        self._reading = reading
        self._blames = blames
        self._more = more
        self._asked = validation
        self._hints: dict[int, Hint | None] = {}
        self._told: dict[int, Told] = {}

    def violations(self) -> tuple[Violation, ...]:
        """The violations: places, kinds and codes. Cost: O(n) for n of them."""
        text = self._text
        new = tuple.__new__
        number = 0
        found = []
        for start, end, kind, path, expected, _, _, component, _ in self._blames:
            place = start, end, text[start:end], component, path[-1], path, kind, expected
            found.append(new(Violation, (*place, f"{component}-{kind}", False, self, number)))
            number += 1  # noqa: SIM113 -- enumerate takes longer for one or two
        return tuple(found)

    def components(self, text: str) -> Mapping[str, Component]:
        """The components of the text, which recognizing a mistake asks for as well. Cost: O(n)."""
        found = self._components
        if found is None:
            found = self._components = self._asked.components(text, self._reading)
        return found

    def meant(self) -> Meant | None:
        """The mistake of the text as a whole, if one is recognized. Cost: O(n), once."""
        if self._meant is False:
            self._meant = self._asked.mistake(self._text, self._more, self)
        return self._meant

    def tell(self, number: int) -> Told:
        """What is said of a violation. Cost: O(n) for the first, then O(its length)."""
        told = self._told.get(number)
        if told is None:
            told = self._told[number] = self._tell(number)
        return told

    def _tell(self, number: int) -> Told:
        blame = self._blames[number]
        grammar, component = blame.grammar, blame.component
        found = self._text[blame.start : blame.end]
        about = self._hint(number)
        worded = _remembered if len(found) <= _OFTEN else _words
        kind, path = blame.kind, blame.path
        words = worded(grammar, found, component, kind, path, blame.expected, blame.absent)
        said = None if about is None else about.words
        meant = self.meant()
        if meant is not None and meant.is_about(blame.start, blame.end):
            said = meant.reason
        message = words.message if about is None or not about.message else about.message
        rest = words.section, words.grammar, words.rule, words.source
        return Told(message, self._safe_fixes()[number], *rest, said)

    def _safe_fixes(self) -> list[Fix | None]:
        """The fix of each violation, if it is safe. In a mistake, a fix would hide it."""
        known = self._fixes
        if known is None:
            known = [None] * len(self._blames)
            if self.meant() is None:
                made = [self._fix(number) for number in range(len(known))]
                # The fixes of one component can be at odds with another: then there are none.
                partly = self._more or not all(made)
                if partly or self._asked.accepts(spliced(self._text, filter(None, made))):
                    known = made
            self._fixes = known
        return known

    def _fix(self, number: int) -> Fix | None:
        """The replacement of what is blamed, unless something else might be meant."""
        blame = self._blames[number]
        replacement = blame.fix(self._text)
        if replacement is None or _hides(self._text, blame.start, blame.end):
            return None
        about = self._hint(number)
        if about is not None and about.instead:
            return None
        return Fix(blame.start, blame.end, replacement)

    def _hint(self, number: int) -> Hint | None:
        if number not in self._hints:
            self._hints[number] = hint(Place(self._text, self._blames[number]))
        return self._hints[number]


def _hides(text: str, start: int, end: int) -> bool:
    """Whether a character is not seen: encoded, it would be in the URI without anybody's notice."""
    return hides(text[start:end]) and any(hidden(text, at) for at in range(start, end))


class _Words(NamedTuple):
    """What is said alike of all violations of the same characters against one production."""

    message: str
    section: str
    grammar: str
    rule: str
    source: str


def _words(
    grammar: Compiled,
    found: str,
    component: str,
    kind: Kind,
    path: Path,
    expected: Path,
    absent: str,
) -> _Words:
    """The words for a violation."""
    rule = grammar.rule(path[-1])
    texts = quoted(grammar)
    expected = tuple([f'"{texts[e][0]}"' if e in texts else e for e in expected])
    absent = " ".join([f'"{texts[e][0]}"' if e in texts else e for e in absent.split(" ")])
    return _Words(
        message(kind, found, component, rule.name, expected, absent),
        grammar.model.citation(rule),
        grammar.name,
        rule.text,
        f"{rule.file}:{rule.line}",
    )


_remembered = per_grammar(_words)
