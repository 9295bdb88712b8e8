"""The advice ``default-port``.

Owns its texts and its check; imports ``report`` and the table of schemes. Invariant: the span
is the port with its colon.
"""

from collections.abc import Iterator

from ..grammar.scheme_table import DEFAULT_PORTS
from ..report import Advice, Report
from ._schemes import scheme

CODE = "default-port"
TITLE = "The scheme's own default port"
WHY = (
    "The default port means the same as none, but the strings differ: producers should leave "
    "it out, with its colon (RFC 3986 §3.2.3, §6.2.3)."
)
GOOD = "http://example.com:8080/"
BAD = "http://example.com:80/"


def find(report: Report) -> Iterator[Advice]:
    port = report.components.get("port")
    if port is not None and port.text:
        default = DEFAULT_PORTS.get(scheme(report))
        if default is not None and port.text.lstrip("0") == str(default):
            message = f"{default} is the default port of {scheme(report)}: leave it out"
            yield Advice(port.start - 1, port.end, "port", CODE, message)
