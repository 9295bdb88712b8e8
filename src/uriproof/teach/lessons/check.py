"""Whether a lesson agrees with the engine: every answer, claim and counterexample is tried.

Owns that check. Imports the reader of lessons, its claims and its judge. Invariant: a lesson
without problems has a right answer to every step, and every statement in it that the engine can
decide is as the lesson says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from ...rule import Grammar
from ...text.tables import Key, Problem, Reader
from ...uri.normalize import equivalent
from ...uri.resolve import resolve
from .claims import BadClaim, Claim, Context, holds, refutes, rule_of
from .define import production, written
from .judge import judge, options_of, right_answer
from .read import (
    BadLesson,
    Counterexample,
    Exercise,
    Lesson,
    Option,
    Predict,
    read_lesson,
)

_Found = tuple[Key, str]

_WHY = "why is missing: the reader who is right wants to know the reason, too"
_SAME = "this is the text of the exercise: show the reader another one"
_INCOMPLETE = (_WHY, _SAME)


def check_lesson(text: str, *, complete: bool = True) -> list[Problem]:
    """All that is wrong with a lesson's file, in its form and against the engine; none if good.

    With ``complete``, also what would leave a reader without a reason: a right answer without its
    ``why``, a counterexample that is the exercise's own text. Errors: none. Cost: that of every
    check and comparison in it.

    >>> str(check_lesson("id = 1")[0])
    'line 1: id: expected a string, not 1'
    """
    reader = Reader(text)
    try:
        found = _all(read_lesson(text))
    except BadLesson as error:
        # The readable exercises are also checked, so that all problems are reported at once.
        found = (
            one for key, exercise in error.exercises.items() for one in _exercise(exercise, key)
        )
        reader.problems += error.problems
    for key, words in found:
        if complete or words not in _INCOMPLETE:
            reader.problem(key, words)
    return sorted(reader.problems, key=attrgetter("line"))  # on one line in the order of reading


def _all(lesson: Lesson) -> Iterator[_Found]:
    for i, name in enumerate(lesson.productions):
        try:
            production(name, abnf=lesson.abnf)
        except (LookupError, ValueError) as error:
            yield ("productions", i), str(error)
    for i, exercise in enumerate(lesson.exercise):
        yield from _exercise(exercise, ("exercise", i))


def _exercise(exercise: Exercise, key: Key) -> Iterator[_Found]:
    try:
        Grammar.load(exercise.grammar).rule_name(exercise.rule)
        if exercise.text is not None:
            exercise.context().report()
    except (LookupError, ValueError) as error:
        yield key, str(error)
        return
    for step in exercise.steps():
        if step == "run":
            yield from _run(exercise, (*key, step))
            continue
        try:
            right, _ = right_answer(exercise, step)
            if not judge(exercise, step, right).right:
                yield (*key, step), f"the answer {right!r} does not meet the conditions"
        except (ValueError, LookupError) as error:
            yield (*key, step), str(error)
            continue
        if step == "predict" and exercise.predict:
            yield from _predict(exercise, exercise.predict, right, (*key, step))
        yield from _options(exercise, options_of(exercise, step), (*key, step, "option"))


def _run(exercise: Exercise, key: Key) -> Iterator[_Found]:
    try:
        if exercise.base is not None:
            resolve(exercise.base, exercise.text or "")
        if exercise.other is not None:
            equivalent(exercise.text or "", exercise.other)
    except ValueError as error:
        yield key, str(error)


def _predict(exercise: Exercise, predict: Predict, right: object, key: Key) -> Iterator[_Found]:
    if predict.answer is not None and predict.answer != right:
        yield (*key, "answer"), f"the lesson says {predict.answer!r}; the engine finds {right!r}"
    if predict.counterexample is not None:
        where = (*key, "counterexample")
        yield from _counterexample(exercise, None, predict.counterexample, where)
    if predict.kind == "define":
        yield from _define(exercise, predict, key)
    if not predict.why and predict.kind != "choice":
        yield (*key, "why"), _WHY
    for i, example in enumerate(predict.examples):
        found = judge(exercise, "predict", example)
        for condition, met in zip(predict.condition, found.conditions, strict=True):
            if not met["met"]:
                yield (*key, "examples", i), f"{example!r} does not meet: {condition.words}"
    for i, condition in enumerate(predict.condition):
        try:
            holds(condition.claim, exercise.context(predict.examples[0]))
        except BadClaim as error:
            yield (*key, "condition", i, "claim"), str(error)


def _define(exercise: Exercise, predict: Predict, key: Key) -> Iterator[_Found]:
    """Whether the examples are right, and the mistakes are not, but can be read."""
    for i, example in enumerate(predict.examples):
        if not judge(exercise, "predict", example).right:
            yield (*key, "examples", i), "this does not define the rule that is asked for"
    for i, mistake in enumerate(predict.mistake):
        found = written(exercise, predict, mistake.abnf)
        if found.right:
            yield (*key, "mistake", i, "abnf"), "this is right: it accepts the same texts"
        for error in found.graded.errors:
            yield (*key, "mistake", i, "abnf"), error.message


def _options(exercise: Exercise, options: Sequence[Option], key: Key) -> Iterator[_Found]:
    here = exercise.context()
    for i, option in enumerate(options):
        place: Key = (*key, i)
        if option.right and not option.why:
            yield (*place, "why"), _WHY
        if option.claim is not None:
            yield from _claim(option.claim, here, option.right, (*place, "claim"))
        if option.counterexample is not None:
            example = option.counterexample
            yield from _counterexample(exercise, option, example, (*place, "counterexample"))


def _claim(claim: Claim, here: Context, expected: bool, key: Key) -> Iterator[_Found]:
    try:
        found = holds(claim, here)
    except BadClaim as error:
        yield key, str(error)
        return
    if found and not expected:
        yield key, "this claim holds, though the option is a wrong one"
    if not found and expected:
        yield key, "this claim does not hold, though the option is the right one"


def _counterexample(
    exercise: Exercise, option: Option | None, example: Counterexample, key: Key
) -> Iterator[_Found]:
    if example.text == exercise.text:
        yield key, _SAME
    claim = option.claim if option else None
    try:
        rule = rule_of(example.grammar, example.rule, exercise.context().rule)
        if rule.is_valid(example.text) != example.valid:
            found = "valid" if not example.valid else "invalid"
            where = f"{rule.name} of {rule.grammar.name}"
            yield key, f"the engine finds {example.text!r} {found} as {where}"
        if claim is not None and refutes(example.text, claim, exercise.grammar) is False:
            yield key, f"{example.text!r} does not refute the claim of the option"
    except (LookupError, ValueError) as error:
        yield key, str(error)
        return
    if example.shows is not None:
        try:
            if not holds(example.shows, Context(example.text, rule)):
                yield (*key, "shows"), "this does not hold of the counterexample"
        except BadClaim as error:
            yield (*key, "shows"), str(error)
