"""Files of texts, wherever they are: found, opened, and read in batches.

Owns ``found`` and ``batches``. Imports pyarrow, whose file systems and readers do the work.
Invariant: files come in the order of their names, and their rows in that of the file; hidden names
are left out, and no link leads out of a folder; memory is that of some batches; what cannot be read
is one sentence, without passwords.
"""

from __future__ import annotations

import os
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import chain, islice
from typing import Any, NamedTuple, TypeAlias

from ...errors import UriproofError
from ...extras import needs
from ...limits import FETCH_SECONDS, LARGEST_FETCHED, LONGEST_RECORD
from ...text.drawing import visible
from ...text.names import did_you_mean
from ...text.passwords import without_passwords
from . import STANDARD_INPUT, Options, format_of

with needs("data"):
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv, fs, json, parquet

    from ..arrow import texts_of

Notify: TypeAlias = Callable[[str], None]

Path: TypeAlias = tuple[str | None, ...]
"""The names that lead to a column, of structs and its own; None for the elements of a list."""

_BLOCK = 4 << 20  # octets of CSV, JSON Lines and text that are read at once
_MOST_ROWS = 1 << 17  # of a batch of Parquet
_MOST_OCTETS = 32 << 20  # of its texts, as the metadata estimate them
_LOOKED_AT = 100  # lines of JSON, to find the columns
_MOST_COLUMNS = 30  # that an error lists
_HEAD = 1 << 16  # octets in which the first record of CSV has to end
_TEXT = "text"
_MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bz2",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
}
_DELIMITERS = ",;\t|\x01"


class Unreadable(UriproofError):
    """A file that cannot be read, or not from some row on: the reason, and what to do."""


class Source(NamedTuple):
    """A file: its name without secrets, its path in a file system, its format, and its octets.

    ``system`` is None for standard input and for what is fetched. If ``why`` is given, it cannot
    be read.
    """

    name: str
    path: str
    system: Any = None
    format: str = ""
    size: int | None = None
    why: str = ""


class Batch(NamedTuple):
    """Some texts, one after the other, and the numbers of their rows, from 0 in the file.

    ``rows`` counts the rows that could be read; ``broken`` are the numbers of the others, each with
    the reason; ``end`` is the number of the row after them. ``share`` is how much of the file was
    read so far, of 1, if that is known.
    """

    texts: pa.Array
    at: pa.Array
    rows: int
    end: int
    broken: Sequence[tuple[int, str]] = ()
    share: float | None = None


# Files


def found(names: Sequence[str], format: str | None) -> list[Source]:
    """The files of names, patterns, folders and addresses, each once; unreadable ones, too."""
    sources: dict[str, Source] = {}
    for name in names:
        for each in _of_name(name, format):
            sources.setdefault(f"{each.system and each.system.type_name}:{each.path}", each)
    return list(sources.values())


def _of_name(name: str, format: str | None) -> Iterator[Source]:
    shown = shown_name(name)
    try:
        if name == STANDARD_INPUT:
            yield Source("<stdin>", name, None, format or "text")
        elif name.lower().startswith(("https://", "http://")):
            yield Source(shown, name, None, format or format_of(shown) or "")
        elif "://" in name:
            yield from _in_store(name, format)
        else:
            yield from _in_system(fs.LocalFileSystem(), name, format)
    except Unreadable as error:
        yield Source(shown, name, why=str(error))
    except (OSError, ValueError, pa.ArrowException) as error:
        yield Source(shown, name, why=_why(error))


def shown_name(name: str) -> str:
    """An address without its query, which can be a signature, and its password.

    >>> shown_name("https://me:pw@h/a.csv?X-Amz-Signature=1"), shown_name("a?b.csv")
    ('https://me:**@h/a.csv', 'a?b.csv')
    """
    return without_passwords(name.partition("?")[0]) if "://" in name else name


def _in_store(name: str, format: str | None) -> Iterator[Source]:
    """The files of an address such as ``s3://``."""
    address, _, query = name.partition("?")
    if address.lower().startswith("gs:") and "retry_limit_seconds" not in query:
        query = f"{query}&retry_limit_seconds={FETCH_SECONDS}".lstrip("&")
    base = address.partition("*")[0].rpartition("/")[0] if "*" in address else address
    system, root = fs.FileSystem.from_uri(f"{base}?{query}" if query else base)
    local = isinstance(system, fs.LocalFileSystem)
    scheme = "" if local else f"{address.partition(':')[0]}://"
    yield from _in_system(system, root + address[len(base) :], format, scheme)


def _in_system(system: Any, path: str, format: str | None, scheme: str = "") -> Iterator[Source]:
    """The files of a path: one, those of a folder, or of a pattern."""
    info = system.get_file_info(path)
    pattern, root = ["**", "*"], path
    magic = next((at for at, sign in enumerate(path) if sign in "*?["), None)
    if info.type is fs.FileType.NotFound and magic is not None:
        root = path[: path.rfind("/", 0, magic) + 1]
        pattern = path[len(root) :].split("/")
    elif info.type is not fs.FileType.Directory:
        kind = format or format_of(path) or ""
        yield Source(scheme + path, path, system, kind, info.size, _refused(info))
        return
    files = [
        Source(scheme + file, file, system, format or format_of(file) or "", size, why)
        for file, size, why in _files(system, root, pattern)
        if why or format or format_of(file) or root != path
    ]
    if not files:
        raise Unreadable("no file matches" if root != path else "no file of a known format in it")
    yield from files


def _refused(info: Any) -> str:
    if info.type is fs.FileType.NotFound:
        return "the file does not exist"
    pipe = "a pipe or a device, not a file; for a pipe, use standard input: uriproof scan - < NAME"
    return "" if info.type is fs.FileType.File else pipe


def _files(system: Any, root: str, pattern: list[str]) -> list[tuple[str, int | None, str]]:
    """The files below a folder that match: path, octets, and why a folder cannot be read."""
    base = root if root.endswith("/") or not root else f"{root}/"
    deep = "**" in pattern
    if isinstance(system, fs.LocalFileSystem):
        listed = _walked(base or "./", None if deep else len(pattern), any(map(_hidden, pattern)))
    else:
        selector = fs.FileSelector(base, allow_not_found=True, recursive=deep or len(pattern) > 1)
        infos = system.get_file_info(selector)
        listed = ((i.path, i.size, "") for i in infos if i.type is fs.FileType.File)
    inner = ((file[len(base or "./") :], size, why) for file, size, why in listed)
    return sorted(
        (base + file, size, why)
        for file, size, why in inner
        if why or _matches(file.split("/"), pattern)
    )


def _walked(root: str, most: int | None, hidden: bool) -> Iterator[tuple[str, int | None, str]]:
    """Regular files below a folder of this machine, whose real place is in it."""
    real = os.path.join(os.path.realpath(root), "")
    errors: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=errors.append):
        depth = folder[len(root) :].count(os.sep) + bool(folder[len(root) :])
        near = most is None or depth + 1 < most
        folders[:] = [each for each in folders if near and (hidden or not _hidden(each))]
        for path in (os.path.join(folder, name) for name in names):
            at = os.path.realpath(path)
            if at.startswith(real) and os.path.isfile(at):
                yield path.replace(os.sep, "/"), os.path.getsize(at), ""
    for error in errors:
        if not isinstance(error, FileNotFoundError):
            yield str(error.filename), None, _why(error)


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a path matches; only a hidden part of the pattern matches a hidden part of it.

    >>> _matches(["a", "b.csv"], ["**", "*.csv"]), _matches([".git", "b.csv"], ["**", "*.csv"])
    (True, False)
    """
    if not pattern or not parts:
        return not pattern and not parts
    first, *rest = pattern
    if first == "**":
        below = not _hidden(parts[0]) and len(parts) > 1 and _matches(parts[1:], pattern)
        return below or _matches(parts, rest)
    same = fnmatchcase(parts[0], first) and (not _hidden(parts[0]) or _hidden(first))
    return same and _matches(parts[1:], rest)


def _hidden(name: str) -> bool:
    """Whether a name does not mark data, as in Spark and Hive: ``_temporary``, ``.git``.

    A name with an equals sign is that of a partition, by a column whose name begins this way.
    """
    if name in {os.curdir, os.pardir}:
        return False
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


# Octets


class _Stream:
    """Octets whose beginning can be looked at, and which counts how many were taken."""

    closed = False

    def __init__(self, stream: Any) -> None:
        self._stream, self._head, self.taken = stream, b"", 0

    def look(self, size: int) -> bytes:
        """The first octets, which are not taken by it."""
        while len(self._head) < size and (more := self._stream.read(size - len(self._head))):
            self._head += more
        return self._head[:size]

    def read(self, size: int) -> bytes:
        """Some octets, at most so many; none at the end."""
        octets, self._head = self._head[:size], self._head[size:]
        octets = octets or self._stream.read(size)
        self.taken += len(octets)
        return octets

    def close(self) -> None:
        self._stream.close()


def _opened(source: Source) -> _Stream:
    """The octets of a file as they are. Errors: Unreadable, OSError."""
    if source.path == STANDARD_INPUT:
        return _Stream(open(sys.stdin.fileno(), "rb", closefd=False))
    if source.system is None:
        return _Stream(_fetched(source.path))
    return _Stream(source.system.open_input_stream(source.path, compression=None))


def _decoded(outer: _Stream, encoding: str | None) -> _Stream:
    """The octets decompressed, as their beginning says, and in UTF-8. Errors: Unreadable."""
    stream = outer
    kind = next((kind for magic, kind in _MAGIC.items() if stream.look(4).startswith(magic)), None)
    if kind is not None:
        stream = _Stream(pa.CompressedInputStream(pa.PythonFile(stream, mode="r"), kind))
    elif stream.look(4).startswith((b"\xfd7zX", b"PK\x03\x04")):
        raise Unreadable(
            "xz and zip are not read; decompress it first: xzcat FILE | uriproof scan -"
        )
    if encoding is not None:
        raw = pa.PythonFile(stream, mode="r")
        stream = _Stream(pa.transcoding_input_stream(raw, encoding, "utf-8"))
    elif stream.look(2) in {b"\xff\xfe", b"\xfe\xff"}:
        raise Unreadable("it looks like UTF-16; use --encoding utf-16")
    if stream.look(3) == b"\xef\xbb\xbf":
        stream.read(3)
    return stream


def _fetched(address: str) -> Any:
    """A file of the Web in a temporary file, which Parquet can be read from.

    No reader of pyarrow can do that. A redirection keeps the scheme: an address with ``https`` is
    never fetched without encryption. Errors: Unreadable, OSError.
    """
    from http.client import HTTPException
    from tempfile import TemporaryFile
    from urllib.error import HTTPError
    from urllib.request import HTTPRedirectHandler, build_opener

    from ...rule import Rule

    class Same(HTTPRedirectHandler):
        def redirect_request(self, *about: Any) -> Any:
            if not about[-1].lower().startswith(f"{about[0].type}:"):
                raise Unreadable("it redirects to another scheme, which is not followed")
            return super().redirect_request(*about)

    report = Rule().check(address)
    if not report.ok or "userinfo" in report.components:
        raise Unreadable("not a valid address, or one with a user name, which is not sent")
    file = TemporaryFile()  # noqa: SIM115 -- the caller closes it
    try:
        with build_opener(Same).open(address, timeout=FETCH_SECONDS) as answer:
            while octets := answer.read(_BLOCK):
                if file.write(octets) and file.tell() > LARGEST_FETCHED:
                    raise Unreadable(f"larger than {LARGEST_FETCHED >> 30} GB; download it first")  # noqa: TRY301
            if answer.length:  # octets that were promised and did not come
                raise Unreadable("the connection ended before the file did; try again")  # noqa: TRY301
        file.seek(0)
    except BaseException as error:
        file.close()
        if isinstance(error, HTTPError):
            error.close()
            raise Unreadable(f"the server answers {error.code} {visible(error.reason)}") from None
        if isinstance(error, HTTPException):
            raise Unreadable(f"the server does not answer as HTTP does: {_why(error)}") from None
        raise
    return file


def _why(error: Any) -> str:
    """The reason, in one line, without secrets."""
    error = getattr(error, "reason", error)  # of urllib: often another error
    reason = getattr(error, "strerror", None) or error
    words = without_passwords(" ".join(str(reason).split()))
    return words if len(words) <= 300 else f"{words[:300]}…"  # noqa: PLR2004 -- of Amazon's


# Batches


def batches(source: Source, options: Options, notify: Notify) -> Iterator[Batch]:
    """The texts of a file in batches. Errors: Unreadable, after what could be read."""
    row = 0
    try:
        if source.why:
            raise Unreadable(source.why)
        if not source.format:
            raise Unreadable("its name does not say its format; use --input-format")
        for batch in _reader(source, options, notify):
            row = batch.end
            yield batch
    except (MemoryError, RecursionError):
        raise Unreadable("not enough memory for it") from None
    except (OSError, ValueError, pa.ArrowException, UnicodeError) as error:
        why = f"row {row:,} or later: {_why(error)}" if row else _why(error)
        raise Unreadable(why) from error


def _reader(source: Source, options: Options, notify: Notify) -> Iterator[Batch]:
    if source.format == "parquet":
        yield from _parquet(source, options)
        return
    outer = _opened(source)
    try:
        stream = _decoded(outer, options.encoding)
        if source.format == "jsonl":
            batches = _json(stream, options)
        elif source.format == "text":
            batches = _text(stream, options)
        else:
            batches = _csv(stream, source, options, notify)
        for batch in batches:
            share = min(outer.taken / source.size, 1.0) if source.size else None
            yield batch._replace(share=share)
    finally:
        outer.close()


def _parquet(source: Source, options: Options) -> Iterator[Batch]:
    """Row groups in pieces: of texts that are long, few at once."""
    if source.path == STANDARD_INPUT:
        raise Unreadable("Parquet is read from its end; save it, and name the file")
    where = (
        _fetched(source.path)
        if source.system is None
        else source.system.open_input_file(source.path)
    )
    with (
        where,
        parquet.ParquetFile(where, buffer_size=_BLOCK, page_checksum_verification=True) as file,
    ):
        path = _choose(options.column, dict(_leaves(file.schema_arrow)))
        outer = path[: path.index(None)] if None in path else path
        column = ".".join(map(str, outer))
        total = file.metadata.num_rows
        most = max(256, min(_MOST_ROWS, _MOST_OCTETS * total // max(_octets(file, column), 1)))
        row = 0
        for batch in file.iter_batches(most, columns=[column], use_threads=False):
            held = batch.column(0)
            yield _of_column(held, path[1:], row)._replace(share=(row + len(held)) / total)
            row += len(held)


def _octets(file: Any, column: str) -> int:
    """The octets of a column and of what is in it, as the metadata estimate them."""
    groups = (file.metadata.row_group(i) for i in range(file.metadata.num_row_groups))
    leaves = (group.column(i) for group in groups for i in range(group.num_columns))
    inside = (leaf for leaf in leaves if f"{leaf.path_in_schema}.".startswith(f"{column}."))
    return sum(leaf.total_uncompressed_size for leaf in inside)


def _of_column(column: pa.Array, path: Path, first: int) -> Batch:
    """The texts of a column, also within structs and lists, and their rows, from ``first`` on."""
    rows = len(column)
    at = pa.array(range(first, first + rows), pa.int64())
    for name in path:
        if name is None:
            at = at.take(pc.list_parent_indices(column))
            column = column.flatten()
        else:
            column = pc.struct_field(column, name)
    return Batch(texts_of(column), at, rows, first + rows)


def _lines(stream: _Stream) -> Iterator[bytes]:
    """Whole lines, some megabytes at once, each with its end. Errors: Unreadable."""
    rest = b""
    while piece := stream.read(_BLOCK):
        end = piece.rfind(b"\n") + 1
        if end:
            yield (rest + piece[:end]).replace(b"\r\n", b"\n")
            rest = b""
        rest += piece[end:]
        if len(rest) > LONGEST_RECORD:
            raise Unreadable(
                f"a line is longer than {LONGEST_RECORD >> 20} MB; the rest is not read"
            )
    if rest:
        yield rest.replace(b"\r\n", b"\n") + b"\n"


def _text(stream: _Stream, options: Options) -> Iterator[Batch]:
    """A text on each line; an empty line is null."""
    if options.column is not None:
        raise Unreadable("plain text has no columns; leave --column out, or use --input-format")
    row = 0
    for block in _lines(stream):
        lines = pc.split_pattern(pa.scalar(block[:-1], pa.large_binary()), "\n").values
        blank = pc.equal(pc.binary_length(lines), 0)
        texts = texts_of(pc.if_else(blank, None, lines))
        yield _of_column(texts, (), row)
        row += len(texts)


def _json(stream: _Stream, options: Options) -> Iterator[Batch]:
    """A member of the object on each line."""
    row, path = 0, None
    for block in _lines(stream):
        path = path or _choose(options.column, _members(block))
        for batch in _objects(block.split(b"\n")[:-1], path, row):
            row = batch.end
            yield batch


def _members(block: bytes) -> dict[Path, str]:
    """The members of the first lines, and what they hold: text if one does. Errors: Unreadable."""
    members: dict[Path, str] = {}
    for line in block.split(b"\n", _LOOKED_AT)[:_LOOKED_AT]:
        try:
            schema = _parsed(line, None).schema
        except pa.ArrowException:
            continue
        members |= {path: held for path, held in _leaves(schema) if members.get(path) != _TEXT}
    if not members:
        raise Unreadable("no line of its beginning is a JSON object; use another --input-format")
    return members


def _parsed(lines: bytes, schema: pa.Schema | None) -> pa.Table:
    other = "infer" if schema is None else "ignore"
    read = json.ReadOptions(use_threads=False, block_size=len(lines) + 1)
    return json.read_json(pa.BufferReader(lines), read, json.ParseOptions(schema, False, other))


def _objects(lines: list[bytes], path: Path, first: int) -> Iterator[Batch]:
    """The lines as pyarrow reads them. If it rejects some, both halves; one line alone is broken.

    Cost: O(n log n), if all are broken.
    """
    kind: pa.DataType = pa.string()
    for name in reversed(path):
        kind = pa.list_(kind) if name is None else pa.struct([(name, kind)])
    why = "not one object"
    try:
        read = _parsed(
            b"\n".join(line if line.strip() else b"{}" for line in lines), pa.schema(kind)
        )
        if len(read) == len(lines):
            yield _of_column(read.column(0).combine_chunks(), path[1:], first)
            return
    except pa.ArrowException as error:
        why = str(error).removeprefix("JSON parse error: ").removesuffix(" in row 0").strip(" .")
    half = len(lines) // 2
    if half:
        yield from _objects(lines[:half], path, first)
        yield from _objects(lines[half:], path, first + half)
    else:
        none = pa.array([], pa.string())
        yield Batch(none, pa.array([], pa.int64()), 0, first + 1, [(first, f"not JSON: {why}")])


def _csv(stream: _Stream, source: Source, options: Options, notify: Notify) -> Iterator[Batch]:
    """The fields of a column; one that is empty and has no quotes is null."""
    delimiter = options.delimiter or ("\t" if source.format == "tsv" else None)
    head = stream.look(_HEAD)
    if not head.strip():
        return
    delimiter = delimiter or _likely(head)
    names, first = _records(head, delimiter, options.quote)
    header = options.header
    if header is None and any("://" in name for name in names):
        header = False
        notify(f"{source.name}: the first record has a URL, so it is read as data; see --header")
    header = header is not False
    urls = [str(at + 1) for at, text in enumerate(first if header else names) if "://" in text]
    wanted = urls[0] if options.column is None and len(urls) == 1 else options.column
    column = str(_numbered(wanted, names if header else [], len(names)) + 1)
    broken: list[tuple[int, str]] = []

    def skip(bad: Any) -> str:
        fields = f"{bad.actual_columns:,} instead of {bad.expected_columns:,} fields"
        broken.append((bad.number - 1 - header, fields))
        return "skip"

    reader = csv.open_csv(
        pa.PythonFile(stream, mode="r"),
        csv.ReadOptions(
            use_threads=False,  # or the numbers of broken rows were not known
            block_size=_BLOCK,
            column_names=[str(number + 1) for number in range(len(names))],
            skip_rows_after_names=int(header),
        ),
        csv.ParseOptions(
            delimiter=delimiter,
            quote_char=options.quote or False,
            newlines_in_values=True,
            invalid_row_handler=skip,
        ),
        csv.ConvertOptions(
            check_utf8=False,
            include_columns=[column],
            column_types={column: pa.binary()},
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )
    row = 0
    for batch in reader:
        texts = texts_of(batch.column(0))
        at, row, passed = _places(len(texts), row, broken)
        yield Batch(texts, at, len(texts), row, passed)
    if broken:
        none = pa.array([], pa.string())
        yield Batch(none, pa.array([], pa.int64()), 0, row + len(broken), broken)


def _places(
    count: int, row: int, broken: list[tuple[int, str]]
) -> tuple[pa.Array, int, list[tuple[int, str]]]:
    """The numbers of rows from ``row`` on without broken ones, the next, and those passed over.

    >>> _places(2, 5, [(6, "")])[1:]
    (8, [(6, '')])
    """
    numbers = [number for number, _ in broken]
    end = row + count
    while (more := row + count + bisect_left(numbers, end)) != end:
        end = more
    passed, broken[:] = broken[: bisect_left(numbers, end)], broken[bisect_left(numbers, end) :]
    without = {number for number, _ in passed}
    return pa.array([n for n in range(row, end) if n not in without], pa.int64()), end, passed


def _likely(head: bytes) -> str:
    """The delimiter that is most frequent in the first line.

    >>> _likely(b"id;price, EUR;url"), _likely(b"url")
    (';', ',')
    """
    line = head.lstrip().partition(b"\n")[0].decode("latin-1")
    return max(_DELIMITERS, key=line.count)


def _records(head: bytes, delimiter: str, quote: str) -> tuple[list[str], list[str]]:
    """The first two records. Errors: Unreadable."""
    import csv as records

    lines = head.decode("utf-8", "replace").splitlines(keepends=True)
    quoting: Any = records.QUOTE_MINIMAL if quote else records.QUOTE_NONE
    read = records.reader(lines, delimiter=delimiter, quotechar=quote or None, quoting=quoting)
    try:
        some = filter(None, read)
        return next(some), next(some, [])
    except records.Error as error:
        raise Unreadable(f"its first records cannot be read: {error}") from error


# Columns


def _numbered(wanted: str | None, names: list[str], count: int) -> int:
    """The place of a column of CSV, by its name or its number from 1. Errors: Unreadable."""
    columns: dict[Path, str] = {(name,): _TEXT for name in names}
    if wanted is not None and (wanted,) not in columns and wanted.isdecimal():
        if 0 < int(wanted[:9]) <= count:
            return int(wanted) - 1
        raise Unreadable(f"no column {wanted[:9]}; it has {count:,}")
    if not names:
        if wanted is None and count == 1:
            return 0
        raise Unreadable(f"it has no header; use --column with a number from 1 to {count:,}")
    (name,) = _choose(wanted, columns)
    return names.index(str(name))


def _leaves(kind: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """The columns of a schema, those within structs and lists too, and what each holds."""
    if path and (pa.types.is_list(kind) or pa.types.is_large_list(kind)):
        yield from _leaves(kind.value_type, (*path, None))
    elif isinstance(kind, pa.Schema) or pa.types.is_struct(kind):
        for each in kind:
            yield from _leaves(each.type, (*path, each.name))
    else:
        yield path, _held(kind)


def _held(kind: Any) -> str:
    """What a column holds: text, or its type."""
    try:
        texts_of(pa.nulls(0, kind))
    except (TypeError, pa.ArrowException):
        return str(kind)
    return "null" if pa.types.is_null(kind) else _TEXT


def _choose(wanted: str | None, columns: Mapping[Path, str]) -> Path:
    """The column that is named, or the only one with text. Errors: Unreadable.

    >>> _choose(None, {("id",): "int64", ("links", None): "text"})
    ('links', None)
    """
    names = {path: ".".join(name for name in path if name is not None) for path in columns}
    texts = [path for path, held in columns.items() if held == _TEXT]
    listed = ", ".join(
        chain(
            (f"{visible(names[p])} ({columns[p]})" for p in islice(columns, _MOST_COLUMNS)),
            ["…"] if len(columns) > _MOST_COLUMNS else [],
        )
    )
    if wanted is None:
        if len(texts) == 1:
            return texts[0]
        few = "several columns hold text; name one with --column" if texts else "no column of text"
        raise Unreadable(f"{few}: {listed}" if listed else "it has no columns")
    found = [path for path, name in names.items() if name == wanted]
    if not found:
        near = did_you_mean(wanted, list(names.values())) or ";"
        raise Unreadable(f"no column {wanted!r}{near} columns: {listed}")
    if columns[found[0]] != _TEXT:
        raise Unreadable(
            f"column {wanted!r} holds {columns[found[0]]}, and text is needed; columns: {listed}"
        )
    return found[0]
