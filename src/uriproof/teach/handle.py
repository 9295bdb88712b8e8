"""Requests of the page and of notebooks: a dictionary in, a dictionary out.

Owns the list of requests, and the form of an error. Imports a request's file on demand. Invariant:
the answer depends only on the request, is JSON-ready, and is given for any JSON value; nothing is
raised.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..grammar.errors import GrammarError, GrammarLimit, UnknownGrammar, UnknownRule
from ..grammar.work import TooMuchWork, at_most
from ..limits import LARGEST_ANSWER, MOST_ANSWER_STEPS, MOST_FAULTS
from ..text.names import did_you_mean
from .fields import Fields, Refused, fault_record

_FILES = {
    "texts": ("check", "explain", "steps", "tree"),
    "grammars": ("compare", "grammar", "grammars", "railroad", "rules", "sample"),
    "classroom": ("answer", "lesson", "lessons", "review", "worksheet"),
}

REQUESTS = {name: file for file, names in _FILES.items() for name in names}
"""The file of each request."""


def handle(request: object) -> dict[str, Any]:
    """Answer one request; ``do`` is its name, the other keys are its fields.

    The answer has ``do``, and the keys that ``docs/teach/requests.md`` lists for that request; or
    ``error``, with ``code`` and ``message``. Cost: that of the request; texts and grammars are
    bounded.

    >>> handle({"do": "rules", "grammar": "key-value"})["start"]
    'query'
    >>> handle({"do": "railroads"})["error"]["message"]
    "no request 'railroads'; did you mean railroad?"
    """
    name = None
    try:
        fields = Fields(request)
        name = fields.name("do")
        with at_most(MOST_ANSWER_STEPS):
            made = {"do": name, **_answer(name, fields)}
        if _fits(made):
            return made
        words = (
            f"the answer would have more than {LARGEST_ANSWER:,} characters: give a shorter text"
        )
        return _error(name, "too-large", words, most=LARGEST_ANSWER)
    except Refused as error:
        return _error(name, error.code, str(error), **error.more)
    except UnknownRule as error:
        return _error(name, "unknown-rule", str(error))
    except UnknownGrammar as error:
        return _error(name, "unknown-grammar", str(error))
    except GrammarError as error:
        faults = [fault_record(fault) for fault in error.faults[:MOST_FAULTS]]
        more = len(error.faults) - len(faults)
        return _error(name, "invalid-grammar", str(error), faults=faults, more=more)
    except GrammarLimit as error:
        return _error(name, "too-large", str(error))
    except TooMuchWork:
        words = "this takes too long to be worked out: give a shorter text or a smaller grammar"
        return _error(name, "too-large", words, most=MOST_ANSWER_STEPS)
    except RecursionError:
        return _error(name, "too-large", "this is nested too deeply to be worked out")


def _answer(name: str, fields: Fields) -> dict[str, Any]:
    file = REQUESTS.get(name)
    if file is None:
        words = did_you_mean(name, REQUESTS) or f"; the requests are {', '.join(sorted(REQUESTS))}"
        raise Refused("unknown-request", f"no request {name!r}{words}")
    module = import_module(f".requests.{file}", __package__)
    made: dict[str, Any] = getattr(module, name)(fields)
    return made


def _fits(answer: dict[str, Any]) -> bool:
    """Whether an answer is not too large to be sent. Cost: O(its size), up to the bound."""
    from json import dumps

    left = LARGEST_ANSWER
    waiting: list[Any] = [answer]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
            left -= sum(map(len, one)) + 4 * len(one)  # quotation marks, colons and commas
        elif isinstance(one, list | tuple):
            waiting += one
        elif isinstance(one, str):
            left -= len(one) if one.isascii() else len(dumps(one))
        left -= 4
        if left < 0:
            return False
    return True


def _error(name: str | None, code: str, message: str, **more: Any) -> dict[str, Any]:
    return {"do": name, "error": {"code": code, "message": message, **more}}
