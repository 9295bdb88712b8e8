"""Reads one rule of ABNF: pieces of text in, elements out.

Owns the division of a line into pieces, and the operators: ``/``, sequence, groups and options (RFC
5234 §4). Imports ``model`` and ``read_atom``, which reads a single element with the ``abnf``
package. Invariant: open constructs are on a stack of our own, so that the cost is linear, deep
nesting is refused rather than crashed on, and every mistake has its exact place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn, TypeVar

from ...limits import MAX_GROUPS
from ..model import Alternation, Concatenation, Element, NumVal, Repetition, RuleRef, flat
from .atom import Bounds, ReadError, Simple, name_length, read_atom, refuse

_STARTS = ("(", "[")
_ENDS = {")": "(", "]": "["}

_T = TypeVar("_T")

# A piece is a bracket, "/", "=", "=/" or a run of anything else but space and comment. Quotes and
# angle brackets hide their contents; an unclosed one takes the rest of its line.
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
    """A mention of a rule in an element: offset and length in the source."""

    name: str
    start: int
    length: int


def pieces(line: str, start: int) -> list[Piece]:
    """The pieces of a line at offset ``start``, without space and comment.

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


class Part(NamedTuple):
    """An element of a rule, and its pieces, by the numbers ``[start, end)`` of those given."""

    element: Element
    start: int
    end: int


@dataclass(slots=True)
class Parts:
    """The parts of a rule, and where each is written.

    ``choices`` are the alternatives of each group and option, and last those of the whole rule;
    ``repeated`` the bounds of each repetition, with what it repeats, and its first piece. ``prose``
    are the prose values, ``numbers`` the pieces of number values, and what they mean.
    """

    choices: list[list[Part]] = field(default_factory=list)
    repeated: list[tuple[Bounds, Part, int]] = field(default_factory=list)
    prose: list[Use] = field(default_factory=list)
    numbers: list[tuple[Piece, NumVal]] = field(default_factory=list)


@dataclass(slots=True)
class _Level:
    """An open bracket (or the first "="), its repeat, and the elements read in it.

    The pieces of the bracket and of the alternative that is being read have these numbers.
    """

    opener: Piece
    bracket: int = -1
    first: int = 0
    repeat: Bounds | None = None
    alternatives: list[Part] = field(default_factory=list)
    sequence: list[Element] = field(default_factory=list)
    slash: Piece | None = None


def read_elements(
    given: list[Piece],
    before: Piece,
    refer: Callable[[Use], Element],
    mean: Callable[[Use], Element],
    parts: Parts | None = None,
) -> Element:
    """The element that the pieces after ``before`` (the "=") spell; ``parts`` takes its parts.

    ``refer`` and ``mean`` give the element for a rule's name and for the text of a prose value;
    they are called in the order of the text. Errors: ``ReadError``. Cost: O(n). Source: RFC 5234
    §4: alternation, concatenation, group and option.
    """
    known = Parts() if parts is None else parts
    levels = [_Level(before)]
    ended: Piece | None = None  # the last piece, if it ended an element
    repeat: Bounds | None = None  # the last piece, if a bracket follows
    for index, piece in enumerate(given, 1):
        level = levels[-1]
        if piece.text in _ENDS:
            closed = _close(levels, piece, index, known)
            levels[-1].sequence.append(closed)
            ended = piece
        elif piece.text == "/":
            if not level.sequence:
                last = (level.slash or level.opener).text
                _wrong(piece, f'there is nothing between "{last}" and "/"')
            _end_alternative(level, index - 1)
            level.sequence, level.slash, ended = [], piece, None
        elif piece.text in ("=", "=/"):
            _wrong(
                piece,
                f'a second "{piece.text}" in this rule: every rule starts on a line of its own, '
                "indented just as the first rule is",
            )
        elif ended is not None and not piece.spaced:
            raise ReadError(piece.start, 1, "two elements must be separated by a space")
        elif piece.text in _STARTS:
            if len(levels) > MAX_GROUPS:
                _wrong(piece, f"groups are nested more than {MAX_GROUPS} deep")
            levels.append(_Level(piece, index - 1, index, repeat))
            ended = repeat = None
        else:
            bounds, element = _placed(piece, read_atom)
            if element is None:
                following = given[index] if index < len(given) else None
                if following is None or following.spaced or following.text not in _STARTS:
                    _wrong(piece, f'"{piece.text}" must come right before its element')
                ended, repeat = None, bounds
                continue
            ended = piece
            one = Part(_resolved(piece, element, refer, mean, known), index - 1, index)
            level.sequence.append(_repeated(one, bounds, index - 1, known))
    if len(levels) > 1:
        opener = levels[-1].opener
        _wrong(opener, f'this "{opener.text}" is never closed')
    return _whole(levels[0], "the end of the rule", len(given), known)


def _resolved(
    piece: Piece,
    element: Simple,
    refer: Callable[[Use], Element],
    mean: Callable[[Use], Element],
    parts: Parts,
) -> Element:
    if isinstance(element, RuleRef):
        return refer(Use(element.name, piece.end - len(element.name), len(element.name)))
    if isinstance(element, str):
        length = len(element) + len("<>")
        parts.prose.append(Use(element, piece.end - length, length))
        return mean(parts.prose[-1])
    if isinstance(element, NumVal):
        parts.numbers.append((piece, element))
    return element


def _end_alternative(level: _Level, end: int) -> None:
    """The alternative that is being read ends before a piece, and the next one begins after it."""
    level.alternatives.append(Part(flat(Concatenation, level.sequence), level.first, end))
    level.first = end + 1


def _close(levels: list[_Level], closer: Piece, end: int, parts: Parts) -> Element:
    """The group or option that a bracket closes; its level goes."""
    level = levels[-1]
    starter = _ENDS[closer.text]
    if len(levels) == 1:
        _wrong(closer, f'this "{closer.text}" closes nothing')
    if level.opener.text != starter:
        _wrong(closer, f'this "{closer.text}" cannot close the "{level.opener.text}" before it')
    element = _whole(level, f'"{closer.text}"', end - 1, parts)
    levels.pop()
    one = Part(Repetition(element, 0, 1) if starter == "[" else element, level.bracket, end)
    return _repeated(one, level.repeat, level.bracket - 1, parts)


def _whole(level: _Level, end: str, number: int, parts: Parts) -> Element:
    """All that has been read at a level, which ends at ``end``, the piece of this number."""
    if not level.sequence:
        last = level.slash or level.opener
        _wrong(last, f'there is nothing between "{last.text}" and {end}')
    _end_alternative(level, number)
    parts.choices.append(level.alternatives)
    return flat(Alternation, [part.element for part in level.alternatives])


def _repeated(part: Part, bounds: Bounds | None, start: int, parts: Parts) -> Element:
    if bounds is None:
        return part.element
    parts.repeated.append((bounds, part, start))
    return Repetition(part.element, *bounds)


def _wrong(piece: Piece, message: str) -> NoReturn:
    raise ReadError(piece.start, len(piece.text), message)


def _placed(piece: Piece, read: Callable[[str], _T]) -> _T:
    """The result of a function for a piece's text; a mistake is placed in the source."""
    try:
        return read(piece.text)
    except ReadError as wrong:
        raise ReadError(piece.start + wrong.start, wrong.length, wrong.message) from None


def read_name(given: list[Piece]) -> None:
    """Check that a rule starts with its name and "=" or "=/" (RFC 5234 §2.1-2.2, §3.3).

    Errors: ``ReadError`` at the first wrong piece.
    """
    name = given[0]
    length = _placed(name, name_length)
    after = name.text[length:]
    if length == 0:
        _wrong(name, _NO_NAME.get(name.text[0], _NO_RULE))
    following = given[1] if len(given) > 1 else None
    if not after and following is None:
        raise ReadError(name.end, 0, f'"=" is missing after the rule name {name.text}')
    if not after and following is not None:
        if following.text in ("=", "=/"):
            return
        name, length, after = following, 0, following.text
    if after.strip(":") == "":
        raise ReadError(name.start + length, len(after), 'a rule is defined only by "="')
    if length:
        _placed(name, lambda text: refuse(text, 0, length))
    _wrong(name, f'"=" is missing between the rule name {given[0].text} and this')


_NO_RULE = (
    "a rule's name is expected here; a line that continues a rule must be indented deeper than the "
    "line that it starts in"
)
_NO_NAME = dict.fromkeys("0123456789-_", "a rule's name starts with a letter") | {
    "<": "in its definition, a rule's name is written without angle brackets",
    "#": 'a comment starts with ";"',
}
