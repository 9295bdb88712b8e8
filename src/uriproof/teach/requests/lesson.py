"""``lesson``: a lesson as data to show, without its answers."""

from __future__ import annotations

from typing import Any

from ..fields import Fields, Refused
from ..lessons.prose import blocks, pieces
from ..lessons.read import LONGEST, Exercise, Lesson, Light, Option, Predict, given

QUESTIONS = {
    "verdict": "Is this text valid?",
    "position": "Which character is the first that the grammar does not allow?",
    "equivalent": "Are these two equivalent?",
    "browser": "What does the browser do?",
    "both": "What does the RFC say, and what does the browser do?",
    "result": "What is the result?",
    "write": "Write a text that meets the conditions.",
    "choice": "Which of these holds?",
}
"""Questions for steps that have none of their own."""


def answer(fields: Fields) -> dict[str, Any]:
    """``lesson``, or ``source`` with the text of a file, in; the lesson out.

    A ``source`` is checked against the engine, too: a lesson that contradicts it is refused.
    """
    from ..lessons import check_lesson
    from ..lessons.shelf import asked

    if fields.value("source") is not None:
        problems = check_lesson(fields.text("source", most=LONGEST))
        if problems:
            found = [problem._asdict() for problem in problems]
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            raise Refused("invalid-lesson", f"{problems[0]}{more}", problems=found)
    return {"lesson": _lesson(asked(fields))}


def _lesson(lesson: Lesson) -> dict[str, Any]:
    return {
        "id": lesson.id,
        "number": lesson.number,
        "title": lesson.title,
        "section": lesson.section,
        "concept": lesson.concept,
        "minutes": lesson.minutes,
        "introduction": blocks(lesson.introduction),
        "summary": blocks(lesson.summary),
        "productions": [_production(name) for name in lesson.productions],
        **_neighbours(lesson),
        "exercises": [_exercise(i, exercise) for i, exercise in enumerate(lesson.exercise, 1)],
    }


def _neighbours(lesson: Lesson) -> dict[str, Any]:
    from ..lessons.shelf import bundled

    known = bundled()
    order = list(known)
    inside = known.get(lesson.id) is lesson
    at = order.index(lesson.id) if inside else 0
    following = lesson.next or (order[at + 1] if inside and at + 1 < len(order) else None)
    before = order[at - 1] if inside and at else None
    return {
        "next": _link(known.get(following or "")),
        "previous": _link(known.get(before or "")),
    }


def _link(lesson: Lesson | None) -> dict[str, str] | None:
    return {"id": lesson.id, "title": lesson.title} if lesson else None


def _production(name: str, grammar: str = "rfc3986") -> dict[str, Any]:
    from ...rule import Grammar

    own, colon, rule_name = name.rpartition(":")
    grammar = own if colon else grammar
    loaded = Grammar.load(grammar)
    rule = loaded.compiled.rule(loaded.rule_name(rule_name))
    return {
        "name": rule.name,
        "abnf": rule.text,
        "section": rule.section,
        "gloss": rule.gloss,
        "grammar": grammar,
    }


def _exercise(number: int, exercise: Exercise) -> dict[str, Any]:
    return {
        "id": exercise.id,
        "number": number,
        "title": exercise.title,
        "level": exercise.level,
        "task": blocks(exercise.task),
        "text": exercise.text,
        "rule": exercise.rule,
        "grammar": exercise.grammar,
        "other": exercise.other,
        "base": exercise.base,
        "query": exercise.query,
        "steps": [{"step": step, **_step(exercise, step)} for step in exercise.steps()],
    }


def _step(exercise: Exercise, step: str) -> dict[str, Any]:
    if step == "predict":
        return _predict(exercise, given(exercise.predict))
    if step == "light":
        return _light(exercise, given(exercise.light))
    if step == "explain":
        explain = given(exercise.explain)
        question = pieces(explain.question)
        return {
            "kind": "choice",
            "question": question,
            "options": _options(explain.option),
        }
    return {}


def _predict(exercise: Exercise, predict: Predict) -> dict[str, Any]:
    from ..lessons.judge import CHOICES

    made: dict[str, Any] = {
        "kind": predict.kind,
        "question": pieces(predict.question or QUESTIONS[predict.kind]),
    }
    if predict.kind in CHOICES:
        made["options"] = [
            {"value": value, "label": pieces(words)}
            for value, words in CHOICES[predict.kind].items()
        ]
    elif predict.kind == "choice":
        made["options"] = _options(predict.option)
    elif predict.kind == "position":
        made |= {"text": exercise.text, "end": len(exercise.text or "")}
    elif predict.kind == "write":
        made["start"] = predict.start
        made["conditions"] = [pieces(condition.words) for condition in predict.condition]
    return made


def _options(options: tuple[Option, ...]) -> list[dict[str, Any]]:
    from ..lessons.judge import letter

    return [{"value": letter(i), "label": pieces(o.text)} for i, o in enumerate(options)]


def _light(exercise: Exercise, light: Light) -> dict[str, Any]:
    from ..lessons.light import boxes, choices, lit

    found = lit(exercise)
    return {
        "kind": "diagram" if light.diagram else "production",
        "question": pieces(light.question),
        "at": found.at,
        "character": found.character,
        "diagram": light.diagram,
        "grammar": exercise.grammar,
        "boxes": [{"value": box, "label": words} for box, words in boxes(exercise).items()],
        "among": [_production(name, exercise.grammar) for name in choices(exercise)],
    }
