"""The advice ``encoded-invisible``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: silent on
joiners where a script or an emoji has them, and on hosts that ``mapped-host`` judges.
"""

from collections.abc import Iterator
from unicodedata import bidirectional, category

from ..percent.characters import octet
from ..report import Advice, Component, Report
from ._octets import encoded, runs
from ._schemes import MAPPED, has_octets, scheme

CODE = "encoded-invisible"
TITLE = "An encoded character that is invisible or changes the direction of text"
WHY = (
    "Decoded, such a character hides in the text or turns around what stands beside it, so that "
    "two texts look alike, or a name ends in another extension than it seems (RFC 3987 §4.1, §8, "
    "RFC 8264 §12.5). Line and paragraph separators end a line for some software, and the control "
    "characters U+0080 to U+009F act on terminals."
)
GOOD = "http://example.com/annexe.txt"
BAD = "http://example.com/ann%E2%80%AEtxt.exe"

_DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_MARKS = frozenset("\u061c\u200e\u200f")  # UAX #9 §2.6
# Letters and marks that have no shape (Unicode, Default_Ignorable_Code_Point), and the blank
# pattern of Braille; variation selectors are no fault beside what they vary.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Format characters that are seen (Unicode, Prepended_Concatenation_Mark and the like).
_SEEN = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
_JOINERS = frozenset("\u200c\u200d")
_NEAR = 16  # characters on either side that decide on a joiner or a tag
_FLAG = "\U0001f3f4"  # before the tags of a flag (UTS #51, Annex C)


def find(report: Report) -> Iterator[Advice]:
    for component in encoded(report):
        if has_octets(report) or (component.name == "host" and scheme(report) in MAPPED):
            continue
        for start, end, char in _characters(component):
            if what := _reason(char):
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
            if not _is_meant(text, index):
                yield at, at + width, char
            at += width


def _is_meant(text: str, at: int) -> bool:
    """Whether a joiner or a tag stands where writing has it (RFC 5892 Appendix A, UTS #51)."""
    char, before = text[at], text[max(at - _NEAR, 0) : at]
    if char in _JOINERS:
        import idna

        if category(before.rstrip("\ufe0f")[-1:] or "a") in {"So", "Sk"}:
            return True
        try:
            return idna.valid_contextj(before + text[at : at + _NEAR], len(before))
        except ValueError:
            return False
    return "\U000e0020" <= char <= "\U000e007f" and _FLAG in before


def _reason(char: str) -> str:
    kind = category(char)
    if bidirectional(char) in _DIRECTIONS or char in _MARKS:
        return "changes the direction of what is displayed"
    if kind in {"Zl", "Zp"} or char == "\x85":
        return "ends a line for some software"
    if kind == "Cc":
        return "is a control character: decoded, it affects terminals and logs"
    if (kind == "Cf" and char not in _SEEN) or char in _BLANK:
        return "is invisible"
    return ""
