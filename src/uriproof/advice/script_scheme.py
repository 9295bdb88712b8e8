"""The advice ``script-scheme``.

Owns its texts and its check; imports ``report`` and helpers beside it. Invariant: judges by
scheme and media type alone, never by the program.
"""

from collections.abc import Iterator

from ..grammar.scheme_table import SCRIPTS
from ..report import Advice, Report
from ._code import media_type
from ._schemes import scheme

CODE = "script-scheme"
TITLE = "A URI that is code"
WHY = (
    "Following such a URI runs the code in it, on the page that shows it. A URI itself does "
    "nothing; software that acts on it must know what it contains (RFC 3986 §7, RFC 2397, and "
    "for javascript: the WHATWG HTML Standard)."
)
GOOD = "data:text/plain,hello"
BAD = "javascript:alert(1)"

_MESSAGE = "this URI runs code when followed"


def find(report: Report) -> Iterator[Advice]:
    name, path = scheme(report), report.components.get("path")
    if name in SCRIPTS:
        start, end = report.components["scheme"].start, report.components["scheme"].end
        yield Advice(start, end, "scheme", CODE, _MESSAGE)
    elif name == "data" and path is not None and (kind := media_type(path.text)):
        yield Advice(path.start, path.start + len(kind), "path", CODE, _MESSAGE)
