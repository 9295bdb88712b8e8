"""The advice ``nested-script``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: reports each place once.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ...grammar.scheme_table import DATUM
from ...report import Advice, Report
from .._code import is_code
from .._schemes import scheme

CODE = "nested-script"
TITLE = "A URI of code within another URI"
WHY = (
    "A filter that looks at the first scheme sees a harmless one; what acts on it follows the "
    "inner URI (RFC 3986 §3.1, §7)."
)
CASE = (
    "CVE-2005-1531, Firefox: view-source:javascript: ran with the rights of the browser (MFSA "
    "2005-43)."
)
ALARMS = 0
GOOD = "view-source:javascript"
BAD = "view-source:javascript:alert(1)"


def find(report: Report) -> Iterator[Advice]:
    path = report.components.get("path")
    if path is None or "host" in report.components or not scheme(report):
        return
    if scheme(report) not in DATUM and is_code(unquote(path.text)):
        message = f"the URI inside {scheme(report)} runs code when followed"
        yield Advice(path.start, path.end, "path", CODE, message)
