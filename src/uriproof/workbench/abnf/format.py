"""Lays out a grammar's text: aligned, evenly spaced, no line longer than it must be.

Owns the layout. Imports the reader of ABNF. Invariant: before a text is given out it is read
again, and has the same rules, comments and header as the one that came in, and the same layout
once more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ...grammar.errors import Fault, GrammarError
from ...grammar.model import Model
from ...grammar.read.abnf import Reader
from ...grammar.read.atom import REPEATED_NAME
from ...grammar.read.elements import Piece, pieces
from ...grammar.read.source import Source

WIDTH = 80
"""Columns by default: those of a terminal. The text of an RFC has 72."""

NARROWEST = 40

MAX_COLUMN = 20
"""The column up to which "=" is aligned; a longer name has its own."""

_GAP = 2
"""Blanks before a comment at the end of a line, at least."""

_REPEAT = re.compile(r"[0-9]*\*?[0-9]*")
_CLOSERS = (")", "]")


Spelling: TypeAlias = Callable[[str], str | None]


@dataclass(slots=True)
class _Line:
    """A line as it was written."""

    pieces: list[Piece]
    comment: str
    depth: int = 0  # brackets that are open where it starts


@dataclass(slots=True)
class _Laid:
    """A line as it is laid out, without its comment yet."""

    code: str
    comment: str = ""


@dataclass(slots=True)
class _Rule:
    """A rule's lines; its name and operator stand in the first."""

    lines: list[_Line]


def format_abnf(
    text: str,
    *,
    resolve: Callable[[str], Model],
    name: str = "grammar",
    file: str = "<text>",
    width: int = WIDTH,
) -> str:
    """A grammar's text, laid out: the same rules and comments, with even spaces.

    "=" is aligned, up to column 20. The lines of a rule stay the lines that they are, but that "/"
    stands at the beginning of a line, below "=", and what is too long goes on below. References
    are spelled as the rule spells its name. Comments stay, aligned where lines follow each other;
    of empty lines one stays. ``name``, ``file`` and ``resolve`` as for ``read_abnf``.

    Errors: GrammarError, for a text that is no ABNF; names that nothing defines are none.
    Cost: O(len(text)).

    >>> from uriproof.grammar.registry import load
    >>> text = 'a=b/ C;x\\nlong-name = ("x"/b)  ; y\\nB= 1*2%x41'
    >>> print(format_abnf(text, resolve=lambda name: load(name).model), end="")
    a         = B / C        ;x
    long-name = ( "x" / B )  ; y
    B         = 1*2%x41
    """
    width = max(width, NARROWEST)
    made = _laid_out(text, resolve, name, file, width)
    again = _read(made, resolve, name, file)
    if _meaning(again) != _meaning(_read(text, resolve, name, file)):
        raise AssertionError("the layout changes what the grammar means; nothing is written")
    if _laid_out(made, resolve, name, file, width) != made:
        raise AssertionError("the layout is not stable; nothing is written")
    return made


def _read(text: str, resolve: Callable[[str], Model], name: str, file: str) -> Reader:
    """The reader of a text that is ABNF. Errors: GrammarError, of syntax and header alone."""
    reader = Reader(Source(text, file), name, resolve)
    try:
        reader.read()
    except GrammarError as error:
        faults: tuple[Fault, ...] = error.faults
        wrong = [fault for fault in faults if fault.cause in ("syntax", "header")]
        if wrong:
            raise GrammarError(wrong) from None
    return reader


def _meaning(reader: Reader) -> object:
    """What must not change: the header, each definition's words and element, each comment."""
    source, header = reader.source, reader.header
    comments = [_comment(source.text[start:end], start) for start, end in source.lines]
    words = [[piece.text.lower() for piece in line.pieces] for line in reader.lines]
    elements = [[found.element for found in definitions] for definitions in reader.own.values()]
    names = [word.text for word in header.productions()]
    return words, elements, [c for c in comments if c], header.title, header.source, names


def _comment(line: str, start: int) -> str:
    found = pieces(line, start)
    return (line[found[-1].end - start :] if found else line).strip()


def _laid_out(text: str, resolve: Callable[[str], Model], name: str, file: str, width: int) -> str:
    reader = _read(text, resolve, name, file)
    names = [line.pieces[0].text for line in reader.lines]
    parts = list(_parts(reader))
    column = max((len(n) for n in names if len(n) < MAX_COLUMN), default=0) + 1
    out: list[_Laid] = []
    for part in parts:
        if isinstance(part, _Rule):
            out += _rule(part, column, width, reader.spelling)
        elif part or (out and (out[-1].code or out[-1].comment)):
            out.append(_Laid("", part))
    while out and not (out[-1].code or out[-1].comment):
        out.pop()
    return "".join(f"{line}\n" for line in _commented(out, width))


def _parts(reader: Reader) -> Iterator[_Rule | str]:
    """The text in parts: rules, comments between them, and empty lines."""
    source = reader.source
    starts = {line.pieces[0].start for line in reader.lines}
    rule: _Rule | None = None
    margin = _margin(source, starts)
    pending: list[str] = []  # empty lines and comments, which may be inside of a rule
    depth = 0
    for start, end in source.lines:
        text = source.text[start:end]
        found = pieces(text, start)
        comment = _comment(text, start)
        if found and found[0].start in starts:
            if rule is not None:
                yield rule
            yield from pending
            pending = []
            rule, depth = _Rule([_Line(found, comment)]), 0
        elif found and rule is not None:
            rule.lines += (_Line([], words, depth) for words in pending if words)
            pending = []
            rule.lines.append(_Line(found, comment, depth))
        else:
            lead = len(text.expandtabs(8)) - len(text.expandtabs(8).lstrip())
            if comment and rule is not None and not pending and lead > margin:
                rule.lines.append(_Line([], comment, depth))
            else:
                pending.append(comment)
        depth += sum((p.text in ("(", "[")) - (p.text in _CLOSERS) for p in found)
    if rule is not None:
        yield rule
    yield from pending


def _margin(source: Source, starts: set[int]) -> int:
    """The indentation of rules, in columns."""
    first = min(starts, default=0)
    start = source.lines[source.line(first) - 1][0]
    return len(source.text[start:first].expandtabs(8))


# A rule


def _rule(rule: _Rule, column: int, width: int, spelling: Spelling) -> Iterator[_Laid]:
    """The lines of a rule."""
    name, operator = (piece.text for piece in rule.lines[0].pieces[:2])
    head = f"{spelling(name) or name:<{column - 1}} {operator}"
    slash = len(head) - 1
    body = slash + 2
    given = _slashes_first(rule.lines)
    first = True
    for line in given:
        if not line.pieces:
            if line.comment:
                yield _Laid(" " * body * (not first), line.comment)
            continue
        words = _words(line.pieces, spelling)
        start = head + " " if first else ""
        wrapped = list(_wrapped(words, line.depth, start, slash, body, width))
        yield from (_Laid(code) for code in wrapped[:-1])
        yield _Laid(wrapped[-1], line.comment)
        first = False


def _slashes_first(lines: list[_Line]) -> list[_Line]:
    """The lines of a rule without name and operator; a "/" at an end goes to the next line."""
    out: list[_Line] = []
    carried: list[Piece] = []
    for number, line in enumerate(lines):
        found = line.pieces[2:] if number == 0 else line.pieces
        if not found:
            out.append(_Line([], line.comment, line.depth))
            continue
        found = carried + found
        carried = []
        if len(found) > 1 and found[-1].text == "/":
            found, carried = found[:-1], found[-1:]
        out.append(_Line(found, line.comment, line.depth))
    if carried:
        out[-1].pieces += carried
    return out


@dataclass(frozen=True, slots=True)
class _Word:
    """What is never divided: an element with its repeat; and the brackets open before it."""

    text: str
    depth: int


def _words(found: list[Piece], spelling: Spelling) -> list[_Word]:
    words: list[_Word] = []
    depth = 0
    repeat = ""
    for piece in found:
        text = piece.text
        closes = text in _CLOSERS
        depth -= closes
        if _REPEAT.fullmatch(text):
            repeat = text
            continue
        words.append(_Word(repeat + _spelled(text, spelling), depth))
        depth += text in ("(", "[")
        repeat = ""
    if repeat:
        words.append(_Word(repeat, depth))
    return words


def _spelled(text: str, spelling: Spelling) -> str:
    """An element, its name as the rule of that name has it."""
    match = REPEATED_NAME.fullmatch(text)
    return match[1] + (spelling(match[2]) or match[2]) if match else text


def _wrapped(
    words: list[_Word], depth: int, start: str, slash: int, body: int, width: int
) -> Iterator[str]:
    """The words on as few lines as they need, divided where the fewest brackets are open."""
    at = 0
    while at < len(words):
        if not start:
            first = words[at]
            column = slash if first.text == "/" and depth + first.depth == 0 else body
            start = " " * (column + 2 * max(depth + first.depth, 0))
        end, length = at, len(start)
        while end < len(words) and (end == at or length + 1 + len(words[end].text) <= width):
            length += (end > at) + len(words[end].text)
            end += 1
        if end < len(words):
            end = _division(words, at, end)
        yield start + " ".join(word.text for word in words[at:end])
        at, start = end, ""


def _division(words: list[_Word], start: int, end: int) -> int:
    """Where to divide words of which those from a start to an end fit on a line."""
    return min(
        range(start + 1, end + 1),
        key=lambda n: (
            words[n].text in _CLOSERS,
            words[n - 1].text == "/" or words[n - 1].text[-1] in "([",
            words[n].depth,
            words[n].text != "/",
            -n,
        ),
    )


# Comments


def _commented(lines: list[_Laid], width: int) -> Iterator[str]:
    """Lines with their comments, aligned where such lines follow each other."""
    run: list[_Laid] = []
    for line in lines:
        if line.code.strip():
            run.append(line)
            continue
        yield from _aligned(run, width)
        run = []
        yield (line.code + line.comment).rstrip()
    yield from _aligned(run, width)


def _aligned(run: list[_Laid], width: int) -> Iterator[str]:
    """Lines that follow each other, their comments in one column as far as there is room."""
    with_comment = [line for line in run if line.comment]
    column = max((len(line.code) + _GAP for line in with_comment), default=0)
    while with_comment and any(column + len(line.comment) > width for line in with_comment):
        with_comment = [
            line
            for line in with_comment
            if len(line.code) + _GAP + len(line.comment) <= width and len(line.code) + _GAP < column
        ]
        column = max((len(line.code) + _GAP for line in with_comment), default=0)
    for line in run:
        if line.comment:
            yield line.code.ljust(max(column - _GAP, len(line.code))) + " " * _GAP + line.comment
        else:
            yield line.code
