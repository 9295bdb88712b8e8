"""Git, as the user has it installed.

Owns the way to the program, its call, and which commands it is given. Imports ``text.paths``.
Invariant: git is not run from a folder that is linted, or from one that is not named in full, and
it runs no program that the folder names, in ``.git/config`` or elsewhere: whoever unpacks an
archive has the settings of its maker. So git reads the index, trees and blobs, and never the
content of a file of the work tree, which it would pass through filters; it never fetches an object
that is missing, for which it would run a transport; and monitors and hooks are off.

Windows looks for a program in the current folder first, and a checkout may hold a ``git.exe``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache

from ...errors import UriproofError
from ...text.paths import below, root_of

__all__ = ["GitError", "git"]

_SUFFIXES = (".exe", ".com") if os.name == "nt" else ("",)  # no batch files: a shell reads those
_COMMANDS = frozenset({"cat-file", "ls-files", "ls-tree", "merge-base", "rev-parse"})
"""The commands that run none of the filters, converters and external programs that others do."""

# Monitors of the file system and hooks are programs that the configuration of a checkout names.
_SETTINGS = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "core.quotePath=false")
_ALWAYS = ["--no-pager", *(word for setting in _SETTINGS for word in ("-c", setting))]

_VARIABLES = {
    "GIT_OPTIONAL_LOCKS": "0",  # what is linted stays as it is
    # Objects that a partial clone lacks are fetched by whatever core.sshCommand, a remote's helper
    # or its upload-pack say. Older versions than 2.45 do not know the first.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
}

_SECONDS = 300
"""Git answers in seconds, in the largest repositories in a minute; a setting may name a pipe or a
device as a file to read, which never ends."""


class GitError(UriproofError, OSError):
    """Git cannot be run, or does not do as it is asked; ``strerror`` says why."""

    def __init__(self, why: str) -> None:
        super().__init__(0, why)


def git(folder: str, *arguments: str) -> bytes:
    """What git prints, run in a folder. Errors: GitError."""
    import subprocess

    assert arguments[0] in _COMMANDS  # noqa: S101 -- others may run programs
    checkout = root_of(folder) or os.path.abspath(folder)
    program = _program(os.environ.get("PATH", os.defpath), checkout)
    if program is None:
        raise GitError("git is not installed: no folder of PATH has it")
    try:
        run = subprocess.run(  # noqa: S603 -- no shell, by its full path; a ref is no option
            [program, *_ALWAYS, *arguments],
            cwd=folder or ".",
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **_VARIABLES},
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git {arguments[0]} took longer than {_SECONDS} seconds") from error
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
        if os.path.dirname(checkout) != checkout and (
            below(folder, checkout) is not None
            or below(os.path.realpath(folder), os.path.realpath(checkout)) is not None
        ):
            continue
        for suffix in _SUFFIXES:
            file = os.path.join(folder, f"git{suffix}")
            if os.path.isfile(file) and os.access(file, os.X_OK):
                return file
    return None


def _folders(path: str) -> Iterator[str]:
    """The folders of a search path that are named in full: others depend on where one is."""
    for given in path.split(os.pathsep):
        folder = given.strip('"') if os.name == "nt" else given
        if os.path.isabs(folder):
            yield folder
