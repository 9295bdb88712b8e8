"""What opens over a screen: the choice of a rule, a file's name, and the help.

Owns them. Imports Textual and what is asked. Invariant: Escape closes each and changes nothing.
"""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ..handle import handle
from .ask import Subject
from .paint import joined, safe

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from .rails import Piece

__all__ = ["Choose", "Help", "OpenFile"]


class _Dialog(ModalScreen[Any]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close")]

    def action_close(self) -> None:
        self.dismiss(None)


class Choose(_Dialog):
    """A grammar and one of its rules: ``(grammar, rule)``, or None."""

    def __init__(self, subject: Subject) -> None:
        super().__init__()
        self.subject = subject
        self._rules: list[dict[str, Any]] = []
        self._grammar = subject.grammar

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as dialog:
            dialog.border_title = "Which rule? Type to search, Enter takes it, Escape closes"
            dialog.can_focus = False
            yield Input(placeholder="a rule", id="search")
            with Horizontal():
                if self.subject.abnf is None:
                    yield OptionList(id="grammars", markup=False)
                yield OptionList(id="rules", markup=False)

    def on_mount(self) -> None:
        if self.subject.abnf is None:
            found = self.query_one("#grammars", OptionList)
            known = handle({"do": "grammars"})["grammars"]
            found.add_options([Option(one["name"], id=one["name"]) for one in known])
            names = [one["name"] for one in known]
            found.highlighted = names.index(self._grammar) if self._grammar in names else None
        self._load(self._grammar)
        self.query_one("#search").focus()

    def _load(self, grammar: str) -> None:
        own = {"grammar": grammar} if self.subject.abnf is None else {"abnf": self.subject.abnf}
        self._grammar = grammar
        self._rules = handle({"do": "rules", **own}).get("rules", [])
        self._list()

    def _list(self) -> None:
        wanted = self.query_one("#search", Input).value.strip().lower()
        found = self.query_one("#rules", OptionList)
        found.clear_options()
        rules = [one for one in self._rules if wanted in one["name"].lower()]
        rules.sort(key=lambda one: bool(wanted) and not one["name"].lower().startswith(wanted))
        for one in rules:
            words = joined(
                (one["name"], "bold"),
                (f"  {one['section'] or ''}", "$text-muted"),
                (f"\n  {safe(one['gloss'])}" if one["gloss"] else "", "$text-muted"),
            )
            found.add_option(Option(words, id=one["name"]))
        if rules:
            names = [one["name"] for one in rules]
            same = (
                not wanted and self.subject.rule in names and self._grammar == self.subject.grammar
            )
            found.highlighted = names.index(self.subject.rule) if same else 0

    @on(Input.Changed)
    def _search(self, event: Input.Changed) -> None:
        event.stop()
        self._list()

    @on(Input.Submitted)
    def _first(self, event: Input.Submitted) -> None:
        event.stop()
        found = self.query_one("#rules", OptionList)
        if found.highlighted is not None:
            self.dismiss((self._grammar, found.get_option_at_index(found.highlighted).id or ""))

    def on_key(self, event: Any) -> None:
        if event.key in {"up", "down"} and isinstance(self.focused, Input):
            event.stop()
            rules = self.query_one("#rules", OptionList)
            rules.action_cursor_down() if event.key == "down" else rules.action_cursor_up()

    @on(OptionList.OptionHighlighted, "#grammars")
    def _other(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_id and event.option_id != self._grammar:
            self._load(event.option_id)

    @on(OptionList.OptionSelected)
    def _taken(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_list.id == "rules":
            self.dismiss((self._grammar, event.option_id or ""))
        else:
            self.query_one("#rules").focus()


class OpenFile(_Dialog):
    """The name of a file, or None."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as dialog:
            dialog.border_title = self._title
            dialog.styles.height = 5
            yield Input(placeholder="lesson.toml", id="name")

    def on_mount(self) -> None:
        self.query_one("#name").focus()

    @on(Input.Submitted)
    def _named(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value.strip() or None)


_KEYS = 18  # columns
_HELP = (
    ("The explanation", ""),
    ("typing, pasting", "the text is checked as you type"),
    ("← → Home End", "move the cursor; the line below says what is there, and what may come there"),
    ("↑ ↓", "the production around the one shown, or the one inside it"),
    ("F2, Ctrl-R", "choose the rule that the text is checked against, or another grammar"),
    ("F4, Ctrl-T", "apply every fix; Enter on a violation applies its own"),
    ("F5, Ctrl-N", "the next view; in a wide terminal all of them are shown"),
    ("Tab, Shift-Tab", "from the text to the views and back; Escape goes to the text"),
    ("Space, Enter", "in the derivation: open and close a production"),
    ("The marks", ""),
    ("╰─host─╯", "below the text: its components"),
    ("^  +", "a character that is not allowed; a place where something is missing"),
    ("━ ┃", "in a diagram: the path that the text takes; ─ │ are the other ones"),
    ("≈", "the grammar could read this in several ways"),
    ("The lessons", ""),
    ("F3, Ctrl-L", "the lessons; they are those of the page"),
    ("↑ ↓ Enter", "take an answer, go on"),
    ("F4", "the step before"),
    ("Page up, down", "move the page of a lesson"),
    ("F7", "show the answer, at any step"),
    ("F8", "try the text of the exercise in the explanation; F3 leads back"),
    ("F9, Ctrl-O", "in the list: open a lesson of one's own, a .toml file"),
    ("Everywhere", ""),
    ("F6", "light or dark"),
    ("Ctrl-Q, Ctrl-C", "leave"),
)


class Help(_Dialog):
    """What every key does."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f1,enter", "close", "Close")]

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as dialog:
            dialog.border_title = "Help; Escape closes"
            yield Static(classes="help")

    def on_resize(self) -> None:
        """The keys and what they do, side by side."""
        self.call_after_refresh(self._write)

    def _write(self) -> None:
        page = self.query_one(Static)
        room = max(page.content_size.width - _KEYS - 2, 20)
        pieces: list[Piece] = []
        for keys, words in _HELP:
            if not words:
                pieces.append((f"{keys}\n", "bold $primary"))
                continue
            first, *rest = wrap(words, room)
            pieces += (f"  {keys:<{_KEYS}}", "bold"), (f"{first}\n", "")
            pieces += ((" " * (_KEYS + 2) + line + "\n", "") for line in rest)
        page.update(joined(*pieces))
