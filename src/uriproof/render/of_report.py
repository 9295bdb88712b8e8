"""One report by itself, as text: ``str(report)``.

Owns that. Imports ``report`` and ``text``; a ``Report`` asks for it by name. Invariant: passwords
are masked, and nothing of the text reaches the output but in its visible form.
"""

from __future__ import annotations

from ..report import Report
from ..text.columns import ELLIPSIS
from ..text.drawing import draw, visible

__all__ = ["drawing"]


def drawing(report: Report) -> str:
    """The text with carets under the blamed characters, and a line for each violation."""
    shown = report.masked()
    if shown.ok:
        return f"{visible(shown.text)}\nvalid {shown.rule}"
    lines = draw(shown.text, [(v.start, v.end) for v in shown.violations])
    lines += [f"{v.start}-{v.end} {v.component}: {v.message}" for v in shown.violations]
    if shown.more:
        lines.append(f"{ELLIPSIS} and {shown.more:,} more")
    return "\n".join(lines)
