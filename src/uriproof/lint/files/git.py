"""Git, as the user has it installed.

Owns the way to the program and its call. Imports the standard library alone. Invariant: no program
is run from a folder that is linted, or from one that is not named in full; no monitor, hook or
external difference is run that the configuration of the folder names.

Windows looks for a program in the current folder first, and a checkout may hold a ``git.exe``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache

from ...errors import UriproofError
from ...text.paths import below

__all__ = ["GitError", "git", "root_of"]

_SUFFIXES = (".exe", ".com") if os.name == "nt" else ("",)  # no batch files: a shell reads those
# Monitors of the file system and hooks are programs that the configuration of a checkout names.
_SETTINGS = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "core.quotePath=false")
_ALWAYS = [word for setting in _SETTINGS for word in ("-c", setting)]


class GitError(UriproofError, OSError):
    """Git cannot be run, or does not do as it is asked; ``strerror`` says why."""

    def __init__(self, why: str) -> None:
        super().__init__(0, why)


def git(folder: str, *arguments: str) -> bytes:
    """What git prints, run in a folder. Errors: GitError."""
    import subprocess

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
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},  # what is linted stays as it is
        )
    except OSError as error:
        raise GitError(f"git cannot be run: {error.strerror or error}") from error
    if run.returncode:
        why = run.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise GitError(why or f"git {arguments[0]} failed")
    return run.stdout


def root_of(folder: str) -> str | None:
    """The folder at or above a folder that git works in; None if there is none.

    Cost: a look at each folder above.
    """
    at = os.path.abspath(folder or ".")
    while not os.path.exists(os.path.join(at, ".git")):
        at, below_ = os.path.dirname(at), at
        if at == below_:
            return None
    return at


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
