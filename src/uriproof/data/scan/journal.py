"""What is done of a scan, kept in a folder until all of it is.

Owns the folder, its journal and the check that it is of the same scan. Imports the standard library
and ``summary``. Invariant: what the journal says is done is on the disk, and a line that was cut
short when the process was killed counts for nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from ...errors import UriproofError
from ...text.atomic import write_text
from ...text.paths import link_out
from .read import Chunk
from .summary import Counts
from .work import Broken, Done

__all__ = ["Journal", "StateError", "parts"]

_FILE = "journal.jsonl"
_UNFINISHED = (".part-", f".{_FILE}")  # how files that are being written are called
_LONGEST = 64 << 20  # octets of the journal, before its lines are added up


class StateError(UriproofError):
    """The folder cannot be used: why, and what to do."""


class Journal:
    """The chunks that are done, their counts, and where their parts are.

    Without a folder, it is kept in memory alone.
    """

    def __init__(self, folder: str | None) -> None:
        self.folder = folder
        self.counts = Counts()
        self.done: dict[int, set[int]] = {}
        self.broken: dict[int, Broken] = {}
        self._stream: IO[str] | None = None
        self._lock: int | None = None

    @contextmanager
    def opened(self, about: dict[str, Any]) -> Iterator[None]:
        """Read what is done, and be ready to add to it. ``about`` says which scan it is.

        Errors: StateError, for a folder of another scan, one that another process works in, and
        one that is no folder of a scan; OSError.
        """
        if self.folder is None:
            yield
            return
        if tree := link_out(os.path.join(self.folder, _FILE)):
            raise StateError(
                f"{self.folder}: a link leads out of {tree}; name another with --state"
            )
        os.makedirs(self.folder, exist_ok=True)
        try:
            self._lock = _locked(self.folder)
            self._read(about)
            yield
        finally:
            self.close()

    def has(self, chunk: Chunk) -> bool:
        """Whether a chunk is done."""
        return chunk.number in self.done.get(chunk.file, ())

    def add(self, chunk: Chunk, done: Done) -> None:
        """A chunk is done. Errors: OSError."""
        if self._stream is not None:
            from json import dumps

            line = {
                "done": [[chunk.file, chunk.number, chunk.number + 1]],
                "broken": {str(chunk.file): done.broken} if done.broken else {},
                "counts": done.counts.to_dict(),
            }
            self._stream.write(dumps(line, separators=(",", ":")) + "\n")
            self._stream.flush()
            os.fsync(self._stream.fileno())
            if self._stream.tell() > self._longest:
                self._take(line)
                self._rewrite()
                return
        self._note([[chunk.file, chunk.number, chunk.number + 1]])
        if done.broken:
            self._first(chunk.file, done.broken)
        self.counts.add(done.counts)

    def close(self) -> None:
        """Leave the folder as it is."""
        if self._stream is not None:
            with suppress(OSError):  # where the disk is full, a line is cut short
                self._stream.close()
            self._stream = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def remove(self) -> None:
        """All is done: remove the folder, but for what others have put there."""
        self.close()
        if self.folder is None:
            return
        for name in os.listdir(self.folder):
            if name in {_FILE, "lock"} or name.startswith(("part-", *_UNFINISHED)):
                os.unlink(os.path.join(self.folder, name))
        with suppress(OSError):
            os.rmdir(self.folder)

    def _read(self, about: dict[str, Any]) -> None:
        import json

        assert self.folder is not None  # noqa: S101 -- see opened
        path = os.path.join(self.folder, _FILE)
        about = json.loads(json.dumps(about))
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as stream:
                lines = stream.read().split("\n")[:-1]
        except FileNotFoundError:
            lines = []
        own = ("lock", "part-", _FILE, f".{_FILE}")
        if not lines and not all(name.startswith(own) for name in os.listdir(self.folder)):
            raise StateError(
                f"{self.folder}: a folder with other files in it, and no scan's; "
                "name another with --state"
            )
        for number, line in enumerate(lines):
            try:
                found = json.loads(line)
                if number:
                    self._take(found)
                    continue
                before = found["scan"]
            except (ValueError, KeyError, TypeError):
                if number == len(lines) - 1 and number:
                    break  # cut short
                raise StateError(
                    f"{path}: line {number + 1} is no line of a scan's journal; delete the "
                    "folder to begin again, or name another with --state"
                ) from None
            if before != about:
                raise StateError(
                    f"{self.folder}: the state of another scan: {_difference(before, about)}; "
                    "delete it to begin again, or name another folder with --state"
                )
        self._about = about
        self._longest = _LONGEST
        self._clean()
        self._rewrite()

    def _take(self, line: dict[str, Any]) -> None:
        counts = Counts.from_dict(line["counts"])
        self._note(line["done"])
        for file, (row, why) in line["broken"].items():
            self._first(int(file), Broken(row, why))
        self.counts.add(counts)

    def _note(self, ranges: list[list[int]]) -> None:
        for file, first, end in ranges:
            self.done.setdefault(file, set()).update(range(first, end))

    def _first(self, file: int, broken: Broken) -> None:
        known = self.broken.get(file)
        if known is None or broken.row < known.row:
            self.broken[file] = broken

    def _rewrite(self) -> None:
        """The journal as its first line and one of all that is done, then open to add lines."""
        from json import dumps

        assert self.folder is not None  # noqa: S101 -- see opened
        if self._stream is not None:
            self._stream.close()
        path = os.path.join(self.folder, _FILE)
        lines: list[dict[str, Any]] = [{"scan": self._about}]
        if self.done:
            lines.append(
                {
                    "done": [
                        [file, *span]
                        for file, numbers in sorted(self.done.items())
                        for span in _spans(numbers)
                    ],
                    "broken": {str(file): broken for file, broken in self.broken.items()},
                    "counts": self.counts.to_dict(),
                }
            )
        write_text(path, "".join(dumps(line, separators=(",", ":")) + "\n" for line in lines))
        self._stream = open(path, "a", encoding="utf-8", newline="\n")  # noqa: SIM115 -- kept open
        self._longest = max(_LONGEST, 4 * self._stream.tell())

    def _clean(self) -> None:
        """Remove what a process that was killed left half written."""
        assert self.folder is not None  # noqa: S101 -- see opened
        for name in os.listdir(self.folder):
            if name.startswith(_UNFINISHED):
                with suppress(OSError):
                    os.unlink(os.path.join(self.folder, name))


def parts(folder: str) -> list[str]:
    """The names of the parts in a folder."""
    return [n for n in os.listdir(folder) if n.startswith("part-") and n.endswith(".parquet")]


def _spans(numbers: set[int]) -> Iterator[tuple[int, int]]:
    """Numbers as ranges, half-open.

    >>> list(_spans({0, 1, 2, 5}))
    [(0, 3), (5, 6)]
    """
    start = before = None
    for number in sorted(numbers):
        if before is None or number != before + 1:
            if start is not None and before is not None:
                yield start, before + 1
            start = number
        before = number
    if start is not None and before is not None:
        yield start, before + 1


def _difference(before: dict[str, Any], now: dict[str, Any]) -> str:
    """What differs between two scans, in words."""
    words = []
    for name in [*now, *(name for name in before if name not in now)]:
        old, new = before.get(name), now.get(name)
        if old == new:
            continue
        if name == "files" and isinstance(old, list) and isinstance(new, list):
            names_old, names_new = [one[0] for one in old], [one[0] for one in new]
            if names_old != names_new:
                words.append(f"its files are {_some(names_old)}, and not {_some(names_new)}")
            else:
                changed = [b[0] for a, b in zip(old, new, strict=True) if a != b]
                words.append(f"changed since it began: {_some(changed)}")
        else:
            words.append(
                f"its {name} is {old if old is not None else 'the default'}, "
                f"and not {new if new is not None else 'the default'}"
            )
    return "; ".join(words)


def _some(names: list[str], most: int = 3) -> str:
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _locked(folder: str) -> int | None:
    """A lock that ends with the process. Errors: StateError."""
    try:
        import fcntl
    except ImportError:  # Windows has none of this kind
        return None
    lock = os.open(os.path.join(folder, "lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise StateError(
            f"{folder}: another scan works in this folder; wait for it, or name another "
            "with --state"
        ) from None
    return lock
