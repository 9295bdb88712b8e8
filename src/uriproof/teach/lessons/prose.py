"""Text of lessons: paragraphs and lists of pieces, as data.

Owns the few marks of a lesson's text. Imports the standard library. Invariant: no text is lost, and
none is ever read as HTML: anything but a mark is shown unchanged.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

Piece: TypeAlias = dict[str, Any]
"""``text``, and whether it is ``code`` or has ``emphasis``."""

Block: TypeAlias = dict[str, Any]
"""A paragraph with ``pieces``, or a list with ``items``, each of them pieces."""

_MARKS = re.compile(
    r"(?P<ticks>(?<!`)`++)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)|\*(?P<word>[^*\s][^*]*)\*", re.S
)


def blocks(text: str) -> list[Block]:
    """The paragraphs and lists of a text. Cost: O(n).

    >>> [block["kind"] for block in blocks("One.\\n\\n- a\\n- b")]
    ['paragraph', 'list']
    """
    found: list[Block] = []
    for part in re.split(r"\n[ \t]*\n", text.strip("\n")):
        items: list[str] = []
        before: list[str] = []
        for line in part.split("\n"):
            if line.startswith("- "):
                items.append(line[2:])
            elif items:
                items[-1] += " " + line.strip()
            elif line.strip():
                before.append(line.strip())
        if before:
            found.append({"kind": "paragraph", "pieces": pieces(" ".join(before))})
        if items:
            found.append({"kind": "list", "items": [pieces(item) for item in items]})
    return found


def pieces(text: str) -> list[Piece]:
    """One line of text: plain, ``code`` within backquotes, emphasis within asterisks.

    >>> [(p["text"], p["code"]) for p in pieces("a `b*c` d")]
    [('a ', False), ('b*c', True), (' d', False)]
    """
    found: list[Piece] = []
    at = 0
    for mark in _MARKS.finditer(text):
        if mark.start() > at:
            found.append(piece(text[at : mark.start()]))
        if mark["code"] is not None:
            found.append(piece(_unpadded(mark["code"]), code=True))
        else:
            found.append(piece(mark["word"], emphasis=True))
        at = mark.end()
    if at < len(text):
        found.append(piece(text[at:]))
    return found


def piece(text: str, *, code: bool = False, emphasis: bool = False) -> Piece:
    """One piece, with no mark read in it."""
    return {"text": text, "code": code, "emphasis": emphasis}


def _unpadded(code: str) -> str:
    """Without the spaces that keep a backquote of the code from those around it."""
    if code.startswith(" ") and code.endswith(" ") and "`" in code:
        return code[1:-1]
    return code
