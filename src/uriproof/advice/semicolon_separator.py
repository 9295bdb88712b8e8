"""The advice ``semicolon-separator``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: a semicolon
that no key and equals sign follow is data.
"""

from collections.abc import Iterator

from ..report import Advice, Report
from ._pieces import pieces
from ._schemes import scheme

CODE = "semicolon-separator"
TITLE = "Parameters of a query that semicolons separate"
WHY = (
    "HTML 4 once recommended it (Appendix B.2.2), forms divide at & alone (WHATWG URL Standard "
    "§5.1), and the generic syntax leaves it open (RFC 3986 §2.2, §3.4). A cache and a server "
    "that disagree see different parameters."
)
GOOD = "http://example.com/?a=1&b=2"
BAD = "http://example.com/?a=1;b=2"

_SEMICOLONS = frozenset({"xmpp"})
"""Schemes whose queries have semicolons between parameters (RFC 5122 §2.2)."""


def find(report: Report) -> Iterator[Advice]:
    query = report.components.get("query")
    if query is None or ";" not in query.text or scheme(report) in _SEMICOLONS:
        return
    for start, parameter in pieces(query, "&"):
        first, *others = parameter.split(";")
        at = start + len(first)
        for other in others:
            key, equals, _ = other.partition("=")
            # &amp; is no separator but a slip, which html-entity reports.
            if key and equals and not (at == start + len(first) and first == "amp"):
                message = "separates parameters for some software, but not in form data: write &"
                yield Advice(at, at + 1, "query", CODE, message)
            at += 1 + len(other)
