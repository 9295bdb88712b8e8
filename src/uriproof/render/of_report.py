"""One report by itself: ``str(report)``, and what a notebook shows of it.

Owns both. Imports ``report`` and ``text``; a ``Report`` asks for them by name. Invariant: passwords
are masked, and nothing of the text reaches the output but in its visible form.
"""

from __future__ import annotations

from ..report import MOST_DETAILS, Report
from ..text.columns import ELLIPSIS
from ..text.drawing import draw, visible

__all__ = ["drawing", "notebook"]


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


def notebook(report: Report) -> str:
    """The report as a drawing and tables in HTML, without scripts."""
    from ..text.page import Row, report_html

    shown = report.masked()
    listed = shown.violations[:MOST_DETAILS]
    rows = [
        Row(
            v.start,
            v.end,
            v.found,
            v.component,
            v.production,
            v.message,
            v.section,
            v.fix and v.fix.replacement,
            v.hint,
        )
        for v in listed
    ]
    spans = {name: span for name, span in shown.spans().items() if name != "authority"}
    advice = [(a.start, a.end, a.component, a.message) for a in shown.advice]
    more = len(shown.violations) - len(listed) + shown.more
    return report_html(shown.text, shown.rule, spans, rows, more, advice, shown.fixed)
