"""The advice ``url-prefix``.

Owns its texts and its check; imports ``report``. Invariant: the span is the scheme and its colon.
"""

from collections.abc import Iterator

from ..report import Advice, Report

CODE = "url-prefix"
TITLE = 'The prefix "URL:"'
WHY = (
    '"URL:" was once recommended before a URI in text, and is no longer (RFC 3986 Appendix C): '
    'left there it makes a URI of the scheme "url".'
)
GOOD = "http://example.com/"
BAD = "URL:http://example.com/"


def find(report: Report) -> Iterator[Advice]:
    scheme = report.components.get("scheme")
    if scheme is not None and scheme.text.lower() == "url":
        message = "a prefix, not a scheme: leave it out, with its colon"
        yield Advice(scheme.start, scheme.end + 1, "scheme", CODE, message)
