"""The bundled lessons: each is true, complete, and gives nothing away.

Owns what a lesson has to be. Imports the requests and the check of lessons. Invariant: a statement
in a lesson that the engine contradicts fails here, with its line.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import Run
from tables import beside

import uriproof
from uriproof import Grammar
from uriproof.teach import handle
from uriproof.teach.lessons import check_lesson
from uriproof.teach.lessons.read import STEPS, Exercise, Lesson, given
from uriproof.teach.lessons.shelf import bundled, sources

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parent.parent.parent
LESSONS = list(bundled().values())
EXERCISES = [(lesson, exercise) for lesson in LESSONS for exercise in lesson.exercise]
STEPPED = [
    pytest.param(
        lesson,
        exercise,
        step,
        id=f"{lesson.id}-{exercise.id}-{step}",
        marks=() if lesson in LESSONS[1:3] else pytest.mark.prove,
    )
    for lesson, exercise in EXERCISES
    for step in exercise.steps()
    if step != "run"
]


def ask(**request: Any) -> dict[str, Any]:
    answer = handle(request)
    json.loads(json.dumps(answer))
    return answer


@pytest.mark.parametrize("name", sources())
def test_the_engine_agrees_with_all_of_a_lesson(name: str) -> None:
    assert [str(problem) for problem in check_lesson(sources()[name])] == []


def test_the_lessons_are_numbered_and_named_as_their_files() -> None:
    assert [lesson.number for lesson in LESSONS] == list(range(19))
    assert list(sources()) == [f"{lesson.number:02}-{lesson.id}.toml" for lesson in LESSONS]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_lesson_uses_all_steps_and_goes_from_easy_to_hard(lesson: Lesson) -> None:
    used = {step for exercise in lesson.exercise for step in exercise.steps()}
    kinds = {exercise.predict.kind for exercise in lesson.exercise if exercise.predict}
    assert used == ({"predict"} if kinds == {"define"} else set(STEPS))
    assert len(lesson.exercise) >= 5
    assert kinds & {"write", "define"} or any(e.level == 3 for e in lesson.exercise)
    assert lesson.exercise[0].level == 1


@pytest.mark.parametrize("row", beside(__file__, "curriculum"), ids=repr)
def test_the_curriculum_is_there(row: Any) -> None:
    number, text, rule, *blamed = row
    assert (text, rule) in [(e.text, e.rule) for e in LESSONS[number].exercise]
    assert [v.start for v in uriproof.check(text, rule).violations[:1]] == blamed


def keys_of(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_the_lesson_has_none_of_its_answers(lesson: Lesson) -> None:
    shown = ask(do="lesson", lesson=lesson.id)["lesson"]
    secret = {"answer", "right", "why", "misconception", "counterexample", "examples", "claim"}
    secret |= {"note", "observed", "values"}
    assert not secret & set(keys_of(shown))
    assert [e["id"] for e in shown["exercises"]] == [e.id for e in lesson.exercise]


def test_lessons_lead_from_one_to_the_next() -> None:
    listed = ask(do="lessons")["lessons"]
    shown = [ask(do="lesson", lesson=one["id"])["lesson"] for one in listed]
    assert [one["next"] and one["next"]["id"] for one in shown] == [
        *(one["id"] for one in listed[1:]),
        None,
    ]
    assert shown[0]["previous"] is None
    assert shown[1]["previous"] == {"id": listed[0]["id"], "title": listed[0]["title"]}
    assert ask(do="lesson", lesson=3)["lesson"]["id"] == listed[3]["id"]


@pytest.mark.parametrize(("lesson", "exercise", "step"), STEPPED)
def test_the_answer_that_is_shown_is_right(lesson: Lesson, exercise: Exercise, step: str) -> None:
    request = {"do": "answer", "lesson": lesson.id, "exercise": exercise.id, "step": step}
    shown = handle({**request, "show": True})
    assert shown["answer"]["label"]
    assert shown["right"]
    assert shown["why"], "who is right is told the reason, too"
    again = handle({**request, "value": shown["answer"]["value"]})
    assert again["right"]
    assert again["why"] == shown["why"]


@pytest.mark.parametrize(("lesson", "exercise", "step"), STEPPED)
def test_other_answers_are_wrong_and_say_why(lesson: Lesson, exercise: Exercise, step: str) -> None:
    request = {"do": "answer", "lesson": lesson.id, "exercise": exercise.id, "step": step}
    right = handle({**request, "show": True})["answer"]["value"]
    steps = next(
        e
        for e in ask(do="lesson", lesson=lesson.id)["lesson"]["exercises"]
        if e["id"] == exercise.id
    )["steps"]
    shown = next(s for s in steps if s["step"] == step)
    kind = shown["kind"]
    if kind == "diagram":
        wrong = [box["value"] for box in shown["boxes"]]
    elif kind == "production":
        wrong = [one["name"] for one in shown["among"]]
    elif kind == "position":
        wrong = list(range(shown["end"] + 1))
    elif kind in ("result", "write", "define"):
        wrong = ["\ud800\x00<b>", " " * 300]
    else:
        wrong = [option["value"] for option in shown["options"]]
    found = {value: handle({**request, "value": value}) for value in wrong}
    if kind not in ("result", "write", "define"):
        assert [value for value, answer in found.items() if answer["right"]] == [right]
    for answer in found.values():
        assert "error" not in answer, answer
        if answer["right"]:
            continue
        assert answer["answer"] is None
        if kind == "choice":
            assert answer["misconception"]
            example = answer["counterexample"]
            grammar = Grammar.load(example["grammar"])
            assert grammar[example["rule"]].is_valid(example["text"]) == example["valid"]
            assert example["what"]
            assert example["text"] != exercise.text, "that is no news"
        elif kind == "define":
            assert answer["written"]["errors"]
        elif kind in ("verdict", "both", "equivalent"):
            assert answer["misconception"] or answer["message"]
        elif step == "light" or kind in ("position", "result", "write"):
            assert answer["message"]


@pytest.mark.parametrize(
    ("lesson", "exercise"), [(one, e) for one, e in EXERCISES if e.run], ids=lambda one: one.id
)
def test_running_gives_the_report_of_each_text(lesson: Lesson, exercise: Exercise) -> None:
    request = {"do": "answer", "lesson": lesson.id, "exercise": exercise.id, "step": "run"}
    found = ask(**request, value="http://e.com/")
    assert found["right"]
    texts = [exercise.text if exercise.text is not None else "http://e.com/"]
    texts += [exercise.other] if exercise.other is not None else []
    assert [report["text"] for report in found["reports"]] == texts
    names = [result["name"] for result in found["results"]]
    assert ("resolved" in names) == (exercise.base is not None)
    assert ("equivalent" in names) == (exercise.other is not None)
    assert ("observed" in names) == (exercise.observed is not None)


@pytest.mark.parametrize(
    ("lesson", "exercise"),
    [(one, e) for one, e in EXERCISES if e.predict and e.predict.kind == "equivalent"],
    ids=lambda one: one.id,
)
def test_what_the_engine_says_of_two_texts_is_what_is_right(
    lesson: Lesson, exercise: Exercise
) -> None:
    request = {"do": "answer", "lesson": lesson.id, "exercise": exercise.id}
    (found,) = [r for r in ask(**request, step="run")["results"] if r["name"] == "equivalent"]
    same = uriproof.equivalent(exercise.text or "", exercise.other or "")
    assert (found["text"], found["verdict"]) == (str(same), bool(same))
    for value in "equivalent", "different":
        judged = ask(**request, step="predict", value=value)["right"]
        assert judged == (found["verdict"] == (value == "equivalent"))


def test_two_texts_are_compared_on_the_level_that_is_asked_for() -> None:
    source = """id = "level"
title = "Levels"
section = "6.2"
concept = "There are levels."
introduction = ""
summary = ""

[[exercise]]
id = "one"
title = "Case alone"
text = "http://e.com/%7e"
other = "http://e.com/~"

[exercise.predict]
kind = "equivalent"
level = "case"
answer = "different"
why = "Only case is compared."

[exercise.run]
"""
    assert check_lesson(source) == []
    (found,) = ask(do="answer", source=source, exercise="one", step="run")["results"]
    assert (found["text"], found["verdict"]) == ("not equivalent: path differs", False)


# Lesson, exercise, what is written, and whether that answers the question.
WRITTEN = beside(__file__, "written")


@pytest.mark.parametrize(("lesson", "exercise", "text", "right"), WRITTEN)
def test_what_is_written_is_judged_by_what_it_means(
    lesson: str, exercise: str, text: str, right: bool
) -> None:
    request = {"do": "answer", "lesson": lesson, "exercise": exercise, "step": "predict"}
    found = ask(**request, value=text)
    assert found["right"] == right
    if not right:
        assert found["message"]
    elif exercise == "end":
        assert "equivalent by" in "".join(piece["text"] for piece in found["message"])


def test_every_text_that_is_written_is_tried() -> None:
    asks = {
        (lesson.id, e.id)
        for lesson, e in EXERCISES
        if e.predict and e.predict.kind in {"write", "result"}
    }
    assert {(lesson, exercise) for lesson, exercise, _, _ in WRITTEN} == asks


def test_the_report_is_of_the_text_that_was_judged() -> None:
    request = {"do": "answer", "lesson": "host-and-port", "exercise": "make-port"}
    (report,) = ask(**request, step="run", value="http://google.com:80 \n")["reports"]
    assert (report["text"], report["ok"]) == ("http://google.com:80", True)
    (report,) = ask(**request, step="run", value="http://google.com ")["reports"]
    assert (report["text"], report["ok"]) == ("http://google.com ", False)


def test_an_answer_that_only_looks_right_is_told_what_is_too_much() -> None:
    request = {"do": "answer", "lesson": "two-slashes", "exercise": "end", "step": "predict"}
    found = {
        text: "".join(piece["text"] for piece in ask(**request, value=text)["message"])
        for text in ("e.com\u200b", "#e.com", "e.co", "e.org")
    }
    assert found == {
        "e.com\u200b": "It is right that it begins with e.com, "
        "but U+200B ZERO WIDTH SPACE does not belong to it.",
        "#e.com": "It does not begin with #.",
        "e.co": "It is right that it begins with e.co, but something is missing at the end.",
        "e.org": "It is right that it begins with e., but it continues differently.",
    }


@pytest.mark.parametrize(
    ("lesson", "exercise"),
    [
        (one, e)
        for one, e in EXERCISES
        if e.run and re.search(r"[Tt]he(re is a safe)? fix", e.run.note)
    ],
    ids=lambda one: one.id,
)
def test_a_fix_is_called_safe_if_the_linter_calls_it_safe(
    lesson: Lesson, exercise: Exercise, tmp_path: Path, run: Run
) -> None:
    (tmp_path / "page.md").write_text(f"[a](<{exercise.text}>)\n", "utf-8")
    shown = run("lint", "--all", "--isolated", "--no-cache", str(tmp_path / "page.md")).out
    assert "fix: replace" in shown
    assert ("safe fix" in given(exercise.run).note) == ("unsafe" not in shown)


def test_clicks_on_boxes() -> None:
    request = {"do": "answer", "lesson": "address-or-name", "exercise": "too-large"}
    clicked = {
        box: handle({**request, "step": "light", "value": box})["right"]
        for box in ("host.0", "host.1", "host.2", "host.2:out", "reg-name", "IPv4address", "host")
    }
    assert [box for box, right in clicked.items() if right] == ["host.2", "host.2:out", "reg-name"]


def test_many_texts_meet_the_conditions() -> None:
    request = {"do": "answer", "lesson": "scheme", "exercise": "shortest", "step": "predict"}
    for text in ("a:", "Z:", "q:"):
        assert handle({**request, "value": text})["right"]
    wrong = handle({**request, "value": "1:"})
    assert [condition["met"] for condition in wrong["conditions"]] == [False, True]
    assert "scheme" in "".join(piece["text"] for piece in wrong["message"])


def in_code() -> list[tuple[str, str]]:
    """What the lesson on encoders says that functions give."""
    text = sources()["13-encoders.toml"].replace('\\"', '"')
    found = re.findall(r'`(\w+\("[^`]*"\))`,? (?:which )?gives\s`([^`]*)`', text)
    assert len(found) >= 6
    return found


@pytest.mark.parametrize(("call", "result"), in_code())
def test_encoders_do_what_the_lesson_says(call: str, result: str) -> None:
    if call.startswith("quote"):
        argument = json.loads(call.removeprefix("quote(").removesuffix(")"))
        assert urllib.parse.quote(argument) == result
        return
    node = shutil.which("node")
    if not node:
        pytest.skip("node is not installed")
    script = f"process.stdout.write({call})"
    ran = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
    assert ran.stdout == result


@pytest.mark.prove
def test_the_browser_does_what_the_capstone_says() -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("Chromium is not installed")
    script = """text => {
      try {
        const url = new URL(text);
        return {accepted: true, href: url.href, host: url.host, path: url.pathname};
      } catch { return {accepted: false, href: "", host: null, path: null}; }
    }"""
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        for exercise in bundled()["capstone"].exercise:
            if seen := exercise.observed:
                found = page.evaluate(script, exercise.text)
                said = {k: getattr(seen, k) for k in ("accepted", "href", "host", "path")}
                assert found == said, f"{exercise.text} in Chromium {browser.version}"
        browser.close()


def test_the_page_on_writing_lessons_has_a_lesson_that_is_one() -> None:
    page = (ROOT / "docs/teach/write-a-lesson.md").read_text("utf-8")
    blocks = re.findall(r"^```toml\n(.*?)^```", page, re.M | re.S)
    assert check_lesson(blocks[0]) == []
    assert ask(do="lesson", source=blocks[0])["lesson"]["number"] == 0


def cited(lesson: Lesson) -> str:
    return lesson.section if lesson.section.startswith("RFC") else f"§{lesson.section}"


def test_the_page_for_teachers_lists_every_lesson() -> None:
    page = " ".join((ROOT / "docs/teach/lessons.md").read_text("utf-8").split())
    for lesson in LESSONS:
        assert f"### {lesson.number}. {lesson.title} ({cited(lesson)})" in page
        assert f"{lesson.minutes} minutes" in page
    minutes = sum(lesson.minutes for lesson in LESSONS)
    assert f"{minutes} minutes" in page
    assert f"{len(EXERCISES)} exercises" in page
    for text in sources().values():
        assert tomllib.loads(text)["concept"] in page
