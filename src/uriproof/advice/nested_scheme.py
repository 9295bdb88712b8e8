"""The advice ``nested-scheme``.

Owns its texts and its check; imports ``report`` and the table of schemes. Invariant: the prefix
"URL:" is left to ``url-prefix``.
"""

from collections.abc import Iterator

from ..grammar.scheme_table import HOSTS
from ..report import Advice, Report
from ._schemes import scheme

CODE = "nested-scheme"
TITLE = "A URI within a URI, after a scheme of its own"
WHY = (
    "To the generic syntax the inner URI is a path, without a host (RFC 3986 §3, §3.3), so that a "
    "check of the host finds none; what acts on the outer scheme goes there all the same."
)
GOOD = "http://example.com/a.jar"
BAD = "jar:http://example.com/a.jar!/b"


def find(report: Report) -> Iterator[Advice]:
    path = report.components.get("path")
    if path is None or "host" in report.components or scheme(report) in {"", "url"}:
        return
    inner, found, _ = path.text.partition("://")
    if found and inner.lower() in HOSTS:
        message = f"{inner.lower()} inside {scheme(report)}: checks of the host miss the inner host"
        yield Advice(path.start, path.start + len(inner), "path", CODE, message)
