"""Files written in one step: whoever reads one gets all of the old content or all of the new.

Owns the only way that the package replaces a file. Imports ``paths``.
Invariant: whatever fails, and whenever the process is stopped, the file is whole; an incomplete
new file is removed, unless the process is killed; no link leads out of its tree.

The new content goes to ``.NAME.*.uriproof-partial`` next to the file and on to the disk, and then
takes its place. Mode and, if the system has them, owner and extended attributes stay; for a
symbolic link, its target is written; a device or a pipe is written directly. On
Windows a file that another program holds open cannot be replaced: it is tried again for a second.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import ELOOP
from time import sleep
from typing import BinaryIO

from .paths import link_out

PARTIAL = ".uriproof-partial"
"""The suffix of incomplete files: if a run is killed, one can remain."""

_TRIES = 10 if os.name == "nt" else 0  # more, if another program can hold a file
_PAUSE = 0.1  # seconds between two tries


def write_text(path: str, text: str) -> None:
    """Write a text in UTF-8, with the line ends that it has. Errors: OSError."""
    with replacing(path) as stream:
        stream.write(text.encode("utf-8"))


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """A stream to the new content of a file, which takes its place at the end of the block.

    If the block raises, the file stays as it was. Errors: OSError, also for a link that leads out
    of the tree; IsADirectoryError.
    """
    from tempfile import mkstemp

    if tree := link_out(path):
        raise OSError(ELOOP, f"a link leads out of {tree}: name the file itself", path)
    target = os.path.realpath(path)
    try:
        status = os.stat(path)  # the target of /dev/stdout might have no path
    except FileNotFoundError:
        status = None
    if status is not None and not stat.S_ISREG(status.st_mode):
        with open(path, "wb") as stream:
            yield stream
        return
    folder, base = os.path.split(target)
    handle, partial = mkstemp(prefix=f".{base[:40]}.", suffix=PARTIAL, dir=folder)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            if status is None:
                _set_mode(handle, partial, 0o666 & ~_umask())
            else:
                _copy_attributes(handle, target, partial, status)
            os.fsync(handle)
        _replace(partial, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise
    with suppress(OSError):  # not every system opens folders
        at = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(at)
        finally:
            os.close(at)


def _replace(partial: str, target: str) -> None:
    for left in range(_TRIES, -1, -1):
        try:
            os.replace(partial, target)
        except PermissionError as error:
            if not left:
                if _TRIES:
                    error.strerror = f"{error.strerror}: another program might hold it open"
                raise
            sleep(_PAUSE)
        else:
            return


def _copy_attributes(handle: int, target: str, partial: str, status: os.stat_result) -> None:
    """Give a new file the owner, the extended attributes and the mode of the old one."""
    if hasattr(os, "fchown"):
        with suppress(OSError):
            os.fchown(handle, status.st_uid, status.st_gid)
    if hasattr(os, "listxattr"):
        with suppress(OSError):
            for attribute in os.listxattr(target):
                os.setxattr(partial, attribute, os.getxattr(target, attribute))
    # Last: a change of owner takes the set-user-ID bit away.
    _set_mode(handle, partial, stat.S_IMODE(status.st_mode))


def _set_mode(handle: int, partial: str, mode: int) -> None:
    os.fchmod(handle, mode) if hasattr(os, "fchmod") else os.chmod(partial, mode)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
