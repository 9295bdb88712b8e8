"""The advice ``empty-host``.

Owns its texts and its check; imports ``report`` and the table of schemes. Invariant: silent
where a scheme allows an empty host, as file does; the span is the slashes before it.
"""

from collections.abc import Iterator

from ..grammar.scheme_table import HOSTS
from ..report import Advice, Report
from ._schemes import scheme

CODE = "empty-host"
TITLE = "An authority without a host"
WHY = (
    "The generic syntax lets a host be empty, but these schemes do not (RFC 3986 §3.2.2, RFC "
    "9110 §4.2.1). Browsers drop the third slash and take what follows for the host."
)
GOOD = "http://example.com/"
BAD = "http:///example.com/"


def find(report: Report) -> Iterator[Advice]:
    host = report.components.get("host")
    if host is not None and not host.text and scheme(report) in HOSTS:
        message = f"no host: {scheme(report)} URIs must have one"
        yield Advice(host.start - 2, host.end, "host", CODE, message)
