"""HTML: the head of a page, the style of output in notebooks, and derivations.

Owns these; the rules of the style are in ``notebook.css``. Imports the palette and ``drawing``.
Invariant: all text is escaped; the output loads nothing, runs nothing and is of bounded size;
nothing is shown only by color.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path

from .columns import ELLIPSIS
from .drawing import short
from .palette import variables

_MOST_NOTES = 10
_QUOTED = 60
SPACE = "␣"


def head(title: str, sheet: str) -> str:
    """A page up to its body, which follows; title and style sheet are HTML."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{sheet}</style>\n</head>\n<body>"
    )


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


@cache
def style() -> str:
    """The style sheet of a page, within its own element."""
    sheet = Path(__file__).with_name("notebook.css").read_text("utf-8")
    one_line = "".join(map(str.strip, sheet.splitlines()))  # it is in each output of a notebook
    return f"<style>{variables('.uriproof')}{one_line}</style>"


def quoted(text: str, most: int = _QUOTED) -> str:
    """A short text in its visible form, with open boxes for spaces, escaped."""
    return escape(short(text, most).replace(" ", SPACE))
