"""Columns of Arrow as ratios: small batches to one column, and each kind of column to its verdict.

Owns these ratios. Imports the columns and the rows. Invariant: all are of CPU time, in one process,
each the best of several turns that are taken one after the other. Each turn has rows of its own,
because what is said of an invalid text is remembered.

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
    every = pq.read_table(rows_file(ROWS * TURNS), columns=["url"]).column(0).combine_chunks()
    turns = [_turn(every[turn * ROWS : (turn + 1) * ROWS]) for turn in range(TURNS)]
    best = {name: min(turn[name] for turn in turns) for name in turns[0]}
    one = best["validate, one column"]
    return {name: time / one for name, time in best.items()}


def _turn(column: pa.Array) -> dict[str, float]:
    """The seconds of each job on a column."""

    def cut(size: int) -> list[pa.Array]:
        return [column[first : first + size] for first in range(0, len(column), size)]

    def batches(size: int) -> Callable[[], object]:
        made = cut(size)
        return lambda: [validate(batch) for batch in made]

    jobs: dict[str, Callable[[], object]] = {
        "validate, one column": lambda: validate(column),
        "validate, batches of 8,192": batches(8_192),
        "validate, batches of 1,000": batches(1_000),
        "validate, 1,000 in chunks": lambda: validate(pa.chunked_array(cut(1_000))),
        "violations": lambda: violations(column),
        "components": lambda: components(column),
        "component host": lambda: component(column, "host"),
        "fixed": lambda: fixed(column),
        "normalized": lambda: normalized(column),
        "parameter": lambda: parameter(column, "q"),
    }
    return {name: _cpu(work) for name, work in jobs.items()}


if __name__ == "__main__":
    pa.set_cpu_count(1)
    sys.stdout.writelines(f"{name:28}{ratio:6.2f}\n" for name, ratio in measure().items())
