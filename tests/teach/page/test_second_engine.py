"""The page in Firefox: another engine than Chromium's.

Owns a smoke test of the playground, the first lesson and the editor of productions. Imports the
fixtures' servers. Invariant: what is typed is pressed as keys, and what is answered with the mouse.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import NoBrowser, Transport
from firefox import Firefox, firefox

Artifacts = Callable[[str], Path]


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    try:
        with firefox(tmp_path_factory.mktemp("firefox")) as opened:
            yield opened
    except NoBrowser as error:
        pytest.skip(str(error))


def text_of(window: Firefox, selector: str) -> Any:
    return window.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")


@pytest.mark.parametrize("transport", ["static"], indirect=True)
def test_the_playground(window: Firefox, transport: Transport, artifacts: Artifacts) -> None:
    window.goto(f"{transport.url}#/play?v=1&text=")
    window.until("document.querySelector('uri-verdict')?.dataset.verdict === 'open'")
    window.evaluate("document.querySelector('#text').focus()")
    window.keys("http://e.com/a b")
    window.until("document.querySelector('uri-verdict').dataset.verdict === 'bad'")
    window.until("/: 1 violation$/.test(document.querySelector('#verdict').innerText)")
    window.until("document.querySelector('#status').dataset.state === 'ready'")
    window.until("document.querySelectorAll('uri-tree [role=treeitem]').length > 5")
    window.until("!document.documentElement.hasAttribute('data-busy')")
    assert "A space is not allowed in a path" in text_of(window, "uri-check")
    window.screenshot(artifacts(f"firefox-playground-{transport.kind}.png"))
    window.click("[...document.querySelectorAll('button')].find((b) => /Apply/.test(b.innerText))")
    window.until("document.querySelector('uri-verdict').dataset.verdict === 'ok'")
    assert window.evaluate("document.querySelector('#text').value") == "http://e.com/a%20b"
    assert window.errors == []


def test_the_first_lesson(window: Firefox, transport: Transport, artifacts: Artifacts) -> None:
    window.goto("about:blank")
    window.goto(f"{transport.url}#/lesson/1")
    window.until("document.querySelector('uri-lesson input[type=radio]')")
    assert text_of(window, "uri-lesson h1").endswith("The scheme")
    # The text is ht_tp://x: the third character is the first that is not allowed.
    window.click("document.querySelectorAll('uri-lesson label:has(input[type=radio])')[2]")
    window.click("[...document.querySelectorAll('button')].find((b) => b.innerText === 'Run it')")
    window.until("document.querySelector('uri-lesson label.right')")
    assert window.evaluate("document.querySelector('uri-lesson label.right').innerText")[:1] == "_"
    window.screenshot(artifacts(f"firefox-lesson-{transport.kind}.png"))
    assert window.errors == []


def test_a_production_is_written(window: Firefox, transport: Transport) -> None:
    state = "document.querySelector('.define-state')"
    editor = "document.querySelector('.abnf-editor').shadowRoot"
    window.goto(f"{transport.url}#/lesson/write-productions?exercise=2")
    window.until("document.querySelector('.abnf-editor')")
    window.click(f"{editor}.querySelector('.cm-content')")
    window.keys("*4DIGIT ")
    window.until(f"{state}.textContent.includes('Not equal yet')")
    window.until("document.querySelector('.define-card svg.lighted')")
    assert "empty text" in window.evaluate("document.querySelector('.define-text').innerText")
    window.keys("/ 5")
    window.until(f"{state}.textContent.includes('cannot be read yet')")
    window.until(f"{editor}.querySelector('.cm-lintRange-error, .cm-lintPoint-error')")
    assert window.errors == []
