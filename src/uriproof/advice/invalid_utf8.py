"""The advice ``invalid-utf8``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: a span
holds just the octets that are no UTF-8, as many as stand side by side.

>>> from uriproof import check
>>> for a in find(check(BAD)): print(a.start, a.end, a.message)
19 25 an overlong form, which is no UTF-8: some decoders read ASCII in it
"""

from collections.abc import Iterator

from ..report import Advice, Report
from ._octets import encoded, runs
from ._schemes import has_octets

CODE = "invalid-utf8"
TITLE = "Percent-encoded octets that are no UTF-8"
WHY = (
    "Octets outside ASCII are taken for UTF-8 (RFC 3986 §2.5); these are none. Lenient decoders "
    "read an overlong form as the ASCII character that a filter looked for in vain; others put "
    "U+FFFD there, and what it said is lost (RFC 3629 §3, §10)."
)
GOOD = "http://example.com/caf%C3%A9"
BAD = "http://example.com/%C0%AF"

_ESCAPED = range(0xDC80, 0xDD00)  # what the error handler surrogateescape puts for an octet


def find(report: Report) -> Iterator[Advice]:
    for component in encoded(report):
        if has_octets(report):
            return
        for start, end in runs(component, lambda triplet: True):
            octets = bytes.fromhex(report.text[start:end].replace("%", ""))
            for first, last in _faults(octets):
                message = _cause(octets[first:last])
                at = start + 3 * first
                yield Advice(at, at + 3 * (last - first), component.name, CODE, message)


def _faults(octets: bytes) -> Iterator[tuple[int, int]]:
    """The runs of octets that are no UTF-8 (RFC 3629 §4), in linear time."""
    if octets.isascii():
        return
    at = first = 0
    for char in octets.decode("utf-8", "surrogateescape") + "\0":
        if ord(char) in _ESCAPED:
            at += 1
            continue
        if first < at:
            yield first, at
        first = at = at + len(char.encode("utf-8"))


def _cause(octets: bytes) -> str:
    lead, follow = octets[0], octets[1:2]
    try:
        octets.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        overlong = (
            lead in b"\xc0\xc1"
            or (lead == 0xE0 and b"\x80" <= follow < b"\xa0")  # noqa: PLR2004
            or (lead == 0xF0 and b"\x80" <= follow < b"\x90")  # noqa: PLR2004
        )
        if overlong:
            return "an overlong form, which is no UTF-8: some decoders read ASCII in it"
        return "octets that are no UTF-8"
    return "surrogates, which UTF-8 has no form for"
