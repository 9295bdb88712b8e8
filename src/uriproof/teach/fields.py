"""The fields of a request: each of the right type and size, or a reason why not; and drawings.

Owns the bounds and their words, and the form of a drawing in an answer. Imports the public face.
Invariant: a field that is given back is of the type that its method names; text in a drawing stays
text: nothing in it is ever parsed as HTML.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias
from xml.etree import ElementTree

from ..errors import UriproofError
from ..grammar.errors import Fault
from ..limits import LONGEST_FIELD, LONGEST_FIELD_GRAMMAR, LONGEST_FIELD_NAME
from ..rule import GENERIC, Grammar


class Refused(UriproofError, ValueError):
    """A request that is not answered: ``code`` is for programs, ``more`` has further facts."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.code = code
        self.more = more


class Fields:
    """One request. Each method takes a key and, unless the key must be there, its default."""

    def __init__(self, request: object) -> None:
        if not isinstance(request, dict):
            raise Refused("invalid-request", "a request is an object with a key do")
        self._given = request

    def text(self, key: str, default: str | None = None, *, most: int = LONGEST_FIELD) -> str:
        """A string of at most this many code points."""
        found: str = self._typed(key, str, "a string", default)
        if len(found) > most:
            words = f"{key} has {len(found):,} characters; at most {most:,} are read"
            raise Refused("too-long", words, most=most)
        return found

    def number(self, key: str, default: int | None = None, *, least: int = 0, most: int) -> int:
        """A whole number from ``least`` to ``most``."""
        found: int = self._typed(key, int, "a whole number", default)
        if isinstance(found, bool) or not least <= found <= most:
            raise Refused("invalid-request", f"{key} must be a number from {least} to {most}")
        return found

    def flag(self, key: str, default: bool = False) -> bool:
        found: bool = self._typed(key, bool, "true or false", default)
        return found

    def choice(self, key: str, choices: Sequence[str], default: str | None = None) -> str:
        """One of some words."""
        found: str = self._typed(key, str, "a string", default)
        if found not in choices:
            raise Refused("invalid-request", f"{key} must be one of {', '.join(choices)}")
        return found

    def value(self, key: str) -> Any:
        """Whatever is given, or None."""
        return self._given.get(key)

    def grammar(self, key: str = "abnf") -> Grammar:
        """The grammar asked about: one's own text, if given, else the bundled one ``grammar``.

        Errors: UnknownGrammar, GrammarError, GrammarLimit.
        """
        if self._given.get(key) is not None:
            return read(self.text(key, most=LONGEST_FIELD_GRAMMAR))
        return Grammar.load(self.name("grammar", GENERIC))

    def rule(self, grammar: Grammar, key: str = "rule") -> str:
        """A rule of the grammar, in its own spelling; by default its start. Errors: UnknownRule."""
        return grammar.rule_name(self.name(key, grammar.start))

    def name(self, key: str, default: str | None = None) -> str:
        """A name: of a request, a grammar, a rule."""
        return self.text(key, default, most=LONGEST_FIELD_NAME)

    def _typed(self, key: str, kind: type, words: str, default: Any) -> Any:
        found = self._given.get(key, default)
        if found is None:
            raise Refused("invalid-request", f"{key} is missing; it must be {words}")
        if not isinstance(found, kind):
            raise Refused("invalid-request", f"{key} must be {words}")
        return found


def fault_record(fault: Fault) -> dict[str, Any]:
    """A fault of a grammar, JSON-ready: ``line`` and ``column`` count from 1."""
    names = ("line", "column", "length", "cause", "message")
    return {name: getattr(fault, name) for name in names}


@lru_cache(maxsize=32)
def read(abnf: str) -> Grammar:
    """A grammar of one's own, read once for the many requests of an editing session."""
    return Grammar.from_abnf(abnf)


Drawn: TypeAlias = list[Any]
"""A name, a dictionary of attributes, and then children: each a string or a drawing."""


def drawn(svg: str) -> Drawn:
    """An SVG that this package made, as data. Cost: O(n).

    >>> drawn('<svg width="8"><text>a&amp;b</text></svg>')
    ['svg', {'width': '8'}, ['text', {}, 'a&b']]
    """
    return _drawn(ElementTree.fromstring(svg))  # noqa: S314 -- the package's own drawing


def _drawn(element: ElementTree.Element) -> Drawn:
    made: Drawn = [element.tag.rpartition("}")[2], dict(element.attrib)]
    if element.text and element.text.strip():
        made.append(element.text)
    for child in element:
        made.append(_drawn(child))
        if child.tail and child.tail.strip():
            made.append(child.tail)
    return made
