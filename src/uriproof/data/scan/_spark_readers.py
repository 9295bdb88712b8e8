"""How Spark reads the formats of a scan, so that rows are those of the other engines.

Owns ``READERS``. Imports how the columns of a format are found, and pyspark. Invariant: a frame has
the columns ``path`` and ``block``, of what one task reads in order; ``id``, which counts up there;
``text``; and ``broken``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...extras import needs
from ..for_pyspark import sql
from .read import Unreadable
from .read._columns import TEXT, choose

with needs("spark"):
    from pyspark.sql import types

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = ["BLOCK", "READERS"]

BLOCK = ["path", "block"]

_LOOKED_AT = 1_000
"""Lines of the first file, in which the column is looked for."""


def _framed(frame: DataFrame, text: Column, broken: Column, row: Column | None = None) -> DataFrame:
    return frame.select(
        sql.col("_metadata.file_path").alias("path"),
        sql.col("_metadata.file_block_start").alias("block"),
        (sql.monotonically_increasing_id() if row is None else row).alias("id"),
        text.alias("text"),
        broken.alias("broken"),
    )


def _parquet(spark: Any, paths: list[str], wanted: str | None, _: str) -> DataFrame:
    kinds: dict[tuple[str, ...], str] = {}

    def visit(fields: types.StructType, before: tuple[str, ...]) -> None:
        for field in fields:
            path, kind = (*before, field.name), field.dataType
            if isinstance(kind, types.StructType):
                visit(kind, path)
            else:
                is_text = isinstance(kind, types.StringType | types.BinaryType)
                kinds[path] = TEXT if is_text else kind.simpleString()

    frame = spark.read.parquet(*paths)
    visit(frame.schema, ())
    found = ".".join(f"`{name}`" for name in choose(wanted, kinds))
    row = sql.col("_metadata.row_index")
    return _framed(frame, sql.col(found).cast("string"), sql.lit(False), row)


def _lines(spark: Any, paths: list[str], wanted: str | None, _: str) -> DataFrame:
    """A blank line is null. A line ends with LF or CRLF."""
    if wanted is not None:
        raise Unreadable(f"plain text has no column {wanted!r}; leave --column out")
    ends = sql.endswith(sql.col("value"), sql.lit("\r"))
    line = sql.when(ends, sql.expr("left(value, length(value) - 1)")).otherwise(sql.col("value"))
    text = sql.when(sql.btrim(line, sql.lit(" \t")) != "", line)
    return _framed(_text(spark, paths), text, sql.lit(False))


def _json_lines(spark: Any, paths: list[str], wanted: str | None, _: str) -> DataFrame:
    """A blank line is null; what is no object, or has no text there, is broken."""
    from .read.json_lines import column_of

    names = column_of(_beginning(spark, paths), wanted)
    # Spark's paths have no escapes: a name may hold quotation marks of one kind.
    where = "$" + "".join(f'["{name}"]' if "'" in name else f"['{name}']" for name in names)
    whole = sql.try_parse_json(sql.col("value"))
    kind = sql.schema_of_variant(sql.variant_get(whole, where, "variant"))
    text = sql.when(kind == "STRING", sql.variant_get(whole, where, "string"))
    blank = sql.btrim(sql.col("value"), sql.lit(" \t\r")) == ""
    readable = blank | sql.coalesce(kind.isin("STRING", "VOID"), sql.lit(False))
    return _framed(_text(spark, paths), text, ~readable)


def _records(spark: Any, paths: list[str], wanted: str | None, format: str) -> DataFrame:
    """Records that may have line ends within quotation marks: a task reads a whole file.

    Spark leaves out blank records, and U+0000 within texts. Where the records of a file end with
    CRLF, one that is within quotation marks becomes LF.
    """
    from .read.delimited import column_of, header_of

    raw = _beginning(spark, paths)
    end, names, delimiter = header_of(raw, "\t" if format == "tsv" else ",")
    index = column_of(raw[end:], names, delimiter, wanted)
    columns = "".join(f"c{i} string, " for i in range(len(names)))
    reader = spark.read.options(
        header=True,
        sep=delimiter,
        quote='"',
        escape='"',
        multiLine=True,
        columnNameOfCorruptRecord="whole",
        columnPruning=False,
        mode="PERMISSIVE",
    )
    if not raw[:end].endswith(b"\r\n"):
        reader = reader.option("lineSep", "\n")  # what ends lines is not guessed from the texts
    frame = reader.schema(f"{columns}whole string").csv(paths)
    return _framed(frame, sql.col(f"c{index}"), sql.col("whole").isNotNull())


READERS = {
    "parquet": _parquet,
    "csv": _records,
    "tsv": _records,
    "jsonl": _json_lines,
    "text": _lines,
}
"""By format: what reads paths, of a column that is named, or found by itself."""


def _text(spark: Any, paths: list[str]) -> Any:
    return spark.read.option("lineSep", "\n").text(paths)


def _beginning(spark: Any, paths: list[str]) -> bytes:
    """The first lines of the first file."""
    lines = _text(spark, paths[:1]).limit(_LOOKED_AT).collect()
    return "".join(f"{line.value}\n" for line in lines).encode("utf-8", "replace")
