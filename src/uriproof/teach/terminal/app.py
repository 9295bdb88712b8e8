"""The application in the terminal: its screens, its themes, and how it is left.

Owns them. Imports Textual. Invariant: it is left with the terminal as it was, by Ctrl-C and Ctrl-Q
from everywhere.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from ..handle import handle
from .ask import Subject
from .explain import Explain
from .files import read_text
from .lesson import Lesson
from .lessons import Lessons, problems
from .own import Own
from .progress import Progress
from .themes import DARK, LIGHT, THEMES, by_terminal

__all__ = ["Teach"]

_FIRST = "http://user@example.com:8042/over/there?name=ferret#nose"


class Teach(App[int]):
    """The explanation and the lessons. ``progress`` is where a person's own is kept."""

    TITLE = "uriproof"
    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "leave", "Leave", key_display="^Q", priority=True),
    ]

    def __init__(
        self,
        lesson: str | None = None,
        file: str | None = None,
        *,
        text: str = _FIRST,
        progress: Progress | None = None,
    ) -> None:
        super().__init__()
        self._lesson, self._file, self._text = lesson, file, text
        self.progress = progress or Progress()
        self._left: Lesson | None = None  # the lesson that was left to try a text
        for theme in THEMES:
            self.register_theme(theme)
        chosen = self.progress.theme
        self.theme = chosen if chosen in {DARK, LIGHT} else by_terminal()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(THEMES[0].variables)  # for the moment before a theme is taken

    def on_mount(self) -> None:
        own = None
        if self._file is not None and not self._file.endswith(".toml"):
            own = Own(self._file)
        self.explain = Explain(Subject(self._text), own)
        self.install_screen(self.explain, "explain")
        self.install_screen(Lessons(), "lessons")
        self.push_screen("explain")
        if self._file is not None and own is None:
            try:
                self.open_lesson({"source": read_text(self._file)})
            except OSError as error:
                self.notify(error.strerror or str(error), severity="error", markup=False)
        elif self._lesson is not None:
            self.open_lesson({"lesson": self._named(self._lesson)})

    def _named(self, lesson: str) -> str:
        """The id of a lesson that was given by its number, too."""
        known = handle({"do": "lessons"}).get("lessons", [])
        return next((one["id"] for one in known if str(one["number"]) == lesson), lesson)

    def open_lesson(self, asked: dict[str, str]) -> None:
        """Go to a lesson, by its id or its text; or show why it is none."""
        answer = handle({"do": "lesson", **asked})
        if "error" in answer:
            words = problems(answer["error"])
            self.notify(words, severity="error", timeout=30, markup=False)
            return
        lesson = answer["lesson"]
        self.progress.begin(lesson["id"], sum(len(e["steps"]) for e in lesson["exercises"]))
        if self._left is not None:
            self.uninstall_screen(self._left)
        self._left = None
        self.switch_screen(Lesson(asked, lesson))

    def try_text(self, subject: Subject) -> None:
        """Explain a text of a lesson, to which F3 leads back."""
        if isinstance(self.screen, Lesson) and self._left is None:
            self._left = self.screen
            self.install_screen(self._left, "lesson")
        self.explain.check(subject)
        self.switch_screen("explain")

    def action_leave(self) -> None:
        self.exit(0)

    def action_other_theme(self) -> None:
        self.theme = LIGHT if self.theme == DARK else DARK
        self.progress.theme = self.theme

    def action_lessons(self) -> None:
        """The list of lessons; from a text that was tried, back to its lesson."""
        back = self._left is not None and self.screen is self.explain
        self.switch_screen("lesson" if back else "lessons")

    def action_explanation(self) -> None:
        self.switch_screen("explain")
