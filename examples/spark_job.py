"""Validate a column of URLs on a Spark cluster, a batch of files at a time.

    spark-submit spark_job.py --input s3a://crawl/2026/ --column url --output s3a://checked/2026/

Reads Parquet; writes OUTPUT/violations, a row for each violation, and OUTPUT/counts, a row for each
batch. Started again, it leaves out the batches that are done; a batch that was cut short is written
anew. Needs uriproof with its extra ``spark`` on all machines.
"""

from __future__ import annotations

import argparse
import sys
from hashlib import sha256
from typing import TYPE_CHECKING

from pyspark.errors import AnalysisException
from pyspark.sql import Observation, SparkSession
from pyspark.sql import functions as sql

from uriproof.data.for_pyspark import is_valid, violations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the job. Exit code as that of ``uriproof check``: 1 if any text is invalid."""
    options = parser().parse_args(arguments)
    spark = SparkSession.builder.appName("uriproof").getOrCreate()
    spark.conf.set("spark.sql.parquet.compression.codec", "zstd")
    files = sorted(spark.read.parquet(*options.input).inputFiles())
    step = options.batch or len(files)
    batches = [files[i : i + step] for i in range(0, len(files), step)]
    done = finished(spark, f"{options.output}/counts")
    for number, batch in enumerate(batches):
        name = key(batch, options)
        if done.get(number, name) != name:
            sys.exit(
                f"{options.output}: batch {number} was of other files or options; "
                "name another --output, or give the same"
            )
        if number not in done:
            run(spark, batch, number, name, options)
    columns = ["files", "rows", "null", "invalid", "violations"]
    counts = spark.read.parquet(f"{options.output}/counts")
    total = counts.agg(*(sql.sum(column).alias(column) for column in columns)).collect()[0]
    say(", ".join(f"{total[column]:,} {column}" for column in columns))
    return 1 if total["invalid"] else 0


def run(
    spark: SparkSession, files: list[str], number: int, name: str, options: argparse.Namespace
) -> None:
    """Validate one batch. Its counts are written last: then it is done."""
    column = options.column
    frame = spark.read.parquet(*files)
    if options.sample:
        frame = frame.sample(fraction=options.sample, seed=3986)
    read, refused, found = Observation(), Observation(), Observation()
    every = sql.count(sql.lit(1))
    frame = frame.observe(read, every.alias("rows"), sql.count(column).alias("texts"))
    failing = frame.filter(~is_valid(column, options.rule)).observe(refused, every.alias("rows"))
    failing = failing.select(*{*(options.keep or [column]), column})
    if options.partitions:
        # Only what fails is shuffled: files with many invalid rows no longer hold up the others.
        failing = failing.repartition(options.partitions)
    rows = violations(failing, column, options.rule).observe(found, every.alias("rows"))
    written(rows, f"{options.output}/violations/batch={number}")
    counts = {
        "name": name,
        "files": len(files),
        "rows": read.get["rows"],
        "null": read.get["rows"] - read.get["texts"],
        "invalid": refused.get["rows"],
        "violations": found.get["rows"],
    }
    kinds = ", ".join(f"{name} {'string' if name == 'name' else 'long'}" for name in counts)
    one = spark.createDataFrame([tuple(counts.values())], kinds)
    written(one.coalesce(1), f"{options.output}/counts/batch={number}")
    say(f"batch {number}: {counts['rows']:,} rows, {counts['invalid']:,} invalid")


def finished(spark: SparkSession, counts: str) -> dict[int, str]:
    """The batches that are done, and what each is called."""
    try:
        rows = spark.read.parquet(counts).select("batch", "name").collect()
    except AnalysisException:  # nothing is there yet
        return {}
    return {int(row.batch): row.name for row in rows}


def key(files: list[str], options: argparse.Namespace) -> str:
    """What tells a batch from one of other files, or with other options."""
    same = [options.column, options.rule, options.sample, *files]
    return sha256("\n".join(map(str, same)).encode()).hexdigest()[:16]


def written(frame: DataFrame, path: str) -> None:
    """Saved, in the place of what a run that was cut short has left."""
    frame.write.mode("overwrite").parquet(path)


def say(words: str) -> None:
    """A line for people."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def parser() -> argparse.ArgumentParser:
    """The options of the job."""
    made = argparse.ArgumentParser(description="Validate a column of URLs on a Spark cluster.")
    made.add_argument("--input", nargs="+", required=True, help="Parquet files or folders")
    made.add_argument("--column", required=True, help="the column of URLs")
    made.add_argument("--output", required=True, help="folder for violations and counts")
    made.add_argument("--rule", default="URI", help="rule of RFC 3986 (default: URI)")
    made.add_argument("--keep", nargs="*", help="columns to save beside each violation")
    made.add_argument("--batch", type=int, help="files of a batch (default: all)")
    made.add_argument("--partitions", type=int, help="files of violations for each batch")
    made.add_argument("--sample", type=float, help="share of the rows to read: 0.001 to try")
    return made


if __name__ == "__main__":
    sys.exit(main())
