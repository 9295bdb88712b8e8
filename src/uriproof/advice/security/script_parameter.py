"""The advice ``script-parameter``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: reports each place once.
"""

from collections.abc import Iterator

from ...report import Advice, Report
from .._code import is_code
from .._pieces import parameters

CODE = "script-parameter"
TITLE = "A parameter that is a URI of code"
WHY = (
    "Where a page makes a link or a redirect of the value, it runs there (RFC 3986 §7, and "
    "for javascript: the WHATWG HTML Standard). Tabs and line breaks within the scheme, and "
    "what comes before it, do not prevent that."
)
CASE = "PortSwigger, DOM-based open redirection: a redirect to javascript: runs in the page."
ALARMS = 0
GOOD = "http://example.com/?u=https%3A%2F%2Fexample.net%2F"
BAD = "http://example.com/?u=javascript:alert(1)"


def find(report: Report) -> Iterator[Advice]:
    if "query" in report.components:
        for one in parameters(report):
            if is_code(one.read):
                message = "this value is a URI that runs code when followed"
                yield Advice(one.at, one.end, "query", CODE, message)
