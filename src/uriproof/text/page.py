"""The output in notebooks: its style, and derivations as HTML.

Owns both. Imports the palette and ``drawing``. Invariant: all text is escaped; the output
loads nothing, runs nothing and is of bounded size; nothing is shown only by color.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .columns import ELLIPSIS
from .drawing import short
from .palette import COMPONENTS, variables

_MOST_NOTES = 10
_QUOTED = 60
SPACE = "␣"

# Underlines of several kinds: components can also be told apart without colors.
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


def derivation_html(
    rule: str,
    ok: bool,
    why: str,
    svg: str,
    ambiguities: Sequence[tuple[str, str, Sequence[str], str]],
) -> str:
    """A derivation: the verdict, its drawing, and the ambiguities of the grammar."""
    verdict, mark = ("ok", "✓ valid") if ok else ("bad", "✗ invalid")
    lines = [
        f'<div class="uriproof">{style()}',
        (
            f'<p class="verdict"><b class="{verdict}">{mark} {escape(rule)}</b>'
            f' <span class="muted">{escape(why)}</span></p>'
        ),
        svg,
    ]
    for text, name, ways, reason in ambiguities[:_MOST_NOTES]:
        choice = f" can be {' or '.join(ways)}; {ways[0]} is meant" if ways else ""
        words = f"{escape(name)}{escape(choice)}: {escape(reason)}"
        lines.append(f"<p>Ambiguous: <code>{quoted(text)}</code> {words}</p>")
    if len(ambiguities) > _MOST_NOTES:
        rest = len(ambiguities) - _MOST_NOTES
        lines.append(f'<p class="muted">{ELLIPSIS} and {rest:,} more ambiguous places</p>')
    return "\n".join([*lines, "</div>"])


def style() -> str:
    """The style sheet of a page, within its own element."""
    lines = [variables(".uriproof")]
    for selectors, declarations in _RULES:
        scoped = ",".join(f".uriproof {one}".rstrip() for one in selectors.split(","))
        lines.append(f"{scoped}{{{declarations}}}")
    return f"<style>{''.join(lines)}</style>"


def quoted(text: str, most: int = _QUOTED) -> str:
    """A short text in its visible form, with open boxes for spaces, escaped."""
    return escape(short(text, most).replace(" ", SPACE))
