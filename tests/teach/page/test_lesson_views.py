"""The lessons and the class sheets in a browser.

Owns the views of lessons. Imports the fixtures. Invariant: what is expected on the page is what
``handle`` answers; each state that is reached is looked at by axe, too. How exercises of each kind
are answered with the mouse is in ``test_lesson_play``.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from asking import ask, exercises, judged, plain
from browser import Axe, Shot, Watched, button, held
from playwright.sync_api import Locator, Page, expect

from uriproof.teach.lessons.shelf import bundled

FIRST = "scheme"

OWN = """id = "colon"
title = "A colon"
section = "RFC 6068 §2"
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
CONTRADICTED = OWN.replace('"valid"', '"invalid"')


def heading(page: Page, number: int) -> Locator:
    return page.get_by_role("heading", name=re.compile(rf"^Exercise {number} of "))


def test_from_the_list_to_the_playground(same_page: Watched, axe: Axe, shot: Shot) -> None:
    """In both themes, by the first exercise, whose wrong box cannot be chosen again."""
    page = same_page("#/lessons")
    expect(page.get_by_role("link", name="Begin with lesson 0")).to_be_visible()
    in_both_themes(page, axe, shot, "lessons")
    page.get_by_role("link", name="Lesson 1:").click()
    expect(heading(page, 1)).to_be_visible()
    page.locator(".positions label").nth(4).click()
    assert axe(page) == []
    button(page, "Run it").click()
    expect(page.get_by_text("✗ invalid: 1 violation")).to_be_visible()
    expect(page.locator(".ran .blamed")).to_have_text("_")
    in_both_themes(page, axe, shot, "lesson")
    button(page, "Go on: light").click()
    page.locator(".rails .choosable", has_text="hier-part").click()
    button(page, "Check").click()
    expect(button(page, "hier-part, not this")).to_be_visible()
    expect(page.get_by_role("radio", name="hier-part")).to_have_count(0)
    page.locator(".rails .choosable", has_text="scheme").click()
    button(page, "Check again").click()
    expect(page.locator(".rails .lit.answer")).to_contain_text("scheme")
    in_both_themes(page, axe, shot, "lesson-light")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Open in the playground").first.click()
    example = judged(FIRST, "underscore", "predict", value=4)["counterexample"]
    expect(opened.value.locator("#text")).to_have_value(example["text"])
    opened.value.close()


def in_both_themes(page: Page, axe: Axe, shot: Shot, name: str) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == [], scheme
        shot(page, f"{name}-{scheme}", full_page=True)


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
    expect(button(page, "scheme")).to_have_attribute("aria-pressed", "true")
    tab_to(page, "Check")
    keys.press("Enter")
    expect(button(page, "Go on: explain")).to_be_focused()
    keys.press("Enter")
    tab_to(page, "Show answer")
    keys.press("Enter")
    shown = judged(FIRST, exercises(FIRST)[0]["id"], "explain", show=True)["answer"]["label"]
    expect(page.locator(".feedback.shown")).to_contain_text(plain(shown))
    expect(button(page, "Next exercise")).to_be_focused()
    keys.press("Enter")
    expect(heading(page, 2)).to_be_focused()


def tab_to(page: Page, name: str) -> None:
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.locator(":focus").text_content() == name:
            return
    raise AssertionError(f"{name} cannot be reached")


def test_a_diagram_does_not_push_a_button_from_under_the_pointer(same_page: Watched) -> None:
    """Whoever clicks "Go on" while the diagram comes would click beside it, in vain."""
    page = same_page("#/lesson/two-slashes")
    steps = page.locator(".steps > li")
    steps.nth(0).get_by_role("button", name="Show answer").click()
    steps.nth(1).get_by_role("button", name="Go on").click()
    words = '"do":"explain"'
    explain = held(page, "**/handle", words)
    with page.expect_request(lambda asked: words in (asked.post_data or "")):
        steps.nth(2).get_by_role("button", name="Show answer").click()
    go_on = steps.nth(2).get_by_role("button", name="Go on")
    expect(go_on).to_have_count(0)
    for route in explain:
        route.continue_()
    expect(go_on).to_be_focused()
    expect(steps.nth(2).locator("svg.lighted")).to_be_visible()


WRITTEN = """
kind = "write"
examples = ["a=b"]

[[exercise.predict.condition]]
words = "It is one."
claim = { valid = true }
"""


def test_a_text_is_colored_while_it_is_written(same_page: Watched) -> None:
    """By the tables of its rule, or by the engine where the grammar has none."""
    page = same_page(f"#/lesson/{FIRST}?exercise=6")
    page.locator(".writing input").fill("a b")
    expect(page.locator(".live .blamed").first).to_be_visible()
    source = OWN.partition("\nkind")[0] + WRITTEN
    source = source.replace('text = "a:"', 'grammar = "key-value"\nrule = "param"')
    page = same_page(f"#/lesson?source={quote(source, safe='')}")
    page.locator(".writing input").fill("a b")
    expect(page.locator(".live")).to_contain_text("It goes wrong at 1.")
    expect(page.locator(".live .blamed")).to_have_text(" ")


DROP = """(text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "colon.toml"));
    document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer }));
}"""


def test_a_lesson_of_ones_own_is_dropped_chosen_or_linked(
    open_page: Watched, axe: Axe, tmp_path: Path
) -> None:
    open_page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    file = tmp_path / "colon.toml"
    file.write_text(OWN, "utf-8")
    page = open_page("#/lessons")
    expect(page.locator(".drop")).to_be_visible()
    page.evaluate(DROP, OWN)
    title = page.get_by_role("heading", name="A colon")
    expect(title).to_be_visible()
    page.goto(open_page.transport.url + "#/lessons")
    page.get_by_label("Open a lesson file").set_input_files(file)
    expect(title).to_be_visible()
    expect(page.locator(".lesson-head .muted")).to_have_text(
        "A colon ends the scheme. · RFC 6068 §2"
    )
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


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (f"?source={quote(CONTRADICTED, safe='')}", "Line 15"),
        ("?source=id%20%3D%20%0A", "Line 1"),
        ("?source=https://elsewhere.example/lesson.toml", "only from"),
        ("?source=missing.toml", "There is no lesson"),
        ("/99", ""),
        ("/__proto__", ""),
        ("", ""),
    ],
)
def test_a_lesson_that_cannot_be_read(same_page: Watched, place: str, words: str) -> None:
    same_page.allow("404")
    page = same_page(f"#/lesson{place}")
    expect(page.get_by_role("heading", name="This lesson cannot be shown")).to_be_visible()
    expect(page.locator("uri-lesson")).to_contain_text(words)
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


@pytest.mark.parametrize("transport", ["static"], indirect=True)
def test_a_lesson_does_not_wait_for_the_engine(open_page: Watched) -> None:
    """With no Python at all, the answers that can be chosen are there."""
    open_page.allow("404", "wasm")
    open_page.context.route("**/pyodide/**", lambda route: route.fulfill(status=404))
    page = open_page(f"#/lesson/{FIRST}")
    page.locator(".positions label").nth(2).click()
    button(page, "Run it").click()
    expect(page.locator(".feedback.right")).to_be_visible()
    button(page, "Go on").click()
    page.locator(".rails .choosable", has_text="scheme").click()
    button(page, "Check").click()
    expect(page.locator(".rails .lit.answer")).to_contain_text("scheme")


URL = """text => {
    const { href, host, pathname } = URL.parse(text) ?? { href: "", host: null, pathname: null };
    return { accepted: href !== "", href, host, path: pathname };
}"""


def test_the_browser_does_what_the_capstone_says(same_page: Watched) -> None:
    page = same_page("#/lessons")
    for exercise in bundled()["capstone"].exercise:
        if seen := exercise.observed:
            said = {name: getattr(seen, name) for name in ("accepted", "href", "host", "path")}
            assert page.evaluate(URL, exercise.text) == said, exercise.text


def test_a_worksheet_and_its_key_print(same_page: Watched, axe: Axe, shot: Shot) -> None:
    page = same_page("#/sheet?rules=URI&count=6&seed=3")
    sheet = ask("worksheet", rules=["URI"], count=6, seed=3)
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
    page.emulate_media(media="print")
    expect(page.locator(".sheet-form")).to_be_hidden()
    expect(page.locator("header.top")).to_be_hidden()
    shot(page, "sheet-print", full_page=True)
    page = same_page("#/sheet?rules=no-such-rule&count=abc&seed=-1")
    expect(page.locator(".unchecked")).to_be_visible()


def test_a_lesson_on_paper(same_page: Watched, axe: Axe, shot: Shot) -> None:
    page = same_page(f"#/sheet?lesson={FIRST}")
    asked = page.locator(".worksheet").first.locator("> ol > li")
    expect(asked).to_have_count(len(exercises(FIRST)))
    expect(page.get_by_label("What is printed")).to_have_value(FIRST)
    text = exercises(FIRST)[0]["text"]
    expect(asked.first.locator(".text").first.locator(".cell")).to_have_count(len(text))
    expect(page.locator(".worksheet .rails svg a")).to_have_count(0)
    assert axe(page) == []
    assert pages(page) >= 2
    page.emulate_media(media="print")
    shot(page, "lesson-print", full_page=True)
    page = same_page(f"#/sheet?source={quote(OWN, safe='')}")
    expect(page.get_by_role("heading", name="Key: A colon")).to_be_visible()
    expect(page.locator(".paper").first).to_contain_text("RFC 6068 §2")


def pages(page: Page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))
