"""Plain text: one text on each line.

Owns how lines are read. Imports pyarrow. Invariant: the row of a text is the number of its line,
from 0; blank lines are null.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from . import Chunk, Notify, Source, Texts, Unreadable
from ._stream import Octets, blocks, lines

FORMATS = {"text": (".txt", ".text", ".lst", ".urls")}


def runs(source: Source, column: str | None, _: Notify) -> Iterator[list[Chunk]]:
    """The blocks of the file. Errors: ``Unreadable``."""
    if column is not None:
        raise Unreadable(
            f"plain text has no column {column!r}; leave --column out, or use --format"
        )
    with Octets(source) as pieces:
        for number, block in enumerate(blocks(pieces, lines)):
            what = block.raw, block.why
            yield [Chunk(source.number, number, block.first, block.rows, what, pieces.part())]


class Reading:
    """Lines as texts."""

    def __init__(self, source: Source) -> None:
        pass

    def texts(self, chunk: Chunk) -> Texts:
        """The texts of a chunk."""
        raw, why = chunk.what
        if why:
            return Texts(pa.array([], pa.string()), [], 1, 0, why)
        found = split(raw)
        column = pa.array([line if line.strip(b" \t") else None for line in found], pa.binary())
        return Texts(column.view(pa.string()))


def split(raw: bytes) -> list[bytes]:
    """Lines without their ends."""
    found = raw.split(b"\n")
    if not found[-1]:
        found.pop()
    if b"\r" in raw:
        found = [line.removesuffix(b"\r") for line in found]
    return found
