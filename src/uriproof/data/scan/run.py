"""A scan: files in, counts and the violations of all rows out.

Owns ``scan``. Imports the rest of this folder. Invariant: texts are counted and written in the
order of the files, so that every run gives the same result; an output is replaced by a whole one
only, at the end.

The verdicts of a batch are worked out in a thread (the engine does not hold Python's lock), while
the invalid texts of the batch before are explained in this one. Other processes would explain them
faster only in runs of more than some ten million rows: starting them costs more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from random import Random
from time import monotonic
from typing import NamedTuple, TypeAlias

from ...extras import needs
from ...rule import Rule
from ..explain import show
from . import Options, ScanError
from .results import Counts, OfFile, Write, writing
from .sources import Batch, Broken, Source, batches, found

with needs("data"):
    import pyarrow as pa
    import pyarrow.compute as pc

    from ..arrow import ahead, as_texts, verdicts

_AHEAD = 2
"""Batches whose verdicts are worked out before they are needed."""

Tick: TypeAlias = Callable[[int, int, float | None], None]
"""Takes the progress: the rows and the invalid ones so far, and the share that is read, of 1."""


class _Judged(NamedTuple):
    """A batch with its verdicts: of the sample, the rows, those with a text, and the texts that are
    invalid, with their rows in the batch."""

    batch: Batch
    rows: int
    there: int
    at: list[int]
    texts: list[str]


def scan(
    names: Sequence[str], rule: Rule, options: Options, tick: Tick = lambda *_: None
) -> Counts:
    """Validate the texts of all files, and write their violations.

    Errors: ScanError; OSError of the output; ImportError for an extra that is missing. Cost: O(n),
    and memory of some batches.

    >>> scan([], Rule(), Options()).rows
    0
    """
    began, counts = monotonic(), Counts()
    with writing(options.output, options.about) as write:
        sources = _without_output(found(names, options.format), names, options.output)
        sizes = [source.size for source in sources]
        total = 0 if None in sizes else sum(size or 0 for size in sizes)
        done = rows = invalid = 0
        for source in sources:
            own, size = counts.files.setdefault(source.name, OfFile()), source.size or 0
            for share in _read(source, rule, options, counts, write):
                part = (done + share * size) / total if total and share is not None else None
                tick(rows + own.rows, invalid + own.invalid, part)
            done, rows, invalid = done + size, rows + own.rows, invalid + own.invalid
    counts.prune()
    counts.seconds = monotonic() - began
    counts.made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return counts


def _without_output(sources: list[Source], names: Sequence[str], out: str | None) -> list[Source]:
    """The files, without the one that is written. Errors: ScanError, if that is named."""
    if out is None:
        return sources
    real = os.path.realpath(out)
    if any(os.path.realpath(name) == real for name in names if os.path.isfile(name)):
        raise ScanError(f"{out}: it is read, and cannot be the output too; name another")
    return [source for source in sources if os.path.realpath(source.path) != real]


def _read(
    source: Source, rule: Rule, options: Options, counts: Counts, write: Write
) -> Iterator[float | None]:
    """Count and write a file; after each batch, how much of it was read, of 1."""
    own = counts.files[source.name]
    broken: Broken = []
    before = passed = 0  # rows that were read, and broken ones among them
    sampled = _sampled(source, options, broken, own)
    for judged in ahead(partial(_judge, rule), sampled, _AHEAD):
        for at, text in zip(judged.at, judged.texts, strict=True):
            while passed < len(broken) and broken[passed][0] <= before + at + passed:
                passed += 1
            row, shown = before + at + passed, show(rule, text)
            counts.take(source.name, row, shown)
            write(source.name, row, shown)
        before += judged.batch.rows
        own.rows += judged.rows
        own.null += judged.rows - judged.there
        own.invalid += len(set(judged.at))
        yield judged.batch.share
    own.broken, own.first_broken = len(broken), broken[0] if broken else None


def _sampled(
    source: Source, options: Options, broken: Broken, own: OfFile
) -> Iterator[tuple[Batch, list[bool] | None]]:
    """The batches of a file, and which of their rows are in the sample, the same in every run."""
    chance = Random(source.name).random  # noqa: S311 -- no secret
    share = options.sample
    try:
        for batch in batches(source, options, broken):
            yield batch, None if share is None else [chance() < share for _ in range(batch.rows)]
    except ScanError as error:
        own.why = str(error)


def _judge(rule: Rule, sampled: tuple[Batch, list[bool] | None]) -> _Judged:
    batch, sample = sampled
    texts, parents, rows = batch.texts, batch.parents, batch.rows
    if sample is not None:
        rows = sum(sample)
        kept = pa.array(sample, pa.bool_())
        texts = pc.if_else(kept if parents is None else kept.take(parents), texts, None)
    there = len(texts) - texts.null_count
    invalid = pc.indices_nonzero(pc.invert(verdicts(texts, rule)))
    found = as_texts(texts.take(invalid))
    if parents is not None:  # lists: some rows have several texts, or none
        there = len(pc.unique(parents.filter(texts.is_valid())))
        invalid = parents.take(invalid)
    return _Judged(batch, rows, there, invalid.to_pylist(), found)
