"""The plots of a report: SVG as wide as the page, with letters of the same size on any.

Owns the drawings. Imports how numbers are written. Invariant: a plot is self-contained, with a
title and its figures in words; lengths are shares of the width, so that no letter is scaled; all
text is escaped; colors are the page's, by class.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from ....text.drawing import short

__all__ = ["Bar", "bars", "cell", "histogram", "strip"]

_ROW = 40  # pixels of a bar with its name
_THICK = 12
_LEAST = 0.5  # percent of the width: any value but 0 is visible
_NAME = 28  # characters of a name
_TALL = 120  # pixels of the highest column


class Bar(NamedTuple):
    """A name, its value, the words for the value, and a class for its color."""

    name: str
    value: int
    words: str
    kind: str = ""


def bars(name: str, title: str, rows: Sequence[Bar]) -> str:
    """Bars below each other, each under its name and its value. ``name`` is for ids.

    >>> svg = bars("a", "Two", [Bar("x<y", 2, "2"), Bar("z", 1, "1")])
    >>> 'width="50%"' in svg, "x&lt;y" in svg
    (True, True)
    """
    most = max((row.value for row in rows), default=0)
    out = []
    for number, row in enumerate(rows):
        y = number * _ROW
        kind = f" {row.kind}" if row.kind else ""
        out.append(f'<text x="0" y="{y + 14}">{escape(short(row.name, _NAME))}</text>')
        out.append(f'<text class="value" x="100%" y="{y + 14}">{escape(row.words)}</text>')
        out.append(f'<rect class="track" y="{y + 20}" width="100%" height="{_THICK}"/>')
        width = _share(row.value, most)
        out.append(f'<rect class="bar{kind}" y="{y + 20}" width="{width}" height="{_THICK}"/>')
    return _svg(name, title, rows, max(len(rows), 1) * _ROW, out)


def histogram(name: str, title: str, rows: Sequence[Bar]) -> str:
    """Columns side by side, each over its name and under its value.

    >>> histogram("a", "One", [Bar("<1%", 3, "3")]).count("<rect")
    1
    """
    most = max((row.value for row in rows), default=0) or 1
    each = 100 / (len(rows) or 1)
    base = _TALL + 24
    out = [f'<line x1="0" x2="100%" y1="{base}" y2="{base}"/>']
    for number, row in enumerate(rows):
        middle = f"{(number + 0.5) * each:.2f}%"
        height = max(row.value / most * _TALL, 2) if row.value else 0
        kind = f" {row.kind}" if row.kind else ""
        out.append(
            f'<rect class="bar{kind}" x="{(number + 0.15) * each:.2f}%" y="{base - height:.1f}"'
            f' width="{0.7 * each:.2f}%" height="{height:.1f}"/>'
        )
        out.append(
            f'<text class="middle" x="{middle}" y="{base - height - 6:.1f}">'
            f"{escape(row.words)}</text>"
        )
        out.append(f'<text class="middle" x="{middle}" y="{base + 18}">{escape(row.name)}</text>')
    return _svg(name, title, rows, base + 26, out)


def strip(name: str, title: str, rows: Sequence[Bar]) -> str:
    """One bar divided like a whole, from left to right; any part but 0 is visible.

    >>> strip("a", "All", [Bar("x", 1, "1"), Bar("y", 10**9, "most"), Bar("z", 0, "0")]).count("<r")
    2
    """
    whole = sum(row.value for row in rows) or 1
    shares = [max(100 * row.value / whole, _LEAST) if row.value else 0.0 for row in rows]
    shares = [100 * share / (sum(shares) or 1) for share in shares]
    out, x = [], 0.0
    for row, share in zip(rows, shares, strict=True):
        if share:
            out.append(
                f'<rect class="bar {row.kind}" x="{x:.3f}%" width="{share:.3f}%" height="28"/>'
            )
        x += share
    return _svg(name, title, rows, 28, out)


def cell(value: int, most: int, kind: str = "invalid") -> str:
    """A bar below a name in a table, which has the value in words: hidden from screen readers."""
    width = _share(value, most)
    return (
        '<svg class="cell" width="100%" height="6" aria-hidden="true">'
        f'<rect class="track" width="100%" height="6"/>'
        f'<rect class="bar {kind}" width="{width}" height="6"/></svg>'
    )


def _share(value: int, most: int) -> str:
    return f"{max(100 * value / most, _LEAST) if value else 0:.4g}%"


def _svg(name: str, title: str, rows: Iterable[Bar], height: float, out: list[str]) -> str:
    words = "; ".join(f"{short(row.name, _NAME)}: {row.words}" for row in rows)
    return "\n".join(
        [
            (
                f'<svg class="plot" role="img" aria-labelledby="{name}-title {name}-words"'
                f' width="100%" height="{height:g}">'
            ),
            f'<title id="{name}-title">{escape(title)}</title>',
            f'<desc id="{name}-words">{escape(words or "Nothing.")}</desc>',
            *out,
            "</svg>",
        ]
    )
