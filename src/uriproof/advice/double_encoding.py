"""The advice ``double-encoding``.

Owns its texts and its check; imports ``report``, ``grammar.registry`` and its siblings'
helpers. Invariant: silent in a query parameter whose value is a reference, for what is encoded
within that reference must be encoded once more without it.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ..grammar import registry
from ..percent.characters import octet
from ..report import Advice, Report
from ._octets import encoded
from ._pieces import pieces

CODE = "double-encoding"
TITLE = "Percent-encoding of what was percent-encoded before"
WHY = (
    "Implementations must not encode or decode the same string more than once (RFC 3986 §2.4). "
    "%252F decodes to %2F; software that decodes twice sees a slash that a filter which decodes "
    "once did not."
)
GOOD = "http://example.com/caf%C3%A9"
BAD = "http://example.com/caf%25C3%25A9"


def find(report: Report) -> Iterator[Advice]:
    if "%25" not in report.text:
        return
    for component in encoded(report):
        is_query = component.name == "query"
        for start, piece in pieces(component, "&" if is_query else "/"):
            if "%25" in piece and not (is_query and _is_reference(piece.partition("=")[2])):
                for first, last in _runs(piece):
                    message = "percent-encoded twice: decoded once, this is still encoded"
                    yield Advice(start + first, start + last, component.name, CODE, message)


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Where %25 and two hex digits stand, adjacent ones together."""
    start = end = text.find("%25")
    while end >= 0:
        if text.startswith("%25", end) and octet("%" + text[end + 3 : end + 5]) is not None:
            end += 5
            continue
        if start < end:
            yield start, end
        start = end = text.find("%25", end + (start == end))


def _is_reference(value: str) -> bool:
    plain = unquote(value)
    is_absolute = plain.startswith("/") or "://" in plain
    return is_absolute and registry.load("rfc3986").accepts("URI-reference", plain)
