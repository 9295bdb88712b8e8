"""CSV and TSV: a header with the names of the columns, then a record for each row (RFC 4180).

Owns how they are read. Imports pyarrow, which reads a block at once. Invariant: the row of a text
is the number of its record, from 0 after the header; a record may have line ends within quotation
marks; blank records are null, and those with another number of fields are broken.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc

from ....text.drawing import visible
from . import Chunk, Source, Texts, Unreadable
from ._columns import TEXT, Path, choose
from ._stream import Block, Octets, blocks

FORMATS = {"csv": (".csv",), "tsv": (".tsv", ".tab")}

_DELIMITERS = ",;\t|"
_LOOKED_AT = 1 << 20  # octets, to find the types of the columns
_UNCLOSED = "a quotation mark that is not closed"


def runs(source: Source, column: str | None) -> Iterator[list[Chunk]]:
    """The blocks of the file. Errors: ``Unreadable``."""
    delimiter = "\t" if source.format == "tsv" else ","
    details: tuple[str, int, int] | None = None
    number = 0
    with Octets(source) as pieces:
        for block in blocks(pieces, partial(_cut, _quoted(delimiter)), _UNCLOSED):
            if details is None:
                if block.why:
                    raise Unreadable(f"its header cannot be read: {block.why}")
                end, names, delimiter = header_of(block.raw, delimiter)
                details = (
                    delimiter,
                    len(names),
                    column_of(block.raw[end:], names, delimiter, column),
                )
                block = Block(1, block.rows - 1, block.raw[end:])  # noqa: PLW2901 -- without it
            if block.rows:
                what = block.raw, *details, block.why
                first = block.first - 1
                yield [Chunk(source.number, number, first, block.rows, what, pieces.part())]
                number += 1
        if details is None:
            raise Unreadable("it is empty; a header with the names of the columns is expected")


class Reading:
    """The texts in one field of each record."""

    def __init__(self, source: Source) -> None:
        pass

    def texts(self, chunk: Chunk) -> Texts:
        """The texts of a chunk."""
        raw, delimiter, fields, index, why = chunk.what
        if why:
            return Texts(pa.array([], pa.string()), [], 1, 0, why)
        broken: list[tuple[int, str]] = []

        def skip(row: Any) -> str:
            lines = row.text.count("\n")
            over = f" and {lines + 1:,} lines" if lines else ""
            words = f"{row.actual_columns:,} fields{over}, and {fields:,} fields are expected"
            broken.append(
                (
                    row.number - 1,
                    words.replace("1 fields", "1 field", 1) if row.actual_columns == 1 else words,
                )
            )
            return "skip"

        table = _table(raw, delimiter, fields, skip, {str(index): pa.binary()}, [str(index)])
        column = table.column(0).combine_chunks().view(pa.string())
        if not broken:
            return Texts(column)
        skipped = {row for row, _ in broken}
        at = [row for row in range(len(column) + len(skipped)) if row not in skipped]
        return Texts(column, at, len(broken), *broken[0])


def _table(
    raw: bytes, delimiter: str, fields: int, skip: Any, types: Any, wanted: list[str]
) -> pa.Table:
    """A block, its columns named by number. Errors: pyarrow's."""
    return pc.read_csv(
        pa.BufferReader(raw),
        read_options=pc.ReadOptions(
            column_names=[str(i) for i in range(fields)],
            use_threads=False,
            block_size=len(raw) + 1,
        ),
        parse_options=pc.ParseOptions(
            delimiter=delimiter,
            newlines_in_values=True,
            ignore_empty_lines=False,
            invalid_row_handler=skip,
        ),
        convert_options=pc.ConvertOptions(
            column_types=types,
            include_columns=wanted,
            check_utf8=False,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def _quoted(delimiter: str) -> re.Pattern[bytes]:
    """A field in quotation marks, closed or not; elsewhere these are characters as any other."""
    before = re.escape(delimiter.encode())
    return re.compile(rb'(?:\A|(?<=[\r\n%s]))"(?:[^"]|"")*+("?)' % before)


def _cut(quoted: re.Pattern[bytes], raw: bytes, last: bool) -> tuple[int, int]:
    """Where the last whole record ends, and how many there are (see ``Cut``)."""
    plain, whole = raw, last
    pieces = raw.split(b'"')
    inside = b"".join(pieces[1::2])
    if b"\n" not in inside and b"\r" not in inside:  # as in most files, which is soon seen
        whole = last and len(pieces) % 2 == 1
    else:

        def hidden(field: re.Match[bytes]) -> bytes:
            nonlocal whole
            whole = whole and bool(field[1])
            return b"x" * len(field[0])

        plain = quoted.sub(hidden, raw)
    end = len(raw) if whole else plain.rfind(b"\n") + 1
    if not end and b"\n" not in plain:  # a carriage return ends a record, too
        end = plain.rfind(b"\r", 0, len(plain) - 1) + 1
    return end, _ends(plain, end) + (plain[end - 1 : end] not in {b"\n", b"\r", b""})


def _ends(plain: bytes, end: int) -> int:
    count = plain.count(b"\n", 0, end)
    if b"\r" in plain:
        count += plain.count(b"\r", 0, end) - plain.count(b"\r\n", 0, end)
    return count


def header_of(raw: bytes, delimiter: str) -> tuple[int, list[str], str]:
    """Where the first record ends, the names in it, and what delimits them."""
    end = len(raw)
    for found in re.finditer(rb'"(?:[^"]|"")*+"?|\r\n|\n|\r', raw):
        if found[0][:1] != b'"':
            end = found.end()
            break
    text = raw[:end].decode("utf-8", "replace").rstrip("\r\n")
    if delimiter not in text:
        delimiter = max(_DELIMITERS, key=text.count) if delimiter == "," else delimiter
        delimiter = delimiter if delimiter in text else ","
    names = next(csv.reader([text], delimiter=delimiter, strict=False), [])
    return end, [name.strip() for name in names], delimiter


def column_of(raw: bytes, names: list[str], delimiter: str, wanted: str | None) -> int:
    """The place of the column, by the types of the first rows. Errors: ``Unreadable``."""
    if not names:
        raise Unreadable("its first line is blank; a header with the names of columns is expected")
    if len(names) == 1 and "://" in names[0]:
        raise Unreadable(
            f"its header looks like data: {visible(names[0])!r}; for texts one on each line, "
            "use --format text"
        )
    raw = raw[: raw.rfind(b"\n", 0, _LOOKED_AT) + 1] or raw[:_LOOKED_AT]
    types: dict[int, str] = dict.fromkeys(range(len(names)), "null")
    if raw:
        try:
            table = _table(raw, delimiter, len(names), lambda _: "skip", None, [])
        except pa.ArrowException as error:
            raise Unreadable(f"it cannot be read: {error}") from error
        types = {i: _kind(field.type) for i, field in enumerate(table.schema)}
    paths: dict[Path, int] = {}
    for i, name in enumerate(names):
        paths.setdefault((name,), i)
    kinds = {path: types[i] for path, i in paths.items()}
    if wanted is not None and kinds.get((wanted,)) in {"null", *_LIKE_TEXT}:
        kinds[wanted,] = TEXT  # it is named, and its first rows need not be as the others
    return paths[choose(wanted, kinds)]


_LIKE_TEXT = frozenset({"null", "bool"})


def _kind(found: pa.DataType) -> str:
    is_text = pa.types.is_string(found) or pa.types.is_binary(found)
    return TEXT if is_text else str(found)
