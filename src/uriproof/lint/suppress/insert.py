"""Suppressions put into files: a comment for each line that has diagnostics.

Owns where a comment can be added. Imports ``diagnostic``, ``lint.files`` and ``lint.find``.
Invariant: only comments are added; if a comment could become part of a text, or the format has
none, nothing is added, and the reason is given.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from ...diagnostic import Diagnostic, Edit
from ...text.patterns import lazy
from ..files.source import Lines
from ..find import comment, markdown, named, yaml
from ..find._languages import BLOCKS, HEREDOCS, SPANNING
from .comments import MARK

_OF_SUPPRESSIONS = frozenset(("unused-suppression", "suppression-without-reason"))
_NO_COMMENTS = "the format has no comments: use a baseline, or per-file-ignores"
_IN_TEXT = "a comment would become part of a text of several lines: use a baseline"
_CODE_BLOCK = "a comment would become part of a block of code: use a baseline"
_OF_LINK = "a comment would become part of the definition of a link: use a baseline"


def add_suppressions(
    text: str, file: str, diagnostics: Iterable[Diagnostic], reason: str
) -> tuple[list[Edit], list[tuple[Diagnostic, str]]]:
    r"""The suppressions to insert, one a line, and the lines without one, with reasons.

    An existing suppression on the line stays next to the new one. Cost: O(n).
    """
    suffix = file.rpartition(".")[2].lower()
    syntax = comment(file)
    refused: list[tuple[Diagnostic, str]] = []
    by_line: dict[int, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        if diagnostic.code in _OF_SUPPRESSIONS:
            refused.append((diagnostic, "it is about a suppression: change that"))
        else:
            by_line.setdefault(diagnostic.line, []).append(diagnostic)
    if syntax is None:
        every = (one for group in by_line.values() for one in group)
        return [], [*refused, *((one, _NO_COMMENTS) for one in every)]
    lines = Lines(text)
    closed = _Closed(text, lines, file, suffix)
    break_ = "\r\n" if "\r\n" in text else "\n"
    edits: list[Edit] = []
    for number, group in sorted(by_line.items()):
        why = closed.why(number)
        if why:
            refused += [(one, why) for one in group]
            continue
        start, end = lines.span(number)
        codes = ", ".join(sorted({one.code for one in group}))
        words = f" {reason}" if reason else ""
        if syntax.closer.endswith("-->"):
            words = words.replace("--", "—")  # ends the comment, or is not allowed in one
        opener, closer, above = syntax
        if not above:
            end = start + len(text[start:end].rstrip())
            added = f"  {opener} {MARK} ignore[{codes}]{words}{closer}"
            edits.append(Edit(end, end, added, True))
        else:
            indent = re.match(r"[ \t]*", text[start:end])
            before = indent[0] if indent else ""
            added = f"{before}{opener} {MARK} ignore-next-line[{codes}]{words}{closer}{break_}"
            edits.append(Edit(start, start, added, True))
    return edits, refused


_DEFINES = lazy(r"[ \t>]*\[(?:[^\]\\]|\\.)+\]:")
_HEREDOC = lazy(r"""<<[-~]?\s*(['"]?)([A-Za-z_]\w*)\1""")
_TAG = lazy(r"<[A-Za-z!?/]")
_RAW = lazy(r"(?i)<(/?)(?:script|style|textarea|title|pre|template)\b|<!\[CDATA\[|\]\]>")


class _Closed:
    """The lines whose end is within a text that continues: nothing can be added there."""

    def __init__(self, text: str, lines: Lines, file: str, suffix: str) -> None:
        self._lines = lines
        self._reasons: dict[int, str] = {}
        self._marks: dict[str, list[int]] = {}
        self._text = text
        self._suffix = suffix
        self._format = named(file)
        if suffix in {"py", "pyi"}:
            self._python(text)
        elif self._format == "markdown":
            self._markdown()
        elif self._format == "yaml":
            self._within(yaml.spanning(text), _IN_TEXT)
        else:
            self._quoted(suffix)

    def why(self, number: int) -> str:
        """Why nothing can be added at the end of a line, or nothing."""
        if self._lines.line(number).rstrip().endswith("\\"):
            return "the line continues on the next: use a baseline"
        return self._reasons.get(number, "") or self._around(number)

    def _around(self, number: int) -> str:
        """Why nothing can be added, by the construct that is open at the end of a line."""
        _, end = self._lines.span(number)
        block = BLOCKS.get(self._suffix)
        if block is not None and self._last(block[0], end) > self._last(block[1], end):
            return _IN_TEXT
        if self._suffix == "php" and self._last("<?", end) <= self._last("?>", end):
            return _IN_TEXT
        if self._format in {"html", "xml"}:
            opened = self._last("<", end)
            if opened > self._last(">", end) and _TAG.match(self._text, opened, end):
                return "a comment would be inside a tag: use a baseline"
            at = bisect_right(self._raw, (end, False)) - 1
            if at >= 0 and self._raw[at][1]:
                return _IN_TEXT
        return ""

    def _last(self, mark: str, end: int) -> int:
        """The last mark before an offset; -1 if there is none. Cost: O(log n) after O(n)."""
        starts = self._marks.get(mark)
        if starts is None:
            marks = re.finditer(f"(?={re.escape(mark)})", self._text)
            starts = self._marks[mark] = [match.start() for match in marks]
        at = bisect_right(starts, end - len(mark))
        return starts[at - 1] if at else -1

    @cached_property
    def _raw(self) -> list[tuple[int, bool]]:
        """The starts (True) and ends (False) of texts that hold no comments of the markup."""
        return [
            (match.end(), not match[1] and match[0] != "]]>") for match in _RAW.finditer(self._text)
        ]

    def _python(self, text: str) -> None:
        """Tokens that span lines, all but their last line; all, if there are no tokens."""
        import io
        import tokenize

        try:
            for token in tokenize.generate_tokens(io.StringIO(text).readline):
                if token.start[0] < token.end[0] and token.type != tokenize.NEWLINE:
                    for number in range(token.start[0], token.end[0]):
                        self._reasons[number] = _IN_TEXT
        except (tokenize.TokenError, SyntaxError, ValueError):
            for number in range(1, len(self._lines) + 1):
                self._reasons[number] = "the file is not valid Python: use a baseline"

    def _markdown(self) -> None:
        """Code, front matter and definitions; not the head lines of tables: a cell can hold a
        comment."""
        for number in range(1, len(self._lines) + 1):
            if _DEFINES.match(self._lines.line(number)):
                self._reasons[number] = _OF_LINK
        self._within(markdown.spanning(self._text), _CODE_BLOCK)

    def _within(self, spans: Iterable[tuple[int, int]], why: str) -> None:
        """All lines of some spans."""
        for start, end in spans:
            first, last = self._lines.place(start)[0], self._lines.place(end)[0]
            self._reasons.update(dict.fromkeys(range(first, last + 1), why))

    def _quoted(self, suffix: str) -> None:
        """Lines within backticks, three quotes, or a here-document, approximately."""
        quotes = SPANNING.get(suffix, ())
        open_: dict[str, bool] = dict.fromkeys(quotes, False)
        ends = ""
        documents = suffix in HEREDOCS
        for number in range(1, len(self._lines) + 1):
            line = self._lines.line(number)
            if ends:
                self._reasons[number] = _IN_TEXT
                ends = "" if line.strip().rstrip(";") == ends else ends
                continue
            for quote in quotes:
                open_[quote] ^= line.count(quote) % 2 == 1
            if any(open_.values()):
                self._reasons[number] = _IN_TEXT
            if documents and (begun := _HEREDOC.search(line)):
                ends = begun[2]
                self._reasons[number] = _IN_TEXT
