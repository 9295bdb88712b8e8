"""Git, as the user has it installed, and the lines that have changed since a commit.

Owns the way to the program, its call, its commands, and the comparison of a file with the version
in a commit. Imports ``files.source`` and ``text.paths``. Invariant: git is not run from a folder
that is linted, or from one that is not named in full, and it runs no program that the folder names,
in ``.git/config`` or elsewhere: whoever unpacks an archive has the settings of its maker. So git
reads the index, trees and blobs, and never the content of a file of the work tree, which it would
pass through filters; it never fetches an object that is missing, for which it would run a
transport; and monitors and hooks are off.

Windows looks for a program in the current folder first, and a checkout can hold a ``git.exe``.

A file that the commit does not have has changed from its first line to its last. Line ends do not
count, because git can convert them on the way out. If a filter replaces the content, as in Git LFS,
or the old content is missing, as in a partial clone, all of it has changed. The files of a
submodule have not: its own repository has their history.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from unicodedata import normalize

from ...errors import UriproofError
from ...limits import GIT_SECONDS
from ...text.paths import below, inside, root_of
from .source import Unread, decoded, read

_SUFFIXES = (".exe", ".com") if os.name == "nt" else ("",)  # no batch files: a shell reads those
_COMMANDS = frozenset({"cat-file", "ls-files", "ls-tree", "merge-base", "rev-parse"})
"""The commands that run none of the filters, converters and external programs that others do."""

# Monitors of the file system and hooks are programs that the configuration of a checkout names.
_SETTINGS = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "core.quotePath=false")
_ALWAYS = ["--no-pager", *(word for setting in _SETTINGS for word in ("-c", setting))]

_VARIABLES = {
    "GIT_OPTIONAL_LOCKS": "0",  # the linted tree stays unchanged
    # Objects that a partial clone lacks are fetched by whatever core.sshCommand, a remote's helper
    # or its upload-pack say. Older versions than 2.45 do not know the first.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
}


class GitError(UriproofError, OSError):
    """Git cannot be run, or does not do as it is asked; ``strerror`` says why."""

    def __init__(self, why: str) -> None:
        super().__init__(0, why)


def git(folder: str, *arguments: str) -> bytes:
    """The output of git, run in a folder. Errors: GitError."""
    import subprocess

    assert arguments[0] in _COMMANDS  # noqa: S101 -- others can run programs
    checkout = root_of(folder) or os.path.abspath(folder)
    program = _program(os.environ.get("PATH", os.defpath), checkout)
    if program is None:
        raise GitError("git is not installed: no folder of PATH has it")
    try:
        run = subprocess.run(  # noqa: S603 -- no shell, by its full path; a ref is not an option
            [program, *_ALWAYS, *arguments],
            cwd=folder or ".",
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **_VARIABLES},
            timeout=GIT_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git {arguments[0]} took longer than {GIT_SECONDS} seconds") from error
    except OSError as error:
        raise GitError(f"git cannot be run: {error.strerror or error}") from error
    if run.returncode:
        why = run.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise GitError(why or f"git {arguments[0]} failed")
    return run.stdout


@lru_cache(64)
def _program(path: str, checkout: str) -> str | None:
    """The first git on a search path that is not in a checkout."""
    for folder in _folders(path):
        if os.path.dirname(checkout) != checkout and inside(folder, checkout) is not None:
            continue
        for suffix in _SUFFIXES:
            file = os.path.join(folder, f"git{suffix}")
            if os.path.isfile(file) and os.access(file, os.X_OK):
                return file
    return None


def _folders(path: str) -> Iterator[str]:
    """The absolute folders of a search path: relative ones depend on the current folder."""
    for given in path.split(os.pathsep):
        folder = given.strip('"') if os.name == "nt" else given
        if os.path.isabs(folder):
            yield folder


class NoChanges(UriproofError, ValueError):
    """Git cannot tell the changes, with the reason."""


class Changes:
    """The changes in each file of a repository since a commit."""

    def __init__(self, top: str, old: dict[str, str]) -> None:
        """``old`` are the objects of the commit by their paths from ``top``, with slashes."""
        self._top, self._old = os.path.realpath(top), old
        self._folded = {_folded(name): name for name in old}
        self._known: dict[str, frozenset[int] | None] = {}

    def touches(self, path: str, line: int, end_line: int) -> bool:
        """Whether some of these lines has changed. Cost: that of ``has``."""
        lines = self._lines(path)
        return lines is None or any(number in lines for number in range(line, end_line + 1))

    def has(self, path: str) -> bool:
        """Whether anything in the file has changed. Cost: O(n), once a file that has."""
        return self._lines(path) != frozenset()

    def _lines(self, path: str) -> frozenset[int] | None:
        """The numbers of the lines that have changed; None for all of them."""
        if path not in self._known:
            self._known[path] = self._changed(path)
        return self._known[path]

    def _changed(self, path: str) -> frozenset[int] | None:
        root = root_of(os.path.dirname(path))
        if root is not None and below(os.path.realpath(root), self._top):  # "" for the top itself
            return frozenset()
        name = self._name(path)
        data = read(path if name is None else os.path.join(self._top, name))
        if isinstance(data, Unread) and data.why == "vanished":
            return frozenset()
        if name is None or isinstance(data, Unread):
            return None
        if object_name(data, self._old[name]) == self._old[name]:
            return frozenset()
        try:
            before = git(self._top, "cat-file", "blob", self._old[name])
        except GitError:
            return None
        return frozenset(n + 1 for n in _fresh(_lines_of(before), _lines_of(data)))

    def _name(self, path: str) -> str | None:
        """The path of a file in the commit; its case can differ if the file system ignores case."""
        name = below(os.path.realpath(path), self._top)
        if name is None or name in self._old:
            return name
        other = self._folded.get(_folded(name))
        with suppress(OSError, ValueError):
            if other is not None and os.path.samefile(path, os.path.join(self._top, other)):
                return other
        return None


def _folded(name: str) -> str:
    return normalize("NFC", name).casefold()


def _fresh(old: list[str], new: list[str]) -> Iterator[int]:
    """The indexes of the lines that are not among the old ones. Cost: O(n).

    Between what both begin and end with, a line is old if one of its kind was there: what was only
    moved is not new. No order of lines is searched for, which takes quadratic time.

    >>> list(_fresh(["a", "b", "a"], ["a", "a", "a"])), list(_fresh(["a", "b"], ["c", "a", "b"]))
    ([1], [0])
    """
    first = last = 0
    most = min(len(old), len(new))
    while first < most and old[first] == new[first]:
        first += 1
    while last < most - first and old[-1 - last] == new[-1 - last]:
        last += 1
    left = Counter(old[first : len(old) - last])
    for at in range(first, len(new) - last):
        left[new[at]] -= 1
        if left[new[at]] < 0:
            yield at


def _lines_of(data: bytes) -> list[str]:
    """The lines as ``source.Lines`` counts them."""
    return decoded("", data).text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def object_name(data: bytes, like: str = "") -> str:
    """The name that git gives a content, by the same function as another, or else by SHA-1."""
    import hashlib

    made = hashlib.new("sha256" if len(like) == _SHA256 else "sha1", usedforsecurity=False)
    made.update(b"blob %d\0" % len(data))
    made.update(data)
    return made.hexdigest()


_SHA256 = 64  # hexadecimal digits of its names


def since(ref: str, folder: str = ".", paths: Iterable[str] = ()) -> Changes:
    """The changes since the work left a commit: the last one in common with it.

    ``paths`` are the requested ones. Errors: NoChanges, for no repository or no such commit, and
    for a path elsewhere, of which nothing would be known. Cost: a few calls of git.
    """
    # Relative, because an absolute path can belong to a system within the system (MSYS, Cygwin).
    up = _asked(folder, "rev-parse", "--show-cdup").decode("utf-8", "surrogateescape").rstrip("\n")
    top = os.path.normpath(os.path.join(folder, up))
    for path in paths:
        if below(os.path.realpath(path), os.path.realpath(top)) is None:
            raise NoChanges(f"--since: {path} is outside of this repository")
    if ref.startswith("-"):
        raise NoChanges(f"--since: not a commit: {ref!r}")
    commit = _asked(top, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}", what=ref).strip()
    name = commit.decode("ascii")
    with suppress(NoChanges):  # no commit in common, or none yet
        name = _asked(top, "merge-base", name, "HEAD").strip().decode("ascii") or name
    listed = _asked(top, "ls-tree", "-r", "-z", "--full-tree", name)
    old: dict[str, str] = {}
    for entry in listed.decode("utf-8", "surrogateescape").split("\0"):
        about, _, file = entry.partition("\t")
        if file:
            old[file] = about.split()[2]
    return Changes(top, old)


def _asked(folder: str, *arguments: str, what: str = "") -> bytes:
    """The answer of git. Errors: NoChanges."""
    try:
        return git(folder, *arguments)
    except GitError as error:
        why = str(error.strerror)
        if what:
            why = f"git knows no commit {what!r}" + (f": {why}" if "failed" not in why else "")
        raise NoChanges(f"--since: {why}") from error
