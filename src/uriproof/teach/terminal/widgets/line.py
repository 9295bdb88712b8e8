r"""The text that is typed, and under it what each character is: one editable line of three rows.

Owns how a text is edited and drawn. Imports Textual and the visible form of texts. Invariant:
``value`` is exactly what was typed or pasted, control characters included; what is drawn of it is
its visible form, and only as much as there is room for, however long it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Input

from ....text.columns import ELLIPSIS, cells, width
from ..ask import Seen

if TYPE_CHECKING:
    from textual import events
    from textual.widgets.input import Selection

__all__ = ["TextLine"]

_NAMES = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")


class _Cell(NamedTuple):
    offset: int
    shown: str
    taken: int


class TextLine(Input):
    """The text in its colours; below, the names of its components and carets where it is wrong."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "text--blamed",
        "text--muted",
        "text--cursor",
        "text--selected",
        *(f"c--{name}" for name in _NAMES),
    }

    def __init__(self, value: str = "", *, id: str = "text") -> None:
        self._left = 0  # the offset of the first character that is drawn
        self._about: list[tuple[str, bool]] = []  # of each character: its component, and blamed?
        self._missing: set[int] = set()
        self._styled: dict[str, str] = {}  # of components without a colour of their own
        self._before = value
        super().__init__(value, placeholder="type a text", select_on_focus=False, id=id)

    # What is known of the text.

    def show(self, seen: Seen) -> None:
        """Draw what is known; of a text that has been edited since, as far as it is the same."""
        text = seen.subject.text
        about = [("", False)] * len(text)
        self._styled = {}
        for number, span in enumerate(seen.spans()):
            about[span.start : span.end] = [(span.name, False)] * (span.end - span.start)
            if span.name not in _NAMES:
                self._styled[span.name] = _NAMES[(number * 3) % len(_NAMES)]
        self._missing = set()
        for one in seen.violations:
            for offset in range(one["start"], one["end"]):
                about[offset] = about[offset][0], True
            if one["start"] == one["end"]:
                self._missing.add(one["start"])
        self._about = about
        self._before = text
        self._move_along(self.value)
        self.refresh()

    def _watch_value(self, value: str) -> None:
        self._move_along(value)
        super()._watch_value(value)

    def _move_along(self, value: str) -> None:
        """Keep what is known of the characters before and after an edit, until there is more."""
        before = self._before
        if value == before:
            return
        same = _common(before, value)
        end = _common(before[same:][::-1], value[same:][::-1])
        inserted = len(value) - same - end
        near = self._about[same - 1][0] if 0 < same <= len(self._about) else ""
        kept = self._about[len(self._about) - end :] if end else []
        self._about = [*self._about[:same], *[(near, False)] * inserted, *kept]
        moved = len(value) - len(before)
        self._missing = {
            at if at <= same else at + moved
            for at in self._missing
            if at <= same or at >= len(before) - end
        }
        self._before = value

    @dataclass
    class Moved(Message):
        """The cursor is at another character."""

        at: int

    def _watch_selection(self, selection: Selection) -> None:
        super()._watch_selection(selection)
        self.post_message(self.Moved(selection.end))

    # Editing: as an input does, but for pastes of several lines and its own way to scroll.

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        if event.text:
            self.replace(event.text, *self.selection)

    @property
    def content_width(self) -> int:
        return max(self.content_size.width, 1)

    @property
    def _cursor_offset(self) -> int:
        return 0  # what there is to be scrolled, is drawn so

    @property
    def cursor_screen_offset(self) -> Offset:
        x, y, *_ = self.content_region
        return Offset(x + self.column(self.cursor_position), y)

    def _cell_offset_to_index(self, offset: int) -> int:
        at = 1
        for cell in self._window():
            if offset < at + cell.taken:
                return cell.offset
            at += cell.taken
        return len(self.value)

    # Drawing.

    @property
    def _room(self) -> int:
        return max(self.content_size.width - 2, 8)  # an ellipsis may stand at either end

    def _scrolled(self) -> int:
        """The first offset to draw: the one before, unless the cursor would not be seen."""
        cursor, room = self.cursor_position, self._room
        left = min(self._left, cursor, len(self.value))
        taken, first = 1, cursor
        while first > left and (taken := taken + _taken(self.value[first - 1])) <= room:
            first -= 1
        left = first
        # Nothing stays hidden at the left while there is room for it at the right.
        if left and len(self.value) - left <= room:
            taken = 1 + sum(columns for _, columns in cells(self.value[left:]))
            while left and taken + _taken(self.value[left - 1]) <= room:
                left -= 1
                taken += _taken(self.value[left])
        self._left = left
        return left

    def _window(self) -> list[_Cell]:
        left, room = self._scrolled(), self._room
        found: list[_Cell] = []
        taken = 0
        for offset, (shown, columns) in enumerate(cells(self.value[left : left + room]), left):
            if taken + columns > room:
                break
            found.append(_Cell(offset, shown, columns))
            taken += columns
        return found

    def column(self, offset: int) -> int:
        """The column that a character is drawn in, from the left of the line."""
        return 1 + sum(cell.taken for cell in self._window() if cell.offset < offset)

    def render_line(self, y: int) -> Strip:
        rows = (self._text, self._components, self._carets)
        segments = rows[y](self._window()) if y < len(rows) else ()
        strip = Strip(segments).adjust_cell_length(self.content_size.width, self.rich_style)
        return strip.apply_style(self.rich_style)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(name, partial=True)

    def _colour(self, component: str) -> Style:
        if not component:
            return Style.null()
        return self._style(f"c--{self._styled.get(component, component)}")

    def _known(self, offset: int) -> tuple[str, bool]:
        return self._about[offset] if offset < len(self._about) else ("", False)

    def _text(self, window: list[_Cell]) -> Iterable[Segment]:
        cut = self._style("text--muted")
        yield Segment(ELLIPSIS if self._left else " ", cut)
        low, high = sorted(self.selection)
        cursor = self.cursor_position if self.has_focus and self._cursor_visible else -1
        if not self.value:
            shown = self.placeholder
            yield Segment(shown[:1], cut + (self._style("text--cursor") if cursor >= 0 else cut))
            yield Segment(shown[1:], cut)
            return
        for cell in window:
            component, blamed = self._known(cell.offset)
            style = self._colour(component)
            if blamed:
                style += self._style("text--blamed") + Style(underline=True)
            if low <= cell.offset < high:
                style += self._style("text--selected")
            if cell.offset == cursor:
                style += self._style("text--cursor")
            yield Segment(cell.shown, style)
        end = window[-1].offset + 1 if window else 0
        if end < len(self.value):
            yield Segment(ELLIPSIS, cut)
        elif cursor == len(self.value):
            yield Segment(" ", self._style("text--cursor"))

    def _components(self, window: list[_Cell]) -> Iterable[Segment]:
        """A bracket below each component, with its name as far as there is room for it."""
        yield Segment(" ")
        for name, run in groupby(window, lambda cell: self._known(cell.offset)[0]):
            room = sum(cell.taken for cell in run)
            yield Segment(_bracket(name, room) if name else " " * room, self._colour(name))

    def _carets(self, window: list[_Cell]) -> Iterable[Segment]:
        """``^`` under what is blamed, ``+`` where something is missing."""
        style = self._style("text--blamed")
        yield Segment(" ")
        for cell in window:
            missing = cell.offset in self._missing
            mark = "^" if self._known(cell.offset)[1] else " "
            yield Segment(("+" if missing else mark)[: cell.taken], style)
            yield Segment(mark * (cell.taken - 1))
        end = window[-1].offset + 1 if window else 0
        if end >= len(self.value) and len(self.value) in self._missing:
            yield Segment("+", style)


def _common(one: str, other: str) -> int:
    """The length of what two texts both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _taken(char: str) -> int:
    return sum(columns for _, columns in cells(char))


def _bracket(name: str, room: int) -> str:
    r"""A name in a bracket of so many columns; where the bracket finds no room, the name.

    >>> _bracket("host", 8), _bracket("path", 4), _bracket("scheme", 4), _bracket("port", 2)
    ('╰─host─╯', 'path', 'sche', 'po')
    """
    if room < width(name) + 2:
        return name[:room].ljust(room, "─")
    return f"╰{name.center(room - 2, '─')}╯"
