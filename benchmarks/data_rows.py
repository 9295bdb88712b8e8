"""Millions of rows to measure datasets with: a Parquet file of URLs, one in a hundred invalid.

Owns how they are made; imports uriproof, for the verdict on what is made. Invariant: the same count
gives the same file; each valid row is a text of its own, each near miss is one edit away from a
valid URL, and its verdict was computed.
"""

import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import uriproof
from uriproof.grammars import sample

from .texts import URLS

CACHE = Path(__file__).resolve().parent.parent / ".cache" / "benchmarks"
INVALID = 0.01
REAL = 0.3
"""Of the invalid rows, how many are invalid lines of the list; the others are near misses."""

_AT_ONCE = 1_000_000
_GROUP = 131_072
_SPARE = 20_000  # near misses to draw from, for a million rows
_EDITS = ' []#%<>"|\\^`{}é:@/'


def rows_file(count: int) -> Path:
    """The file of so many rows: ``id`` and ``url``. Cost: two seconds a million, the first time."""
    path = CACHE / f"rows-{count}.parquet"
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".tmp")
        _write(unfinished, count)
        unfinished.rename(path)
    return path


def _urls() -> list[str]:
    """The list of real URLs, or random URIs where it is absent."""
    if URLS.exists():
        return [line for line in URLS.read_text("utf-8-sig").splitlines() if line]
    texts = sample("URI", min_length=30, max_length=60)
    return [next(texts) for _ in range(20_000)]


def _write(path: Path, count: int) -> None:
    urls = _urls()
    valid = [url for url in urls if uriproof.is_valid(url)]
    refused = [url for url in urls if not uriproof.is_valid(url)]
    # What is put after a valid URL stays within its query or fragment.
    opened = pa.array([url + ("&n=" if {"?", "#"} & {*url} else "?n=") for url in valid])
    chance = random.Random(3986)  # noqa: S311 -- no secret
    numbers = np.random.default_rng(3986)
    schema = pa.schema([("id", pa.int64()), ("url", pa.string())])
    with pq.ParquetWriter(path, schema) as writer:
        for first in range(0, count, _AT_ONCE):
            size = min(_AT_ONCE, count - first)
            ids = pa.array(np.arange(first, first + size))
            heads = opened.take(pa.array(numbers.integers(len(opened), size=size)))
            texts = pc.binary_join_element_wise(heads, pc.cast(ids, pa.string()), "")
            where = numbers.random(size) < INVALID
            spare = _near_misses(valid, chance, min(_SPARE, size))
            drawn = [
                chance.choice(refused)
                if refused and chance.random() < REAL
                else chance.choice(spare)
                for _ in range(int(where.sum()))
            ]
            mixed = pc.replace_with_mask(texts, pa.array(where), pa.array(drawn, pa.string()))
            writer.write_table(pa.table([ids, mixed], schema=schema), row_group_size=_GROUP)


def _near_misses(valid: list[str], chance: random.Random, count: int) -> list[str]:
    """So many invalid texts, each with one character inserted into a valid one, or replaced."""
    found: list[str] = []
    while len(found) < count:
        url = chance.choice(valid)
        at = chance.randrange(len(url) + 1)
        text = url[:at] + chance.choice(_EDITS) + url[at + chance.randrange(2) :]
        if not uriproof.is_valid(text):
            found.append(text)
    return found
