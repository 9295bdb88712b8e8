"""Each diagnostic with its line of the file, and carets under exactly what is meant.

Owns the format ``full``. Imports ``diagnostic`` and ``drawing``. Invariant: a caret stands under
each character that is blamed and under no other, and no line needs colour to be understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from ...diagnostic import Diagnostic
from ...text.drawing import draw, visible
from .. import Style
from . import NO_RULES, Rules
from ._records import COLOURS, fix_of, place_of

_BOLD, _CYAN, _GREEN = "1", "36", "32"


def render(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """Where and what; the line with carets; the component and production; what was expected; the
    hint and the fix. A blank line ends each diagnostic."""
    for one in diagnostics:
        yield "\n".join(_page(one, style)) + "\n\n"


def _page(one: Diagnostic, style: Style) -> Iterator[str]:
    paint = style.paint
    colour = COLOURS[one.severity]
    yield f"{paint(place_of(one), _BOLD)}: {paint(one.code, colour)} {visible(one.message)}"
    number = str(one.line)
    gutter = " " * (len(number) + 1)
    bar = paint("|", _CYAN)
    if one.source_line and not one.source_line.isspace():
        line, spans = _line(one)
        yield f"{gutter}{bar}"
        first = f"{paint(number, _CYAN)} {bar} "
        for drawn in draw(line, spans, max(style.width - len(gutter) - 2, 20)):
            marks = not drawn.strip("^+ ")
            yield (
                first + drawn if first else f"{gutter}{bar} {paint(drawn, colour if marks else '')}"
            )
            first = ""
    for label, text, shade in _facts(one):
        yield f"{gutter}{paint('=', _CYAN)} {paint(label, _BOLD)}: {paint(text, shade)}"


def _line(one: Diagnostic) -> tuple[str, list[tuple[int, int]]]:
    """The source line without its indentation, and the span in it."""
    line, start = one.source_line, one.column - 1
    end = one.end_column - 1 if one.end_line == one.line else len(line)
    shown = _unindented(line)
    indent = len(line) - len(shown)
    if start < indent:
        indent, shown = start, line[start:]
    return shown, [(start - indent, max(end, start) - indent)]


@lru_cache(2)
def _unindented(line: str) -> str:
    """A line without its indentation; made once for all that is found in one long line."""
    return line.lstrip(" \t")


def _facts(one: Diagnostic) -> Iterator[tuple[str, str, str]]:
    """Labelled lines: where in the grammar, what was expected, hint, fix."""
    where = one.component
    if one.production and one.production != one.component:
        where += f" ({one.production})"
    if one.section:
        where += f", {one.section}" if where else one.section
    if where:
        yield "in", visible(where), ""
    if not all(element in one.message for element in one.expected):  # most messages end with them
        yield "expected", visible(" / ".join(one.expected)), ""
    if one.hint:
        yield "hint", visible(one.hint), ""
    fix = fix_of(one)
    if fix:
        yield "fix", fix, _GREEN
