"""The bundled lessons, and the lesson that a request names or brings along.

Owns the places of the lessons' files. Imports the reader of lessons. Invariant: a lesson is one
TOML file next to this one, and a new one needs nothing else.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ...limits import LONGEST_LESSON
from ...text.names import did_you_mean
from ...text.tables import Problem
from ..fields import Fields, Refused
from .read import BadLesson, Exercise, Lesson, read_lesson


@cache
def sources() -> dict[str, str]:
    """The text of each bundled lesson's file, by the file's name, in order of the names."""
    folder = Path(__file__).parent
    return {f.name: f.read_text(encoding="utf-8") for f in sorted(folder.glob("*.toml"))}


@cache
def bundled() -> dict[str, Lesson]:
    """The bundled lessons by their ids, in order of their numbers."""
    found = sorted((read_lesson(text) for text in sources().values()), key=lambda one: one.number)
    return {lesson.id: lesson for lesson in found}


def asked(fields: Fields) -> Lesson:
    """The lesson of a request: ``source``, the text of a file, or ``lesson``, an id or a number.

    Errors: Refused, with the problems of a file that is not a valid lesson.
    """
    if fields.value("source") is not None:
        try:
            return read_lesson(fields.text("source", most=LONGEST_LESSON))
        except BadLesson as error:
            raise refused(error.problems) from None
    name = fields.value("lesson")
    if isinstance(name, int) or (isinstance(name, str) and name.isascii() and name.isdigit()):
        for lesson in bundled().values():
            if str(lesson.number) == str(name):
                return lesson
        raise Refused("unknown-lesson", f"no lesson {name}; there are {len(bundled())}")
    name = fields.text("lesson")
    if name not in bundled():
        words = did_you_mean(name, bundled(), listed="uriproof teach")
        raise Refused("unknown-lesson", f"no lesson {name!r}{words}")
    return bundled()[name]


def refused(problems: list[Problem]) -> Refused:
    """The answer to a request with a lesson that has problems."""
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    found = [{"line": one.line, "key": one.key, "message": one.message} for one in problems]
    return Refused("invalid-lesson", f"{problems[0]}{more}", problems=found)


def exercise_of(lesson: Lesson, fields: Fields) -> Exercise:
    """The exercise of a request, by its id. Errors: Refused."""
    name = fields.text("exercise")
    known = {exercise.id: exercise for exercise in lesson.exercise}
    if name not in known:
        words = did_you_mean(name, known, listed="uriproof teach")
        raise Refused("unknown-exercise", f"no exercise {name!r} in {lesson.id}{words}")
    return known[name]
