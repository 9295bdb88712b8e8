"""Parquet: row groups, cut into chunks that fit into memory.

Owns how a column of a Parquet file is read. Imports pyarrow. Invariant: no process ever holds more
than a chunk of a column, and of a row group with a corrupt page the rows before it are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from ...arrow import texts_of
from . import STANDARD_INPUT, Chunk, Notify, Source, Texts, Unreadable
from ._columns import choose, leaves

if TYPE_CHECKING:
    from typing import Any

FORMATS = {"parquet": (".parquet", ".pq", ".parq")}

MOST_ROWS = 131_072
_MOST_BYTES = 32 << 20  # of a chunk's texts, as the file's metadata estimate them
_LEAST_ROWS = 256


def runs(source: Source, column: str | None, _: Notify) -> Iterator[list[Chunk]]:
    """The chunks of each row group. Errors: ``Unreadable``."""
    with _opened(source) as file:
        metadata = file.metadata
        path = choose(column, leaves(file.schema_arrow))
        where = _index(metadata, path)
        first = number = 0
        for group in range(metadata.num_row_groups):
            held = metadata.row_group(group)
            size = held.column(where).total_uncompressed_size / max(held.num_rows, 1)
            most = max(_LEAST_ROWS, min(MOST_ROWS, int(_MOST_BYTES / max(size, 1))))
            chunks = []
            for start in range(0, held.num_rows, most):
                rows = min(most, held.num_rows - start)
                what, part = (path, group, start, most), rows / metadata.num_rows
                chunks.append(Chunk(source.number, number, first, rows, what, part))
                first, number = first + rows, number + 1
            if chunks:
                yield chunks


class Reading:
    """A file that is read from chunk to chunk: the next one of a row group costs no search."""

    def __init__(self, source: Source) -> None:
        self._file = _opened(source)
        self._batches: Iterator[Any] = iter(())
        self._next: tuple[int, int] = (-1, 0)

    def texts(self, chunk: Chunk) -> Texts:
        """The texts of a chunk. Errors: ``Unreadable``."""
        path, group, start, most = chunk.what
        try:
            if self._next[0] != group or self._next[1] > start:
                self._batches = self._file.iter_batches(
                    most, row_groups=[group], columns=[".".join(path)], use_threads=False
                )
                self._next = (group, 0)
            while True:
                batch = next(self._batches)
                before = self._next[1]
                self._next = (group, before + len(batch))
                if before == start:
                    break
            if len(batch) != chunk.rows:
                raise pa.ArrowInvalid(f"expected {chunk.rows:,} rows, not {len(batch):,}")
            return Texts(texts_of(_inner(batch, path)))
        except StopIteration:
            why = "it has fewer rows than its metadata say"
        except (pa.ArrowException, OSError, ValueError) as error:
            why = " ".join(str(error).split())
        self._next = (-1, 0)
        first = chunk.first - start
        raise Unreadable(
            f"corrupt: {why}; write that part of the file again",
            f"row group {group}, column {'.'.join(path)}, from row {first:,} of the file on",
        )


def _opened(source: Source) -> pq.ParquetFile:
    if source.name == STANDARD_INPUT:
        raise Unreadable("Parquet is read from its end: save it, and give the name of the file")
    try:
        return pq.ParquetFile(source.name, memory_map=False, page_checksum_verification=True)
    except FileNotFoundError as error:
        raise Unreadable("the file does not exist") from error
    except (pa.ArrowException, OSError) as error:
        why = " ".join(str(getattr(error, "strerror", None) or error).split())
        raise Unreadable(f"not a whole Parquet file ({why}); write or copy it again") from error


def _index(metadata: Any, path: tuple[str, ...]) -> int:
    """The place of a column among the leaves of the schema."""
    schema = metadata.schema
    paths = [schema.column(i).path for i in range(len(schema))]
    return paths.index(".".join(path))


def _inner(batch: Any, path: tuple[str, ...]) -> pa.Array:
    """The column of a path of names; null if a struct around it is null."""
    column = batch.column(path[0])
    for name in path[1:]:
        inner = column.field(name)
        if column.null_count:
            import pyarrow.compute as pc

            inner = pc.if_else(column.is_valid(), inner, pa.scalar(None, inner.type))
        column = inner
    return column
