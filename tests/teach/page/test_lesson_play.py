"""Exercises of every kind, played in a browser: wrong at first, and then right.

Owns the player. Imports the fixtures. Invariant: what is on the screen is what ``handle`` answers,
sentence for sentence, and no two sentences of one step contradict each other. What ``handle``
answers of each exercise of all lessons is in ``test_lessons``, and that a static site is answered
the same in ``test_transports``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser import Watched, settled
from playwright.sync_api import Locator, Page, expect

from uriproof.teach import handle
from uriproof.teach.lessons.read import given
from uriproof.teach.lessons.shelf import bundled

LESSONS: list[dict[str, Any]] = handle({"do": "lessons"})["lessons"]
JUDGED_NEXT = ("verdict", "position", "equivalent", "browser", "both", "result", "choice")
"""The kinds of predictions that are judged beside what the engine says."""


def plain(pieces: list[dict[str, Any]] | None) -> str:
    return "".join(piece["text"] for piece in pieces or ())


def sentences(blocks: list[dict[str, Any]]) -> Iterator[str]:
    for block in blocks:
        items = block["items"] if block["kind"] == "list" else [block["pieces"]]
        yield from map(plain, items)


class Player:
    """Plays one lesson on a page."""

    def __init__(self, page: Page, lesson: str, looked: Callable[[str], None]) -> None:
        self.page = page
        self.lesson = lesson
        self.looked = looked  # is called at the end of each exercise, with its id
        self.exercises = handle({"do": "lesson", "lesson": lesson})["lesson"]["exercises"]

    def play(self) -> None:
        for number, exercise in enumerate(self.exercises, 1):
            name = re.compile(rf"^Exercise {number} of ")
            expect(self.page.get_by_role("heading", name=name)).to_be_visible()
            self._exercise(exercise)
            self.looked(exercise["id"])
            last = number == len(self.exercises)
            self._press(self.now, "Finish the lesson" if last else "Next exercise")
        expect(self.page.get_by_role("heading", name="The lesson is done")).to_be_focused()

    def _exercise(self, exercise: dict[str, Any]) -> None:
        steps = exercise["steps"]
        predicted = None
        for at, step in enumerate(steps):
            self.now = self.page.locator(".steps > li").nth(at)
            expect(self.now).not_to_have_class("step later")
            if step["step"] == "run":
                self._run(exercise, predicted)
            else:
                following = steps[at + 1]["step"] if at + 1 < len(steps) else ""
                only_one = step["kind"] in JUDGED_NEXT and following == "run"
                predicted = self._answer(exercise, step, only_one)
            settled(self.page)
            runs_by_itself = step["step"] == "predict" and predicted
            if at + 1 < len(steps) and not runs_by_itself:
                self._press(self.now, "Go on")

    def _press(self, place: Locator, name: str) -> None:
        place.get_by_role("button", name=name).click()

    def ask(self, exercise: dict[str, Any], step: str, **more: Any) -> dict[str, Any]:
        request = {"do": "answer", "lesson": self.lesson, "exercise": exercise["id"], "step": step}
        answer = handle({**request, **more})
        assert "error" not in answer, answer
        return answer

    def _answer(
        self, exercise: dict[str, Any], step: dict[str, Any], only_one: bool
    ) -> dict[str, Any]:
        """Give a wrong answer and look at what is said; then the right one, if it is asked for."""
        name = step["step"]
        right = self.ask(exercise, name, show=True)["answer"]["value"]
        wrong = self._wrong(exercise, step, right)
        for value in (wrong, right):
            answer = self.ask(exercise, name, value=value)
            self._give(step, value)
            self._submit()
            if only_one:
                return {"value": value, **answer}
            settled(self.page)
            self._said(self.now.locator(".feedback").first, answer)
            if step["kind"] == "define":
                self._drawn(answer["written"])
        return {}

    def _wrong(self, exercise: dict[str, Any], step: dict[str, Any], right: Any) -> Any:
        values: list[Any]
        match step["kind"]:
            case "diagram":
                values = [box["value"] for box in step["boxes"]]
            case "production":
                values = [one["name"] for one in step["among"]]
            case "position":
                values = [*range(step["end"] + 1)]
            case "define":
                predict = given(self._source(exercise).predict)
                values = [mistake.abnf.strip() for mistake in predict.mistake]
                values.append(f"{step['rule']} = %x00")
            case "write" | "result":
                values = ["1 wrong answer"]
            case _:
                values = [option["value"] for option in step["options"]]
        for value in values:
            if value != right and not self.ask(exercise, step["step"], value=value)["right"]:
                return value
        raise AssertionError(f"{exercise['id']} has no wrong answer")

    def _source(self, exercise: dict[str, Any]) -> Any:
        return next(e for e in bundled()[self.lesson].exercise if e.id == exercise["id"])

    def _give(self, step: dict[str, Any], value: Any) -> None:
        match step["kind"]:
            case "diagram":
                box = self.now.locator(f'.rails .choosable[data-node="{value}"]')
                expect(box).to_be_visible()
                box.focus()
                self.page.keyboard.press("Enter")
                expect(box).to_have_attribute("aria-pressed", "true")
            case "position":
                self.now.locator(".positions label").nth(value).click()
            case "define":
                editor = self.now.locator(".abnf-editor .cm-content")
                expect(editor).to_be_visible()
                editor.focus()
                self.page.keyboard.press("Control+a")
                self.page.keyboard.insert_text(value.strip("\n"))
                self.page.keyboard.press("Escape")  # what is offered to complete it
            case "write" | "result":
                self.now.locator(".writing input").fill(value)
            case _:
                find = f"input[data-value={json_of(value)}]"
                self.now.locator(find).check()

    def _submit(self) -> None:
        self.now.locator("button[type=submit]").click()

    def _said(self, feedback: Locator, answer: dict[str, Any]) -> None:
        """Each sentence of an answer, and none of the opposite."""
        right = answer["right"]
        expect(feedback.locator(".tick")).to_have_text("✓ Right." if right else "✗ Not right.")
        assert answer["message"] or answer["why"] or answer["misconception"], "nothing is said"
        for words in (answer["message"], answer["misconception"]):
            if words:
                expect(feedback).to_contain_text(plain(words).strip())
        if right:
            for sentence in sentences(answer["why"]):
                expect(feedback).to_contain_text(sentence)
            expect(feedback.locator(".misconception")).to_have_count(0)
        example = answer["counterexample"]
        expect(feedback.locator(".counterexample")).to_have_count(int(bool(example)))
        if example:
            shown = feedback.locator(".counterexample")
            said = f": a valid {example['rule']}" if example["valid"] else ": not a valid "
            expect(shown).to_contain_text(said)
            expect(shown).to_contain_text(plain(example["what"]))

    def _drawn(self, written: dict[str, Any]) -> None:
        state = self.now.locator(".define-state")
        expect(state).to_have_class(f"define-state {'right' if written['right'] else 'wrong'}")
        expect(state).to_contain_text("✓" if written["right"] else "✗")
        expect(self.now.locator(".define-errors li")).to_have_count(len(written["errors"]))
        texts = [t for t in (written["too_much"], written["too_little"]) if t is not None]
        cards = self.now.locator(".define-card")
        expect(cards).to_have_count(len(texts))
        for at, text in enumerate(texts):
            if text.isprintable() and text:
                expect(cards.nth(at).locator(".define-text")).to_have_text(text)
            expect(cards.nth(at).locator("svg.lighted")).to_be_visible()

    def _run(self, exercise: dict[str, Any], predicted: dict[str, Any] | None) -> None:
        value = predicted["value"] if predicted else None
        if exercise["text"] is None and value is None:
            value = self.ask(exercise, "predict", show=True)["answer"]["value"]
        found = self.ask(exercise, "run", **({} if value is None else {"value": value}))
        outcomes = self.now.locator(".outcome")
        expect(outcomes).to_have_count(len(found["reports"]))
        for at, report in enumerate(found["reports"]):
            expect(outcomes.nth(at)).to_have_text(re.compile("✓" if report["ok"] else "✗"))
            for violation in report["violations"]:
                expect(self.now.locator(".ran").nth(at)).to_contain_text(violation["message"])
        for result in found["results"]:
            if result["verdict"] is not None:
                expect(self.now.locator(".results")).to_contain_text(result["text"])
        if predicted:
            shown = self.ask(exercise, "predict", show=True)
            label = plain(shown["answer"]["label"])
            expect(self.now.locator(".lesson-against .value").last).to_have_text(label)
            self._said(self.now.locator(".feedback").first, {**predicted, "why": shown["why"]})
            if predicted["misconception"] is None and not predicted["right"]:
                expect(self.now.locator(".feedback").first).to_contain_text(
                    next(sentences(shown["why"]))
                )


def json_of(value: str) -> str:
    return f"'\"{value}\"'"


def kinds(lesson: str) -> set[tuple[str, str]]:
    """The kinds of steps of a lesson."""
    found = handle({"do": "lesson", "lesson": lesson})["lesson"]["exercises"]
    return {(step["step"], step.get("kind", "")) for one in found for step in one["steps"]}


def of_every_kind() -> list[str]:
    """A few lessons that together have all kinds of steps."""
    chosen: list[str] = []
    left = set[tuple[str, str]]().union(*(kinds(one["id"]) for one in LESSONS))
    while left:
        chosen.append(max((one["id"] for one in LESSONS), key=lambda name: len(kinds(name) & left)))
        left -= kinds(chosen[-1])
    return chosen


@pytest.mark.parametrize("lesson", of_every_kind())
def test_each_kind_of_exercise_wrong_and_right(
    same_page: Watched, axe: Callable[[Page], list[str]], lesson: str
) -> None:
    page = same_page(f"#/lesson/{lesson}")
    page.set_viewport_size({"width": 360, "height": 740})

    def looked(exercise: str) -> None:
        assert axe(page) == [], exercise
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), exercise

    Player(page, lesson, looked).play()


def test_the_longest_text_of_each_lesson_fits_a_narrow_screen(same_page: Watched) -> None:
    for lesson in LESSONS:
        found = handle({"do": "lesson", "lesson": lesson["id"]})["lesson"]["exercises"]
        longest = max(found, key=lambda one: len(one["text"] or ""))
        page = same_page(f"#/lesson/{lesson['id']}?exercise={longest['number']}")
        page.set_viewport_size({"width": 360, "height": 740})
        expect(
            page.get_by_role("heading", name=f"Exercise {longest['number']} of ")
        ).to_be_visible()
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), lesson["id"]
