"""Pupils' grammars compared with a reference, and the misconceptions in their records of lessons.

Owns the reading of a folder, the comparison of one pupil's rule, and a time limit on each. Imports
the workbench. Invariant: there is a result for each pupil and each rule, in the order of their
names; no pupil's file stops the others; "equal" is a proved result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..grammar.errors import GrammarError
from ..limits import GRADING_MEMORY, GRADING_SECONDS, LARGEST_PUPILS_FILE, LONGEST_GRADE_MESSAGE
from ..rule import Grammar
from ..workbench.compare import compared, language

if TYPE_CHECKING:
    from ..processes import Worker


_MOST_ERRORS = 20

Verdict = Literal["equal", "different", "undecided", "error"]


class Error(NamedTuple):
    """An error in a file; ``line`` and ``column`` count from 1, and are 0 for the whole."""

    line: int
    column: int
    message: str
    length: int = 0


class Graded(NamedTuple):
    """One rule of one pupil.

    ``relation`` is that of the pupil's rule to the reference: equal, contained (it accepts too
    little), contains (too much), overlapping (both) or disjoint; empty if unknown. ``too_much`` is
    a shortest text that only the pupil's rule accepts, ``too_little`` one that only the reference
    accepts; None if there is none, or none was found.
    """

    pupil: str
    rule: str
    verdict: Verdict
    relation: str = ""
    too_much: str | None = None
    too_little: str | None = None
    errors: tuple[Error, ...] = ()
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {**self._asdict(), "errors": [error._asdict() for error in self.errors]}


def files(folder: Path, *suffixes: str) -> list[tuple[str, Path]]:
    """The pupils of a folder: the name and the file of each, in natural order of the names.

    A file is in the folder itself, or in a folder for each pupil; hidden ones are skipped. Errors:
    OSError, for a folder that cannot be read.
    """
    found: list[tuple[str, Path]] = []
    waiting = [folder]
    while waiting:
        for entry in waiting.pop().iterdir():
            if entry.name.startswith("."):
                continue
            if entry.is_dir():
                if not entry.is_symlink():
                    waiting.append(entry)
            elif entry.suffix.lower() in suffixes:
                name = entry.relative_to(folder).with_suffix("").as_posix()
                found.append((name, entry))
    return sorted(found, key=lambda one: _natural(one[0]))


def _natural(name: str) -> list[tuple[int, int, str]]:
    """A key that sorts ``pupil-9`` before ``pupil-10``."""
    pieces = re.findall(r"[0-9]+|[^0-9]+", name.casefold())
    return [(1, int(p), "") if p[0] in "0123456789" else (0, 0, p) for p in pieces]


def text_of(file: Path) -> tuple[str, str]:
    """The text of a file, and a note if its encoding is not UTF-8.

    Errors: OSError; ValueError, for a file that is too large.
    """
    with file.open("rb") as stream:
        raw = stream.read(LARGEST_PUPILS_FILE + 1)
    if len(raw) > LARGEST_PUPILS_FILE:
        raise ValueError(f"the file has more than {LARGEST_PUPILS_FILE:,} octets")
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16", "replace"), "read as UTF-16"
    try:
        return raw.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        return raw.decode("latin-1"), "not UTF-8; read as Latin-1"


def grade(
    pupils: Sequence[tuple[str, Path]],
    reference: Grammar,
    rules: Sequence[str],
    seconds: float = GRADING_SECONDS,
) -> Iterator[Graded]:
    """A result for each pupil and rule, each within a time limit, in a process of its own.

    ``rules`` are the reference's, in its spelling. Memory: one pupil. Errors: none about pupils.
    """
    from ..processes import Worker  # which a browser's Python does not have

    worker = Worker(_begin, reference)
    try:
        for name, file in pupils:
            try:
                text, note = text_of(file)
            except (OSError, ValueError) as error:
                why = str(getattr(error, "strerror", None) or error)
                yield from (failed(name, rule, why) for rule in rules)
                continue
            for rule in rules:
                yield _within(worker, seconds, name, text, rule)._replace(note=note)
    finally:
        worker.stop()


def _within(worker: Worker, seconds: float, pupil: str, text: str, rule: str) -> Graded:
    try:
        answer: Graded = worker.ask((pupil, text, rule), seconds)
    except TimeoutError:
        why = f"this took longer than {seconds:g} seconds, and was stopped"
    except (EOFError, OSError):
        why = "this could not be compared: it took too much memory, or nests too deeply"
    else:
        return answer
    return failed(pupil, rule, why)


def failed(pupil: str, rule: str, why: str) -> Graded:
    """The result of a text that cannot be compared."""
    return Graded(pupil, rule, "error", errors=(Error(0, 0, why[:LONGEST_GRADE_MESSAGE]),))


def grade_text(pupil: str, text: str, reference: Grammar, rule: str) -> Graded:
    """One rule of a pupil's grammar compared with the reference's rule of that name.

    Errors: none; errors in the text are in the result. Cost: that of the comparison.

    >>> from uriproof import Grammar
    >>> graded = grade_text("anna", "port = 1*DIGIT", Grammar.load("rfc3986"), "port")
    >>> graded.relation, graded.too_little
    ('contained', '')
    """
    try:
        own = Grammar.from_abnf(text, name=pupil, file=pupil)
        return _compared(pupil, own, reference, rule)
    except GrammarError as error:
        faults = error.faults[:_MOST_ERRORS]
        errors = tuple(
            Error(f.line, f.column, f.message[:LONGEST_GRADE_MESSAGE], f.length) for f in faults
        )
        return Graded(pupil, rule, "error", errors=errors)
    except (LookupError, ValueError) as error:
        return failed(pupil, rule, str(error))
    except (RecursionError, MemoryError):
        return failed(pupil, rule, "this grammar is nested too deeply to be compared")


def _compared(pupil: str, own: Grammar, reference: Grammar, rule: str) -> Graded:
    name = own.rule_name(rule)
    found = compared(language(own.compiled, name), language(reference.compiled, rule))
    too_much, too_little = (w[0].text if w else None for w in (found.only_a, found.only_b))
    verdict: Verdict = "different" if found.differ else "undecided"
    if found.relation == "equal":
        verdict = "equal"
    return Graded(pupil, rule, verdict, found.relation or "", too_much, too_little)


def _begin(reference: Grammar) -> Callable[[tuple[str, str, str]], Graded]:
    """The work of the other process on a pupil, a text and a rule."""
    _limit_memory()
    # Modules that are loaded at first use are loaded before the first pupil's time begins.
    grade_text("", 'a = "a"', Grammar.from_abnf('a = "a"'), "a")
    return lambda asked: grade_text(asked[0], asked[1], reference, asked[2])


def _limit_memory() -> None:
    """A grammar that would fill the machine ends in a MemoryError, if limits can be set."""
    try:
        import resource
    except ImportError:  # not POSIX
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (GRADING_MEMORY, GRADING_MEMORY))


# Records of lessons, which pupils save on the page


class Missed(NamedTuple):
    """A misconception of a class: ``pupils`` had it, and the last answer of ``still`` was wrong."""

    misconception: str
    lesson: str
    exercise: str
    pupils: tuple[str, ...]
    still: tuple[str, ...]
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {**self._asdict(), "pupils": list(self.pupils), "still": list(self.still)}


def misconceptions(
    pupils: Sequence[tuple[str, Path]],
) -> tuple[list[Missed], dict[str, str]]:
    """The misconceptions of a class, the most frequent first; and for files that are not records,
    the reason. Errors: none. Cost: O(size of the files).
    """
    had: dict[tuple[str, str, str], dict[str, bool]] = {}
    unread: dict[str, str] = {}
    for name, file in pupils:
        try:
            answers = _record(text_of(file)[0])
        except (OSError, ValueError) as error:
            unread[name] = str(getattr(error, "strerror", None) or error)[:LONGEST_GRADE_MESSAGE]
            continue
        last = {(one["lesson"], one["exercise"]): one["right"] for one in answers}
        for one in answers:
            if idea := one.get("misconception"):
                place = one["lesson"], one["exercise"]
                had.setdefault((idea, *place), {})[name] = not last[place]
    found = [
        Missed(*key, tuple(names), tuple(name for name, still in names.items() if still))
        for key, names in had.items()
    ]
    return sorted(found, key=lambda one: (-len(one.pupils), -len(one.still), one)), unread


_KEYS = {"lesson": str, "exercise": str, "right": bool}


def _record(text: str) -> list[dict[str, Any]]:
    """The answers of a record that the page saved. Errors: ValueError."""
    from json import loads

    try:
        found = loads(text)
    except (ValueError, RecursionError):
        found = None
    answers = found.get("answers") if isinstance(found, dict) else None
    if not isinstance(answers, list) or found.get("uriproof") != "lessons":
        raise ValueError("this is not a record that the page of lessons saved")
    for one in answers:
        typed = isinstance(one, dict) and all(isinstance(one.get(k), t) for k, t in _KEYS.items())
        if not typed or not isinstance(one.get("misconception", ""), str):
            raise ValueError("an answer in this record is not as the page writes it")
    return answers
