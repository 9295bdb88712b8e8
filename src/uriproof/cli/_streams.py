"""Standard streams: in which encoding they are written, and what that cannot show.

Owns how standard output and standard error are set up. Imports the standard library alone.
Invariant: what a program reads is UTF-8 with LF on every system; what people read is in the
encoding that their terminal has, and what that cannot show is escaped, and a note counts it.
"""

from __future__ import annotations

import codecs
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

__all__ = [
    "escape_what_cannot_be_shown",
    "for_programs",
    "report_what_was_escaped",
    "takes_escapes",
]

_ERRORS = "uriproof.escaped"
_VIRTUAL_TERMINAL = 4  # ENABLE_VIRTUAL_TERMINAL_PROCESSING of SetConsoleMode

_escaped = 0


def _escape(error: UnicodeError) -> tuple[str | bytes, int]:
    """A backslash escape in place of what an encoding does not have, which is counted."""
    global _escaped  # noqa: PLW0603 -- a codec has no other place to count in
    if isinstance(error, UnicodeEncodeError) and error.encoding != "utf-8":
        _escaped += error.end - error.start
    return codecs.backslashreplace_errors(error)


def escape_what_cannot_be_shown() -> None:
    """Set the streams up: what cannot be encoded is escaped, and is no error."""
    global _escaped  # noqa: PLW0603
    _escaped = 0
    codecs.register_error(_ERRORS, _escape)
    for stream in sys.stdout, sys.stderr:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_ERRORS)


def report_what_was_escaped() -> None:
    """Report, if something was escaped, in which encoding that happened, and what helps."""
    if _escaped:
        name = getattr(sys.stdout, "encoding", "") or "that of the terminal"
        characters = "1 character is" if _escaped == 1 else f"{_escaped:,} characters are"
        sys.stderr.write(
            f"uriproof: {characters} shown as escapes, for the output's encoding is {name}; "
            "to have UTF-8, set PYTHONUTF8=1\n"
        )


def for_programs(stream: TextIO) -> None:
    """Write UTF-8 with LF to a stream from now on, whatever the system's are."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", newline="\n", errors="backslashreplace")


def takes_escapes(stream: TextIO) -> bool:
    """Whether a terminal takes escape sequences: on Windows, they are turned on."""
    if sys.platform != "win32":
        return True
    import ctypes
    import msvcrt

    kernel = ctypes.windll.kernel32
    mode = ctypes.c_ulong()
    try:
        handle = msvcrt.get_osfhandle(stream.fileno())
    except (OSError, ValueError):
        return False
    known = kernel.GetConsoleMode(handle, ctypes.byref(mode))
    return bool(known and kernel.SetConsoleMode(handle, mode.value | _VIRTUAL_TERMINAL))
