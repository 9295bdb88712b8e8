"""The advice ``upper-case-scheme``.

Owns its texts and its check; imports ``report``. Invariant: the span is the scheme.
"""

from collections.abc import Iterator

from ..report import Advice, Report

CODE = "upper-case-scheme"
TITLE = "Upper-case letters in a scheme"
WHY = (
    "Case means nothing in a scheme, but the strings differ: lower case is the canonical form, "
    "and what producers should write (RFC 3986 §3.1, §6.2.2.1)."
)
GOOD = "http://example.com/"
BAD = "HTTP://example.com/"


def find(report: Report) -> Iterator[Advice]:
    scheme = report.components.get("scheme")
    if scheme is not None and scheme.text != scheme.text.lower():
        message = "a scheme in upper case: write it in lower case"
        yield Advice(scheme.start, scheme.end, "scheme", CODE, message)
