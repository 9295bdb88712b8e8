"""Formats for people: ``full``, with lines of the file and carets; ``concise`` and ``pylint``.

Imports ``diagnostic`` and ``drawing``. Invariant: a caret is under each character that is blamed
and under no other, and no line needs color to be understood. The last two have one line each, of
visible characters, as the problem matcher reads it; columns are code points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from posixpath import commonpath

from ...diagnostic import Diagnostic
from ...text.drawing import draw, short, visible
from ...text.names import some
from ...text.paths import slashed
from .. import Style
from . import NO_RULES, Given, Rules
from ._records import COLORS, also, fix_of, going_on, graded, place_of, relative, words

_BOLD, _CYAN, _GREEN = "1", "36", "32"

_MOST = 5
"""Diagnostics of one code that are shown of a file; the others, which are alike, are counted."""

_HABIT = 10
"""Diagnostics with one code and message that are a habit of the tree: the rest is one note."""

_MOST_LINES = 8
"""Lines that are shown of one diagnostic: a third of a terminal's 24."""


def as_full(diagnostics: Given, style: Style, rules: Rules = NO_RULES) -> Iterator[str]:
    """The place; the lines with carets; the component and production; the expected elements; the
    hint and the fix. A blank line ends each diagnostic.

    Of those with one code in one file only the first few, and of those that repeat in the tree only
    the first nine and a note, unless the style shows ``every`` one. A URL with the same code and
    message is drawn once: the next ones have one line.
    """
    habits: dict[tuple[str, str], Counter[str]] = {}
    drawn: dict[tuple[str, str, str], str] = {}
    urls: dict[tuple[str, str], str] = {}
    for file, found in groupby(diagnostics, attrgetter("file")):
        count: Counter[str] = Counter()
        for one in found:
            count[one.code] += 1
            habit = one.code, one.message
            alike = habits.setdefault(habit, Counter())
            alike[file] += 1
            if urls.setdefault(habit, one.url) != one.url:
                urls[habit] = ""
            if not (style.every or (count[one.code] <= _MOST and alike.total() < _HABIT)):
                continue
            place = place_of(one)
            first = drawn.setdefault((*habit, one.url or place), place)
            if style.every or first == place:
                yield "\n".join(_page(one, style)) + "\n\n"
            else:
                shown = style.paint(place, _BOLD)
                yield f"{shown}: {one.code} the same URL as in {first}\n\n"
        for code, number in count.items():
            if number > _MOST and not style.every:
                place = style.paint(visible(file), _BOLD)
                more = f"and {number - _MOST:,} more like this (--all shows them)"
                yield f"{place}: {code} {more}\n\n"
    for (code, message), alike in habits.items():
        if alike.total() >= _HABIT and not style.every:
            often = f"{alike.total():,} times in {some(len(alike), 'file')}"
            told = going_on(visible(message), often)
            yield f"{style.paint(code, _BOLD)}: {told}\n"
            if url := urls[code, message]:
                yield f"  = all in one URL: {short(visible(url), style.width)}\n"
            yield f"{_silenced(code, alike)}\n\n"


def _silenced(code: str, files: Counter[str]) -> str:
    """How to silence a habit: in the file or the folder that it is in, or everywhere."""
    names = [f"/{slashed(relative(file))}" for file in files]  # some are, of files elsewhere
    place = commonpath(names).removeprefix("/")
    # A name can have signs of patterns or strings, or speak in a log; "<stdin>" is no file.
    if not place or not place.isprintable() or any(sign in place for sign in '[*?{<"\\'):
        return f'  = to silence it: ignore = ["{code}"]'
    pattern = place if len(names) == 1 else f"{place}/**"
    return f'  = to silence it: per-file-ignores = {{ "{pattern}" = ["{code}"] }}'


def _page(one: Diagnostic, style: Style) -> Iterator[str]:
    paint = style.paint
    color = COLORS[one.severity]
    words = f"{graded(one)}{visible(one.message)}"
    yield f"{paint(place_of(one), _BOLD)}: {paint(one.code, color)} {words}"
    gutter = " " * (len(str(one.last_line)) + 1)
    bar = paint("|", _CYAN)
    drawn = False
    for number, line in one.lines[:_MOST_LINES]:
        spans = _spans(one, number, line)
        if not spans or not line or line.isspace():
            continue
        if not drawn:
            yield f"{gutter}{bar}"
            drawn = True
        first = f"{paint(f'{number:<{len(gutter) - 1}}', _CYAN)} {bar} "
        for row in draw(*_unindented(line, spans), max(style.width - len(gutter) - 2, 20)):
            marks = not row.strip("^+ ")
            yield first + row if first else f"{gutter}{bar} {paint(row, color if marks else '')}"
            first = ""
    if len(one.lines) > _MOST_LINES:
        yield f"{gutter}{bar} and {len(one.lines) - _MOST_LINES:,} more lines"
    for label, text, shade in _facts(one):
        yield f"{gutter}{paint('=', _CYAN)} {paint(label, _BOLD)}: {paint(text, shade)}"


def _spans(one: Diagnostic, number: int, line: str) -> list[tuple[int, int]]:
    """The blamed part of a line; of a range that spans lines, its end or its beginning."""
    return [
        (
            place.column - 1 if place.line == number else 0,
            place.end_column - 1 if place.end_line == number else len(line),
        )
        for place in one.places
        if number in {place.line, place.end_line}
        # A range that ends at the beginning of a line has nothing in it.
        and (place.line == number or place.end_column > 1)
    ]


def _unindented(line: str, spans: list[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """A line without its indentation, unless that is blamed, and the spans in it."""
    shown = _stripped(line)
    indent = min(len(line) - len(shown), spans[0][0])
    if indent < len(line) - len(shown):
        shown = line[indent:]
    return shown, [(start - indent, max(start, end) - indent) for start, end in spans]


@lru_cache(2)
def _stripped(line: str) -> str:
    """A line without its indentation; made once for all that is found in one long line."""
    return line.lstrip(" \t")


def _facts(one: Diagnostic) -> Iterator[tuple[str, str, str]]:
    """Labeled lines: the place in the grammar, hint, fix."""
    where = one.component
    if one.production and one.production != one.component:
        where += f" ({one.production})"
    if one.section:
        where += f", {one.section}" if where else one.section
    if where:
        yield "in", visible(where), ""
    if one.hint:
        yield "hint", visible(one.hint), ""
    fix = fix_of(one)
    if fix:
        yield "fix", fix, _GREEN


def as_concise(diagnostics: Given, style: Style, rules: Rules = NO_RULES) -> Iterator[str]:
    """``file:line:column: code message``, the message after its severity unless that is error."""
    for one in diagnostics:
        place = style.paint(place_of(one), "1")
        code = style.paint(one.code, COLORS[one.severity])
        more = also(one)
        yield f"{place}: {code} {graded(one)}{going_on(visible(one.message), more)}\n"


def as_pylint(diagnostics: Given, style: Style, rules: Rules = NO_RULES) -> Iterator[str]:
    """``path:line: [code] message``; the column, which that form has not, begins the message."""
    for one in diagnostics:
        place = f"{visible(relative(one.file))}:{one.line}"
        yield f"{place}: [{one.code}] column {one.column}: {graded(one)}{words(one)}\n"
