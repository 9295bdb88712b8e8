"""A line a finding: where, the code, and what is wrong.

Owns the format ``concise``. Imports ``diagnostic`` and ``drawing``. Invariant: one line each, of
visible characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...diagnostic import Diagnostic
from ...drawing import visible
from .. import Style


def render(diagnostics: Iterable[Diagnostic], style: Style) -> Iterator[str]:
    """``file:line:column: code message``, with columns in code points."""
    for one in diagnostics:
        place = f"{visible(one.file)}:{one.line}:{one.column}"
        yield f"{place}: {one.code} {visible(one.message)}\n"
