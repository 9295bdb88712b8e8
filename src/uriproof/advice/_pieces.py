"""Pieces of a component, and texts that are short enough to stand in a message.

Owns what several advice rules need of strings. Imports ``report`` and ``drawing``. Invariant:
offsets are code points of the whole text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..report import Component, Report
from ..text.drawing import short

_LONG = 40
_LEFT = "amp;"
NO_HOST = Component("host", "host", 0, 0, "")


class Parameter(NamedTuple):
    """One piece of a query between ampersands; ``at`` is where its value starts in the text.

    One without an equals sign has no key: it is all value.
    """

    start: int
    end: int
    key: str
    value: str
    at: int

    @property
    def read(self) -> str:
        """The value, decoded."""
        return decoded(self.value)

    @property
    def follows_entity(self) -> bool:
        """Whether the ampersand before it is still escaped for HTML."""
        return (self.key or self.value).startswith(_LEFT)


def parameters(report: Report) -> Iterator[Parameter]:
    """The parameters of the query, in text order. Cost: O(n)."""
    query = report.components.get("query")
    if query is not None:
        for start, text in pieces(query, "&"):
            key, equals, value = text.partition("=")
            end = start + len(text)
            if not equals:
                key, value = "", text
            yield Parameter(start, end, key, value, end - len(value))


def after_host(report: Report) -> tuple[Component, Component | None]:
    """The host, and the query or fragment that follows it at once, without a path between them."""
    host, path = report.components.get("host"), report.components.get("path")
    if host is None or (path is not None and path.text):
        return NO_HOST, None
    return host, report.components.get("query") or report.components.get("fragment")


def pieces(component: Component, separator: str) -> Iterator[tuple[int, str]]:
    """Where each piece between separators starts in the whole text, and the piece.

    >>> list(pieces(Component("path", "path", 8, 12, "/a/b"), "/"))
    [(8, ''), (9, 'a'), (11, 'b')]
    """
    at = component.start
    for piece in component.text.split(separator):
        yield at, piece
        at += len(piece) + len(separator)


def decoded(text: str, encoding: str = "utf-8") -> str:
    """The text with its percent-encoded octets as the characters that they stand for.

    >>> decoded("caf%C3%A9")
    'café'
    """
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text, encoding)


def shown(text: str) -> str:
    """The text in quotation marks, without surprises, and not long.

    >>> shown("a" * 50)
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"'
    """
    return f'"{short(text, _LONG)}"'
