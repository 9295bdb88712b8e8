"""A browser's page under test: what it did wrong, and the servers that it comes from.

Owns what the fixtures of ``tests/teach/page/conftest.py`` give, and the tool for the picture of
README.md. Imports Playwright's types. Invariant: nothing that a page does wrong is lost.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    Route,
    ViewportSize,
    expect,
    sync_playwright,
)
from serving import answering

Axe = Callable[[Page], list[str]]
Shot = Callable[..., Path]
SIZE: ViewportSize = {"width": 1280, "height": 900}
WAIT = 180_000
"""Most milliseconds for a state to come: a guard against a hang, on a machine that is busy."""

expect.set_options(timeout=WAIT)


def settled(page: Page) -> None:
    """Wait until all that the page has asked for is drawn: what is read then will not change."""
    expect(page.locator("html:not([data-busy])")).to_have_count(1)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def until(page: Page, expression: str, seconds: int = 180) -> Any:
    """Its value once it is true; ``page.wait_for_function`` wants ``unsafe-eval`` in the policy."""
    for _ in range(seconds * 20):
        if found := page.evaluate(expression):
            return found
        page.wait_for_timeout(50)
    raise AssertionError(f"{expression} did not come to be true")


def held(page: Page, url: str, words: str = "") -> list[Route]:
    """The requests with these words, as they come: each waits until it is let go on."""
    found: list[Route] = []

    def handle(route: Route) -> None:
        if words in (route.request.post_data or ""):
            found.append(route)
        else:
            route.continue_()

    page.route(url, handle)
    return found


class NoBrowser(Exception):
    """There is none on this machine."""


def installed(*names: str) -> str:
    """The path of the first of these that is here. Errors: NoBrowser."""
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        raise NoBrowser(f"there is no browser: none of {', '.join(names)}")
    return path


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser of the system; nothing is downloaded. Errors: NoBrowser."""
    path = installed("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    with sync_playwright() as playwright:
        try:
            # Root and most containers have no sandbox; the pages are the tests' own.
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except Error as error:
            raise NoBrowser(f"{path} does not start: {error}") from error
        yield browser
        browser.close()


def new_context(browser: Browser) -> BrowserContext:
    """A browser that was never here."""
    context = browser.new_context(viewport=SIZE, reduced_motion="reduce")
    context.set_default_timeout(WAIT)
    return context


LEAD = """(place) => new Promise((there) => {
    localStorage.clear();
    sessionStorage.clear();
    document.getElementById("view").replaceChildren(); // what it remembers goes with a view
    history.replaceState(null, "", "#"); // whatever the place is, it is another one
    addEventListener("hashchange", () => there(), { once: true }); // after the page's own
    location.hash = place;
})"""


@dataclass(frozen=True)
class Transport:
    """A page that is served: ``kind`` is server or static, ``url`` ends with a slash."""

    kind: str
    url: str


@dataclass
class Watched:
    """Opens pages of a test; ``problems`` is what they did wrong.

    With a page that is ``kept`` this is led to each place, instead of another being opened.
    """

    context: BrowserContext
    transport: Transport
    problems: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)
    kept: Page | None = None

    def __call__(self, place: str = "") -> Page:
        """A page at a place: ``#/play?…``, ``?embed#/lesson/1``, or nothing."""
        if page := self.kept:
            page.set_viewport_size(SIZE)
            page.emulate_media(media="null", color_scheme="null", forced_colors="null")
            page.evaluate(LEAD, place)
        else:
            page = self.context.new_page()
            self.watch(page)
            page.goto(self.transport.url + place)
        return page

    def allow(self, *words: str) -> None:
        """A problem with one of these words is what the test expects."""
        self.allowed += words

    def watch(self, page: Page) -> None:
        origin = "/".join(self.transport.url.split("/")[:3])
        own = (f"{origin}/", f"blob:{origin}", "data:", "about:")

        def console(line: ConsoleMessage) -> None:
            url = line.location["url"]
            asked_for_icon = url.endswith("/favicon.ico")  # of a document that names no icon
            if line.type in {"error", "warning"} and not asked_for_icon:
                self.problems.append(f"console: {line.text} ({url})")

        def request(asked: Request) -> None:
            if not asked.url.startswith(own):
                self.problems.append(f"request to {asked.url}")

        page.on("pageerror", lambda error: self.problems.append(f"exception: {error}"))
        page.on("console", console)
        page.on("request", request)

    def faults(self) -> list[str]:
        """The problems, without what the test allows."""
        return [p for p in self.problems if not any(words in p for words in self.allowed)]


class Quiet(SimpleHTTPRequestHandler):
    """Files as they are, with no header that a page could lean on, and no log."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Files(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that is closed while it loads is no fault of anyone."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def plain_server(root: Path) -> Iterator[str]:
    """A plain file server of a folder; its address, without a slash at the end."""
    handler = partial(Quiet, directory=str(root))
    with Files(("127.0.0.1", 0), handler) as server, answering(server):
        yield f"http://127.0.0.1:{server.server_address[1]}"
