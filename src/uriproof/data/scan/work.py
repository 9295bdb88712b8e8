"""What a process does with a chunk: read it, give the verdicts, explain what is invalid.

Owns ``Work`` and its answers. Imports the readers and engines by name, and ``parts``. Invariant: the
part of a chunk is on the disk, whole and under its name, before the answer is given; the same chunk
gives the same rows again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...records import NamedTuple
from ..rule import ColumnRule
from .engine import engine
from .parts import part_name, write_part
from .read import Chunk, Source, Unreadable, plug_in
from .summary import Counts

if TYPE_CHECKING:
    from ...report import Report
    from ..explain import Row

__all__ = ["Broken", "Done", "Failed", "Work"]


class Broken(NamedTuple):
    """The first broken row of a chunk, and what is wrong with it."""

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

    rule: ColumnRule
    engine: str
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

        from ..arrow import _texts

        pa.set_cpu_count(1)
        source = self.sources[chunk.file]
        if self._reading[0] != chunk.file:
            self._reading = chunk.file, plug_in(source.format).Reading(source)
        read = self._reading[1].texts(chunk)
        valid = engine(self.engine)(read.column, self.rule)
        at = pc.indices_nonzero(pc.invert(valid))
        invalid = _texts(read.column.take(at))
        places = at.to_pylist() if read.at is None else [read.at[i] for i in at.to_pylist()]
        rows = [chunk.first + place for place in places]
        texts: list[str] = []
        explained: list[list[Row]] = []
        hosts: list[str | None] = []
        for text in invalid:
            # Without an at sign there is no user information, and so no password to mask.
            report = self.rule.check(text)
            shown = report.masked() if "@" in text else report
            texts.append(shown.text)
            explained.append(_rows(shown))
            host = shown.components.get("host")
            hosts.append(None if host is None else host.text)
        if self.folder is not None and texts:
            write_part(self.folder, part_name(chunk), source.shown, rows, explained, texts)
        counts = Counts()
        column = read.column
        counts.take(
            source.shown,
            *(len(column), column.null_count, read.broken),
            *(texts, explained, hosts, rows),
        )
        broken = Broken(chunk.first + read.first, read.why) if read.broken else None
        return Done(counts, broken)


def _rows(report: Report) -> list[Row]:
    """The violations of a report, as ``explain`` has them."""
    return [
        (
            *(v.start, v.end, v.component, v.production, v.kind, v.code),
            None if v.fix is None else v.fix.replacement,
        )
        for v in report.violations
    ]
