"""A scan by Spark: its own readers, verdicts by the JVM, and counts that its workers add up.

Owns ``scan_on_spark``. Imports the columns of Spark, how the formats are read there, and
``summary``. Invariant: what reaches the driver is the sum of the counts and a row for each block of
a file that a task reads; each row is counted once, also where Spark runs a task again.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import isqrt
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ...extras import needs
from ...processes import apart
from ...rule import Rule
from ..for_pyspark import TEXT, failing, in_python, sql
from ._spark_readers import BLOCK, READERS
from .read import STANDARD_INPUT, Unreadable, format_of
from .summary import Counts, OfFile

with needs("spark"):
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession, types
    from pyspark.storagelevel import StorageLevel

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["scan_on_spark"]

_SENT_BACK = 1 << 25
"""Bytes of violations that a worker sends back to Spark at once."""


def scan_on_spark(
    paths: Sequence[str],
    column: str | None,
    format: str | None,
    rule: Rule,
    out: str | None,
    jobs: int,
) -> Counts:
    """Validate the texts of all files; the violations become a folder of Parquet files, ``out``.

    A session that is there is used; else one is made as spark-submit or ``PYSPARK_SUBMIT_ARGS``
    say, or with ``jobs`` cores of this machine. All files have one format.

    Errors: Unreadable, for what cannot be read or written, for formats that Spark does not read,
    as WARC, and where Spark cannot start. Cost: files are read twice, first to count their rows.
    """
    found = _format(paths, format)
    if out is not None and os.path.exists(out):
        raise Unreadable(f"{out} is there already; Spark writes a folder: name a new one")
    try:
        with _session(jobs) as spark:
            return _scanned(spark, paths, found, column, rule, out)
    except (PySparkException, Py4JError) as error:
        raise Unreadable(f"Spark: {_why(error)}") from error


def _scanned(
    spark: Any,
    paths: Sequence[str],
    format: str,
    column: str | None,
    rule: Rule,
    out: str | None,
) -> Counts:
    if spark.conf.get("spark.sql.files.minPartitionNum", None) is None:
        # Both readings have to divide the files alike, however many machines there are.
        spark.conf.set("spark.sql.files.minPartitionNum", "64")
    names = {os.path.abspath(path): path for path in paths}
    frame = READERS[format](spark, [_address(path) for path in paths], column, format)
    counts = Counts()
    places: list[tuple[str, int, str, int]] = []
    before: dict[str, int] = {}
    for block in sorted(_blocks(frame).collect()):
        local = unquote(re.sub("^file:/+", "/", block.path))
        name = names.get(local, block.path)
        counts.add(Counts({name: OfFile(block.texts, block.null, 0, block.broken)}))
        # Ids of Parquet's rows are those of the file; others count up from any number.
        base = 0 if format == "parquet" else before.get(name, 0) - block.first
        before[name] = before.get(name, 0) + block.texts + block.broken
        places.append((block.path, block.block, name, base))
    if not places:
        return counts
    known = spark.createDataFrame(places, "path string, block long, file string, base long")
    bad = failing(frame.filter("NOT broken"), "text", rule)
    bad = bad.join(sql.broadcast(known), BLOCK, "left")
    bad = bad.withColumn("row", bad["id"] + bad["base"])
    explained = in_python(bad, "text", rule, ["file", "row"], _SCHEMA, _counted)
    explained = explained.persist(StorageLevel.DISK_ONLY)
    try:
        if out is not None:
            rows = explained.filter("counts IS NULL").drop("counts")
            rows.write.option("compression", "zstd").parquet(_folder(out))
        counts.add(_summed(explained.filter("counts IS NOT NULL").select("counts"), len(places)))
    finally:
        explained.unpersist()
    return counts


def _blocks(frame: DataFrame) -> DataFrame:
    """What can be counted without a verdict, for each block of a file that a task reads."""
    return frame.groupBy(*BLOCK).agg(
        sql.min("id").alias("first"),
        sql.count_if(sql.expr("NOT broken")).alias("texts"),
        sql.count_if(sql.expr("NOT broken AND text IS NULL")).alias("null"),
        sql.count_if("broken").alias("broken"),
    )


_SCHEMA = types.StructType().add("file", "string").add("row", "long")
for _name in ("start", "end"):
    _SCHEMA.add(_name, "integer")
for _name in ("component", "production", "kind", "code", "fix", "text", "counts"):
    _SCHEMA.add(_name, "string")


def _counted(rule: Rule, batches: Iterable[Any]) -> Iterator[Any]:
    """On a worker: the violations of rows that fail, and in the end a row with their counts."""
    import pyarrow.compute as pc

    from ..arrow import as_texts, texts_of, verdicts
    from ..explain import show
    from .parts import as_utf_8

    total = Counts()
    for batch in batches:
        some = batch.filter(pc.invert(verdicts(texts_of(batch.column(TEXT)), rule)))
        files, rows = some.column("file").to_pylist(), some.column("row").to_pylist()
        held: list[tuple[Any, ...]] = []
        size = 0
        for file, row, text in zip(files, rows, as_texts(some.column(TEXT)), strict=True):
            found = show(rule, text)
            total.take(file, [(row, found)])
            shown = as_utf_8(found.text)
            for violation in found.violations:
                held.append((file, row, *violation, shown, None))
                size += len(shown)
                if size > _SENT_BACK:
                    yield _batch(held)
                    held, size = [], 0
        if held:
            yield _batch(held)
    yield _batch([(*[None] * (len(_SCHEMA) - 1), _to_json(total))])


def _batch(rows: list[tuple[Any, ...]]) -> Any:
    """Rows of the schema, for Spark."""
    import pyarrow as pa

    kinds = {"long": pa.int64(), "integer": pa.int32(), "string": pa.string()}
    schema = pa.schema([(field.name, kinds[field.dataType.typeName()]) for field in _SCHEMA])
    columns = zip(*rows, strict=True)
    arrays = [pa.array(of, field.type) for of, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _summed(counts: DataFrame, tasks: int) -> Counts:
    """The sum of counts, by the workers: first of some, then of those."""
    schema = types.StructType().add("counts", "string")
    for left in (isqrt(tasks), 1):
        counts = in_python(counts.repartition(left), "counts", Rule(), [], schema, _added)
    total = Counts()
    for row in counts.collect():
        total.add(_from_json(row.counts))
    return total


def _added(_: Rule, batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow as pa

    total = Counts()
    for batch in batches:
        for one in batch.column(TEXT):
            total.add(_from_json(one.as_py()))
    yield pa.RecordBatch.from_pydict({"counts": [_to_json(total)]})


def _to_json(counts: Counts) -> str:
    import json

    return json.dumps(counts.to_dict())


def _from_json(text: str) -> Counts:
    import json

    return Counts.from_dict(json.loads(text))


def _why(error: Exception) -> str:
    """What Spark says of an error, without where in its own code it was."""
    java = getattr(error, "java_exception", None)
    words = str(error if java is None else java.getMessage())
    lines = words.split("JVM stacktrace", maxsplit=1)[0].split("\n\tat ", maxsplit=1)[0].strip()
    if "Traceback" in lines:  # of a worker: its last line says what is wrong
        lines = lines.splitlines()[-1]
    return " ".join(lines.split())[:1_000]


def _format(paths: Sequence[str], format: str | None) -> str:
    """The one format of all files. Errors: Unreadable."""
    if STANDARD_INPUT in paths:
        raise Unreadable("Spark does not read standard input; use --engine arrow")
    found = {format or format_of(path) or "" for path in paths}
    if len(found) != 1 or "" in found:
        raise Unreadable("with --engine spark all files have one format: name it with --format")
    (one,) = found
    if one not in READERS:
        raise Unreadable(f"Spark does not read {one}; use --engine arrow")
    return one


def _folder(out: str) -> str:
    return out if "://" in out else f"file:{os.path.abspath(out)}"


def _address(path: str) -> str:
    """A path of this machine as Spark takes it, characters of globs escaped; others stay."""
    if "://" in path:
        return path
    return "file:" + re.sub(r"([*?\[\]{}\\])", r"\\\1", os.path.abspath(path))


@contextmanager
def _session(jobs: int) -> Iterator[Any]:
    """The session that is there, or one of our own, which is ended."""
    there = SparkSession.getActiveSession()
    if there is not None:
        yield there
        return
    builder = SparkSession.builder.appName("uriproof scan")
    given = "PYSPARK_GATEWAY_PORT" in os.environ or "SPARK_REMOTE" in os.environ
    if not given and "--master" not in os.environ.get("PYSPARK_SUBMIT_ARGS", ""):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        for name, value in _LOCAL.items():
            builder = builder.config(name, value)
        builder = builder.master(f"local[{jobs}]")
    try:
        with apart():  # Spark starts ``python -m``
            spark = builder.getOrCreate()
    except PySparkException as error:
        raise Unreadable(f"Spark cannot start; it needs Java 17 or later: {error}") from error
    try:
        yield spark
    finally:
        spark.stop()


_LOCAL = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.log.level": "OFF",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
"""A session on this machine alone, which says nothing."""
