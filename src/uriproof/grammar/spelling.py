"""How a name of the RFCs', and a literal, becomes an identifier.

Owns these changes of spelling. Imports nothing: whatever loads a grammar needs it first.
Invariant: everywhere a person looks, productions and grammars keep their own spelling.
"""

from __future__ import annotations

from itertools import groupby

MAX_SPOKEN = 40
"""Characters of a literal that are in its name, of which nobody reads more."""


def identifier(name: str) -> str:
    """A rule's or grammar's name as an identifier: the one place where spelling changes.

    >>> identifier("IPv6address"), identifier("hier-part")
    ('IPv6address', 'hier_part')
    """
    return name.replace("-", "_")


def spoken(literal: str) -> str:
    """The characters of a literal as a name in capitals: letters, and the names of other signs.

    Unicode names of ASCII only, since they are in every version; others by code point.

    >>> spoken("http://"), spoken("\\r"), spoken("1")
    ('HTTP_COLON_SOLIDUS_SOLIDUS', 'U000D', 'DIGIT_ONE')
    """
    words: list[str] = []
    for letters, run in groupby(literal[:MAX_SPOKEN], lambda c: c.isascii() and c.isalpha()):
        signs = list(run)
        words += ["".join(signs).upper()] if letters else map(_sign, signs)
    return identifier("_".join(words).replace(" ", "_"))


def _sign(char: str) -> str:
    from unicodedata import name

    return name(char, "") * char.isascii() or f"U{ord(char):04X}"
