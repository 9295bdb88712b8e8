"""The page in a real browser, over both transports.

Owns the fixtures: a server and a static site, the system's Chromium, and a page that is watched.
Imports ``browser``, ``uriproof.teach.serve`` and ``tools/build_site.py``. Invariant: a test fails
when its page has an error in the console, a violation of its content security policy, an exception
that nothing caught, or a request to another origin; what cannot be had is a skip with its reason.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import browser
import build_site
import pytest
from browser import Transport, Watched, new_context, plain_server
from playwright.sync_api import Browser, Page
from serving import answering

from uriproof.teach.serve import Server

# The whole folder is exhaustive: browsers take long. This line says that nothing of it is imported
# for the quick tests; its tests have their mark from what follows.
pytestmark = pytest.mark.prove

HERE = Path(__file__).parent
FOLDER = "a/school/learn"  # where the static site is, on a host that has other things, too
ARTIFACTS = HERE.parent.parent / "artifacts"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.prove)


@pytest.fixture(scope="session")
def server() -> Iterator[Transport]:
    """``uriproof teach`` on a free port."""
    with Server(0) as served, answering(served):
        yield Transport("server", served.url)


@pytest.fixture(scope="session")
def static_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static site, built once for all processes of a run."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    built = shared / "static-site"
    with _lock(shared / "static-site.lock"):
        reason = shared / "static-site.failed"
        if not built.exists() and not reason.exists():
            try:
                build_site.build(shared / "static-site.new")
                (shared / "static-site.new").rename(built)
            except build_site.Failed as error:
                reason.write_text(str(error), "utf-8")
    if reason.exists():
        pytest.skip(f"the static site cannot be built: {reason.read_text('utf-8')}")
    return built


@pytest.fixture(scope="session")
def static(static_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Transport]:
    """The static site on a plain file server, below a folder."""
    root = tmp_path_factory.mktemp("host")
    (root / FOLDER).parent.mkdir(parents=True)
    shutil.copytree(static_folder, root / FOLDER)
    with plain_server(root) as url:
        yield Transport("static", f"{url}/{FOLDER}/")


@pytest.fixture(scope="session")
def transport(request: pytest.FixtureRequest) -> Transport:
    """The server; ``browser.on("static")`` is for a test that depends on who answers."""
    served: Transport = request.getfixturevalue(getattr(request, "param", "server"))
    return served


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser of the system; for one file, as Playwright keeps the thread's event loop."""
    try:
        with browser.chromium() as launched:
            yield launched
    except browser.NoBrowser as error:
        pytest.skip(str(error))


@pytest.fixture
def open_page(chromium: Browser, transport: Transport) -> Iterator[Watched]:
    """Opens pages, ``open_page("#/play?v=1")``, in a browser that was never here.

    Each loads all anew, and in the static site starts Python: where that is not the point, take
    ``same_page``. What they do wrong fails the test at its end.
    """
    watched = Watched(new_context(chromium), transport)
    yield watched
    watched.context.close()
    assert watched.faults() == []


@pytest.fixture(scope="module")
def module_page(chromium: Browser, transport: Transport) -> Watched:
    """The page of ``same_page``, in a context of its own: nothing else is stored there."""
    watched = Watched(new_context(chromium), transport)
    watched.kept = watched()
    return watched


@pytest.fixture
def same_page(module_page: Watched) -> Iterator[Watched]:
    """Leads the one page of a file of tests to a place, ``same_page("#/play?v=1&text=a")``.

    Its view is made anew and nothing is stored, but the modules and the engine stay.
    """
    yield module_page
    found = module_page.faults()
    module_page.problems.clear()
    module_page.allowed.clear()
    module_page.context.unroute_all()
    module_page.context.clear_permissions()
    assert found == []


@pytest.fixture(scope="session")
def axe() -> Callable[[Page], list[str]]:
    """What axe finds on a page that is serious or critical: each as its rule and the elements."""
    try:
        source = build_site.from_npm("axe-core")["axe.min.js"].decode()
    except build_site.Failed as error:
        pytest.skip(str(error))

    def found(page: Page) -> list[str]:
        if not page.evaluate("'axe' in globalThis"):
            page.evaluate(source)
        results = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {' '.join(str(node['target'][-1]) for node in one['nodes'])}"
            for one in results["violations"]
            if one["impact"] in {"serious", "critical"}
        ]

    return found


@pytest.fixture(scope="session")
def artifacts(request: pytest.FixtureRequest) -> Callable[[str], Path]:
    """Where a file is kept that people look at after a run: ``--artifacts``."""
    folder = Path(request.config.getoption("--artifacts") or ARTIFACTS)
    folder.mkdir(parents=True, exist_ok=True)
    return folder.joinpath


@pytest.fixture
def shot(transport: Transport, artifacts: Callable[[str], Path]) -> Callable[..., Path]:
    """``shot(page, "playground-dark")`` keeps a screenshot as an artifact."""

    def keep(page: Page, name: str, **options: Any) -> Path:
        path = artifacts(f"{name}-{transport.kind}.png")
        page.screenshot(path=path, **options)
        return path

    return keep


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """One process at a time."""
    while True:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL))
            break
        except FileExistsError:
            time.sleep(0.1)
    try:
        yield
    finally:
        path.unlink()
