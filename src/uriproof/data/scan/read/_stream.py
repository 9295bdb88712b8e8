"""The octets of a file, decompressed, and blocks of whole records of them.

Owns how compression is found, and the treatment of files cut short and records without an end.
Imports the standard library; pyarrow for other compressions. Invariant: all decompressed content is
given before the error that ends it; a record of more than ``LONGEST_RECORD`` octets is broken, so
that memory is bounded; the blocks of a file are the same each time.
"""

from __future__ import annotations

import os
import sys
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from ....limits import LONGEST_RECORD, MOST_XZ_MEMORY
from . import STANDARD_INPUT, Source, Unreadable

__all__ = ["Block", "Cut", "Octets", "blocks", "lines"]


MOST_ROWS = 1 << 17
"""Rows of the largest block."""

Cut: TypeAlias = Callable[[bytes, bool], tuple[int, int]]
"""The end of the last whole record in some octets, 0 if there is none, and the number of records.

The second argument is whether the octets are the last ones of the file.
"""

_BLOCK = 4 << 20
_PIECE = 1 << 18
_MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zX": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
}
_ZIP = b"PK\x03\x04"
_UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)

TOO_LONG = f"longer than {LONGEST_RECORD >> 20} MB"
CUT_SHORT = "the file is cut short"


class Block(NamedTuple):
    """Whole records, one after the other: the number of the first, their count, and their octets.

    If ``why`` is given, the block is one record that cannot be read.
    """

    first: int
    rows: int
    raw: bytes
    why: str = ""


def lines(raw: bytes, last: bool) -> tuple[int, int]:
    """A record is a line. It ends with LF or CRLF, except for the last one of the file."""
    end = len(raw) if last else raw.rfind(b"\n") + 1
    return end, raw.count(b"\n", 0, end) + (raw[end - 1 : end] not in {b"\n", b""})


class Octets:
    """The content of a file in pieces, decompressed, without a byte order mark.

    Iterating raises ``Unreadable`` after the last piece that could be read; OSError.
    """

    def __init__(self, source: Source) -> None:
        self._stream = _opened(source)
        self._size = os.fstat(self._stream.fileno()).st_size
        self._taken = 0
        self._pieces = self._read()

    def __enter__(self) -> Octets:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._pieces)

    def part(self) -> float:
        """How much of the file was read since this was last called, of 1; 0 of a pipe."""
        if not self._size:
            return 0.0
        at = min(self._stream.tell(), self._size)
        more, self._taken = at - self._taken, at
        return more / self._size

    def _read(self) -> Iterator[bytes]:
        pieces = _decompressed(self._stream)
        first = next(pieces, b"")
        if first.startswith(_UTF_16):
            raise Unreadable("UTF-16; convert it to UTF-8 first")
        yield first.removeprefix(BOM_UTF8)
        yield from pieces


def blocks(pieces: Octets, cut: Cut, unclosed: str = TOO_LONG) -> Iterator[Block]:
    """The content of a file as blocks of whole records.

    ``unclosed`` is the error of a record that has line ends and no end. Errors: ``Unreadable``,
    after the blocks of all readable records; OSError.
    """
    rest, row, more = b"", 0, True
    error: Unreadable | None = None
    while more:
        held, size = [rest], 0
        while more and size < _BLOCK:
            try:
                piece = next(pieces, None)
            except Unreadable as caught:
                piece, error = None, caught
            more = piece is not None
            held.append(piece or b"")
            size += len(held[-1])
        rest = b"".join(held)
        while rest:
            end, rows = cut(rest, not more and error is None)
            why = ""
            if not end:
                if more and len(rest) <= LONGEST_RECORD:
                    break
                end, rows, why = rest.find(b"\n") + 1, 1, unclosed
                if not end and more:
                    why, rest, end = TOO_LONG, _after_line(pieces), 0
                elif not end:
                    why, end = CUT_SHORT, len(rest)
            yield from _bounded(Block(row, rows, b"" if why else rest[:end], why), cut)
            row, rest = row + rows, rest[end:]
            if more and len(rest) < _BLOCK:
                break
    if error is not None:
        raise error


def _after_line(pieces: Iterator[bytes]) -> bytes:
    """The octets after the next line end; those before it are not kept."""
    for piece in pieces:
        if end := piece.find(b"\n") + 1:
            return piece[end:]
    return b""


def _bounded(block: Block, cut: Cut) -> Iterator[Block]:
    """A block as some of no more rows than ``MOST_ROWS``."""
    if block.rows > MOST_ROWS:
        end, rows = cut(block.raw[: len(block.raw) // 2], False)
        if end:
            yield from _bounded(Block(block.first, rows, block.raw[:end]), cut)
            rest = Block(block.first + rows, block.rows - rows, block.raw[end:])
            yield from _bounded(rest, cut)
            return
    yield block


def _opened(source: Source) -> BinaryIO:
    if source.name == STANDARD_INPUT:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    try:
        return open(source.name, "rb")
    except FileNotFoundError as error:
        raise Unreadable("the file does not exist") from error
    except IsADirectoryError as error:
        raise Unreadable("a folder; name its files, as 'FOLDER/*.csv'") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        why = getattr(error, "strerror", None) or error
        raise Unreadable(f"it cannot be opened: {why}") from error


def _decompressed(stream: BinaryIO) -> Iterator[bytes]:
    start = stream.read(4)
    for magic, name in _MAGIC.items():
        if start.startswith(magic):
            unpacked = _by_arrow if name in {"zstd", "lz4"} else _by_member
            yield from unpacked(name, start, stream)
            return
    if start == _ZIP:
        raise Unreadable("a zip archive; unpack it first")
    piece = start + stream.read(_PIECE - len(start))
    while piece:
        yield piece
        piece = stream.read(_PIECE)


def _member(name: str) -> Any:
    """A decompressor of a member of a file, from the standard library."""
    if name == "gzip":
        return zlib.decompressobj(16 + zlib.MAX_WBITS)
    if name == "bzip2":
        from bz2 import BZ2Decompressor

        return BZ2Decompressor()
    from lzma import FORMAT_XZ, LZMADecompressor

    return LZMADecompressor(FORMAT_XZ, MOST_XZ_MEMORY)


def _by_member(name: str, start: bytes, stream: BinaryIO) -> Iterator[bytes]:
    """All members of a file (of gzip: RFC 1952 §2.2); zeros after them are padding."""
    member: Any = None
    given = start
    while given or (given := stream.read(_PIECE)):
        if member is None:
            given = given.lstrip(b"\0") or stream.read(_PIECE)
            if not given:
                return
            member = _member(name)
        more = True
        while more:
            try:
                made = member.decompress(given, _PIECE)
            except Exception as error:  # each of the three has an exception of its own
                why = f"the {name} data are corrupt ({error}); copy or compress the file again"
                raise Unreadable(why) from error
            if made:
                yield made
            # zlib returns the octets that it has not read; the others keep them.
            given = getattr(member, "unconsumed_tail", b"")
            more = not member.eof and not getattr(member, "needs_input", True)
        if member.eof:
            given, member = member.unused_data, None
    if member is not None:
        raise Unreadable(f"the {name} data are cut short; copy or compress the file again")


def _by_arrow(name: str, start: bytes, stream: BinaryIO) -> Iterator[bytes]:
    import pyarrow as pa

    whole = pa.CompressedInputStream(pa.PythonFile(_Joined(start, stream), "r"), name)
    try:
        while piece := whole.read(1 << 13):  # little, because a failing read returns nothing
            yield piece
    except (OSError, pa.ArrowException) as error:
        why = f"the {name} data are corrupt or cut short ({error}); copy or compress the file again"
        raise Unreadable(why) from error


class _Joined:
    """A stream of which the start was read before; as much of a file as pyarrow needs."""

    closed = False

    def __init__(self, start: bytes, stream: BinaryIO) -> None:
        self._start, self._stream = start, stream

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False

    def read(self, size: int = -1) -> bytes:
        if self._start:
            given, self._start = self._start, b""
            return given
        return self._stream.read(size)

    def close(self) -> None:
        self.closed = True
