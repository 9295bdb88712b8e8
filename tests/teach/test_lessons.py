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
from pathlib import Path
from typing import Any

import build_lessons
import pytest
from asking import ask, exercises, judged, plain
from commands import Run
from tables import beside

import uriproof
from uriproof import Grammar
from uriproof.teach.lessons import check_lesson
from uriproof.teach.lessons.read import STEPS, Exercise, Lesson
from uriproof.teach.lessons.shelf import bundled, sources

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parent.parent.parent
LESSONS = list(bundled().values())
EXERCISES = [(lesson, exercise) for lesson in LESSONS for exercise in lesson.exercise]
STEPPED = [
    pytest.param(lesson, exercise, step, id=f"{lesson.id}-{exercise.id}-{step}")
    for lesson, exercise in EXERCISES
    for step in exercise.steps()
    if step != "run"
]


def id_of(one: Lesson | Exercise) -> str:
    return one.id


@pytest.mark.parametrize("name", sources())
def test_the_engine_agrees_with_all_of_a_lesson(name: str) -> None:
    assert [str(problem) for problem in check_lesson(sources()[name])] == []


def test_the_lessons_are_numbered_and_named_as_their_files() -> None:
    assert [lesson.number for lesson in LESSONS] == list(range(19))
    assert list(sources()) == [f"{lesson.number:02}-{lesson.id}.toml" for lesson in LESSONS]


@pytest.mark.parametrize("lesson", LESSONS, ids=id_of)
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


@pytest.mark.parametrize("lesson", LESSONS, ids=id_of)
def test_the_lesson_has_none_of_its_answers(lesson: Lesson) -> None:
    shown = ask("lesson", lesson=lesson.id)["lesson"]
    secret = {"answer", "right", "why", "misconception", "counterexample", "examples", "claim"}
    secret |= {"note", "observed", "values"}
    assert secret.isdisjoint(re.findall(r'"(\w+)":', json.dumps(shown)))
    assert [e["id"] for e in shown["exercises"]] == [e.id for e in lesson.exercise]


def test_lessons_lead_from_one_to_the_next() -> None:
    listed = ask("lessons")["lessons"]
    shown = [ask("lesson", lesson=one["id"])["lesson"] for one in listed]
    assert [one["next"] and one["next"]["id"] for one in shown] == [
        *(one["id"] for one in listed[1:]),
        None,
    ]
    assert shown[0]["previous"] is None
    assert shown[1]["previous"] == {"id": listed[0]["id"], "title": listed[0]["title"]}
    assert ask("lesson", lesson=3)["lesson"]["id"] == listed[3]["id"]


@pytest.mark.parametrize(("lesson", "exercise", "step"), STEPPED)
def test_one_answer_is_right_and_others_say_why_not(
    lesson: Lesson, exercise: Exercise, step: str
) -> None:
    place = lesson.id, exercise.id, step
    answer = judged(*place, show=True)
    assert answer["answer"]["label"]
    assert answer["why"], "who is right is told the reason, too"
    right = answer["answer"]["value"]
    again = judged(*place, value=right)
    assert (again["right"], again["why"]) == (True, answer["why"])
    whole = next(e for e in exercises(lesson.id) if e["id"] == exercise.id)
    shown = next(s for s in whole["steps"] if s["step"] == step)
    kind = shown["kind"]
    chosen = [*build_lessons.values(whole, shown)]
    found = {value: judged(*place, value=value) for value in chosen or ["\ud800\x00<b>", " " * 300]}
    assert not chosen or [value for value, one in found.items() if one["right"]] == [right]
    for wrong in (one for one in found.values() if not one["right"]):
        assert wrong["answer"] is None
        if kind == "choice":
            assert wrong["misconception"]
            example = wrong["counterexample"]
            rule = Grammar.load(example["grammar"])[example["rule"]]
            assert rule.is_valid(example["text"]) == example["valid"]
            assert example["what"]
            assert example["text"] != exercise.text, "that is no news"
        elif kind == "define":
            assert wrong["written"]["errors"]
        elif kind in ("verdict", "both", "equivalent"):
            assert wrong["misconception"] or wrong["message"]
        elif kind != "browser":
            assert wrong["message"]


@pytest.mark.parametrize(
    ("lesson", "exercise"), [(one, e) for one, e in EXERCISES if e.run], ids=id_of
)
def test_running_gives_the_report_of_each_text(lesson: Lesson, exercise: Exercise) -> None:
    found = judged(lesson.id, exercise.id, "run", value="http://e.com/")
    assert found["right"]
    texts = [exercise.text if exercise.text is not None else "http://e.com/"]
    texts += [exercise.other] if exercise.other is not None else []
    assert [report["text"] for report in found["reports"]] == texts
    results = {result["name"]: result for result in found["results"]}
    assert ("resolved" in results) == (exercise.base is not None)
    assert ("observed" in results) == (exercise.observed is not None)
    assert ("equivalent" in results) == (exercise.other is not None)
    if exercise.predict and exercise.predict.kind == "equivalent":
        same = uriproof.equivalent(*texts)
        said = results["equivalent"]
        assert (said["text"], said["verdict"]) == (str(same), bool(same))


def test_two_texts_are_compared_on_the_level_that_is_asked_for() -> None:
    source = sources()["08-encoded-delimiters.toml"]
    levels = {}
    for level in "case", "percent-encoding":
        own = source.replace('kind = "equivalent"', f'kind = "equivalent"\nlevel = "{level}"')
        (found,) = ask("answer", source=own, exercise="tilde", step="run")["results"]
        levels[level] = found["text"], found["verdict"]
    assert levels["case"] == ("not equivalent: path differs", False)
    assert levels["percent-encoding"][1]


# Lesson, exercise, what is written, and whether that answers the question.
WRITTEN = beside(__file__, "written")


@pytest.mark.parametrize(("lesson", "exercise", "text", "right"), WRITTEN)
def test_what_is_written_is_judged_by_what_it_means(
    lesson: str, exercise: str, text: str, right: bool
) -> None:
    found = judged(lesson, exercise, "predict", value=text)
    assert found["right"] == right
    assert right or found["message"]
    if right and exercise == "end":
        assert "equivalent by" in plain(found["message"])


def test_every_text_that_is_written_is_tried() -> None:
    asks = {
        (lesson.id, e.id)
        for lesson, e in EXERCISES
        if e.predict and e.predict.kind in {"write", "result"}
    }
    assert {(lesson, exercise) for lesson, exercise, _, _ in WRITTEN} == asks


def test_the_report_is_of_the_text_that_was_judged() -> None:
    for text, kept, ok in (
        ("http://google.com:80 \n", "http://google.com:80", True),
        ("http://google.com ", "http://google.com ", False),
    ):
        (report,) = judged("host-and-port", "make-port", "run", value=text)["reports"]
        assert (report["text"], report["ok"]) == (kept, ok)


@pytest.mark.parametrize(("text", "words"), beside(__file__, "nearly"))
def test_an_answer_that_only_looks_right_is_told_what_is_too_much(text: str, words: str) -> None:
    assert plain(judged("two-slashes", "end", "predict", value=text)["message"]) == words


def test_a_fix_is_called_safe_if_the_linter_calls_it_safe(tmp_path: Path, run: Run) -> None:
    notes = [(exercise.text, exercise.run.note) for _, exercise in EXERCISES if exercise.run]
    told = [one for one in notes if re.search("[Tt]he(re is a safe)? fix", one[1])]
    assert told
    for text, note in told:
        (tmp_path / "page.md").write_text(f"[a](<{text}>)\n", "utf-8")
        shown = run("lint", "--all", "--isolated", "--no-cache", str(tmp_path / "page.md")).out
        assert "fix: replace" in shown
        assert ("safe fix" in note) == ("unsafe" not in shown), text


def test_clicks_on_boxes() -> None:
    clicked = ("host.0", "host.1", "host.2", "host.2:out", "reg-name", "IPv4address", "host")
    place = "address-or-name", "too-large", "light"
    right = [box for box in clicked if judged(*place, value=box)["right"]]
    assert right == ["host.2", "host.2:out", "reg-name"]


def test_each_condition_is_met_or_not() -> None:
    wrong = judged("scheme", "shortest", "predict", value="1:")
    assert [condition["met"] for condition in wrong["conditions"]] == [False, True]
    assert "scheme" in plain(wrong["message"])


def test_encoders_do_what_the_lesson_says() -> None:
    text = sources()["13-encoders.toml"].replace('\\"', '"')
    found = re.findall(r'`(\w+\("[^`]*"\))`,? (?:which )?gives\s`([^`]*)`', text)
    assert len(found) >= 6
    scripts = {}
    for call, result in found:
        if call.startswith("quote("):
            assert urllib.parse.quote(json.loads(call[6:-1])) == result
        else:
            scripts[call] = result
    node = shutil.which("node")
    if not node:
        pytest.skip("node is not installed")
    script = f"process.stdout.write(JSON.stringify([{','.join(scripts)}]))"
    ran = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == [*scripts.values()]


def test_the_page_for_teachers_lists_every_lesson() -> None:
    page = " ".join((ROOT / "docs/teach/lessons.md").read_text("utf-8").split())
    for lesson in LESSONS:
        cited = ask("lesson", lesson=lesson.id)["lesson"]["cited"].removeprefix("RFC 3986 ")
        assert f"### {lesson.number}. {lesson.title} ({cited})" in page
        assert f"{lesson.minutes} minutes" in page
    minutes = sum(lesson.minutes for lesson in LESSONS)
    assert f"{minutes} minutes" in page
    assert f"{len(EXERCISES)} exercises" in page
    for text in sources().values():
        assert tomllib.loads(text)["concept"] in page
