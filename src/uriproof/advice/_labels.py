"""Labels of a host name that stand for characters outside ASCII.

Owns the decoding of A-labels (RFC 5890 §2.3.2.1) and of percent-encoded labels (RFC 3986
§3.2.2). Imports ``report``, what a label is, and a helper beside it.
Invariant: a label longer than the 63 characters that the DNS allows is never decoded, for
Punycode takes quadratic time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from ..percent.hosts.labels import ACE_PREFIX, LONGEST
from ..report import Component
from ._pieces import pieces


class DecodedLabel(NamedTuple):
    """A label as it stands, its place in the whole text, and what it decodes to, if it does."""

    start: int
    end: int
    text: str
    decoded: str | None


def decoded_labels(host: Component | None) -> Iterator[DecodedLabel]:
    """The labels of a host that are not plain ASCII.

    >>> host = Component("host", "host", 0, 15, "www.xn--mnchen-3ya")
    >>> [label.decoded for label in decoded_labels(host)]
    ['münchen']
    """
    if host is None:
        return
    if host.text.isascii() and not ("%" in host.text or ACE_PREFIX in host.text.lower()):
        return
    for start, text in pieces(host, "."):
        if text[:4].lower() == ACE_PREFIX:
            yield DecodedLabel(start, start + len(text), text, _decoded(text[4:]))
        elif "%" in text or not text.isascii():
            decoded = unquote(text)
            if not decoded.isascii():
                yield DecodedLabel(start, start + len(text), text, decoded.lower())


def _decoded(punycode: str) -> str | None:
    """What Punycode stands for; None when it is none, or stands for ASCII alone."""
    if len(punycode) > LONGEST - len(ACE_PREFIX):
        return None
    try:
        text = punycode.encode("ascii").decode("punycode")
        text.encode("utf-8")
    except UnicodeError:
        return None
    return None if text.isascii() else text.lower()


def decoded_name(name: str) -> str:
    """A name with its A-labels as the characters that they stand for.

    >>> decoded_name("xn--mnchen-3ya.example.com")
    'münchen.example.com'
    """
    parts = name.split(".")
    return ".".join(
        (_decoded(part[len(ACE_PREFIX) :]) or part) if part.startswith(ACE_PREFIX) else part
        for part in parts
    )
