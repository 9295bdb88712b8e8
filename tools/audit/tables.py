"""Tables as Markdown: the common parts of the pages of audits. Imports the characters."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from uriproof.percent.characters import ASCII

NAMES = {" ": "SP"}
CONTROLS = tuple(c for c in ASCII if not c.isprintable())

Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""The heads of the columns, and the rows; the first column names the row."""

Part = tuple[str, str, Table, bool]
"""A title, the table in words, the table, and whether it is drawn as a picture."""


def listed(chars: Iterable[str]) -> str:
    """Characters to read: controls as one word, for they always come together."""
    found = list(chars)
    marks = " ".join(NAMES.get(c, c) for c in found if c not in CONTROLS)
    return f"CTL {marks}".strip() if any(c in CONTROLS for c in found) else marks


def as_markdown(title: str, about: str, parts: Iterable[Part]) -> Iterable[str]:
    """The lines of a page: its title, its subject, and the parts."""
    yield from (f"# {title}", "", *_wrapped(about))
    for head, words, (heads, rows), picture in parts:
        yield from ("", f"## {head}", "")
        if words:
            yield from (*_wrapped(words), "")
        if picture:
            yield from ("```text", *_columns(heads, rows), "```")
            continue
        yield _row(heads)
        yield "|" + "---|" * len(heads)
        for row in rows:
            yield _row([row[0], *(_code(cell, heads[i]) for i, cell in enumerate(row[1:], 1))])


_WORDS = frozenset({"for", "note", "source", "set", "grammar", "production"})


def _code(cell: str, head: str) -> str:
    if not cell or head in _WORDS or len(head) == 1:
        return cell.replace("*", "\\*")
    return f"`` {cell} ``" if "`" in cell else f"`{cell}`"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _columns(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[str]:
    lines = [heads, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    for line in lines:
        yield " ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _wrapped(words: str) -> list[str]:
    return textwrap.wrap(words, 100, break_long_words=False, break_on_hyphens=False)
