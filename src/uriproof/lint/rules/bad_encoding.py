r"""The rule ``bad-encoding``. Owns its texts; imports nothing. Invariant: the rest of the file is
checked all the same."""

from typing import Literal

CODE = "bad-encoding"
TITLE = "A file that is not in the encoding it should be in"
WHY = (
    "A file is read as UTF-8, or as its byte order mark or its own declaration (PEP 263, XML 1.0 "
    "§4.3.3) says. Bytes that this encoding does not allow make no characters: in a URL they are "
    "reported, elsewhere they are passed over."
)
GOOD = "# coding: latin-1"
BAD = "a line with the byte 0xE9, and no declaration"
SEVERITY: Literal["error", "warning", "note"] = "note"
