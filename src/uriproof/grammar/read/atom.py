"""Reads one ABNF element with its repeat, such as ``1*4HEXDIG`` or ``%x41-5A``.

Owns the use of the ``abnf`` package, whose rules of RFC 5234 §4 and RFC 7405 read the element, and
the words for every mistake in one. Imports ``drawing`` and ``model``; ``abnf`` only if it is used.
Invariant: it rejects what ``abnf`` rejects, at the first character that cannot continue.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NoReturn, TypeAlias

from ...limits import MAX_COUNT, MAX_DIGITS, MAX_ELEMENT
from ...text.drawing import named, visible
from ..model import MAX_CODE_POINT, CharVal, NumVal, RuleRef

_BASES = {"b": (2, "binary"), "d": (10, "decimal"), "x": (16, "hexadecimal")}

Bounds: TypeAlias = tuple[int, int | None]
Simple: TypeAlias = CharVal | NumVal | RuleRef | str  # a string is the text of a prose value
Atom: TypeAlias = tuple[Bounds | None, Simple | None]  # a single repeat has no element


class ReadError(Exception):
    """A mistake at ``start``, ``length`` code points long; the reader makes a ``Fault`` of it."""

    def __init__(self, start: int, length: int, message: str) -> None:
        self.start = start
        self.length = length
        self.message = message
        super().__init__(message)


@lru_cache(maxsize=8_192)
def read_atom(text: str) -> Atom:
    """The bounds and the element that ``text`` spells: rule ``repetition``, or only ``repeat``.

    Errors: ``ReadError`` with the first offset that is wrong. Cost: that of ``abnf``; the last
    few thousand answers are kept. Source: RFC 5234 §2.1, §2.3, §3.4, §3.6-3.8, RFC 7405 §2.

    >>> read_atom("2*5<prose value>"), read_atom("%d13.10"), read_atom("1*")
    (((2, 5), 'prose value'), (None, NumVal(points=(13, 10), is_range=False)), ((1, None), None))
    """
    from abnf.parser import ABNFGrammarRule, ParseError

    _limit(text)
    try:
        node, end = ABNFGrammarRule("repetition").parse(text, 0)
    except ParseError:
        try:
            node, end = ABNFGrammarRule("repeat").parse(text, 0)
        except ParseError:
            refuse(text, 0, 0)
        if end < len(text):
            refuse(text, end, end)
        return read_bounds(text), None
    if end < len(text):
        head = len(node.children[0].value) if node.children[0].name == "repeat" else 0
        refuse(text, head, end)
    repeat = read_bounds(node.children[0].value) if node.children[0].name == "repeat" else None
    element = node.children[-1].children[0]
    value: str = element.value
    match element.name:
        case "rulename":
            return repeat, RuleRef(value)
        case "prose-val":
            return repeat, value[1:-1]
        case "num-val":
            return repeat, read_number(value, len(text) - len(value))
        case _:
            quoted = value[value.index('"') + 1 : -1]
            sensitive = element.children[0].name == "case-sensitive-string"
            return repeat, CharVal(quoted, sensitive)


def read_bounds(text: str) -> Bounds:
    """The bounds that ``2*5``, ``*``, ``3`` and the like name (RFC 5234 §3.6-3.7)."""
    least, star, most = text.partition("*")
    if any(len(c.lstrip("0")) >= MAX_DIGITS or int(c or 0) > MAX_COUNT for c in (least, most)):
        raise ReadError(0, len(text), "this count is too large")
    low = int(least or 0)
    high = low if not star else int(most) if most else None
    if high is not None and high < low:
        raise ReadError(0, len(text), f"the maximum {high} is less than the minimum {low}")
    return low, high


REPEATED_NAME = re.compile(r"([0-9*]*)([A-Za-z][A-Za-z0-9-]*)")
"""A rule's name, and the repeat before it, if any (RFC 5234 §2.1, §3.6)."""


def read_number(text: str, at: int) -> NumVal:
    """The code points of a number value at offset ``at`` (RFC 5234 §2.3, §3.4)."""
    base = _BASES[text[1].lower()][0]
    points: list[int] = []
    for match in re.finditer(r"[0-9A-Fa-f]+", text[2:]):
        digits = match[0].lstrip("0") or "0"
        if len(digits) > MAX_DIGITS or int(digits, base) > MAX_CODE_POINT:
            raise ReadError(
                at + 2 + match.start(), len(match[0]), "no code point is above U+10FFFF (%x10FFFF)"
            )
        points.append(int(digits, base))
    is_range = "-" in text
    if is_range and points[0] > points[1]:
        raise ReadError(at, len(text), "this range runs backwards, so that nothing is in it")
    return NumVal(tuple(points), is_range)


def refuse(text: str, start: int, end: int) -> NoReturn:
    """Says why an element that starts at ``start`` cannot continue at ``end``."""
    _explain(text, start, end)
    raise ReadError(end, 1, f"{named(text[end])} is not allowed here")


def _explain(text: str, start: int, end: int) -> None:
    """Raises ``ReadError`` with the words for a well-known mistake at ``end``, if it is one."""
    rest = text[end:]
    if quote := re.match(r'(?:%[sSiI])?"|<', rest):
        _explain_quoted(text, end + quote.end())
    if number := re.match(r"%[bBdDxX]", text[start:]):
        base = _BASES[number[0][1].lower()][1]
        if end == start:
            raise ReadError(start, 2, f'a {base} digit must follow "{number[0]}"')
        if rest[0] in ".-":
            mixed = rest[1:2].isalnum() and "-" in text[start:end] + rest[0]
            wanted = f'a {base} digit must follow "{rest[0]}"'
            raise ReadError(end, 1, _ONE_RANGE if mixed else wanted)
        if rest[0].isalnum():
            raise ReadError(end, 1, f"{visible(rest[0])} is not a {base} digit")
    for mark, message in (*(_AFTER if end > start else ()), *_MISTAKES):
        if found := re.match(mark, rest):
            raise ReadError(end, len(found[0]), message)


_ONE_RANGE = "a number value is either one range or a row joined by dots"

_AFTER = (  # an element
    (r'["<%A-Za-z0-9]', "two elements must be separated by a space"),
    (r"[*+?]", "a repetition comes before its element, as in *x, 1*x and *1x"),
    (r"-", "a range has numbers at its ends, as in %x61-7A"),
)
_MISTAKES = (
    (r"%", "a number value starts with %b, %d or %x, a string with %s or %i"),
    (r"'", 'a string is written in double quotes, as in "x"'),
    (
        "[\u201c\u201d\u201e\u2018\u2019]",
        'a string is written in straight double quotes, as in "x"',
    ),
    (r"\|+", 'alternatives are separated by "/"'),
    (r"_", "a rule name has letters, digits and hyphens, but no _"),
    (r"-", "a rule name starts with a letter"),
    (r"[{}]", "a repetition is written before its element, as in 2*5x"),
    (r">", 'no "<" matches this ">"'),
    (r"\*", 'a repetition has one "*" at most'),
    (r"#(?=[\w\"(\[<])", 'RFC 5234 has no "#" for lists; they are spelled out (RFC 9110 §5.6.1)'),
    (r"#", 'a comment starts with ";"'),
)


def _explain_quoted(text: str, inside: int) -> None:
    """The mistake in the string or prose value whose text starts at ``inside``."""
    opener = text[inside - 1]
    closer, what = ('"', "a string") if opener == '"' else (">", "a prose value")
    end = text.find(closer, inside)
    if end < 0:
        message = f"this {opener} opens {what}, which no {closer} closes in its line"
        raise ReadError(inside - 1, 1, message)
    for at in range(inside, end):
        if not " " <= text[at] <= "~":
            message = f"{what} holds printable ASCII only; a number value is %x{ord(text[at]):X}"
            raise ReadError(at, 1, message)


def _limit(text: str) -> None:
    if len(text) > MAX_ELEMENT:
        raise ReadError(0, len(text), f"an element has more than {MAX_ELEMENT} characters")


def name_length(text: str) -> int:
    """How many code points at the start of a text are a rule's name (RFC 5234 §4: rulename).

    Errors: ``ReadError`` for a text of more than MAX_ELEMENT.

    >>> name_length("h16="), name_length("16")
    (3, 0)
    """
    _limit(text)
    from abnf.parser import ABNFGrammarRule, ParseError

    try:
        return int(ABNFGrammarRule("rulename").parse(text, 0)[1])
    except ParseError:
        return 0
