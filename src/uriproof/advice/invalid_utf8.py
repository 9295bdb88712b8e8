"""The advice ``invalid-utf8``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: a span
holds just the octets that are no UTF-8, as many as stand side by side for one reason.
"""

from collections.abc import Iterator

from ..percent._octets import pieces
from ..report import Advice, Report
from ._octets import encoded_runs
from ._schemes import has_octets

CODE = "invalid-utf8"
TITLE = "Percent-encoded octets that are not valid UTF-8"
WHY = (
    "Octets outside ASCII are read as UTF-8 (RFC 3986 §2.5), and these are not UTF-8. Lenient "
    "decoders read an overlong form as the ASCII character that a filter looked for in vain; "
    "others write U+FFFD, and what was meant is lost (RFC 3629 §3, §10)."
)
GOOD = "http://example.com/caf%C3%A9"
BAD = "http://example.com/%C0%AF"

_MESSAGES = {
    "overlong": "an overlong form, which is not valid UTF-8: some decoders read it as ASCII",
    "surrogate": "surrogates, which UTF-8 cannot encode",
    "invalid": "octets that are not valid UTF-8",
}


def find(report: Report) -> Iterator[Advice]:
    if has_octets(report):
        return
    for component, start, end in encoded_runs(report, lambda triplet: True):
        octets = bytes.fromhex(report.text[start:end].replace("%", ""))
        for first, last, _, flaw in pieces(octets, "utf-8"):
            if flaw is not None:
                span = start + 3 * first, start + 3 * last
                yield Advice(*span, component.name, CODE, _MESSAGES[flaw])
