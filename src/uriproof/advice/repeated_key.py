"""The advice ``repeated-key``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: reports once
of each key, where it stands the second time.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ..report import Advice, Report
from ._pieces import parameters
from ._schemes import scheme

CODE = "repeated-key"
TITLE = "A query key that is repeated"
WHY = (
    "The generic syntax has no keys (RFC 3986 §3.4): some software takes the first value, "
    "some the last, some all of them. Two that disagree check one value and use the other. "
    "Where a list is meant, the API says so."
)
GOOD = "http://example.com/?a=1&b=2"
BAD = "http://example.com/?a=1&a=2"


_LISTS = frozenset({"magnet"})
"""Schemes whose keys may stand several times: a magnet link has one ``tr`` for each tracker."""


def find(report: Report) -> Iterator[Advice]:
    query = report.components.get("query")
    if query is None or query.text.count("=") < 2 or scheme(report) in _LISTS:  # noqa: PLR2004
        return
    times: dict[str, int] = {}
    for one in parameters(report):
        name = unquote(one.key, "latin-1")  # one character an octet
        # a[]=1&a[]=2 says that it is a list; a key behind &amp; is not the key that is meant.
        if name and not name.endswith("[]") and not one.follows_entity:
            times[name] = times.get(name, 0) + 1
            if times[name] == 2:  # noqa: PLR2004
                message = "this key is repeated: software takes the first value, the last, or all"
                yield Advice(one.start, one.start + len(one.key), "query", CODE, message)
