"""``uriproof grammar grade``: pupils' grammars, answers or records of lessons.

May import every other layer. Invariant: each pupil has a line, whatever was handed in; every format
has the same results; no cell of CSV begins like a formula; the output cannot control a terminal.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from ...limits import GRADING_SECONDS
from ...text.drawing import visible
from ...text.names import cause, some
from .._grammars import load, refusals, subject
from .._group import Refused, examples
from .._options import flag, format_choice, integer, value
from .._output import print_json, table

if TYPE_CHECKING:
    from ...teach.grade import Graded, Missed
    from ...teach.worksheet.answers import Marked

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_WIDTH = 100
_MOST_ERRORS = 5
_RESULTS = {
    "contained": "too little",
    "contains": "too much",
    "overlapping": "too much and too little",
    "disjoint": "no text in common",
}
_EMPTY = "(the empty text)"
_WITNESSES = ("too_much", "too_little")

_Result: TypeAlias = tuple[str, str, dict[str, Any], Sequence[tuple[str, ...]]]
"""A pupil, the verdict, the record for programs, and the cells after the name of each line."""


@click.command(
    short_help="Grade pupils' grammars, answers or lessons.",
    epilog=examples(
        ("uriproof grammar grade DIR --against ref.abnf", "each *.abnf of a folder"),
        ("uriproof grammar grade DIR --sheet CODE", "answers to a worksheet"),
        ("uriproof grammar grade DIR --lessons", "a class's misconceptions"),
    ),
)
@click.argument("folder", metavar="DIR")
@value(
    "--against REF",
    "The reference: GRAMMAR:RULE, a bundled grammar, or FILE.abnf, optionally with :RULE.",
)
@value(
    "rules -r --rule RULE",
    "Rule to compare; can be repeated.  [default: that of REF, or its first start rule]",
    multiple=True,
)
@value("--sheet CODE", "Grade answers (*.toml, *.csv) to the worksheet with this code.")
@flag(
    "--lessons",
    "List the misconceptions in records (*.json) that pupils saved on the page of lessons.",
)
@integer("--seconds N", "Time limit for each rule of a pupil.", 1, 3600, default=GRADING_SECONDS)
@format_choice("text", "csv", "json")
def command(
    *,
    folder: str,
    against: str | None,
    rules: tuple[str, ...],
    sheet: str | None,
    lessons: bool,
    seconds: int,
    form: str,
) -> int:
    """Grade the pupils' files in DIR by a reference grammar, or by the key of a worksheet; or list
    the misconceptions in their records of lessons.

    Each *.abnf file in DIR and its folders is a pupil's grammar. If it is not exactly equal to the
    reference, a shortest text is shown that only the pupil's rule accepts (too much), and one that
    only the reference accepts (too little). The errors of an invalid grammar are listed with line
    and column; they do not stop the others.

    \b
    Exit code: 0  everything is correct, or nobody has a misconception
               1  something is not
               2  invalid usage, or DIR has no such files
    """
    if [against is None, sheet is None, not lessons].count(False) != 1:
        words = "Give --against REF for grammars, --sheet CODE for answers, or --lessons."
        raise click.UsageError(words)
    if lessons:
        return _lessons(folder, form)
    if sheet is not None:
        return _answers(folder, sheet, form)
    from ...teach.grade import grade

    assert against is not None  # noqa: S101 -- one of the two is given
    reference, rule = subject(against)
    with refusals():
        names = list(dict.fromkeys(reference.rule_name(name) for name in rules)) or [rule]
    found = grade(_pupils(folder, ".abnf"), reference, names, seconds)
    results = [(g.pupil, g.verdict, _record(g), list(_lines(g))) for g in found]
    return _print(results, form, "equal")


def _pupils(folder: str, *suffixes: str) -> list[tuple[str, Path]]:
    """The files of a folder, at least one. Errors: Refused."""
    from ...teach.grade import files

    try:
        found = files(Path(folder), *suffixes)
    except (OSError, ValueError) as error:
        raise Refused(f"{folder}: {cause(error)}") from error
    if not found:
        listed = " or ".join(f"*{suffix}" for suffix in suffixes)
        raise Refused(f"{folder}: no file {listed} in this folder")
    return found


def _record(graded: Graded) -> dict[str, Any]:
    record = graded.to_dict()
    return {**record, "result": _RESULTS.get(graded.relation, graded.verdict)}


def _lines(graded: Graded) -> Iterator[tuple[str, str, str]]:
    """The cells of a pupil's lines, after the name: rule, result, and the evidence."""
    rule, note = graded.rule, f" ({graded.note})" if graded.note else ""
    if graded.verdict == "error":
        for number, error in enumerate(graded.errors[:_MOST_ERRORS]):
            place = f"{error.line}:{error.column}: " if error.line else ""
            words = place + " ".join(visible(error.message).split())
            yield "" if number else rule, "" if number else "error", words + note * (not number)
        if len(graded.errors) > _MOST_ERRORS:
            yield "", "", f"and {len(graded.errors) - _MOST_ERRORS} more errors"
        return
    result = _RESULTS.get(graded.relation, graded.verdict)
    shown = []
    if graded.too_much is not None:
        shown.append(f"only the pupil's rule accepts {_text(graded.too_much)}")
    if graded.too_little is not None:
        shown.append(f"only the reference accepts {_text(graded.too_little)}")
    if graded.verdict == "undecided":
        shown.append("no text was found that distinguishes them; recursive rules are only searched")
    first, *others = shown or [""]
    yield rule, result, (first + note).strip()
    for one in others:
        yield "", "", one


def _text(text: str) -> str:
    return visible(text) or _EMPTY


# Answers to a worksheet


def _answers(folder: str, code: str, form: str) -> int:
    from ...teach.worksheet import from_code
    from ...teach.worksheet.answers import mark_file

    with refusals():
        sheet = from_code(code)
        grammar = load(sheet.grammar)
    results: list[_Result] = []
    for name, file in _pupils(folder, ".toml", ".csv"):
        marked = mark_file(sheet, grammar, name, file)
        results.append((name, marked.verdict, marked.to_dict(), list(_marks(marked))))
    return _print(results, form, "right")


def _marks(marked: Marked) -> Iterator[tuple[str, str, str]]:
    if marked.why:
        yield "", "error", visible(marked.why)
        return
    yield "", f"{marked.points} of {marked.most}", marked.note
    for one in marked.answers:
        if not one.right:
            given = visible(one.given) if one.given else "no answer"
            yield f"{one.number}", "", f"{given}; right is {visible(one.answer)}"


# Records of lessons


def _lessons(folder: str, form: str) -> int:
    """Print a line for each misconception, and for each file that could not be read."""
    from ...teach.grade import Missed, misconceptions

    pupils = _pupils(folder, ".json")
    found, unread = misconceptions(pupils)
    count = len(pupils) - len(unread)
    results: list[_Result] = [
        (f"{len(one.pupils)} of {count}", "misconception", one.to_dict(), list(_missed(one)))
        for one in found
    ]
    for name, why in unread.items():
        record = Missed("", "", "", (name,), (), why).to_dict()
        results.append((name, "error", record, [("error", visible(why))]))
    if not results:
        words = f"{some(count, 'record')}, and no misconception"
        click.echo({"json": "[]", "csv": ""}.get(form, words))
        return 0
    return _print(results, form, "none")


def _missed(one: Missed) -> Iterator[tuple[str, str]]:
    yield visible(f"{one.lesson}, {one.exercise}"), visible(one.misconception)
    still = ", ".join(map(visible, one.still)) or "nobody"
    yield "", f"had by {', '.join(map(visible, one.pupils))}; still by {still}"


# Output


def _print(results: Sequence[_Result], form: str, good: str) -> int:
    """Print all results. Returns the exit code: 0 if all are good."""
    if form == "json":
        print_json(record for _, _, record, _ in results)
    elif form == "csv":
        _write_csv([record for _, _, record, _ in results])
    else:
        for line in table(_rows(results), _WIDTH):
            click.echo(line)
        counts = Counter(verdict for _, verdict, _, _ in results)
        words = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        click.echo(f"\n{some(len(results), 'result')}: {words}")
    return int({verdict for _, verdict, _, _ in results} != {good})


def _rows(results: Sequence[_Result]) -> Iterator[tuple[str, ...]]:
    for pupil, _, _, lines in results:
        for number, line in enumerate(lines):
            yield ("" if number else visible(pupil), *line)


def _write_csv(records: Sequence[dict[str, Any]]) -> None:
    """One line a record; a list is one cell. Spreadsheets run cells that look like formulas."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(records[0])
    for record in records:
        writer.writerow([_cell(value, name in _WITNESSES) for name, value in record.items()])
    sys.stdout.write(out.getvalue())


def _cell(value: object, witness: bool = False) -> str:
    """A value as a cell: visible, and never a formula (CWE-1236)."""
    if value is None:
        return ""
    if isinstance(value, list):
        shown = "; ".join(_listed(one) for one in value)
    else:
        shown = visible(str(value)) or _EMPTY * witness
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


def _listed(one: dict[str, Any] | str) -> str:
    if isinstance(one, str):
        return visible(one)
    if "message" in one:
        place = f"{one['line']}:{one['column']}: " if one["line"] else ""
        return place + " ".join(visible(one["message"]).split())
    return f"{one['number']}: {'right' if one['right'] else visible(one['given']) or 'no answer'}"
