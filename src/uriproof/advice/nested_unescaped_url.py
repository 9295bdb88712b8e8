"""The advice ``nested-unescaped-url``.

Owns its texts and its check; imports ``report``, ``grammar.registry`` and its siblings'
helpers. Invariant: silent on a nested URL without a query, which may stand bare (§3.4).

>>> from uriproof import check
>>> for a in find(check(BAD)): print(a.start, a.end, a.message)
23 46 a URL with a query of its own: encode it, lest its & or # end it early
"""

from collections.abc import Iterator

from ..grammar import registry
from ..report import Advice, Report
from ._pieces import pieces

CODE = "nested-unescaped-url"
TITLE = "A URL with a query of its own, unescaped in a query"
WHY = (
    "A URL in a query may leave its slashes and question marks bare (RFC 3986 §3.4), but not the "
    "delimiters of the outer query: its & and = are taken for the outer ones, its # ends it all. "
    "Data that conflicts with a delimiter must be encoded (RFC 3986 §2.2)."
)
GOOD = "http://example.com/?to=http%3A%2F%2Fexample.net%2F%3Fa%3D1%26b%3D2"
BAD = "http://example.com/?to=http://example.net/?a=1&b=2"


def find(report: Report) -> Iterator[Advice]:
    query = report.components.get("query")
    if query is None or "://" not in query.text or "?" not in query.text:
        return
    for start, parameter in pieces(query, "&"):
        if "?" not in parameter:
            continue
        key, _, value = parameter.partition("=")
        url = parameter if "://" in key else value
        name, found, _ = url.partition("://")
        if found and "?" in url and registry.load("rfc3986").accepts("scheme", name):
            at = start + len(parameter) - len(url)
            message = "a URL with a query of its own: encode it, lest its & or # end it early"
            yield Advice(at, start + len(parameter), "query", CODE, message)
