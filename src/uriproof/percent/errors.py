"""Faults of data to encode and of text to decode, and the errors that report them.

Owns these values, the violations of a part of a URI beyond its grammar, and the check of an
encoding's name. Imports the grammars, ``report`` and ``text``. Invariant: values are immutable;
every offset is one of a code point in the text, or of an octet in octets.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from ..arguments import strings
from ..errors import UriproofError
from ..grammar import registry
from ..report import Component, Kind, Report, Violation
from ..text.columns import ELLIPSIS
from ..text.drawing import WIDTH, draw
from ..text.facts import Fact, lay_out, span
from ..text.passwords import without_passwords
from .characters import GRAMMAR

Errors: TypeAlias = Literal["raise", "replace", "drop", "keep"]
FaultKind: TypeAlias = Literal[
    "bad-escape",
    "u-escape",
    "overlong",
    "surrogate",
    "invalid",
    "illegal",
    "missing",
    "not-accepted",
]


class DecodeFault(NamedTuple):
    """One thing that cannot be decoded, at ``[start, end)``, code points of the encoded text.

    ``kind``: ``bad-escape`` (a percent sign without two hex digits), ``u-escape`` (``%uXXXX``),
    ``overlong``, ``surrogate`` or otherwise ``invalid`` octets, ``illegal`` (not allowed in the
    component), ``missing`` (of no width: the component is not complete),
    ``not-accepted`` (decodes to a character that the caller does not accept). Adjacent faults are
    one, if the same is said of them.
    """

    start: int
    end: int
    found: str
    kind: FaultKind
    message: str

    def to_dict(self) -> dict[str, str | int]:
        """JSON-ready."""
        return self._asdict()


class DecodeError(UriproofError, ValueError):
    """Text that cannot be decoded; ``faults`` holds all faults, in the order of ``text``.

    ``str(error)`` draws the text with carets, with asterisks for a possible password; a userinfo is
    not drawn at all. ``text`` is the text itself.
    """

    def __init__(self, text: str, faults: tuple[DecodeFault, ...], secret: bool = False) -> None:
        self.text = text
        self.faults = faults
        self._secret = secret
        super().__init__(text, faults)

    def __str__(self) -> str:
        lines = ["This cannot be decoded."]
        if not self._secret:
            lines += draw(without_passwords(self.text), [(f.start, f.end) for f in self.faults])
        shown = self.faults[:_MOST_SHOWN]
        lines += lay_out((Fact(f.kind, span(f.start, f.end), f.message) for f in shown), WIDTH)
        if len(self.faults) > _MOST_SHOWN:
            lines.append(f"{ELLIPSIS} and {len(self.faults) - _MOST_SHOWN:,} more")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"DecodeError({str(self)!r})"


_MOST_SHOWN = 20


class EncodeError(UriproofError, ValueError):
    """Data that cannot be encoded as requested.

    ``[start, end)`` is the place in the data: code points of a text, octets of octets. The message
    names the character or octet at fault, and never the data around it. If a list was encoded,
    ``item`` is the index of the item that the data belongs to.
    """

    def __init__(self, message: str, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.item: int | None = None
        super().__init__(message)

    def within(self, item: int, what: str) -> None:
        """Add the item of a list that the data belongs to."""
        self.item = item
        self.args: tuple[Any, ...] = (f"item {item}, {what}: {self}",)


class CharacterError(EncodeError):
    """A character that the encoding has no octets for; in UTF-8, a lone surrogate."""


class OctetError(EncodeError):
    """Octets that are not valid in their declared encoding."""


class ProductionError(EncodeError):
    """Data that the production has no place for, percent-encoded or not: ``production``."""

    def __init__(self, message: str, start: int, end: int, production: str) -> None:
        self.production = production
        super().__init__(message, start, end)


class UnknownEncoding(UriproofError, ValueError):
    """No character encoding has that name."""

    def __init__(self, name: object) -> None:
        self.name = name
        super().__init__(name)

    def __str__(self) -> str:
        from encodings.aliases import aliases

        from ..text.names import near

        name = str(self.name)[:80]
        names = {spelled.replace("_", "-") for pair in aliases.items() for spelled in pair}
        others = [n for n in near(name, names) if _is_encoding(n)]
        hint = f"did you mean {' or '.join(others)}?" if others else "most data is in utf-8"
        return f"unknown character encoding {name!r}; {hint}"


def known(encoding: str) -> str:
    """The same name of a character encoding. Errors: UnknownEncoding, TypeError."""
    strings(encoding=encoding)
    if not _is_encoding(encoding):
        raise UnknownEncoding(encoding)
    return encoding


@lru_cache(64)
def _is_encoding(name: str) -> bool:
    """Whether a codec of that name exists, and is one of characters (``rot13`` is not)."""
    try:
        b"a".decode(name)  # nothing is looked up for no octets
    except UnicodeDecodeError:
        return True  # no text in that encoding, which therefore exists
    except (LookupError, ValueError):  # ValueError: a NUL, or half a surrogate pair, in the name
        return False
    return codecs.lookup(name).name not in _PYTHONS


_PYTHONS = frozenset({"charmap", "idna", "punycode", "raw-unicode-escape", "unicode-escape"})
"""Python's own codecs: ``charmap`` is latin-1 by another name, and the others read escapes, which
would be read after those of the URI; two of them take the square of the length."""


def invalid(value: str, violations: Iterable[Violation]) -> Report:
    """The report of a component's value that is wrong."""
    found = tuple(violations)
    whole = Component(found[0].component, found[0].component, 0, len(value), value)
    return Report(value, whole.name, GRAMMAR, {whole.name: whole}, found)


def violation(
    component: str,
    production: str,
    start: int,
    end: int,
    message: str,
    *,
    kind: Kind = "illegal",
    grammar: str = GRAMMAR,
) -> Violation:
    """What is wrong with components beyond the grammar of each: a violation without a fix."""
    compiled = registry.load(grammar)
    rule = compiled.rule(production)
    return Violation(
        *(start, end, "", component, production, (production,), kind, (), message),
        *(f"{component}-{kind}", None, compiled.model.citation(rule), grammar, rule.text),
        f"{rule.file}:{rule.line}",
    )
