"""The file that is followed: what is wrong with it as it is now, and what an edit changed.

Owns that list and when the file is looked at. Imports Textual and the grammar of the file.
Invariant: the file is read, and its grammar worked out, on a thread; one look at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from .. import paint
from ..own import Change, Own

if TYPE_CHECKING:
    from ..explain import Explain

__all__ = ["FilePane"]

_LOOK = 0.4  # seconds between two looks
_MOST = 60  # diagnostics in the list
_NAMED = 8  # changed rules that are named


class FilePane(OptionList):
    """The diagnostics of a followed grammar."""

    @dataclass
    class Changed(Message):
        """The file is another one than before, usable or not; it has so many diagnostics."""

        own: Own
        count: int

    def __init__(self, own: Own) -> None:
        super().__init__(id="file", classes="pane", markup=False)
        self.own = own
        self.change: Change | None = None
        self._looking = False

    def on_mount(self) -> None:
        self.border_title = Content(f"file {paint.safe(self.own.file.path)}")
        self.set_interval(_LOOK, self.look)
        self.look()

    def look(self) -> None:
        """See whether the file is another one."""
        if not self._looking:
            self._looking = True
            self._look(dict(self.own.rules))

    @work(thread=True, group="file")
    def _look(self, before: dict[str, str]) -> None:
        worker, own = get_current_worker(), self.own
        screen: Explain = self.screen  # type: ignore[assignment]
        subject = screen.subject
        change: Change | None = None
        changed = False
        try:
            changed = own.changed()
            if changed and not own.broken:
                rule = subject.rule if subject.rule in own.rules else own.start
                change = own.change(before, replace(subject, rule=rule, abnf=own.abnf))
        finally:
            if not worker.is_cancelled and self.is_running:
                self.app.call_from_thread(self._looked, changed, change)

    def _looked(self, changed: bool, change: Change | None) -> None:
        self._looking = False
        if not changed:
            return
        own = self.own
        if not own.broken:
            self.change = change
        width = self.scrollable_content_region.width or self.screen.size.width - 4
        options = [Option(_state(own), disabled=True)]
        if own.why:
            options.append(Option(paint.joined(("✘ ", "$blame"), (paint.safe(own.why), ""))))
        if self.change and not own.broken:
            options.append(Option(_changed(self.change), disabled=True))
        options += (Option(paint.diagnostic(one, width)) for one in own.diagnostics[:_MOST])
        if len(own.diagnostics) > _MOST:
            more = f"… and {len(own.diagnostics) - _MOST:,} more"
            options.append(Option(more, disabled=True))
        self.clear_options()
        self.add_options(options)
        self.post_message(self.Changed(own, len(own.diagnostics)))


def _state(own: Own) -> Content:
    if not own.broken:
        words = f"✔ {len(own.rules):,} rules; it begins with {own.start}"
        return paint.joined((words, "$ok"))
    rest = "" if own.abnf is None else "; the text is explained by the last usable grammar"
    return paint.joined(("✘ This is no usable grammar now", "bold $blame"), (rest, "$text-muted"))


def _changed(change: Change) -> Content:
    """What an edit did: the rules that differ, and the verdict."""
    names = ", ".join(change.rules[:_NAMED])
    pieces: list[paint.Piece] = [("changed: ", "$text-muted"), (names, "bold")]
    if len(change.rules) > _NAMED:
        pieces.append((f" and {len(change.rules) - _NAMED} more", ""))
    words = {True: "valid", False: "invalid", None: "not checked"}
    if change.before is change.after:
        pieces.append((f"; the text is {words[change.after]} as before", ""))
        return paint.joined(*pieces)
    pieces.append((f"; the text was {words[change.before]}, and is now ", ""))
    pieces.append((words[change.after], "bold"))
    if change.decisive:
        pieces += (" by ", ""), (", ".join(change.decisive), "bold")
    return paint.joined(*pieces)
