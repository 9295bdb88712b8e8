"""A worksheet as pages: for a browser, as a file that prints, and as text for a terminal.

Owns how a sheet and its key look. Imports the worksheet. Invariant: all text is escaped; the file
loads nothing and runs nothing; it can be read in black and white, and the key starts on a page of
its own; the sheet shows nothing of the key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, TypeAlias

from ...text.drawing import visible
from ...text.page import head
from . import Sheet
from .questions import Question

Block: TypeAlias = "str | list[Any]"
"""Text, or an element: its name, a dictionary of attributes, and then its contents."""

_LETTERS = "abcdefgh"
_TENTH = 5
"""Every fifth character has its offset below it."""

_HOW = (
    "Offsets count characters from 0; every fifth is numbered. \u2423 is a space."
)  # fmt: skip
_PAPER = (
    ":root{color-scheme:light}*{box-sizing:border-box}@page{margin:16mm 16mm 18mm}"
    "body{max-width:46rem;margin:0 auto;padding:1.5rem;color:#000;background:#fff;"
    'font:15px/1.45 "Segoe UI",system-ui,-apple-system,"DejaVu Sans",sans-serif}'
    "@media print{body{font-size:11pt;max-width:none;padding:0}}"
)
"""What the page for learning has in its own style sheets."""


def to_html(sheet: Sheet, *, key: bool = False) -> str:
    """The sheet as one HTML page for A4 and Letter; with ``key``, the answers on another page.

    Cost: O(length).
    """
    file = Path(__file__).parent.parent / "page" / "sheet.css"
    style = _PAPER + file.read_text(encoding="utf-8")
    shown = pages(sheet, "h1")[: 2 if key else 1]
    return "\n".join([head(escape(sheet.title), style), *map(_markup, shown), "</body>\n</html>\n"])


def _markup(block: Block) -> str:
    if isinstance(block, str):
        return escape(block)
    name, attributes, *inner = block
    given = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{''.join(map(_markup, inner))}</{name}>"


def pages(sheet: Sheet, heading: str = "h2") -> list[Block]:
    """The sheet and its key, JSON-ready. Cost: O(length)."""
    code: Block = ["p", {"class": "code"}, "Sheet ", ["code", {}, sheet.code]]
    asked: list[Block] = [["li", {}, *_question(sheet, question)] for question in sheet.questions]
    solved: list[Block] = [["li", {}, *_solved(question)] for question in sheet.questions]
    titles = (sheet.title, f"Key: {', '.join(sheet.rules)}")
    return papers(titles, [["ol", {}, *asked], code], [["ol", {}, *solved], code], heading)


def papers(
    titles: tuple[str, str], asked: Sequence[Block], solved: Sequence[Block], heading: str = "h2"
) -> list[Block]:
    """A page with a place for a name, and its key, each with its title."""
    who: list[Block] = [["span", {}, word] for word in ("Name", "Date", "Points")]
    title: Block = ["header", {}, [heading, {}, titles[0]], ["p", {"class": "who"}, *who]]
    return [
        ["section", {"class": "paper worksheet"}, title, ["p", {"class": "how"}, _HOW], *asked],
        ["section", {"class": "paper worksheet answers"}, [heading, {}, titles[1]], *solved],
    ]


def _question(sheet: Sheet, question: Question) -> Iterator[Block]:
    yield ["p", {"class": "ask"}, sheet.asked(question)]
    yield cells(question.text, question.start, question.end)
    if question.kind == "fix":
        yield LINE
    elif question.kind == "verdict":
        yield choices([[name] for name in question.options], OFFSET)
    else:
        named = zip(_LETTERS, question.options, strict=False)
        yield choices([[f"{letter}) ", ["code", {}, name]] for letter, name in named])


LINE: Block = ["p", {"class": "line"}]
"""Something to write on."""

OFFSET: Block = ["span", {"class": "offset"}, "at offset"]
"""A place for the number of a character."""


def choices(options: Iterable[list[Block]], *more: Block) -> Block:
    """A box to tick before the words of each option."""
    boxes: list[Block] = [["span", {"class": "tick"}, ["i", {}], *words] for words in options]
    return ["p", {"class": "choices"}, *boxes, *more]


def cells(text: str, start: int | None = None, end: int | None = None) -> Block:
    """A text, a cell for each character, with offsets; from ``start`` to ``end`` underlined."""
    made: list[Block] = []
    for offset, char in enumerate(text):
        marked = start is not None and start <= offset < (end or 0)
        number: list[Block] = [] if offset % _TENTH else [["small", {}, str(offset)]]
        made.append(["span", {"class": "cell m" if marked else "cell"}, _shown(char), *number])
    return ["p", {"class": "text"}, *(made or [["em", {}, "the empty text"]])]


def _solved(question: Question) -> Iterator[Block]:
    section: list[Block] = [["span", {"class": "at"}, f" {question.section}"]]
    answer: Block = ["strong", {}, visible(_key(question))]
    yield ["p", {}, answer, *(section if question.section else [])]
    start, end = _place(question)
    pieces: list[Block] = [_shown(question.text)]
    if start is not None and end is not None:
        before, mark, after = (
            _shown(question.text[a:b]) for a, b in ((0, start), (start, end), (end, None))
        )
        pieces = [before, ["mark", {}, mark or "\u00a0"], after]
    yield ["p", {"class": "text small"}, *pieces]
    yield ["p", {"class": "why"}, visible(question.why)]


def _place(question: Question) -> tuple[int | None, int | None]:
    if question.kind == "verdict" and question.key != "valid":
        at = int(question.key.removeprefix("invalid "))
        return at, at + 1
    return question.start, question.end


def _key(question: Question) -> str:
    """The answer as a teacher reads it."""
    if question.options and question.kind != "verdict":
        letter = _LETTERS[question.options.index(question.key)]
        return f"{letter}) {question.key}"
    if question.kind == "verdict" and question.key != "valid":
        return f"invalid, at offset {question.key.removeprefix('invalid ')}"
    return question.key


def _shown(text: str) -> str:
    return visible(text).replace(" ", "\u2423")


def to_text(sheet: Sheet, *, key: bool = False) -> str:
    """The sheet as text; with ``key``, the answers after a form feed, on a page of their own."""
    return "\n".join(_text(sheet, key)) + "\n"


def _text(sheet: Sheet, key: bool) -> Iterator[str]:
    yield from (sheet.title, "=" * len(sheet.title), "", _HOW, f"Sheet {sheet.code}")
    for number, question in enumerate(sheet.questions, 1):
        yield from ("", f"{number}. {sheet.asked(question)}", "", f"     {_shown(question.text)}")
        yield f"     {_ruler(question)}"
        if question.kind == "fix":
            yield from ("", "     " + "_" * 44)
        elif question.kind == "verdict":
            yield from ("", "     [ ] valid   [ ] invalid, at offset ____")
        else:
            choices = zip(_LETTERS, question.options, strict=False)
            yield ""
            yield "     " + "   ".join(f"[ ] {letter}) {name}" for letter, name in choices)
    if key:
        yield from ("\f", f"Key of {sheet.code}", "")
        for number, question in enumerate(sheet.questions, 1):
            section = f" ({question.section})" if question.section else ""
            yield f"{number:>2}. {visible(_key(question))}{section}"
            yield f"    {visible(question.why)}"


def _ruler(question: Question) -> str:
    """Offsets under every fifth character, or a line under the subject of the question."""
    if question.start is not None and question.end is not None:
        return " " * question.start + "^" * (question.end - question.start)
    marks = "".join(f"{at:<{_TENTH}}" for at in range(0, len(question.text), _TENTH))
    return marks.rstrip()
