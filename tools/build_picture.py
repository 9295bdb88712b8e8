"""Draw the pictures of the page that README.md and the docs show: the page itself, in a browser.

Owns ``playground.png`` and ``production.png`` of ``docs/images/``. Imports Playwright by
``tests/browser.py``, and the server. Invariant: nothing in the pictures is drawn by hand. Fonts
differ between machines, and so do the bytes: no test compares them.

    python tools/build_picture.py [FILE]     needs Chromium; FILE is for the playground alone
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

import browser  # noqa: E402 -- of the tests
from serving import answering  # noqa: E402

from uriproof.teach.serve import Server  # noqa: E402 -- the tree's own, installed or not

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PICTURE = ROOT / "docs" / "images" / "playground.png"
TEXT = "http://example.com:80/books?title=Emma#page 3"
SIZE = (1280, 820)
READY = "document.querySelector('#status')?.dataset.state === 'ready'"


def draw(chromium: Browser, url: str, file: Path) -> None:
    """Write the picture of a page that is served at an address."""
    width, height = SIZE
    context = chromium.new_context(
        viewport={"width": width, "height": height}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"{url}#/play?{urlencode({'v': 1, 'text': TEXT})}".replace("+", "%20"))
    browser.until(page, READY)
    page.wait_for_load_state("networkidle")
    file.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=file)
    context.close()


def draw_production(chromium: Browser, url: str, file: Path) -> None:
    """Write the picture of a production that is nearly right."""
    context = chromium.new_context(
        viewport={"width": 1000, "height": 960}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"{url}#/lesson/write-productions?exercise=8")
    page.locator(".cm-content").focus()
    page.keyboard.type("1*3DIGIT ")
    page.locator(".define-card svg").wait_for()
    page.locator(".exercise").screenshot(path=file)
    context.close()


def main(arguments: Sequence[str]) -> int:
    """Exit code: 0, or 1 without a browser."""
    file = Path(arguments[0]) if arguments else PICTURE
    try:
        with Server(0) as server, answering(server), browser.chromium() as chromium:
            draw(chromium, server.url, file)
            if not arguments:
                draw_production(chromium, server.url, PICTURE.with_name("production.png"))
    except browser.NoBrowser as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{file}: {file.stat().st_size / 1000:.0f} kB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
