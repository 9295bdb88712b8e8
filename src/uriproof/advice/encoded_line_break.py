"""The advice ``encoded-line-break``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: silent
where a specification asks for encoded line breaks, and in text that people write.
"""

from bisect import bisect_right
from collections.abc import Iterator

from ..grammar.scheme_table import LINES
from ..report import Advice, Report
from ._octets import encoded_runs, stands_for
from ._pieces import parameters
from ._schemes import has_octets, scheme

CODE = "encoded-line-break"
TITLE = "An encoded line break"
WHY = (
    "Decoded and copied into a line-based protocol, a carriage return or line feed starts a new "
    "line there: a header or a command of the attacker's choice (RFC 3986 §7.3, RFC 9110 §5.5). "
    "In mailto and sms URIs it is how a line break is written (RFC 6068 §5, RFC 5724), and in the "
    "text that a form or a link for sharing carries."
)
GOOD = "http://example.com/?lang=a%20b"
BAD = "http://example.com/?lang=a%0D%0Ab"

_TEXTS = frozenset(
    {"body", "caption", "comment", "comments", "content", "desc", "description", "details"}
    | {"message", "msg", "note", "notes", "quote", "status", "summary", "text", "title"}
)
"""Keys of what people write, in forms and in links for sharing."""


def _is_line_break(triplet: str) -> bool:
    return stands_for(triplet, "CR", "rfc5234") or stands_for(triplet, "LF", "rfc5234")


def find(report: Report) -> Iterator[Advice]:
    if scheme(report) in LINES or has_octets(report):
        return
    texts = [p for p in parameters(report) if p.key.lower() in _TEXTS] if "%" in report.text else []
    starts = [one.at for one in texts]
    for component, start, end in encoded_runs(report, _is_line_break):
        before = bisect_right(starts, start)
        if not before or start >= texts[before - 1].end:
            message = "an encoded line break: decoded, it can start a new line"
            yield Advice(start, end, component.name, CODE, message)
