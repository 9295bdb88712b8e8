"""Target: the lines of the service, in chunks of any size.

Owns its inputs: an octet for the size of the chunks, the rest is the body of a request. Imports the
service's lines and the public face. Invariant: each line that is not blank has one answer, which is
the report of ``check`` or an error; no line hinders the next.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from time import monotonic
from typing import Any

from uriproof import Grammar, Rule
from uriproof.service.limits import Limits
from uriproof.service.lines import answer, lines_of

from .harness import hold, run

LIMITS = Limits(length=1000, violations=10_000)
_CODES = {"invalid-line", "invalid-json", "unknown-name"}


def one_input(data: bytes) -> None:
    """Divide a body into lines, and answer each."""
    body = data[1:]
    lines = asyncio.run(_lines(body, (data[:1] or b"\0")[0] + 1))
    expected = body.split(b"\n")
    hold(lines == expected[: -1 if not expected[-1] else None], "the lines are those of the body")
    for number, line in enumerate(lines, 1):
        made = answer(line, number, LIMITS)
        hold((made is None) is (not line.strip()), "only a blank line has no answer")
        if made is None:
            continue
        sent = json.loads(json.dumps(made))
        hold(sent["line"] == number, "an answer has the number of its line")
        if "error" in made:
            hold(made["error"]["code"] in _CODES and bool(made["error"]["message"]), "an error")
        else:
            _same(json.loads(line), sent)


async def _lines(body: bytes, size: int) -> list[bytes]:
    async def chunks() -> AsyncIterator[bytes]:
        for at in range(0, len(body), size):
            yield body[at : at + size]

    batches = [batch async for batch in lines_of(chunks(), LIMITS, monotonic() + LIMITS.seconds)]
    return [line for batch in batches for _, line in batch]


def _same(asked: Any, sent: dict[str, Any]) -> None:
    """The answer is what ``check`` reports, where no limit has been reached."""
    given: Any = {"text": asked} if isinstance(asked, str) else asked
    hold(sent.get("id") == given.get("id"), "the id is sent back")
    if len(given["text"]) > LIMITS.length:
        hold(not sent["ok"], "a text that is too long is not ok")
        return
    grammar = Grammar.load(given.get("grammar", "rfc3986"))
    report = Rule(
        given.get("rule", grammar.rule().name),
        grammar=grammar,
        query=given.get("query"),
        schemes=given.get("scheme_rules", False),
    ).check(given["text"])
    plain = json.loads(json.dumps(report.to_dict(advice=given.get("advice", False))))
    hold({key: sent[key] for key in plain} == plain, "the answer is the report of check")


if __name__ == "__main__":
    run(one_input)
