"""Advice on queries: parameters that software counts, names or ends in different ways.

Owns these rules. Imports ``report``, ``grammar.registry`` and helpers beside it. Invariant: an
ampersand that is escaped for HTML is reported once, as that.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..grammar import registry
from ..grammar.schemes import LOCAL
from ..limits import LONGEST_ENTITY
from ..report import Report
from ..text.passwords import SECRETS
from ._parts import NO_HOST, decoded, is_hierarchical, parameters, scheme, segments, shown
from ._rule import Place, rule


@rule(
    title="A parameter without a name",
    why="""Two ampersands side by side, an ampersand at the start or end, or an equals sign without
    a key before it: some software drops the empty parameter, some keeps it, and the strings differ
    (RFC 3986 §3.4, WHATWG URL Standard §5.1).""",
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
_TWICE = 'This ampersand is escaped for HTML more than once; write "&".'


@rule(
    title="An ampersand that is still escaped for HTML",
    why="""HTML writes "&" as "&amp;" or "&#38;", also in a URI. Outside HTML, the first form is a
    separator and a key that starts with "amp;", and the second starts the fragment (RFC 3986 §2.2,
    §3.4, §3.5).""",
    good="http://example.com/?a=1&b=2",
    bad="http://example.com/?a=1&amp;b=2",
    trigger=lambda text, has: "&" in text,
)
def html_entity(report: Report) -> Iterator[Place]:
    """The span is the ampersand and the entity's name, semicolon included."""
    for component in report.components.values():
        at = component.text.find(_ENTITY)
        while at >= 0:
            end = once = at + len(_ENTITY)
            while component.text.startswith(_ENTITY[1:], end):
                end += len(_ENTITY) - 1
            start, said = component.start, _ESCAPED if end == once else _TWICE
            yield start + at, start + end, component.name, said
            at = component.text.find(_ENTITY, end)
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
    title="An unencoded URL with its own query or fragment inside a query",
    why="""A URL in a query can keep its slashes and question marks (RFC 3986 §3.4), but not the
    delimiters of the outer query: its "&" and "=" are read as the outer ones, and its "#" starts
    the outer fragment. Data that conflicts with a delimiter must be encoded (RFC 3986 §2.2).""",
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


@rule(
    title="A secret in a query",
    why="""URIs are logged, kept in histories and sent on in the Referer header, and the secret with
    them: whoever has it can act as its owner (RFC 6750 §5.3, RFC 9700 §4.3.2). Send it in a header,
    or let it be valid for a short time and for one purpose.""",
    good="http://example.com/?state=3f9a1c77",
    bad="http://example.com/?access_token=3f9a1c77",
    trigger=lambda text, has: "=" in has.get("query", ""),
)
def secret_parameter(report: Report) -> Iterator[Place]:
    """The value is never in the message. Silent on words in its place, such as YOUR_TOKEN."""
    for one in parameters(report):
        if one.name in SECRETS and _is_made(one.value):
            message = "Anyone who sees this URI can read the secret; pass it separately."
            yield one.at, one.end, "query", message


def _is_made(value: str) -> bool:
    """Whether a value can be a secret: a program's has digits, and a person's is not a number."""
    return len(value) >= _SHORTEST and any(map(str.isdigit, value)) and not value.isdecimal()


_SHORTEST = 8  # characters: those of a password (NIST SP 800-63B §5.1.1)
_UNFILLED = frozenset({"undefined", "null", "[object Object]"})
"""What JavaScript writes for a value that is missing, or that is no text (ECMA-262 §7.1.17)."""


@rule(
    title="A value that a program did not fill in",
    why="""JavaScript writes undefined, null or [object Object] where a value is missing, or is not
    text (ECMA-262 §7.1.17). To the server it is a name like any other (RFC 3986 §3.3, §3.4).""",
    good="http://example.com/users/7",
    bad="http://example.com/users/undefined",
    trigger=lambda text, has: "undefined" in text or "null" in text or "object" in text,
)
def unfilled_value(report: Report) -> Iterator[Place]:
    """Looks at a whole host, segments and values. Silent on files: null is a device of Unix."""
    if not is_hierarchical(report) or scheme(report) in LOCAL:
        return
    host = report.components.get("host", NO_HOST)
    found = [(host.start, host.end, host.text, "host")]
    found += [(start, start + len(one), one, "path") for start, one in segments(report)]
    found += [(one.at, one.end, one.value.replace("+", " "), "query") for one in parameters(report)]
    for start, end, written, component in found:
        if decoded(written) in _UNFILLED:
            message = f"JavaScript writes {shown(decoded(written))} for a value that is missing."
            yield start, end, component, message
