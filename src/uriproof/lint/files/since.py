"""The lines that have changed since a commit, by git.

Owns the reading of git's answer. Imports the standard library. Invariant: a file that git does
not track has changed from its first line to its last.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress

from ...text.patterns import lazy

__all__ = ["Changes", "NoChanges", "since"]

_HUNK = lazy(rb"@@ -\S+ \+(\d+)(?:,(\d+))? @@")
_ALL = ((1, 1 << 60),)


class NoChanges(ValueError):
    """Git cannot say what has changed, with the reason."""


class Changes:
    """Per absolute path of a file, the ranges of lines that have changed, both ends included."""

    def __init__(self) -> None:
        self.ranges: dict[str, Sequence[tuple[int, int]]] = {}

    def touches(self, path: str, line: int, end_line: int) -> bool:
        """Whether some of these lines has changed."""
        ranges = self.ranges.get(os.path.realpath(path), ())
        return any(first <= end_line and line <= last for first, last in ranges)

    def has(self, path: str) -> bool:
        """Whether anything in the file has changed."""
        return os.path.realpath(path) in self.ranges


def since(ref: str, folder: str = ".") -> Changes:
    """What has changed since the work left a commit: the last one in common with it.

    Errors: NoChanges, for no repository or no such commit. Cost: a few calls of git.
    """
    top = _git(folder, "rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape")
    top = top.rstrip("\n")
    if ref.startswith("-"):
        raise NoChanges(f"not a commit: {ref!r}")
    commit = _git(top, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}", what=ref).strip()
    name = commit.decode("ascii")
    with suppress(NoChanges):  # no commit in common, or none yet
        name = _git(top, "merge-base", name, "HEAD").strip().decode("ascii") or name
    diff = ("diff", "--no-ext-diff", "--no-color", "--no-renames", "-U0", "--src-prefix=a/")
    out = _git(top, "-c", "core.quotePath=false", *diff, "--dst-prefix=b/", name, "--")
    changes = Changes()
    file = ""
    ranges: list[tuple[int, int]] = []
    in_head = False
    for line in out.split(b"\n"):
        if line.startswith(b"diff --git "):
            in_head, file = True, ""
        elif in_head and line.startswith(b"+++ "):
            shown = _unquoted(line[4:]).decode("utf-8", "surrogateescape")
            file = os.path.realpath(os.path.join(top, shown[2:])) if shown[:2] == "b/" else ""
            ranges = []
            if file:
                changes.ranges[file] = ranges
        elif file and (hunk := _HUNK.match(line)):
            in_head = False
            first, count = int(hunk[1]), int(hunk[2] or 1)
            if count:
                ranges.append((first, first + count - 1))
    others = _git(top, "ls-files", "-z", "--others", "--exclude-standard")
    for other in others.decode("utf-8", "surrogateescape").split("\0"):
        if other:
            changes.ranges[os.path.realpath(os.path.join(top, other))] = _ALL
    return changes


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
    import subprocess

    try:
        run = subprocess.run(  # noqa: S603 -- no shell; a ref cannot be an option
            ["git", *arguments],  # noqa: S607 -- the git that the user has
            cwd=folder,
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except OSError as error:
        raise NoChanges(f"git cannot be run: {error.strerror or error}") from error
    if run.returncode:
        why = run.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        if what:
            why = f"git knows no commit {what!r}" + (f": {why}" if why else "")
        raise NoChanges(why or f"git {arguments[0]} failed")
    return run.stdout
