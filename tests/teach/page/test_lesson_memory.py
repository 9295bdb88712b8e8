"""What a pupil's browser remembers: steps over a reload, answers, and what comes back.

Owns the tests of memory, and of the editor by the keyboard. Imports the fixtures. Invariant: the
time that passes is set, never waited for.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from asking import exercises, judged, plain
from browser import Axe, Watched, button, settled
from playwright.sync_api import Page, expect

FIRST = "scheme"
KEY = "uriproof-lessons"
ANEW = """() => {
    document.getElementById("view").replaceChildren();
    dispatchEvent(new HashChangeEvent("hashchange"));
}"""


def stored(page: Page) -> Any:
    return page.evaluate("(key) => JSON.parse(localStorage.getItem(key) ?? '{}')", KEY)


def store(page: Page, text: str) -> None:
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, text])


def answers(page: Page) -> list[dict[str, Any]]:
    return list(stored(page).get("answers", []))


def remember(page: Page, *entries: dict[str, Any]) -> None:
    """Answers of before, ``ago`` in days."""
    now = page.evaluate("Date.now()")
    listed = [{**one, "at": now - one["ago"] * 86_400_000} for one in entries]
    store(page, json.dumps({"done": {}, "last": None, "answers": listed}))


def entry(ago: float, step: str, right: bool, **more: Any) -> dict[str, Any]:
    place = {"lesson": FIRST, "exercise": "underscore", "step": step}
    return {**place, "right": right, "ago": ago, **more}


def wrong(ago: float, **place: str) -> dict[str, Any]:
    return entry(ago, "explain", False, value="a", misconception="Any word.", **place)


def reviewed(ago: float, right: bool = True) -> dict[str, Any]:
    return entry(ago, "review", right, review=True)


def choose(page: Page, exercise: dict[str, Any], right: bool, then: str = "Check") -> None:
    """Choose a right or wrong reason in the step "explain"."""
    step = next(one for one in exercise["steps"] if one["step"] == "explain")
    label = next(
        plain(one["label"])
        for one in step["options"]
        if judged(FIRST, exercise["id"], "explain", value=one["value"])["right"] == right
    )
    page.get_by_role("radio", name=label).check()
    button(page, then).click()


def light(page: Page, name: str) -> None:
    page.locator(".rails .choosable", has_text=name).click()
    button(page, "Check").click()


def write_shortest(page: Page, *texts: str) -> None:
    """The exercise in which the shortest URI is written, with these answers."""
    button(page, "Exercise 6").click()
    for text in texts:
        page.locator(".writing input").fill(text)
        page.locator(".step.now button[type=submit]").click()
        expect(page.locator(".feedback")).to_be_visible()
    button(page, "Go on: run").click()
    expect(button(page, "Next exercise")).to_be_visible()


def test_progress_says_how_an_exercise_was_solved(open_page: Watched) -> None:
    page = open_page(f"#/lesson/{FIRST}")
    first, second = exercises(FIRST)[:2]
    # A wrong prediction, though all else is right.
    page.locator(".positions label").nth(4).click()
    button(page, "Run it").click()
    button(page, "Go on: light").click()
    light(page, "scheme")
    button(page, "Go on: explain").click()
    choose(page, first, right=True)
    button(page, "Next exercise").click()
    assert stored(page)["done"] == {FIRST: {first["id"]: "missed"}}
    # A step whose answer is shown, and a wrong reason, after a right prediction.
    page.get_by_role("radio", name="Valid", exact=True).check()
    button(page, "Run it").click()
    button(page, "Go on: light").click()
    button(page, "Show answer").click()
    button(page, "Go on: explain").click()
    choose(page, second, right=False)
    choose(page, second, right=True, then="Check again")
    button(page, "Next exercise").click()
    # A text that does not meet the conditions at first, and then nothing wrong.
    write_shortest(page, "1:", "a:")
    solved = {first["id"]: "missed", second["id"]: "shown", "shortest": "missed"}
    assert stored(page)["done"] == {FIRST: solved}
    write_shortest(page, "a: ")
    assert stored(page)["done"] == {FIRST: solved | {"shortest": "right"}}
    page.reload()
    signs = [re.compile(rf"^\{sign}") for sign in "↻?✓"]
    expect(page.locator(".exercises .done")).to_have_text(signs)


def test_two_tabs_know_of_each_other_and_of_what_was_before(open_page: Watched) -> None:
    page = open_page(f"#/lesson/{FIRST}")
    before = {"underscore": "right", "case": 7}
    store(page, json.dumps({"done": {FIRST: before}, "last": None}))
    page.reload()
    expect(page.locator(".exercises button", has_text="✓")).to_have_count(2)
    third = open_page(f"#/lesson/{FIRST}")
    expect(third.locator(".positions")).to_be_visible()
    other = open_page("#/lesson/host-and-port?exercise=5")
    field = other.locator(".writing input")
    expect(field).to_be_visible()
    write_shortest(page, "a:")
    field.fill("x://google.com:80")
    button(other, "Check").click()
    button(other, "Go on: run").click()
    expect(button(other, "Next exercise")).to_be_visible()
    assert stored(page)["done"] == {
        FIRST: {**before, "shortest": "right"},
        "host-and-port": {"make-port": "right"},
    }
    expect(third.locator(".exercises li").nth(5)).to_contain_text("✓")


def test_progress_is_taken_up_until_it_is_forgotten(open_page: Watched, axe: Axe) -> None:
    page = open_page(f"#/lesson/{FIRST}")
    button(page, "Exercise 3").click()
    expect(page).to_have_url(re.compile("exercise=3$"))
    page.reload()
    expect(page.get_by_role("heading", name="Exercise 3 of ")).to_be_visible()
    page.goto(open_page.transport.url + "#/lessons")
    page.get_by_role("link", name="Begin with lesson 1").click()
    expect(page.get_by_role("heading", name="Exercise 3 of ")).to_be_visible()
    every = {FIRST: {one["id"]: "right" for one in exercises(FIRST)}}
    store(page, json.dumps({"done": every, "last": None}))
    page.goto(open_page.transport.url + "#/lessons")
    expect(page.locator(".lesson-list li").nth(1)).to_contain_text("done")
    expect(page.get_by_role("link", name="Go on with lesson 0")).to_be_visible()
    assert axe(page) == []
    button(page, "Forget my progress").click()
    expect(page.locator(".count")).to_be_focused()
    page.reload()
    expect(page.get_by_role("link", name="Begin with lesson 0")).to_be_visible()


def test_steps_are_kept_over_reload_and_back(open_page: Watched) -> None:
    page = open_page(f"#/lesson/{FIRST}")
    expect(page.locator(".intro")).to_have_attribute("open", "")
    page.locator(".positions label").nth(4).click()
    button(page, "Run it").click()
    button(page, "Go on: light").click()
    light(page, "scheme")
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
    expect(page.locator(".intro")).not_to_have_attribute("open", "")
    button(page, "Exercise 1").click()
    expect(button(page, "Run it")).to_be_visible()  # what is finished begins anew


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
        ([wrong(5, exercise="no-such", lesson="no-such")], False),
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
    review.locator("input[type=radio]").first.check()
    review.get_by_role("button", name="Check").click()
    expect(review.locator(".feedback .tick")).to_be_visible()
    right = review.locator(".feedback.right").count() == 1
    last = answers(page)[-1]
    assert (last["review"], last["right"], last["exercise"]) == (True, right, "underscore")
    if not right:
        button(page, "Show answer").click()
    button(page, "Go on").click()
    expect(due).to_have_count(0)


def test_nonsense_in_the_store_is_no_progress(open_page: Watched) -> None:
    page = open_page("#/lessons")
    for text in (
        '{"done": {}, "answers": 7}',
        '{"done": {"__proto__": {"a": 1}}, "answers": [null, 1, {"lesson": "scheme"}]}',
        '{"done": [], "answers": [{"lesson": "constructor", "exercise": "__proto__", "at": 1}]}',
        "[",
    ):
        store(page, text)
        page.evaluate(f"sessionStorage.setItem('{KEY}:scheme:underscore', '{{\"steps\": 3}}')")
        page.reload()
        expect(page.locator(".lesson-list li").first).to_be_visible()
    page.goto(open_page.transport.url + "#/lesson/scheme?exercise=__proto__&__proto__=toString")
    expect(button(page, "Run it")).to_be_visible()


def test_a_browser_that_stores_nothing(open_page: Watched) -> None:
    open_page.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    )
    page = open_page(f"#/lesson/{FIRST}")
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


def test_without_the_editor_a_field_does(open_page: Watched) -> None:
    """It is loaded with an exercise that needs it, and its answer is not waited for."""
    asked: list[str] = []
    open_page.context.on("request", lambda request: asked.append(request.url))
    open_page.allow("Failed to load resource")
    open_page.context.route("**/vendor/codemirror.js", lambda route: route.abort())
    page = open_page("#/lesson/scheme")
    expect(button(page, "Run it")).to_be_visible()
    assert not [url for url in asked if "codemirror" in url]
    page.goto(open_page.transport.url + "#/lesson/write-productions?exercise=2")
    page.get_by_role("textbox", name="ABNF of year").fill("year = 4DIGIT")
    expect(page.locator(".define-state")).to_contain_text("✓ Equal")
    button(page, "Check").click()
    expect(page.locator(".feedback.right")).to_be_visible()
