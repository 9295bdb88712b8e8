"""Reads the right-hand side of one ABNF rule: pieces of text in, elements out.

Owns the division of a line into pieces, the reading of elements (RFC 5234 §4, RFC 7405) and the
words for every mistake in them. Imports ``model``; the ``abnf`` package only where it is used.
Invariant: one element is read by ``abnf``'s own rules ``repetition`` and ``repeat``; only what
binds elements together (``/``, sequence, brackets) is read here, on a stack, so that the cost is
linear, deep nesting is refused rather than crashed on, and every mistake has its exact place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NoReturn

from .model import (
    MAX_CODE_POINT,
    Alternation,
    CharVal,
    Concatenation,
    Element,
    NumVal,
    Repetition,
    RuleRef,
)

__all__ = [
    "MAX_DEPTH",
    "MAX_PIECE",
    "Piece",
    "ReadError",
    "Use",
    "flat",
    "pieces",
    "read_elements",
    "read_name",
]

MAX_DEPTH = 50
"""Groups inside groups; far more than any specification has, far less than Python's stack."""

MAX_PIECE = 1_000
"""Code points of one element: ``abnf`` takes quadratic time on it."""

_MAX_DIGITS = 21
"""No code point has more digits (binary, without leading zeros), and no sane count has."""

_BASES = {"b": (2, "binary"), "d": (10, "decimal"), "x": (16, "hexadecimal")}

# A piece is a bracket, "/", "=", "=/" or a run of anything else but space and comment. Quotes and
# angle brackets hide what is between them; an unclosed one takes the rest of its line.
_PIECE = re.compile(
    r"""[ \t]+ | (?P<comment>;.*) | (?P<piece> =/? | [()\[\]/]
        | (?: "[^"]*(?:"|\Z) | <[^>]*(?:>|\Z) | [^ \t;()\[\]/="<] )+ )""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a line: its text, its offset in the source, and whether a space goes before."""

    text: str
    start: int
    spaced: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Use:
    """Where an element mentions a rule: offset and length in the source."""

    name: str
    start: int
    length: int


class ReadError(Exception):
    """A mistake at ``start`` in the source; the reader of grammars makes a ``Fault`` of it."""

    def __init__(self, start: int, length: int, message: str) -> None:
        self.start, self.length, self.message = start, length, message
        super().__init__(message)


def pieces(line: str, start: int) -> list[Piece]:
    """The pieces of a line that stands at offset ``start``, without space and comment.

    >>> [p.text for p in pieces('a = 1*( "b c" / <d>) ; e', 0)]
    ['a', '=', '1*', '(', '"b c"', '/', '<d>', ')']
    """
    found: list[Piece] = []
    end = -1
    for match in _PIECE.finditer(line):
        if match["piece"]:
            found.append(Piece(match["piece"], start + match.start(), match.start() != end))
            end = match.end()
    return found


def flat(kind: type[Alternation] | type[Concatenation], items: list[Element]) -> Element:
    """Items joined; a single one is itself, and a group of the same kind adds nothing."""
    if len(items) == 1:
        return items[0]
    joined: list[Element] = []
    for item in items:
        joined += item.items if isinstance(item, kind) else (item,)
    return kind(tuple(joined))


@dataclass(slots=True)
class _Level:
    """An open bracket, what repeats it, and what has been read inside it."""

    bracket: Piece | None
    repeat: tuple[int, int | None] | None = None
    alternatives: list[Element] = field(default_factory=list)
    sequence: list[Element] = field(default_factory=list)
    slash: Piece | None = None


def read_elements(
    given: list[Piece],
    before: Piece,
    refer: Callable[[Use], Element],
    prose: Callable[[Use], Element],
) -> Element:
    """The element that the pieces after ``before`` (the "=") spell.

    ``refer`` and ``prose`` give the element for a rule's name and for a prose value; they are
    called in the order of the text. Errors: ``ReadError``. Cost: O(n). Source: RFC 5234 §4.
    """
    levels = [_Level(None)]
    repeat: tuple[int, int | None] | None = None
    previous: Piece | None = None  # the last piece, if it ends an element
    for index, piece in enumerate(given):
        level = levels[-1]
        match piece.text:
            case "(" | "[":
                _spaced(previous, piece)
                if len(levels) > MAX_DEPTH:
                    _wrong(piece, f"groups are nested more than {MAX_DEPTH} deep")
                levels.append(_Level(piece, repeat))
                repeat = previous = None
            case ")" | "]":
                inner = _close(level, piece)
                levels.pop()
                if piece.text == "]":
                    inner = Repetition(inner, 0, 1)
                if level.repeat is not None:
                    inner = Repetition(inner, *level.repeat)
                levels[-1].sequence.append(inner)
                previous = piece
            case "/":
                if not level.sequence:
                    _wrong(piece, f'there is nothing between {_last(level, before)} and "/"')
                level.alternatives.append(flat(Concatenation, level.sequence))
                level.sequence, level.slash = [], piece
                previous = None
            case "=" | "=/":
                _wrong(
                    piece,
                    f'a second "{piece.text}": every rule starts on a line of its own, which is '
                    "indented just as the first rule is",
                )
            case _:
                _spaced(previous, piece)
                repeat, element = _atom(piece)
                following = given[index + 1] if index + 1 < len(given) else None
                if element is None:
                    previous = None
                    if following is None or following.spaced or following.text not in ("(", "["):
                        _wrong(piece, f'"{piece.text}" must stand right before what it repeats')
                    continue
                if not isinstance(element, str):
                    read: Element = element
                    if isinstance(element, RuleRef):
                        read = refer(Use(element.name, *_ending(piece, len(element.name))))
                else:
                    read = prose(Use(element, *_ending(piece, len(element) + 2)))
                level.sequence.append(read if repeat is None else Repetition(read, *repeat))
                repeat, previous = None, piece
    if levels[-1].bracket is not None:
        opened = levels[-1].bracket
        _wrong(opened, f'this "{opened.text}" is never closed')
    return _close(levels[-1], before)


def _close(level: _Level, closer: Piece) -> Element:
    """What stands between a bracket and its closer; at the outermost level, the whole."""
    if closer.text in (")", "]"):
        if level.bracket is None:
            _wrong(closer, f'this "{closer.text}" closes nothing')
        if (level.bracket.text == "(") != (closer.text == ")"):
            _wrong(closer, f'"{closer.text}" cannot close "{level.bracket.text}"')
    if not level.sequence:
        if level.slash is not None:
            _wrong(level.slash, 'there is nothing after "/"')
        if level.bracket is not None:
            _wrong(level.bracket, f'there is nothing between "{level.bracket.text}" and its end')
        _wrong(closer, f'there is nothing after "{closer.text}"')
    return flat(Alternation, [*level.alternatives, flat(Concatenation, level.sequence)])


def _last(level: _Level, before: Piece) -> str:
    return f'"{(level.slash or level.bracket or before).text}"'


def _spaced(previous: Piece | None, piece: Piece) -> None:
    if previous is not None and not piece.spaced:
        raise ReadError(piece.start, 1, "a space must stand between two elements")


def _ending(piece: Piece, length: int) -> tuple[int, int]:
    return piece.end - length, length


def _wrong(piece: Piece, message: str) -> NoReturn:
    raise ReadError(piece.start, len(piece.text), message)


_Atom = tuple[tuple[int, int | None] | None, CharVal | NumVal | RuleRef | str | None]


def _atom(piece: Piece) -> _Atom:
    """A repeat and the element after it; a string is the text of a prose value."""
    try:
        return _read_atom(piece.text)
    except ReadError as wrong:
        raise ReadError(piece.start + wrong.start, wrong.length, wrong.message) from None


@lru_cache(maxsize=8_192)
def _read_atom(text: str) -> _Atom:
    from abnf.parser import ABNFGrammarRule, ParseError

    # The words for a mistake are looked for only once abnf has refused the text; but it must not
    # be given what takes it quadratic time.
    if len(text) > MAX_PIECE:
        _explain(text[:MAX_PIECE], 0, 0)
        raise ReadError(0, len(text), f"an element is longer than {MAX_PIECE} characters")
    try:
        node, end = ABNFGrammarRule("repetition").parse(text, 0)
    except ParseError:
        try:
            node, end = ABNFGrammarRule("repeat").parse(text, 0)
        except ParseError:
            _refuse(text, 0, 0)
        if end < len(text):
            _refuse(text, end, end)
        return _repeat(text), None
    if end < len(text):
        head = len(node.children[0].value) if node.children[0].name == "repeat" else 0
        _refuse(text, head, end)
    repeat = _repeat(node.children[0].value) if node.children[0].name == "repeat" else None
    element = node.children[-1].children[0]
    value: str = element.value
    match element.name:
        case "rulename":
            return repeat, RuleRef(value)
        case "prose-val":
            return repeat, value[1:-1]
        case "num-val":
            return repeat, _number(value, len(text) - len(value))
        case _:
            quoted = value[value.index('"') + 1 : -1]
            sensitive = element.children[0].name == "case-sensitive-string"
            return repeat, CharVal(quoted, sensitive)


def _repeat(text: str) -> tuple[int, int | None]:
    """The bounds that ``2*5``, ``*``, ``3`` and the like name (RFC 5234 §3.6-3.7)."""
    least, star, most = text.partition("*")
    if max(len(least.lstrip("0")), len(most.lstrip("0"))) > _MAX_DIGITS:
        raise ReadError(0, len(text), "this count is too large")
    low = int(least or 0)
    high = low if not star else int(most) if most else None
    if high is not None and high < low:
        raise ReadError(0, len(text), f"at most {high} is less than at least {low}: nothing fits")
    return low, high


def _number(text: str, at: int) -> NumVal:
    """The code points of a number value that stands at offset ``at`` (RFC 5234 §2.3, §3.4)."""
    base = _BASES[text[1].lower()][0]
    points: list[int] = []
    for match in re.finditer(r"[0-9A-Fa-f]+", text[2:]):
        digits = match[0].lstrip("0") or "0"
        if len(digits) > _MAX_DIGITS or int(digits, base) > MAX_CODE_POINT:
            raise ReadError(
                at + 2 + match.start(), len(match[0]), "no code point is above U+10FFFF (%x10FFFF)"
            )
        points.append(int(digits, base))
    is_range = "-" in text
    if is_range and points[0] > points[1]:
        raise ReadError(at, len(text), "this range runs backwards, so that nothing is in it")
    return NumVal(tuple(points), is_range)


def _refuse(text: str, start: int, end: int) -> NoReturn:
    """Says why an element that starts at ``start`` cannot go on at ``end``."""
    _explain(text, start, end)
    char = text[end]
    raise ReadError(end, 1, f"{char!r} (U+{ord(char):04X}) cannot stand here")


def _explain(text: str, start: int, end: int) -> None:
    """Raises ``ReadError`` with the words for a well-known mistake at ``end``, if it is one."""
    rest = text[end:]
    quote = re.match(r'(?:%[sSiI])?"|<', rest)
    if quote:
        _explain_quoted(text, end, end + quote.end())
        if end > start:
            raise ReadError(end, 1, "a space must stand between two elements")
    number = re.match(r"%([bBdDxX])", text[start:])
    if number:
        base = _BASES[number[1].lower()][1]
        if end == start:
            raise ReadError(start, 2, f'a {base} digit must follow "{number[0]}"')
        if rest[0] in ".-" and rest[1:2].isalnum() and "-" in text[start:end] + rest[0]:
            raise ReadError(end, 1, "a number value is either one range or a row joined by dots")
        if rest[0] in ".-":
            raise ReadError(end, 1, f'a {base} digit must follow "{rest[0]}"')
        if rest[0].isalnum():
            raise ReadError(end, 1, f"{rest[0]!r} is no {base} digit")
    for mark, message in _MISTAKES:
        if found := re.match(mark, rest):
            raise ReadError(end, len(found[0]), message)
    if end > start and rest[0] in "*+?":
        raise ReadError(end, 1, "a repetition stands before what it repeats, as in *x, 1*x and *1x")


_MISTAKES = (
    (r"%", "a number value starts with %b, %d or %x, a string with %s or %i"),
    (r"'", 'a string stands in double quotes, as in "x"'),
    ("[\u201c\u201d\u201e\u2018\u2019]", 'a string stands in straight double quotes, as in "x"'),
    (r"\|+", 'alternatives are separated by "/"'),
    (r"_", "a rule name has letters, digits and hyphens, but no _"),
    (r"[{}]", "a repetition is written before what it repeats, as in 2*5x"),
    (r">", 'there is no "<" that this ">" closes'),
    (r"\*", 'a repetition has one "*" at most'),
    (r"-", "a rule name starts with a letter"),
)


def _explain_quoted(text: str, start: int, inside: int) -> None:
    """What is wrong with the string or prose value whose text starts at ``inside``."""
    closer = '"' if text[inside - 1] == '"' else ">"
    end = text.find(closer, inside)
    if end < 0:
        what = "string" if closer == '"' else "prose value"
        raise ReadError(inside - 1, 1, f"this {what} is not closed by {closer} in its line")
    for at in range(inside, end):
        if not " " <= text[at] <= "~":
            raise ReadError(
                at,
                1,
                f"between the quotes only printable ASCII may stand: write %x{ord(text[at]):X}",
            )


def read_name(given: list[Piece]) -> None:
    """Check that a rule starts with its name and "=" or "=/" (RFC 5234 §2.1, §2.2).

    Errors: ``ReadError`` at the first piece that is not what it should be.
    """
    from abnf.parser import ABNFGrammarRule, ParseError

    name = given[0]
    text = name.text[:MAX_PIECE]
    try:
        end = ABNFGrammarRule("rulename").parse(text, 0)[1]
    except ParseError:
        message = 'a rule starts here, so its name and "=" must stand here'
        if text[0].isdigit() or text[0] in "-_":
            message = "a rule name starts with a letter"
        elif text[0] == "<":
            message = "a rule's name stands without angle brackets where it is defined"
        else:
            message += "; a line that continues a rule is indented deeper than the rule's name"
        _wrong(name, message)
    if end == MAX_PIECE:
        _wrong(name, f"a name is longer than {MAX_PIECE} characters")
    after = name.text[end:]
    if not after and len(given) > 1 and given[1].text in ("=", "=/"):
        return
    if not after and len(given) > 1:
        end, after = 0, given[1].text
        name = given[1]
    if after.lstrip(":") == "" and after:
        raise ReadError(
            name.start + end, len(after), f'a rule is defined by "=", not by "{after}="'
        )
    if after and name is given[0]:
        _refuse(name.text, 0, end)
    if not after:
        raise ReadError(name.end, 0, f'"=" is missing after the rule name {name.text}')
    _wrong(name, f'"=" is missing between the rule name {given[0].text} and this')
