"""The advice ``network-path-parameter``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: a key is needed, for a query alone is no reference.
"""

from collections.abc import Iterator

from ...grammar.scheme_table import WEB
from ...report import Advice, Report
from .._pieces import parameters

CODE = "network-path-parameter"
TITLE = "A parameter that leads to another host without naming http"
WHY = (
    "A value that starts with two slashes, or with a backslash in place of either, names "
    "another host (RFC 3986 §4.2), and so does http:host to browsers (WHATWG URL Standard "
    "§4.4): a check for a leading slash, or for http://, lets it through to a redirect."
)
CASE = (
    "CVE-2021-32618, Flask-Security-Too, and CVE-2021-23385, Flask-Security: open redirects "
    "(Claroty and Snyk, 2022: Exploiting URL Parsing Confusion, slashes and scheme "
    "confusion)."
)
ALARMS = 0
GOOD = "http://example.com/?next=/example.net/"
BAD = "http://example.com/?next=//example.net/"


def find(report: Report) -> Iterator[Advice]:
    if "query" in report.components:
        for one in parameters(report):
            if one.key and _leads_away(one.read):
                message = "as a reference, this value leads to another host"
                yield Advice(one.at, one.end, "query", CODE, message)


def _leads_away(value: str) -> bool:
    text = value.lstrip().replace("\\", "/")
    name, colon, rest = text.partition(":")
    if colon and name.lower() in WEB:
        slashes = len(rest) - len(rest.lstrip("/"))
        return len(rest) > slashes != 2  # noqa: PLR2004
    return text.startswith("//") and any(map(str.isalnum, text.lstrip("/")[:1]))
