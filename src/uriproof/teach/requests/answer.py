"""``answer``: whether an answer to a step of a lesson is right, and why."""

from __future__ import annotations

from typing import Any

from ..fields import Fields, Refused
from ..lessons.claims import LONGEST_TEXT
from ..lessons.prose import Piece, blocks, pieces
from ..lessons.read import STEPS, Exercise, given


def answer(fields: Fields) -> dict[str, Any]:
    """The step of an exercise and a ``value``, or ``show``, in; right or wrong, and why, out."""
    from ..lessons.claims import BadClaim
    from ..lessons.shelf import asked, exercise_of

    lesson = asked(fields)
    exercise = exercise_of(lesson, fields)
    step = fields.choice("step", STEPS)
    if step not in exercise.steps():
        has = ", ".join(exercise.steps())
        raise Refused("invalid-request", f"{exercise.id} has no step {step}; it has {has}")
    show = fields.flag("show")
    value = fields.value("value")
    if isinstance(value, str):
        value = fields.text("value", most=LONGEST_TEXT)
    try:
        if step == "run":
            return _run(exercise, value)
        return _judged(exercise, step, value, show)
    except TypeError as error:
        raise Refused("invalid-request", str(error)) from None
    except (BadClaim, ValueError) as error:
        raise Refused("invalid-lesson", f"{exercise.id}, {step}: {error}", problems=[]) from None


def _judged(exercise: Exercise, step: str, value: object, show: bool) -> dict[str, Any]:
    from ..lessons.judge import judge, right_answer

    right, label = right_answer(exercise, step)
    found = judge(exercise, step, right if show else value)
    return {
        "right": found.right,
        "why": list(found.why),
        "message": found.message,
        "misconception": found.misconception,
        "counterexample": found.counterexample,
        "conditions": list(found.conditions),
        "answer": {"value": right, "label": label} if show or found.right else None,
    }


def _run(exercise: Exercise, value: object) -> dict[str, Any]:
    """What the engine says of the text, or of the one that was written."""
    from ..lessons.judge import read_as

    text = exercise.text
    if text is None and isinstance(value, str):
        text = read_as(exercise, value)
    texts = [one for one in (text, exercise.other) if isinstance(one, str)]
    return {
        "right": True,
        "why": blocks(given(exercise.run).note),
        "message": None,
        "misconception": None,
        "counterexample": None,
        "conditions": [],
        "answer": None,
        "reports": [_report(exercise, one) for one in texts],
        "results": _results(exercise, texts),
    }


def _report(exercise: Exercise, text: str) -> Any:
    from .check import answer as check

    asked: dict[str, Any] = {"text": text, "rule": exercise.rule, "grammar": exercise.grammar}
    if exercise.query:
        asked["query"] = exercise.query
    report = check(Fields(asked))["report"]
    # What looks like a password in a lesson is what the exercise is about.
    report["text"] = text
    for component in report["components"].values():
        component["text"] = text[component["start"] : component["end"]]
    return report


def _results(exercise: Exercise, texts: list[str]) -> list[dict[str, Any]]:
    from ...uri.components import split
    from ...uri.normalize import equivalent
    from ...uri.resolve import resolve

    found: list[dict[str, Any]] = []
    if exercise.base is not None and texts:
        words = pieces(f"Resolved against `{exercise.base}`:")
        found.append(_result("resolved", words, resolve(exercise.base, texts[0])))
    if exercise.other is not None and texts:
        words = pieces(f"`{texts[0]}` and `{exercise.other}`:")
        predict = exercise.predict
        level = predict.level if predict and predict.kind == "equivalent" else "scheme"
        same = equivalent(texts[0], exercise.other, level=level)
        found.append(_result("equivalent", words, str(same), bool(same)))
    if exercise.query == "key-value" and texts and not _report(exercise, texts[0])["violations"]:
        from ...percent.form import decode_query

        query = split(texts[0]).query or ""
        pairs = "\n".join(" = ".join(pair) for pair in decode_query(query))
        found.append(_result("pairs", pieces("Its pairs, decoded:"), pairs))
    if seen := exercise.observed:
        words = pieces(f"{seen.browser}, `new URL()`:")
        shown = (seen.href,) if seen.accepted else ("refused", False)
        found.append(_result("observed", words, *shown))
    return found


def _result(
    name: str, words: list[Piece], text: str, verdict: bool | None = None
) -> dict[str, Any]:
    """A result; with a ``verdict``, its ``text`` is the engine's sentence, else what was made."""
    return {"name": name, "words": words, "text": text, "verdict": verdict}
