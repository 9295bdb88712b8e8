"""The requests for a class: ``lessons``, ``lesson``, ``answer``, ``review``, ``worksheet``.

Owns these answers, and how a lesson is shown. Imports the lessons and worksheets. Invariant:
JSON-ready; no lesson is shown with its answers.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from random import Random
from typing import Any

from ...limits import (
    GREATEST_SEED,
    LONGEST_FIELD_GRAMMAR,
    LONGEST_LESSON,
    LONGEST_LESSON_TEXT,
    LONGEST_SHEET_ANSWER,
    MOST_QUESTIONS,
)
from ...percent.form import decode_query
from ...rule import GENERIC
from ...uri.components import split
from ...uri.normalize import equivalent
from ...uri.resolve import resolve
from ..fields import Fields, Refused
from ..lessons import check_lesson, shelf
from ..lessons.claims import BadClaim
from ..lessons.define import definition, production
from ..lessons.judge import (
    CHOICES,
    LETTERS,
    Verdict,
    decisive,
    judge,
    options_of,
    read_as,
    right_answer,
)
from ..lessons.legend import EVERY, legend
from ..lessons.light import lit
from ..lessons.prose import Piece, blocks, piece, pieces
from ..lessons.read import STEPS, Exercise, Lesson, Light, Predict, given
from ..worksheet import COUNT
from ..worksheet import worksheet as new_sheet
from ..worksheet.lesson import lesson_pages, on_paper
from ..worksheet.page import pages
from ..worksheet.questions import Question, questions
from .grammars import railroad
from .texts import check


def lessons(_: Fields) -> dict[str, Any]:
    """Nothing in; the id, number, title, section, concept, minutes and size of each lesson out."""
    return {
        "lessons": [
            {**_head(one), "exercises": len(one.exercise)} for one in shelf.bundled().values()
        ]
    }


def _head(lesson: Lesson) -> dict[str, Any]:
    names = ("id", "number", "title", "section", "concept", "minutes")
    bare = re.fullmatch(r"[0-9., ]+", lesson.section)  # a lesson names any other document itself
    cited = f"RFC 3986 \u00a7{lesson.section}" if bare else lesson.section
    return {**{name: getattr(lesson, name) for name in names}, "cited": cited}


QUESTIONS = {
    "verdict": "Is this text valid?",
    "position": "Which character is the first that the grammar does not allow?",
    "equivalent": "Are these two equivalent?",
    "browser": "What does the browser do?",
    "both": "What does the RFC say, and what does the browser do?",
    "result": "What is the result?",
    "write": "Write a text that meets the conditions.",
    "define": "Write the production.",
    "choice": "Which of these holds?",
}
"""Questions for steps that have none of their own."""


def lesson(fields: Fields) -> dict[str, Any]:
    """``lesson``, or ``source`` with the text of a file, in; the lesson out.

    ``seed`` shuffles the options of its questions: the same for the same, on a page and on paper.
    A ``source`` is also checked against the engine: a lesson that contradicts it is refused.
    """
    if fields.value("source") is not None:
        problems = check_lesson(fields.text("source", most=LONGEST_LESSON), complete=False)
        if problems:
            raise shelf.refused(problems)
    seed = fields.number("seed", 0, most=GREATEST_SEED)
    return {"lesson": _lesson(shelf.asked(fields), seed)}


def _lesson(lesson: Lesson, seed: int) -> dict[str, Any]:
    shown = [_exercise(i, exercise, seed) for i, exercise in enumerate(lesson.exercise, 1)]
    productions = [_production(name, abnf=lesson.abnf) for name in lesson.productions]
    writes = any(one.predict and one.predict.kind == "define" for one in lesson.exercise)
    signs = [EVERY] if writes else [one["abnf"] for one in productions]
    return {
        **_head(lesson),
        "introduction": blocks(lesson.introduction),
        "summary": blocks(lesson.summary),
        "productions": productions,
        "legend": legend(signs),
        **_neighbors(lesson),
        "exercises": shown,
    }


def _neighbors(lesson: Lesson) -> dict[str, Any]:
    known = shelf.bundled()
    order = [None, *known, None]
    at = order.index(lesson.id) if known.get(lesson.id) is lesson else 0
    before, following = (order[at - 1], order[at + 1]) if at else (None, None)
    named = {"next": known.get(lesson.next or following or ""), "previous": known.get(before or "")}
    return {
        side: {"id": one.id, "title": one.title} if one else None for side, one in named.items()
    }


def _production(named: str, grammar: str = GENERIC, abnf: str = "") -> dict[str, Any]:
    loaded, name = production(named, grammar, abnf)
    rule = loaded.compiled.rule(name)
    return {
        "name": rule.name,
        "abnf": rule.text,
        "section": rule.section,
        "gloss": rule.gloss,
        "grammar": loaded.name,
    }


def _exercise(number: int, exercise: Exercise, seed: int) -> dict[str, Any]:
    names = ("id", "title", "level", "text", "rule", "grammar", "other", "base", "query")
    return {
        **{name: getattr(exercise, name) for name in names},
        "number": number,
        "task": blocks(exercise.task),
        "steps": [{"step": step, **_step(exercise, step, seed)} for step in exercise.steps()],
    }


def _step(exercise: Exercise, step: str, seed: int) -> dict[str, Any]:
    if step == "run":
        return {}
    if step == "light":
        return _light(exercise, given(exercise.light))
    if not (options := options_of(exercise, step)):
        return _predict(exercise, given(exercise.predict))
    asked = exercise.explain if step == "explain" else exercise.predict
    question = asked.question if asked else ""
    shown = [
        {"value": letter, "label": pieces(option.text)}
        for letter, option in zip(LETTERS, options, strict=False)
    ]
    # Of the names, so that options differ from exercise to exercise with one seed.
    Random(f"{seed}:{exercise.id}:{step}").shuffle(shown)  # noqa: S311 -- an order
    words = pieces(question or QUESTIONS["choice"])
    return {"kind": "choice", "question": words, "options": shown}


def _predict(exercise: Exercise, predict: Predict) -> dict[str, Any]:
    made: dict[str, Any] = {
        "kind": predict.kind,
        "question": pieces(predict.question or QUESTIONS[predict.kind]),
    }
    if predict.kind in CHOICES:
        made["options"] = [
            {"value": value, "label": pieces(words)}
            for value, words in CHOICES[predict.kind].items()
        ]
    elif predict.kind == "position":
        made |= {"text": exercise.text, "end": len(exercise.text or "")}
    elif predict.kind == "write":
        made["start"] = predict.start
        made["conditions"] = [pieces(condition.words) for condition in predict.condition]
    elif predict.kind == "define":
        made |= definition(exercise, predict)
    return made


def _light(exercise: Exercise, light: Light) -> dict[str, Any]:
    found = lit(exercise)
    return {
        "kind": "diagram" if light.diagram else "production",
        "question": pieces(light.question),
        "at": found.at,
        "character": found.character,
        "diagram": light.diagram,
        "grammar": exercise.grammar,
        "boxes": [{"value": box, "label": words} for box, words in found.boxes.items()],
        "among": [_production(name, exercise.grammar) for name in light.among],
    }


def answer(fields: Fields) -> dict[str, Any]:
    """The step of an exercise and a ``value``, or ``show``, in; right or wrong, and why, out."""
    lesson = shelf.asked(fields)
    exercise = shelf.exercise_of(lesson, fields)
    step = fields.choice("step", STEPS)
    if step not in exercise.steps():
        has = ", ".join(exercise.steps())
        raise Refused("invalid-request", f"{exercise.id} has no step {step}; it has {has}")
    show = fields.flag("show")
    value = fields.value("value")
    if isinstance(value, str):
        defined = exercise.predict is not None and exercise.predict.kind == "define"
        most = LONGEST_FIELD_GRAMMAR if defined else LONGEST_LESSON_TEXT
        value = fields.text("value", most=most)
    try:
        if step == "run":
            return _run(exercise, value)
        return _judged(exercise, step, value, show)
    except TypeError as error:
        raise Refused("invalid-request", str(error)) from None
    except (BadClaim, ValueError) as error:
        raise Refused("invalid-lesson", f"{exercise.id}, {step}: {error}", problems=[]) from None


def _judged(exercise: Exercise, step: str, value: object, show: bool) -> dict[str, Any]:
    right, label = right_answer(exercise, step)
    found = judge(exercise, step, right if show else value)
    known = {"value": right, "label": label} if show or found.right else None
    return {**asdict(found), "answer": known}


def _run(exercise: Exercise, value: object) -> dict[str, Any]:
    """The engine's result for the text, or for the reader's."""
    text = exercise.text
    if text is None and isinstance(value, str):
        text = read_as(exercise, value)
    texts = [one for one in (text, exercise.other) if isinstance(one, str)]
    return {
        **asdict(Verdict(right=True, why=blocks(given(exercise.run).note))),
        "answer": None,
        "reports": [_report(exercise, one) for one in texts],
        "results": _results(exercise, texts),
    }


def _report(exercise: Exercise, text: str) -> Any:
    asked: dict[str, Any] = {"text": text, "rule": exercise.rule, "grammar": exercise.grammar}
    if exercise.query:
        asked["query"] = exercise.query
    report = check(Fields(asked))["report"]
    # A password in a lesson is the subject of the exercise.
    report["text"] = text
    for component in report["components"].values():
        component["text"] = text[component["start"] : component["end"]]
    return report


def _results(exercise: Exercise, texts: list[str]) -> list[dict[str, Any]]:
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
    if exercise.query == "key-value" and texts and exercise.context(texts[0]).report().ok:
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
    """A result; with a ``verdict``, its ``text`` is the engine's sentence, else the result text."""
    return {"name": name, "words": words, "text": text, "verdict": verdict}


def review(fields: Fields) -> dict[str, Any]:
    """An exercise and a ``seed`` in; one of one step, with another text of its production, out.

    With a ``value``, or ``show``, the result of that step as of ``answer``. Cost: a second or two.
    """
    grammar, rule = decisive(shelf.exercise_of(shelf.asked(fields), fields))
    seed = fields.number("seed", 0, most=GREATEST_SEED)
    found: list[Question] = []
    for name in dict.fromkeys((rule, grammar.start)):  # a rule of the empty text alone has none
        drawn = questions(grammar, [name], _DRAWN, seed, explain=False)
        found = found or [one for one in drawn if one.kind in _REVIEWED]
    if not found:
        raise Refused("invalid-request", f"{rule} has no short texts to ask about")
    question = found[seed % len(found)]
    show = fields.flag("show")
    if not show and fields.value("value") is None:
        return {"exercise": _asked_again(question, grammar.name)}
    key = question.key.partition(" ")[0]
    value = key if show else fields.text("value", most=LONGEST_SHEET_ANSWER)
    why = [piece(question.why)]
    verdict = Verdict(right=value in (key, *question.right), message=why)
    return {**asdict(verdict), "answer": {"value": key, "label": why} if verdict.right else None}


def _asked_again(question: Question, grammar: str) -> dict[str, Any]:
    step = {
        "step": "predict",
        "kind": "choice",
        "question": [piece(_REVIEWED[question.kind].format(rule=question.rule))],
        "options": [
            {"value": one, "label": [piece(one, code=question.kind != "verdict")]}
            for one in question.options
        ],
    }
    task = []
    if question.start is not None:
        marked = piece(question.text[question.start : question.end], code=True)
        about = [piece("It is about "), marked, piece(f" at {question.start}.")]
        task.append({"kind": "paragraph", "pieces": about})
    shown = {"title": [piece("Another text")], "text": question.text, "task": task}
    return {**shown, "rule": question.rule, "grammar": grammar, "steps": [step]}


_DRAWN = 8
"""Questions that one of a review is chosen from: some of each kind."""

_REVIEWED = {
    "verdict": "Is this a valid {rule}?",
    "production": "Which production of {rule} derives the marked characters?",
}


def worksheet(fields: Fields) -> dict[str, Any]:
    """``rules``, ``count``, ``seed`` and ``explain`` in; the sheet out, the same for the same.

    ``rules`` is a list of names; without any, the grammar's start rule is asked about. With
    ``lesson`` or ``source``, only ``seed``, and the sheet is that of a lesson: a title and pages.
    """
    if fields.value("lesson") is not None or fields.value("source") is not None:
        return _on_paper(fields)
    grammar = fields.grammar()
    rules = fields.value("rules") or []
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise Refused("invalid-request", "rules must be a list of names")
    count = fields.number("count", COUNT, least=1, most=MOST_QUESTIONS)
    seed = fields.number("seed", 1, most=GREATEST_SEED)
    explain = fields.flag("explain")
    try:
        sheet = new_sheet(grammar, rules, count=count, seed=seed, explain=explain)
    except ValueError as error:
        raise Refused("invalid-request", str(error)) from error
    return {**sheet.to_dict(), "pages": pages(sheet)}


def _on_paper(fields: Fields) -> dict[str, Any]:
    shown = lesson(fields)["lesson"]
    which = {name: fields.value(name) for name in ("lesson", "source")}
    answers: dict[tuple[str, str], dict[str, Any]] = {}
    drawings: dict[tuple[str, str], Any] = {}
    for exercise in shown["exercises"]:
        for step in on_paper(exercise):
            asked = {**which, "exercise": exercise["id"], "step": step["step"], "show": True}
            answers[exercise["id"], step["step"]] = answer(Fields(asked))
            if rule := step.get("diagram"):
                drawn = railroad(Fields({"rule": rule, "grammar": step["grammar"]}))
                drawings[rule, step["grammar"]] = drawn["drawing"]
    title = shown["title"]
    if which["source"] is None:
        title = f"Lesson {shown['number']}: {title}"
    return {"title": title, "pages": lesson_pages(title, shown, answers, drawings)}
