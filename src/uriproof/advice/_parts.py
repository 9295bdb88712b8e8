"""What the advice rules ask about a report: its scheme, pieces of components, and their octets.

Owns what several rules need: the scheme as one compares it, which URIs are code, and the scan for
percent-encoded octets (RFC 3986 §2.1). Imports ``report``, ``drawing``, ``percent`` and the table
of schemes. Invariant: offsets are code points of the whole text; a percent sign without two hex
digits is never taken for an octet; a scan takes linear time; a scheme is in lower case, or ""; code
is found as browsers find it, who ignore tabs, line breaks and what stands before the scheme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..grammar.schemes import HOSTS, OCTETS, SCRIPTS, SLASH_IS_DATA, SPECIAL
from ..percent.characters import GRAMMAR, characters, octet
from ..report import Component, Report
from ..text.drawing import short

_LONG = 40  # code points of a text in a message: a name is read at a glance, a whole query is not
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
    def name(self) -> str:
        """The key, decoded and in lower case; nothing is left of an ampersand escaped for HTML."""
        return decoded(self.key).removeprefix("amp;").lower()


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


def segments(report: Report) -> Iterator[tuple[int, str]]:
    """The segments of the path, if there is one, as ``pieces``. Cost: O(n)."""
    path = report.components.get("path")
    return iter(()) if path is None else pieces(path, "/")


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


def stands_for(triplet: str, production: str, grammar: str = GRAMMAR) -> bool:
    """Whether the triplet encodes a character of ASCII that the production accepts.

    >>> stands_for("%7E", "unreserved"), stands_for("%2F", "unreserved")
    (True, False)
    """
    value = octet(triplet)
    return value is not None and chr(value) in characters(production, grammar)


def encoded(report: Report) -> Iterator[Component]:
    """The components that have a percent sign: a cheap condition, to test first."""
    if "%" in report.text:
        yield from (each for each in report.components.values() if "%" in each.text)


def encoded_runs(
    report: Report, wanted: Callable[[str], object]
) -> Iterator[tuple[Component, int, int]]:
    """As ``runs``, in all components of a report. Cost: O(n)."""
    for component in encoded(report):
        yield from ((component, start, end) for start, end in runs(component, wanted))


def runs(component: Component, wanted: Callable[[str], object]) -> Iterator[tuple[int, int]]:
    """The spans in the whole text of adjacent percent-encoded octets that are wanted.

    ``wanted`` is asked with the triplet. Cost: O(n).

    >>> list(runs(Component("path", "path", 8, 17, "/%61%62%2F"), lambda t: t != "%2F"))
    [(9, 15)]
    """
    text = component.text
    first = last = -1
    at = text.find("%")
    while at >= 0:
        triplet = text[at : at + 3]
        if octet(triplet) is None:
            at = text.find("%", at + 1)
            continue
        if wanted(triplet):
            if at != last:
                if first >= 0:
                    yield component.start + first, component.start + last
                first = at
            last = at + 3
        at = text.find("%", at + 3)
    if first >= 0:
        yield component.start + first, component.start + last


MAPPED = SPECIAL | {""}
"""Schemes whose host browsers map before they use it (WHATWG URL, special schemes)."""


def scheme(report: Report) -> str:
    """The scheme in lower case, for case means nothing in it (RFC 3986 §3.1); "" if none."""
    component = report.components.get("scheme")
    return component.text.lower() if component else ""


def wraps(report: Report) -> bool:
    """Whether a URI has another one after "//", as "hls://https://example.com/a": not where its own
    scheme has hosts, for there that is a mistake."""
    host, path = report.components.get("host"), report.components.get("path")
    if host is None or path is None or scheme(report) in HOSTS or not scheme(report):
        return False
    return path.text.startswith("//") and host.text.lower() in HOSTS


def has_octets(report: Report) -> bool:
    """Whether percent-encoding carries any octets, not text alone."""
    return scheme(report) in OCTETS


def is_hierarchical(report: Report) -> bool:
    """Whether slashes divide the path into segments that servers divide, too (RFC 3986 §1.2.3).

    A URI without authority whose path does not start with a slash has a path of its scheme's own.
    """
    name, path = scheme(report), report.components.get("path")
    if name in SLASH_IS_DATA or path is None:
        return False
    return not name or name in HOSTS or "host" in report.components or path.text.startswith("/")


_MARKUP = frozenset(
    {"text/html", "text/xml", "application/xhtml+xml", "application/xml", "image/svg+xml"}
)
_REMOVED = dict.fromkeys(map(ord, "\t\n\r"))  # WHATWG URL Standard §4.4
_BEFORE = "".join(map(chr, range(0x21)))  # C0 controls and the space, in front


def media_type(path: str) -> str:
    """The media type of a data URI if what it says can run, else "" (RFC 2397 §3).

    >>> media_type("image/svg+xml;base64,PA=="), media_type("text/plain,a")
    ('image/svg+xml', '')
    """
    named = path.partition(",")[0].partition(";")[0]
    return named if named.lower() in _MARKUP else ""


def is_code(text: str) -> bool:
    """Whether browsers run what follows a link to this text.

    >>> is_code("java\\nscript:alert(1)"), is_code("data:text/plain,javascript:")
    (True, False)
    """
    name, colon, rest = text.lstrip(_BEFORE).translate(_REMOVED).partition(":")
    name = name.lower()
    return bool(colon) and (name in SCRIPTS or (name == "data" and bool(media_type(rest))))
