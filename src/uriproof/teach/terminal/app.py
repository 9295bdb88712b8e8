"""The application in the terminal: its screens, its themes, and how it is left.

Owns them. Imports Textual. Invariant: it is left with the terminal as it was, by Ctrl-C and Ctrl-Q
from everywhere.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from .ask import Subject
from .explain import Explain
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
        self.push_screen(self.explain)

    def action_leave(self) -> None:
        self.exit(0)

    def action_other_theme(self) -> None:
        self.theme = LIGHT if self.theme == DARK else DARK
        self.progress.theme = self.theme

    def action_lessons(self) -> None:
        """The list of lessons."""
