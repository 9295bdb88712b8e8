"""The playground in a browser: what is typed, seen, pointed at, stepped, fixed, edited and linked.

Owns the tests of ``view/*.js`` of the playground, ``app.js`` and the style sheets. Imports the
fixtures of both transports. Invariant: what the page shows is compared with what ``check`` and
``explain`` say, not with what was once seen.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import build_picture
import pytest
from asking import ask
from browser import Axe, Shot, Transport, Watched, button, held, settled
from playwright.sync_api import Browser, Page, expect

from uriproof import check
from uriproof.uri.resolve import resolve

TWO = "http://1.2.3.4:80/a b?q=é#top"
BROKEN = "http://exa mple.com:8o80/100%?q=[1]#f#g"


def play(open_page: Watched, text: str = TWO, more: str = "") -> Page:
    """The playground with a text, when the engine has answered."""
    page = open_page(f"#/play?v=1&text={quote(text, safe='')}{more}")
    expect(page.locator(".node").first).to_be_visible()
    expect(page.locator("uri-tree.stale")).to_have_count(0)
    settled(page)
    return page


def write(page: Page, text: str) -> None:
    page.locator("#text").fill(text)


def nodes(page: Page, which: str = ".node") -> list[str]:
    labels: list[str] = page.locator(which).evaluate_all("all => all.map((one) => one.ariaLabel)")
    return labels


def test_a_broken_text_has_a_whole_tree(same_page: Watched) -> None:
    page = play(same_page, BROKEN)
    report = check(BROKEN)
    expect(page.locator(".node.error")).to_have_count(len(report.violations))
    for part in report.components.values():
        assert any(one.startswith(f"{part.production}, ") for one in nodes(page))
    page.locator(".node", has_text="reg-name").click()
    expect(page.locator(".rail.left")).to_have_attribute("data-node", "reg-name.0.0:out")
    write(page, "//host/")
    expect(page.locator(".node.missing")).to_have_count(2)
    expect(page.get_by_role("treeitem", name="scheme, missing")).to_be_attached()
    # A long path begins closed, and is scrolled together with its tree.
    write(page, "http://h/" + "ab%20/" * 60 + "x y")
    expect(page.locator(".node.error")).to_have_count(1)
    expect(page.locator(".node.error")).not_to_be_in_viewport()
    page.locator(".where").first.click()
    expect(page.locator(".node.error")).to_be_in_viewport(ratio=1)


def test_the_instant_layer_needs_no_engine(open_page: Watched) -> None:
    page = open_page("icon.svg")
    page.route("**/transport.json", lambda route: route.abort())
    open_page.allow("ERR_FAILED")
    page.goto(open_page.transport.url + "#/play")
    write(page, "http://a b/ c")
    expect(page.locator("#verdict")).to_have_text("✗Not a URI: only the first violation is marked")
    expect(page.locator(".mirror .blamed")).to_have_text(" ")
    expect(page.locator("#status")).to_contain_text("Only the verdict and the first violation")
    expect(page.locator("uri-check")).to_contain_text("There may be more")


def test_the_verdict_the_components_and_the_blamed_are_those_of_check(same_page: Watched) -> None:
    page = same_page("#/play")
    for text in ("a", "", "http://a/", "1", "http://[::1", "http://a/%zz", TWO):
        write(page, text)
        report = check(text)
        expect(page.locator("uri-verdict[data-verdict=ok]")).to_have_count(int(report.ok))
        expect(page.locator(".mirror")).to_have_text(text, use_inner_text=True)
    settled(page)
    assert page.locator(".mirror .blamed").all_inner_texts() == [v.found for v in report.violations]
    components = [name for name, part in report.components.items() if part.text]
    assert page.locator(".strip .component").all_inner_texts() == components


ALIGNED = """() => {
    const field = document.querySelector("uri-field");
    const [area, mirror] = [field.area, field.mirror];
    const style = (one) => {
        const s = getComputedStyle(one);
        return [s.fontFamily, s.fontSize, s.lineHeight, s.paddingLeft, s.paddingTop].join();
    };
    const plain = document.createElement("span");
    plain.textContent = area.value;
    mirror.append(plain);
    const wide = plain.getBoundingClientRect().width;
    plain.remove();
    return {
        mode: field.mode,
        same: style(area) === style(mirror),
        left: area.getBoundingClientRect().left - mirror.getBoundingClientRect().left,
        inner: area.scrollWidth - area.clientWidth, // both are scrolled, never the field alone
        ends: Math.abs(field.x(field.bench.points.length) - field.x(0) - wide) < 0.5,
    };
}"""


def test_the_field_and_its_reflection_are_aligned(same_page: Watched) -> None:
    page = same_page("#/play")
    for text in (TWO, "http://x/😀漢字?q=é", "http://x/" + "abc/" * 80, "iii:WWW"):
        write(page, text)
        settled(page)
        aligned = {"mode": "over", "same": True, "left": 0, "inner": 0, "ends": True}
        assert page.evaluate(ALIGNED) == aligned
    write(page, "a://b\u202ec\nd")
    settled(page)
    assert page.evaluate(ALIGNED)["mode"] == "apart"
    assert page.locator(".mirror .chip").all_inner_texts() == ["⟨202E⟩", "⏎"]


def test_cells_are_under_their_characters(same_page: Watched) -> None:
    asked = {"text": "http://x/漢/😀b", "grammar": "rfc3987", "rule": "IRI"}
    page = play(same_page, asked["text"], "&grammar=rfc3987&rule=IRI")
    derived = ask("explain", **asked)["derivation"]["nodes"]
    shown = page.locator(".node").evaluate_all(
        """all => all.map((cell) => [
            Number(cell.dataset.node), cell.offsetLeft, cell.offsetLeft + cell.offsetWidth
        ])"""
    )
    assert len(shown) > 5
    edges = "all => all.map((at) => document.querySelector('uri-field').x(at))"
    for number, left, right in shown:
        start, end = page.evaluate(edges, [derived[number]["start"], derived[number]["end"]])
        assert abs(left - start) <= 1
        assert right <= max(end, start + 6) + 1


def test_characters_and_nodes_are_linked_both_ways(same_page: Watched) -> None:
    page = play(same_page)
    page.locator(".node", has_text="host").first.hover()
    expect(page.locator(".mark")).to_be_visible()
    expect(page.locator("uri-peek")).to_contain_text("host = IP-literal / IPv4address / reg-name")
    expect(page.locator("uri-peek a")).to_have_attribute(
        "href", "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2"
    )
    page.locator("#text").focus()
    page.keyboard.press("Home")
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    on = page.locator(".node.on")  # the browser tells of a new place of the cursor in its own time
    names = ["URI", "hier-part", "authority", "host", "IPv4address"]
    expect(on).to_have_text([re.compile(rf"^{name}( \+)?$") for name in names])


def test_the_tree_by_keyboard_alone(same_page: Watched) -> None:
    page = play(same_page)
    page.locator("#text").focus()
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    expect(focused).to_have_attribute("aria-level", "1")
    for keys, name in (
        (["ArrowDown"], "scheme"),
        (["ArrowRight", "ArrowRight"], "hier-part"),
        (["ArrowDown", "ArrowRight", "ArrowDown"], "host"),
        (["Enter"], "host"),  # chosen, and closed
        (["ArrowDown", "ArrowDown"], "IPv4address"),  # opened again
    ):
        for key in keys:
            page.keyboard.press(key)
        expect(focused).to_contain_text(name)
    expect(page.locator("#production")).to_contain_text("host")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".node", has_text="dec-octet")).to_have_count(4)
    assert page.locator('.node[tabindex="0"]').count() == 1


def test_the_diagram_shows_the_path_taken(same_page: Watched) -> None:
    page = play(same_page, "http://1.2.3.4/")
    expect(page.locator(".ambiguity")).to_contain_text("can be read as IPv4address or as reg-name")
    expect(page.locator(".ambiguity")).to_contain_text("first-match-wins")
    page.locator(".node", has_text="host").first.click()
    expect(page.locator(".diagram svg")).to_have_attribute("data-rule", "host")
    derived = ask("explain", text="http://1.2.3.4/")["derivation"]
    number = next(n for n, node in enumerate(derived["nodes"]) if node["name"] == "host")
    lit = page.locator(".diagram .lit").evaluate_all("all => all.map((one) => one.dataset.node)")
    assert set(lit)
    assert set(lit) <= set(derived["lit"][number])
    page.locator(".diagram a", has_text="IPv4address").click()
    expect(page.locator("#production")).to_contain_text("IPv4address")
    assert "#/play" in page.url


def test_violations_are_explained_and_fixed_by_a_click(same_page: Watched) -> None:
    page = play(same_page)
    violation = ask("check", text=TWO)["report"]["violations"][0]
    shown = page.locator(".violations li").first
    expect(shown).to_contain_text(violation["message"])
    expect(shown).not_to_contain_text("Expected")
    page.get_by_role("button", name="Explain", exact=True).press("Enter")
    expect(shown).to_contain_text(f"Expected: {' / '.join(violation['expected'])}")
    expect(shown).to_contain_text(violation["rule"])
    expect(page).to_have_url(re.compile(r"[?&]explain=1"))
    page.locator(".fix").first.click()
    expect(page.locator("#text")).to_have_value(TWO.replace(" ", "%20"))
    expect(page.locator("#verdict")).to_contain_text("1 violation")
    page.keyboard.press("Control+z")
    expect(page.locator("#text")).to_have_value(TWO)
    button(page, "Apply all 2 fixes").click()
    expect(page.locator("#verdict")).to_contain_text("Valid")
    button(page, "Undo").click()
    expect(page.locator("#text")).to_have_value(TWO)


def test_what_was_meant_is_said_once_and_taken_by_a_click(same_page: Watched) -> None:
    page = play(same_page, r"http:\\e.com\a")
    note = page.locator(".suggestions")
    expect(note).to_contain_text('URIs use "/", not "\\". Did you mean:')
    expect(page.locator(".violations")).to_have_count(0)
    note.get_by_role("button", name="http://e.com/a").click()
    expect(page.locator("#verdict")).to_contain_text("Valid")
    button(page, "Undo").click()
    page.get_by_role("button", name="Explain", exact=True).click()
    expect(page.locator(".violations li")).to_have_count(2)


def test_the_browser_beside_the_grammar(same_page: Watched) -> None:
    page = play(same_page, "a:", "&tab=browser")
    shown = page.locator("uri-browser")
    for text, words in (
        ("http:/info", "only in the browser's reading"),
        ("http://256.1.1.1/", "The browser refuses this, though the grammar allows it."),
        ("http://e.com/%zz", "The browser accepts this, though the grammar does not."),
        ("http://e.com:80/", "left out"),
    ):
        write(page, text)
        expect(shown).to_contain_text(words)
    page = play(same_page, "../g?x", "&rule=URI-reference&tab=browser")
    base = page.get_by_label("Base URI")
    base.fill("http://a/b/c/d;p?q")
    expect(shown).to_contain_text(resolve("http://a/b/c/d;p?q", "../g?x"))
    expect(shown).to_contain_text("reads it alike")
    expect(page).to_have_url(re.compile(r"&base=http://a/b/c/d%3Bp%3Fq"))
    base.fill("nowhere")
    expect(shown).to_contain_text("base is not a valid URI")


def begun(step: dict[str, Any]) -> set[str]:
    """The productions that are being read: the whole, and those of which something was read."""
    return {
        name
        for one in step["alternatives"]
        for depth, (name, since) in enumerate(zip(one["path"], one["begun"], strict=True))
        if since < step["offset"] or not depth
    }


def test_stepping_shows_where_alternatives_fail(same_page: Watched) -> None:
    page = play(same_page, "http:1", "&tab=step")
    page.get_by_label("To the beginning").click()
    expect(page.locator("uri-production svg")).to_be_visible()
    before = page.locator("uri-production").bounding_box()
    for step in ask("steps", text="http:1")["steps"]:
        for fate in ("taken", "failed"):
            words = [a["word"] for a in step["alternatives"] if a["fate"] == fate]
            expect(page.locator(f".fate.{fate} code")).to_have_text(words)
        assert {one.partition(",")[0] for one in nodes(page, ".node.live")} == begun(step)
        if step["offset"] < 6:
            page.get_by_label("One step on").click()
    assert page.locator("uri-production").bounding_box() == before
    page.locator("#step").press("Home")
    expect(page).to_have_url(re.compile(r"[?&]step=0"))
    page.get_by_label("Play").click()
    expect(page.locator("#panel-step output")).to_contain_text("6 of 6")


def test_samples_are_those_of_the_seed(same_page: Watched) -> None:
    page = play(same_page, "http://a/", "&tab=samples&seed=7&rule=host")
    for at, kind in enumerate(("valid", "near-miss")):
        asked = {"rule": "host", "kind": kind, "seed": 7, "count": 8, "most": 24, "readable": True}
        texts = [one["text"] or "(empty)" for one in ask("sample", **asked)["samples"]]
        shown = page.locator("uri-samples section").nth(at).locator(".sample")
        expect(shown).to_have_count(8)
        assert [s[2:] for s in shown.all_inner_texts()] == texts
    shown.first.click()
    expect(page.locator("uri-verdict[data-verdict=bad]")).to_have_count(1)


def test_two_grammars_are_compared_and_linked(open_page: Watched) -> None:
    page = open_page("#/compare?a=rfc2396:URI-reference&b=rfc3986:URI-reference")
    expect(page.locator(".relation")).to_contain_text("Each accepts texts that the other does not")
    page.locator("uri-compare .sample", has_text="//:a").first.click()
    expect(page.locator("#text")).to_have_value("//:a")
    expect(page.locator("#grammar")).to_contain_text("rfc2396")
    expect(page.locator("#verdict")).to_contain_text("Valid")
    page.get_by_label("First").fill("rfc3986:port")
    page.get_by_label("Second").fill("re:[0-9]+")
    page.get_by_label("Second").press("Enter")
    expect(page).to_have_url(re.compile(r"&a=rfc3986:port&b=re:"))
    other = open_page(page.evaluate("location.hash"))
    expect(other.get_by_label("Second")).to_have_value("re:[0-9]+")
    expect(other.locator(".relation")).to_contain_text("and more")


PLACE = """(order) => {
    const one = document.activeElement;
    const outlined = getComputedStyle(one).outlineStyle !== "none";
    const framed = one.id === "text"; // its frame shows that it has the focus
    return [order.find((place) => one.closest(place)), outlined || framed];
}"""


def test_all_is_reached_with_the_keyboard(same_page: Watched) -> None:
    page = play(same_page)
    expect(page.locator(".diagram svg")).to_be_visible()
    expect(page.locator(".ambiguity")).to_be_visible()
    settled(page)
    page.locator(".skip").focus()
    order = [".top", ".tools", "uri-verdict", "uri-field", "uri-tree", "uri-peek"]
    order += ["uri-production", ".tabs", "uri-check", ".bottom"]
    reached = [""]
    while reached[-1] != ".bottom":
        page.keyboard.press("Tab")
        place, seen = page.evaluate(PLACE, order)
        assert seen, place
        if reached[-1] != place:
            assert place == order[len(reached) - 1]
            reached.append(place)
    page.locator("#tab-check").focus()
    for key, name in (("ArrowLeft", "samples"), ("ArrowRight", "check"), ("ArrowRight", "step")):
        page.keyboard.press(key)
        expect(page.locator(f"#tab-{name}")).to_be_focused()
        expect(page.locator(f"#panel-{name}")).to_be_visible()
    expect(page.locator("#panel-check")).to_be_hidden()
    expect(page.get_by_role("tab")).to_have_count(3)
    button(page, "More").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")  # the focus moves with the key that opens the menu, not later
    expect(page.get_by_role("button", name="Compare", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#tab-compare")).to_be_focused()
    expect(page.locator("#panel-compare")).to_be_visible()


def test_the_click_that_opens_a_panel_moves_the_focus_into_it(same_page: Watched) -> None:
    """At once: a key that comes right after it must not go to the button."""
    page = play(same_page)
    inside = """(button) => {
        const opener = document.querySelector(button);
        const panel = opener.parentElement.querySelector("[popover]");
        opener.click();
        const opened = panel.contains(document.activeElement);
        opener.click();
        return [opened, panel.matches(":popover-open")];
    }"""
    for opener in ("#rule > button", "#more > button", "#share > button"):
        assert page.evaluate(inside, opener) == [True, False], opener


@pytest.mark.parametrize("transport", ["server", "static"], indirect=True)
def test_editing_the_grammar_changes_everything(same_page: Watched, shot: Shot) -> None:
    page = play(same_page, "ab", "&tab=grammar")
    editor = page.locator(".abnf-editor .cm-content")

    def edit(abnf: str) -> None:
        editor.focus()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(abnf)

    expect(editor).to_contain_text('URI           = scheme ":" hier-part')
    edit('word = 1*letter\nletter = "a" / "b"\n')
    expect(page.locator("#verdict")).to_contain_text("Valid: this is a word")
    expect(page.locator(".node", has_text="word")).to_have_count(1)
    expect(page.locator(".diagram svg")).to_have_attribute("data-rule", "word")
    edit("word = 1*(letter\n")
    expect(page.locator(".faults .bad").first).to_be_visible()
    expect(page.locator("#abnf-state")).to_contain_text("cannot be used")
    expect(page.locator("#verdict")).to_contain_text("Valid")  # of the last that can be used
    shot(page, "playground-broken-grammar")
    button(page, "Back to the bundled grammar").click()
    expect(page.locator("#grammar")).to_contain_text("rfc3986")


def test_a_tree_that_comes_before_the_tables_and_the_violations_stays(open_page: Watched) -> None:
    """Whatever comes first, at the end all of it is of the present text."""
    page = open_page("icon.svg")
    tables = held(page, "**/tables/rfc3986/URI.json")
    asked = held(page, "**/handle", '"do":"check"')
    page.goto(open_page.transport.url + "#/play")
    expect(page.locator(".node").first).to_be_visible()
    assert tables
    assert asked
    for route in (*tables, *asked):
        with page.expect_response(route.request.url):
            route.continue_()
    expect(page.locator(".mirror .blamed")).to_have_count(2)
    expect(page.locator("uri-tree.stale")).to_have_count(0)


def test_choosing_a_rule_and_a_grammar(same_page: Watched) -> None:
    page = play(same_page, "1.2.3.4")
    for what, was, typed, verdict, credit in (
        ("rule", "URI", "ipv4", "an IPv4address", "RFC 3986"),
        ("grammar", "rfc3986", "rfc6570", "a URI-Template", "RFC 6570"),
    ):
        button(page, f"{what.capitalize()} {was}").click()
        expect(page.get_by_label(f"Search: {what}")).to_be_focused()
        page.keyboard.type(typed)
        expect(page.locator(f"#{what} .option")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator("#verdict")).to_contain_text(f"Valid: this is {verdict}")
        expect(page.locator("#credit")).to_contain_text(credit)


@pytest.mark.parametrize(
    "hash",
    [
        *("#/play?v=0&txt=a", "#/nothing", "#%%%", "#/play?text=%E9%", "#old"),
        *(f"#/play?text=a:b&show={n}&tab={n}&{n}={n}&seed={n}" for n in ("__proto__", "toString")),
        *("#/play?tab=no&step=9e9&rule=none", "#/play?rule=constructor"),
        "#/play?rule=__proto__&grammar=toString",
    ],
)
def test_a_broken_hash_is_shown_calmly(same_page: Watched, hash: str) -> None:
    """A name that each object of JavaScript has is a name of nothing here."""
    same_page.allow("404 (")  # the tables of a rule that there is not
    page = same_page(hash)
    expect(page.locator("#text")).to_be_visible()
    write(page, "http://a/")
    settled(page)
    expect(page.locator("#verdict")).not_to_be_empty()
    expect(page.locator("uri-verdict[data-verdict=ok]")).to_have_count(int("rule=" not in hash))


def test_markup_is_text_and_a_lone_surrogate_survives_the_hash(same_page: Watched) -> None:
    text = "http://a/<img src=x onerror=alert(1)>\"'&lt;<script>"
    page = play(same_page, text)
    expect(page.locator(".mirror")).to_have_text(text, use_inner_text=True)
    assert page.locator("main img, main script").count() == 0
    page = same_page("#/play?text=a:%uD83D")
    expect(page.locator(".mirror .chip")).to_have_text("⟨D83D⟩")
    page.locator("#text").press("End")
    expect(page).to_have_url(re.compile("%uD83D$"))


def test_100_kb_are_shown_calmly(same_page: Watched, shot: Shot) -> None:
    page = same_page("#/play")
    write(page, "http://a/" + "x" * 60_000 + " " + "y" * 40_000)
    expect(page.locator(".apart")).to_contain_text("100,010 characters")
    # More than the engine reads.
    expect(page.locator("#verdict")).to_have_text("✗Not a URI: only the first violation is marked")
    expect(page.locator(".where")).to_contain_text("60009")
    shot(page, "playground-large")


def test_copying(same_page: Watched) -> None:
    same_page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = play(same_page, "http://a b/")
    expect(page.locator(".diagram svg")).to_be_visible()
    toast = page.locator(".toast")

    def copied(name: str) -> str:
        button(page, "Copy").first.click()
        page.get_by_role("button", name=name, exact=True).click()
        expect(toast).to_contain_text("copied", ignore_case=True)
        found: str = page.evaluate("navigator.clipboard.readText()")
        return found

    assert copied("Copy the link") == page.url
    expect(toast).to_contain_text("works on this computer only")
    toast.evaluate("one => one.textContent = ''")
    assert "?embed#/play" in copied("Copy the link of the bare view")
    toast.evaluate("one => one.textContent = ''")
    assert "Not a URI: 1 violation" in copied("Copy as text")
    button(page, "Copy").first.click()
    with page.expect_download() as saved:
        button(page, "Save the tree and the diagram as SVG").click()
    assert Path(saved.value.path()).read_text("utf-8").startswith("<svg")
    expect(toast).to_have_text("Saved as tree.svg and URI.svg.")


def test_a_link_back_and_reload_keep_the_view(open_page: Watched) -> None:
    page = play(open_page, "http://a/\u202e b+c %41", "&rule=URI-reference&tab=step&explain=1")
    page.get_by_label("To the beginning").click()
    page.get_by_label("One step on").click()
    expect(page).to_have_url(re.compile(r"[?&]step=1"))
    other = open_page(page.evaluate("location.hash"))
    expect(other.locator("#panel-step output")).to_contain_text("1 of 18")
    expect(other.locator("#rule")).to_contain_text("URI-reference")
    for kept in ("location.hash", "document.querySelector('uri-playground').bench.text"):
        assert other.evaluate(kept) == page.evaluate(kept)
    page.reload()
    expect(page.locator("#step")).to_have_value("1")
    page.get_by_role("link", name="Lessons").click()
    expect(page.locator("uri-lessons")).to_be_visible()
    page.go_back()
    expect(page.locator("#panel-step")).to_be_visible()
    expect(page.locator("#step")).to_have_value("1")


@pytest.mark.parametrize("place", ["#/play", "#/lessons"])
def test_nothing_moves_while_the_page_begins(open_page: Watched, place: str) -> None:
    page = open_page(place)
    settled(page)
    moved = page.evaluate(
        """() => new Promise((done) => {
            const sum = (list) => done(list.getEntries().reduce((all, one) => all + one.value, 0));
            new PerformanceObserver(sum).observe({ type: "layout-shift", buffered: true });
            requestAnimationFrame(() => setTimeout(() => done(0), 500)); // none at all
        })"""
    )
    assert moved < 0.05


def test_on_a_projector_all_is_large(open_page: Watched, axe: Axe, shot: Shot) -> None:
    page = play(open_page)
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    before = page.locator("#text").evaluate(size)
    button(page, "Projector").click()
    settled(page)
    assert page.locator("#text").evaluate(size) == pytest.approx(1.5 * before)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []
    shot(page, "projector")
    page.reload()
    expect(button(page, "Projector")).to_have_attribute("aria-pressed", "true")


TYPED = """() => {
    globalThis.said = [];
    const spoken = document.querySelector("uri-verdict .sr");
    const watcher = new MutationObserver(() => said.push(spoken.textContent));
    watcher.observe(spoken, { childList: true });
    const area = document.querySelector("#text");
    for (const one of "a b") {
        area.value += one;
        area.dispatchEvent(new Event("input"));
    }
}"""


def test_the_live_region_waits_for_a_pause(same_page: Watched) -> None:
    page = play(same_page, "http://a/")
    spoken = page.locator("uri-verdict .sr[role=status]")
    expect(spoken).to_have_text("Valid: this is a URI")
    page.evaluate(TYPED)
    expect(spoken).to_have_text("Not a URI: 1 violation")
    assert page.evaluate("said") == ["Not a URI: 1 violation"]


STATES = {
    "violations": f"#/play?text={quote(TWO, safe='')}",
    "advice": "#/play?text=http://EXAMPLE.com:80/%257ea",
    "apart": "#/play?text=http://a/%E2%80%AEb%0A",
    "browser": "#/play?text=http:/info&tab=browser",
    "step": "#/play?text=http://1.2.3.4/&tab=step&step=8",
    "samples": "#/play?tab=samples",
    "compare": "#/play?tab=compare",
    "grammar": "#/play?tab=grammar",
    "broken": f"#/play?text={quote(BROKEN, safe='')}",
}


@pytest.mark.parametrize("state", STATES)
def test_each_state_is_accessible_in_every_look(
    same_page: Watched, axe: Axe, shot: Shot, state: str
) -> None:
    """In light colors, and in dark ones on a phone, without a bar to scroll sideways."""
    page = same_page(STATES[state])
    expect(page.locator(".node, .relation").first).to_be_visible()
    settled(page)
    assert axe(page) == []
    shot(page, f"playground-{state}")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 360, "height": 740})
    settled(page)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    shot(page, f"phone-{state}", full_page=True)


def test_forced_colours_and_reduced_motion(same_page: Watched, shot: Shot) -> None:
    page = play(same_page)
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    blamed = page.locator(".mirror .blamed").first
    assert blamed.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    assert page.locator(".dot").evaluate("one => getComputedStyle(one).animationName") == "none"
    shot(page, "playground-forced-colours")


def test_the_page_gives_the_picture_of_the_readme(
    chromium: Browser, transport: Transport, artifacts: Callable[[str], Path]
) -> None:
    """The committed one is as wide and high, and small."""
    drawn = artifacts("readme.png")
    build_picture.draw(chromium, transport.url, drawn)
    for picture in drawn, build_picture.PICTURE:
        assert struct.unpack(">II", picture.read_bytes()[16:24]) == build_picture.SIZE
    assert build_picture.PICTURE.stat().st_size < 150_000
