"""The live explanation: what is typed, what it is, what is wrong, and why.

Owns the screen. Imports Textual, what is asked of a text and how it is painted. Invariant: no
request is made on the thread that draws; of several texts typed meanwhile, only the last is asked
about, and an answer to another text than the one on the screen is not shown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static, Tab, Tabs, Tree
from textual.worker import get_current_worker

from . import paint
from .ask import Seen, Subject, explained, looked_at, next_here
from .dialogs import Choose, Help
from .own import Own
from .widgets.derivation import Derivation
from .widgets.follow import FilePane
from .widgets.line import TextLine
from .widgets.violations import Violations

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.timer import Timer

    from .app import Teach

__all__ = ["Explain"]

_PAUSE = 0.08  # seconds without a key before a text is asked about
_PANES = ("violations", "derivation", "production", "file")


class Explain(Screen[None]):
    """A text on top; its violations and advice, its derivation and a production below."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 -- as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", key_display="F1"),
        Binding("f2,ctrl+r", "choose", "Rule", key_display="F2"),
        Binding("f3,ctrl+l", "lessons", "Lessons", key_display="F3"),
        Binding("f4,ctrl+t", "fix_all", "Fix all", key_display="F4"),
        Binding("f5,ctrl+n", "next_pane", "View", key_display="F5"),
        Binding("f6", "theme", "Light/dark", key_display="F6"),
        Binding("escape", "back_to_text", "Text", show=False),
    ]

    app: Teach

    def __init__(self, subject: Subject, own: Own | None = None) -> None:
        super().__init__(id="explain")
        self.subject = subject
        self.own = own
        self.seen = Seen(subject)
        self.shown: tuple[int | None, str] = (None, "")  # the node and the rule of the production
        self._timer: Timer | None = None
        self._busy = self._again = False
        self._around = 0  # how many productions around the innermost telling one
        self._following: list[tuple[str, str, str]] = []

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield TextLine(self.subject.text)
        yield Static(id="here")
        tabs = [Tab("Violations", id="violations-tab"), Tab("Derivation", id="derivation-tab")]
        tabs.append(Tab("Production", id="production-tab"))
        if self.own:
            tabs.append(Tab("File", id="file-tab"))
        yield Tabs(*tabs)
        with Container(id="panes", classes="show-violations"):
            if self.own:
                yield FilePane(self.own)
            yield Violations()
            with VerticalScroll(id="production", classes="pane"):
                yield Static(id="production-text")
            yield Derivation()
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#derivation").border_title = "derivation"
        self.query_one("#production").border_title = "production"
        self.query_one("#production").can_focus = True
        if self.own:
            self.query_one("#panes").add_class("follows")
        self.line.focus()
        self._title()
        self._ask_soon()

    @property
    def line(self) -> TextLine:
        return self.query_one(TextLine)

    # What is asked, and when.

    @on(Input.Changed, "#text")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.subject = replace(self.subject, text=event.value)
        self._ask_soon()

    def check(self, subject: Subject) -> None:
        """Explain another subject from now on."""
        self.subject = subject
        if self.line.value != subject.text:
            self.line.value = subject.text
        self._title()
        self._ask_soon()

    def _ask_soon(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(_PAUSE, self._ask)

    def _ask(self) -> None:
        self._timer = None
        if self._busy:
            self._again = True
            return
        if self.own and self.own.abnf is None:
            self._take(Seen(self.subject, error="There is no usable grammar yet."), [])
            return
        self._busy, self._again = True, False
        known = self.seen if self.seen.subject == self.subject and self.seen.report else None
        self._work(self.subject, self.line.cursor_position, known)

    @work(thread=True, group="explain")
    def _work(self, subject: Subject, cursor: int, known: Seen | None) -> None:
        """Ask about a text, its verdict first; of a ``known`` one, about the cursor alone."""
        worker = get_current_worker()

        def show(*what: Any) -> None:
            if not worker.is_cancelled and self.is_running:
                self.app.call_from_thread(*what)

        try:
            following = next_here(subject, min(cursor, len(subject.text)))
            if known:
                show(self._expect, known, following)
            else:
                seen = looked_at(subject)
                show(self._take, seen, following)
            if not self._again and (not known or not (known.derivation or known.why)):
                seen = explained(known or seen)
                if seen.derivation:
                    seen.telling(cursor)  # what it asks is then known
                show(self._take, seen, following)
        finally:
            show(self._rest)

    @property
    def settled(self) -> bool:
        """Whether all that is asked about the text is answered and shown."""
        known = self.seen.derivation or self.seen.why or self.seen.error
        waits = self._busy or self._again or self._timer is not None
        return self.seen.subject == self.subject and bool(known) and not waits

    def _rest(self) -> None:
        self._busy = False
        if self._again or self.seen.subject != self.subject:
            self._ask()

    # What is shown.

    def _expect(self, seen: Seen, following: list[tuple[str, str, str]]) -> None:
        if seen.subject == self.subject and self.is_mounted:
            self._following = following
            self._point()

    def _take(self, seen: Seen, following: list[tuple[str, str, str]]) -> None:
        if seen.subject != self.subject or not self.is_mounted:
            return
        kept = self.seen.subject == seen.subject and self.seen.derivation
        self.seen, self._following = seen, following
        self.line.show(seen)
        self._verdict()
        count = self.query_one(Violations).show(seen)
        words = f"Violations {count:,} · Advice {len(seen.advice)}"
        self.query_one("#violations-tab", Tab).label = words
        if seen.derivation or seen.why or seen.error or not kept:
            self.query_one(Derivation).show(seen)
        self._point()

    def _title(self) -> None:
        grammar = self.own.file.path if self.own else self.subject.grammar
        self.query_one("#title", Static).update(
            paint.joined(
                ("uriproof", "bold $primary"),
                ("  is it a ", "$text-muted"),
                (self.subject.rule or "…", "bold"),
                (" of ", "$text-muted"),
                (paint.safe(grammar), "bold"),
                ("?", "$text-muted"),
            )
        )

    def _verdict(self) -> None:
        seen, line = self.seen, self.line
        line.set_class(seen.ok, "-ok")
        line.set_class(not seen.ok, "-wrong")
        count = len(seen.violations) + (seen.report["more"] if seen.report else 0)
        if seen.error:
            words = f"? {paint.safe(seen.error)}"
        elif seen.ok:
            words = f"✔ valid {seen.subject.rule}"
        else:
            words = f"✘ invalid: {count:,} violation{'s' * (count != 1)}"
        line.border_subtitle = Content(words)
        line.border_title = Content(f"text, {len(seen.subject.text):,} characters")

    def _point(self) -> None:
        """Show the production at the cursor."""
        cursor = self.line.cursor_position
        seen = self.seen
        chosen: int | None = None
        if seen.derivation:
            rules = seen.rules_at(cursor)
            chosen = seen.telling(cursor)
            if chosen is not None:
                at = rules.index(chosen) - self._around
                chosen = rules[min(max(at, 0), len(rules) - 1)]
                self._around = rules.index(seen.telling(cursor) or 0) - rules.index(chosen)
        current = seen.subject == self.subject
        following = self._following if current else []
        self.query_one("#here", Static).update(paint.here(seen, cursor, chosen, following))
        self._produce(chosen)

    def _produce(self, number: int | None) -> None:
        seen = self.seen
        if seen.derivation and number is not None:
            node = seen.derivation["nodes"][number]
            name = node["name"]
            more: dict[str, Any] = {
                "lit": seen.derivation["lit"][number],
                "text": seen.subject.text[node["start"] : node["end"]],
                "ambiguity": next(
                    (a for a in seen.derivation["ambiguities"] if a["node"] == number), None
                ),
            }
        elif not seen.error:
            name, more = seen.subject.rule, {}
        else:
            return
        self.shown = number, name
        width = self.query_one("#production").content_size.width or self.size.width - 4
        content = paint.production(seen.subject, name, width - 1, **more)
        self.query_one("#production-text", Static).update(content)
        self.query_one("#production").border_title = Content(f"production {name}")

    def on_resize(self) -> None:
        self.call_after_refresh(self._point)

    @on(TextLine.Moved)
    def _moved(self, event: TextLine.Moved) -> None:
        event.stop()
        if not self.line.has_focus and self.focused is not None:
            return  # a pane has moved it
        self._around = 0
        self._following = []
        self._point()
        self._ask_soon()

    @on(Derivation.NodeHighlighted)
    def _node(self, event: Tree.NodeHighlighted[int]) -> None:
        event.stop()
        number = event.node.data
        if number is None or not event.node.tree.has_focus or not self.seen.derivation:
            return
        node = self.seen.derivation["nodes"][number]
        self.line.cursor_position = node["start"]
        if node["kind"] == "rule":
            self._produce(number)

    # What keys do.

    def on_key(self, event: Any) -> None:
        if self.focused is self.line and event.key in {"up", "down"}:
            event.stop()
            self._around += 1 if event.key == "up" else -1
            self._point()

    @on(OptionList.OptionHighlighted, "#violations")
    def _to_violation(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        one = self.query_one(Violations).one(event.option_id)
        if event.option_list.has_focus and one:
            self.line.cursor_position = one["start"]
            self._point()

    @on(OptionList.OptionSelected, "#violations")
    def _fix(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        one = self.query_one(Violations).one(event.option_id)
        if self.seen.subject != self.subject or one is None:
            return
        if not one.get("fix"):
            self.notify("This has no fix that keeps what is meant.", timeout=4)
            return
        self._write([one["fix"]])

    def action_fix_all(self) -> None:
        """Apply every fix there is."""
        fixes = [one["fix"] for one in self.seen.violations if one["fix"]]
        if self.seen.subject != self.subject or not self.seen.violations:
            return
        if not fixes:
            self.notify("No violation has a fix that keeps what is meant.", timeout=4)
            return
        self._write(fixes)

    def _write(self, fixes: list[dict[str, Any]]) -> None:
        text = self.line.value
        for fix in reversed(fixes):
            text = text[: fix["start"]] + fix["replacement"] + text[fix["end"] :]
        self.line.value = text
        self.line.cursor_position = fixes[-1]["start"]

    def action_next_pane(self) -> None:
        tabs = self.query_one(Tabs)
        if "-wide" in self.classes:
            self.focus_next()
        else:
            tabs.action_next_tab()

    @on(Tabs.TabActivated)
    def _tab(self, event: Tabs.TabActivated) -> None:
        event.stop()
        panes = self.query_one("#panes")
        for name in _PANES:
            panes.set_class(event.tab.id == f"{name}-tab", f"show-{name}")
        self.call_after_refresh(self._point)

    def action_back_to_text(self) -> None:
        self.line.focus()

    def action_help(self) -> None:
        self.app.push_screen(Help())

    def action_theme(self) -> None:
        self.app.action_other_theme()
        self.call_after_refresh(lambda: self._take(self.seen, self._following))

    def action_lessons(self) -> None:
        self.app.action_lessons()

    def action_choose(self) -> None:
        """Another rule, or another grammar; of a followed file, its rules only."""

        def chosen(found: tuple[str, str] | None) -> None:
            if found:
                grammar, rule = found
                self.check(replace(self.subject, grammar=grammar, rule=rule))

        self.app.push_screen(Choose(self.subject), chosen)

    @on(FilePane.Changed)
    def _file(self, event: FilePane.Changed) -> None:
        """The file is another one: take its grammar, or show what is wrong with it."""
        event.stop()
        own = event.own
        self.query_one(
            "#file-tab", Tab
        ).label = f"File {'✘ ' * own.broken}{event.count or ''}".rstrip()
        if own.broken:
            self.query_one(Tabs).active = "file-tab"
        if own.abnf is None:
            self._ask_soon()
        else:
            rule = self.subject.rule if self.subject.rule in own.rules else own.start
            self.check(replace(self.subject, abnf=own.abnf, grammar=own.file.path, rule=rule))
