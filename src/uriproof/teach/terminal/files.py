"""Files that are followed while an editor writes them, and the place of a person's own.

Owns when a file counts as changed. Imports the standard library. Invariant: a file is read again
whenever its identity, size or time of change differs, so that editors that replace a file are
followed, too; what is not there for a moment is no error.
"""

from __future__ import annotations

import os
import sys

__all__ = ["MOST_OCTETS", "Followed", "data_folder", "read_text"]

MOST_OCTETS = 1_000_000
"""Of a file that is followed or opened: more is no grammar, and no lesson."""


def read_text(path: str) -> str:
    """A file of UTF-8. Errors: OSError, with words for what is wrong with the file, too."""
    with open(path, "rb") as stream:
        octets = stream.read(MOST_OCTETS + 1)
    if len(octets) > MOST_OCTETS:
        raise OSError(f"the file has more than {MOST_OCTETS:,} octets")
    try:
        return octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise OSError(f"octet {error.start:,} of the file is not UTF-8") from error


class Followed:
    """One file. ``text`` is what it held when it was last read, ``error`` why it was not."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.text = ""
        self.error = ""
        self._seen: tuple[int, ...] = ()

    def changed(self) -> bool:
        """Whether the text or the error is another than before; reads the file if need be."""
        seen: tuple[int, ...] = ()
        try:
            status = os.stat(self.path)
            seen = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
        except OSError:
            pass
        if seen == self._seen and (seen or self.error):
            return False
        before = self.text, self.error
        try:
            self.text = read_text(self.path)
            self.error = ""
        except OSError as error:
            # No exception of an editor's way to save: the file may be back at the next look.
            self.error = error.strerror or str(error)
        self._seen = seen
        return (self.text, self.error) != before


def data_folder() -> str:
    """Where a person's own data is: as XDG, macOS or Windows have it."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME", "")
        if not os.path.isabs(base):  # what is not, the specification has us ignore
            base = os.path.join(home, ".local", "share")
    return os.path.join(base, "uriproof")
