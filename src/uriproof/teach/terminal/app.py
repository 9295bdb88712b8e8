"""The application in the terminal: its screens, its themes, and how it is left.

Owns them. Imports Textual. Invariant: it is left with the terminal as it was, by Ctrl-C and Ctrl-Q
from everywhere; a key is answered while a lesson is read, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.worker import get_current_worker

from ..handle import handle
from .ask import Subject
from .explain import Explain
from .files import read_text
from .lesson import Lesson
from .lessons import Lessons, Loading, problems
from .own import Own
from .progress import Progress
from .themes import DARK, LIGHT, THEMES, by_terminal

if TYPE_CHECKING:
    from textual.timer import Timer

__all__ = ["Teach"]

_PATIENCE = 0.3
"""Seconds after which it is shown that a lesson is being read."""
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
        self._patience: Timer | None = None  # while a lesson is being read
        self._back = "explain"  # the screen from which it was asked for
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
            self.open_lesson({"lesson": self._lesson})

    @property
    def opening(self) -> bool:
        """Whether a lesson is being read."""
        return self._patience is not None

    def open_lesson(self, asked: dict[str, str]) -> None:
        """Go to a lesson, by its id, its number or its text; or show why it is none."""
        self._read()
        if not isinstance(self.screen, Loading):
            self._back = "explain" if self.screen is self.explain else "lessons"
        self._patience = self.set_timer(_PATIENCE, self._wait)
        self._ask(asked)

    @work(thread=True, exclusive=True, group="lesson")
    def _ask(self, asked: dict[str, str]) -> None:
        worker = get_current_worker()
        answer = handle({"do": "lesson", **asked})
        if not worker.is_cancelled and self.is_running:
            self.call_from_thread(self._answered, asked, answer)

    def _answered(self, asked: dict[str, str], answer: dict[str, Any]) -> None:
        self._read()
        if "error" in answer:
            if isinstance(self.screen, Loading):
                self.switch_screen(self._back)
            words = problems(answer["error"])
            self.notify(words, severity="error", timeout=30, markup=False)
            return
        lesson = answer["lesson"]
        self.progress.begin(lesson["id"], sum(len(e["steps"]) for e in lesson["exercises"]))
        if self._left is not None:
            self.uninstall_screen(self._left)
        self._left = None
        self.switch_screen(Lesson(asked, lesson))

    def _wait(self) -> None:
        if self.opening:  # not so if the answer came while this was called
            self.switch_screen(Loading())

    def _read(self) -> None:
        if self._patience is not None:
            self._patience.stop()
        self._patience = None

    def action_open_no_lesson(self) -> None:
        """Back to the list, without the lesson that is being read."""
        self._read()
        self.workers.cancel_group(self, "lesson")
        self.switch_screen("lessons")

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
