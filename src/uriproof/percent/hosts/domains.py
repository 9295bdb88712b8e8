"""The host as a domain name: its labels, and the A-labels that they become.

Owns the walk over labels that ``clean`` and ``iri_to_uri`` have in common. May import its
siblings. Invariant: the labels and the dots between them cover the host, and a name that becomes
another one by more than its case is marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import normalize

from ..decode import read
from .labels import a_label, u_label

__all__ = ["Label", "labels"]


class Label(NamedTuple):
    """The label at ``[start, end)`` of a host; the character after it, if any, is a dot.

    ``made`` is its A-label, or None where it needs none; ``mapped`` is the name that this stands
    for, where it is another one than was written, and not only in its case; ``error`` says why
    there is no A-label.
    """

    start: int
    end: int
    made: str | None
    mapped: str | None = None
    error: str = ""


def labels(host: str) -> Iterator[Label]:
    """The labels of a registered name, divided at every character that is a dot there.

    Errors: none. Cost: O(n). Source: RFC 3490 section 3.1; RFC 3986 section 3.2.2, for case.

    >>> [(label.made, label.mapped) for label in labels("B\u00fccher.de")]
    [('xn--bcher-kva', None), (None, None)]
    """
    from encodings.idna import dots

    at = 0
    for text in dots.split(host):
        end = at + len(text)
        try:
            made = a_label(text)
        except ValueError as error:
            yield Label(at, end, None, None, str(error))
        else:
            mapped = None
            if made is not None:
                mapped = u_label(made) or made
                if mapped == normalize("NFC", _plain(text).lower()):
                    mapped = None
            yield Label(at, end, made, mapped)
        at = end + 1


def _plain(label: str) -> str:
    try:
        return read(label, "utf-8")
    except UnicodeError:
        return label
