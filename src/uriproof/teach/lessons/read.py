"""The reading of a lesson: one TOML file, with all that is wrong in its form.

Owns what a lesson may have. Imports the claims' keys and the lines of keys. Invariant: a text of
any content gives a lesson, or problems with a line, a key and what to do; nothing else is raised.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from ...errors import UriproofError
from ...text.columns import cut
from ...text.names import did_you_mean, or_list
from .claims import LONGEST_TEXT, BadClaim, Claim, kind_of
from .toml_lines import Key, line_of, lines

__all__ = [
    "LONGEST",
    "BadLesson",
    "Exercise",
    "Lesson",
    "Option",
    "Predict",
    "Problem",
    "given",
    "read_lesson",
]

LONGEST = 100_000
"""Code points of a lesson's file."""

MOST = 40
"""Exercises of a lesson, options of a question, conditions of a text."""

PREDICT = ("verdict", "position", "equivalent", "browser", "both", "result", "choice", "write")
RESULTS = ("resolve", "normalize", "decode", "encode", "fixed")
PARTS = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")
STEPS = ("predict", "run", "light", "explain")
_FEWEST, _MOST_OPTIONS = 2, 8

_Step = TypeVar("_Step")


class Problem(NamedTuple):
    """What is wrong in a lesson: the line from 1, the key, and what to do."""

    line: int
    key: str
    message: str

    def __str__(self) -> str:
        where = f"line {self.line}: "
        return where + (f"{self.key}: {self.message}" if self.key else self.message)


class BadLesson(UriproofError, ValueError):
    """A text that is no lesson; ``problems`` says all that is wrong with its form.

    ``exercises`` are those without a problem, by their keys, and ``places`` the lines of all keys.
    """

    def __init__(
        self,
        problems: list[Problem],
        exercises: Mapping[Key, Exercise] = MappingProxyType({}),
        places: Mapping[Key, int] = MappingProxyType({}),
    ) -> None:
        super().__init__(str(problems[0]))
        self.problems = problems
        self.exercises = exercises
        self.places = places


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
class Predict:
    kind: str
    question: str = ""
    answer: str | int | None = None
    why: str = ""
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
    """What a browser's ``new URL()`` made of the text: ``href``, or none where it refuses it."""

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
    minutes: int = 15
    number: int = 0
    next: str | None = None
    places: dict[Key, int] = field(default_factory=dict, repr=False, compare=False)


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
    line 1: titel: no such key; did you mean title?
    """
    if len(text) > LONGEST:
        words = f"the lesson has {len(text):,} characters; at most {LONGEST:,} are read"
        raise BadLesson([Problem(1, "", words)])
    try:
        table = tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise BadLesson([_not_toml(text, error)]) from None
    places = lines(text)
    reader = _Reader(places)
    made: Lesson = reader.table(Lesson, table, ())
    if reader.problems:
        problems = sorted(reader.problems, key=lambda problem: problem.line)
        raise BadLesson(problems, reader.exercises, places)
    return dataclasses.replace(made, places=places)


def _not_toml(text: str, error: Exception) -> Problem:
    words = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    place = re.search(r" ?\(at line (\d+), column (\d+)\)", words)
    line = int(place[1]) if place else text.rstrip().count("\n") + 1
    words = words.replace(place[0], f" in column {place[2]}") if place else words
    return Problem(line, "", f"no TOML: {words}")


def named(key: Key) -> str:
    """A key as people write it.

    >>> named(("exercise", 0, "explain", "option", 2, "text"))
    'exercise[1].explain.option[3].text'
    """
    words = ""
    for name in key:
        words += f"[{name + 1}]" if isinstance(name, int) else f".{name}"
    return words.removeprefix(".")


@cache
def _hints(kind: type) -> dict[str, Any]:
    """The keys of a class of tables, and the type of each."""
    return {name: hint for name, hint in get_type_hints(kind).items() if name != "places"}


class _Reader:
    def __init__(self, places: dict[Key, int]) -> None:
        self._places = places
        self.problems: list[Problem] = []
        self.exercises: dict[Key, Exercise] = {}

    def problem(self, key: Key, message: str) -> None:
        self.problems.append(Problem(line_of(self._places, key), cut(named(key), 80), message))

    def table(self, kind: type, table: dict[str, Any], key: Key) -> Any:
        """A value of a class from a table; where that has problems, they are noted instead."""
        hints = _hints(kind)
        values: dict[str, Any] = {}
        before = len(self.problems)
        for name, value in table.items():
            if name not in hints:
                words = did_you_mean(name, hints) or f"; the keys here are {or_list(hints)}"
                self.problem((*key, name), f"no such key{words}")
            else:
                values[name] = self._value(hints[name], value, (*key, name))
        for found in dataclasses.fields(kind):
            missing = (
                found.default is dataclasses.MISSING
                and found.default_factory is dataclasses.MISSING
            )
            if missing and found.name not in table:
                self.problem(key, f"{found.name} is missing")
        if len(self.problems) > before:
            return None
        made = kind(**values)
        _FORM.get(kind, lambda *_: None)(self, made, key)
        if kind is Exercise and len(self.problems) == before:
            self.exercises[key] = made
        return made

    def _value(self, hint: Any, value: Any, key: Key) -> Any:
        if hint == Claim or Claim in get_args(hint):
            return self._claim(value, key)
        if get_origin(hint) is tuple:
            return self._items(get_args(hint)[0], value, key)
        kinds = [kind for kind in get_args(hint) or (hint,) if kind is not type(None)]
        for kind in kinds:
            if dataclasses.is_dataclass(kind) and isinstance(value, dict):
                return self.table(kind, value, key)  # type: ignore[arg-type]
            if type(value) is kind:
                return value
        self.problem(key, f"must be {or_list(_WORDS.get(kind, 'a table') for kind in kinds)}")
        return None

    def _items(self, kind: Any, value: Any, key: Key) -> tuple[Any, ...]:
        if not isinstance(value, list):
            many = "tables: write [[…]]" if dataclasses.is_dataclass(kind) else "texts"
            self.problem(key, f"must be a list of {many}")
            return ()
        if len(value) > MOST:
            self.problem(key, f"has {len(value):,} items; at most {MOST} are allowed")
            return ()
        return tuple(self._value(kind, item, (*key, i)) for i, item in enumerate(value))

    def _claim(self, value: Any, key: Key) -> Claim | None:
        if not isinstance(value, dict):
            self.problem(key, 'must be a table, such as { valid = "http://a/" }')
            return None
        try:
            kind_of(value)
        except BadClaim as error:
            self.problem(key, str(error))
        return value


_WORDS = {str: "a text", int: "a whole number", bool: "true or false"}


def _lesson(reader: _Reader, lesson: Lesson, key: Key) -> None:
    _id(reader, lesson.id, key)
    if not lesson.exercise:
        reader.problem((*key, "exercise"), "a lesson has at least one exercise")
    seen: set[str] = set()
    for i, exercise in enumerate(lesson.exercise):
        if exercise.id in seen:
            reader.problem((*key, "exercise", i, "id"), f"another exercise is {exercise.id}, too")
        seen.add(exercise.id)


def _exercise(reader: _Reader, exercise: Exercise, key: Key) -> None:
    _id(reader, exercise.id, key)
    if not exercise.steps():
        reader.problem(key, f"an exercise has at least one of {or_list(STEPS)}")
    for name in ("text", "other", "base"):
        if len(getattr(exercise, name) or "") > LONGEST_TEXT:
            reader.problem((*key, name), f"must have at most {LONGEST_TEXT:,} characters")
    if exercise.level not in (1, 2, 3):
        reader.problem((*key, "level"), "must be 1, 2 or 3")
    kind = exercise.predict.kind if exercise.predict else ""
    free = kind in ("write", "choice")
    if exercise.text is None and (exercise.light or (kind and not free)):
        reader.problem(key, "text is missing: these steps are about one")
    if kind == "equivalent" and exercise.other is None:
        reader.problem(key, "other is missing: the text to compare with")
    if kind in ("browser", "both") and exercise.observed is None:
        reader.problem(key, "observed is missing: what the browser made of the text")
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
    if predict.kind == "result" and predict.of not in (*RESULTS, *PARTS):
        reader.problem((*key, "of"), f"must be {or_list((*RESULTS, *PARTS))}")


def _explain(reader: _Reader, explain: Explain, key: Key) -> None:
    _options(reader, explain.option, key)


def _light(reader: _Reader, light: Light, key: Key) -> None:
    if bool(light.diagram) == bool(light.among):
        reader.problem(key, "needs either diagram or among: what can be clicked")


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
        reader.problem(key, "misconception is missing: what somebody thinks who chooses this")
    if not option.right and option.counterexample is None:
        reader.problem(key, "counterexample is missing: a text that shows that this is wrong")


def _id(reader: _Reader, given: str, key: Key) -> None:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]{0,59}", given):
        reader.problem((*key, "id"), "must be 1 to 60 letters, digits and hyphens")


_FORM: dict[type, Any] = {
    Lesson: _lesson,
    Exercise: _exercise,
    Predict: _predict,
    Explain: _explain,
    Light: _light,
    Option: _option,
}
"""What is checked of a table that has all its keys."""
