"""The reading of a lesson: one TOML file, with all errors in its form.

Owns the form of a lesson. Imports the claims' keys and the reader of tables. Invariant: a text with
any content gives a lesson, or problems with a line, a key and a remedy; nothing else is raised.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

from ...errors import UriproofError
from ...limits import (
    LONGEST_FIELD_GRAMMAR,
    LONGEST_LESSON,
    LONGEST_LESSON_TEXT,
    MOST_EXERCISES,
)
from ...rule import Rule
from ...text.columns import cut
from ...text.names import did_you_mean, or_list
from ...text.tables import BadTOML, Key, Problem, Reader, parse
from .claims import BadClaim, Claim, Context, kind_of

PREDICT = (
    *("verdict", "position", "equivalent", "browser", "both"),
    *("result", "choice", "write", "define"),
)
RESULTS = ("resolve", "normalize", "decode", "encode", "fixed")
PARTS = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")
STEPS = ("predict", "run", "light", "explain")
_FEWEST, _MOST_OPTIONS = 2, 8

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,59}")
_TEXTS = (("text",), ("other",), ("base",))
_GRAMMARS = ("abnf", "start", "examples")
"""The keys whose texts can be whole grammars."""
_CLAIMS = ("claim", "shows")
"""The keys whose values are claims."""

_Step = TypeVar("_Step")


class BadLesson(UriproofError, ValueError):
    """A text that is not a valid lesson; ``problems`` has all errors in its form.

    ``exercises`` are those without a problem, by their keys.
    """

    def __init__(
        self, problems: list[Problem], exercises: Mapping[Key, Exercise] = MappingProxyType({})
    ) -> None:
        super().__init__(str(problems[0]))
        self.problems = problems
        self.exercises = exercises


@dataclass(frozen=True, kw_only=True)
class Counterexample:
    text: str
    what: str
    valid: bool
    rule: str | None = None
    grammar: str | None = None
    shows: Claim | None = None


@dataclass(frozen=True, kw_only=True)
class Option:
    text: str
    right: bool = False
    why: str = ""
    claim: Claim | None = None
    misconception: str | None = None
    counterexample: Counterexample | None = None


@dataclass(frozen=True, kw_only=True)
class Condition:
    words: str
    claim: Claim


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """A definition that pupils write by mistake, and the idea behind it."""

    abnf: str
    misconception: str


@dataclass(frozen=True, kw_only=True)
class Predict:
    kind: str
    question: str = ""
    answer: str | int | None = None
    why: str = ""
    misconception: str = ""
    counterexample: Counterexample | None = None
    abnf: str = ""
    given: tuple[str, ...] = ()
    accepts: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    mistake: tuple[Mistake, ...] = ()
    level: str = "scheme"
    of: str = ""
    start: str = ""
    examples: tuple[str, ...] = ()
    option: tuple[Option, ...] = ()
    condition: tuple[Condition, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Run:
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Light:
    question: str
    diagram: str | None = None
    among: tuple[str, ...] = ()
    at: int | None = None
    empty: bool = False
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Explain:
    question: str
    option: tuple[Option, ...]


@dataclass(frozen=True, kw_only=True)
class Observed:
    """The result of a browser's ``new URL()`` for the text: ``href``, or none if it rejects it."""

    browser: str
    accepted: bool
    href: str = ""
    host: str | None = None
    path: str | None = None


@dataclass(frozen=True, kw_only=True)
class Exercise:
    id: str
    title: str
    text: str | None = None
    rule: str = "URI"
    grammar: str = "rfc3986"
    task: str = ""
    level: int = 1
    other: str | None = None
    base: str | None = None
    query: str | None = None
    observed: Observed | None = None
    predict: Predict | None = None
    run: Run | None = None
    light: Light | None = None
    explain: Explain | None = None

    def steps(self) -> tuple[str, ...]:
        """The steps that it has, in their order."""
        return tuple(step for step in STEPS if getattr(self, step) is not None)

    def context(self, text: str | None = None) -> Context:
        """The subject of its claims: its own text, or another one. Errors: UnknownRule and others
        of a ``Rule``."""
        about = self.text or "" if text is None else text
        rule = Rule(self.rule, grammar=self.grammar, query=self.query)
        return Context(about, rule, asdict(self.observed) if self.observed else {})


@dataclass(frozen=True, kw_only=True)
class Lesson:
    id: str
    title: str
    section: str
    concept: str
    introduction: str
    summary: str
    exercise: tuple[Exercise, ...]
    productions: tuple[str, ...] = ()
    abnf: str = ""
    minutes: int = 15
    number: int = 0
    next: str | None = None


def given(step: _Step | None) -> _Step:
    """A step that an exercise was asked for. Errors: ValueError, if it has none."""
    if step is None:
        raise ValueError("the exercise has no such step")
    return step


@lru_cache(maxsize=32)
def read_lesson(text: str) -> Lesson:
    """The lesson of a file's text. Errors: BadLesson, with every problem of form. Cost: O(n).

    >>> try: read_lesson('titel = "x"')
    ... except BadLesson as error: print(error)
    line 1: titel: unknown key; did you mean title?
    """
    if len(text) > LONGEST_LESSON:
        words = f"the lesson has {len(text):,} characters; at most {LONGEST_LESSON:,} are read"
        raise BadLesson([Problem(1, "", words)])
    try:
        table = parse(text)
    except BadTOML as error:
        raise BadLesson([Problem(error.line, "", error.message)]) from None
    reader = _Reader(text)
    made: Lesson = reader.record(Lesson, table, ())
    if reader.problems:
        problems = sorted(reader.problems, key=lambda problem: problem.line)
        raise BadLesson(problems, reader.exercises)
    return made


class _Reader(Reader):
    most = MOST_EXERCISES

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.exercises: dict[Key, Exercise] = {}
        self.abnf = ""

    def value(self, type_: Any, value: Any, key: Key) -> Any:
        return self._claim(value, key) if key[-1] in _CLAIMS else super().value(type_, value, key)

    def _claim(self, value: Any, key: Key) -> Claim | None:
        if not isinstance(value, dict):
            self.expected('a table, such as { valid = "http://a/" }', value, key)
            return None
        try:
            kind_of(value)
        except BadClaim as error:
            self.problem(key, str(error))
        return value

    def wrong(self, text: str, key: Key) -> str:
        if key[-1] == "id" and not _ID.fullmatch(text):
            return "must be 1 to 60 letters, digits and hyphens"
        if key[-1] in _GRAMMARS or key[-2:-1] == ("examples",):
            too_long = len(text) > LONGEST_FIELD_GRAMMAR
            return f"must have at most {LONGEST_FIELD_GRAMMAR:,} characters" if too_long else ""
        if key[0] == "exercise" and key[2:] in _TEXTS and len(text) > LONGEST_LESSON_TEXT:
            return f"must have at most {LONGEST_LESSON_TEXT:,} characters"
        return super().wrong(text, key)

    def record(self, kind: Any, table: Mapping[str, Any], key: Key) -> Any:
        if kind is Lesson:
            self.abnf = table.get("abnf", "")
        elif kind is Predict and table.get("kind") == "define" and self.abnf:
            table = {"abnf": self.abnf, **table}
        made = super().record(kind, table, key)
        if made is not None:
            before = len(self.problems)
            _FORM.get(kind, lambda *_: None)(self, made, key)
            if kind is Exercise and len(self.problems) == before:
                self.exercises[key] = made
        return made


def _lesson(reader: _Reader, lesson: Lesson, key: Key) -> None:
    if not lesson.exercise:
        reader.problem((*key, "exercise"), "a lesson needs at least one exercise")
    seen: set[str] = set()
    for i, exercise in enumerate(lesson.exercise):
        if exercise.id in seen:
            reader.problem((*key, "exercise", i, "id"), f"the id {exercise.id} is used twice")
        seen.add(exercise.id)


def _exercise(reader: _Reader, exercise: Exercise, key: Key) -> None:
    if not exercise.steps():
        reader.problem(key, f"an exercise needs at least one of {or_list(STEPS)}")
    if exercise.level not in (1, 2, 3):
        reader.problem((*key, "level"), "must be 1, 2 or 3")
    kind = exercise.predict.kind if exercise.predict else ""
    free = kind in ("write", "choice", "define")
    if exercise.text is None and (exercise.light or (kind and not free)):
        reader.problem(key, "text is missing: these steps are about one")
    if kind == "equivalent" and exercise.other is None:
        reader.problem(key, "other is missing: the text to compare with")
    if kind in ("browser", "both") and exercise.observed is None:
        reader.problem(key, "observed is missing: the result of the browser for the text")
    if exercise.predict and exercise.predict.of == "resolve" and exercise.base is None:
        reader.problem(key, "base is missing: the URI to resolve against")


def _predict(reader: _Reader, predict: Predict, key: Key) -> None:
    if predict.kind not in PREDICT:
        words = did_you_mean(predict.kind, PREDICT) or f"; it must be {or_list(PREDICT)}"
        reader.problem((*key, "kind"), f"no kind {cut(predict.kind, 40)}{words}")
    if predict.kind == "choice":
        _options(reader, predict.option, key)
    if predict.kind == "write" and not (predict.condition and predict.examples):
        reader.problem(key, "write needs conditions and examples")
    if predict.kind == "define" and not (predict.of and predict.examples):
        reader.problem(key, "define needs of, the rule to write, and examples")
    if predict.kind == "result" and predict.of not in (*RESULTS, *PARTS):
        reader.problem((*key, "of"), f"must be {or_list((*RESULTS, *PARTS))}")


def _light(reader: _Reader, light: Light, key: Key) -> None:
    if bool(light.diagram) == bool(light.among):
        reader.problem(key, "needs either diagram or among: the parts that can be clicked")


def _options(reader: _Reader, options: tuple[Option, ...], key: Key) -> None:
    if not _FEWEST <= len(options) <= _MOST_OPTIONS:
        many = f"{_FEWEST} to {_MOST_OPTIONS}"
        reader.problem((*key, "option"), f"{len(options)} options; there must be {many}")
    if sum(option.right for option in options) != 1:
        reader.problem((*key, "option"), "exactly one option must have right = true")


def _option(reader: _Reader, option: Option, key: Key) -> None:
    if option.right and (option.misconception or option.counterexample):
        reader.problem(key, "the right option has no misconception and no counterexample")
    if not option.right and option.misconception is None:
        reader.problem(key, "misconception is missing: the idea behind this choice")
    if not option.right and option.counterexample is None:
        reader.problem(key, "counterexample is missing: a text that shows that this is wrong")


_FORM: dict[type, Any] = {
    Lesson: _lesson,
    Exercise: _exercise,
    Predict: _predict,
    Explain: lambda reader, explain, key: _options(reader, explain.option, key),
    Light: _light,
    Option: _option,
}
"""The checks of a table that has all its keys."""
