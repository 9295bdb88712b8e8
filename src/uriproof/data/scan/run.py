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
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from math import log
from random import Random
from time import monotonic
from typing import NamedTuple

from ...extras import needs
from ...rule import Rule
from ..explain import Shown, show
from . import Options, ScanError
from .results import Counts, OfFile, bounded, check_output, writing
from .sources import Batch, Notify, Source, Unreadable, batches, found

with needs("data"):
    import pyarrow as pa
    import pyarrow.compute as pc

    from ..arrow import as_texts, verdicts

_AHEAD = 2
"""Batches whose verdicts are worked out before they are needed."""


@dataclass
class Result:
    """The results of a scan.

    ``unread`` has the files that could not be read, or not to their end, with the reason;
    ``broken`` the first broken row of each file that has one, with the reason.
    """

    counts: Counts
    unread: dict[str, str] = field(default_factory=dict)
    broken: dict[str, tuple[int, str]] = field(default_factory=dict)
    seconds: float = 0.0


class Tick(NamedTuple):
    """The progress of a scan. ``share`` is of 1, None if the total is not known."""

    rows: int
    invalid: int
    share: float | None = None


class _Judged(NamedTuple):
    """The rows of a batch with an invalid text, and these texts."""

    rows: int
    null: int
    at: list[int]
    texts: list[str]


def scan(
    names: Sequence[str],
    rule: Rule,
    options: Options,
    *,
    notify: Notify = lambda _: None,
    tick: Callable[[Tick], None] = lambda _: None,
) -> Result:
    """Validate the texts of all files, and write their violations.

    ``notify`` is given notes; ``tick`` the progress. Errors: ScanError; OSError of the output;
    ImportError for an extra that is missing. Cost: O(n), and memory of some batches.

    >>> scan([], Rule(), Options()).counts.rows
    0
    """
    began = monotonic()
    if options.out is not None:
        check_output(options.out)
    sources = _without_output(found(names, options.format), names, options.out)
    weights = [source.size or 0 for source in sources]
    known = all(source.size is not None for source in sources)
    total, done = sum(weights) if known else 0, 0
    with writing(options.out, options.about) as write, ThreadPoolExecutor(_AHEAD) as threads:
        run = _Run(rule, options, notify, threads)
        for source, weight in zip(sources, weights, strict=True):
            for share in run.read(source, write):
                part = (done + share * weight) / total if total and share is not None else None
                tick(Tick(run.rows, run.invalid, part))
            done += weight
    run.result.counts.prune()
    run.result.seconds = monotonic() - began
    return run.result


def _without_output(sources: list[Source], names: Sequence[str], out: str | None) -> list[Source]:
    """The files, without the one that is written. Errors: ScanError, if that is named."""
    if out is None:
        return sources
    real = os.path.realpath(out)
    if any(os.path.realpath(name) == real for name in names if os.path.isfile(name)):
        raise ScanError(f"{out}: it is read, and cannot be the output too; name another")
    return [source for source in sources if os.path.realpath(source.path) != real]


class _Run:
    """One scan."""

    def __init__(
        self, rule: Rule, options: Options, notify: Notify, threads: ThreadPoolExecutor
    ) -> None:
        self._rule, self._options, self._notify, self._threads = rule, options, notify, threads
        self.result = Result(Counts())
        self.rows = self.invalid = 0

    def read(
        self, source: Source, write: Callable[[str, int, Shown], None]
    ) -> Iterator[float | None]:
        """Count and write a file; after each batch, how much of it was read, of 1."""
        counts = self.result.counts
        own = counts.files.setdefault(source.name, OfFile())
        for batch, judged in self._judged(source):
            own.rows += judged.rows
            own.null += judged.null
            own.broken += len(batch.broken)
            if batch.broken:
                self.result.broken.setdefault(source.name, batch.broken[0])
            for row, text in zip(judged.at, judged.texts, strict=True):
                shown = bounded(show(self._rule, text))
                counts.take(source.name, row, shown)
                write(source.name, row, shown)
            own.invalid += (new := len(set(judged.at)))
            self.rows, self.invalid = self.rows + judged.rows, self.invalid + new
            yield batch.share
        if own == OfFile() and source.name in self.result.unread:
            del counts.files[source.name]

    def _judged(self, source: Source) -> Iterator[tuple[Batch, _Judged]]:
        """The batches of a file in order, each with its verdicts, which are made ahead."""
        share = self._options.sample
        sample = _Sample(share, source.name) if share is not None else None
        waiting: deque[tuple[Batch, Future[_Judged]]] = deque()
        for batch in self._readable(source):
            kept = batch if sample is None else sample.of(batch)
            waiting.append((kept, self._threads.submit(self._judge, kept)))
            if len(waiting) > _AHEAD:
                done, future = waiting.popleft()
                yield done, future.result()
        for done, future in waiting:
            yield done, future.result()

    def _readable(self, source: Source) -> Iterator[Batch]:
        try:
            yield from batches(source, self._options, self._notify)
        except Unreadable as error:
            self.result.unread[source.name] = str(error)

    def _judge(self, batch: Batch) -> _Judged:
        texts, at = batch.texts, batch.at
        refused = pc.invert(verdicts(texts, self._rule))
        invalid = pc.indices_nonzero(refused)
        there = len(texts) - texts.null_count
        if batch.rows != len(texts):  # lists: some rows have several texts, or none
            there = len(pc.unique(at.filter(texts.is_valid())))
        rows = at.take(invalid).to_pylist()
        return _Judged(batch.rows, batch.rows - there, rows, as_texts(texts.take(invalid)))


class _Sample:
    """A share of the rows of a file, chosen by chance: the same ones in every run.

    From one to the next, as many rows are left out as a coin for each row would leave out.
    """

    def __init__(self, share: float, seed: str) -> None:
        self._share, self._chance = share, Random(seed)  # noqa: S311 -- a sample, no secret
        self._next = self._gap() - 1

    def _gap(self) -> int:
        return 1 + int(log(1 - self._chance.random()) / log(1 - self._share))

    def of(self, batch: Batch) -> Batch:
        """The rows of a batch that are in the sample; batches come in order."""
        rows = []
        while self._next < batch.end:
            rows.append(self._next)
            self._next += self._gap()
        broken = {row for row, _ in batch.broken}
        kept = pc.is_in(batch.at, pa.array(rows, pa.int64()))
        texts, at = batch.texts.filter(kept), batch.at.filter(kept)
        return batch._replace(texts=texts, at=at, rows=len(set(rows) - broken))
