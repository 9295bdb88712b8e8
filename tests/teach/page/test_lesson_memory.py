"""What a pupil's browser remembers: steps over a reload, answers, and what comes back.

Owns the tests of memory, and of the editor by the keyboard. Imports the fixtures. Invariant: the
time that passes is set, never waited for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browser import Watched, settled
from playwright.sync_api import Locator, Page, expect

from uriproof.teach import handle

Axe = Callable[[Page], list[str]]

KEY = "uriproof-lessons"
ANEW = """() => {
    document.getElementById("view").replaceChildren();
    dispatchEvent(new HashChangeEvent("hashchange"));
}"""


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def answers(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(
        "(key) => JSON.parse(localStorage.getItem(key) ?? '{}').answers ?? []", KEY
    )
    return found


def remember(page: Page, *entries: dict[str, Any]) -> None:
    """Answers of before, ``ago`` in days."""
    script = """([key, entries]) => {
      const at = (ago) => Date.now() - ago * 86_400_000;
      const answers = entries.map(({ ago, ...one }) => ({ ...one, at: at(ago) }));
      localStorage.setItem(key, JSON.stringify({ done: {}, last: null, answers }));
    }"""
    page.evaluate(script, [KEY, list(entries)])


def wrong(ago: float, exercise: str = "underscore", lesson: str = "scheme") -> dict[str, Any]:
    place = {"lesson": lesson, "exercise": exercise, "step": "explain"}
    return {**place, "right": False, "value": "a", "misconception": "Any word.", "ago": ago}


def reviewed(ago: float, right: bool = True) -> dict[str, Any]:
    place = {"lesson": "scheme", "exercise": "underscore", "step": "review"}
    return {**place, "review": True, "right": right, "ago": ago}


def test_steps_are_kept_over_reload_and_back(open_page: Watched) -> None:
    page = open_page("#/lesson/scheme")
    page.locator(".positions label").nth(4).click()
    button(page, "Run it").click()
    button(page, "Go on: light").click()
    page.locator(".rails .choosable", has_text="scheme").click()
    button(page, "Check").click()
    expect(button(page, "Go on: explain")).to_be_visible()
    noted = answers(page)
    assert [one["right"] for one in noted] == [False, True]
    page.reload()
    expect(button(page, "Go on: explain")).to_be_visible()
    expect(page.locator(".feedback.wrong")).to_contain_text("allowed in a name elsewhere")
    assert answers(page) == noted, "what was answered before is not answered again"
    page.goto(open_page.transport.url + "#/play?text=a:")
    expect(page.locator("uri-playground")).to_be_visible()
    settled(page)  # the playground writes its own address, which must not be over that of before
    page.go_back()
    expect(button(page, "Go on: explain")).to_be_visible()
    button(page, "Go on: explain").click()
    button(page, "Show answer").click()
    button(page, "Next exercise").click()
    button(page, "Exercise 1").click()
    expect(button(page, "Run it")).to_be_visible()  # what is finished begins anew


def test_the_introduction_folds_away(same_page: Watched) -> None:
    page = same_page("#/lesson/scheme")
    expect(page.locator(".intro")).to_have_attribute("open", "")
    button(page, "Exercise 2").click()
    expect(page.locator(".intro")).not_to_have_attribute("open", "")
    for lesson in handle({"do": "lessons"})["lessons"]:
        page.evaluate("(place) => { location.hash = place }", f"#/lesson/{lesson['id']}?exercise=2")
        expect(page.locator(".lesson-head h1")).to_contain_text(lesson["title"])
        settled(page)
        question = page.locator(".step.now legend, .step.now .define-legend, .writing label").first
        box = question.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 900, lesson["id"]
    page.locator(".intro > summary").click()
    expect(page.locator(".intro .signs")).to_be_visible()


def test_each_answer_is_kept(open_page: Watched, tmp_path: Path) -> None:
    page = open_page("#/lesson/write-productions?exercise=2")
    page.locator(".cm-content").focus()
    page.keyboard.type("*4DIGIT ")
    expect(page.locator(".define-state")).to_have_text("✗ Not equal yet.")
    expect(page.locator(".define-text").first).to_have_text("the empty text")
    assert answers(page) == [], "what is looked at while it is written is no answer"
    button(page, "Check").click()
    expect(page.locator(".misconception")).to_contain_text("*4 is exactly four times.")
    (one,) = answers(page)
    assert (one["lesson"], one["exercise"], one["right"]) == ("write-productions", "year", False)
    assert one["misconception"] == "*4 is exactly four times."
    button(page, "Show answer").click()
    expect(page.locator(".define-state")).to_contain_text("✓ Equal")
    assert [one.get("shown") for one in answers(page)] == [None, True]
    page.goto(open_page.transport.url + "#/lessons")
    with page.expect_download() as saved:
        button(page, "Save my answers as a file").click()
    file = tmp_path / "anna.json"
    saved.value.save_as(file)
    record = json.loads(file.read_text("utf-8"))
    assert (record["uriproof"], record["version"]) == ("lessons", 1)
    assert record["answers"] == answers(page)


def test_a_misconception_comes_back_after_one_three_and_seven_days(
    open_page: Watched, axe: Axe
) -> None:
    page = open_page("#/lessons")
    due = page.get_by_role("heading", name="To come back to")
    for entries, back in [
        ([wrong(0.5)], False),
        ([wrong(1.1)], True),
        ([wrong(9), reviewed(2.9)], False),
        ([wrong(9), reviewed(3.1)], True),
        ([wrong(20), reviewed(12), reviewed(6.9)], False),
        ([wrong(20), reviewed(12), reviewed(7.1)], True),
        ([wrong(90), reviewed(80), reviewed(70), reviewed(60)], False),
        ([wrong(90), reviewed(80), reviewed(70), reviewed(1.1, right=False)], True),
        ([wrong(5, "no-such", "no-such")], False),
        ([wrong(5, lesson="own:scheme")], False),
    ]:
        remember(page, *entries)
        page.evaluate(ANEW)
        expect(page.locator(".lesson-list")).to_be_visible()
        expect(due).to_have_count(int(back))
    remember(page, wrong(2))
    page.reload()
    button(page, "Ask me again").click()
    review = page.locator(".review")
    expect(review).to_contain_text("Any word.")
    expect(review.get_by_role("button", name="Check")).to_be_visible()
    assert axe(page) == []
    field = review.locator("input[type=radio]")
    field.first.check()
    review.get_by_role("button", name="Check").click()
    expect(review.locator(".feedback .tick")).to_be_visible()
    right = review.locator(".feedback.right").count() == 1
    last = answers(page)[-1]
    assert (last["review"], last["right"], last["exercise"]) == (True, right, "underscore")
    if not right:
        button(page, "Show answer").click()
    button(page, "Go on").click()
    expect(due).to_have_count(0)


def test_two_tabs_know_of_each_other(open_page: Watched) -> None:
    one = open_page("#/lesson/scheme")
    other = open_page("#/lesson/scheme?exercise=6")
    other.locator(".writing input").fill("a:")
    button(other, "Check").click()
    button(other, "Go on: run").click()
    expect(button(other, "Next exercise")).to_be_visible()
    expect(one.locator(".exercises li").nth(5)).to_contain_text("✓")
    expect(one.locator(".positions")).to_be_visible()


@pytest.mark.parametrize(
    "stored",
    [
        '{"done": {}, "answers": 7}',
        '{"done": {"__proto__": {"a": 1}}, "answers": [null, 1, {"lesson": "scheme"}]}',
        '{"done": [], "answers": [{"lesson": "constructor", "exercise": "__proto__", "at": 1}]}',
        "[",
    ],
)
def test_nonsense_in_the_store_is_no_progress(open_page: Watched, stored: str) -> None:
    page = open_page("#/lessons")
    page.evaluate("([key, all]) => localStorage.setItem(key, all)", [KEY, stored])
    page.evaluate("sessionStorage.setItem('uriproof-lessons:scheme:underscore', '{\"steps\": 3}')")
    page.reload()
    expect(page.locator(".lesson-list li").first).to_be_visible()
    page.goto(open_page.transport.url + "#/lesson/scheme")
    expect(button(page, "Run it")).to_be_visible()


@pytest.mark.parametrize("name", ["__proto__", "constructor", "toString", "hasOwnProperty"])
def test_names_of_prototypes_are_names_of_nothing(same_page: Watched, name: str) -> None:
    page = same_page(f"#/lesson/{name}")
    expect(page.get_by_role("heading", name="This lesson cannot be shown")).to_be_visible()
    page = same_page(f"#/lesson/scheme?exercise={name}&{name}={name}")
    expect(button(page, "Run it")).to_be_visible()


def test_the_editor_by_the_keyboard(same_page: Watched, axe: Axe) -> None:
    page = same_page("#/lesson/write-productions?exercise=8")
    editor = page.get_by_role("textbox", name="ABNF of dec-octet")
    expect(page.locator(".cm-content")).to_be_visible()  # it replaces a plain field
    editor.focus()
    expect(page.locator(".cm-focused")).to_be_visible()
    page.keyboard.type("DIG")
    offered = page.get_by_role("option")
    expect(offered.first).to_have_text("DIGIT")
    assert axe(page) == []
    page.keyboard.press("Enter")
    expect(editor).to_contain_text("dec-octet = DIGIT")
    expect(page.locator(".define-text")).to_have_text("10")
    expect(page.locator(".define-card svg.lighted .left").first).to_be_attached()
    expect(page.locator(".define-card svg.derivation .c-blame")).to_have_text("01")  # at 1: 0
    page.keyboard.type(" / DIGT")
    page.keyboard.press("Escape")
    expect(page.locator(".cm-lintRange-error")).to_have_text("DIGT")
    expect(page.locator(".define-errors")).to_contain_text("did you mean DIGIT")
    assert axe(page) == []
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("The signs of ABNF")


def test_an_answer_can_be_shown_before_anything_is_written(same_page: Watched, axe: Axe) -> None:
    page = same_page("#/lesson/write-addresses?exercise=8")
    expect(page.locator(".cm-content")).to_be_visible()
    button(page, "Show answer").click()
    expect(page.locator(".define-state")).to_contain_text("✓ Equal")
    expect(page.locator(".cm-content")).to_contain_text('[ *6( h16 ":" ) h16 ]')
    expect(button(page, "Finish the lesson")).to_be_focused()
    assert axe(page) == []


def test_without_the_editor_a_field_does(first_page: Watched) -> None:
    first_page.allow("Failed to load resource")
    first_page.context.route("**/vendor/codemirror.js", lambda route: route.abort())
    page = first_page("#/lesson/write-productions?exercise=2")
    page.get_by_role("textbox", name="ABNF of year").fill("year = 4DIGIT")
    expect(page.locator(".define-state")).to_contain_text("✓ Equal")
    button(page, "Check").click()
    expect(page.locator(".feedback.right")).to_be_visible()


def test_the_editor_is_loaded_with_the_exercise_alone(open_page: Watched) -> None:
    asked: list[str] = []
    open_page.context.on("request", lambda request: asked.append(request.url))
    page = open_page("#/lesson/scheme")
    expect(button(page, "Run it")).to_be_visible()
    assert not [url for url in asked if "codemirror" in url]
    page.goto(open_page.transport.url + "#/lesson/write-productions")
    expect(page.locator(".cm-content")).to_be_visible()
    assert len([url for url in asked if "codemirror" in url]) == 1


def test_a_teachers_grammar(same_page: Watched) -> None:
    source = (
        'id = "own"\ntitle = "Plates"\nsection = "1"\nconcept = "c"\nintroduction = ""\n'
        'summary = "Done."\nabnf = """\nplate = area "-" 1*4DIGIT\narea = 1*3ALPHA\n"""\n'
        '[[exercise]]\nid = "a"\ntitle = "A plate"\n[exercise.predict]\nkind = "define"\n'
        'of = "plate"\ngiven = ["area"]\nexamples = [\'plate = area "-" 1*4DIGIT\']\n'
    )
    page = same_page(f"#/lesson?source={quote(source, safe='')}")
    expect(page.locator(".given")).to_contain_text("area = 1*3ALPHA")
    page.locator(".cm-content").focus()
    page.keyboard.type('area [ "-" ] 1*4DIGIT')
    expect(page.locator(".define-text")).to_have_text("a0")
    expect(page.locator(".define-card svg.lighted")).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type('plate = area "-" 1*4DIGIT ')
    expect(page.locator(".define-state")).to_have_class(re.compile("right"))
