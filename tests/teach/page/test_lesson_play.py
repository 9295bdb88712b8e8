"""Exercises of every kind, played in a browser: wrong at first, and then right.

Owns the player. Imports the fixtures. Invariant: what is on the screen is what ``handle`` answers,
sentence for sentence, and no two sentences of one step contradict each other. What ``handle``
answers of each exercise of all lessons is in ``test_lessons``, and that a static site is answered
the same in ``test_transports``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import build_lessons
import pytest
from asking import ask, exercises, judged, plain
from browser import Axe, Watched, settled
from playwright.sync_api import Locator, Page, expect

LESSONS: list[dict[str, Any]] = ask("lessons")["lessons"]


def sentences(blocks: list[dict[str, Any]]) -> Iterator[str]:
    for block in blocks:
        items = block["items"] if block["kind"] == "list" else [block["pieces"]]
        yield from map(plain, items)


class Player:
    """Plays one exercise on a page."""

    def __init__(self, page: Page, lesson: str, exercise: dict[str, Any]) -> None:
        self.page = page
        self.lesson = lesson
        self.exercise = exercise

    def play(self) -> None:
        steps = self.exercise["steps"]
        predicted = None
        for at, step in enumerate(steps):
            self.now = self.page.locator(".steps > li").nth(at)
            expect(self.now).not_to_have_class("step later")
            if step["step"] == "run":
                self._run(predicted)
            else:
                runs = [one["step"] for one in steps[at + 1 : at + 2]] == ["run"]
                # What is chosen is judged beside what the engine says, once.
                only_one = runs and step["kind"] not in ("write", "define")
                predicted = self._answer(step, only_one)
            settled(self.page)
            if at + 1 < len(steps) and not (step["step"] == "predict" and predicted):
                self.now.get_by_role("button", name="Go on").click()

    def ask(self, step: str, **more: Any) -> dict[str, Any]:
        return judged(self.lesson, self.exercise["id"], step, **more)

    def _answer(self, step: dict[str, Any], only_one: bool) -> dict[str, Any]:
        """Give a wrong answer and look at what is said; then the right one, if it is asked for."""
        name = step["step"]
        right = self.ask(name, show=True)["answer"]["value"]
        wrong = ("1 wrong answer", f"{step.get('rule')} = %x00")[step["kind"] == "define"]
        given = [*build_lessons.values(self.exercise, step), wrong]
        for value in (next(v for v in given if not self.ask(name, value=v)["right"]), right):
            answer = self.ask(name, value=value)
            self._give(step, value)
            self.now.locator("button[type=submit]").click()
            if only_one:
                return {"value": value, **answer}
            settled(self.page)
            self._said(self.now.locator(".feedback").first, answer)
            if step["kind"] == "define":
                self._drawn(answer["written"])
        return {}

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
                self.now.locator(f"input[data-value='\"{value}\"']").check()

    def _said(self, feedback: Locator, answer: dict[str, Any]) -> None:
        """Each sentence of an answer, and none of the opposite."""
        right = answer["right"]
        expect(feedback.locator(".tick")).to_have_text("✓ Right." if right else "✗ Not right.")
        assert answer["message"] or answer["why"] or answer["misconception"], "nothing is said"
        for words in (answer["message"], answer["misconception"]):
            expect(feedback).to_contain_text(plain(words).strip())
        if right:
            for sentence in sentences(answer["why"]):
                expect(feedback).to_contain_text(sentence)
            expect(feedback.locator(".misconception")).to_have_count(0)
        for condition in answer["conditions"]:
            listed = feedback.locator(".met li", has_text=plain(condition["words"]))
            expect(listed).to_contain_text("met" if condition["met"] else "not met")
        shown = feedback.locator(".counterexample")
        example = answer["counterexample"]
        expect(shown).to_have_count(int(bool(example)))
        if example:
            said = f": a valid {example['rule']}" if example["valid"] else ": not a valid "
            expect(shown).to_contain_text(said)
            expect(shown).to_contain_text(plain(example["what"]))

    def _drawn(self, written: dict[str, Any]) -> None:
        state = self.now.locator(".define-state")
        expect(state).to_have_class(f"define-state {'right' if written['right'] else 'wrong'}")
        expect(self.now.locator(".define-errors li")).to_have_count(len(written["errors"]))
        texts = [t for t in (written["too_much"], written["too_little"]) if t is not None]
        cards = self.now.locator(".define-card")
        expect(cards).to_have_count(len(texts))
        for at, text in enumerate(texts):
            if text.isprintable() and text:
                expect(cards.nth(at).locator(".define-text")).to_have_text(text)
            expect(cards.nth(at).locator("svg.lighted")).to_be_visible()

    def _run(self, predicted: dict[str, Any] | None) -> None:
        shown = None
        if predicted or self.exercise["text"] is None:
            shown = self.ask("predict", show=True)
        value = predicted["value"] if predicted else shown and shown["answer"]["value"]
        found = self.ask("run", **({} if value is None else {"value": value}))
        outcomes = self.now.locator(".outcome")
        expect(outcomes).to_have_count(len(found["reports"]))
        for at, report in enumerate(found["reports"]):
            expect(outcomes.nth(at)).to_have_text(re.compile("✓" if report["ok"] else "✗"))
            for violation in report["violations"]:
                expect(self.now.locator(".ran").nth(at)).to_contain_text(violation["message"])
        for result in found["results"]:
            if result["verdict"] is not None:
                expect(self.now.locator(".results")).to_contain_text(result["text"])
        if predicted and shown:
            feedback = self.now.locator(".feedback").first
            label = plain(shown["answer"]["label"])
            expect(self.now.locator(".lesson-against .value").last).to_have_text(label)
            self._said(feedback, {**predicted, "why": shown["why"]})
            if predicted["misconception"] is None and not predicted["right"]:
                expect(feedback).to_contain_text(next(sentences(shown["why"])))


def of_every_kind() -> list[Any]:
    """Of each kind of step the last exercise that has it."""
    kinds = {
        (step["step"], step.get("kind")): (lesson["id"], one["number"])
        for lesson in LESSONS
        for one in exercises(lesson["id"])
        for step in one["steps"]
    }
    return [pytest.param(*one, id="-".join(map(str, one))) for one in sorted({*kinds.values()})]


@pytest.mark.parametrize(("lesson", "number"), of_every_kind())
def test_each_kind_of_exercise_wrong_and_right(
    same_page: Watched, axe: Axe, lesson: str, number: int
) -> None:
    page = same_page(f"#/lesson/{lesson}?exercise={number}")
    page.set_viewport_size({"width": 360, "height": 740})
    Player(page, lesson, exercises(lesson)[number - 1]).play()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_lesson_fits_a_narrow_screen_and_asks_on_the_first_screen(same_page: Watched) -> None:
    for lesson in LESSONS:
        longest = max(exercises(lesson["id"])[1:], key=lambda one: len(one["text"] or ""))
        page = same_page(f"#/lesson/{lesson['id']}?exercise={longest['number']}")
        name = f"Exercise {longest['number']} of "
        expect(page.get_by_role("heading", name=name)).to_be_visible()
        settled(page)
        question = page.locator(".step.now legend, .step.now .define-legend, .writing label").first
        box = question.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 900, lesson["id"]
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), lesson["id"]
