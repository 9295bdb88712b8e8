"""The advice ``local-file``.

Owns its texts and its check; imports ``report`` and a helper beside it. Invariant: silent on a
file of another host, which the host names.
"""

from collections.abc import Iterator

from ..report import Advice, Report
from ._schemes import scheme

CODE = "local-file"
TITLE = "A file on whatever machine reads the URI"
WHY = (
    "A file URI without a host names a file of the reader's own machine: another one for each "
    "reader, and in a URI from outside a file that was not meant to be read (RFC 8089 §2, §5)."
)
GOOD = "file://example.com/share/a"
BAD = "file:///etc/hosts"


def find(report: Report) -> Iterator[Advice]:
    if scheme(report) == "file":
        host = report.components.get("host")
        if host is None or host.text.lower() in {"", "localhost"}:
            name = report.components["scheme"]
            message = "a file on the reader's own machine: a different one for each reader"
            yield Advice(name.start, name.end, "scheme", CODE, message)
