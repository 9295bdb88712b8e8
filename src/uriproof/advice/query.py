"""Advice on queries: parameters that software counts, names or ends in different ways.

Owns these rules. Imports ``report``, ``grammar.registry`` and helpers beside it. Invariant: an
ampersand that is escaped for HTML is reported once, as that.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..grammar import registry
from ..limits import LONGEST_ENTITY
from ..report import Report
from ._parts import decoded, parameters, scheme
from ._rule import Place, rule


@rule(
    "empty-parameter",
    title="A parameter without a name",
    why=(
        "Two ampersands side by side, an ampersand at the start or end, or an equals sign without "
        "a key before it: some software drops the empty parameter, some keeps it, and the strings "
        "differ (RFC 3986 §3.4, WHATWG URL Standard §5.1)."
    ),
    good="http://example.com/?a=1&b=2",
    bad="http://example.com/?a=1&&b=2",
    trigger=lambda text, has: "&" in (q := has.get("query", "")) or q.startswith("="),
)
def empty_parameter(report: Report) -> Iterator[Place]:
    """The span is the one delimiter beside which nothing stands; one that is escaped for HTML is
    left to ``html-entity``."""
    query = report.components["query"]
    entity, _ = _numeric(report)
    last = -1
    for one in parameters(report):
        equals = one.at > one.start
        if one.key or (one.value and not equals):
            continue
        at = one.start if equals or one.start == query.start else one.start - 1
        reported = report.text.startswith("&amp;", at) or (entity == at and not equals)
        if at != last and not reported:
            beside = "before the equals sign" if equals else "next to the ampersand"
            yield at, at + 1, "query", f"A parameter name is missing {beside}."
            last = at


_ENTITY = "&amp;"
_ESCAPED = 'This ampersand is still escaped for HTML; write "&".'


@rule(
    "html-entity",
    title="An ampersand that is still escaped for HTML",
    why=(
        'HTML writes "&" as "&amp;" or "&#38;", also in a URI. Outside HTML, the first form is a '
        'separator and a key that starts with "amp;", and the second starts the fragment (RFC '
        "3986 §2.2, §3.4, §3.5)."
    ),
    good="http://example.com/?a=1&b=2",
    bad="http://example.com/?a=1&amp;b=2",
    trigger=lambda text, has: "&" in text,
)
def html_entity(report: Report) -> Iterator[Place]:
    """The span is the ampersand and the entity's name, semicolon included."""
    for component in report.components.values():
        at = component.text.find(_ENTITY)
        while at >= 0:
            start = component.start + at
            yield start, start + len(_ENTITY), component.name, _ESCAPED
            at = component.text.find(_ENTITY, at + len(_ENTITY))
    start, end = _numeric(report)
    if start < end:
        yield start, end, "fragment", _ESCAPED


def _numeric(report: Report) -> tuple[int, int]:
    """Where an ampersand stands as a number, whose # begins the fragment; else two zeros.

    >>> from uriproof import check
    >>> _numeric(check("http://example.com/?a=1&#38;b=2"))
    (23, 28)
    """
    fragment = report.components.get("fragment")
    if fragment is None or not report.text.startswith("&#", fragment.start - 2):
        return 0, 0
    from html import unescape

    number, semicolon, _ = fragment.text[:LONGEST_ENTITY].partition(";")
    if not semicolon or unescape(f"&#{number};") != "&":
        return 0, 0
    return fragment.start - 2, fragment.start + len(number) + 1


@rule(
    "nested-unescaped-url",
    title="An unencoded URL with its own query or fragment inside a query",
    why=(
        "A URL in a query can keep its slashes and question marks (RFC 3986 §3.4), but not the "
        'delimiters of the outer query: its "&" and "=" are read as the outer ones, and its "#" '
        "starts the outer fragment. Data that conflicts with a delimiter must be encoded (RFC "
        "3986 §2.2)."
    ),
    good="http://example.com/?to=http%3A%2F%2Fexample.net%2F%3Fa%3D1%26b%3D2",
    bad="http://example.com/?to=http://example.net/?a=1&b=2",
    trigger=lambda text, has: "/" in has.get("query", ""),
)
def nested_unescaped_url(report: Report) -> Iterator[Place]:
    """Silent on a nested URL without query and fragment, which may stand bare (§3.4)."""
    query, fragment = report.components["query"], report.components.get("fragment")
    for one in parameters(report):
        start = one.at if _is_url(one.value) else one.start if _is_url(one.key) else -1
        url = report.text[start : one.end]
        last = fragment is not None and one.end == query.end
        if start >= 0 and ("?" in url or last):
            message = (
                "This nested URL is not percent-encoded; its & and # are read as the outer URL's."
            )
            yield start, one.end, "query", message


def _is_url(text: str) -> bool:
    """Whether a scheme and "://" stand first, or a path with a query that has a parameter."""
    if text.startswith("/"):
        return "=" in text.partition("?")[2]
    name, found, _ = text.partition("://")
    return bool(found) and registry.load("rfc3986").accepts("scheme", name)


_LISTS = frozenset({"magnet"})
"""Schemes whose keys may stand several times: a magnet link has one ``tr`` for each tracker."""


@rule(
    "repeated-key",
    title="A query key that is repeated",
    why=(
        "The generic syntax does not define keys (RFC 3986 §3.4): some software uses the first "
        "value, some the last, some all of them. If two programs disagree, one checks a value "
        "that the other does not use. If a list is meant, the documentation of the API should say "
        "so."
    ),
    good="http://example.com/?a=1&b=2",
    bad="http://example.com/?a=1&a=2",
    trigger=lambda text, has: has.get("query", "").count("=") > 1,
)
def repeated_key(report: Report) -> Iterator[Place]:
    """Reports once of each key, where it stands the second time."""
    if scheme(report) in _LISTS:
        return
    times: dict[str, int] = {}
    for one in parameters(report):
        name = decoded(one.key, "latin-1")  # one character an octet
        # a[]=1&a[]=2 says that it is a list; a key behind &amp; is not the key that is meant.
        if name and not name.endswith("[]") and not one.follows_entity:
            times[name] = times.get(name, 0) + 1
            if times[name] == 2:  # noqa: PLR2004
                message = "This key is repeated; software takes the first value, the last, or all."
                yield one.start, one.start + len(one.key), "query", message
