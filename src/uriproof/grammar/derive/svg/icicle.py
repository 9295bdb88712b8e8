"""A derivation as an icicle: bars under the text, each as wide as the text it derives.

Owns that layout. Imports the common parts of drawings. Invariant: a bar is under exactly the
characters that its rule derives.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ....text.columns import ELLIPSIS, columns, cut, width
from .drawing import BLAME, FILL, LETTER, MARGIN, Drawing, component_of, seen
from .outline import Box

_BAR = 22.0
_MOST_TEXT = 240
"""Characters that there is room for."""
_NARROW = 3
"""Letters of a name below which it is left out."""


class Icicle(Drawing):
    """The text in one line, and below each character the bars of the rules that derive it."""

    def body(self) -> Iterator[str]:
        found = self.found
        text = found.text[:_MOST_TEXT]
        self._columns = [c * LETTER * 1.25 for c in columns(text)]
        self._end = len(text)
        self.width = self._columns[-1] + 2 * MARGIN
        rows = 0
        out: list[str] = []
        waiting: list[tuple[Box, int, str]] = [(self.top, 0, "")]
        while waiting:
            box, row, around = waiting.pop()
            component = around
            for name in box.names:
                component = BLAME if box.fault else component_of([name], component)
                out.append(self._bar(name, box, row, component))
                row += 1
            rows = max(rows, row)
            waiting += ((child, row, component) for child in box.children if not child.is_leaf)
        top = MARGIN + 30
        self.height = top + rows * _BAR + MARGIN
        yield from self._text(text)
        yield from out

    def _text(self, text: str) -> Iterator[str]:
        owners = self._owners()
        for offset, char in enumerate(text):
            component = owners.get(offset, "")
            left, right = (MARGIN + self._columns[at] for at in (offset, offset + 1))
            yield (
                f"{self.group('leaf', component, offset, offset + 1)}<text"
                f' x="{(left + right) / 2:g}" y="{MARGIN + 16:g}" font-size="16" font-weight="bold"'
                f' text-anchor="middle" fill="currentColor" xml:space="preserve">'
                f"{escape(seen(char))}</text>"
            )
            if component == BLAME:
                yield self.wave(left, MARGIN + 24, right - left)
            yield "</g>"
        if len(self.found.text) > self._end:
            yield (
                f'<text class="note" x="{self.width - MARGIN:g}" y="{MARGIN + 16:g}"'
                f' font-size="16" fill="currentColor">{ELLIPSIS}</text>'
            )
            self.width += MARGIN

    def _owners(self) -> dict[int, str]:
        """The component of each character."""
        owners: dict[int, str] = {}
        waiting: list[tuple[Box, str]] = [(self.top, "")]
        while waiting:
            box, around = waiting.pop()
            component = BLAME if box.fault else component_of(box.names, around)
            if component:
                owners.update(dict.fromkeys(range(box.start, min(box.end, self._end)), component))
            waiting += ((child, component) for child in box.children)
        return owners

    def _bar(self, name: str, box: Box, row: int, component: str) -> str:
        start, end = (self._columns[min(at, self._end)] for at in (box.start, box.end))
        wide = max(end - start - 2, 3)
        x, y = MARGIN + start + 1, MARGIN + 30 + row * _BAR
        room = int((wide - 6) / 7.0)
        shown = seen(name)
        label = shown if width(shown) <= room else cut(shown, room) if room >= _NARROW else ""
        dashed = "" if box.whole else ' stroke-dasharray="5 3"'
        words = (
            f'<text x="{x + wide / 2:g}" y="{y + 14.5:g}" font-size="11.5" text-anchor="middle"'
            f' fill="currentColor">{escape(label)}</text>'
        )
        return (
            f"{self.group('box', component, box.start, box.end)}{self.title([name])}"
            f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{_BAR - 2:g}" rx="4"'
            f' {FILL} stroke-width="1.2"{dashed}/>'
            f"{words if label else ''}</g>"
        )
