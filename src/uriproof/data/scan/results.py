"""The results of a scan: counts, and the table of violations that they are computed from.

Owns ``Counts``, the columns of the table, and how it is written. Imports pyarrow. Invariant: the
same files give the same counts and the same table in every run; memory is bounded except for the
number of files; a table takes its place when it is whole.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from ...extras import needs
from ...limits import MOST_HOSTS, MOST_VIOLATIONS
from ...text.atomic import replacing
from ...text.columns import ELLIPSIS
from ..explain import FIELDS, Row, Shown
from . import COMPRESSED, ScanError, format_of

with needs("data"):
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

MOST_EXAMPLES = 3
"""Examples of a code that are kept: the first."""

_LONGEST_HOST = 500  # code points; a DNS name has at most 253 (RFC 1035 §2.3.4)
_LONGEST_TEXT = 400  # code points of an example
_BEFORE = 120  # of them, before the first blamed character
_MOST_SPANS = 40
_AT_ONCE = 16 << 20  # code points of texts that wait to be written
_MOST_ROWS = 1 << 16  # that wait to be written
_NO_UTF_8 = re.compile("[\ud800-\udfff]")

_NAMES = pa.dictionary(pa.int32(), pa.string())
_TYPES = {int: pa.int32(), str: _NAMES}
SCHEMA = pa.schema(
    [
        ("file", _NAMES),
        ("row", pa.int64()),
        *((name, _TYPES[kind]) for name, kind in FIELDS.items() if name != "fix"),
        ("fix", pa.string()),
        ("text", pa.string()),
        ("host", _NAMES),
    ]
)
"""The columns of the table; columns are added at the end only."""

_PLAIN = pa.schema([(f.name, pa.string() if f.type == _NAMES else f.type) for f in SCHEMA])

Invalid: TypeAlias = tuple[int, Shown]
"""An invalid row: its number in its file, from 0, and the display form of its text."""


@dataclass(slots=True)
class OfFile:
    """The counts of one file: ``null`` and ``invalid`` rows are among its ``rows``.

    ``broken`` rows could not be read, and are not among them: lines that are not JSON, for example.
    """

    rows: int = 0
    null: int = 0
    invalid: int = 0
    broken: int = 0


class Example(NamedTuple):
    """A text with a violation: ``row`` counts from 0 in its file, passwords are masked.

    ``spans`` are the blamed ranges, in code points of ``text``. Of a long text there is an excerpt
    from ``first`` on; ``length`` is that of the whole.
    """

    file: str
    row: int
    text: str
    spans: tuple[tuple[int, int], ...]
    first: int
    length: int

    @classmethod
    def of(cls, file: str, row: int, text: str, blamed: Sequence[tuple[int, int]]) -> Example:
        """The example of a masked text and the spans, sorted, that one code blames in it.

        >>> Example.of("urls.txt", 0, "http://h/" + "a" * 1_000 + " ", [(1009, 1010)])[3:]
        (((399, 400),), 610, 1010)
        """
        first = max(0, min(blamed[0][0] - _BEFORE, len(text) - _LONGEST_TEXT))
        excerpt = text[first : first + _LONGEST_TEXT]
        shown = (
            (start - first, min(end - first, len(excerpt)))
            for start, end in blamed[:_MOST_SPANS]
            if start - first < len(excerpt) or start == len(text)
        )
        return cls(file, row, excerpt, tuple(shown), first, len(text))


def _sum(name: str) -> Any:
    """The sum of a count of all files."""
    return property(lambda counts: sum(getattr(of, name) for of in counts.files.values()))


@dataclass(slots=True)
class Counts:
    """The counts of a scan.

    ``files`` has the rows of each file. ``components``, ``productions`` and ``codes`` count
    violations; ``hosts`` count invalid texts, in lower case. If ``missed`` is more than 0, there
    were more hosts than are kept: then each count of a host can be too low by that. Hosts with the
    same first 500 characters are counted as one.

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

    rows = _sum("rows")
    null = _sum("null")
    invalid = _sum("invalid")
    broken = _sum("broken")

    @property
    def violations(self) -> int:
        """All violations."""
        return self.codes.total()

    def take(self, file: str, row: int, shown: Shown) -> None:
        """Count an invalid text. Rows come in order. Cost: O(violations)."""
        for _, _, component, production, _, code, _ in shown.violations:
            self.components[component] += 1
            self.productions[production] += 1
            self.codes[code] += 1
        if shown.host is not None:
            host = shown.host.lower()
            self.hosts[host if len(host) <= _LONGEST_HOST else host[:_LONGEST_HOST] + ELLIPSIS] += 1
        for code in {violation[5] for violation in shown.violations}:
            kept = self.examples.setdefault(code, [])
            if len(kept) < MOST_EXAMPLES:
                spans = [(v[0], v[1]) for v in shown.violations if v[5] == code]
                kept.append(Example.of(file, row, shown.text, spans))
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


def bounded(shown: Shown) -> Shown:
    """The first violations of a text: a long one can have millions."""
    return shown._replace(violations=shown.violations[:MOST_VIOLATIONS])


# The table


def check_output(out: str) -> str:
    """The format of a file to write. Errors: ScanError, if it cannot be; better now than later."""
    format = format_of(out)
    folder = os.path.dirname(os.path.realpath(out))
    device = os.path.exists(out) and not os.path.isfile(out)
    why = ""
    if os.path.isdir(out):
        why = "a folder; name a file in it"
    elif "://" in out:
        why = "violations are written to this machine only; name a file"
    elif not os.path.isdir(folder):
        why = f"folder {folder} does not exist; make it first"
    elif not os.access(folder, os.W_OK) and not device:
        why = f"{folder} cannot be written to; name another file"
    elif format not in _WRITERS and not device:
        why = "name a file that ends with .parquet, .csv or .jsonl"
    elif format == "parquet" and out.lower().endswith(tuple(COMPRESSED)):
        why = "Parquet compresses by itself; name a file that ends with .parquet"
    if why:
        raise ScanError(f"{out}: {why}")
    return format if format in _WRITERS else "parquet"


@contextmanager
def writing(
    out: str | None, about: Mapping[str, str]
) -> Iterator[Callable[[str, int, Shown], None]]:
    """A writer of the violations of a text: a file, a row and the text's display form.

    The file takes its place at the end of the block; if the block raises, it stays as it was.
    ``about`` goes to the metadata of Parquet. Errors: OSError, ScanError.
    """
    if out is None:
        yield lambda *_: None
        return
    format = check_output(out)
    with ExitStack() as stack:
        stream: Any = stack.enter_context(replacing(out))
        if kind := COMPRESSED.get(os.path.splitext(out)[1].lower()):
            # It closes what it writes to, and the file has to stay open until it is on the disk.
            own = pa.PythonFile(os.fdopen(os.dup(stream.fileno()), "wb"), mode="w")
            stream = stack.enter_context(pa.CompressedOutputStream(own, kind))
        table = _Table(stack.enter_context(_WRITERS[format](stream, about)))
        yield table.take
        table.flush()


class _Table:
    """Violations that wait until there are enough of them for a row group."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer
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
            values = (files, rows, *zip(*found, strict=True), texts, hosts)
            named = zip(_PLAIN, values, strict=True)
            arrays = [pa.array(column, field.type) for field, column in named]
            self._writer.write_table(pa.table(arrays, _PLAIN).cast(SCHEMA))
            self._held, self._size = [], 0


class _JSONLines:
    """A writer of an object on each line."""

    def __init__(self, stream: Any, _: Mapping[str, str]) -> None:
        self._stream = stream

    def __enter__(self) -> _JSONLines:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def write_table(self, table: pa.Table) -> None:
        from json import dumps

        lines = (f"{dumps(row, ensure_ascii=False)}\n" for row in table.to_pylist())
        self._stream.write("".join(lines).encode("utf-8"))


class _CSV(pyarrow.csv.CSVWriter):  # type: ignore[misc]
    """A writer of records under a header; a null is an empty field without quotes."""

    def __init__(self, stream: Any, _: Mapping[str, str]) -> None:
        super().__init__(stream, _PLAIN)

    def write_table(self, table: pa.Table, **settings: Any) -> None:
        super().write_table(table.cast(_PLAIN), **settings)


def _parquet(stream: Any, about: Mapping[str, str]) -> Any:
    schema = SCHEMA.with_metadata(dict(about))
    return pa.parquet.ParquetWriter(stream, schema, compression="zstd", write_page_checksum=True)


_WRITERS: dict[str, Callable[[Any, Mapping[str, str]], Any]] = {
    "parquet": _parquet,
    "csv": _CSV,
    "jsonl": _JSONLines,
}


def _as_utf_8(text: str) -> str:
    """A text with U+FFFD for each lone surrogate, which no UTF-8 text holds (RFC 3629 §3)."""
    return text if text.isascii() else _NO_UTF_8.sub("\ufffd", text)
