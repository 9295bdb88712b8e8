"""Renderers: reports in, text out.

Owns the values that every renderer is given, and what is written as JSON; ``as_text`` draws
reports. May import ``report`` and ``text``. Invariant: a renderer yields pieces of output while it
reads entries, holds one report at a time, and adds nothing about unread entries. JSON is one valid
text (RFC 8259), in ASCII, whatever the texts hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..report import Report
from ..text.columns import paint
from ..text.drawing import WIDTH


class Place(NamedTuple):
    """The place of a text: a file, as the user named it, and a line, counted from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Entry(NamedTuple):
    """One report to render; ``place`` is None for a text given by itself, as an argument."""

    report: Report
    place: Place | None = None

    def to_dict(self, style: Style) -> dict[str, Any]:
        """``Report.to_dict()``, for a text from a file after ``file`` and ``line``.

        Advice is an empty list unless it is shown.
        """
        where = self.place._asdict() if self.place else {}
        return where | self.report.to_dict(advice=style.advice is not False)


class Style(NamedTuple):
    """The style of output; ``advice`` is shown with every text, or not; by default, with single
    texts and invalid ones.

    ``width`` is in terminal columns. Only formats for people use ``color``, ``width`` and
    ``every``: whether to show every diagnostic, if many of a file are alike. ``explain``: also
    the expected elements, and the rule.
    """

    color: bool = False
    width: int = WIDTH
    advice: bool | None = None
    every: bool = False
    explain: bool = False

    def paint(self, text: str, color: str) -> str:
        """The text in a color, if the output has colors."""
        return paint(text, color, self.color)


def dumps(record: Any) -> str:
    """A record as JSON in ASCII, without what CI systems search a log for: "##" is in a string.

    >>> dumps({"file": "##vso[a]"})
    '{"file": "#\\\\u0023vso[a]"}'
    """
    import json

    return json.dumps(record).replace("##", "#\\u0023")


def json_array(records: Iterable[Any]) -> Iterator[str]:
    """Records as one JSON array, one a line, in ASCII, closed also if reading stops.

    A lone surrogate is an escape such as ``\\ud800``, which Python's reader gives back as it was.

    >>> "".join(json_array([])), "".join(json_array([{"a": 1}, 2]))
    ('[]\\n', '[{"a": 1},\\n2]\\n')
    """
    before = "["
    try:
        for record in records:
            yield before + dumps(record)
            before = ",\n"
    except GeneratorExit:  # whoever reads has gone; there is nobody to close the array for
        before = ""
        raise
    finally:
        if before:
            yield "]\n" if before != "[" else "[]\n"
