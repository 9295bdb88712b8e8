"""A lesson: predict, run, light, explain, one step after the other.

Owns the screen and the order of steps. Imports Textual, what is asked and how it is painted.
Invariant: whether an answer is right was answered by ``handle``; the answer can be shown at every
step, and nothing is lost by a wrong one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from ...text.drawing import draw, named
from ..handle import handle
from . import prose
from .ask import Subject
from .dialogs import Help
from .paint import abnf_lines, joined, safe
from .rails import Piece, boxes, diagram, lit_pieces
from .widgets.line import TextLine

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from .app import Teach

__all__ = ["Lesson"]

_WRITTEN = ("result", "write")
_WORDS = {"predict": "Predict", "run": "Run", "light": "Light", "explain": "Explain"}
_MUTED = "$text-muted"


class Lesson(Screen[None]):
    """One lesson. ``asked`` names it in every request: by its id, or by its whole text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", key_display="F1"),
        Binding("f3,escape", "app.lessons", "Lessons", key_display="F3"),
        Binding("f4", "back", "Back", key_display="F4"),
        Binding("f6", "app.other_theme", "Light/dark", show=False),
        Binding("pageup", "scroll_lesson(-1)", "Up", show=False, priority=True),
        Binding("pagedown", "scroll_lesson(1)", "Down", show=False, priority=True),
        Binding("f7", "show", "Show the answer", key_display="F7"),
        Binding("f8", "try_it", "Try the text", key_display="F8"),
    ]

    app: Teach

    def __init__(self, asked: dict[str, str], lesson: dict[str, Any]) -> None:
        super().__init__()
        self.asked, self.lesson = asked, lesson
        self.steps = [(e, s) for e in lesson["exercises"] for s in e["steps"]]
        self.at = -1  # the introduction; beyond the steps is the summary
        self.answer: dict[str, Any] | None = None
        self.waiting = False
        self._values: list[Any] = []
        self._said: dict[int, str] = {}

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with VerticalScroll(id="lesson", can_focus=False):
            yield Static(id="about", classes="card")
            yield Static(id="now", classes="card -now")
            yield Static(id="feedback", classes="card")
        yield OptionList(id="choices", markup=False)
        yield TextLine(id="written")
        yield Footer()

    def on_mount(self) -> None:
        done = self.app.progress.done(self.lesson["id"])
        left = [i for i, step in enumerate(self.steps) if self._key(*step) not in done]
        if done and left:
            self.at = left[0]  # where a person has stopped
        self.show_step()

    # Where the lesson is.

    def _key(self, exercise: dict[str, Any], step: dict[str, Any]) -> str:
        return f"{exercise['id']}.{step['step']}"

    @property
    def step(self) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The exercise and its step that are on the screen; None before and after them."""
        return self.steps[self.at] if 0 <= self.at < len(self.steps) else None

    @property
    def solved(self) -> bool:
        """Whether one can go on: the answer was right, or has been shown."""
        return self.step is None or bool(
            self.answer and (self.answer["right"] or self.answer["shown"])
        )

    def show_step(self) -> None:
        """Draw what is asked now."""
        self.answer = None
        self.query_one("#feedback").display = False
        self._title()
        about, now = self.query_one("#about", Static), self.query_one("#now", Static)
        now.display = self.step is not None
        if self.step is None:
            about.update(self._summary() if self.at >= 0 else self._introduction())
        else:
            exercise, step = self.step
            about.update(self._exercise(exercise))
            now.update(self._question(step, exercise))
        self._choices()
        self.query_one("#lesson").scroll_home(animate=False)
        if self.step is not None:
            self.call_after_refresh(self._to_question)

    def _to_question(self) -> None:
        """Bring all of the question on the screen, or its first line and as much as fits."""
        page, now = self.query_one("#lesson"), self.query_one("#now")
        top = now.virtual_region.y
        bottom = now.virtual_region.bottom - page.scrollable_content_region.height
        page.scroll_to(y=max(min(top, bottom), 0), animate=False)

    def action_scroll_lesson(self, pages: int) -> None:
        page = self.query_one("#lesson")
        page.scroll_relative(y=pages * page.size.height // 2, animate=False)

    def _title(self) -> None:
        done = len(self.app.progress.done(self.lesson["id"]))
        number = f"{self.lesson['number']} " if self.lesson["number"] else ""
        section = self.lesson["section"]
        where = section if section.startswith("RFC") else f"RFC 3986 §{section}"
        pieces: list[Piece] = [
            (f"{number}{safe(self.lesson['title'])}", "bold $primary"),
            (f"  {safe(where)}  ", _MUTED),
            (f"{min(done, len(self.steps))}/{len(self.steps)} done", _MUTED),
        ]
        self.query_one("#title", Static).update(joined(*pieces))

    def _introduction(self) -> Content:
        made = [
            (safe(self.lesson["concept"]) + "\n\n", "bold"),
            *prose.blocks(self.lesson["introduction"]),
        ]
        for one in self.lesson["productions"]:
            made += ("\n\n", ""), ("\n".join(abnf_lines(one["abnf"])), "$c-host")
        return joined(*made)

    def _summary(self) -> Content:
        made: list[Piece] = [("✔ The lesson is done.\n\n", "bold $ok")]
        made += prose.blocks(self.lesson["summary"])
        return joined(*made)

    def _exercise(self, exercise: dict[str, Any]) -> Content:
        count = len(self.lesson["exercises"])
        made: list[Piece] = [
            (f"Exercise {exercise['number']} of {count}: ", _MUTED),
            (f"{safe(exercise['title'])}\n", "bold"),
        ]
        # Later steps need the room.
        if exercise["task"] and self.steps[self.at - 1][0] is not exercise:
            made += [*prose.blocks(exercise["task"]), ("\n", "")]
        made += prose.exhibit(exercise)
        for i, (other, step) in enumerate(self.steps[: self.at]):
            if other is exercise and i in self._said:
                made += (f"\n{_WORDS[step['step']]}: ", _MUTED), (self._said[i], "")
        return joined(*made)

    def _question(
        self, step: dict[str, Any], exercise: dict[str, Any], pointed: Any = None
    ) -> Content:
        names = [s["step"] for s in exercise["steps"]]
        made: list[Piece] = []
        for name in names:
            style = "bold reverse" if name == step["step"] else _MUTED
            made += (f" {_WORDS[name]} ", style), (" ", "")
        made.append(("\n", ""))
        if step["step"] == "run":
            made.append(("What does the engine find?", ""))
        made += prose.pieces(step.get("question"))
        for one in step.get("conditions") or ():
            made += [("\n• ", _MUTED), *prose.pieces(one)]
        width = max(self.size.width - 8, 24)
        text = exercise["text"] or ""
        if step.get("kind") == "position":
            span = [(pointed, min(pointed + 1, len(text)))] if isinstance(pointed, int) else []
            made.append(("\n\n" + "\n".join(draw(text, span, width)), "bold"))
        elif step["step"] == "light":
            if step.get("at") is not None:
                at = step["at"]
                lines = draw(text, [(at, min(at + 1, len(text)))], width)
                made.append(("\n" + "\n".join(lines), "bold"))
            if step.get("diagram"):
                made.append(("\n\n", ""))
                lit = (pointed,) if isinstance(pointed, str) else ()
                for line in diagram(self._subject(step), step["diagram"], lit, width):
                    made += [*lit_pieces(line), ("\n", "")]
        return joined(*made)

    def _subject(self, step: dict[str, Any]) -> Subject:
        return Subject("", grammar=step.get("grammar") or "rfc3986")

    # What can be chosen or written.

    def _choices(self) -> None:
        choices, line = self.query_one("#choices", OptionList), self.query_one("#written", TextLine)
        found = self.step
        written = found is not None and found[1].get("kind") in _WRITTEN and not self.solved
        choices.display, line.display = not written, written
        choices.clear_options()
        if found is not None and written:
            line.value = found[1].get("start") or ""
            line.border_title = "your answer; Enter gives it"
            line.focus()
            return
        choices.set_class(found is not None and found[1].get("kind") == "diagram", "-diagram")
        asks = self.step is not None and not self.solved
        choices.border_title = "your answer: ↑ ↓ and Enter" if asks else "Enter"
        self._values = []
        for words, value in self._options():
            self._values.append(value)
            choices.add_option(Option(words))
        choices.highlighted = 0
        choices.focus()

    def _options(self) -> list[tuple[Content, Any]]:
        """What the list offers, each with its value in a request."""
        found = self.step
        if found is None or self.solved:
            last = self.at >= len(self.steps)
            return [(Content("Back to the lessons" if last else "Go on"), None)]
        step = found[1]
        if step["step"] == "run":
            return [(Content("Run it"), None)]
        if step.get("kind") == "position":
            chars = [
                (joined((f"{i:>3}  ", "bold"), (safe(named(char)), "")), i)
                for i, char in enumerate(step["text"])
            ]
            return [*chars, (Content(f"{step['end']:>3}  the end"), step["end"])]
        if step.get("kind") == "diagram":
            found_boxes = boxes(self._subject(step), step["diagram"])
            return [(Content(safe(words)), node) for node, words in found_boxes]
        if step.get("kind") == "production":
            return [
                (joined((one["name"], "bold"), (f"  {safe(one['gloss'])}", _MUTED)), one["name"])
                for one in step["among"]
            ]
        return [(joined(*prose.pieces(one["label"])), one["value"]) for one in step["options"]]

    @on(OptionList.OptionHighlighted)
    def _pointed(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if self.step is None or self.solved or event.option_index >= len(self._values):
            return
        exercise, step = self.step
        if step.get("kind") in {"position", "diagram"}:
            value = self._values[event.option_index]
            self.query_one("#now", Static).update(self._question(step, exercise, value))

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self.waiting:
            return
        if self.step is None and self.at >= len(self.steps):
            self.app.action_lessons()
        elif self.solved:
            self.go_on()
        else:
            self._ask(self._values[event.option_index])

    @on(Input.Submitted)
    def _written(self, event: Input.Submitted) -> None:
        event.stop()
        if not self.waiting:
            self._ask(event.value)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()

    def go_on(self) -> None:
        """The next step."""
        self.at += 1
        self.show_step()

    def action_back(self) -> None:
        """The step before."""
        if self.at >= 0 and not self.waiting:
            self.at -= 1
            self.show_step()

    # Answers.

    def action_show(self) -> None:
        if self.step is not None and not self.solved and not self.waiting:
            self._ask(None, show=True)

    def _ask(self, value: Any, show: bool = False) -> None:
        if self.step is None:
            return
        exercise, step = self.step
        request = {"do": "answer", **self.asked, "exercise": exercise["id"], "step": step["step"]}
        if show and step["step"] != "run":
            request["show"] = True
        elif step["step"] != "run":
            request["value"] = value
        self.waiting = True
        self._answer(request, self.at, show)

    @work(thread=True, group="answer")
    def _answer(self, request: dict[str, Any], at: int, show: bool) -> None:
        worker = get_current_worker()
        answer = handle(request)
        if not worker.is_cancelled and self.is_running:
            self.app.call_from_thread(self._take, answer, at, show)

    def _take(self, answer: dict[str, Any], at: int, show: bool) -> None:
        self.waiting = False
        if at != self.at or self.step is None:
            return
        if "error" in answer:
            self.notify(safe(answer["error"]["message"]), severity="warning", markup=False)
            return
        exercise, step = self.step
        self.answer = {**answer, "shown": show}
        feedback = self.query_one("#feedback", Static)
        feedback.display = True
        right = answer["right"] or show
        feedback.set_class(bool(right), "-right")
        feedback.set_class(not right, "-wrong")
        feedback.update(prose.feedback(answer, show and step["step"] != "run", self.size.width - 8))
        if right:
            self.app.progress.finish(self.lesson["id"], self._key(exercise, step))
            self._said[at] = _brief(answer)
            self._title()
            self._choices()
            if self.app.progress.error:
                self.notify(self.app.progress.error, severity="warning", markup=False)
        self.query_one("#lesson").scroll_end(animate=False)

    # Elsewhere.

    def action_try_it(self) -> None:
        """The text of the exercise in the explanation."""
        if self.step is None:
            return
        exercise, _ = self.step
        text = exercise["text"] or self.query_one("#written", TextLine).value
        rule, grammar = exercise["rule"] or "URI", exercise["grammar"] or "rfc3986"
        self.app.try_text(Subject(text, rule, grammar))

    def action_help(self) -> None:
        self.app.push_screen(Help())


def _brief(answer: dict[str, Any]) -> str:
    """The result of a step in a few words, for those that come after it."""
    if answer.get("reports"):
        words = ["valid" if one["ok"] else "not valid" for one in answer["reports"]]
        return " and ".join(words)
    label = (answer.get("answer") or {}).get("label") or []
    return "".join(safe(piece["text"]) for piece in label) or "✔"
