"""Reports and derivations as HTML for notebooks: a drawing, and tables of what is in it.

Owns that HTML. Imports the palette and ``drawing``. Invariant: all text is escaped; what is made
loads nothing, runs nothing and is of bounded size; nothing is shown by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from .columns import ELLIPSIS
from .drawing import short, visible
from .palette import COMPONENTS, component_class, variables

__all__ = ["Row", "derivation_html", "report_html"]

_MOST_TEXT = 2_000
_MOST_ADVICE = 20
_MOST_NOTES = 10
_QUOTED = 60
_SPACE = "␣"

# Underlines of several kinds: components are told apart without colours, too.
_LINES = {
    "scheme": "solid 2px",
    "userinfo": "dashed 2px",
    "host": "double 3px",
    "port": "dotted 2px",
    "path": "solid 1px",
    "query": "dashed 1px",
    "fragment": "dotted 3px",
}
_MONO = 'ui-monospace,"Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace'

_RULES = [
    (
        "",
        (
            "color:var(--ink);background:var(--paper);border:1px solid var(--line);"
            "border-radius:8px;margin:4px 0;padding:12px 16px;max-width:72em;"
            'font:14px/1.5 system-ui,"Segoe UI","DejaVu Sans",sans-serif;'
            "overflow-x:auto"
        ),
    ),
    ("p", "margin:0 0 8px;color:inherit"),
    (".verdict b", "font-size:15px"),
    (".verdict b.ok", "color:var(--ok)"),
    (".verdict b.bad", "color:var(--blame)"),
    (".muted", "color:var(--muted)"),
    (".text,code", f"font-family:{_MONO};color:inherit;background:none"),
    (".text", "font-size:18px;line-height:2;overflow-wrap:anywhere;margin:4px 0 8px"),
    (
        "mark",
        (
            "color:var(--blame);background:var(--wash);outline:1px solid var(--blame);"
            "outline-offset:-1px;border-radius:2px;text-decoration:underline wavy 1.5px;"
            "text-underline-offset:.25em"
        ),
    ),
    ("sup", "color:var(--blame);font-size:11px;line-height:0;margin:0 1px;user-select:none"),
    (".legend span", "margin-right:1.2em;white-space:nowrap"),
    ("table", "border-collapse:collapse;margin:4px 0 8px;font-size:13px;color:inherit"),
    ("caption", "text-align:left;font-weight:600;padding:2px 0;color:inherit"),
    (
        "th,td",
        (
            "text-align:left;vertical-align:top;padding:4px 12px 4px 0;border:0;"
            "border-bottom:1px solid var(--line);background:var(--paper);color:var(--ink)"
        ),
    ),
    ("th", "font-weight:600;color:var(--muted)"),
    ("td:nth-last-child(2)", "white-space:nowrap"),
    ("svg", "max-width:none;display:block"),
    *(
        (f".c-{name}", f"color:var(--c-{name});border-bottom:{_LINES[name]};padding-bottom:2px")
        for name in COMPONENTS
        if name in _LINES
    ),
]


class Row(NamedTuple):
    """A violation, as the table shows it."""

    start: int
    end: int
    found: str
    component: str
    production: str
    message: str
    section: str
    fix: str | None
    hint: str | None


def report_html(
    text: str,
    rule: str,
    components: Mapping[str, tuple[int, int]],
    violations: Sequence[Row],
    more: int,
    advice: Sequence[tuple[int, int, str, str]],
    fixed: str | None,
) -> str:
    """A report: the text with its components, what is blamed, and a table of it. Cost: O(n).

    ``more`` violations are counted. What is given must have its passwords masked.

    >>> page = report_html("a:<b>", "URI", {"scheme": (0, 1)}, [], 0, [], None)
    >>> "&lt;b&gt;" in page, "<b>" in page.replace('<b class="ok">', ""), "<script" in page
    (True, False, False)
    """
    lines = [f'<div class="uriproof">{_style()}']
    count = len(violations) + more
    if not violations:
        lines.append(f'<p class="verdict"><b class="ok">✓ valid {escape(rule)}</b></p>')
    else:
        words = f"{count:,} violation{'s' * (count != 1)}"
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
    if fixed is not None and violations:
        lines.append(f"<p>Fixed: <code>{_quoted(fixed, _MOST_TEXT)}</code></p>")
    if advice:
        lines.append(_advice(advice))
    return "\n".join([*lines, "</div>"])


def derivation_html(
    rule: str,
    ok: bool,
    why: str,
    svg: str,
    ambiguities: Sequence[tuple[str, str, Sequence[str], str]],
) -> str:
    """A derivation: the verdict, its drawing, and where the grammar is ambiguous."""
    verdict, mark = ("ok", "✓ valid") if ok else ("bad", "✗ invalid")
    lines = [
        f'<div class="uriproof">{_style()}',
        (
            f'<p class="verdict"><b class="{verdict}">{mark} {escape(rule)}</b>'
            f' <span class="muted">{escape(why)}</span></p>'
        ),
        svg,
    ]
    for text, name, ways, reason in ambiguities[:_MOST_NOTES]:
        choice = f" can be {' or '.join(ways)}; {ways[0]} is meant" if ways else ""
        words = f"{escape(name)}{escape(choice)}: {escape(reason)}"
        lines.append(f"<p>Ambiguous: <code>{_quoted(text)}</code> {words}</p>")
    if len(ambiguities) > _MOST_NOTES:
        rest = len(ambiguities) - _MOST_NOTES
        lines.append(f'<p class="muted">{ELLIPSIS} and {rest:,} more ambiguous places</p>')
    return "\n".join([*lines, "</div>"])


def _style() -> str:
    lines = [variables(".uriproof")]
    for selectors, declarations in _RULES:
        scoped = ",".join(f".uriproof {one}".rstrip() for one in selectors.split(","))
        lines.append(f"{scoped}{{{declarations}}}")
    return f"<style>{''.join(lines)}</style>"


def _drawn(
    text: str, components: Mapping[str, tuple[int, int]], violations: Sequence[Row]
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


def _violations(rows: Sequence[Row]) -> str:
    heads = ("", "At", "Characters", "Component", "Production", "What is wrong", "RFC", "Fix")
    lines = ["<table><caption>Violations</caption>", _row("th", heads)]
    for number, row in enumerate(rows, 1):
        message = escape(visible(row.message))
        if row.hint:
            message += f'<br><span class="muted">{escape(visible(row.hint))}</span>'
        place = f"{row.start}-{row.end}" if row.end > row.start + 1 else f"{row.start}"
        found = f"<code>{_quoted(row.found)}</code>" if row.found else "(missing)"
        fix = f"<code>{_quoted(row.fix)}</code>" if row.fix is not None else "-"
        cells = [f"{number}", place, found]
        cells += [escape(visible(row.component)), f"<code>{escape(visible(row.production))}</code>"]
        lines.append(_row("td", [*cells, message, escape(row.section) or "-", fix]))
    return "".join([*lines, "</table>"])


def _advice(advice: Sequence[tuple[int, int, str, str]]) -> str:
    lines = ["<table><caption>Advice</caption>", _row("th", ("At", "Component", "What to know"))]
    for start, end, component, message in advice[:_MOST_ADVICE]:
        place = f"{start}-{end}" if end > start + 1 else f"{start}"
        lines.append(_row("td", (place, escape(component), escape(visible(message)))))
    if len(advice) > _MOST_ADVICE:
        rest = f"{len(advice) - _MOST_ADVICE:,} more"
        lines.append(_row("td", (ELLIPSIS, "", rest)))
    return "".join([*lines, "</table>"])


def _row(tag: str, cells: Iterable[str]) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    return f"<tr>{''.join(f'<{tag}{scope}>{cell}</{tag}>' for cell in cells)}</tr>"


def _shown(text: str) -> str:
    """A text in its visible form, with open boxes for spaces, escaped."""
    return escape(visible(text).replace(" ", _SPACE))


def _quoted(text: str, most: int = _QUOTED) -> str:
    return escape(short(text, most).replace(" ", _SPACE))
