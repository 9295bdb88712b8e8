"""The results of a scan: counts, and the table of violations that they are computed from.

Owns ``Counts``, the columns of the table, and how it is written. Imports pyarrow. Invariant: the
same files give the same counts and the same table in every run; memory is bounded except for the
number of files; a table takes its place when it is whole.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from ...extras import needs
from ...limits import MOST_HOSTS
from ...text.atomic import replacing
from ...text.names import cause
from ..explain import FIELDS, Row, Shown
from . import COMPRESSED, ScanError, format_of

with needs("data"):
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

MOST_EXAMPLES = 3
"""Examples of a code that are kept: the first that are not too long."""

LONGEST_EXAMPLE = 2_000
"""Code points of an example: nobody would read a longer text."""

_LONGEST_HOST = 500  # code points; a DNS name has at most 253 (RFC 1035 §2.3.4)
_AT_ONCE = 16 << 20  # code points of texts that wait to be written
_MOST_ROWS = 1 << 16  # that wait to be written
_NO_UTF_8 = re.compile("[\ud800-\udfff]")

_NAMES = pa.dictionary(pa.int32(), pa.string())
_TYPES = {int: pa.int32(), str: _NAMES}
SCHEMA = pa.schema(
    [
        ("file", _NAMES),
        ("row", pa.int64()),
        *((name, _TYPES[kind]) for name, kind in FIELDS.items()),
        ("text", pa.string()),
        ("host", _NAMES),
    ]
)
"""The columns of the table; columns are added at the end only."""


@dataclass(slots=True)
class OfFile:
    """The counts of one file: ``null`` and ``invalid`` rows are among its ``rows``.

    ``broken`` rows could not be read, and are not among them: lines that are not JSON, for example;
    ``first_broken`` is the first, with the reason. ``why`` is the reason if the file could not be
    read, or not to its end.
    """

    rows: int = 0
    null: int = 0
    invalid: int = 0
    broken: int = 0
    first_broken: tuple[int, str] | None = None
    why: str = ""


class Example(NamedTuple):
    """A text with a violation: ``row`` counts from 0 in its file, passwords are masked.

    ``spans`` are the ranges that one code blames, in code points of ``text``.
    """

    file: str
    row: int
    text: str
    spans: tuple[tuple[int, int], ...]


def _sum(name: str) -> Any:
    """The sum of a count of all files."""
    return property(lambda counts: sum(getattr(of, name) for of in counts.files.values()))


@dataclass(slots=True)
class Counts:
    """The counts of a scan.

    ``files`` has the rows of each file. ``components``, ``productions`` and ``codes`` count
    violations; ``hosts`` count invalid texts, in lower case. If ``missed`` is more than 0, there
    were more hosts than are kept: then each count of a host can be too low by that. Hosts with the
    same first 500 characters are counted as one. ``seconds`` is the time of the scan, and
    ``made`` that of its end, such as ``2026-05-04 10:00 UTC``; 0 and empty if unknown.

    >>> counts = Counts({"a.txt": OfFile(rows=8, invalid=1)}, codes=Counter({"host-illegal": 2}))
    >>> counts.rows, counts.invalid, counts.violations
    (8, 1, 2)
    """

    files: dict[str, OfFile] = field(default_factory=dict)
    components: Counter[str] = field(default_factory=Counter)
    productions: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)
    missed: int = 0
    examples: dict[str, list[Example]] = field(default_factory=dict)
    seconds: float = 0.0
    made: str = ""

    rows = _sum("rows")
    null = _sum("null")
    invalid = _sum("invalid")
    broken = _sum("broken")

    @property
    def unread(self) -> dict[str, str]:
        """The files that could not be read, or not to their end, with the reason."""
        return {name: of.why for name, of in self.files.items() if of.why}

    @property
    def read(self) -> int:
        """The files of which something was read."""
        return sum(not of.why or of.rows + of.broken > 0 for of in self.files.values())

    @property
    def violations(self) -> int:
        """All violations."""
        return self.codes.total()

    def take(self, file: str, row: int, shown: Shown) -> None:
        """Count an invalid text. Rows come in order. Cost: O(violations)."""
        for _, _, component, production, _, code in shown.violations:
            self.components[component] += 1
            self.productions[production] += 1
            self.codes[code] += 1
        if shown.host is not None:
            self.hosts[shown.host.lower()[:_LONGEST_HOST]] += 1
        if len(shown.text) <= LONGEST_EXAMPLE:
            for code in {violation[5] for violation in shown.violations}:
                kept = self.examples.setdefault(code, [])
                if len(kept) < MOST_EXAMPLES:
                    spans = tuple((v[0], v[1]) for v in shown.violations if v[5] == code)
                    kept.append(Example(file, row, shown.text, spans))
        if len(self.hosts) > 2 * MOST_HOSTS:
            self.prune()

    def prune(self) -> None:
        """Keep the hosts with most rows; one that is left out can have had as many as the next."""
        kept = list(ranked(self.hosts).items())
        if len(kept) > MOST_HOSTS:
            self.missed += kept[MOST_HOSTS][1]
            self.hosts = Counter(dict(kept[:MOST_HOSTS]))


def ranked(counted: Mapping[str, int]) -> dict[str, int]:
    """The most frequent first, equal ones by name.

    >>> ranked({"a": 1, "b": 2, "c": 2})
    {'b': 2, 'c': 2, 'a': 1}
    """
    return dict(sorted(counted.items(), key=lambda each: (-each[1], each[0])))


# The table

Write: TypeAlias = Callable[[str, int, Shown], None]
"""Takes the violations of a text: its file, its row there from 0, and its display form."""


@contextmanager
def writing(out: str | None, about: Mapping[str, str]) -> Iterator[Write]:
    """A writer of violations to a file, which takes its place at the end of the block.

    If the block raises, the file stays as it was. ``about`` goes to the metadata of Parquet.
    Errors: ScanError, at the start; OSError.
    """
    if out is None:
        yield lambda *_: None
        return
    format = _format(out)
    with ExitStack() as stack:
        try:
            stream: Any = stack.enter_context(replacing(out))
        except OSError as error:
            raise ScanError(f"{out}: {cause(error)}") from error
        if kind := COMPRESSED.get(os.path.splitext(out)[1].lower()):
            # It closes what it writes to, and the file has to stay open until it is on the disk.
            own = pa.PythonFile(os.fdopen(os.dup(stream.fileno()), "wb"), mode="w")
            stream = stack.enter_context(pa.CompressedOutputStream(own, kind))
        if format == "jsonl":
            table = _Table(partial(_write_lines, stream))
        elif format == "csv":
            table = _Table(stack.enter_context(pa.csv.CSVWriter(stream, SCHEMA)).write_table)
        else:
            schema = SCHEMA.with_metadata(dict(about))
            settings = {"compression": "zstd", "write_page_checksum": True}
            writer = pa.parquet.ParquetWriter(stream, schema, **settings)
            table = _Table(stack.enter_context(writer).write_table)
        yield table.take
        table.flush()


def _format(out: str) -> str:
    """The format of a file to write; of a device, Parquet. Errors: ScanError, if it has none."""
    format = format_of(out)
    if format in {"parquet", "csv", "jsonl"}:
        return str(format)
    if os.path.exists(out) and not os.path.isfile(out):
        return "parquet"
    raise ScanError(f"{out}: name a file that ends with .parquet, .csv or .jsonl")


class _Table:
    """Violations that wait until there are enough of them for a row group."""

    def __init__(self, write: Callable[[pa.Table], None]) -> None:
        self._write = write
        self._held: list[tuple[str, int, Row, str, str | None]] = []
        self._size = 0

    def take(self, file: str, row: int, shown: Shown) -> None:
        text, host = _as_utf_8(shown.text), shown.host and _as_utf_8(shown.host)
        self._held += ((file, row, violation, text, host) for violation in shown.violations)
        self._size += len(text) * len(shown.violations)
        if self._size > _AT_ONCE or len(self._held) > _MOST_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        if self._held:
            files, rows, found, texts, hosts = zip(*self._held, strict=True)
            values = zip(
                (files, rows, *zip(*found, strict=True), texts, hosts), SCHEMA, strict=True
            )
            arrays = [pa.array(column, field.type) for column, field in values]
            self._write(pa.table(arrays, SCHEMA))
            self._held, self._size = [], 0


def _write_lines(stream: Any, table: pa.Table) -> None:
    """Write an object on each line."""
    from json import dumps

    lines = (f"{dumps(row, ensure_ascii=False)}\n" for row in table.to_pylist())
    stream.write("".join(lines).encode("utf-8"))


def _as_utf_8(text: str) -> str:
    """A text with U+FFFD for each lone surrogate, which no UTF-8 text holds (RFC 3629 §3)."""
    return text if text.isascii() else _NO_UTF_8.sub("\ufffd", text)
