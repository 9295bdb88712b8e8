"""Columns of Arrow as ratios: small batches to one column, and each kind of column to its verdict.

Owns these ratios. Imports the columns and the rows. Invariant: all are of CPU time, in one process,
each the best of several turns that are taken one after the other.

``python -m benchmarks.data_batches``
"""

import sys
from collections.abc import Callable
from time import process_time

import pyarrow as pa
import pyarrow.parquet as pq

from uriproof.data import component, components, fixed, normalized, parameter, validate, violations

from .data_rows import rows_file

ROWS = 300_000
TURNS = 4


def _cpu(work: Callable[[], object]) -> float:
    began = process_time()
    work()
    return process_time() - began


def measure() -> dict[str, float]:
    """The ratios, by name."""
    column = pq.read_table(rows_file(ROWS), columns=["url"]).column(0).combine_chunks()

    def batches(size: int) -> Callable[[], object]:
        cut = [column[first : first + size] for first in range(0, ROWS, size)]
        return lambda: [validate(batch) for batch in cut]

    jobs: dict[str, Callable[[], object]] = {
        "validate, one column": lambda: validate(column),
        "validate, batches of 8,192": batches(8_192),
        "validate, batches of 1,000": batches(1_000),
        "violations": lambda: violations(column),
        "components": lambda: components(column),
        "component host": lambda: component(column, "host"),
        "fixed": lambda: fixed(column),
        "normalized": lambda: normalized(column),
        "parameter": lambda: parameter(column, "q"),
    }
    turns = [[_cpu(work) for work in jobs.values()] for _ in range(TURNS)]
    best = [min(times) for times in zip(*turns, strict=True)]
    return {name: time / best[0] for name, time in zip(jobs, best, strict=True)}


if __name__ == "__main__":
    pa.set_cpu_count(1)
    sys.stdout.writelines(f"{name:28}{ratio:6.2f}\n" for name, ratio in measure().items())
