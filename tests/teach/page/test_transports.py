"""Both transports in a browser: the same requests have the same answers.

Owns ``transport.js``, ``worker.js`` and ``service-worker.js``, tried from the page itself. Imports
the fixtures. Invariant: what ``handle`` answers in this process is what the page is answered.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from signal import SIGINT, default_int_handler, signal
from subprocess import PIPE, Popen
from typing import Any

import build_lessons
import build_site
import pytest
from asking import answered
from browser import Watched, plain_server, until
from playwright.sync_api import Browser, Page, expect

from uriproof.teach.handle import REQUESTS as NAMES
from uriproof.teach.serve import Server

CONNECT = """async () => {
    const { connect, keep } = await import(new URL("transport.js", location.href).href);
    globalThis.states = [];
    const { kind, ask } = await connect((state) => states.push(state));
    Object.assign(globalThis, { ask, keep });
    return kind;
}"""
ASK = """async (all) =>
    JSON.stringify(await Promise.all(JSON.parse(all).map((one) => ask(...[one].flat()))))"""
KEEP = """() => {
    globalThis.news = [];
    keep((one) => news.push(one));
}"""
BARE = "icon.svg"  # a document of the origin that asks for nothing by itself
REQUESTS = [
    {"do": "rules"},
    {"do": "rules", "abnf": 'a = "x" / %xE9\n'},
    {"do": "rules", "abnf": "a = ("},
    {"do": "rules", "abnf": "a = \ud800 \U0001f600"},
    {"do": "no such"},
    {},
]
only = partial(pytest.mark.parametrize, "transport", indirect=True)


def ask(page: Page, *requests: Any) -> Any:
    """The answers to requests that are asked at once; one may be a list, with its options."""
    return json.loads(page.evaluate(ASK, json.dumps(requests)))


ABNF = 'a = *b\nb = "x" / "(" a ")"\n'
OF_ALL = {
    "text": "http://ex\u00e4mple.com:80/a%2f b",
    "rule": "URI",
    "count": 3,
    "step": "run",
    "a": "rfc2396:host",
    "b": "rfc3986:host",
    "lesson": "scheme",
    "exercise": "underscore",
}
OF_A_GRAMMAR = {"abnf": ABNF, "text": "(x", "rule": "a", "abnf_a": ABNF, "a": "a", "b": "re:x*"}


def every_request() -> list[dict[str, Any]]:
    """Each request, also about a grammar of one's own; and the answers of some lessons."""
    every = [{"do": name, **OF_ALL, **own} for name in NAMES for own in ({}, OF_A_GRAMMAR)]
    return every + [
        one
        for name in ("scheme", "write-productions", "capstone")
        for one in build_lessons.requests(name)
        if one.get("show") or one.get("step") == "run"
    ]


@only(["server", "static"])
def test_the_answers_are_those_of_handle(open_page: Watched) -> None:
    page = open_page(BARE)
    kind = {"server": "server", "static": "worker"}[open_page.transport.kind]
    assert page.evaluate(CONNECT) == kind
    assert page.evaluate("states.at(-1).state") == {"server": "ready", "worker": "loading"}[kind]
    requests = REQUESTS + (every_request() if kind == "worker" else [])
    assert ask(page, *requests) == [answered(request) for request in requests]
    *loading, ready = page.evaluate("states")
    assert ready["state"] == "ready"
    if kind == "worker":
        done = [state["done"] for state in loading]
        assert done == sorted(done)
        assert len(set(done)) > 5
        # What comes last may be large, and Python be ready before its progress is told.
        assert 0.5 < done[-1] / loading[-1]["of"] <= 1
        assert loading[0]["what"] == "Python"


def test_a_later_request_in_a_slot_takes_the_place_of_one_that_waits(open_page: Watched) -> None:
    page = open_page(BARE)
    page.evaluate(CONNECT)
    ask(page, {"do": "rules"})
    typed = [[{"do": "rules", "grammar": "key-value"}, {"slot": "typing"}]] * 12
    codes = [answer.get("error", {}).get("code") for answer in ask(page, *typed)]
    assert codes == [None] * 4 + ["superseded"] * 7 + [None]  # four are at work at once


@only(["static"])
@pytest.mark.parametrize("missing", ["", "pyodide.asm.wasm", "uriproof-"])
def test_a_browser_or_a_site_that_lacks_something_is_answered_calmly(
    open_page: Watched, missing: str
) -> None:
    """The browser WebAssembly, or the site a file."""
    if missing:
        open_page.context.route(f"**/*{missing}*", lambda route: route.fulfill(status=404))
        open_page.allow("404", "wasm")
    else:
        open_page.context.add_init_script("delete globalThis.WebAssembly")
    page = open_page(BARE)
    page.evaluate(CONNECT)
    answers = ask(page, {"do": "rules"}, {"do": "rules"})
    assert [one["error"]["code"] for one in answers] == ["unavailable"] * 2
    last = page.evaluate("states.at(-1)")
    assert last["state"] == "failed"
    assert "\n" not in last["what"]
    assert missing or last["what"] == "this browser has no WebAssembly"


@pytest.mark.posix
def test_a_server_that_has_ended_is_answered_calmly(chromium: Browser) -> None:
    with Server(0) as free:
        port = free.port
    with command(port) as url:
        context = chromium.new_context()
        page = context.new_page()
        page.goto(url + BARE)
        page.evaluate(CONNECT)
        assert ask(page, {"do": "rules"}) == [answered({"do": "rules"})]
    (answer,) = ask(page, {"do": "rules"})
    assert answer["error"]["code"] == "unavailable"
    assert page.evaluate("states.at(-1).state") == "failed"
    with command(port):
        assert ask(page, {"do": "rules"}) == [answered({"do": "rules"})]
        assert page.evaluate("states.at(-1).state") == "ready"
        context.close()


@contextmanager
def command(port: int) -> Iterator[str]:
    """``uriproof teach``, which press Ctrl-C to stop calmly."""
    call = [sys.executable, "-m", "uriproof", "teach", "--no-browser", "--port", str(port)]
    # A background process of a script ignores Ctrl-C, and so would what it starts.
    heed = partial(signal, SIGINT, default_int_handler)
    with Popen(call, stdout=PIPE, stderr=PIPE, text=True, preexec_fn=heed) as process:  # noqa: PLW1509
        assert process.stdout
        first = process.stdout.readline()
        assert process.stdout.readline() == "Stop it with Ctrl-C.\n"
        try:
            yield first.split()[-1]
        finally:
            process.send_signal(SIGINT)
            out, err = process.communicate(timeout=120)
        assert (process.returncode, out, err) == (0, "\n", "")


@only(["static"])
def test_a_frame_in_a_page_of_another_origin(open_page: Watched, tmp_path: Path) -> None:
    """The static site may be embedded anywhere; it is bare there."""
    place = f"{open_page.transport.url}?embed#/play?v=1&amp;text=http://e.com/%2525zz"
    frame = f'<iframe src="{place}" title="uriproof"></iframe>'
    (tmp_path / "index.html").write_text(f"<!doctype html><title>A course</title>{frame}")
    with plain_server(tmp_path) as another:
        page = open_page.context.new_page()
        open_page.watch(page)
        open_page.allow(f"request to {another}/")  # the course's own page
        page.goto(another)
        inside = page.frame_locator("iframe")
        expect(inside.locator("#verdict")).to_contain_text("Valid")
        expect(inside.locator(".top")).to_be_hidden()
        expect(inside.locator(".node").first).to_be_visible()


SHELL = "fetch('index.html').then((found) => found.text())"


def test_a_second_visit_needs_no_network_and_a_new_version_waits(
    chromium: Browser, static_folder: Path, tmp_path: Path
) -> None:
    """A site is kept when it was used; what comes later is shown when it is asked for."""
    copied = Path(shutil.copytree(static_folder, tmp_path / "learn"))
    context = chromium.new_context()
    page = context.new_page()

    def news() -> str:
        page.evaluate(CONNECT)
        page.evaluate(KEEP)
        until(page, "news.length")
        what: str = page.evaluate("news[0].what")
        return what

    with plain_server(tmp_path) as host:
        url = f"{host}/learn/"
        page.goto(url + BARE)  # the page itself would keep the site, too, and might be done before
        assert "without a network" in news()
        index = copied / "index.html"
        index.write_text(index.read_text("utf-8").replace("</title>", ", newer</title>"), "utf-8")
        build_site.list_files(copied)
        page.reload()
        assert "newer" not in page.evaluate(SHELL)
        assert news() == "A new version is ready."
        with page.expect_navigation():
            page.evaluate("news[0].apply()")
        assert "newer" in page.evaluate(SHELL)  # the title itself is soon the view's
        assert page.evaluate("caches.keys().then((all) => all.length)") == 1
    page = context.new_page()
    for place in "", "index.html", "?embed#/lesson/1":
        page.goto(url + place)
        assert page.title()
    page.evaluate(CONNECT)
    assert ask(page, *REQUESTS) == [answered(request) for request in REQUESTS]
    context.close()
