"""A scan: files in, counts and the violations of all rows out.

Owns ``scan``, which can be interrupted at any time and gone on with. Imports the rest of this folder.
Invariant: each row is counted once, however often the scan is begun; nothing is written in the place
of a file before it is whole, and what is done is kept until then.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from ...extras import needs
from ..rule import ColumnRule
from .engine import engine as _engine
from .journal import Journal, StateError, parts
from .read import STANDARD_INPUT, Chunk, Source, Unreadable, format_of, plug_in
from .summary import Counts
from .work import Broken, Done, Failed, Work

__all__ = ["Interrupted", "Options", "Result", "ScanError", "Tick", "scan"]


class ScanError(Exception):
    """The scan cannot begin or go on: what is wrong, and what to do. What was done is kept."""


class Interrupted(KeyboardInterrupt):
    """The scan was interrupted: ``words`` say what is done, and how to go on."""

    def __init__(self, words: str) -> None:
        self.words = words
        super().__init__(words)


@dataclass(frozen=True)
class Options:
    """What a scan is asked for.

    ``column`` is found by itself where it is None, ``format`` by the name of each file. The
    violations go to the Parquet file ``out``, if it is given. ``state`` is the folder for what is
    done, by default ``out`` and ``.scan``; without both, nothing is kept. ``about`` says what the
    rule is, for the metadata of the output and to know the scan again.
    """

    column: str | None = None
    format: str | None = None
    out: str | None = None
    state: str | None = None
    engine: str = "arrow"
    processes: int = 1
    about: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> str | None:
        """Where what is done is kept."""
        return self.state or (f"{self.out}.scan" if self.out is not None else None)


@dataclass
class Result:
    """What a scan found. ``unread`` is how many files were not read, or not to their end.

    ``before`` are the rows that an earlier run had done.
    """

    counts: Counts
    broken: dict[str, Broken]
    unread: int
    before: int
    seconds: float


@dataclass
class Tick:
    """How far a scan is. ``total`` rows are known where all files are Parquet."""

    rows: int
    invalid: int
    total: int | None


def scan(
    files: Sequence[str],
    rule: ColumnRule,
    options: Options,
    *,
    notify: Callable[[str], None],
    tick: Callable[[Tick], None] = lambda _: None,
    finish: Callable[[Result], None] = lambda _: None,
) -> Result:
    """Validate the texts of all files, and write their violations.

    ``notify`` is given what people have to know of files that cannot be read, ``tick`` how far the
    scan is. ``finish`` is called when the output is written, before what was kept is removed.

    Errors: ScanError; ``Interrupted``; ImportError for an extra that is missing. Cost: memory of
    one chunk for each process.
    """
    began = monotonic()
    with needs("data"):
        import pyarrow as _
    del _
    _engine(options.engine)
    _check_out(options.out)
    run = _Run(files, rule, options, notify, tick)
    try:
        with run.journal.opened(run.fingerprint()):
            before = run.journal.counts.rows
            run.work()
            result = Result(
                run.journal.counts, run.broken(), len(run.unread), before, monotonic() - began
            )
            if options.out is not None and options.folder is not None:
                run.write()
            finish(result)
            run.journal.remove()
    except KeyboardInterrupt:
        raise Interrupted(run.done_so_far("interrupted")) from None
    except StateError as error:
        raise ScanError(str(error)) from error
    except OSError as error:
        where = error.filename or options.folder or options.out or "scan"
        raise ScanError(run.done_so_far(f"{where}: {_why(error)}")) from error
    return result


class _Run:
    """One call of ``scan``."""

    def __init__(
        self,
        files: Sequence[str],
        rule: ColumnRule,
        options: Options,
        notify: Callable[[str], None],
        tick: Callable[[Tick], None],
    ) -> None:
        self._rule, self._options = rule, options
        self._notify, self._tick = notify, tick
        self.journal = Journal(options.folder)
        self.unread: set[int] = set()
        self._failed: set[tuple[int, str]] = set()
        self._sources = tuple(
            Source(number, name, options.format or format_of(name) or "")
            for number, name in enumerate(files)
        )

    def fingerprint(self) -> dict[str, Any]:
        """What makes a scan the same as another."""
        from ... import __version__

        options = self._options
        return {
            "version": __version__,
            "files": [_file(source.name) for source in self._sources],
            "column": options.column,
            "format": options.format,
            "output": options.out and os.path.abspath(options.out),
            **options.about,
        }

    def work(self) -> None:
        """All chunks that are not done. Errors: ScanError, OSError."""
        from .pool import answers

        folder = self._options.folder if self._options.out is not None else None
        work = Work(self._rule, self._options.engine, self._sources, folder)
        total = self._total()
        counts = self.journal.counts
        if counts.rows:
            self._notify(f"{counts.rows:,} rows were done before; the scan goes on after them")
        for chunk, answer in answers(self._runs(), work, self._options.processes):
            if isinstance(answer, Failed):
                self._fail(chunk, answer)
            else:
                self._add(chunk, answer)
            self._tick(Tick(counts.rows, counts.invalid, total))

    def write(self) -> None:
        """The parts as one file. Errors: OSError."""
        from .parts import put_together

        out, folder = self._options.out, self._options.folder
        assert out is not None and folder is not None  # noqa: S101, PT018 -- see scan
        from ... import __version__

        about = {f"uriproof.{name}": text for name, text in self._options.about.items()}
        put_together(folder, parts(folder), out, {"uriproof.version": __version__, **about})

    def broken(self) -> dict[str, Broken]:
        """The first broken row of each file that has one."""
        found = sorted(self.journal.broken.items())
        return {self._sources[number].shown: broken for number, broken in found}

    def done_so_far(self, what: str) -> str:
        """That, how much is done, and how to go on."""
        rows = self.journal.counts.rows
        if not rows:
            return what
        if self._options.folder is None:
            return f"{what}; {rows:,} rows were done (with --out or --state they would be kept)"
        kept = f"{rows:,} rows are done and kept in {self._options.folder}"
        return f"{what}; {kept}: the same command goes on after them"

    def _runs(self) -> Iterator[list[Chunk]]:
        """What is not done, of one file after the other; of some that cannot be read, nothing."""
        for source in self._sources:
            try:
                if not source.format:
                    raise Unreadable("its name does not say its format: name it with --format")
                for run in plug_in(source.format).runs(source, self._options.column):
                    left = [chunk for chunk in run if not self.journal.has(chunk)]
                    if left:
                        yield left
            except Unreadable as error:
                self._complain(source.number, error.place, error.words)
            except OSError as error:
                self._complain(source.number, "", _why(error))

    def _add(self, chunk: Chunk, done: Done) -> None:
        self.journal.add(chunk, done)

    def _fail(self, chunk: Chunk, failed: Failed) -> None:
        if failed.fatal:
            where = self._options.folder or self._sources[chunk.file].shown
            raise ScanError(self.done_so_far(f"{where}: {failed.why}"))
        self._complain(chunk.file, failed.place, failed.why)

    def _complain(self, file: int, place: str, why: str) -> None:
        """Once for each place of a file."""
        self.unread.add(file)
        if (file, place) not in self._failed:
            self._failed.add((file, place))
            name = self._sources[file].shown
            self._notify(f"{name}: {place}: {why}" if place else f"{name}: {why}")

    def _total(self) -> int | None:
        """The rows of all files, if that is known at once."""
        total = 0
        for source in self._sources:
            if source.format != "parquet":
                return None
            try:
                total += plug_in(source.format).total(source)
            except (Unreadable, OSError):
                continue
        return total


def _check_out(out: str | None) -> None:
    """Errors: ScanError, where the output cannot be written; better now than in the end."""
    if out is None:
        return
    folder = os.path.dirname(os.path.realpath(out))
    if os.path.isdir(out):
        raise ScanError(f"{out}: a folder; name a file in it")
    if not os.path.isdir(folder):
        raise ScanError(f"{out}: there is no folder {folder}; make it first")
    if not os.access(folder, os.W_OK):
        raise ScanError(f"{out}: {folder} cannot be written to; name another file")


def _file(name: str) -> list[Any]:
    """What tells that a file has changed."""
    if name == STANDARD_INPUT:
        return [name]
    try:
        status = os.stat(name)
    except (OSError, ValueError):
        return [name]
    return [name, status.st_size, status.st_mtime_ns]


def _why(error: OSError) -> str:
    return " ".join(str(error.strerror or error).split())
