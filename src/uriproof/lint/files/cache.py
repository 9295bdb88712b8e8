r"""The cache: the results of files, by their content.

Owns the folder of the cache. Imports the standard library and ``lint.config``. Invariant: an entry
is the result of a content under the same settings, grammar and code; whatever
else is in the folder is ignored, and a folder that cannot be written to is no error.

A result is a text of one line, as ``engine.stored`` writes it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from ...text.atomic import write_text
from ..config.settings import Settings

__all__ = ["FOLDER", "Cache", "digest", "keys"]

FOLDER = ".uriproof_cache"

_MOST = 500_000  # entries kept: some forty megabytes at most
_HEX = 32
_IGNORE = "# Written by uriproof: all of this can be deleted.\n*\n"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n"  # https://bford.info/cachedir/


def digest() -> str:
    """What every entry depends on beside its key: the code, and the grammars compiled into it.

    Cost: a look at each file of the package, once a run.
    """
    from hashlib import blake2b

    package = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    stamps: list[str] = []
    for folder, folders, names in os.walk(package):
        folders[:] = sorted(f for f in folders if f not in {"__pycache__", "cli", "teach"})
        for name in sorted(names):
            status = os.stat(os.path.join(folder, name))
            stamps.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return blake2b("\n".join(stamps).encode(), digest_size=_HEX // 2).hexdigest()


def keys(settings: Settings) -> Callable[[str, bytes], str]:
    """The key of a content under some settings, and the path of its file, for what both choose.

    >>> key = keys(Settings())
    >>> len(key("a.txt", b"")), key("a.txt", b"") == key("a.md", b"")
    (32, False)
    """
    from hashlib import blake2b

    start = blake2b(repr(settings).encode("utf-8", "surrogatepass"), digest_size=_HEX // 2)

    def key(file: str, data: bytes) -> str:
        made = start.copy()
        made.update(file.encode("utf-8", "surrogatepass") + b"\0")
        made.update(data)
        return made.hexdigest()

    return key


class Cache:
    """The entries of a folder: the result of each content, by its key."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._file = os.path.join(folder, digest())
        self.entries: dict[str, str] = self._read()

    def _read(self) -> dict[str, str]:
        """The entries of the file; other lines are ignored."""
        found: dict[str, str] = {}
        try:
            with open(self._file, encoding="ascii", errors="replace") as stream:
                for line in stream:
                    name, _, text = line.rstrip("\n").partition(" ")
                    if len(name) == _HEX and text:
                        found[name] = text
        except OSError:
            return {}
        return found

    def add(self, fresh: Mapping[str, str]) -> None:
        """Add entries, on disk. Errors: none: a cache that cannot be written is ignored."""
        if not fresh:
            return
        # The oldest go first: entries stand in the order in which they came.
        entries = [*self.entries.items(), *fresh.items()][-_MOST:]
        try:
            os.makedirs(self._folder, exist_ok=True)
            for name, text in ((".gitignore", _IGNORE), ("CACHEDIR.TAG", _TAG)):
                file = os.path.join(self._folder, name)
                if not os.path.exists(file):
                    write_text(file, text)
            write_text(self._file, "".join(f"{name} {text}\n" for name, text in entries))
            self._prune()
        except OSError:
            return
        self.entries = dict(entries)

    def _prune(self) -> None:
        """Remove the files of all but the last few versions of the code."""
        with os.scandir(self._folder) as found:
            own = [(e.stat().st_mtime_ns, e.path) for e in found if len(e.name) == _HEX]
        for _, path in sorted(own)[:-8]:
            os.unlink(path)
