"""The lessons and the class sheets in a browser.

Owns the views of lessons. Imports the fixtures. Invariant: what is expected on the page is what
``handle`` answers; each state that is reached is looked at by axe, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import build_lessons
import pytest
from browser import Watched
from playwright.sync_api import Locator, Page, Request, Route, expect

from uriproof import equivalent
from uriproof.teach import handle

Axe = Callable[[Page], list[str]]
Shot = Callable[..., Path]

LESSONS: list[dict[str, Any]] = handle({"do": "lessons"})["lessons"]
FIRST = "scheme"
static_too = pytest.mark.parametrize("transport", ["server", "static"], indirect=True)

OWN = """id = "colon"
title = "A colon"
section = "3.1"
concept = "A colon ends the scheme."
introduction = "What is `x`? <b>Not bold.</b>"
summary = "Done."

[[exercise]]
id = "one"
title = "Two letters"
text = "a:"

[exercise.predict]
kind = "verdict"
answer = "valid"

[exercise.run]
"""


def asked(exercise: str, step: str, **more: Any) -> dict[str, Any]:
    return handle({"do": "answer", "lesson": FIRST, "exercise": exercise, "step": step, **more})


def exercises(lesson: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = handle({"do": "lesson", "lesson": lesson})["lesson"]["exercises"]
    return found


def plain(pieces: list[dict[str, Any]]) -> str:
    return "".join(piece["text"] for piece in pieces)


def heading(page: Page, number: int) -> Locator:
    return page.get_by_role("heading", name=re.compile(rf"^Exercise {number} of "))


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def right_option(exercise: dict[str, Any], step: str) -> str:
    value = asked(exercise["id"], step, show=True)["answer"]["value"]
    options = next(s for s in exercise["steps"] if s["step"] == step)["options"]
    return next(plain(one["label"]) for one in options if one["value"] == value)


def wrong_option(exercise: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A wrong option of the step "explain", and what is answered to it."""
    options = next(s for s in exercise["steps"] if s["step"] == "explain")["options"]
    for one in options:
        answer = asked(exercise["id"], "explain", value=one["value"])
        if not answer["right"]:
            return plain(one["label"]), answer
    raise AssertionError("every option is right")


@static_too
def test_lesson_1_with_the_mouse(same_page: Watched, axe: Axe, shot: Shot) -> None:
    """Prediction, report, diagram with the path lit, a wrong reason and the right one."""
    first = exercises(FIRST)[0]
    page = same_page("#/lessons")
    expect(page.get_by_role("link", name="Begin with lesson 0")).to_be_visible()
    page.get_by_role("link", name="Lesson 1:").click()
    expect(heading(page, 1)).to_be_visible()
    assert axe(page) == []
    page.locator(".positions label").nth(4).click()
    assert axe(page) == []
    button(page, "Run it").click()
    expect(page.get_by_text("✗ invalid: 1 violation")).to_be_visible()
    expect(page.locator(".feedback.wrong")).to_contain_text("Not right")
    expect(page.locator(".ran .blamed")).to_have_text("_")
    assert axe(page) == []
    button(page, "Go on: light").click()
    expect(page.get_by_role("heading", name="Step 3: Light")).to_be_focused()
    page.locator(".rails .choosable", has_text="hier-part").click()
    button(page, "Check").click()
    expect(page.locator(".step.now .feedback.wrong")).to_be_visible()
    expect(page.get_by_role("button", name="hier-part, not this")).to_be_visible()
    expect(page.get_by_role("radio", name="hier-part")).to_have_count(0)
    assert axe(page) == []
    page.locator(".rails .choosable", has_text="scheme").click()
    button(page, "Check again").click()
    expect(page.locator(".rails .lit.answer")).to_contain_text("scheme")
    expect(button(page, "Go on: explain")).to_be_focused()
    shot(page, "lesson-light", full_page=True)
    button(page, "Go on: explain").click()
    words, answer = wrong_option(first)
    page.get_by_role("radio", name=words).check()
    button(page, "Check").click()
    said = page.locator(".step.now .feedback")
    expect(said).to_contain_text(plain(answer["misconception"]))
    expect(said).to_contain_text(answer["counterexample"]["text"])
    link = said.get_by_role("link", name="Open in the playground")
    assert f"text={answer['counterexample']['text']}" in (link.get_attribute("href") or "")
    assert axe(page) == []
    shot(page, "lesson-misconception", full_page=True)
    page.get_by_role("radio", name=right_option(first, "explain")).check()
    button(page, "Check again").click()
    button(page, "Next exercise").click()
    expect(heading(page, 2)).to_be_focused()
    button(page, "Exercise 1").click()
    expect(heading(page, 1)).to_be_focused()


def test_an_exercise_with_the_keyboard_alone(same_page: Watched) -> None:
    page = same_page(f"#/lesson/{FIRST}")
    expect(heading(page, 1)).to_be_visible()
    keys = page.keyboard
    page.locator(".positions input").first.focus()
    for key in ("Space", "ArrowRight", "ArrowRight", "Enter"):
        keys.press(key)
    expect(page.locator(".feedback.right").first).to_be_visible()
    expect(page.get_by_role("heading", name="Step 2: Run")).to_be_focused()
    for name in ("Open in the playground", "Go on: light"):
        keys.press("Tab")
        expect(page.locator(":focus")).to_have_text(name)
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Step 3: Light")).to_be_focused()
    expect(page.locator(".rails .choosable").first).to_be_visible()
    keys.press("Tab")  # the diagram, which may scroll
    keys.press("Tab")
    expect(page.locator(".rails .choosable").first).to_be_focused()
    keys.press("Enter")
    expect(page.get_by_role("button", name="scheme")).to_have_attribute("aria-pressed", "true")
    tab_to(page, "Check")
    keys.press("Enter")
    expect(button(page, "Go on: explain")).to_be_focused()
    keys.press("Enter")
    tab_to(page, "Show answer")
    keys.press("Enter")
    expect(page.locator(".feedback.shown")).to_contain_text(
        right_option(exercises(FIRST)[0], "explain")
    )
    expect(button(page, "Next exercise")).to_be_focused()
    keys.press("Enter")
    expect(heading(page, 2)).to_be_focused()


def tab_to(page: Page, name: str) -> None:
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.locator(":focus").text_content() == name:
            return
    raise AssertionError(f"{name} cannot be reached")


def test_the_playground_opens_beside_the_exercise(open_page: Watched) -> None:
    page = open_page(f"#/lesson/{FIRST}")
    page.locator(".positions label").nth(2).click()
    button(page, "Run it").click()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Open in the playground").click()
    expect(opened.value.locator("#text")).to_have_value(exercises(FIRST)[0]["text"])
    expect(button(page, "Go on: light")).to_be_visible()


EQUIVALENT = {
    bool(equivalent(one["text"], one["other"])): pytest.param(lesson["id"], one, id=one["id"])
    for lesson in LESSONS
    for one in exercises(lesson["id"])
    if one["steps"][0].get("kind") == "equivalent"
}
"""An exercise of two texts that are equivalent, and one of two that are not."""


@pytest.mark.parametrize(("lesson", "exercise"), EQUIVALENT.values())
def test_what_is_said_of_two_texts_is_what_the_engine_says(
    same_page: Watched, lesson: str, exercise: dict[str, Any]
) -> None:
    """Whatever was predicted: the verdict beside it and the engine's words are one."""
    same = equivalent(exercise["text"], exercise["other"])
    for predicted, right in ("Equivalent", bool(same)), ("Not equivalent", not same):
        page = same_page(f"#/lesson/{lesson}?exercise={exercise['number']}")
        page.get_by_role("radio", name=predicted, exact=True).check()
        button(page, "Run it").click()
        expect(page.locator(".results dd")).to_have_text(str(same))
        said = "✓ Right." if right else "✗ Not right."
        expect(page.locator(".feedback .tick")).to_have_text(said)
        found = "Equivalent" if same else "Not equivalent"
        expect(page.locator(".lesson-against .value")).to_have_text([predicted, found])


def stored(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(
        "() => JSON.parse(localStorage.getItem('uriproof-lessons') ?? '{\"done\": {}}').done"
    )
    return found


def choose(page: Page, name: str, then: str = "Check") -> None:
    page.get_by_role("radio", name=name).check()
    button(page, then).click()


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
    # A wrong prediction, though all else is right.
    page.locator(".positions label").nth(4).click()
    button(page, "Run it").click()
    button(page, "Go on: light").click()
    page.locator(".rails .choosable", has_text="scheme").click()
    button(page, "Check").click()
    button(page, "Go on: explain").click()
    first, second, third, fourth = exercises(FIRST)[:4]
    choose(page, right_option(first, "explain"))
    button(page, "Next exercise").click()
    assert stored(page) == {FIRST: {first["id"]: "missed"}}
    # A wrong box and a wrong reason after a right prediction.
    page.get_by_role("radio", name="Valid", exact=True).check()
    button(page, "Run it").click()
    button(page, "Go on: light").click()
    choose(page, "reg-name")
    expect(page.locator(".step.now .feedback.wrong")).to_be_visible()
    button(page, "Show answer").click()
    button(page, "Go on: explain").click()
    words, _ = wrong_option(second)
    choose(page, words)
    choose(page, right_option(second, "explain"), "Check again")
    button(page, "Next exercise").click()
    assert stored(page)[FIRST][second["id"]] == "shown"
    # A wrong reason alone.
    page.locator(".positions label").nth(0).click()
    button(page, "Run it").click()
    button(page, "Go on: explain").click()
    choose(page, wrong_option(third)[0])
    choose(page, right_option(third, "explain"), "Check again")
    expect(button(page, "Next exercise")).to_be_focused()
    assert stored(page)[FIRST][third["id"]] == "missed"
    # Nothing wrong; and then a text that does not meet the conditions at first.
    button(page, "Next exercise").click()
    page.get_by_role("radio", name="Equivalent", exact=True).check()
    button(page, "Run it").click()
    button(page, "Go on: explain").click()
    choose(page, right_option(fourth, "explain"))
    expect(button(page, "Next exercise")).to_be_focused()
    assert stored(page)[FIRST][fourth["id"]] == "right"
    write_shortest(page, "1:", "a:")
    assert stored(page)[FIRST]["shortest"] == "missed"
    write_shortest(page, "a: ")
    assert stored(page)[FIRST]["shortest"] == "right"
    page.reload()
    signs = [re.compile(rf"^\{sign}") for sign in "↻?↻✓✓"]
    expect(page.locator(".exercises .done")).to_have_text(signs)


def test_progress_of_before_and_of_another_tab_is_kept(open_page: Watched) -> None:
    page = open_page(f"#/lesson/{FIRST}")
    of_before = {"done": {FIRST: {"underscore": "right", "case": 7}}, "last": None}
    page.evaluate("(all) => localStorage.setItem('uriproof-lessons', all)", json.dumps(of_before))
    page.reload()
    expect(page.locator(".exercises button", has_text="✓")).to_have_count(2)
    other = open_page("#/lesson/host-and-port?exercise=5")
    field = other.locator(".writing input")
    expect(field).to_be_visible()
    write_shortest(page, "a:")
    field.fill("x://google.com:80")
    button(other, "Check").click()
    button(other, "Go on: run").click()
    expect(button(other, "Next exercise")).to_be_visible()
    before = of_before["done"][FIRST]  # type: ignore[index]
    assert stored(page) == {
        FIRST: {**before, "shortest": "right"},
        "host-and-port": {"make-port": "right"},
    }


def test_a_lesson_on_another_document_says_which(same_page: Watched) -> None:
    source = OWN.replace('section = "3.1"', 'section = "RFC 6068 §2"')
    page = same_page(f"#/lesson?source={quote(source, safe='')}")
    expect(page.locator(".lesson-head .muted")).to_have_text(
        "A colon ends the scheme. · RFC 6068 §2"
    )
    page = same_page(f"#/sheet?source={quote(source, safe='')}")
    expect(page.locator(".paper").first).to_contain_text("RFC 6068 §2")
    expect(page.locator(".paper").first).not_to_contain_text("RFC 3986")


def test_progress_survives_until_it_is_forgotten(open_page: Watched, axe: Axe) -> None:
    page = open_page("#/lessons")
    done = {"done": {FIRST: {one["id"]: "right" for one in exercises(FIRST)}}, "last": None}
    page.evaluate("(all) => localStorage.setItem('uriproof-lessons', all)", json.dumps(done))
    page.reload()
    entry = page.locator(".lesson-list li").nth(1)
    expect(entry).to_contain_text("done")
    expect(page.get_by_role("link", name="Go on with lesson 0")).to_be_visible()
    assert axe(page) == []
    button(page, "Forget my progress").click()
    expect(page.locator(".count")).to_be_focused()
    page.reload()
    expect(page.get_by_role("link", name="Begin with lesson 0")).to_be_visible()


def test_one_goes_on_where_one_left_off(open_page: Watched) -> None:
    page = open_page(f"#/lesson/{FIRST}")
    button(page, "Exercise 3").click()
    expect(page).to_have_url(re.compile("exercise=3$"))
    page.reload()
    expect(heading(page, 3)).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/lessons")
    page.get_by_role("link", name="Begin with lesson 1").click()
    expect(heading(page, 3)).to_be_visible()


def test_a_browser_that_stores_nothing(first_page: Watched) -> None:
    first_page.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    )
    page = first_page(f"#/lesson/{FIRST}")
    expect(heading(page, 1)).to_be_visible()


def test_a_diagram_does_not_push_a_button_from_under_the_pointer(same_page: Watched) -> None:
    """Whoever clicks "Go on" while the diagram comes would click beside it, in vain."""
    page = same_page("#/lesson/two-slashes")
    held: list[Route] = []

    def explains(request: Request) -> bool:
        return (request.post_data_json or {}).get("do") == "explain"

    def hold(route: Route) -> None:
        if explains(route.request):
            held.append(route)
        else:
            route.continue_()

    steps = page.locator(".steps > li")
    steps.nth(0).get_by_role("button", name="Show answer").click()
    steps.nth(1).get_by_role("button", name="Go on").click()
    page.route("**/handle", hold)
    with page.expect_request(explains):
        steps.nth(2).get_by_role("button", name="Show answer").click()
    go_on = steps.nth(2).get_by_role("button", name="Go on")
    expect(go_on).to_have_count(0)
    for route in held:
        route.continue_()
    expect(go_on).to_be_focused()
    expect(steps.nth(2).locator("svg.lighted")).to_be_visible()


def test_a_text_that_is_written(same_page: Watched) -> None:
    """It is coloured while it is written, and each condition is answered."""
    for exercise in exercises(FIRST):
        step = exercise["steps"][0]
        if step["kind"] == "write":
            break
    page = same_page(f"#/lesson/{FIRST}?exercise={exercise['number']}")
    field = page.locator(".writing input")
    field.fill("a b")
    expect(page.locator(".live .blamed").first).to_be_visible()
    button(page, "Check").click()
    expect(page.locator(".met li.no").first).to_contain_text("not met")
    field.fill(asked(exercise["id"], "predict", show=True)["answer"]["value"])
    button(page, "Check again").click()
    expect(page.locator(".feedback.right")).to_be_visible()


WRITTEN = """
kind = "write"
examples = ["a=b"]

[[exercise.predict.condition]]
words = "It is one."
claim = { valid = true }
"""


def test_a_text_of_a_grammar_without_tables_is_colored_by_the_engine(same_page: Watched) -> None:
    source = OWN.partition("\nkind")[0] + WRITTEN
    source = source.replace('text = "a:"', 'grammar = "key-value"\nrule = "param"')
    page = same_page(f"#/lesson?source={quote(source, safe='')}")
    page.locator(".writing input").fill("a b")
    expect(page.locator(".live")).to_contain_text("It goes wrong at 1.")
    expect(page.locator(".live .blamed")).to_have_text(" ")


def test_a_lesson_of_ones_own_by_file_and_by_link(
    open_page: Watched, axe: Axe, tmp_path: Path
) -> None:
    open_page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    file = tmp_path / "colon.toml"
    file.write_text(OWN, "utf-8")
    page = open_page("#/lessons")
    page.get_by_label("Open a lesson file").set_input_files(file)
    expect(page.get_by_role("heading", name="A colon")).to_be_visible()
    expect(page.locator(".intro")).to_contain_text("<b>Not bold.</b>")
    assert axe(page) == []
    button(page, "Copy link").click()
    expect(page.get_by_text("Copied. It works on this computer only")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    other = open_page(link.removeprefix(open_page.transport.url))
    other.get_by_role("radio", name="Valid", exact=True).check()
    button(other, "Run it").click()
    expect(other.locator(".feedback.right")).to_be_visible()
    button(other, "Finish the lesson").click()
    expect(other.get_by_role("heading", name="The lesson is done")).to_be_focused()


def test_a_lesson_dropped_on_the_page(same_page: Watched) -> None:
    page = same_page("#/lessons")
    expect(page.locator(".drop")).to_be_visible()
    page.evaluate(
        """(text) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "colon.toml"));
            document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer }));
        }""",
        OWN,
    )
    expect(page.get_by_role("heading", name="A colon")).to_be_visible()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (OWN.replace('kind = "verdict"', 'kind = "verdikt"'), "Line 14"),
        (OWN.replace('answer = "valid"', 'answer = "invalid"'), "Line 15"),
        ("id = \n", "Line 1"),
        ("https://elsewhere.example/lesson.toml", "only from"),
        ("missing.toml", "There is no lesson"),
    ],
)
def test_a_lesson_that_cannot_be_read(
    same_page: Watched, axe: Axe, source: str, words: str
) -> None:
    same_page.allow("404")
    page = same_page(f"#/lesson?source={quote(source, safe='')}")
    expect(page.get_by_role("heading", name="This lesson cannot be shown")).to_be_visible()
    expect(page.locator("uri-lesson")).to_contain_text(words)
    expect(page.get_by_label("Open a lesson file")).to_be_visible()
    assert axe(page) == []


def test_links_to_no_lesson(same_page: Watched) -> None:
    for place in ("#/lesson/99", "#/lesson/no-such", "#/lesson", "#/lesson/own"):
        page = same_page(place)
        expect(page.get_by_label("Open a lesson file")).to_be_visible()


def test_an_engine_that_is_gone_can_be_asked_again(same_page: Watched) -> None:
    same_page.allow("Failed to load resource")
    page = same_page(f"#/lesson/{FIRST}")
    page.locator(".positions label").nth(2).click()
    page.route("**/handle", lambda route: route.abort())
    button(page, "Run it").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be checked now")
    page.unroute("**/handle")
    button(page, "Try again").click()
    expect(page.locator(".feedback.right")).to_be_visible()


@static_too
def test_a_worksheet_and_its_key_print(same_page: Watched, axe: Axe, shot: Shot) -> None:
    page = same_page("#/sheet?rules=URI&count=6&seed=3")
    sheet = handle({"do": "worksheet", "rules": ["URI"], "count": 6, "seed": 3})
    asked = page.locator(".worksheet").first.locator("li")
    expect(asked).to_have_count(6)
    for one, question in zip(asked.all(), sheet["questions"], strict=True):
        expect(one.locator(".ask")).to_have_text(question["asked"])
        expect(one.locator(".cell")).to_have_count(len(question["text"]))
    expect(page.locator(".paper").first).to_contain_text(sheet["code"])
    expect(page.locator(".answers li").first).to_contain_text(sheet["key"][0]["why"])
    assert axe(page) == []
    page.get_by_label("Seed").fill("4")
    page.get_by_label("Seed").press("Enter")
    expect(page).to_have_url(re.compile("seed=4"))
    expect(page.locator(".paper").first).to_contain_text("URI:6:4")
    assert pages(page) == 2
    page.get_by_label("With the key").uncheck()
    expect(page.locator(".answers")).to_have_count(0)
    expect(page).to_have_url(re.compile("key=0"))
    page.get_by_label("With the key").check()
    page.emulate_media(media="print")
    expect(page.locator(".sheet-form")).to_be_hidden()
    expect(page.locator("header.top")).to_be_hidden()
    shot(page, "sheet-print", full_page=True)


def test_a_lesson_on_paper(same_page: Watched, axe: Axe, shot: Shot) -> None:
    page = same_page(f"#/sheet?lesson={FIRST}")
    asked = page.locator(".worksheet").first.locator("> ol > li")
    expect(asked).to_have_count(len(exercises(FIRST)))
    expect(page.get_by_label("What is printed")).to_have_value(FIRST)
    one = exercises(FIRST)[0]
    expect(asked.first.locator(".text").first.locator(".cell")).to_have_count(len(one["text"]))
    expect(page.locator(".answers")).to_contain_text(right_option(one, "explain"))
    expect(page.locator(".worksheet .rails svg a")).to_have_count(0)
    assert axe(page) == []
    assert pages(page) >= 2
    page.emulate_media(media="print")
    shot(page, "lesson-print", full_page=True)
    page = same_page(f"#/sheet?source={quote(OWN, safe='')}")
    expect(page.get_by_role("heading", name="Key: A colon")).to_be_visible()


def pages(page: Page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def test_a_worksheet_that_cannot_be_made(same_page: Watched) -> None:
    for rules in ("no-such-rule", "%20", "URI,".join(map(str, range(12)))):
        page = same_page(f"#/sheet?rules={quote(rules)}&count=abc&seed=-1")
        expect(page.locator(".unchecked, .worksheet").first).to_be_visible()


def test_contrast_in_both_themes(same_page: Watched, axe: Axe, shot: Shot) -> None:
    page = same_page("#/lessons")
    expect(page.locator(".lesson-list")).to_be_visible()
    in_both_themes(page, axe, shot, "lessons")
    page = same_page(f"#/lesson/{FIRST}")
    page.locator(".positions label").nth(2).click()
    button(page, "Run it").click()
    expect(page.locator(".ran")).to_be_visible()
    in_both_themes(page, axe, shot, "lesson")


def in_both_themes(page: Page, axe: Axe, shot: Shot, name: str) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == [], scheme
        shot(page, f"{name}-{scheme}", full_page=True)


@pytest.mark.parametrize("transport", ["static"], indirect=True)
def test_a_lesson_does_not_wait_for_the_engine(first_page: Watched) -> None:
    """With no Python at all, the answers that can be chosen are there."""
    first_page.allow("404")
    first_page.allow("wasm")
    first_page.context.route("**/pyodide/**", lambda route: route.fulfill(status=404))
    page = first_page(f"#/lesson/{FIRST}")
    page.locator(".positions label").nth(2).click()
    button(page, "Run it").click()
    expect(page.locator(".feedback.right")).to_be_visible()
    button(page, "Go on").click()
    page.locator(".rails .choosable", has_text="scheme").click()
    button(page, "Check").click()
    expect(page.locator(".rails .lit.answer")).to_contain_text("scheme")


def test_what_is_answered_beforehand_is_answered_by_handle() -> None:
    kept = list(build_lessons.requests(FIRST))
    assert all("error" not in handle(request) for request in kept)
    steps = {request.get("step") for request in kept}
    assert steps == {None, "predict", "run", "light", "explain"}
