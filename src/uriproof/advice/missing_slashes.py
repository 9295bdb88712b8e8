"""The advice ``missing-slashes``.

Owns its texts and its check; imports ``report`` and the table of schemes. Invariant: the span
is the colon, with the one slash if there is one.
"""

from collections.abc import Iterator

from ..grammar.scheme_table import HOSTS
from ..report import Advice, Report
from ._schemes import scheme

CODE = "missing-slashes"
TITLE = "One slash or none where the scheme has an authority"
WHY = (
    'Without "//" there is no authority, and what looks like a host is a path (RFC 3986 §3.2, '
    "§3.3). Browsers read a host all the same; other software resolves the rest against its "
    "base, as old parsers did (RFC 3986 §5.2.2)."
)
GOOD = "http://example.com/"
BAD = "http:/example.com/"


def find(report: Report) -> Iterator[Advice]:
    components = report.components
    path = components.get("path")
    if any(violation.component == "host" for violation in report.violations):
        return  # the rules of the scheme say the same
    if path is not None and "host" not in components and scheme(report) in HOSTS:
        end = path.start + path.text.startswith("/")
        message = f'{scheme(report)} URIs need "//" and a host: without them this is a path'
        yield Advice(components["scheme"].end, end, "path", CODE, message)
