"""The editor of productions in Firefox: another engine than Chromium's.

Owns a smoke test of it. Imports the fixtures' servers. Invariant: what is typed is pressed as keys.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import Transport
from firefox import Firefox, NoFirefox, firefox


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    try:
        with firefox(tmp_path_factory.mktemp("firefox")) as opened:
            yield opened
    except NoFirefox as error:
        pytest.skip(str(error))


def test_a_production_is_written_in_firefox(window: Firefox, transport: Transport) -> None:
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
