"""A batch: lines of JSON in, one answer for each line out, in order.

Owns the contents of a line and its answer. Imports only the public face. Invariant: every line that
is not blank has exactly one answer; whatever it holds, the next one is read.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import lru_cache
from time import monotonic
from typing import Any

from ..grammar.errors import GrammarError, GrammarLimit
from ..limits import MOST_OTHER_KEYS
from ..rule import Grammar, Rule
from ..text.strict_json import InvalidJSON, read_json
from .limits import Limits

_KEYS = {
    "text": str,
    "rule": str,
    "grammar": str,
    "query": str,
    "scheme_rules": bool,
    "advice": bool,
}
CODES = (
    *("invalid-json", "invalid-line", "unknown-name"),
    *("body-too-large", "too-many-lines", "line-too-long", "too-slow"),
)
"""Of the errors in answers: those of one line, and those that end a request."""
_SHOWN = 80
_SPACE = b" \t\r"  # and the line feed: the white space of JSON (RFC 8259 §2)
_RULES = 256
"""Rules that are remembered: a client asks for a few, and none can fill the memory with names."""


class Broken(Exception):
    """A limit that the whole request exceeds, at a line; answers so far stay valid."""

    def __init__(self, code: str, message: str, line: int) -> None:
        self.made: dict[str, Any] = _error(line, {}, code, message)
        super().__init__(message)


def too_slow(limits: Limits, line: int) -> Broken:
    """The error of a request that takes longer than its limit, and has come to this line."""
    return Broken("too-slow", f"the request took more than {limits.seconds:,} seconds", line)


async def lines_of(
    chunks: AsyncIterator[bytes], limits: Limits, end: float
) -> AsyncIterator[list[tuple[int, bytes]]]:
    """The lines that each chunk of a body completes, with their numbers, without blank ones.

    ``end``: when a wait for more ends, by the monotonic clock. Errors: Broken. Memory: one line and
    one chunk. Cost: O(n), however short the chunks are.
    """
    longest = limits.length * len("\\ud83d\\ude00") + MOST_OTHER_KEYS
    rest, read, count = bytearray(), 0, 0
    chunk: bytes | None = b""
    while chunk is not None:
        try:
            async with asyncio.timeout(max(end - monotonic(), 0)):
                chunk = await anext(chunks, None)
        except TimeoutError:
            raise too_slow(limits, count + 1) from None
        *lines, last = (chunk if chunk is not None else b"\n" * bool(rest)).split(b"\n")
        read += len(chunk or b"")
        if read > limits.body:
            message = f"the body has more than {limits.body:,} octets"
            raise Broken("body-too-large", message, count + 1)
        if lines:
            lines[0] = bytes(rest) + lines[0]
            rest.clear()
        rest += last
        room = limits.items - count
        yield [
            (number, line)
            for number, line in enumerate(lines[:room], count + 1)
            if line.strip(_SPACE)
        ]
        count += len(lines)
        if len(lines) > room:
            message = f"the body has more than {limits.items:,} lines"
            raise Broken("too-many-lines", message, limits.items + 1)
        if len(rest) > longest:
            message = f"a line has more than {longest:,} octets"
            raise Broken("line-too-long", message, count + 1)


def answer(line: bytes, number: int, limits: Limits) -> dict[str, Any]:
    """The answer to one line, counted from 1.

    A line is a JSON string, or an object with ``text`` and, as in ``uriproof.check``, ``rule``,
    ``grammar``, ``query`` and ``scheme_rules``; ``advice: true`` adds advice, ``id``, any JSON, is
    sent back. Never raises on any line. Cost: O(n).

    >>> answer(b'"http://a b/"', 1, Limits())["violations"][0]["start"]
    8
    """
    asked: dict[str, Any] = {}
    try:
        given = read_json(line, halves=True)
        asked = {"text": given} if isinstance(given, str) else _checked(given)
        named = (asked.get(key) for key in ("rule", "grammar", "query", "scheme_rules"))
        [report] = _rule(*named).check_many(
            [asked["text"]], max_length=limits.length, max_violations=limits.violations
        )
        made = report.to_dict(advice=asked.get("advice", False))
        del made["advice"][limits.violations :]
    except _Wrong as error:
        return _error(number, asked, "invalid-line", str(error))
    except InvalidJSON as error:
        return _error(number, asked, "invalid-json", f"{error}, at character {error.start}")
    except (ValueError, RecursionError) as error:
        if not asked:
            return _error(number, asked, "invalid-json", "expected a line of JSON in UTF-8")
        return _error(number, asked, "invalid-line", str(error))
    except (LookupError, GrammarError, GrammarLimit) as error:
        return _error(number, asked, "unknown-name", str(error))
    return {"line": number, **({"id": asked["id"]} if "id" in asked else {}), **made}


class _Wrong(Exception):
    """A line that is JSON, but not of the shape that is asked for."""


def _checked(given: object) -> dict[str, Any]:
    if not isinstance(given, dict) or "text" not in given:
        raise _Wrong('expected a string, or an object with "text"')
    for key, value in given.items():
        if key == "id":
            continue
        if key not in _KEYS:
            known = ", ".join([*_KEYS, "id"])
            raise _Wrong(f'unknown key "{str(key)[:_SHOWN]}"; the keys are {known}')
        if not isinstance(value, _KEYS[key]):
            kind = "a string" if _KEYS[key] is str else "true or false"
            raise _Wrong(f'"{key}" must be {kind}')
    return given


@lru_cache(maxsize=_RULES)
def _rule(name: str | None, grammar: str | None, query: str | None, schemes: bool | None) -> Rule:
    home = Grammar.load("rfc3986" if grammar is None else grammar)
    return Rule(
        home.start if name is None else name, grammar=home, query=query, schemes=bool(schemes)
    )


def _error(number: int, asked: dict[str, Any], code: str, message: str) -> dict[str, Any]:
    own = {"id": asked["id"]} if "id" in asked else {}
    return {"line": number, **own, "error": {"code": code, "message": message[:1000]}}
