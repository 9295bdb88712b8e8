"""Requests of the page as tests ask them: each answer has been through JSON.

Owns how a request is asked, and how the words of an answer are read. Imports ``handle``.
"""

from __future__ import annotations

import json
from typing import Any

from uriproof.teach import handle


def answered(request: Any) -> dict[str, Any]:
    """The answer, as it comes through JSON of ASCII."""
    words = json.dumps(handle(request))
    assert words.isascii()
    made: dict[str, Any] = json.loads(words)
    return made


def ask(do: str, **fields: Any) -> dict[str, Any]:
    """The answer to a request that must have one."""
    made = answered({"do": do, **fields})
    assert made["do"] == do
    assert "error" not in made, made
    return made


def refused(do: str, **fields: Any) -> dict[str, Any]:
    """The error of a request that must have one."""
    made = answered({"do": do, **fields})
    assert made.keys() == {"do", "error"}
    error: dict[str, Any] = made["error"]
    return error


def judged(lesson: str, exercise: str, step: str, **more: Any) -> dict[str, Any]:
    """The answer to a step of a lesson: to a ``value``, or with ``show``."""
    return ask("answer", lesson=lesson, exercise=exercise, step=step, **more)


def exercises(lesson: str) -> list[dict[str, Any]]:
    """Those of a lesson as they are shown."""
    found: list[dict[str, Any]] = ask("lesson", lesson=lesson)["lesson"]["exercises"]
    return found


def plain(pieces: list[dict[str, Any]] | None) -> str:
    """The words of a text of a lesson."""
    return "".join(piece["text"] for piece in pieces or ())
