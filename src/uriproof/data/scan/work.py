"""The work of a process on a chunk: read it, give the verdicts, explain the invalid texts.

Owns ``Work``, its answers and how other processes begin. Imports the readers by name, and
``parts``. Invariant: the part of a chunk is on the disk, whole and under its name, before the
answer is given; the same chunk gives the same rows again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from typing import Any, NamedTuple

from ...rule import Rule
from ..explain import show
from .parts import part_name, writing
from .read import Chunk, Source, Unreadable, plug_in
from .summary import Counts, Invalid

_AT_ONCE = 32 << 20  # octets that explained rows take, about
_SIZE = 400  # of a violation

__all__ = ["Broken", "Done", "Failed", "Work", "begin"]


class Broken(NamedTuple):
    """The first broken row of a chunk, with the reason."""

    row: int
    why: str


class Done(NamedTuple):
    """A chunk that is done; its part is in the folder if there are violations in it."""

    counts: Counts
    broken: Broken | None = None


class Failed(NamedTuple):
    """A chunk that cannot be read. If ``fatal``, no other can be done either."""

    why: str
    place: str = ""
    fatal: bool = False


@dataclass
class Work:
    """The work on each chunk of some files; it can be pickled.

    ``folder`` is where parts are written, if they are.
    """

    rule: Rule
    sources: tuple[Source, ...]
    folder: str | None
    _reading: tuple[int, Any] = field(default=(-1, None), repr=False)

    def __call__(self, chunk: Chunk) -> Done | Failed:
        """Errors: none that a file or a disk can cause; those are answers."""
        try:
            return self._done(chunk)
        except Unreadable as error:
            return Failed(error.words, error.place)
        except MemoryError:
            place = f"rows {chunk.first:,} to {chunk.first + chunk.rows - 1:,}"
            return Failed("not enough memory: try fewer processes with --jobs", place)
        except OSError as error:
            return Failed(str(error), fatal=True)

    def _done(self, chunk: Chunk) -> Done:
        import pyarrow as pa
        import pyarrow.compute as pc

        from ..arrow import as_texts, verdicts

        pa.set_cpu_count(1)
        source = self.sources[chunk.file]
        if self._reading[0] != chunk.file:
            self._reading = chunk.file, plug_in(source.format).Reading(source)
        read = self._reading[1].texts(chunk)
        valid = verdicts(read.column, self.rule)
        at = pc.indices_nonzero(pc.invert(valid))
        invalid = as_texts(read.column.take(at))
        places = at.to_pylist() if read.at is None else [read.at[i] for i in at.to_pylist()]
        rows = [chunk.first + place for place in places]
        counts = Counts()
        here, null = len(read.column), read.column.null_count
        counts.take(source.shown, [], rows=here, null=null, broken=read.broken)
        with self._part(chunk, source) as part:
            for some in self._explained(rows, invalid):
                counts.take(source.shown, some)
                part(some)
        broken = Broken(chunk.first + read.first, read.why) if read.broken else None
        return Done(counts, broken)

    def _explained(self, rows: list[int], texts: list[str]) -> Iterator[list[Invalid]]:
        """Invalid rows explained, in batches that bound the memory, whatever is in them."""
        some: list[Invalid] = []
        size = 0
        for row, text in zip(rows, texts, strict=True):
            shown = show(self.rule, text)
            some.append((row, shown))
            size += len(text) + _SIZE * len(shown.violations)
            if size > _AT_ONCE:
                yield some
                some, size = [], 0
        if some:
            yield some

    def _part(self, chunk: Chunk, source: Source) -> Any:
        if self.folder is None:
            return nullcontext(lambda *_: None)
        return writing(self.folder, part_name(chunk), source.shown)


class _NoPandas(MetaPathFinder):
    """If pandas is installed, pyarrow imports it to make any array: half a second, for nothing.

    Nothing that runs in the processes of a scan uses it.
    """

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError(f"{fullname} is not used here", name=fullname)


def begin(work: Work) -> Work:
    """The work of a process of a scan on each chunk."""
    sys.meta_path.insert(0, _NoPandas())
    return work
