"""The advice ``nested-unescaped-url``.

Owns its texts and its check; imports ``report``, ``grammar.registry`` and its siblings'
helpers. Invariant: silent on a nested URL without query and fragment, which may stand bare (§3.4).
"""

from collections.abc import Iterator

from ..grammar import registry
from ..report import Advice, Report
from ._pieces import parameters

CODE = "nested-unescaped-url"
TITLE = "A URL with a query or fragment of its own, not encoded in a query"
WHY = (
    "A URL in a query may leave its slashes and question marks bare (RFC 3986 §3.4), but not "
    "the delimiters of the outer query: its & and = are read as the outer ones, and its # "
    "begins the outer fragment. Data that conflicts with a delimiter must be encoded (RFC "
    "3986 §2.2)."
)
GOOD = "http://example.com/?to=http%3A%2F%2Fexample.net%2F%3Fa%3D1%26b%3D2"
BAD = "http://example.com/?to=http://example.net/?a=1&b=2"


_MESSAGE = "nested URL is not percent-encoded: its & and # are read as the outer URL's"


def find(report: Report) -> Iterator[Advice]:
    query, fragment = report.components.get("query"), report.components.get("fragment")
    if query is None or "/" not in query.text:
        return
    for one in parameters(report):
        start = one.at if _is_url(one.value) else one.start if _is_url(one.key) else -1
        url = report.text[start : one.end]
        last = fragment is not None and one.end == query.end
        if start >= 0 and ("?" in url or last):
            yield Advice(start, one.end, "query", CODE, _MESSAGE)


def _is_url(text: str) -> bool:
    """Whether a scheme and "://" stand first, or a path with a query that has a parameter."""
    if text.startswith("/"):
        return "=" in text.partition("?")[2]
    name, found, _ = text.partition("://")
    return bool(found) and registry.load("rfc3986").accepts("scheme", name)
