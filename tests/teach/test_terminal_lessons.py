"""The lessons in the terminal: gone through by keys, right and wrong, kept, and one's own.

Owns these cases. Reads the application, the lessons and their answers. Invariant: which answer is
right is asked of ``handle`` here, too; no lesson's content is repeated.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("textual")

from terminal_screens import NARROW, drawn, drive, settled
from textual.pilot import Pilot
from textual.widgets import Input, Static

from uriproof.teach import handle
from uriproof.teach.terminal.app import Teach
from uriproof.teach.terminal.ask import Subject
from uriproof.teach.terminal.dialogs import OpenFile
from uriproof.teach.terminal.explain import Explain
from uriproof.teach.terminal.lesson import Lesson
from uriproof.teach.terminal.lessons import Lessons, Loading
from uriproof.teach.terminal.progress import Progress
from uriproof.teach.terminal.rails import boxes

IDS = [one["id"] for one in handle({"do": "lessons"})["lessons"]]
OWN = """\
id = "own"
title = "The host"
section = "3.2.2"
concept = "An address, or a name."
introduction = "Text with [bold]no markup[/bold] and `code`."
summary = "Done."

[[exercise]]
id = "dots"
title = "Too many dots"
text = "http://1.2.3.4.5/"

[exercise.predict]
kind = "result"
of = "host"

[[exercise]]
id = "space"
title = "A space"
text = "http://a b/"

[exercise.predict]
kind = "position"

[[exercise]]
id = "short"
title = "The shortest"

[exercise.predict]
kind = "write"
examples = ["a:"]

[[exercise.predict.condition]]
words = "It is a URI."
claim = { valid = true }

[[exercise.predict.condition]]
words = "It has at most 2 characters."
claim = { length = 2 }
"""


def right(lesson: Lesson) -> Any:
    """The right answer to the step on the screen, as a request would give it."""
    assert lesson.step is not None
    exercise, step = lesson.step
    request = {"do": "answer", **lesson.asked, "exercise": exercise["id"], "step": step["step"]}
    return handle({**request, "show": True})["answer"]["value"]


def shown(app: Teach, name: str) -> str:
    return str(app.screen.query_one(name, Static).content)


async def answered(app: Teach, pilot: Pilot[Any]) -> None:
    lesson = app.screen
    assert isinstance(lesson, Lesson)
    for _ in range(1_000):
        await pilot.pause(0.02)
        if not lesson.waiting:
            return
    raise AssertionError("no answer")


async def choose(app: Teach, pilot: Pilot[Any], at: int) -> None:
    """Take an option of the list by keys."""
    await pilot.press("home", *["down"] * at, "enter")
    await answered(app, pilot)


async def go_through(app: Teach, pilot: Pilot[Any], lesson: Lesson) -> None:
    """Answer everything rightly, by keys."""
    await pilot.press("enter")
    await pilot.pause()
    while lesson.step is not None:
        _, step = lesson.step
        if step["step"] == "run":
            await choose(app, pilot, 0)
        elif step["kind"] in {"result", "write"}:
            value = right(lesson)
            app.screen.query_one("#written", Input).value = value
            await pilot.press("enter")
            await answered(app, pilot)
        else:
            await choose(app, pilot, lesson._values.index(right(lesson)))
        assert lesson.solved, shown(app, "#feedback")
        await pilot.press("enter")
        await pilot.pause()


@pytest.mark.prove
@pytest.mark.parametrize("size", [NARROW])
def test_lesson_1_is_gone_through_by_keys(size: tuple[int, int], tmp_path: Path) -> None:
    kept = Progress(str(tmp_path / "data" / "teach.json"))

    async def go(app: Teach, pilot: Pilot[int]) -> None:
        await pilot.press("f3")
        await settled(app, pilot)
        assert isinstance(app.screen, Lessons)
        await pilot.press("enter")
        await settled(app, pilot)
        lesson = app.screen
        assert isinstance(lesson, Lesson)
        assert lesson.lesson["number"] == 1
        assert lesson.lesson["concept"] in " ".join(shown(app, "#about").split())
        await go_through(app, pilot, lesson)
        assert "✔ The lesson is done." in drawn(app)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, Lessons)
        assert drawn(app).splitlines()[2].lstrip("│ ").startswith("✔  1")

    drive(go, size, progress=kept)
    again = Progress(kept.path)
    assert again.mark(IDS[0]) == ("✔", "done")


@pytest.mark.prove
@pytest.mark.parametrize("lesson", IDS)
def test_every_lesson_is_gone_through_by_keys(lesson: str) -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        screen = app.screen
        assert isinstance(screen, Lesson)
        await go_through(app, pilot, screen)
        assert "✔ The lesson is done." in drawn(app)

    drive(go, lesson=lesson)


@pytest.mark.parametrize("lesson", IDS)
def test_every_right_box_is_one_that_can_be_pointed_at(lesson: str) -> None:
    found = handle({"do": "lesson", "lesson": lesson})["lesson"]
    for exercise in found["exercises"]:
        for step in exercise["steps"]:
            if step.get("kind") == "diagram":
                screen = Lesson({"lesson": lesson}, {**found, "exercises": [exercise]})
                screen.at = [s for _, s in screen.steps].index(step)
                nodes = [n for n, _ in boxes(Subject("", grammar=step["grammar"]), step["diagram"])]
                assert right(screen) in nodes


def test_a_wrong_answer_names_the_misconception_and_a_counterexample() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        lesson = app.screen
        assert isinstance(lesson, Lesson)
        lesson.at = [s.get("step") for _, s in lesson.steps].index("explain")
        lesson.show_step()
        await pilot.pause()
        wrong = next(i for i, v in enumerate(lesson._values) if v != right(lesson))
        await choose(app, pilot, wrong)
        assert not lesson.solved
        found = shown(app, "#feedback")
        assert found.startswith("✘ No.")
        assert lesson.answer is not None
        misconception = "".join(p["text"] for p in lesson.answer["misconception"])
        assert f"The misconception: {misconception}"[:40] in found.replace("`", "")
        assert f"The counterexample: {lesson.answer['counterexample']['text']}" in found
        # It can be answered again, and the answer can be shown.
        await pilot.press("f7")
        await answered(app, pilot)
        assert lesson.solved
        assert shown(app, "#feedback").startswith("The answer: ")
        await pilot.press("f4")
        await pilot.pause()
        assert lesson.step is not None
        assert lesson.step[1]["step"] != "explain"

    drive(go, lesson="1")


def test_the_text_of_an_exercise_is_tried_in_the_explanation() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        lesson = app.screen
        assert isinstance(lesson, Lesson)
        await pilot.press("enter", "f8")
        await pilot.pause(0.3)
        assert isinstance(app.screen, Explain)
        assert app.explain.line.value == lesson.lesson["exercises"][0]["text"]
        await pilot.press("f3")
        await pilot.pause()
        back: object = app.screen
        assert back is lesson, "where one was"

    drive(go, lesson="1")


def test_a_teachers_lesson_is_opened_and_one_begins_where_one_stopped(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN, "utf-8")
    kept = Progress(str(tmp_path / "teach.json"))

    async def first(app: Teach, pilot: Pilot[int]) -> None:
        await pilot.press("f3", "f9")
        await pilot.pause()
        assert isinstance(app.screen, OpenFile)
        app.screen.query_one(Input).value = str(file)
        await pilot.press("enter")
        await settled(app, pilot)
        lesson = app.screen
        assert isinstance(lesson, Lesson)
        assert "[bold]no markup[/bold]" in drawn(app)
        await pilot.press("enter")
        await pilot.pause()
        assert lesson.step is not None
        app.screen.query_one("#written", Input).value = "1.2.3.4"
        await pilot.press("enter")
        await answered(app, pilot)
        assert not lesson.solved
        app.screen.query_one("#written", Input).value = "1.2.3.4.5"
        await pilot.press("enter")
        await answered(app, pilot)
        assert lesson.solved

    drive(first, progress=kept)

    async def then(app: Teach, pilot: Pilot[int]) -> None:
        lesson = app.screen
        assert isinstance(lesson, Lesson)
        assert lesson.at == 1
        await choose(app, pilot, lesson._values.index(8))
        assert lesson.solved
        await pilot.press("enter")
        await pilot.pause()
        app.screen.query_one("#written", Input).value = "abc"
        await pilot.press("enter")
        await answered(app, pilot)
        assert "✘ It is a URI." in shown(app, "#feedback")
        app.screen.query_one("#written", Input).value = "b:"
        await pilot.press("enter")
        await answered(app, pilot)
        assert "✔ It is a URI." in shown(app, "#feedback")
        assert lesson.solved

    drive(then, progress=Progress(kept.path), file=str(file))


def test_keys_are_answered_while_a_lesson_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen says that it is read; one can leave it, and what comes late changes nothing."""
    read = threading.Event()

    def slow(request: dict[str, Any]) -> dict[str, Any]:
        if request["do"] == "lesson":
            assert read.wait(60)
        return handle(request)

    monkeypatch.setattr("uriproof.teach.terminal.app.handle", slow)

    async def go(app: Teach, pilot: Pilot[int]) -> None:
        app.open_lesson({"lesson": "1"})
        for _ in range(1_000):
            await pilot.pause(0.02)
            if "being read" in drawn(app):
                break
        assert isinstance(app.screen, Loading)
        await pilot.press("escape")
        await settled(app, pilot)
        assert isinstance(app.screen, Lessons)
        read.set()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, Lessons)
        app.open_lesson({"lesson": "no-such"})
        await settled(app, pilot)
        assert isinstance(app.screen, Lessons), "as it was"
        app.open_lesson({"lesson": "2"})
        await settled(app, pilot)
        assert isinstance(app.screen, Lesson)
        assert app.screen.lesson["number"] == 2

    drive(go)


def test_a_file_that_is_no_lesson_is_answered_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN.replace('kind = "position"', 'kind = "guess"'), "utf-8")

    async def go(app: Teach, pilot: Pilot[int]) -> None:
        assert isinstance(app.screen, Explain), "as it was"
        found = "\n".join(one.message for one in app._notifications)
        assert "line " in found
        assert "kind" in found

    drive(go, file=str(file))


BROKEN = ("", "{", "[]", '{"version": 2}', '{"version": 1, "lessons": 3}')


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_state_file_is_no_error(tmp_path: Path, content: str) -> None:
    file = tmp_path / "teach.json"
    file.write_text(content, "utf-8")
    kept = Progress(str(file))
    assert kept.done("scheme") == frozenset()
    assert file.read_text("utf-8") == content, "not written over before there is something to keep"
    kept.finish("scheme", "a.run")
    assert Progress(str(file)).done("scheme") == {"a.run"}


def test_what_cannot_be_kept_is_shown_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    kept = Progress(str(tmp_path / "file" / "teach.json"))
    kept.finish("scheme", "a.run")
    assert kept.error.startswith("The progress is not kept: ")
    assert kept.done("scheme") == {"a.run"}
