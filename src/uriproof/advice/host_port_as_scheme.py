"""The advice ``host-port-as-scheme``.

Owns its texts and its check; imports ``report`` and ``grammar.registry``. Invariant: silent on
schemes that no host is named like, for many have paths of digits, such as tel.
"""

from collections.abc import Iterator

from ..grammar import registry
from ..report import Advice, Report

CODE = "host-port-as-scheme"
TITLE = "A host and port that are read as a scheme and path"
WHY = (
    'Without "//" before it, what is before the first colon is a scheme: in '
    '"localhost:8080" the scheme is "localhost" (RFC 3986 §3.1, §4.2).'
)
GOOD = "http://localhost:8080/"
BAD = "localhost:8080/"


def find(report: Report) -> Iterator[Advice]:
    scheme, path = report.components.get("scheme"), report.components.get("path")
    if scheme is None or path is None or "host" in report.components:
        return
    if "." in scheme.text or scheme.text.lower() == "localhost":
        port = path.text.partition("/")[0]
        if port and registry.load("rfc3986").accepts("port", port):
            message = 'a host and port are a scheme and path here: write "//" before them'
            yield Advice(scheme.start, path.start + len(port), "scheme", CODE, message)
