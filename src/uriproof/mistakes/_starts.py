"""Where URIs start within a text.

Owns that question. Imports the grammars and the registry of schemes. Invariant: each costs O(n),
for at most so many characters are looked at before a colon as a scheme has.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ..advice._marks import OPENING
from ..grammar.schemes import SCHEMES, registered
from ._form import accepts

LONGEST_SCHEME = 40
"""Characters that a scheme is looked for in; registered ones have 36 at most."""
_WEB = "www."
_ASIDE = OPENING | frozenset("|,;>")
"""What may stand right before a URI in a text that is not one."""


class Start(NamedTuple):
    """Where a URI starts, and whether what is before it sets it apart from other text."""

    at: int
    apart: bool


@cache
def _of_scheme() -> frozenset[str]:
    """The characters that a scheme has after its first."""
    return frozenset(char for char in map(chr, range(0x80)) if accepts("scheme", f"a{char}"))


def starts(text: str) -> list[Start]:
    """Where registered schemes with something after them start, and "www.", in text order."""
    found = {one.at: one for one in (*_webs(text), *_schemes(text))}
    return [found[at] for at in sorted(found)]


def are_several(text: str) -> bool:
    """Whether more than one URI starts in a text, each set apart."""
    return text.count(":") + text.count("www.") > 1 and sum(one.apart for one in starts(text)) > 1


def is_uri(text: str) -> bool:
    """Whether a text starts as a URI does, whose scheme is registered, or as a host of the Web."""
    if text[: len(_WEB)].lower() == _WEB:
        return True
    scheme, colon, rest = text[:LONGEST_SCHEME].partition(":")
    return bool(colon) and rest[:1].strip() != "" and is_known(scheme)


def is_known(scheme: str) -> bool:
    """Whether a scheme is registered, or in use without."""
    if registered(scheme) is not None or scheme.lower() in SCHEMES:
        return True
    outer, plus, inner = scheme.partition("+")  # git+https
    return bool(plus) and registered(inner) is not None and accepts("scheme", outer)


def _schemes(text: str) -> Iterator[Start]:
    colon = text.find(":")
    while colon >= 0:
        at = _scheme(text, colon)
        after = text[colon + 1 : colon + 2]
        if at < colon and after.strip() and is_known(text[at:colon]):
            apart = _is_apart(text, at)
            if apart or text.startswith("//", colon + 1):
                yield Start(at, apart)
        colon = text.find(":", colon + 1)


def _scheme(text: str, colon: int) -> int:
    """Where the scheme before a colon starts."""
    at, low, legal = colon, max(colon - LONGEST_SCHEME, 0), _of_scheme()
    while at > low and text[at - 1] in legal:
        at -= 1
    while at < colon and not accepts("scheme", text[at]):
        at += 1
    return at


def _webs(text: str) -> Iterator[Start]:
    lower = text.lower() if text.isascii() else text
    at = lower.find(_WEB)
    while at >= 0:
        if _is_apart(text, at):
            yield Start(at, True)
        at = lower.find(_WEB, at + 1)


def _is_apart(text: str, at: int) -> bool:
    return at == 0 or text[at - 1].isspace() or text[at - 1] in _ASIDE
