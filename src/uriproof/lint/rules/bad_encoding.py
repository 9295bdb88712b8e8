"""The rule ``bad-encoding``. Invariant: the rest of the file is checked all the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ...text.patterns import lazy
from ..files.source import Source
from . import Problem

CODE = "bad-encoding"
TITLE = "A file that is not in the encoding it should be in"
WHY = (
    "A file is read as UTF-8, or as its byte order mark or its own declaration (PEP 263, XML 1.0 "
    "§4.3.3) says. Bytes that this encoding does not allow make no characters: in a URL they are "
    "reported, elsewhere they are ignored."
)
GOOD = "# coding: latin-1"
BAD = "a line with the byte 0xE9, and no declaration"
SEVERITY: Literal["error", "warning", "note"] = "note"

_UNDECODED = lazy("[\udc80-\udcff]")


def check_file(source: Source) -> Iterator[Problem]:
    """The first byte that is no character in the encoding of the file."""
    if source.bad >= 0:
        match = _UNDECODED.search(source.text)
        at = match.start() if match else 0
        encoding = source.encoding.upper()
        yield Problem(at, at + 1, f"invalid {encoding} at byte offset {source.bad:,}")
