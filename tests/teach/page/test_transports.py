"""Both transports in a browser: the same requests have the same answers.

Owns ``transport.js``, ``worker.js`` and ``service-worker.js``, tried from the page itself. Imports
the fixtures. Invariant: what ``handle`` answers in this process is what the page is answered.
"""

from __future__ import annotations

import json

from browser import Watched

from uriproof.teach import handle

CONNECT = """async () => {
    const { connect } = await import(new URL("transport.js", location.href).href);
    globalThis.states = [];
    const { kind, ask } = await connect((state) => states.push(state));
    globalThis.ask = ask;
    return kind;
}"""
REQUESTS = [
    {"do": "rules"},
    {"do": "rules", "abnf": 'a = "x" / %xE9\n'},
    {"do": "rules", "abnf": "a = ("},
    {"do": "rules", "abnf": "a = \ud800 \U0001f600"},
    {"do": "no such"},
    {},
]


def test_the_answers_are_those_of_handle(open_page: Watched) -> None:
    page = open_page()
    assert (
        page.evaluate(CONNECT) == {"server": "server", "static": "worker"}[open_page.transport.kind]
    )
    answers = page.evaluate(
        "async (all) => JSON.stringify(await Promise.all(JSON.parse(all).map((one) => ask(one))))",
        json.dumps(REQUESTS),
    )
    assert json.loads(answers) == [handle(request) for request in REQUESTS]
