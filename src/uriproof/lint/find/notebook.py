r"""Notebooks of Jupyter: URLs in the Markdown and in the code of cells, and in what is printed.

Owns the cells (nbformat 4). Imports ``find._json_text`` and ``find._inside``. Invariant: the
strings of a cell's source, joined, are read as what the cell holds, and what is found there has
the offsets of the file; a cell that is broken is read as JSON.

>>> text = r'''{"cells": [{"cell_type": "markdown", "source": ["# A\n", "[a](http://b/c d)"]},
... {"cell_type": "code", "source": "s = \"http://e/\\u00e9\""}]}'''
>>> [(found.text, text[found.start : found.end]) for found in find(text, "a.ipynb")]
[('http://b/c d', 'http://b/c d'), ('http://e/é', 'http://e/\\\\u00e9')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..found import Found
from ._inside import Part, found_in
from ._json_text import ANCHORS as _STRINGS
from ._json_text import CLOSE, decoded, strings

__all__ = ["ANCHORS", "NAMES", "SUFFIXES", "find"]

SUFFIXES = (".ipynb",)
NAMES = ()
ANCHORS = (*_STRINGS, "](", "]:", "href=", "src=")

_FIELD = re.compile(
    r'"(?:cell_type"\s{0,80}:\s{0,80}"(?P<type>\w+)"|source"\s{0,80}:\s{0,80}(?P<source>["\[]))'
)
_EXTENSION = re.compile(r'"file_extension"\s*:\s*"(\.\w{1,20})"')
_BETWEEN = re.compile(r"[\s,]*+(?P<mark>[\"\]]?)")


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a notebook, in text order. Cost: O(n)."""
    extension = _EXTENSION.search(text)
    code = "cell" + (extension[1] if extension else ".py")
    kinds = {"markdown": "cell.md", "code": code}
    kind, at = "raw", 0
    for match in _FIELD.finditer(text):
        if match["type"]:
            kind = match["type"]
            continue
        if match.start() < at:
            continue
        parts, end = _source(text, match.start("source"))
        if not parts:
            continue
        yield from strings(text, at, match.start())
        for part in parts:
            for found in found_in(part, kinds.get(kind, "cell.txt"), f"{kind} cell"):
                # what a fix writes has neither quotes nor backslashes, but for these
                yield found if found.escape == "html" else replace(found, escape="json")
        at = end
    yield from strings(text, at)


def _source(text: str, at: int) -> tuple[list[Part], int]:
    """The source of a cell, a string or a list of strings, as few parts; and where it ends.

    A part ends where a string does not end in a line feed, for what is found in a part is one
    piece of the file.
    """
    parts: list[Part] = []
    lines: list[Part] = []
    many = text[at] == "["
    at += many
    while (between := _BETWEEN.match(text, at)) is not None and between["mark"] == '"':
        close = CLOSE.match(text, between.end())
        if close is None:
            break
        line = decoded(text, between.end(), close.end() - 1)
        lines.append(line)
        at = close.end()
        if not many:
            break
        if not line.text.endswith("\n"):
            parts.append(_joined(lines))
            lines = []
    if lines:
        parts.append(_joined(lines))
    return parts, at


def _joined(lines: list[Part]) -> Part:
    """Lines as one part."""
    if len(lines) == 1:
        return lines[0]
    places: list[int] = []
    for line in lines:
        places += line.places[:-1] or range(line.start, line.start + len(line.text))
    places.append(lines[-1].end)
    text = "".join(line.text for line in lines)
    return Part(text, lines[0].start, lines[-1].end, tuple(places))
