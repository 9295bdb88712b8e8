"""The advice ``network-path-reference``.

Owns its texts and its check; imports ``report``. Invariant: silent where a scheme is required,
for then its absence is a violation.
"""

from collections.abc import Iterator

from ..report import Advice, Report

CODE = "network-path-reference"
TITLE = "A reference that starts with two slashes"
WHY = (
    "It keeps the scheme and leaves the site: such references are rarely used (RFC 3986 §4.2), "
    "and a check for paths that start with a slash lets them through to another host."
)
GOOD = "/example.com/"
BAD = "//example.com/"


def find(report: Report) -> Iterator[Advice]:
    host = report.components.get("host")
    if report.rule in ("hier-part", "relative-part"):  # parts of a reference, not references
        return
    if host is None or "scheme" in report.components or not report.text.startswith("//"):
        return
    if not any(violation.component == "scheme" for violation in report.violations):
        message = 'not a path: "//" starts an authority, so this leads to another host'
        yield Advice(0, 2, "host", CODE, message)
