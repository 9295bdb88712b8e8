"""A batch: lines of JSON in, one answer for each line out, in order.

Owns the contents of a line and its answer. Imports only the public face. Invariant: every line that
is not blank has exactly one answer; whatever it holds, the next one is read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import lru_cache
from math import isfinite
from time import monotonic
from typing import Any

from ..grammar.errors import GrammarError, GrammarLimit
from ..limits import MOST_OTHER_KEYS
from ..rule import Grammar, Rule
from .limits import Limits

__all__ = ["Broken", "answer", "lines_of"]

_KEYS = {
    "text": str,
    "rule": str,
    "grammar": str,
    "query": str,
    "scheme_rules": bool,
    "advice": bool,
}
_SHOWN = 80
_RULES = 256
"""Rules that are remembered: a client asks for a few, and none can fill the memory with names."""


class Broken(Exception):
    """A limit that the whole request exceeds; answers so far stay valid."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(message)


async def lines_of(chunks: AsyncIterator[bytes], limits: Limits) -> AsyncIterator[bytes | None]:
    """The lines of a body, as they arrive, and None before each wait for more of it.

    Errors: Broken. Memory: one line and one chunk.
    """
    longest = limits.length * len("\\ud83d\\ude00") + MOST_OTHER_KEYS
    end = monotonic() + limits.seconds
    slow = Broken("too-slow", f"the request took more than {limits.seconds:,} seconds")
    rest, read, count = b"", 0, 0
    while True:
        yield None
        try:
            async with asyncio.timeout(max(end - monotonic(), 0)):
                chunk = await anext(chunks, None)
        except TimeoutError:
            raise slow from None
        if chunk is None:
            break
        read += len(chunk)
        if read > limits.body:
            raise Broken("body-too-large", f"the body has more than {limits.body:,} octets")
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            count += 1
            if count > limits.items:
                raise Broken("too-many-lines", f"the body has more than {limits.items:,} lines")
            if monotonic() > end:
                raise slow
            yield line
        if len(rest) > longest:
            raise Broken("line-too-long", f"a line has more than {longest:,} octets")
    if rest:
        yield rest


def answer(line: bytes, number: int, limits: Limits) -> dict[str, Any] | None:
    """The answer to one line, counted from 1; None if it is blank.

    A line is a JSON string, or an object with ``text`` and, as in ``uriproof.check``, ``rule``,
    ``grammar``, ``query`` and ``scheme_rules``; ``advice: true`` adds advice, ``id``, any JSON, is
    sent back. Never raises on any line. Cost: O(n).

    >>> answer(b'"http://a b/"', 1, Limits())["violations"][0]["start"]
    8
    """
    if not line.strip():
        return None
    asked: dict[str, Any] = {}
    try:
        given = json.loads(line, parse_constant=_not_json, parse_float=_finite)
        asked = {"text": given} if isinstance(given, str) else _checked(given)
        named = (asked.get(key) for key in ("rule", "grammar", "query", "scheme_rules"))
        [report] = _rule(*named).check_many(
            [asked["text"]], max_length=limits.length, max_violations=limits.violations
        )
        made = report.to_dict(advice=asked.get("advice", False))
    except _Wrong as error:
        return _error(number, asked, "invalid-line", str(error))
    except (ValueError, RecursionError) as error:
        if not asked:
            return _error(number, asked, "invalid-json", "expected a line of JSON in UTF-8")
        return _error(number, asked, "invalid-line", str(error))
    except (LookupError, GrammarError, GrammarLimit) as error:
        return _error(number, asked, "unknown-name", str(error))
    return {"line": number, **({"id": asked["id"]} if "id" in asked else {}), **made}


def _not_json(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    """A number that can be sent back. Errors: ValueError, for 1e999, which no answer can hold."""
    number = float(text)
    return number if isfinite(number) else _not_json(text)


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
    home = Grammar.load(grammar or "rfc3986")
    return Rule(
        home.start if name is None else name, grammar=home, query=query, schemes=bool(schemes)
    )


def _error(number: int, asked: dict[str, Any], code: str, message: str) -> dict[str, Any]:
    own = {"id": asked["id"]} if "id" in asked else {}
    return {"line": number, **own, "error": {"code": code, "message": message[:1000]}}
