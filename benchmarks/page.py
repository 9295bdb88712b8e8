"""The page for learning in a browser: how soon it shows something, and what a keystroke costs.

Owns these figures; imports Playwright, and the browser and servers of the tests. Invariant: every
cold start is a new profile of the browser, so that nothing is in a cache; "without a network" means
that the server has ended.
"""

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from .goals import Goal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

STARTS = 5  # cold starts, of which the median is taken
KEYS = 9
LENGTHS = (20, 200, 700, 1_000, 2_000, 2_900, 3_900, 4_100, 6_000, 10_000)  # characters of a text
MOST = 16  # milliseconds of work that a key may take, so that no frame is lost
PLACE = "#/play?v=1&text=http%3A%2F%2Fexample.com%2Fa%20b"
# What the page shows first, with the time since its address was entered.
NOTE = """
globalThis.noted = {};
const note = () => {
    const { verdict } = document.querySelector("uri-verdict")?.dataset ?? {};
    if (verdict && verdict !== "none") noted.verdict ??= performance.now();
    if (document.querySelector("#status")?.dataset.state === "ready") {
        noted.ready ??= performance.now();
    }
};
new MutationObserver(note).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true,
});
"""
READ = """() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    const [page] = performance.getEntriesByType("navigation");
    const files = [page, ...performance.getEntriesByType("resource")];
    const before = files.filter((one) => one.startTime < noted.verdict);
    const bytes = before.reduce((sum, one) => sum + one.transferSize, 0);
    return { ...noted, paint: paint?.startTime, bytes };
}"""


@dataclass
class Found:
    """Milliseconds and bytes; by transport, and what a key costs by the length of the text."""

    starts: dict[str, dict[str, float]] = field(default_factory=dict)
    keys: dict[int, dict[str, float]] = field(default_factory=dict)
    site: float = 0
    why: str = ""


def measure() -> Found:
    """Cold starts over both transports, a visit without a network, and keystrokes."""
    found = Found()
    try:
        import browser
        import build_site
        import serving
    except ImportError as error:
        found.why = f"{error.name} is not installed"
        return found
    from uriproof.teach.serve import Server

    try:
        with browser.chromium() as chromium, tempfile.TemporaryDirectory() as folder:
            site = Path(folder, "learn")
            build_site.build(site)
            found.site = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
            with Server(0) as server, serving.answering(server):
                found.starts["uriproof teach"] = _starts(chromium, server.url)
                for length in LENGTHS:
                    found.keys[length] = _keys(chromium, server.url, length)
            with browser.plain_server(Path(folder)) as url:
                found.starts["static site"] = _starts(chromium, f"{url}/learn/")
                context = chromium.new_context()
                page = _opened(context.new_page(), f"{url}/learn/")
                browser.until(page, KEPT)
            page = _opened(context.new_page(), f"{url}/learn/")
            found.starts["static site, without a network"] = page.evaluate(READ)
    except (browser.NoBrowser, build_site.Failed) as error:
        found.why = str(error)
    return found


# Every file is in the service worker's cache, which is then in charge.
KEPT = "navigator.serviceWorker.ready.then((one) => one.active?.state === 'activated')"


def _opened(page: "Page", url: str) -> "Page":
    import browser

    page.add_init_script(NOTE)
    page.goto(url + PLACE)
    browser.until(page, "noted.ready && noted.verdict")
    return page


def _starts(chromium: "Browser", url: str) -> dict[str, float]:
    runs: list[dict[str, Any]] = []
    for _ in range(STARTS):
        context = chromium.new_context()
        runs.append(_opened(context.new_page(), url).evaluate(READ))
        context.close()
    return {name: median(run[name] for run in runs) for name in runs[0]}


def _keys(chromium: "Browser", url: str, length: int) -> dict[str, float]:
    """The processor time of a key: to the next frame, and with all answers to it."""
    import browser

    context = chromium.new_context()
    page = _opened(context.new_page(), url)
    page.fill("#text", ("http://example.com/" + "a/b-c%20d;e=1/" * (length // 14))[:length])
    page.focus("#text")
    page.keyboard.press("End")
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})  # not what others take

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) * 1000 for one in metrics if one["name"] == "TaskDuration")

    frame: list[float] = []
    whole: list[float] = []
    browser.settled(page)
    for _ in range(KEYS):
        began = busy()
        page.keyboard.press("b")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        frame.append(busy() - began)
        browser.settled(page)
        whole.append(busy() - began)
    context.close()
    return {"frame": median(frame), "whole": median(whole)}


def show(console: Console, found: Found) -> None:
    """Two tables."""
    if found.why:
        console.print(f"The page is not measured: {found.why}")
        return
    table = Table(title="The page, from a cold start: milliseconds since its address was entered")
    for head in ("", "first paint", "first verdict", "engine ready", "kB to the first verdict"):
        table.add_column(head, justify="right" if head else "left")
    for name, start in found.starts.items():
        cells = [f"{start[key]:,.0f}" for key in ("paint", "verdict", "ready")]
        table.add_row(name, *cells, f"{start['bytes'] / 1000:,.0f}")
    console.print(table)
    table = Table(title="A keystroke: milliseconds of the page's processor time")
    for head in ("characters", "to the next frame", "with the engine's answers"):
        table.add_column(head, justify="right")
    for length, one in found.keys.items():
        table.add_row(f"{length:,}", f"{one['frame']:.1f}", f"{one['whole']:.1f}")
    console.print(table)
    console.print(f"The static site has {found.site / 1e6:.1f} MB, Python included")


def goals(found: Found) -> list[Goal]:
    """What is asked for of both transports."""
    verdicts = [start["verdict"] for start in found.starts.values()]
    sizes = [start["bytes"] / 1000 for start in found.starts.values()]
    keys = {length: one["frame"] for length, one in found.keys.items()}
    return [
        Goal("the page's first verdict", max(verdicts, default=None), 1000, False, "ms"),
        Goal("bytes to the page's first verdict", max(sizes, default=None), 250, False, "kB"),
        *(
            Goal(f"a keystroke in {length:,} characters", keys.get(length), MOST, False, "ms")
            for length in LENGTHS
        ),
    ]
