"""CSV and TSV: a header with the names of the columns, then a record for each row (RFC 4180).

Owns how they are read. Imports pyarrow, which reads a block at once. Invariant: the row of a text
is the number of its record, from 0 after the header, if there is one; a record can have line ends
within quotation marks; blank records are null, and those with another number of fields are broken.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.csv as pc

from ....rule import Rule, is_valid
from ....text.drawing import visible
from ...explain import show
from . import Chunk, Notify, Source, Texts, Unreadable
from ._columns import TEXT, Path, choose
from ._stream import Block, Octets, blocks

FORMATS = {"csv": (".csv",), "tsv": (".tsv", ".tab")}

_DELIMITERS = ",;\t|\x01"  # the last one is Hive's
_LOOKED_AT = 1 << 20  # octets, to find the types of the columns
_SAMPLE = 1 << 16  # octets, to find the delimiter: some hundred records
_UNCLOSED = "a quotation mark that is not closed"


def runs(source: Source, column: str | None, notify: Notify) -> Iterator[list[Chunk]]:
    """The blocks of the file. Errors: ``Unreadable``."""
    details: tuple[str, int, int] | None = None
    number = before = 0
    cut = _Cut(source.delimiter or ("\t" if source.format == "tsv" else None))
    with Octets(source) as pieces:
        for block in blocks(pieces, cut, _UNCLOSED):
            if details is None:
                if block.why:
                    raise Unreadable(f"its header cannot be read: {block.why}")
                layout = _layout_of(block.raw, cut.delimiter, source.header, column)
                if layout.notice:
                    notify(f"{source.shown}: {layout.notice}", False)
                rest = block.raw[layout.start :]
                index = _column_of(rest, layout.names, cut.delimiter, column)
                details = cut.delimiter, len(layout.names), index
                before = int(layout.start > 0)
                block = Block(before, block.rows - before, rest)  # noqa: PLW2901 -- without it
            if block.rows:
                what = block.raw, *details, block.why
                first = block.first - before
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


class _Cut:
    """The end of the last whole record, and the number of records (see ``Cut``).

    The delimiter is given, or found in the first octets.
    """

    def __init__(self, delimiter: str | None) -> None:
        self.delimiter = delimiter or ""
        self._quoted: re.Pattern[bytes] | None = None

    def __call__(self, raw: bytes, last: bool) -> tuple[int, int]:
        plain, whole = self._plain(raw, last)
        end = len(raw) if whole else plain.rfind(b"\n") + 1
        if not end and b"\n" not in plain:  # a carriage return also ends a record
            end = plain.rfind(b"\r", 0, len(plain) - 1) + 1
        return end, _ends(plain, end) + (plain[end - 1 : end] not in {b"\n", b"\r", b""})

    def _plain(self, raw: bytes, last: bool) -> tuple[bytes, bool]:
        """The octets with no line end within a field, and whether they end with a record."""
        if self._quoted is None:
            self.delimiter = self.delimiter or _delimiter_of(raw)
            self._quoted = _quoted(self.delimiter)
        pieces = raw.split(b'"')
        inside = b"".join(pieces[1::2])
        if b"\n" not in inside and b"\r" not in inside:  # as in most files, which is soon seen
            return raw, last and len(pieces) % 2 == 1
        whole = last

        def hidden(field: re.Match[bytes]) -> bytes:
            nonlocal whole
            whole = whole and bool(field[1])
            return b"x" * len(field[0])

        plain = self._quoted.sub(hidden, raw)
        return plain, whole


def _ends(plain: bytes, end: int) -> int:
    count = plain.count(b"\n", 0, end)
    if b"\r" in plain:
        count += plain.count(b"\r", 0, end) - plain.count(b"\r\n", 0, end)
    return count


def _delimiter_of(raw: bytes) -> str:
    """The delimiter of the first record that divides most others into as many fields.

    >>> _delimiter_of(b"id;price, EUR;url\\n1;2,50;http://a/\\n"), _delimiter_of(b"url\\nhttp://a/")
    (';', ',')
    """

    def score(delimiter: str) -> tuple[float, int]:
        records = _records(raw, delimiter)
        fields = len(records[0]) if records else 0
        alike = sum(len(record) == fields for record in records)
        return (alike / len(records), fields) if fields > 1 else (0, 0)

    return max(_DELIMITERS, key=score)


class Layout(NamedTuple):
    """The beginning of the rows, the names of their columns, and a note for people.

    Without a header, rows begin at 0, and columns have numbers, from 1.
    """

    start: int
    names: list[str]
    notice: str = ""


def _layout_of(raw: bytes, delimiter: str, header: bool | None, wanted: str | None) -> Layout:
    """The layout of a file by its first records. ``header`` says whether there is one, if that is
    known. Errors: ``Unreadable``.
    """
    records = _records(raw, delimiter)
    if not records:
        raise Unreadable("its first record cannot be read: one of its fields is too long")
    names = [name.strip() for name in records[0]]
    notice = ""
    if header is None and wanted not in names:
        header, notice = _is_header(names, records[1] if len(records) > 1 else [])
    if header is False:
        return Layout(0, [str(number) for number, _ in enumerate(names, 1)], notice)
    return Layout(_first_end(raw), names, notice)


def _is_header(cells: list[str], below: list[str]) -> tuple[bool, str]:
    """Whether the first record names the columns, and a note if that is not certain.

    URLs are rarely names. Names with a prefix, as og:url, are URIs too: they are data if the cell
    below has the same prefix.
    """
    for number, cell in enumerate(cells):
        prefix = cell.partition(":")[0] + ":"
        under = below[number].strip() if number < len(below) else ""
        if "://" in cell or (under.startswith(prefix) and is_valid(cell)):
            return False, (
                f"its first record looks like data ({_shown(cell)}), so it is read as a row, "
                "and columns have numbers; if it is a header, use --header"
            )
    for cell in cells:
        if is_valid(cell):
            return True, f"its header could be data ({_shown(cell)}); if it is, use --no-header"
    return True, ""


def _shown(cell: str) -> str:
    """The beginning of a cell, without passwords."""
    return visible(show(Rule(), cell).text[:80])


def _records(raw: bytes, delimiter: str) -> list[list[str]]:
    """The first records that are whole; the first one in any case, if it can be read."""
    end = max(_first_end(raw), min(len(raw), _SAMPLE))
    lines = StringIO(raw[:end].decode("utf-8", "replace"), newline="")
    records = []
    try:
        for record in csv.reader(lines, delimiter=delimiter):
            records.append(record)
    except csv.Error:  # a field of more than 131,072 characters
        pass
    return records[:-1] if len(records) > 1 and end < len(raw) else records


def _first_end(raw: bytes) -> int:
    """The end of the first record."""
    for found in re.finditer(rb'"(?:[^"]|"")*+"?|\r\n|\n|\r', raw):
        if found[0][:1] != b'"':
            return found.end()
    return len(raw)


def _column_of(raw: bytes, names: list[str], delimiter: str, wanted: str | None) -> int:
    """The place of the column, by the types of the first rows. A number, from 1, is a name as well
    if no other column has it. Errors: ``Unreadable``.
    """
    if not names:
        raise Unreadable("its first line is blank; a header with the names of columns is expected")
    numbers = [str(number) for number, _ in enumerate(names, 1)]
    if wanted not in names and wanted in numbers:
        names = numbers
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
