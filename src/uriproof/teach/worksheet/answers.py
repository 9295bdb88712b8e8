"""Pupils' answers to a worksheet, marked by its key.

Owns the forms of a file of answers. Imports the worksheet. Invariant: an answer is right if it is
that of the key, or if the grammar confirms it to be as good; for any file, marking ends with points
or with a reason why not.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ...limits import LONGEST_SHEET_ANSWER
from ...rule import Grammar
from ...text.tables import BadTOML, parse
from ..grade import text_of
from . import Sheet
from .questions import Question

_NEAR = 0.7
"""How much of a text a fix must keep."""

_YES = {"valid", "yes", "true", "v", "ok"}
_NO = {"invalid", "no", "false", "i", "not valid"}


class Answer(NamedTuple):
    """One question: the given answer, whether it is right, and the right answer."""

    number: int
    given: str
    right: bool
    answer: str
    why: str


class Marked(NamedTuple):
    """The answers of one pupil; ``why`` is the reason if the file could not be read."""

    pupil: str
    points: int
    most: int
    answers: tuple[Answer, ...] = ()
    why: str = ""
    note: str = ""

    @property
    def verdict(self) -> Literal["right", "partly right", "wrong", "error"]:
        if self.why:
            return "error"
        if self.points == self.most:
            return "right"
        return "partly right" if self.points else "wrong"

    def to_dict(self) -> dict[str, Any]:
        record = self._asdict()
        answers = [answer._asdict() for answer in record.pop("answers")]
        return {**record, "answers": answers, "error": record.pop("why")}


def mark_file(sheet: Sheet, grammar: Grammar, pupil: str, file: Path) -> Marked:
    """The answers of one pupil, from TOML or CSV. Errors: none; they are in the result."""
    try:
        text, note = text_of(file)
        given = _from_csv(text) if file.suffix.lower() == ".csv" else _from_toml(text, sheet)
    except (OSError, ValueError, RecursionError) as error:
        why = str(getattr(error, "strerror", None) or error)[:LONGEST_SHEET_ANSWER]
        return Marked(pupil, 0, len(sheet.questions), why=why)
    return mark(sheet, grammar, pupil, given)._replace(note=note)


def mark(sheet: Sheet, grammar: Grammar, pupil: str, given: dict[int, str]) -> Marked:
    """Answers, by the numbers of the questions, marked. Cost: a check for each fix.

    >>> from uriproof import Grammar
    >>> from uriproof.teach.worksheet import worksheet
    >>> grammar = Grammar.load("rfc3986")
    >>> sheet = worksheet(grammar, ["port"], count=2, seed=3)
    >>> mark(sheet, grammar, "anna", {1: sheet.questions[0].key}).points
    1
    """
    answers = []
    for number, question in enumerate(sheet.questions, 1):
        answer = given.get(number, "").strip()[:LONGEST_SHEET_ANSWER]
        right = bool(answer) and _is_right(question, answer, grammar)
        answers.append(Answer(number, answer, right, question.key, question.why))
    points = sum(one.right for one in answers)
    return Marked(pupil, points, len(answers), tuple(answers))


def _is_right(question: Question, answer: str, grammar: Grammar) -> bool:
    match question.kind:
        case "verdict":
            return _verdict(answer) == question.key
        case "fix":
            from difflib import SequenceMatcher

            kept = SequenceMatcher(None, question.text, answer, autojunk=False).ratio()
            return answer in question.right or (
                kept >= _NEAR and grammar[question.rule].is_valid(answer)
            )
        case "production" | "reading":
            letter = answer.strip("().").lower()
            if len(letter) == 1 and (at := ord(letter) - ord("a")) in range(len(question.options)):
                answer = question.options[at]
            # People write a name without its hyphens, or with spaces.
            return _bare(answer) in map(_bare, question.right)


def _bare(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).casefold()


def _verdict(answer: str) -> str:
    """``invalid at 8``, ``8`` and ``no, 8`` as the key has them: ``invalid 8``."""
    words = answer.casefold()
    numbers = re.findall(r"[0-9]+", words)
    plain = re.sub(r"[0-9,.:;@]+|\bat\b|\bcharacter\b", " ", words)
    plain = " ".join(plain.split())
    if plain in _YES and not numbers:
        return "valid"
    if (plain in _NO or not plain) and len(numbers) == 1:
        return f"invalid {int(numbers[0])}"
    return plain


def _from_toml(text: str, sheet: Sheet) -> dict[int, str]:
    """``1 = "valid"``, in the file itself or in a table ``answers``; ``sheet`` is its code."""
    try:
        found = parse(text)
    except BadTOML as error:
        raise ValueError(f"line {error.line}: {error}") from error
    code = found.get("sheet", sheet.code)
    if code != sheet.code:
        raise ValueError(f"these are answers to the sheet {code}, not {sheet.code}")
    table = found.get("answers", found)
    if not isinstance(table, dict):
        raise ValueError("answers must be a table, such as [answers]")  # noqa: TRY004 -- of a file
    return _numbered((key, value) for key, value in table.items() if key != "sheet")


def _from_csv(text: str) -> dict[int, str]:
    """A line for each question: its number, and the answer; a first line can have headings."""
    first = text.partition("\n")[0]
    delimiter = next((mark for mark in ";\t" if mark in first and "," not in first), ",")
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        listed = [row for row in rows if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise ValueError(f"not CSV: {error}") from error
    if listed and not listed[0][0].strip().isdecimal():
        listed = listed[1:]
    return _numbered((row[0], row[1] if len(row) > 1 else "") for row in listed)


def _numbered(pairs: Any) -> dict[int, str]:
    found: dict[int, str] = {}
    for key, value in pairs:
        number = str(key).strip()
        if not (number.isascii() and number.isdecimal()) or len(number) > 4:  # noqa: PLR2004
            raise ValueError(f"{number[:40]!r} is not the number of a question")
        if isinstance(value, bool | int | str):
            found[int(number)] = str(value).lower() if isinstance(value, bool) else str(value)
        else:
            raise ValueError(f"the answer to {number} must be a string")  # noqa: TRY004 -- of a file
    return found
