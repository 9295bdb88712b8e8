"""Files of texts, wherever they are: found, opened, and read in batches.

Owns ``found`` and ``batches``. Imports pyarrow, whose file systems and readers do the work.
Invariant: files come in the order of their names, and their rows in that of the file; hidden names
and links in folders are left out; memory is that of some batches; what cannot be read is one
sentence, without passwords.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from http.client import HTTPException
from io import RawIOBase, StringIO
from math import inf
from typing import Any, NamedTuple, TypeAlias

from ...extras import needs
from ...limits import FETCH_SECONDS, LARGEST_FETCHED, LONGEST_FIRST_RECORD, LONGEST_RECORD
from ...lint.config.globs import matcher
from ...rule import Rule
from ...text.drawing import short
from ...text.names import cause, did_you_mean
from ...text.passwords import without_passwords
from . import COMPRESSED, STANDARD_INPUT, Options, ScanError, format_of

with needs("data"):
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv, fs, json, parquet

    from ..arrow import texts_of

Path: TypeAlias = tuple[str | None, ...]
"""The names that lead to a column, of structs and its own; None for the elements of a list."""

Broken: TypeAlias = list[tuple[int, str]]
"""The numbers of rows that cannot be read, from 0 in their file, and the reason for each."""

_BLOCK = 4 << 20  # octets of CSV, JSON Lines and text that are read at once
_MOST_ROWS = 1 << 17  # of a batch of Parquet
_MOST_OCTETS = 32 << 20  # of its rows, as the metadata estimate them
_LOOKED_AT = 100  # lines of JSON, to find the columns
_LONGEST_LIST = 1_000  # characters of the columns that an error lists
_LONGEST_REASON = 300  # characters: those of Amazon are long
_TEXT = "text"
_DELIMITERS = ",;\t|\x01"

_ERRORS = (ScanError, OSError, ValueError, LookupError, HTTPException, pa.ArrowException)
"""The errors of what is read: of files, names and encodings, servers, and contents."""


class Source(NamedTuple):
    """A file: its name without secrets, its path in a file system, and its octets, if known.

    ``system`` is None for standard input and for what is fetched. If ``why`` is given, it cannot
    be read.
    """

    name: str
    path: str
    system: Any = None
    size: int | None = None
    why: str = ""


class Batch(NamedTuple):
    """The texts of some rows, one after the other: one of each row, or many or none.

    ``parents`` has the row of each text, from 0 in the batch; None if each row has one.
    ``share`` is how much of the file was read so far, of 1, if that is known.
    """

    texts: pa.Array
    rows: int
    parents: pa.Array | None = None
    share: float | None = None


# Files


def found(names: Sequence[str], format: str | None) -> list[Source]:
    """The files of names, patterns, folders and addresses, each once; unreadable ones, too."""
    sources: dict[str, Source] = {}
    for name in names:
        try:
            several = [*_of_name(name, format)]
        except _ERRORS as error:
            several = [Source(shown_name(name), name, why=_why(error))]
        for each in several:
            sources.setdefault(f"{each.system and each.system.type_name}:{each.path}", each)
    return list(sources.values())


def shown_name(name: str) -> str:
    """An address without its query, which can be a signature, and its password.

    >>> shown_name("https://me:pw@h/a.csv?X-Amz-Signature=1"), shown_name("a?b.csv")
    ('https://me:**@h/a.csv', 'a?b.csv')
    """
    return without_passwords(name.partition("?")[0]) if "://" in name else name


def _of_name(name: str, format: str | None) -> list[Source]:
    if name == STANDARD_INPUT:
        return [Source("<stdin>", name)]
    if name.lower().startswith(("https://", "http://")):
        return [Source(shown_name(name), name)]
    if "://" not in name:
        return _in_system(fs.LocalFileSystem(), name, format)
    address, _, query = name.partition("?")
    if address.lower().startswith("gs:") and "retry_limit_seconds" not in query:
        query = f"{query}&retry_limit_seconds={FETCH_SECONDS}".lstrip("&")
    magic = re.search(r"[*\[{]", address)
    base = address[: address.rfind("/", 0, magic.start())] if magic else address
    system, root = fs.FileSystem.from_uri(f"{base}?{query}" if query else base)
    scheme = "" if system.type_name == "local" else f"{address.partition(':')[0]}://"
    return _in_system(system, root + address[len(base) :], format, scheme)


def _in_system(system: Any, path: str, format: str | None, scheme: str = "") -> list[Source]:
    """The files of a path: one, those of a folder, or of a pattern. Errors: ScanError, OSError."""
    info = system.get_file_info(path)
    if info.type is fs.FileType.File:
        return [Source(scheme + path, path, system, info.size)]
    if info.type is fs.FileType.Directory:
        root, pattern = path.rstrip("/") + "/", "**"
    elif info.type is not fs.FileType.NotFound:
        raise ScanError("a pipe or a device: use standard input, uriproof scan - < NAME")
    elif magic := re.search(r"[*?\[{]", path):
        root = path[: path.rfind("/", 0, magic.start()) + 1]
        pattern = path[len(root) :]
    else:
        raise ScanError("the file does not exist")
    every = _below(system, scheme, root, pattern)
    sources = [each for each in every if each.why or format or format_of(each.name)]
    if not sources:
        raise ScanError("no file matches, or none of a known format is in it")
    return sorted(sources, key=lambda each: each.name)


def _below(system: Any, scheme: str, root: str, pattern: str) -> list[Source]:
    """The files below a folder that match a pattern, and the folders that cannot be read.

    Folders are listed one by one, so that those which cannot match are not: hidden ones can hold
    more than the data, and a pattern without ``**`` is of some depth.
    """
    files: list[Source] = []
    todo, matches = [root], matcher([f"/{pattern}"])
    depth = inf if "**" in pattern else pattern.count("/")
    while todo:
        folder = todo.pop()
        try:
            entries = _entries(system, folder)
        except OSError as error:
            files.append(Source(scheme + folder.rstrip("/"), folder, system, why=_why(error)))
            continue
        for name, size in entries:
            path, inside = folder + name, folder[len(root) :] + name
            if _is_hidden(name, pattern):
                continue
            if size is None and (inside.count("/") < depth or matches(inside)):
                todo.append(f"{path}/")
            elif size is not None and matches(inside):
                files.append(Source(scheme + path, path, system, size))
    return files


def _entries(system: Any, folder: str) -> list[tuple[str, int | None]]:
    """The files in a folder, with their octets, and the folders. Errors: OSError."""
    if system.type_name == "local":
        with os.scandir(folder or os.curdir) as entries:
            plain = [each for each in entries if not each.is_symlink()]
            files = [(each.name, each.stat().st_size) for each in plain if each.is_file()]
            return [*files, *((each.name, None) for each in plain if each.is_dir())]
    infos = system.get_file_info(fs.FileSelector(folder, allow_not_found=True))
    return [(i.base_name, i.size if i.type is fs.FileType.File else None) for i in infos]


def _is_hidden(name: str, pattern: str) -> bool:
    """Whether a name does not mark data, unless the pattern has such a name, as in Spark and Hive:
    ``_temporary``, ``.git``. A name with an equals sign is that of a partition.

    >>> _is_hidden("_tmp", "*"), _is_hidden("_tmp", "_*"), _is_hidden("_y=1", "*")
    (True, False, False)
    """
    begins = name[0] == "." or (name[0] == "_" and "=" not in name)
    return begins and f"/{name[0]}" not in f"/{pattern}"


# Octets


class _Stream(RawIOBase):
    """Octets whose beginning can be looked at."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._head = stream, b""

    def readable(self) -> bool:
        return True

    def look(self, size: int) -> bytes:
        """The first octets, which are not taken by it."""
        while len(self._head) < size and (more := self._stream.read(size - len(self._head))):
            self._head += more
        return self._head[:size]

    def read(self, size: int = -1) -> bytes:
        """Some octets, at most so many; none at the end."""
        octets, self._head = self._head[:size], self._head[size:]
        return octets or bytes(self._stream.read(size))


def _opened(source: Source) -> Any:
    """The octets of a file as they are. Errors: ScanError, OSError."""
    if source.path == STANDARD_INPUT:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    if source.system is None:
        return _fetched(source.path)
    return source.system.open_input_file(source.path)


def _decoded(raw: Any, encoding: str | None) -> _Stream:
    """The octets decompressed, as their beginning says, and in UTF-8. Errors: ScanError."""
    stream = _Stream(raw)
    magic = stream.look(4)
    kinds = [kind for kind, first in COMPRESSED.values() if magic.startswith(first)]
    if kinds:
        stream = _Stream(pa.CompressedInputStream(stream, *kinds))
    elif magic.startswith((b"\xfd7zX", b"PK\x03\x04")):
        raise ScanError("xz and zip are not read; unpack it first: xzcat FILE | uriproof scan -")
    if encoding is None and stream.look(2) in {b"\xff\xfe", b"\xfe\xff"}:
        encoding = "utf-16"
    if encoding is not None:
        stream = _Stream(pa.transcoding_input_stream(pa.PythonFile(stream), encoding, "utf-8"))
    if stream.look(3) == b"\xef\xbb\xbf":
        stream.read(3)
    return stream


def _fetched(address: str) -> Any:
    """A file of the Web as a stream, which no reader of pyarrow gives.

    A redirection keeps the scheme: an address with ``https`` is never fetched without encryption.
    Errors: ScanError, OSError, HTTPException.
    """
    from urllib.error import HTTPError
    from urllib.request import HTTPRedirectHandler, build_opener

    class Same(HTTPRedirectHandler):
        def redirect_request(self, *about: Any) -> Any:
            if not about[-1].lower().startswith(f"{about[0].type}:"):
                raise ScanError("it redirects to another scheme, which is not followed")
            return super().redirect_request(*about)

    report = Rule().check(address)
    if not report.ok or "userinfo" in report.components:
        raise ScanError("not a valid address, or one with a user name, which is not sent")
    try:
        return build_opener(Same).open(address, timeout=FETCH_SECONDS)
    except HTTPError as error:
        error.close()
        raise


def _why(error: Any) -> str:
    """The reason, in one line, without secrets."""
    inner = getattr(error, "reason", None)  # of urllib: often another error
    words = cause(inner if isinstance(inner, Exception) else error)
    if isinstance(error, HTTPException):
        words = f"the server does not answer as HTTP does: {words}"
    return short(without_passwords(" ".join(words.split())), _LONGEST_REASON)


# Batches


def batches(source: Source, options: Options, broken: Broken) -> Iterator[Batch]:
    """The texts of a file in batches; rows that cannot be read are added to ``broken``, in order,
    at the latest with the batch of the next row. Errors: ScanError, after what could be read.
    """
    rows = 0
    try:
        if source.why:
            raise ScanError(source.why)
        for batch in _reader(source, options, broken):
            rows += batch.rows
            yield batch
    except (MemoryError, RecursionError):
        raise ScanError("not enough memory for it") from None
    except _ERRORS as error:
        row = rows + len(broken)
        raise ScanError(f"row {row:,} or later: {_why(error)}" if row else _why(error)) from error


def _reader(source: Source, options: Options, broken: Broken) -> Iterator[Batch]:
    standard = "text" if source.path == STANDARD_INPUT else None
    format = options.format or format_of(source.name) or standard
    if not format:
        raise ScanError("its name does not say its format; use --input-format")
    with closing(_opened(source)) as raw:
        if format == "parquet":
            yield from _parquet(raw, options)
            return
        if format == "tsv":
            options = replace(options, delimiter=options.delimiter or "\t")
        read = {"text": _text, "jsonl": _json}.get(format, _csv)
        for batch in read(_decoded(raw, options.encoding), options, broken):
            share = min(raw.tell() / source.size, 1.0) if source.size else None
            yield batch._replace(share=share)
        if getattr(raw, "length", 0):  # octets that a server promised
            raise ScanError("the connection ended before the file did; try again")


def _parquet(stream: Any, options: Options) -> Iterator[Batch]:
    """Row groups in pieces: of texts that are long, few at once."""
    from tempfile import TemporaryFile

    with ExitStack() as stack:
        raw = stream if stream.seekable() else stack.enter_context(TemporaryFile())
        while raw is not stream and (octets := stream.read(_BLOCK)):  # its end is read first
            if raw.write(octets) and raw.tell() > LARGEST_FETCHED:
                raise ScanError(f"larger than {LARGEST_FETCHED >> 30} GB; download it first")
        # What is buffered before it is needed stays in memory until the whole file is read.
        settings = {"buffer_size": _BLOCK, "page_checksum_verification": True, "pre_buffer": False}
        file = stack.enter_context(parquet.ParquetFile(raw, **settings))
        path = _choose(options.column, dict(_leaves(file.schema_arrow)))
        outer = path[: path.index(None)] if None in path else path
        column = ".".join(map(str, outer))
        about, row = file.metadata, 0
        groups = (about.row_group(i).total_byte_size for i in range(about.num_row_groups))
        most = max(256, min(_MOST_ROWS, _MOST_OCTETS * about.num_rows // max(sum(groups), 1)))
        for batch in file.iter_batches(most, columns=[column], use_threads=False):
            row += len(batch)
            yield _of_column(batch.column(0), path[1:])._replace(share=row / about.num_rows)


def _of_column(column: pa.Array, path: Path = ()) -> Batch:
    """The texts of a column, also within structs and lists."""
    rows, parents = len(column), None
    for name in path:
        if name is None:
            inner = pc.list_parent_indices(column)
            parents = inner if parents is None else parents.take(inner)
            column = column.flatten()
        else:
            column = pc.struct_field(column, name)
    return Batch(texts_of(column), rows, parents)


def _lines(stream: _Stream) -> Iterator[bytes]:
    """Whole lines, some megabytes at once, each with its end. Errors: ScanError."""
    rest = b""
    while piece := stream.read(_BLOCK):
        whole, end, rest = (rest + piece).rpartition(b"\n")
        if end:
            yield (whole + end).replace(b"\r\n", b"\n")
        if len(rest) > LONGEST_RECORD:
            raise ScanError(f"a line exceeds {LONGEST_RECORD >> 20} MB; the rest is not read")
    if rest:
        yield rest.replace(b"\r\n", b"\n") + b"\n"


def _text(stream: _Stream, options: Options, _: Broken) -> Iterator[Batch]:
    """A text on each line; an empty line is null."""
    if options.column is not None:
        raise ScanError("plain text has no columns; leave --column out, or use --input-format")
    for block in _lines(stream):
        lines = pc.split_pattern(pa.scalar(block[:-1], pa.large_binary()), "\n").values
        yield _of_column(pc.if_else(pc.equal(pc.binary_length(lines), 0), None, lines))


def _json(stream: _Stream, options: Options, broken: Broken) -> Iterator[Batch]:
    """A member of the object on each line."""
    row, path = 0, None
    for block in _lines(stream):
        path = path or _choose(options.column, _members(block))
        lines = block.split(b"\n")[:-1]
        yield from _objects(lines, path, row, broken)
        row += len(lines)


def _members(block: bytes) -> dict[Path, str]:
    """The members of the first lines, and what they hold: text if one does. Errors: ScanError."""
    members: dict[Path, str] = {}
    for line in block.split(b"\n", _LOOKED_AT)[:_LOOKED_AT]:
        with suppress(pa.ArrowException):
            leaves = _leaves(_parsed(line, None).schema)
            members |= {path: held for path, held in leaves if members.get(path) != _TEXT}
    if not members:
        raise ScanError("no line of its beginning is a JSON object; use another --input-format")
    return members


def _parsed(lines: bytes, schema: pa.Schema | None) -> pa.Table:
    other = "infer" if schema is None else "ignore"
    read = json.ReadOptions(use_threads=False, block_size=len(lines) + 1)
    return json.read_json(pa.BufferReader(lines), read, json.ParseOptions(schema, False, other))


def _objects(lines: list[bytes], path: Path, row: int, broken: Broken) -> Iterator[Batch]:
    """The lines as pyarrow reads them. If it rejects some, both halves; one line alone is broken.

    Cost: O(n log n), if all are broken.
    """
    kind: pa.DataType = pa.string()
    for name in reversed(path):
        kind = pa.list_(kind) if name is None else pa.struct([(name, kind)])
    why = "not one object"
    try:
        whole = b"\n".join(line if line.strip() else b"{}" for line in lines)
        read = _parsed(whole, pa.schema(kind))
        if len(read) == len(lines):
            yield _of_column(read.column(0).combine_chunks(), path[1:])
            return
    except pa.ArrowException as error:
        why = str(error).removeprefix("JSON parse error: ").removesuffix(" in row 0").strip(" .")
    half = len(lines) // 2
    if half:
        yield from _objects(lines[:half], path, row, broken)
        yield from _objects(lines[half:], path, row + half, broken)
    else:
        broken.append((row, f"not {'text' if 'changed from' in why else 'JSON'}: {why}"))


def _csv(stream: _Stream, options: Options, broken: Broken) -> Iterator[Batch]:
    """The fields of a column; one that is empty and has no quotes is null."""
    head = stream.look(LONGEST_FIRST_RECORD)
    if not head.strip():
        return
    line = head.lstrip().partition(b"\n")[0].decode("latin-1")
    delimiter = options.delimiter or max(_DELIMITERS, key=line.count)
    first, second = _records(head, delimiter, options.quote)
    header = options.header
    if header is None:
        header = not any("://" in field for field in first)
    column = f"f{_numbered(options.column, first, second if header else None)}"

    def skip(bad: Any) -> str:
        fields = f"{bad.actual_columns:,} instead of {bad.expected_columns:,} fields"
        broken.append((bad.number - 1 - header, fields))
        return "skip"

    reader = csv.open_csv(
        stream,
        csv.ReadOptions(
            use_threads=False,  # or the numbers of broken rows were not known
            block_size=_BLOCK,
            autogenerate_column_names=True,
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
    for batch in reader:
        yield _of_column(batch.column(0))


def _records(head: bytes, delimiter: str, quote: str) -> tuple[list[str], list[str]]:
    """The first two records."""
    from csv import QUOTE_MINIMAL, QUOTE_NONE, reader

    lines = StringIO(head.decode("utf-8", "replace"), newline="")
    quoting: Any = QUOTE_MINIMAL if quote else QUOTE_NONE
    read = filter(
        None, reader(lines, delimiter=delimiter, quotechar=quote or None, quoting=quoting)
    )
    return next(read), next(read, [])


# Columns


def _numbered(wanted: str | None, first: list[str], second: list[str] | None) -> int:
    """The place of a column of CSV, from 0: by its name in a header, or its number, from 1; or the
    only one with a URL. ``second`` is the record after a header. Errors: ScanError.
    """
    places = {str(at + 1): at for at in range(len(first))}
    names, fields = ([*places], first) if second is None else (first, second)
    places |= {name: at for at, name in reversed([*enumerate(names)])}
    urls = [name for name, field in zip(names, fields, strict=False) if "://" in field]
    wanted = urls[0] if wanted is None and len(urls) == 1 else wanted
    if wanted not in places:
        (wanted,) = _choose(wanted, {(name,): _TEXT for name in names})
    return places[str(wanted)]


def _leaves(kind: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """The columns of a schema, those within structs and lists too, and what each holds: text, or
    the name of its type."""
    if path and (pa.types.is_list(kind) or pa.types.is_large_list(kind)):
        yield from _leaves(kind.value_type, (*path, None))
    elif isinstance(kind, pa.Schema) or pa.types.is_struct(kind):
        for each in kind:
            yield from _leaves(each.type, (*path, each.name))
    else:
        try:
            texts_of(pa.nulls(0, kind))
        except (TypeError, pa.ArrowException):
            yield path, str(kind)
        else:
            yield path, "null" if pa.types.is_null(kind) else _TEXT


def _choose(wanted: str | None, columns: Mapping[Path, str]) -> Path:
    """The column that is named, or the only one with text. Errors: ScanError.

    >>> _choose(None, {("id",): "int64", ("links", None): "text"})
    ('links', None)
    """
    names = {path: ".".join(name for name in path if name is not None) for path in columns}
    texts = [path for path, held in columns.items() if held == _TEXT]
    if wanted is None and len(texts) == 1:
        return texts[0]
    listed = ", ".join(f"{names[path]} ({held})" for path, held in columns.items())
    listed = short(listed, _LONGEST_LIST) or "none"
    if wanted is None:
        few = "several columns hold text; name one with --column" if texts else "no column of text"
        raise ScanError(f"{few}: {listed}")
    found = next((path for path, name in names.items() if name == wanted), None)
    if found is None:
        near = did_you_mean(wanted, list(names.values())) or ";"
        raise ScanError(f"no column {wanted!r}{near} columns: {listed}")
    if (held := columns[found]) not in {_TEXT, "null"}:
        raise ScanError(f"column {wanted!r} holds {held}, and text is needed; columns: {listed}")
    return found
