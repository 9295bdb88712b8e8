"""The page in Firefox: another engine than Chromium's.

Owns a smoke test of the playground and the first lesson. Imports the fixtures' server. Invariant:
the browser is driven by keys alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from browser import Transport
from firefox import Firefox, NoFirefox, firefox
from test_transports import REQUESTS

from uriproof.teach import handle

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    try:
        with firefox(tmp_path_factory.mktemp("firefox")) as opened:
            yield opened
    except NoFirefox as error:
        pytest.skip(str(error))


def test_the_answers_are_those_of_handle(window: Firefox, transport: Transport) -> None:
    window.goto(f"{transport.url}icon.svg")
    module = json.dumps(f"{transport.url}transport.js")
    connect = f"import({module}).then(({{ connect }}) => connect())"
    text = window.evaluate(
        f"{connect}.then(({{ ask }}) => Promise.all({json.dumps(REQUESTS)}.map((one) => ask(one))))"
        ".then(JSON.stringify)"
    )
    assert json.loads(text) == [handle(request) for request in REQUESTS]
    assert window.errors == []
