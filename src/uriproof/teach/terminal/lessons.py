"""The lessons: a list with how far a person is, and a way to open one's own.

Owns that screen, and the one that is shown while a lesson is read. Imports Textual and what is
asked. Invariant: a file that is no lesson is answered with what is wrong in it, line by line, and
nothing else changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from ...text.drawing import visible
from ..handle import handle
from .dialogs import Help, OpenFile
from .files import read_text
from .paint import joined, safe

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from .app import Teach
    from .rails import Piece

__all__ = ["Lessons", "Loading"]


class Lessons(Screen[None]):
    """All lessons; Enter opens one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", key_display="F1"),
        Binding("f3,escape", "app.explanation", "Explanation", key_display="F3"),
        Binding("f6", "app.other_theme", "Light/dark", key_display="F6"),
        Binding("f9,ctrl+o", "open", "Open a lesson", key_display="F9"),
    ]

    app: Teach
    lessons: list[dict[str, Any]] | None = None  # once they are read

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield OptionList(id="lessons", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#title", Static).update(
            joined(("uriproof", "bold $primary"), ("  lessons: URIs by RFC 3986", ""))
        )

    def on_screen_resume(self) -> None:
        """The list; the lessons are read when it is first shown."""
        if self.lessons is not None:
            self._show(self.lessons)
            return
        self.query_one("#lessons", OptionList).border_title = "the lessons are being read …"
        self._ask()

    @work(thread=True, exclusive=True, group="list")
    def _ask(self) -> None:
        worker = get_current_worker()
        answer = handle({"do": "lessons"})
        if not worker.is_cancelled and self.is_running:
            self.app.call_from_thread(self._answered, answer)

    def _answered(self, answer: dict[str, Any]) -> None:
        if "error" in answer:
            found = self.query_one("#lessons", OptionList)
            found.clear_options()
            found.add_option(Option(safe(answer["error"]["message"]), disabled=True))
            return
        self.lessons = answer["lessons"]
        self._show(self.lessons)

    def _show(self, lessons: list[dict[str, Any]]) -> None:
        """The list, with how far a person is by now."""
        found = self.query_one("#lessons", OptionList)
        at = found.highlighted
        found.clear_options()
        marks = {one["id"]: self.app.progress.mark(one["id"]) for one in lessons}
        for one in lessons:
            sign, words = marks[one["id"]]
            number = f"{one['number']:>2}  " if one["number"] else "    "
            section = one["section"]
            pieces: list[Piece] = [
                (f"{sign} ", "$ok" if sign == "✔" else "$text-muted"),
                (number, "bold"),
                (safe(one["title"]), "bold"),
                (f"  {'' if section.startswith('RFC') else '§'}{safe(section)}", "$text-muted"),
                (f"  {words}", "$text-muted"),
                (f"\n      {safe(one['concept'])}", ""),
            ]
            found.add_option(Option(joined(*pieces), id=one["id"]))
        left = (i for i, one in enumerate(lessons) if marks[one["id"]][0] != "✔")
        found.highlighted = at if at is not None else next(left, 0)
        found.border_title = "Enter opens a lesson; ✔ done, ◐ begun"
        found.focus()

    @on(OptionList.OptionSelected)
    def _opened(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.app.open_lesson({"lesson": event.option_id or ""})

    def action_open(self) -> None:
        """A teacher's lesson."""

        def named(path: str | None) -> None:
            if path is None:
                return
            try:
                self.app.open_lesson({"source": read_text(path)})
            except OSError as error:
                words = f"{visible(path)} cannot be read: {error.strerror or error}"
                self.notify(words, severity="error", markup=False)

        self.app.push_screen(OpenFile("The file of a lesson; Escape closes"), named)

    def action_help(self) -> None:
        self.app.push_screen(Help())


class Loading(Screen[None]):
    """What is shown while a lesson is read; Escape leads to the list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f3,escape", "app.open_no_lesson", "Lessons", key_display="F3"),
    ]

    def compose(self) -> ComposeResult:
        yield Static("The lesson is being read …", id="title")
        yield Footer()


def problems(error: dict[str, Any]) -> str:
    """What is wrong with a lesson's file, a line each."""
    lines = [safe(error["message"])]
    for one in error.get("problems", [])[:20]:
        place = f"line {one['line']}: " if one.get("line") else ""
        key = f"{one['key']}: " if one.get("key") else ""
        lines.append(safe(f"{place}{key}{one['message']}"))
    return "\n".join(lines)
