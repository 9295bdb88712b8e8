"""The advice ``schemeless-host``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: reports each place once.
"""

from collections.abc import Iterator

from ...report import Advice, Report
from ._names import is_domain

CODE = "schemeless-host"
TITLE = "A host without a scheme, which is a path"
WHY = (
    "Without a scheme and // this is a relative reference (RFC 3986 §4.2, §4.5): some parsers "
    "find a host in it, others none."
)
CASE = "Claroty and Snyk, 2022: Exploiting URL Parsing Confusion (scheme confusion)."
ALARMS = 0
GOOD = "/www.example.com/"
BAD = "www.example.com/"


def find(report: Report) -> Iterator[Advice]:
    path = report.components.get("path")
    if path is None or not report.components.keys().isdisjoint({"scheme", "host"}):
        return
    name, slash, _ = path.text.partition("/")
    if is_domain(name) and (slash or name.lower().startswith("www.")):
        message = 'a path: write "//" or "http://" before it if a host is meant'
        yield Advice(path.start, path.start + len(name), "path", CODE, message)
