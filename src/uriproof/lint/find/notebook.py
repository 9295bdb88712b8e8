r"""Notebooks of Jupyter: URLs in the Markdown and code of cells, and in their output.

Owns the cells and their output (nbformat 3 and 4). Imports ``find._json`` and ``find._inside``.
Invariant: the strings of a cell, joined, are read in the format of the cell, and the findings have
the offsets of the file.

>>> text = r'''{"cells": [{"cell_type": "markdown", "source": ["# A\n", "[a](http://b/c d)"]},
... {"cell_type": "code", "source": "s = \"http://e/\\u00e9\""}]}'''
>>> [(found.text, text[found.start : found.end]) for found in find(text, "a.ipynb")]
[('http://b/c d', 'http://b/c d'), ('http://e/é', 'http://e/\\\\u00e9')]
"""

from __future__ import annotations

from collections.abc import Iterator

from ...text.patterns import lazy
from ..found import Found, Profile
from ._inside import Part
from ._json import found_within, keyed, part_of, values, within_text
from ._languages import pairs
from .markdown import ANCHORS as _OF_MARKDOWN

SUFFIXES = (".ipynb",)
NAMES: tuple[str, ...] = ()
ANCHORS = (":\\/\\/", *_OF_MARKDOWN)
PROFILES = (
    Profile(
        "iri",
        "the cells, as Markdown and source code; their output",
        "nbformat 4: the cells are strings of JSON, read as Markdown and as code",
    ),
)

_EXTENSION = lazy(r'"file_extension"\s*:\s*"(\.\w{1,20})"')
_LANGUAGE = lazy(r'"(?:language|language_info"\s*:\s*\{\s*"name)"\s*:\s*"([^"\\\n]{1,20})"')
_EXTENSIONS = pairs(
    "julia=.jl r=.r bash=.sh javascript=.js typescript=.ts scala=.scala java=.java kotlin=.kt"
    " c++=.cpp c#=.cs rust=.rs go=.go ruby=.rb sql=.sql haskell=.hs"
)
# The language of a cell, by the magic of IPython that it begins with.
_MAGIC = lazy(r"\s*%%(\w+)")
_MAGICS = pairs(
    "bash=.sh sh=.sh script=.sh writefile=.txt html=.html javascript=.js js=.js markdown=.md"
    " svg=.svg sql=.sql latex=.tex"
)
_OUTPUTS = {
    "text/html": ".html",
    "text/markdown": ".md",
    "image/svg+xml": ".svg",
    "application/javascript": ".js",
}
_SOURCES = frozenset(("source", "input"))
_CELL = "cell"


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a notebook, in text order. Cost: O(n)."""
    code = _code(text)
    kind, key, within = "", "", -1
    spans: list[tuple[int, int]] = []  # of the strings that come one after another under a key
    for one in values(text):
        at = one.opened[-1].start if one.opened else -1
        if (one.key, at) != (key, within) or one.is_key:
            yield from _found(text, spans, kind, key, code)
            spans = []
            key, within = one.key, at
        if one.is_key:
            continue
        if "cells" not in one.keys[:-1]:
            if text.find(":", one.start, one.end) >= 0:
                part = part_of(text, one.start, one.end)
                yield from keyed(part, key) if "://" in part.text else ()
        elif key == "cell_type":
            kind = text[one.start : one.end]
        else:
            spans.append((one.start, one.end))
    yield from _found(text, spans, kind, key, code)


def _code(text: str) -> str:
    """The suffix of files in the language of a notebook."""
    match = _EXTENSION.search(text)
    if match is not None:
        return match[1]
    match = _LANGUAGE.search(text)
    return _EXTENSIONS.get(match[1].lower(), ".py") if match else ".py"


def _found(
    text: str, spans: list[tuple[int, int]], kind: str, key: str, code: str
) -> Iterator[Found]:
    """The URLs of the strings under a key of a cell, or of its output."""
    if not spans or not _anchored(text, spans[0][0], spans[-1][1]):
        return
    for part in _joined([part_of(text, start, end) for start, end in spans]):
        if key in _SOURCES:
            suffix = {"markdown": ".md", "code": code}.get(kind, "")
            if suffix == code and (magic := _MAGIC.match(part.text)):
                suffix = _MAGICS.get(magic[1], code)
            why = f"{kind} cell" if kind else _CELL
        else:
            suffix, why = _OUTPUTS.get(key, ""), key
        if suffix:
            yield from found_within(part, _CELL + suffix, why)
        else:
            yield from within_text(part, why)


def _anchored(text: str, start: int, end: int) -> bool:
    folded = text[start:end].lower()
    return any(anchor in folded for anchor in ANCHORS)


def _joined(lines: list[Part]) -> Iterator[Part]:
    """Strings as few parts: one ends if a string does not end with a line feed, because a finding
    in a part is one piece of the file."""
    first = 0
    for at, line in enumerate(lines, 1):
        if at < len(lines) and line.text.endswith("\n"):
            continue
        places: list[int] = []
        for one in lines[first:at]:
            places += one.places[:-1] or range(one.start, one.start + len(one.text))
        places.append(line.end)
        joined = "".join(one.text for one in lines[first:at])
        yield line if at - first == 1 else Part(joined, lines[first].start, line.end, (*places,))
        first = at
