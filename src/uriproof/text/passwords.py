"""Passwords in a text, which are not to be shown (RFC 3986 section 3.2.1).

Owns finding and masking them, in valid texts and in invalid ones. Imports the standard library
alone. Invariant: what is masked has as many characters as before, so that every offset stays
right. Where it is not certain what is a password, too much is masked rather than too little.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeAlias

__all__ = ["SECRET", "Span", "all_passwords", "masked", "password", "touches", "without_passwords"]

SECRET = "a character of a password is not allowed here"  # noqa: S105 -- a message
"""What is shown of a violation in a password."""

Span: TypeAlias = tuple[int, int]

_ENDS_AUTHORITY = "/?#"  # RFC 3986 section 3.2; the slash first, for there are most of them


def password(text: str, components: Mapping[str, Span], blamed: Collection[str]) -> Span | None:
    """Where the password of a URL's user information stands, if it has one. Cost: O(n).

    ``components`` are the spans of what the text was divided into, ``blamed`` the names of those
    with a violation. A password with a delimiter in it ends the authority too early: then all
    from the colon to the last ``@`` is taken for it. Where what should be a port is a host, as in
    ``user@password:host.org``, it is what should be the host.

    >>> password("ftp://me:pw@h/", {"userinfo": (6, 11)}, ())
    (9, 11)
    >>> password("ftp://me:p/w@h/", {"host": (6, 8), "port": (9, 10)}, {"port"})
    (9, 12)
    >>> parts = {"userinfo": (6, 8), "host": (9, 11), "port": (12, 17)}
    >>> password("ftp://me@pw:h.org/", parts, {"port"})
    (9, 11)
    """
    if "userinfo" in components:
        found = _after_colon(text, *components["userinfo"])
        swapped = found is None and "port" in blamed and "." in text[slice(*components["port"])]
        return components["host"] if swapped else found
    if "port" in components and "port" in blamed:
        start, end = components["port"][0], text.rfind("@")
        return (start, end) if start < end else None
    return None


def all_passwords(
    text: str, components: Mapping[str, Span], blamed: Collection[str]
) -> Iterator[Span]:
    """That, and those of URLs within the text, and of what lacks a slash or two. Cost: O(n).

    >>> text = "http://h/?u=ftp://me:pw@h"
    >>> list(all_passwords(text, {"host": (7, 8)}, ()))
    [(21, 23)]
    >>> list(all_passwords("http:/me:pw@h", {"path": (5, 13)}, ()))
    [(9, 11)]
    """
    if (own := password(text, components, blamed)) is not None:
        yield own
    if "@" not in text:
        return
    host = components.get("host", (0, 0))
    if host[0] < host[1]:
        starts = [at + 2 for at in _places(text, "//")]
    else:  # what was meant for an authority may be anywhere
        starts = [components.get("path", (0, 0))[0]]
        starts += [at + 1 for mark in _ENDS_AUTHORITY for at in _places(text, mark)]
    for start in starts:
        end = len(text)
        for mark in _ENDS_AUTHORITY:
            end = _first(text, mark, start, end)
        at = text.rfind("@", start, end)
        if at >= 0 and (nested := _after_colon(text, start, at)) is not None:
            yield nested


def masked(text: str, spans: Iterable[Span], at: int = 0) -> str:
    """The text with asterisks for the spans, which count from ``at`` before it. Cost: O(n).

    >>> masked("a:pw@b", [(12, 14)], 10)
    'a:**@b'
    """
    pieces: list[str] = []
    done = 0
    for start, end in sorted(spans):
        low, high = max(start - at, done), min(end - at, len(text))
        if low < high:
            pieces += text[done:low], "*" * (high - low)
            done = high
    return "".join([*pieces, text[done:]])


def without_passwords(text: str) -> str:
    """A text of which nothing is known, with asterisks for what may be a password. Cost: O(n).

    Of a URL that is all from the first colon to the last ``@``.

    >>> without_passwords("http://me:p/w@h/%")
    'http://me:***@h/%'
    """
    spans = [*all_passwords(text, {}, ())]
    start, end = text.find("//"), text.rfind("@")
    if 0 <= start < end and (found := _after_colon(text, start + 2, end)) is not None:
        spans.append(found)
    return masked(text, spans)


def touches(span: Span, secret: Iterable[Span]) -> bool:
    """True if a span has a character of a secret in it."""
    return any(span[0] < end and start < span[1] for start, end in secret)


def _after_colon(text: str, start: int, end: int) -> Span | None:
    colon = text.find(":", start, end)
    return (colon + 1, end) if 0 <= colon < end - 1 else None


def _first(text: str, mark: str, start: int, end: int) -> int:
    """Where a mark first is within a range; the end of it, if it is not there."""
    at = text.find(mark, start, end)
    return at if at >= 0 else end


def _places(text: str, mark: str) -> Iterator[int]:
    """Where a mark begins, places that overlap too."""
    at = text.find(mark)
    while at >= 0:
        yield at
        at = text.find(mark, at + 1)
