"""Clients: what they send in a request, by the standard that they follow.

Owns their names, and the way from what they send to a URI. Imports the grammars and the decoder.
Invariant: no profile has a character of its own; each is a grammar.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias, get_args

from ..text.names import or_list
from .characters import characters
from .decode import read, without_stray
from .encode import encode

__all__ = ["CLIENTS", "Clients"]

Clients: TypeAlias = Literal["rfc", "whatwg"]
"""``rfc``: RFC 3986; ``whatwg``: also what browsers, ``fetch`` and ``new URL`` do not encode."""
CLIENTS: tuple[Clients, ...] = get_args(Clients)
PARTS: dict[Clients, str] = {"rfc": "rfc3986", "whatwg": "whatwg-url"}
"""The grammars of path and query."""
TARGETS: dict[Clients, str] = {"rfc": "rfc9112", "whatwg": "whatwg-url"}
"""The grammars of request targets."""


def known(clients: object) -> None:
    """Errors: ValueError, for the name of no profile."""
    if clients not in CLIENTS:
        raise ValueError(f"clients is {or_list(map(repr, CLIENTS))}, not {clients!r}")


def read_sent(text: str, clients: Clients) -> str:
    """What a text of a client means, percent-decoded.

    With ``whatwg``, a percent sign that begins no escape is one, as URLSearchParams reads it.
    Errors: UnicodeError. Cost: O(n).

    >>> read_sent("100%&%41", "whatwg")
    '100%&A'
    """
    try:
        return read(text, "utf-8")
    except UnicodeError:
        if clients == "rfc":
            raise
        return read(without_stray(text), "utf-8")


def as_uri(sent: str, start: int = 0) -> str:
    """A target that is valid for ``whatwg``, with the same meaning, as RFC 3986 writes it.

    Escapes stay, and so does what comes before the path, at ``start``. Cost: O(n).

    >>> as_uri("http://[::1]/a|b?c[d]=100%&e=%7C", 12)
    'http://[::1]/a%7Cb?c%5Bd%5D=100%25&e=%7C'
    """
    return sent[:start] + "".join(map(_written, without_stray(sent[start:])))


@cache
def _written(character: str) -> str:
    bare = character == "%" or character in characters("query")
    return character if bare else encode(character)
