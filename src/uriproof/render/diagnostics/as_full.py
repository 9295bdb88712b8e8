"""Each finding with its line of the file, and carets under exactly what is meant.

Owns the format ``full``. Imports ``diagnostic`` and ``drawing``. Invariant: a caret stands under
each character that is blamed, and under no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...diagnostic import Diagnostic
from ...drawing import draw, visible
from .. import Style


def render(diagnostics: Iterable[Diagnostic], style: Style) -> Iterator[str]:
    """Where and what, the line with carets, and what was expected."""
    for one in diagnostics:
        place = f"{visible(one.file)}:{one.line}:{one.column}"
        yield f"{place}: {one.code} {visible(one.message)}\n"
        start = one.column - 1
        end = one.end_column - 1 if one.end_line == one.line else len(one.source_line)
        for line in draw(one.source_line, [(start, end)], style.width - 4):
            yield f"    {line}\n"
        if one.hint:
            yield f"    hint: {visible(one.hint)}\n"
        if one.edit is not None:
            yield f"    fix: {visible(one.edit.replacement)}\n"
        yield "\n"
