r"""Files as text: their bytes, their decoding, and why some are not read.

Owns the reading of files. Imports the names of encodings. Invariant: nothing raises on any
file; ``encoded`` returns exactly the bytes that were decoded.

>>> source = decoded("a.txt", b"\xef\xbb\xbfa\r\n")
>>> source.text, source.bom, encoded(source.text, source)
('a\r\n', b'\xef\xbb\xbf', b'\xef\xbb\xbfa\r\n')
"""

from __future__ import annotations

import os
import stat
from bisect import bisect_left, bisect_right
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Callable
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple

from ...limits import LARGEST_FILE
from ...percent.errors import known
from ...text.patterns import lazy

_FIRST = 65_536  # bytes read at first: all of most files, in one call
_SNIFFED = 8_192  # bytes looked at for a NUL, as git does
_DECLARED = 1_024  # bytes within which a file can name its encoding (HTML §4.2.5.4)

# The longer marks first: UTF-32 in little endian begins as UTF-16 does.
_MARKS = (
    (BOM_UTF8, "utf-8"),
    (BOM_UTF32_LE, "utf-32-le"),
    (BOM_UTF32_BE, "utf-32-be"),
    (BOM_UTF16_LE, "utf-16-le"),
    (BOM_UTF16_BE, "utf-16-be"),
)

_PDF = b"%PDF-"  # its first bytes are text, and hold no zero (ISO 32000-1 §7.5.2)
_WIDE = (BOM_UTF16_LE, BOM_UTF16_BE, BOM_UTF32_BE)  # of text that holds zeros

# PEP 263, Emacs and vim; XML 1.0 §4.3.3; HTML §4.2.5.4; CSS Syntax §3.2.
_DECLARATION = lazy(rb"""(?:coding|charset)[=: \t]+["']?([-\w.]+)""")

Why = Literal["binary", "large", "link", "unreadable", "vanished"]


class Unread(NamedTuple):
    """A file that was not checked: the class of the reason, and the reason in words.

    ``vanished``: it was there when the folder was read; ``link``: it is behind one, and links are
    not followed. Only ``unreadable`` is an error.
    """

    file: str
    why: Why
    message: str


class Source(NamedTuple):
    """A file's text without its byte order mark. Bytes that the encoding does not allow are lone
    surrogates (PEP 383); ``bad`` is the offset in bytes of the first of them, or -1."""

    file: str
    text: str
    encoding: str = "utf-8"
    bom: bytes = b""
    bad: int = -1


def read(path: str, largest: int = LARGEST_FILE) -> bytes | Unread:
    """The bytes of a file, unless its first bytes show that it is binary.

    A pipe or a device is never waited for. Cost: one read of the file.
    """
    try:
        # Not blocking: a pipe among the files must not hold up the run.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        return _unread(path, error)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
            return Unread(path, "unreadable", f"{kind}: nothing to read")
        data = os.read(handle, _FIRST)  # all of most files, and enough to recognize a binary one
        if (b"\0" in data[:_SNIFFED] and not data.startswith(_WIDE)) or data.startswith(_PDF):
            return Unread(path, "binary", "binary: not checked")
        size = status.st_size
        if size > largest:
            message = f"{size:,} bytes are more than max-file-size = {largest:,}: not checked"
            return Unread(path, "large", message)
        if len(data) != size:
            data = _rest(handle, data, size, largest)
    except OSError as error:
        return _unread(path, error)
    finally:
        os.close(handle)
    return data


def _rest(handle: int, data: bytes, size: int, largest: int) -> bytes:
    """The rest of a handle's bytes. A file can grow while it is read, or not report its size."""
    pieces, done = [data], len(data)
    while data and done <= largest:
        data = os.read(handle, max(size - done, _FIRST))
        pieces.append(data)
        done += len(data)
    return b"".join(pieces)


_BINARY = getattr(os, "O_BINARY", 0)


def _unread(path: str, error: Exception) -> Unread:
    words = getattr(error, "strerror", None) or str(error)
    gone = isinstance(error, FileNotFoundError)
    return Unread(path, "vanished" if gone else "unreadable", words)


def decoded(file: str, data: bytes) -> Source:
    r"""The text of some bytes, by their byte order mark, else UTF-8, else their declaration.

    Errors: none. Cost: O(n).

    >>> decoded("a.py", b"# coding: latin-1\n# \xe9").text[-1]
    'é'
    >>> decoded("a.txt", b"a\xe9").bad
    1
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _by(file, data[len(mark) :], encoding, mark)
    try:
        return Source(file, data.decode("utf-8"))
    except UnicodeDecodeError:
        declared = _DECLARATION.search(data[:_DECLARED])
        if declared is not None:
            name = declared[1].decode("ascii", "replace")
            found = _declared(file, data, name)
            if found is not None:
                return found
    return _by(file, data, "utf-8", b"")


def _declared(file: str, data: bytes, encoding: str) -> Source | None:
    """The text by an encoding that the file names itself, if it is one and gives the bytes back."""
    try:
        text = data.decode(known(encoding))
        return Source(file, text, encoding) if text.encode(encoding) == data else None
    except (LookupError, UnicodeError, ValueError):
        return None


def _by(file: str, data: bytes, encoding: str, bom: bytes) -> Source:
    try:
        return Source(file, data.decode(encoding), encoding, bom)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":  # its bytes make no text: as Latin-1, each is a character
            return Source(file, data.decode("latin-1"), "latin-1", bom, len(bom) + error.start)
        text = data.decode("utf-8", "surrogateescape")
        return Source(file, text, encoding, bom, len(bom) + error.start)


def encoded(text: str, source: Source) -> bytes:
    """A text as bytes, as the file that it comes from was encoded.

    Errors: UnicodeEncodeError, for a character that the encoding does not have.
    """
    errors = "surrogateescape" if source.encoding == "utf-8" else "strict"
    return source.bom + text.encode(source.encoding, errors)


_LINE_END = lazy(r"\r\n?|\n")


class Lines:
    r"""The lines of a text, which end with LF, CRLF or CR; numbers count from 1.

    >>> lines = Lines("ab\r\ncd")
    >>> lines.place(5), lines.line(2), len(lines)
    ((2, 2), 'cd', 2)
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        if "\r" in self.text:
            return [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        ends = accumulate(len(line) + 1 for line in self.text.split("\n"))  # twice as fast
        return [0, *ends][:-1]

    def __len__(self) -> int:
        return len(self._starts)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset. Cost: O(log lines)."""
        number = bisect_right(self._starts, offset)
        return number, offset - self._starts[number - 1] + 1

    def span(self, number: int) -> tuple[int, int]:
        """The start and the end of a line, without its end mark."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        return start, end

    def line(self, number: int) -> str:
        start, end = self.span(number)
        return self.text[start:end]


ENCODINGS: dict[str, Callable[[str], int]] = {
    "utf-8": lambda char: len(char.encode("utf-8", "surrogatepass")),
    "utf-16": lambda char: 1 + (char > "\uffff"),
    "utf-32": lambda char: 1,
}
"""The number of units of each character, by the name of the unit."""


class Positions:
    r"""A text, with positions as an editor counts them; lines and columns count from 0.

    Spec: Language Server Protocol 3.17, Text Documents.

    An offset goes to a position and back unchanged, unless it lies within a CRLF.

    >>> text = Positions("a\U0001f600b\n", "utf-16")
    >>> text.position(2), text.offset(0, 3), text.offset(0, 99)
    ((0, 3), 2, 3)
    """

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text
        self.lines = Lines(text)
        self._units = ENCODINGS[encoding]
        self._line: tuple[int, list[int]] = 0, []

    def offset(self, line: int, column: int) -> int:
        """The offset of a position; beyond a line's end, that end. Cost: as of ``position``."""
        if line >= len(self.lines):
            return len(self.text)
        start, end = self.lines.span(line + 1)
        if self.text.isascii():
            return min(start + column, end)
        return min(start + bisect_left(self._columns(line + 1), column), end)

    def position(self, offset: int) -> tuple[int, int]:
        """The position of an offset. Cost: O(length of the line), once while it is one line."""
        line = self.lines.place(offset)[0]
        start, end = self.lines.span(line)
        at = min(offset, end) - start
        return line - 1, at if self.text.isascii() else self._columns(line)[at]

    def _columns(self, line: int) -> list[int]:
        """The column of each character of a line, and of its end; kept of the line asked last."""
        if self._line[0] != line:
            start, end = self.lines.span(line)
            self._line = line, [0, *accumulate(map(self._units, self.text[start:end]))]
        return self._line[1]
