"""The advice ``html-entity``.

Owns its texts and its check; imports ``report``. Invariant: the span is
the ampersand and the entity's name, semicolon included.
"""

from collections.abc import Iterator

from ..report import Advice, Report

CODE = "html-entity"
TITLE = "An ampersand that is still escaped for HTML"
WHY = (
    "HTML writes & as &amp; or &#38;, and so a URI in HTML. Outside HTML the first makes a "
    'separator and a key that starts with "amp;", and the second starts the fragment (RFC 3986 '
    "§2.2, §3.4, §3.5)."
)
GOOD = "http://example.com/?a=1&b=2"
BAD = "http://example.com/?a=1&amp;b=2"

_ENTITY = "&amp;"
_MESSAGE = "an ampersand escaped for HTML: write & alone"
_LONGEST = 12  # of a number and its semicolon, with leading zeros; no longer one is looked at


def find(report: Report) -> Iterator[Advice]:
    for component in report.components.values():
        at = component.text.find(_ENTITY)
        while at >= 0:
            start = component.start + at
            yield Advice(start, start + len(_ENTITY), component.name, CODE, _MESSAGE)
            at = component.text.find(_ENTITY, at + len(_ENTITY))
    start, end = numeric(report)
    if start < end:
        yield Advice(start, end, "fragment", CODE, _MESSAGE)


def numeric(report: Report) -> tuple[int, int]:
    """Where an ampersand stands as a number, whose # begins the fragment; else two zeros.

    >>> from uriproof import check
    >>> numeric(check("http://example.com/?a=1&#38;b=2"))
    (23, 28)
    """
    fragment = report.components.get("fragment")
    if fragment is None or not report.text.startswith("&#", fragment.start - 2):
        return 0, 0
    from html import unescape

    number, semicolon, _ = fragment.text[:_LONGEST].partition(";")
    if not semicolon or unescape(f"&#{number};") != "&":
        return 0, 0
    return fragment.start - 2, fragment.start + len(number) + 1
