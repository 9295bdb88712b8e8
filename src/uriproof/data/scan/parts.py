"""The violations of a scan in files: a part for each chunk, and the parts as one file in the end.

Owns the columns of the output, and how parts are written and put together. Imports pyarrow.
Invariant: a file under its name is whole; the output has the rows of all parts, in the order of the
files and their rows.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from ...errors import UriproofError
from ...extras import needs
from ...text.atomic import replacing
from ..explain import FIELDS
from .read import Chunk

with needs("data"):
    import pyarrow as pa
    import pyarrow.parquet as pq

if TYPE_CHECKING:
    from .summary import Invalid

__all__ = ["SCHEMA", "Damaged", "is_whole", "part_name", "put_together", "writing"]

_NAMES = pa.dictionary(pa.int32(), pa.string())

SCHEMA = pa.schema(
    [
        ("file", _NAMES),
        ("row", pa.int64()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        *((name, _NAMES) for name in ("component", "production", "kind", "code")),
        ("fix", pa.string()),
        ("text", pa.string()),
    ]
)
"""The columns of the output. ``row`` counts from 0 in its file, offsets are code points."""

_HOW = {"compression": "zstd", "write_page_checksum": True}
_AT_ONCE = 32 << 20  # octets of texts that are held for one row group
_MOST_ROWS = 1 << 17
_NO_UTF_8 = re.compile("[\ud800-\udfff]")


class Damaged(UriproofError):
    """A part that is not there, cannot be read, or has not the rows that it was written with."""


def part_name(chunk: Chunk) -> str:
    """The name of the file with the violations of a chunk; names sort as chunks do."""
    return f"part-{chunk.file:06d}-{chunk.number:09d}.parquet"


@contextmanager
def writing(folder: str, name: str, file: str) -> Iterator[Callable[[Sequence[Invalid]], None]]:
    """A writer of the invalid rows of a file to a part.

    The part takes its place at the end of the block, if it is not empty. Errors: OSError.
    """
    with ExitStack() as stack:
        writer: pq.ParquetWriter | None = None

        def write(invalid: Sequence[Invalid]) -> None:
            nonlocal writer
            for table in _tables(file, invalid):
                if writer is None:
                    stream = stack.enter_context(replacing(os.path.join(folder, name)))
                    writer = pq.ParquetWriter(stream, SCHEMA, **_HOW, write_statistics=False)
                    stack.enter_context(writer)
                writer.write_table(table)

        yield write


def put_together(folder: str, parts: Mapping[str, int], out: str, about: dict[str, str]) -> None:
    """Write the parts, in the order of their names, to one file. ``parts`` has the rows of each.

    The file takes its place when it is whole. ``about`` is kept in its metadata. Errors: OSError,
    of the file; ``Damaged``.
    """
    schema = SCHEMA.with_metadata(about)
    tables = (table for name in sorted(parts) for table in _groups(folder, name, parts[name]))
    with (
        replacing(out) as stream,
        pq.ParquetWriter(stream, schema, **_HOW) as writer,
    ):
        for table in _gathered(tables):
            writer.write_table(table.replace_schema_metadata(about))


def is_whole(folder: str, name: str, rows: int) -> bool:
    """Whether all of a part can be read, and it has this many rows. Cost: that of reading it."""
    try:
        for _ in _groups(folder, name, rows):
            pass
    except Damaged:
        return False
    return True


def _groups(folder: str, name: str, rows: int) -> Iterator[pa.Table]:
    """The rows of a part. Errors: ``Damaged``."""
    try:
        with pq.ParquetFile(os.path.join(folder, name), page_checksum_verification=True) as file:
            if file.schema_arrow != SCHEMA or file.metadata.num_rows != rows:
                raise Damaged(name)
            for group in range(file.metadata.num_row_groups):
                yield file.read_row_group(group, use_threads=False)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise Damaged(name) from error


def _gathered(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Small tables as few larger ones."""
    held: list[pa.Table] = []
    size = rows = 0
    for table in tables:
        held.append(table)
        size, rows = size + table.nbytes, rows + len(table)
        if size > _AT_ONCE or rows > _MOST_ROWS:
            yield pa.concat_tables(held).unify_dictionaries()
            held, size, rows = [], 0, 0
    if held:
        yield pa.concat_tables(held).unify_dictionaries()


def _as_utf_8(text: str) -> str:
    """A text with U+FFFD for each lone surrogate, which no UTF-8 text holds (RFC 3629 §3)."""
    return text if text.isascii() else _NO_UTF_8.sub("\ufffd", text)


def _tables(file: str, invalid: Sequence[Invalid]) -> Iterator[pa.Table]:
    """The violations as tables of bounded size."""
    held: list[tuple[Any, ...]] = []
    size = 0
    for row, (text, found, _) in invalid:
        shown = _as_utf_8(text)
        for violation in found:
            held.append((row, *violation, shown))
            size += len(text)
            if size > _AT_ONCE:
                yield _table(file, held)
                held, size = [], 0
    if held:
        yield _table(file, held)


def _table(file: str, held: list[tuple[Any, ...]]) -> pa.Table:
    columns = dict(zip(("row", *FIELDS, "text"), zip(*held, strict=True), strict=True))
    files = pa.DictionaryArray.from_arrays(pa.array([0] * len(held), pa.int32()), [file])
    arrays = [files]
    for field in list(SCHEMA)[1:]:
        if field.type == _NAMES:
            arrays.append(pa.array(columns[field.name], pa.string()).dictionary_encode())
        else:
            arrays.append(pa.array(columns[field.name], field.type))
    return pa.Table.from_arrays(arrays, schema=SCHEMA)
