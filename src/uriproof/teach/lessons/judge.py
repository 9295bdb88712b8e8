"""The answers of a lesson's steps: which are right, and why others are not.

Owns the judging of choices, texts and clicks of a reader. Imports the lesson, the claims and the
public functions. Invariant: the engine decides on the exercise's text at each request what is
right; an answer in the lesson's file is never used, only compared by ``check_lesson``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from posixpath import commonprefix
from typing import Any

from ...percent.decode import decode
from ...percent.encode import encode
from ...report import Report
from ...rule import Grammar
from ...text.drawing import named
from ...uri.normalize import equivalent, normalize
from ...uri.resolve import resolve
from ...validate.words.messages import told
from ..fields import read
from .claims import BadClaim, Context, alike, component, holds, rule_of
from .define import reference, written
from .light import lit
from .prose import Block, Piece, blocks, piece, pieces
from .read import Counterexample, Exercise, Option, Predict, given

CHOICES = {
    "verdict": {
        "valid": "Valid",
        "invalid": "Not valid: a character is not allowed",
        "missing": "Not valid: something is missing",
    },
    "equivalent": {
        "equivalent": "Equivalent",
        "different": "Not equivalent",
        "invalid": "One of the two is not valid",
    },
    "browser": {"accepts": "The browser accepts it", "refuses": "The browser refuses it"},
    "both": {
        "valid-accepts": "Valid, and the browser accepts it",
        "valid-refuses": "Valid, but the browser refuses it",
        "invalid-accepts": "Not valid, but the browser accepts it",
        "invalid-refuses": "Not valid, and the browser refuses it",
    },
}
"""The options of the kinds that have none of their own."""

LETTERS = "abcdefgh"
"""The values of a question's options."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The feedback on an answer; ``answer`` is only for the right one.

    ``written`` is for a production that a pupil wrote: its witnesses and its errors.
    """

    right: bool
    why: list[Block] = field(default_factory=list)
    message: list[Piece] | None = None
    misconception: list[Piece] | None = None
    counterexample: dict[str, Any] | None = None
    conditions: list[dict[str, Any]] = field(default_factory=list)
    written: dict[str, Any] | None = None


def decisive(exercise: Exercise) -> tuple[Grammar, str]:
    """The production that an exercise is about, and its grammar: the one that is written, or that
    is violated, or else the exercise's own rule. Errors: GrammarError, UnknownRule.
    """
    predict = exercise.predict
    if predict and predict.kind == "define":
        listed = predict.accepts or predict.refuses  # then the first answer is as good as any
        own = read(predict.examples[0]) if listed else reference(exercise, predict)
        return own, own.rule_name(predict.of)
    here = exercise.context()
    rule = here.rule
    for violation in here.report().violations if exercise.text else ():
        if violation.production in rule.grammar.rules:
            return rule.grammar, violation.production
    return rule.grammar, rule.name


def options_of(exercise: Exercise, step: str) -> Sequence[Option]:
    """The options that a lesson gives to the question of a step; none if it is another question."""
    if step == "explain":
        return given(exercise.explain).option
    predict = exercise.predict if step == "predict" else None
    return predict.option if predict and predict.kind == "choice" else ()


def right_answer(exercise: Exercise, step: str) -> tuple[Any, list[Piece]]:
    """The value that is right, and how it is shown. Errors: BadClaim; ValueError."""
    if options := options_of(exercise, step):
        number = next(i for i, option in enumerate(options) if option.right)
        return LETTERS[number], pieces(options[number].text)
    if step == "light":
        found = lit(exercise)
        return found.values[0], pieces(found.words)
    predict = given(exercise.predict)
    value = _worked_out(exercise, predict)
    if predict.kind in CHOICES:
        return value, pieces(CHOICES[predict.kind][value])
    if predict.kind == "position":
        first = exercise.context().report().violations[0]
        missing = [piece("something is missing before ")] if first.start == first.end else []
        return value, [*missing, *_pointed(exercise, value)]
    return value, [piece(value, code=True)]


def judge(exercise: Exercise, step: str, value: object) -> Verdict:
    """The feedback on an answer. Errors: BadClaim, ValueError; TypeError for a value of the wrong
    type.
    """
    if options := options_of(exercise, step):
        return _chosen(exercise, options, value)
    if step == "light":
        return _clicked(exercise, value)
    predict = given(exercise.predict)
    if predict.kind == "write":
        return _written(exercise, predict, value)
    if predict.kind == "define":
        return _defined(exercise, predict, value)
    right, _ = right_answer(exercise, step)
    if predict.kind == "position":
        offset = _number(value, len(exercise.text or ""))
        good = offset == right
        message = None if good else _not_there(exercise, offset)
        # Who blames a character that is allowed does not have the idea that overlooks one.
        return _judged(exercise, predict, good, message, named=offset > right)
    answer = _text(value)
    if predict.kind in CHOICES and answer not in CHOICES[predict.kind]:
        raise TypeError(f"value must be one of {', '.join(CHOICES[predict.kind])}")
    if predict.kind == "result":
        return _resulted(exercise, predict, answer, right)
    said = _NEARLY.get((predict.kind, answer, right))
    message = [piece(said)] if said else None
    return _judged(exercise, predict, answer == right, message, named=not said)


_NEARLY = {
    ("verdict", "invalid", "missing"): (
        "It is right that the text is not valid. But each of its characters is allowed where it "
        "is: something is missing."
    ),
    ("verdict", "missing", "invalid"): (
        "It is right that the text is not valid. But the first violation is a character that is "
        "not allowed there."
    ),
    ("equivalent", "invalid", "equivalent"): "Both of them are valid.",
    ("equivalent", "invalid", "different"): "Both of them are valid.",
}
"""What is said of a wrong answer that does not come from the idea that a lesson names."""


def _judged(
    exercise: Exercise, predict: Predict, right: bool, message: list[Piece] | None, *, named: bool
) -> Verdict:
    """The feedback on a prediction: for a wrong one, the idea that leads to it, if it is
    ``named``."""
    if right:
        return Verdict(right=True, why=_why(predict.why, True))
    idea = pieces(predict.misconception) if predict.misconception and named else None
    return Verdict(
        right=False,
        message=message,
        misconception=idea,
        counterexample=_refuted(exercise, predict.counterexample) if named else None,
    )


def _defined(exercise: Exercise, predict: Predict, value: object) -> Verdict:
    """A production that was written."""
    found = written(exercise, predict, _text(value))
    return Verdict(
        right=found.right,
        why=_why(predict.why, found.right),
        message=found.message() or None,
        misconception=pieces(found.misconception) if found.misconception else None,
        written=found.to_dict(),
    )


def _why(text: str, right: bool) -> list[Block]:
    """The reason, which gives the answer away, is for who has it."""
    return blocks(text) if right and text else []


def _chosen(exercise: Exercise, options: Sequence[Option], value: object) -> Verdict:
    known = dict(zip(LETTERS, options, strict=False))
    answer = _text(value)
    if answer not in known:
        raise TypeError(f"value must be one of {', '.join(known)}")
    option = known[answer]
    if option.right:
        return Verdict(right=True, why=_why(option.why, True))
    return Verdict(
        right=False,
        why=blocks(option.why),
        misconception=pieces(option.misconception or ""),
        counterexample=_refuted(exercise, option.counterexample),
    )


def _refuted(exercise: Exercise, example: Counterexample | None) -> dict[str, Any] | None:
    if example is None:
        return None
    rule = rule_of(example.grammar, example.rule, exercise.context().rule)
    return {
        "text": example.text,
        "rule": rule.name,
        "grammar": rule.grammar.name,
        "valid": rule.is_valid(example.text),
        "what": pieces(example.what),
    }


def _resulted(exercise: Exercise, predict: Predict, answer: str, right: str) -> Verdict:
    """A result that was written: judged by its meaning, unless its form is the result."""
    why = _why(predict.why, True)
    if answer == right:
        return Verdict(right=True, why=why)
    bare = answer if right.strip() != right else answer.strip()  # phones add a space
    if bare == right:
        message = [piece("The white space around it does not count.")]
        return Verdict(right=True, why=why, message=message)
    try:
        same = _alike(exercise, predict, bare, right)
    except ValueError:  # the reader's text is not a URI reference
        same = False
    if same:
        message = [piece(f"It is {same}: the engine writes "), piece(right, code=True), piece(".")]
        return Verdict(right=True, why=why, message=message)
    return Verdict(right=False, message=_first_difference(bare, right))


def _alike(exercise: Exercise, predict: Predict, answer: str, right: str) -> object:
    """By which normalization an answer is the right one; false if by none."""
    match predict.of:
        case "normalize" | "decode":
            return False  # the exact form is the result
        case "encode":  # which characters are encoded is the result
            return equivalent(answer, right, level="case")
        case "resolve" | "fixed":
            return equivalent(answer, right, level="percent-encoding")
        case part:
            same = alike(exercise.context(), part, answer)
            return "the same address" if same is True else same


def read_as(exercise: Exercise, text: str) -> str:
    """A text that was written, as it is judged.

    White space around it is left out if only that keeps it from meeting the conditions.
    """
    predict = exercise.predict
    if predict and text != text.strip() and not all(_met(exercise, predict, text)):
        bare = text.strip()
        if all(_met(exercise, predict, bare)):
            return bare
    return text


def _met(exercise: Exercise, predict: Predict, text: str) -> list[bool]:
    """Which of the conditions a text meets."""
    here = exercise.context(text)
    met: list[bool] = []
    for condition in predict.condition:
        try:
            met.append(holds(condition.claim, here))
        except BadClaim:  # for example, a text that is not a URI has no component
            met.append(False)
    return met


def _written(exercise: Exercise, predict: Predict, value: object) -> Verdict:
    text = read_as(exercise, _text(value))
    met = _met(exercise, predict, text)
    conditions = [
        {"words": pieces(condition.words), "met": good}
        for condition, good in zip(predict.condition, met, strict=True)
    ]
    right = all(met)
    message = None
    if not right:
        message = _read(exercise.context(text).report())
    elif text != value:
        message = [piece("The white space around it does not count.")]
    return Verdict(
        right=right, why=_why(predict.why, right), message=message, conditions=conditions
    )


def _read(report: Report) -> list[Piece]:
    """The description of a text that misses a condition; the first violation, if it is invalid."""
    if report.ok:
        return [piece("This is a valid "), piece(report.rule, code=True), piece(".")]
    shown = report.masked()
    why = told(shown.violations[:1])
    return [piece("This is not a valid "), piece(report.rule, code=True), piece(f". {why}")]


def _clicked(exercise: Exercise, value: object) -> Verdict:
    light = given(exercise.light)
    found = lit(exercise)
    clicked = _text(value).partition(":")[0]
    right = clicked in found.values
    message = None if right else pieces(found.hint(clicked))
    return Verdict(right=right, why=_why(light.why, right), message=message)


def _worked_out(exercise: Exercise, predict: Predict) -> Any:
    """The engine's result for a predict step."""
    here = exercise.context()
    text = here.text
    if predict.kind == "verdict":
        return _verdict(here)
    if predict.kind == "position":
        violations = here.report().violations
        if not violations:
            raise ValueError("the text is valid: no character of it is blamed")
        return violations[0].start
    if predict.kind == "equivalent":
        if not (here.report().ok and exercise.context(exercise.other).report().ok):
            return "invalid"
        same = holds({"equivalent": [text, exercise.other], "level": predict.level}, here)
        return "equivalent" if same else "different"
    if predict.kind in ("browser", "both"):
        browser = "accepts" if given(exercise.observed).accepted else "refuses"
        verdict = "valid" if here.report().ok else "invalid"
        return browser if predict.kind == "browser" else f"{verdict}-{browser}"
    if predict.kind in ("write", "define"):
        return predict.examples[0]
    return _result(exercise, predict, here)


def _verdict(here: Context) -> str:
    """Valid; or by the first violation: a character that is not allowed, or nothing where something
    should be."""
    for first in here.report().violations:
        return "invalid" if first.start < first.end else "missing"
    return "valid"


def _result(exercise: Exercise, predict: Predict, here: Context) -> str:
    match predict.of:
        case "resolve":
            return resolve(exercise.base or "", here.text)
        case "normalize":
            return normalize(here.text, predict.level)
        case "decode":
            return decode(here.text)
        case "encode":
            return encode(here.text)
        case "fixed":
            found = here.report().fixed
        case part:
            found = component(here, part)
    if found is None:
        raise ValueError(f"the text has no {predict.of}")
    return found


def _pointed(exercise: Exercise, offset: int) -> list[Piece]:
    """A character, as it looks and by its name, with its offset; or the end."""
    text = exercise.text or ""
    if offset >= len(text):
        return [piece(f"the end of the text (offset {offset})")]
    char = text[offset]
    seen = _seen(char)
    more = f" ({named(char)})" if seen["code"] else ""
    return [seen, piece(f" at offset {offset}{more}")]


def _not_there(exercise: Exercise, offset: int) -> list[Piece]:
    """The engine's result for a character that is not the first blamed one."""
    here = exercise.context()
    where = _pointed(exercise, offset)
    blamed = [v for v in here.report().violations if v.start <= offset < max(v.end, v.start + 1)]
    derived = here.derivation()
    if blamed:
        return [piece("There is a violation at "), *where, piece(", but it is not the first.")]
    if offset < derived.viable:
        path = derived.path(derived.leaves()[offset])[:-1]
        read = [piece(" is allowed: "), piece(" > ".join(path), code=True), piece(" reads it.")]
        return [piece("The character "), *where, *read]
    return [piece("The first violation is before "), *where, piece(".")]


def _first_difference(answer: str, right: str) -> list[Piece]:
    """How far a text that was written is right."""
    same = len(commonprefix((answer, right)))
    if not answer:
        return [piece("Nothing is written.")]
    if not same:
        return [piece("It does not begin with "), _seen(answer[0]), piece(".")]
    begins = [piece("It is right that it begins with "), piece(right[:same], code=True)]
    if same == len(answer):
        return [*begins, piece(", but something is missing at the end.")]
    if same < len(right):
        return [*begins, piece(", but it continues differently.")]
    return [*begins, piece(", but "), _seen(answer[same:]), piece(" does not belong to it.")]


def _seen(text: str) -> Piece:
    """A text, or the name of its first character if nothing of it could be seen."""
    return piece(text, code=True) if text.isprintable() and text.strip() else piece(named(text[0]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("value must be a string")
    return value


def _number(value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise TypeError(f"value must be an offset from 0 to {most}")
    return value
