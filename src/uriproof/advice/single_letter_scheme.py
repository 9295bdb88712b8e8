"""The advice ``single-letter-scheme``.

Owns its texts and its check; imports ``report``. Invariant: the span is the letter and its colon.
"""

from collections.abc import Iterator

from ..report import Advice, Report

CODE = "single-letter-scheme"
TITLE = "A scheme of one letter"
WHY = (
    "No scheme of one letter is registered. It is a drive letter of Windows, for which there is "
    "the form file:///c:/path (RFC 8089 Appendix E.2), or the first segment of a relative "
    "reference, which must not have a colon (RFC 3986 §4.2)."
)
GOOD = "file://example.com/c:/a"
BAD = "c:/a"


def find(report: Report) -> Iterator[Advice]:
    scheme = report.components.get("scheme")
    if scheme is not None and len(scheme.text) == 1:
        message = "a scheme of one letter: a drive letter, or a segment that needs ./ before it"
        yield Advice(scheme.start, scheme.end + 1, "scheme", CODE, message)
