"""The percent-encoding of characters, as the octets of an encoding.

Owns the one spelling of an octet. Imports ``patterns``. Invariant: every octet is "%" and two
upper-case hexadecimal digits (RFC 3986 §2.1, §6.2.2.1).
"""

from __future__ import annotations

from functools import cache, lru_cache

from ..text.patterns import lazy


@cache
def escapes() -> tuple[str, ...]:
    """All octets percent-encoded, in upper case (RFC 3986 §2.1, §6.2.2.1)."""
    return tuple(f"%{octet:02X}" for octet in range(256))


def percent_encoded(text: str, encoding: str = "utf-8") -> str:
    """All of a text, as octets. Errors: UnicodeError, if the encoding lacks a character.

    >>> percent_encoded("é/"), percent_encoded("é", "latin-1")
    ('%C3%A9%2F', '%E9')
    """
    table = escapes()
    return "".join([table[octet] for octet in text.encode(encoding)])


def encoded_beyond_ascii(text: str) -> str:
    """A text with its characters outside ASCII as octets in UTF-8. Errors: UnicodeError.

    >>> encoded_beyond_ascii("a/é")
    'a/%C3%A9'
    """
    return text if text.isascii() else _BEYOND_ASCII.sub(lambda run: percent_encoded(run[0]), text)


_BEYOND_ASCII = lazy("[^\0-\x7f]+")


@lru_cache(maxsize=4096)
def encoded_character(char: str) -> str | None:
    """A character in UTF-8; None for a lone surrogate, which has no octets (RFC 3986 §2.5)."""
    try:
        return percent_encoded(char)
    except UnicodeEncodeError:
        return None
