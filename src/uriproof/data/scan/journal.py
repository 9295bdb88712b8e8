"""The finished work of a scan, kept in a folder until the scan completes.

Owns the folder, its journal and the check that it is of the same scan. Imports the standard library
and ``summary``. Invariant: work that the journal lists is on the disk, or is done again; a line
that was cut short when the process was killed is ignored; files of others are not changed.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, TypeAlias

from ...errors import UriproofError
from ...text.atomic import PARTIAL, write_text
from ...text.paths import link_out
from .parts import is_whole, part_name
from .read import Chunk
from .summary import Counts
from .work import Broken, Done

__all__ = ["Journal", "ScanError"]

_FILE = "journal.jsonl"
_PART = r"part-\d{6,}-\d{9,}\.parquet"  # as ``part_name`` has it, and no other program
_UNFINISHED = re.compile(rf"\.(?:{re.escape(_FILE)}|{_PART})\.\w+{re.escape(PARTIAL)}")
_OWN = re.compile(rf"lock|{re.escape(_FILE)}|{_PART}|{_UNFINISHED.pattern}")
_Span: TypeAlias = tuple[int, int, int]  # a file, and numbers of its chunks, half-open
_Node: TypeAlias = tuple[int, int, Counts]  # a place in the tree of hosts: level, number; see there
_LONGEST = 64 << 20  # octets of the journal, before its lines are added up


class ScanError(UriproofError):
    """The scan cannot begin or resume: the reason, and what to do. Finished work is kept."""


class Journal:
    """The finished chunks, their counts, and the places of their parts.

    ``counts`` are without hosts (see ``total``). ``parts`` are the names of the parts, and the
    number of violations in each. Without a folder, it is kept only in memory.
    """

    def __init__(self, folder: str | None) -> None:
        self.folder = folder
        self.counts: Counts = Counts()
        self.done: dict[int, set[int]] = {}
        self.broken: dict[int, Broken] = {}
        self.parts: dict[str, int] = {}
        self._again: set[str] = set()
        self._hosts: dict[tuple[int, int], Counts] = {}
        self._stream: IO[str] | None = None
        self._lock: int | None = None

    @contextmanager
    def opened(self, about: dict[str, Any]) -> Iterator[None]:
        """Read the finished work, and prepare to add to it. ``about`` identifies the scan.

        Errors: ScanError, for a folder of another scan, one that another process works in, one
        that is not a folder of a scan, and links, which could lead anywhere; OSError.
        """
        if self.folder is None:
            yield
            return
        if tree := link_out(os.path.join(self.folder, _FILE)):
            raise ScanError(f"{self.folder}: a link leads out of {tree}; name another with --state")
        if os.path.islink(self.folder.rstrip(os.sep)):
            raise ScanError(f"{self.folder}: a link; name the folder itself with --state")
        os.makedirs(self.folder, exist_ok=True)
        for name in filter(_OWN.fullmatch, os.listdir(self.folder)):
            path = os.path.join(self.folder, name)
            try:
                regular = stat.S_ISREG(os.lstat(path).st_mode)
            except FileNotFoundError:  # a scan that works here has renamed it meanwhile
                continue
            if not regular:
                raise ScanError(
                    f"{path}: not a file that a scan wrote; delete it, or name another "
                    "folder with --state"
                )
        try:
            self._lock = _locked(self.folder)
            self._read(about)
            yield
        finally:
            self.close()

    def has(self, chunk: Chunk) -> bool:
        """Whether a chunk is done, and need not be done again."""
        return chunk.number in self.done.get(chunk.file, ()) and part_name(chunk) not in self._again

    def find_lost(self) -> int:
        """Look at all parts: the chunks of those that are not whole are to be done again.

        Gives how many these are. Cost: that of reading them.
        """
        assert self.folder is not None  # noqa: S101 -- without one there are no parts
        self._again = {n for n, rows in self.parts.items() if not is_whole(self.folder, n, rows)}
        return len(self._again)

    def add(self, chunk: Chunk, place: int, done: Done) -> None:
        """A chunk is done. ``place`` is its own among those of all files.

        Errors: OSError; ScanError, for one that was done before and is not the same.
        """
        name = part_name(chunk)
        if name in self._again:  # it is counted, and its part was written
            if done.counts.violations != self.parts[name]:
                raise ScanError(
                    f"{self.folder}: the state of other files: one has changed since the scan "
                    "began; delete it to begin again, or name another folder with --state"
                )
            self._again.discard(name)
            return
        counts, hosts = done.counts, Counts(hosts=done.counts.hosts, missed=done.counts.missed)
        counts.hosts, counts.missed = Counter(), 0
        spans = [(chunk.file, chunk.number, chunk.number + 1)]
        broken = {chunk.file: done.broken} if done.broken else {}
        parts = {name: counts.violations} if counts.violations else {}
        if self._stream is not None:
            line = _line(spans, broken, parts, [(0, place, hosts)], counts)
            self._stream.write(line)
            self._stream.flush()
            os.fsync(self._stream.fileno())
        self._note(spans, broken, parts, [(0, place, hosts)], counts)
        if self._stream is not None and self._stream.tell() > self._longest:
            self._rewrite()

    def total(self) -> Counts:
        """The counts of all that is done, with its hosts. Cost: O(hosts that are kept)."""
        total = Counts()
        total.add(self.counts)
        for _, node in sorted(self._hosts.items(), key=lambda each: each[0][1] << each[0][0]):
            total.add(node)
        return total

    def close(self) -> None:
        """Leave the folder as it is."""
        if self._stream is not None:
            with suppress(OSError):  # if the disk is full, a line is cut short
                self._stream.close()
            self._stream = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def remove(self) -> None:
        """All is done: remove the folder, except for files of others in it."""
        self.close()
        if self.folder is None:
            return
        for name in os.listdir(self.folder):
            if _OWN.fullmatch(name):
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
        if not lines and not all(map(_OWN.fullmatch, os.listdir(self.folder))):
            raise ScanError(
                f"{self.folder}: a folder with other files in it, not a scan's; "
                "name another with --state"
            )
        for number, line in enumerate(lines):
            try:
                found = json.loads(line)
                if number:
                    self._take(found)
                    continue
                words = _difference(found["scan"], about)
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                if number == len(lines) - 1 and number:
                    break  # cut short
                raise ScanError(
                    f"{path}: line {number + 1} is not a line of a scan's journal; delete the "
                    "folder to begin again, or name another with --state"
                ) from None
            if words:
                raise ScanError(
                    f"{self.folder}: the state of another scan: {words}; "
                    "delete it to begin again, or name another folder with --state"
                )
        self._about = about
        self._longest = _LONGEST
        self._clean()
        self._rewrite()

    def _take(self, line: dict[str, Any]) -> None:
        """Errors: ValueError, KeyError, TypeError, AttributeError, and nothing is noted."""
        spans = [(int(file), int(first), int(end)) for file, first, end in line["done"]]
        broken = {int(file): Broken(row, why) for file, (row, why) in line["broken"].items()}
        parts = {str(name): int(rows) for name, rows in line["parts"].items()}
        hosts = [
            (int(level), int(place), Counts(hosts=hosts, missed=int(missed)))
            for level, place, hosts, missed in line["hosts"]
        ]
        self._note(spans, broken, parts, hosts, Counts.from_dict(line["counts"]))

    def _note(
        self,
        spans: list[_Span],
        broken: dict[int, Broken],
        parts: dict[str, int],
        hosts: list[_Node],
        counts: Counts,
    ) -> None:
        for file, first, end in spans:
            self.done.setdefault(file, set()).update(range(first, end))
        for file, one in broken.items():
            self._first(file, one)
        self.parts.update(parts)
        for level, place, node in hosts:
            self._add_hosts(level, place, node)
        self.counts.add(counts)

    def _add_hosts(self, level: int, place: int, node: Counts) -> None:
        """Add up the hosts of single neighbors, then those of neighboring pairs, and so on.

        The hosts left out of bounded counts depend on the order of addition: with a tree, whose
        shape is that of the places, they do not depend on which chunk is done first.
        """
        while (other := self._hosts.pop((level, place ^ 1), None)) is not None:
            node.add(other)
            level, place = level + 1, place >> 1
        if same := self._hosts.get((level, place)):  # a file that could not be read can be now
            same.add(node)
        else:
            self._hosts[level, place] = node

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
        text = dumps({"scan": self._about}) + "\n"
        if self.done:
            spans = [
                (file, *span)
                for file, numbers in sorted(self.done.items())
                for span in _spans(numbers)
            ]
            hosts = [(*at, node) for at, node in self._hosts.items()]
            text += _line(spans, self.broken, self.parts, hosts, self.counts)
        write_text(path, text)
        self._stream = open(path, "a", encoding="utf-8", newline="\n")  # noqa: SIM115 -- kept open
        self._longest = max(_LONGEST, 4 * self._stream.tell())

    def _clean(self) -> None:
        """Remove files unknown to the journal: half written, or of an unfinished chunk."""
        assert self.folder is not None  # noqa: S101 -- see opened
        for name in os.listdir(self.folder):
            if _OWN.fullmatch(name) and name not in {_FILE, "lock", *self.parts}:
                with suppress(OSError):
                    os.unlink(os.path.join(self.folder, name))


def _line(
    spans: Iterable[_Span],
    broken: dict[int, Broken],
    parts: dict[str, int],
    hosts: Iterable[_Node],
    counts: Counts,
) -> str:
    """A line of the journal: chunks, and all that there is to know of them."""
    from json import dumps

    line = {
        "done": list(spans),
        "broken": {str(file): one for file, one in broken.items()},
        "parts": parts,
        "hosts": [[level, place, node.hosts, node.missed] for level, place, node in hosts],
        "counts": counts.to_dict(),
    }
    return dumps(line, separators=(",", ":")) + "\n"


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
    """The differences between two scans, in words; empty if there are none."""
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
    """A lock that ends with the process. Errors: ScanError."""
    try:
        import fcntl
    except ImportError:  # Windows has none of this kind
        return None
    lock = os.open(os.path.join(folder, "lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise ScanError(
            f"{folder}: another scan works in this folder; wait for it, or name another "
            "with --state"
        ) from None
    return lock
