"""A single report as HTML for notebooks: a drawing, and tables of its contents.

Owns that HTML. Imports ``report`` and ``text``; a ``Report`` asks for it by name. Invariant:
passwords are masked, and all text is escaped; the output loads nothing, runs nothing and is of
bounded size; nothing is shown only by color.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ..limits import MOST_DETAILS
from ..report import Advice, Report, Violation
from ..text.columns import ELLIPSIS
from ..text.drawing import visible
from ..text.facts import span
from ..text.names import some
from ..text.page import SPACE, quoted, style
from ..text.palette import component_class

_MOST_TEXT = 2_000
_MOST_ADVICE = 20


def notebook(report: Report) -> str:
    """The report as HTML without scripts: the text with its components and blamed characters, and a
    table of it. Cost: O(n).

    >>> from uriproof import check
    >>> page = notebook(check("a:<b>"))
    >>> "&lt;" in page, "<b>" in page.replace('<b class="bad">', ""), "<script" in page
    (True, False, False)
    """
    shown = report.masked()
    text, rule, violations = shown.text, shown.rule, shown.violations[:MOST_DETAILS]
    components = {name: span for name, span in shown.spans().items() if name != "authority"}
    more = len(shown.violations) - len(violations) + shown.more
    lines = [f'<div class="uriproof">{style()}']
    count = len(violations) + more
    if not violations:
        lines.append(f'<p class="verdict"><b class="ok">✓ valid {escape(rule)}</b></p>')
    else:
        words = some(count, "violation")
        verdict = f'<b class="bad">✗ invalid {escape(rule)}</b> <span class="muted">{words}</span>'
        lines.append(f'<p class="verdict">{verdict}</p>')
    lines.append(f'<p class="text">{"".join(_drawn(text, components, violations))}</p>')
    if components:
        names = "".join(
            f'<span class="{component_class(name)}">{escape(name)}</span>' for name in components
        )
        lines.append(f'<p class="legend">{names}</p>')
    if violations:
        lines.append(_violations(violations))
    if more:
        lines.append(f'<p class="muted">{ELLIPSIS} and {more:,} more</p>')
    if shown.suggestions and violations:
        texts = ", or ".join(
            f"<code>{quoted(s.text, _MOST_TEXT)}</code>" for s in shown.suggestions
        )
        lines.append(f"<p>{escape(shown.suggestions[0].reason)} Did you mean {texts}?</p>")
    if shown.fixed is not None and violations:
        lines.append(f"<p>Fixed: <code>{quoted(shown.fixed, _MOST_TEXT)}</code></p>")
    if shown.advice:
        lines.append(_advice(shown.advice))
    return "\n".join([*lines, "</div>"])


def _drawn(
    text: str, components: dict[str, tuple[int, int]], violations: Sequence[Violation]
) -> Iterator[str]:
    """The text as spans of one component, blamed or not, with the number of each violation."""
    end = min(len(text), _MOST_TEXT)
    owners = [""] * end
    for name, (first, last) in components.items():
        owners[first:last] = [component_class(name)] * (min(last, end) - min(first, end))
    at = 0
    for number, row in enumerate(violations, 1):
        if row.start >= end and row.start < len(text):
            break
        yield from _plain(text, owners, at, min(row.start, end))
        shown = _shown(text[row.start : min(row.end, end)])
        label = f"violation {number}: {row.message}"
        if row.start == row.end:
            shown = "+"
        yield f'<mark title="{escape(visible(label))}">{shown}</mark><sup>{number}</sup>'
        at = min(row.end, end)
    yield from _plain(text, owners, at, end)
    if end < len(text):
        yield f'<span class="muted">{ELLIPSIS} {len(text) - end:,} more characters</span>'


def _plain(text: str, owners: Sequence[str], start: int, end: int) -> Iterator[str]:
    while start < end:
        last = start
        while last < end and owners[last] == owners[start]:
            last += 1
        shown = _shown(text[start:last])
        name = owners[start].removeprefix("c-")
        yield f'<span class="{owners[start]}" title="{name}">{shown}</span>' if name else shown
        start = last


def _violations(rows: Sequence[Violation]) -> str:
    heads = ("", "At", "Characters", "Component", "Production", "Violation", "RFC", "Fix")
    lines = ["<table><caption>Violations</caption>", _row("th", heads)]
    for number, row in enumerate(rows, 1):
        message = escape(visible(row.message))
        if row.hint:
            message += f'<br><span class="muted">{escape(visible(row.hint))}</span>'
        found = f"<code>{quoted(row.found)}</code>" if row.found else "(missing)"
        fix = f"<code>{quoted(row.fix.replacement)}</code>" if row.fix is not None else "-"
        cells = [f"{number}", span(row.start, row.end), found]
        cells += [escape(visible(row.component)), f"<code>{escape(visible(row.production))}</code>"]
        lines.append(_row("td", [*cells, message, escape(row.section) or "-", fix]))
    return "".join([*lines, "</table>"])


def _advice(advice: Sequence[Advice]) -> str:
    lines = ["<table><caption>Advice</caption>", _row("th", ("At", "Component", "Message"))]
    for start, end, component, _, message in advice[:_MOST_ADVICE]:
        lines.append(_row("td", (span(start, end), escape(component), escape(visible(message)))))
    if len(advice) > _MOST_ADVICE:
        rest = f"{len(advice) - _MOST_ADVICE:,} more"
        lines.append(_row("td", (ELLIPSIS, "", rest)))
    return "".join([*lines, "</table>"])


def _row(tag: str, cells: Iterable[str]) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    return f"<tr>{''.join(f'<{tag}{scope}>{cell}</{tag}>' for cell in cells)}</tr>"


def _shown(text: str) -> str:
    """A text in its visible form, with open boxes for spaces, escaped."""
    return escape(visible(text).replace(" ", SPACE))
