"""Lines: plain text, one text on each, and JSON Lines, an object on each with the text in a member.

Owns how they are read. Imports pyarrow, which reads a block of JSON at once; if it rejects one, or
gives nulls, each line is read by itself. Invariant: the row of a text is the number of its line,
from 0; blank lines are null, and JSON that is not an object, or has no text there, is broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from . import Chunk, Notify, Source, Texts, Unreadable
from ._columns import TEXT, Path, choose
from ._stream import Octets, blocks, lines

_JSON = "jsonl"
FORMATS = {
    "text": (".txt", ".text", ".lst", ".urls"),
    _JSON: (".jsonl", ".ndjson", ".jsonlines"),
}

_LOOKED_AT = 1_000  # lines, to find the columns
_KINDS = {str: TEXT, bool: "boolean", int: "number", float: "number", list: "array"}
_WORDS = {**_KINDS, dict: "an object", list: "an array", bool: "a boolean"}


def runs(source: Source, column: str | None, _: Notify) -> Iterator[list[Chunk]]:
    """The blocks of the file. Errors: ``Unreadable``."""
    if column is not None and source.format != _JSON:
        raise Unreadable(
            f"plain text has no column {column!r}; leave --column out, or use --input-format"
        )
    path: Path = ()  # of plain text it stays empty
    with Octets(source) as pieces:
        for number, block in enumerate(blocks(pieces, lines)):
            if source.format == _JSON and not path:
                path = _column_of(block.raw, column)
            what = block.raw, path, block.why
            yield [Chunk(source.number, number, block.first, block.rows, what, pieces.part())]


class Reading:
    """Lines as texts, or the texts in one member of each."""

    def __init__(self, source: Source) -> None:
        pass

    def texts(self, chunk: Chunk) -> Texts:
        """The texts of a chunk."""
        raw, path, why = chunk.what
        if why:
            return Texts(pa.array([], pa.string()), [], 1, 0, why)
        if not path:
            found = [line if line.strip(b" \t") else None for line in split(raw)]
            return Texts(pa.array(found, pa.binary()).view(pa.string()))
        column = _at_once(raw, path)
        # A null can be a missing member: pyarrow does not tell.
        if column is not None and len(column) == chunk.rows and not column.null_count:
            return Texts(column)
        return _one_by_one(raw, path)


def split(raw: bytes) -> list[bytes]:
    """Lines without their ends."""
    found = raw.split(b"\n")
    if not found[-1]:
        found.pop()
    if b"\r" in raw:
        found = [line.removesuffix(b"\r") for line in found]
    return found


def _at_once(raw: bytes, path: Path) -> pa.Array | None:
    import pyarrow.json as pj

    kind: Any = pa.string()
    for name in reversed(path):
        kind = pa.struct([(name, kind)])
    try:
        table = pj.read_json(
            pa.BufferReader(raw),
            read_options=pj.ReadOptions(use_threads=False, block_size=len(raw) + 1),
            parse_options=pj.ParseOptions(
                explicit_schema=pa.schema(list(kind)), unexpected_field_behavior="ignore"
            ),
        )
    except (pa.ArrowException, UnicodeDecodeError):
        return None
    column = table.column(path[0]).combine_chunks()
    for name in path[1:]:
        column = column.field(name)
    return column


def _one_by_one(raw: bytes, path: Path) -> Texts:
    from json import loads

    values: list[bytes | None] = []
    at: list[int] = []
    broken, first, first_why = 0, 0, ""
    for number, line in enumerate(split(raw)):
        value, why = _read(line, path, loads)
        if why:
            if not broken:
                first, first_why = number, why
            broken += 1
            continue
        values.append(value)
        at.append(number)
    column = pa.array(values, pa.binary()).view(pa.string())
    return Texts(column, at if broken else None, broken, first, first_why)


def _read(line: bytes, path: Path, loads: Callable[[str], Any]) -> tuple[bytes | None, str]:
    """The text of a line, or None; or the reason why there is none."""
    if not line.strip():
        return None, ""
    try:
        value: Any = loads(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError) as error:
        where = f" at character {at}" if (at := getattr(error, "pos", None)) is not None else ""
        return None, f"no JSON{where}"
    for name in path:
        if value is None:
            return None, ""
        if not isinstance(value, dict):
            return None, f"expected an object, not {_word(value)}"
        if name not in value:
            return None, f"no member {'.'.join(path)!r}"
        value = value[name]
    if value is None:
        return None, ""
    if not isinstance(value, str):
        return None, f"expected text, not {_word(value)}"
    try:
        return value.encode("utf-8", "surrogateescape"), ""
    except UnicodeEncodeError:  # half of a pair of surrogates, which JSON can spell
        return value.encode("utf-8", "surrogatepass"), ""


def _word(value: Any) -> str:
    word = _WORDS.get(type(value), "a value")
    return word if " " in word else f"a {word}"


def _column_of(raw: bytes, wanted: str | None) -> Path:
    """The column, by the first lines. Errors: ``Unreadable``."""
    from json import loads

    kinds: dict[Path, str] = {}

    def look(value: dict[str, Any], before: Path) -> None:
        for name, inner in value.items():
            path = (*before, name)
            if isinstance(inner, dict):
                look(inner, path)
            elif inner is not None:
                kind = _KINDS.get(type(inner), "null")
                known = kinds.get(path, "null")
                if known in {"null", kind}:
                    kinds[path] = kind
                elif kind not in known.split(" or "):
                    kinds[path] = f"{known} or {kind}"
            else:
                kinds.setdefault(path, "null")

    for line in split(raw)[:_LOOKED_AT]:
        try:
            value = loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            look(value, ())
    if not kinds:
        raise Unreadable("no line of its beginning is a JSON object; name another --input-format")
    # If some rows have text, the others are broken, and not the whole file.
    mixed = [path for path, kind in kinds.items() if TEXT in kind.split(" or ")]
    for path in mixed:
        if wanted == ".".join(path) or (wanted is None and len(mixed) == 1):
            return path
    return choose(wanted, kinds)
