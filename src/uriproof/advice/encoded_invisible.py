"""The advice ``encoded-invisible``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: silent on
joiners where a script or an emoji has them, and on hosts that ``mapped-host`` judges.
"""

from collections.abc import Iterator

from ..percent.characters import octet
from ..report import Advice, Component, Report
from ..text.invisible import is_meant, reason
from ._octets import encoded, runs
from ._schemes import MAPPED, has_octets, scheme

CODE = "encoded-invisible"
TITLE = "An encoded character that is invisible or changes the direction of text"
WHY = (
    "Decoded, such a character hides in the text or reverses the text beside it, so that two "
    "texts look alike, or a file seems to have another extension (RFC 3987 §4.1, §8, RFC 8264 "
    "§12.5). Line and paragraph separators end a line for some software, and the control "
    "characters U+0080 to U+009F act on terminals."
)
GOOD = "http://example.com/annexe.txt"
BAD = "http://example.com/ann%E2%80%AEtxt.exe"


def find(report: Report) -> Iterator[Advice]:
    for component in encoded(report):
        if has_octets(report) or (component.name == "host" and scheme(report) in MAPPED):
            continue
        for start, end, char in _characters(component):
            if what := reason(char):
                message = f"U+{ord(char):04X} {what}"
                yield Advice(start, end, component.name, CODE, message)


def _characters(component: Component) -> Iterator[tuple[int, int, str]]:
    """The encoded characters that may be reported, with their places in the whole text."""
    for start, end in runs(component, lambda triplet: (octet(triplet) or 0) > 0x7F):  # noqa: PLR2004
        first = start - component.start
        octets = bytes.fromhex(component.text[first : end - component.start].replace("%", ""))
        text = octets.decode("utf-8", "surrogateescape")
        at = start
        for index, char in enumerate(text):
            width = 3 * len(char.encode("utf-8", "surrogateescape"))
            if not is_meant(text, index):
                yield at, at + width, char
            at += width
