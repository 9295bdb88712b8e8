"""The input of commands: texts, one a line, and whole files.

May import ``drawing`` and ``render``. Invariant: every line is accounted for, with its number:
as text, as blank, or as one that could not be decoded; a file that cannot be read does not keep
the next one from being read.
"""

from __future__ import annotations

import os
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

from ..errors import UriproofError
from ..render import Place
from ..text.drawing import visible
from ..text.names import cause
from ._group import Refused

STANDARD_INPUT = "-"
_BOM = "\ufeff"


class NotUtf8(UriproofError, ValueError):
    """A line that is not UTF-8; the message says where."""


class Line(NamedTuple):
    """One text as it was given: an argument, or a line without its end.

    If ``raw`` is not UTF-8, ``text`` is None and ``why`` says where. ``place`` is None for an
    argument.
    """

    raw: bytes
    text: str | None
    place: Place | None
    why: str = ""

    def where(self) -> dict[str, Any]:
        """Its place as JSON-ready values; empty for an argument."""
        return {"file": self.place.file, "line": self.place.line} if self.place else {}

    def decoded(self) -> str:
        """The text. Errors: NotUtf8."""
        if self.text is None:
            raise NotUtf8(self.why)
        return self.text

    @property
    def blank(self) -> bool:
        """A line that is empty, or has only spaces and tabs: no text to check."""
        return self.place is not None and not self.raw.strip(b" \t")


class Unreadable(NamedTuple):
    """A file that could not be opened, or not read to its end."""

    why: str


def size(names: Iterable[str]) -> int | None:
    """The bytes in all the files, or None if that is unknown.

    >>> size(["-"]) is None
    True
    """
    names = list(names)
    if STANDARD_INPUT in names:
        return None
    try:
        return sum(os.stat(name).st_size for name in names) or None
    except (OSError, ValueError):
        return None


def texts(given: Iterable[str], files: Iterable[str] = ()) -> Iterator[Line | Unreadable]:
    """The arguments, for ``-`` the lines of standard input, then the lines of files."""
    for text in given:
        if text == STANDARD_INPUT:
            yield from read(text)
        else:
            # Bytes that are not UTF-8 stay in an argument as lone surrogates.
            yield Line(os.fsencode(text), text, None)
    for file in files:
        yield from read(file)


def read(name: str) -> Iterator[Line | Unreadable]:
    """The lines of a file, ``-`` for standard input.

    Lines end with LF or CRLF; any other control character belongs to its line. A byte order mark
    at the very start is an encoding signature, not text (RFC 3629 section 6). Memory: one line.
    """
    try:
        if name == STANDARD_INPUT:
            yield from _lines(sys.stdin.buffer, "<stdin>")
        else:
            with open(name, "rb") as stream:
                yield from _lines(stream, name)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        yield Unreadable(f"{name}: {cause(error)}")


def _lines(stream: BinaryIO, file: str) -> Iterator[Line]:
    before = 0  # bytes of the file before the decoded line
    for number, whole in enumerate(stream, 1):
        raw = whole.removesuffix(b"\n")
        if len(raw) < len(whole):
            raw = raw.removesuffix(b"\r")
        skipped = len(BOM_UTF8) if number == 1 and raw.startswith(BOM_UTF8) else 0
        raw = raw[skipped:]
        place = Place(file, number)
        try:
            yield Line(raw, raw.decode("utf-8"), place)
        except UnicodeDecodeError as error:
            at = skipped + error.start
            why = (
                f"not UTF-8: byte 0x{raw[error.start]:02X} at offset {at} of the line, "
                f"{before + at} of the file"
            )
            if number == 1 and raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
                why += " (the file looks like UTF-16)"
            yield Line(raw, None, place, why)
        before += len(whole)


def read_text(file: str) -> str:
    """The text of a file in UTF-8, or of standard input (-), without a BOM. Errors: Refused."""
    name = "<stdin>" if file == "-" else file
    try:
        if file == "-":
            raw = sys.stdin.buffer.read()
        else:
            with open(file, "rb") as stream:
                raw = stream.read()
        return raw.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        raise Refused(f"{visible(name)}: not UTF-8 at byte {error.start}") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise Refused(f"{visible(name)}: {cause(error)}") from error
