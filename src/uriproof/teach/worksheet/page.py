"""A worksheet as a page that prints, and as text for a terminal.

Owns both. Imports the worksheet and the palette. Invariant: all text is escaped; the page loads
nothing and runs nothing; it can be read in black and white, and the key starts on a page of its
own.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from ...text.drawing import visible
from . import Sheet
from .questions import Question

__all__ = ["to_html", "to_text"]

_LETTERS = "abcdefgh"
_TENTH = 5
"""Every fifth character has its offset below it."""

_HOW = (
    "Offsets count characters from 0; every fifth is numbered. \u2423 is a space."
)  # fmt: skip


def to_html(sheet: Sheet, *, key: bool = False) -> str:
    """The sheet as one HTML page for A4 and Letter; with ``key``, the answers on another page.

    Cost: O(length).
    """
    return "\n".join(_html(sheet, key)) + "\n"


def _html(sheet: Sheet, key: bool) -> Iterator[str]:
    style = Path(__file__).with_name("sheet.css").read_text(encoding="utf-8")
    title = escape(sheet.title)
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>"
    yield f"<header><h1>{title}</h1>"
    yield '<p class="who"><span>Name</span><span>Date</span><span>Points</span></p></header>'
    yield f'<p class="how">{_HOW}</p>\n<ol class="questions">'
    for question in sheet.questions:
        yield f"<li>{_question(sheet, question)}</li>"
    yield f'</ol>\n<footer class="code">Sheet <code>{escape(sheet.code)}</code></footer>'
    yield "</main>"
    if key:
        yield f'<section class="key">\n<h1>Key: {escape(", ".join(sheet.rules))}</h1>\n<ol>'
        for question in sheet.questions:
            section = f' <span class="at">{escape(question.section)}</span>'
            yield (
                f"<li><p><strong>{escape(visible(_key(question)))}</strong>"
                f"{section if question.section else ''}</p>{_marked(question)}"
                f'<p class="why">{escape(visible(question.why))}</p></li>'
            )
        yield f'</ol>\n<footer class="code">Sheet <code>{escape(sheet.code)}</code></footer>'
        yield "</section>"
    yield "</body>\n</html>"


def _question(sheet: Sheet, question: Question) -> str:
    out = [f'<p class="ask">{escape(sheet.asked(question))}</p>', _cells(question)]
    if question.kind == "fix":
        out.append('<p class="line"></p>')
    elif question.kind == "verdict":
        choices = "".join(f'<span class="choice"><i></i>{name}</span>' for name in question.options)
        out.append(f'<p class="choices">{choices}<span class="offset">at offset</span></p>')
    else:
        choices = "".join(
            f'<span class="choice"><i></i>{letter}) <code>{escape(name)}</code></span>'
            for letter, name in zip(_LETTERS, question.options, strict=False)
        )
        out.append(f'<p class="choices">{choices}</p>')
    return "".join(out)


def _cells(question: Question) -> str:
    """The text, a cell for each character, with offsets; the subject is underlined."""
    cells = []
    for offset, char in enumerate(question.text):
        marked = question.start is not None and question.start <= offset < (question.end or 0)
        number = "" if offset % _TENTH else f"<small>{offset}</small>"
        name = "c m" if marked else "c"
        cells.append(f'<span class="{name}">{escape(_shown(char))}{number}</span>')
    return f'<p class="text">{"".join(cells)}</p>'


def _marked(question: Question) -> str:
    """In the key: the text with the character that is blamed, or asked about, marked."""
    start, end = _place(question)
    if start is None or end is None:
        return f'<p class="text small">{escape(_shown(question.text))}</p>'
    text = [_shown(question.text[a:b]) for a, b in ((0, start), (start, end), (end, None))]
    before, mark, after = map(escape, text)
    return f'<p class="text small">{before}<mark>{mark or "&nbsp;"}</mark>{after}</p>'


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
