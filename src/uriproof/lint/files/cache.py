r"""The cache: the results of files, by their content.

Owns the files of the cache. Imports ``lint.config`` and the result of the engine. Invariant: an
entry is the result of a content under the same settings, grammar and code; nothing in a linted tree
can make or change one, because the cache is in a folder of the user's; whatever else is in the
folder is ignored and left, and a folder that cannot be written to is not an error.

A result is a text of one line: reading returns exactly what was stored, a text of any other form is
not a result, and no password is stored.

>>> one = Result("a.txt")
>>> one.urls = 3
>>> stored(one), restored("a.txt", "3,0").urls, restored("a.txt", "3,0 [0")
('3,0', 3, None)
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Mapping

from ...diagnostic import Diagnostic, Edit, Place
from ...limits import LONGEST_STORED, MOST_CACHED, MOST_CACHES
from ...text.atomic import write_text
from ..config.settings import Settings
from ..engine.analyze import Result

SUFFIX = ".uriproof-cache"
"""The suffix of the files."""

_HEX = 32  # digits of a key: 128 bits, which no two contents share by chance


def folder_of(environ: Mapping[str, str], platform: str = sys.platform) -> str | None:
    """The folder that ``URIPROOF_CACHE_DIR`` names, else uriproof's among the user's caches; None
    if the user has none.

    XDG Base Directory Specification; Apple's File System Programming Guide; Known Folders.

    >>> folder_of({"XDG_CACHE_HOME": "/c"}, "linux")
    '/c/uriproof'
    """
    if os.path.isabs(own := environ.get("URIPROOF_CACHE_DIR", "")):
        return own
    home = os.path.expanduser("~")
    given = environ.get("LOCALAPPDATA" if platform == "win32" else "XDG_CACHE_HOME", "")
    if not os.path.isabs(given):  # the specification has such values ignored
        if platform == "win32" or not os.path.isabs(home):
            return None
        given = os.path.join(home, "Library/Caches" if platform == "darwin" else ".cache")
    return os.path.join(given, "uriproof")


def digest() -> str:
    """The parts of every key besides its own: the code, and the grammars compiled into it.

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
    """The entries of a tree in a folder: the result of each content, by its key.

    Entries are believed, so the folder must not be one that whoever changes the tree can change.
    """

    def __init__(self, folder: str, tree: str) -> None:
        from hashlib import blake2b

        whole = f"{os.path.realpath(tree)}\0{digest()}".encode("utf-8", "surrogatepass")
        name = blake2b(whole, digest_size=_HEX // 2).hexdigest()
        self._folder = os.path.realpath(folder)  # the user's own links, such as that of ~/.cache
        self._file = os.path.join(self._folder, name + SUFFIX)
        self.entries: dict[str, str] = self._read()

    def _read(self) -> dict[str, str]:
        """The entries of the file; other lines are ignored."""
        found: dict[str, str] = {}
        try:
            if not _is_own(os.lstat(self._file).st_mode, self._file):
                return {}
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
        if not fresh or os.path.islink(self._file):
            return
        # The oldest go first: entries are in the order in which they came.
        entries = [*self.entries.items(), *fresh.items()][-MOST_CACHED:]
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            write_text(self._file, "".join(f"{name} {text}\n" for name, text in entries))
            self._prune()
        except OSError:
            return
        self.entries = dict(entries)

    def _prune(self) -> None:
        """Remove the oldest files, except for the last few."""
        own: list[tuple[int, str]] = []
        with os.scandir(self._folder) as found:
            for entry in found:
                status = entry.stat(follow_symlinks=False)
                if _is_own(status.st_mode, entry.name):
                    own.append((status.st_mtime_ns, entry.path))
        for _, path in sorted(own)[:-MOST_CACHES]:
            os.unlink(path)


def _is_own(mode: int, name: str) -> bool:
    return stat.S_ISREG(mode) and name.endswith(SUFFIX)


def stored(result: Result) -> str | None:
    """A result in one line of ASCII; None for one that is not to be kept."""
    if result.is_borrowed or result.records or result.lost:
        return None
    if result.empty:
        return f"{result.urls},{result.iris}"
    if any(one.component == "userinfo" for one in result.diagnostics):
        return None  # an edit might hold a password
    import json

    diagnostics = [one[1:] for one in result.diagnostics]  # all are of the same file
    text = json.dumps([result.suppressed, diagnostics], separators=(",", ":"))
    return (
        f"{result.urls},{result.iris} {_sum(text)} {text}" if len(text) <= LONGEST_STORED else None
    )


def _sum(text: str) -> str:
    """A checksum: half of a line is not a result."""
    from zlib import crc32

    return str(crc32(text.encode("ascii")))


def restored(file: str, text: str) -> Result | None:
    """The stored result; None if the text is not one."""
    numbers, *rest = text.split(" ", 2)
    result = Result(file)
    try:
        result.urls, result.iris = map(int, numbers.split(","))
        if rest:
            import json

            known, kept = rest
            if known != _sum(kept):
                return None
            result.suppressed, found = json.loads(kept)
            result.diagnostics = [_diagnostic(file, *values) for values in found]
    except (TypeError, ValueError):
        return None
    return result


def _diagnostic(
    file: str,
    code: str,
    severity: str,
    message: str,
    places: list[list[int]],
    lines: list[tuple[int, str]],
    *more: object,
) -> Diagnostic:
    """A diagnostic of its fields, as JSON has them. Errors: TypeError."""
    made = Diagnostic(
        *(file, code, severity, message),  # type: ignore[arg-type]
        tuple(Place(*place) for place in places),
        tuple((number, line) for number, line in lines),
        *more,  # type: ignore[arg-type]
    )
    edits: list[Edit] = [Edit(*edit) for edit in made.edits]
    return made._replace(expected=tuple(made.expected), edits=tuple(edits))
