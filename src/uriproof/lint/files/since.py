"""The lines that have changed since a commit, by git.

Owns the reading of git's answer. Imports ``files.git``. Invariant: a file that git does
not track has changed from its first line to its last.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from ...errors import UriproofError
from ...text.paths import below
from ...text.patterns import lazy
from .git import GitError, git

__all__ = ["Changes", "NoChanges", "since"]

_HUNK = lazy(rb"@@ -\S+ \+(\d+)(?:,(\d+))? @@")
_ALL = ((1, 1 << 60),)

Identity = tuple[int, int] | str


class NoChanges(UriproofError, ValueError):
    """Git cannot say what has changed, with the reason."""


class Changes:
    """Per file, the ranges of lines that have changed, both ends included.

    A file goes by its identity: its path may be spelled in several ways, which the file system
    alone knows for one, and its name in the index in others.
    """

    def __init__(self) -> None:
        self.ranges: dict[Identity, Sequence[tuple[int, int]]] = {}

    def touches(self, path: str, line: int, end_line: int) -> bool:
        """Whether some of these lines has changed."""
        ranges = self.ranges.get(_identity(path), ())
        return any(first <= end_line and line <= last for first, last in ranges)

    def has(self, path: str) -> bool:
        """Whether anything in the file has changed."""
        return _identity(path) in self.ranges

    def add(self, path: str, ranges: Sequence[tuple[int, int]]) -> None:
        """Record the changes of a file; of several names of one file, all count."""
        name = _identity(path)
        self.ranges[name] = (*self.ranges.get(name, ()), *ranges)


def _identity(path: str) -> Identity:
    """What two paths have in common that lead to one file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return os.path.normcase(os.path.realpath(path))
    if not status.st_ino:  # some network drives have no numbers
        return os.path.normcase(os.path.realpath(path))
    return status.st_dev, status.st_ino


def since(ref: str, folder: str = ".", paths: Iterable[str] = ()) -> Changes:
    """What has changed since the work left a commit: the last one in common with it.

    ``paths`` are those that it is asked for. Errors: NoChanges, for no repository or no such
    commit, and for a path elsewhere, of which nothing would be known. Cost: a few calls of git.
    """
    # The way up, for an absolute path may be one of a system within the system (MSYS, Cygwin).
    up = _git(folder, "rev-parse", "--show-cdup").decode("utf-8", "surrogateescape").rstrip("\n")
    top = os.path.normpath(os.path.join(folder, up))
    for path in paths:
        if below(os.path.realpath(path), os.path.realpath(top)) is None:
            raise NoChanges(f"--since: {path} is outside of this repository")
    if ref.startswith("-"):
        raise NoChanges(f"--since: not a commit: {ref!r}")
    commit = _git(top, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}", what=ref).strip()
    name = commit.decode("ascii")
    with suppress(NoChanges):  # no commit in common, or none yet
        name = _git(top, "merge-base", name, "HEAD").strip().decode("ascii") or name
    diff = ("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "-U0")
    changes = Changes()
    for file, ranges in _files(_git(top, *diff, "--src-prefix=a/", "--dst-prefix=b/", name, "--")):
        changes.add(os.path.join(top, file), ranges)
    others = _git(top, "ls-files", "-z", "--others", "--exclude-standard")
    for other in others.decode("utf-8", "surrogateescape").split("\0"):
        if other:
            changes.add(os.path.join(top, other), _ALL)
    return changes


def _files(diff: bytes) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Each file that a difference makes, with the lines that are new in it."""
    file = ""
    ranges: list[tuple[int, int]] = []
    in_head = False
    for line in diff.split(b"\n"):
        if line.startswith(b"diff --git "):
            if file:
                yield file, ranges
            in_head, file, ranges = True, "", []
        elif in_head and line.startswith(b"+++ "):
            shown = _unquoted(line[4:]).decode("utf-8", "surrogateescape")
            file = shown[2:] if shown[:2] == "b/" else ""
        elif file and (hunk := _HUNK.match(line)):
            in_head = False
            first, count = int(hunk[1]), int(hunk[2] or 1)
            if count:
                ranges.append((first, first + count - 1))
    if file:
        yield file, ranges


_ESCAPE = lazy(rb"\\([0-7]{3}|.)")
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f"}
_ESCAPED[b"v"] = b"\v"


def _unquoted(name: bytes) -> bytes:
    r"""A name as git writes it, C-quoted where it must be.

    >>> _unquoted(rb'"b/a\"\303\251"') == b'b/a"\xc3\xa9'
    True
    """
    name = name.rstrip(b"\t\r")
    if not name.startswith(b'"'):
        return name

    def char(match: re.Match[bytes]) -> bytes:
        code = match[1]
        return bytes([int(code, 8)]) if code.isdigit() else _ESCAPED.get(code, code)

    return _ESCAPE.sub(char, name[1:-1])


def _git(folder: str, *arguments: str, what: str = "") -> bytes:
    """What git answers. Errors: NoChanges."""
    try:
        return git(folder, *arguments)
    except GitError as error:
        why = str(error.strerror)
        if what:
            why = f"git knows no commit {what!r}" + (f": {why}" if "failed" not in why else "")
        raise NoChanges(f"--since: {why}") from error
