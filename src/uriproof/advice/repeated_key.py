"""The advice ``repeated-key``.

Owns its texts and its check; imports ``report`` and a helper beside it. Invariant: speaks once
of each key, where it stands the second time.

>>> from uriproof import check
>>> for a in find(check(BAD)): print(a.start, a.end, a.message)
24 25 a key that stood here before: first value, last, or all?
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ..report import Advice, Report
from ._pieces import pieces

CODE = "repeated-key"
TITLE = "A key that a query has twice"
WHY = (
    "The generic syntax knows no keys (RFC 3986 §3.4): some software takes the first value, some "
    "the last, some all of them. Two that disagree check one value and use the other. Where a "
    "list is meant, the API says so."
)
GOOD = "http://example.com/?a=1&b=2"
BAD = "http://example.com/?a=1&a=2"


def find(report: Report) -> Iterator[Advice]:
    query = report.components.get("query")
    if query is None or "&" not in query.text:
        return
    times: dict[str, int] = {}
    for start, parameter in pieces(query, "&"):
        key, equals, _ = parameter.partition("=")
        name = unquote(key, "latin-1")  # one character an octet
        if equals and name and not name.endswith("[]"):  # a[]=1&a[]=2 says that it is a list
            times[name] = times.get(name, 0) + 1
            if times[name] == 2:  # noqa: PLR2004
                message = "a key that stood here before: first value, last, or all?"
                yield Advice(start, start + len(key), "query", CODE, message)
