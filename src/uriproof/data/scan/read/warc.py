"""WARC: the records of a crawl, with the text in a field of their headers (ISO 28500).

Owns how records are read: only their headers, whatever their content. Imports pyarrow. Invariant:
the row of a text is the number of its record, from 0; a record without the field is null, and one
with a wrong beginning or end is broken: the next one is looked for after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pyarrow as pa

from ....limits import LARGEST_WARC_HEADER
from . import Chunk, Notify, Source, Texts, Unreadable
from ._stream import Octets

FORMATS = {"warc": (".warc", ".wat", ".wet")}

FIELD = "WARC-Target-URI"

_BEGIN = re.compile(rb"WARC/\d+\.\d+[ \t]*\r?\n")
_NEXT = re.compile(rb"\n(?=WARC/\d+\.\d+[ \t]*\r?\n)")
_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"(?im)^content-length[ \t]*:[ \t]*(\d+)[ \t]*\r?$")
_MOST_ROWS = 1 << 15
_MOST_BYTES = 4 << 20
_LEAST = 1 << 12
_BROKEN = "no WARC record begins there, or its header is cut short"


def _unfolded(value: bytes) -> bytes:
    return re.sub(rb"\r?\n[ \t]+", b" ", value.removesuffix(b"\r").rstrip(b" \t"))


def runs(source: Source, column: str | None, _: Notify) -> Iterator[list[Chunk]]:
    """The records, some at once. Errors: ``Unreadable``."""
    name = re.escape((column or FIELD).encode())
    wanted = re.compile(rb"(?im)^%s[ \t]*+:[ \t]*+([^\n]*+(?:\n[ \t][^\n]*+)*+)" % name)
    number = first = row = 0
    held = _Held()
    error: Unreadable | None = None
    with Octets(source) as pieces:

        def chunk() -> Chunk:
            return Chunk(source.number, number, first, row - first, held.what(), pieces.part())

        records = _records(pieces)
        while True:
            try:
                head = next(records)
            except StopIteration:
                break
            except Unreadable as caught:  # the records before it are whole
                error = caught
                break
            if head is None:
                held.broken.append(row - first)
            else:
                held.take(row - first, wanted.search(head))
            row += 1
            if row - first >= _MOST_ROWS or held.size > _MOST_BYTES:
                yield [chunk()]
                first, number, held = row, number + 1, _Held()
        if row > first:
            yield [chunk()]
    if error is not None:
        raise error


class Reading:
    """The field of each record."""

    def __init__(self, source: Source) -> None:
        pass

    def texts(self, chunk: Chunk) -> Texts:
        """The texts of a chunk."""
        values, at, broken, first = chunk.what
        column = pa.array(values, pa.binary()).view(pa.string())
        return Texts(column, at if broken else None, broken, first, _BROKEN)


class _Held:
    """Records that become a chunk."""

    def __init__(self) -> None:
        self.texts: list[bytes | None] = []
        self.at: list[int] = []
        self.broken: list[int] = []
        self.size = 0

    def take(self, at: int, found: re.Match[bytes] | None) -> None:
        text = None if found is None else _unfolded(found[1])
        if text is not None and text[:1] == b"<" and text[-1:] == b">":
            text = text[1:-1]  # as WARC 1.0 has it
        self.texts.append(text)
        self.at.append(at)
        self.size += len(text or b"")

    def what(self) -> tuple[list[bytes | None], list[int], int, int]:
        return self.texts, self.at, len(self.broken), (self.broken or [0])[0]


def _records(pieces: Iterator[bytes]) -> Iterator[bytes | None]:
    """The header of each record, and None for a broken one.

    Errors: ``Unreadable`` if the last record is cut short, and for a file of another format.
    """
    buffer, more = b"", True
    found_any = False

    def fill(least: int) -> None:
        nonlocal buffer, more
        held, size = [buffer], len(buffer)
        while more and size < least:
            piece = next(pieces, None)
            more = piece is not None
            held.append(piece or b"")
            size += len(held[-1])
        buffer = b"".join(held)

    while True:
        fill(_LEAST)
        if not buffer:
            return
        end = _END.search(buffer) if _BEGIN.match(buffer) else None
        while end is None and _BEGIN.match(buffer) and more and len(buffer) < LARGEST_WARC_HEADER:
            fill(2 * len(buffer))
            end = _END.search(buffer)
        length = end and _LENGTH.search(buffer, 0, end.start() + 1)
        if end is None or length is None:
            if not found_any and not _BEGIN.match(buffer):
                raise Unreadable("it does not begin as a WARC file; name another --input-format")
            yield None
            while True:  # the next record, if there is one
                after = _NEXT.search(buffer, 1)
                if after is not None:
                    buffer = buffer[after.end() :]
                    break
                if not more:
                    return
                buffer = buffer[-_LEAST:]
                fill(len(buffer) + _LEAST)
            continue
        found_any = True
        yield buffer[: end.start()]
        left = int(length[1]) - (len(buffer) - end.end())
        if left <= 0:
            buffer = buffer[left:] if left else b""
        else:
            buffer = b""
            while left > 0 and (piece := next(pieces, None)) is not None:
                left, buffer = left - len(piece), piece[left:]
            if left > 0:
                raise Unreadable(f"its last record is cut short by {left:,} octets; copy it again")
        fill(_LEAST)
        buffer = buffer.lstrip(b"\r\n")
