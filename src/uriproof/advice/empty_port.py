"""The advice ``empty-port``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: the span is
the colon.
"""

from collections.abc import Iterator

from ..report import Advice, Report
from ._schemes import wraps

CODE = "empty-port"
TITLE = "A colon without a port"
WHY = (
    "An empty port means the same as none, but the strings differ: producers should leave out "
    "the colon too (RFC 3986 §3.2.3, §6.2.3)."
)
GOOD = "http://example.com/"
BAD = "http://example.com:/"


def find(report: Report) -> Iterator[Advice]:
    port = report.components.get("port")
    if port is not None and not port.text and not wraps(report):
        message = "no port after the colon: leave it out"
        yield Advice(port.start - 1, port.end, "port", CODE, message)
