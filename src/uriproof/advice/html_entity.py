"""The advice ``html-entity``.

Owns its texts and its check; imports ``report`` and a helper beside it. Invariant: the span is
the ampersand and the entity's name, semicolon included.

>>> from uriproof import check
>>> for a in find(check(BAD)): print(a.start, a.end, a.message)
23 28 an ampersand as HTML escapes it: write & alone
"""

from collections.abc import Iterator

from ..report import Advice, Report
from ._pieces import pieces

CODE = "html-entity"
TITLE = "An ampersand that is still escaped for HTML"
WHY = (
    "HTML writes & as &amp;, and so a URI in HTML. Outside HTML that makes a separator and a key "
    'that starts with "amp;" (RFC 3986 §2.2, §3.4).'
)
GOOD = "http://example.com/?a=1&b=2"
BAD = "http://example.com/?a=1&amp;b=2"

_LEFT = "amp;"


def find(report: Report) -> Iterator[Advice]:
    query = report.components.get("query")
    if query is not None and _LEFT in query.text:
        for start, parameter in pieces(query, "&"):
            if start > query.start and parameter.startswith(_LEFT):
                message = "an ampersand as HTML escapes it: write & alone"
                yield Advice(start - 1, start + len(_LEFT), "query", CODE, message)
