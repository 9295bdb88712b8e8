"""A scan: files in, counts and the violations of all rows out.

Owns ``scan``, which can be interrupted at any time and resumed. Imports the rest of this folder.
Invariant: each row is counted once, however often the scan is begun; an output file is replaced
only by a whole one, and finished work is kept until then.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from glob import has_magic
from itertools import count
from time import monotonic, time_ns
from typing import Any, NamedTuple

from ...extras import needs
from ...rule import Rule
from .journal import Journal, ScanError
from .read import STANDARD_INPUT, Chunk, Notify, Source, Unreadable, expanded, format_of, plug_in
from .summary import Counts
from .work import Broken, Done, Failed, Work, begin

_LITTLE = 8 << 20  # octets that one process reads before others have started

__all__ = ["Interrupted", "Options", "Result", "ScanError", "Tick", "scan"]


class Interrupted(KeyboardInterrupt):
    """The scan was interrupted: ``words`` say how much is done, and how to resume."""

    def __init__(self, words: str) -> None:
        self.words = words
        super().__init__(words)


@dataclass(frozen=True)
class Options:
    """The settings of a scan.

    ``column`` is found automatically if it is None, ``format`` by the name of each file; so are
    ``header``, whether there is one, and ``delimiter``, of CSV and TSV. The violations go to the
    Parquet file ``out``, if it is given. ``state`` is the folder for finished work, by default
    ``out`` and ``.scan``; without both, nothing is kept. ``about`` describes the rule, for the
    metadata of the output and to recognize the scan. ``processes`` defaults to the number of CPUs,
    and to one for little data.
    """

    column: str | None = None
    format: str | None = None
    header: bool | None = None
    delimiter: str | None = None
    out: str | None = None
    state: str | None = None
    processes: int | None = None
    about: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> str | None:
        """The folder of finished work."""
        return self.state or (f"{self.out}.scan" if self.out is not None else None)


@dataclass
class Result:
    """The results of a scan. ``unread`` is the number of files not read, or not to their end.

    ``before`` are the rows that an earlier run had done.
    """

    counts: Counts
    broken: dict[str, Broken]
    unread: int
    before: int
    seconds: float


class Tick(NamedTuple):
    """The progress of a scan. ``share`` is of 1, None if the total is not known.

    ``before`` are the rows, and ``share_before`` the share, that an earlier run had done.
    """

    rows: int
    invalid: int
    share: float | None = None
    before: int = 0
    share_before: float = 0.0


def scan(
    files: Sequence[str],
    rule: Rule,
    options: Options,
    *,
    notify: Notify,
    tick: Callable[[Tick], None] = lambda _: None,
    finish: Callable[[Result], None] = lambda _: None,
) -> Result:
    """Validate the texts of all files, and write their violations.

    ``notify`` is given notes, and errors of files that cannot be read; ``tick`` the progress.
    ``finish`` is called when the output is written, before the stored state is removed.

    Errors: ScanError; ``Interrupted``; ImportError for an extra that is missing. Cost: memory of
    one chunk for each process.
    """
    began = monotonic()
    with needs("data"):
        import pyarrow as _
    del _
    _check_out(options.out)
    run = _Run(files, rule, options, notify, tick)
    try:
        with run.journal.opened(run.fingerprint()):
            before = run.journal.counts.rows
            run.work()
            seconds = monotonic() - began
            result = Result(run.journal.total(), run.broken(), len(run.unread), before, seconds)
            if options.out is not None and options.folder is not None:
                run.write()
            finish(result)
            run.journal.remove()
    except KeyboardInterrupt:
        raise Interrupted(run.done_so_far("interrupted")) from None
    except OSError as error:
        where = error.filename or options.folder or options.out or "scan"
        raise ScanError(run.done_so_far(f"{where}: {_why(error)}")) from error
    return result


class _Run:
    """One call of ``scan``."""

    def __init__(
        self,
        files: Sequence[str],
        rule: Rule,
        options: Options,
        notify: Notify,
        tick: Callable[[Tick], None],
    ) -> None:
        self._rule, self._options = rule, options
        self._notify, self._tick = notify, tick
        self.journal = Journal(options.folder)
        self.unread: set[int] = set()
        self._failed: set[tuple[int, str]] = set()
        self._places: dict[tuple[int, int], int] = {}  # of chunks that are not done, among all
        self._sources = tuple(
            Source(
                number,
                name,
                options.format or format_of(name) or "",
                options.header,
                options.delimiter,
            )
            for number, name in enumerate(_read_ones(files, options))
        )
        if (options.header, options.delimiter) != (None, None) and not any(
            source.format in {"csv", "tsv"} for source in self._sources
        ):
            raise ScanError("--header, --no-header and --delimiter are only for CSV and TSV")
        self._sizes = [_size(source.name) for source in self._sources]
        self._done = self._skipped = 0.0  # octets of files, about

    def fingerprint(self) -> dict[str, Any]:
        """The facts that identify a scan."""
        from ... import __version__

        options = self._options
        names = [source.name for source in self._sources]
        if os.path.isfile(grammar := options.about.get("grammar", "")):
            names.append(grammar)
        return {
            "version": __version__,
            "files": [_file(name) for name in names],
            "column": options.column,
            "format": options.format,
            "header": options.header,
            "delimiter": options.delimiter,
            "output": options.out and os.path.abspath(options.out),
            **options.about,
        }

    def work(self) -> None:
        """All chunks that are not done. Errors: ScanError, OSError."""
        folder = self._options.folder if self._options.out is not None else None
        work = Work(self._rule, self._sources, folder)
        before = self.journal.counts.rows
        if before:
            self._notify(f"{before:,} rows were done before; the scan resumes after them", False)
        if before and folder and (lost := self.journal.find_lost()):
            of = "1 part of the output is" if lost == 1 else f"{lost:,} parts of the output are"
            self._notify(f"{of} lost or damaged: their rows are read again", False)
        for chunk, answer in self._answers(work):
            if isinstance(answer, Failed):
                self._fail(chunk, answer)
            else:
                self.journal.add(chunk, self._places.pop(chunk[:2]), answer)
            self._done += self._weight(chunk)
            self._tick(self._now(before))

    def write(self) -> None:
        """The parts as one file. Errors: OSError, ScanError."""
        from .parts import Damaged, put_together

        out, folder = self._options.out, self._options.folder
        assert out is not None and folder is not None  # noqa: S101, PT018 -- see scan
        from ... import __version__

        about = {f"uriproof.{name}": text for name, text in self._options.about.items()}
        about["uriproof.version"] = __version__
        try:
            put_together(folder, self.journal.parts, out, about)
        except Damaged as error:
            raise ScanError(self.done_so_far(f"{folder}: {error} is lost or damaged")) from error

    def broken(self) -> dict[str, Broken]:
        """The first broken row of each file that has one."""
        found = sorted(self.journal.broken.items())
        return {self._sources[number].shown: broken for number, broken in found}

    def done_so_far(self, what: str) -> str:
        """That, the number of finished rows, and how to resume."""
        rows = self.journal.counts.rows
        if not rows:
            return what
        if self._options.folder is None:
            return f"{what}; {rows:,} rows were done (with --output or --state they would be kept)"
        if any(source.name == STANDARD_INPUT for source in self._sources):
            return f"{what}; {rows:,} rows were done, but standard input cannot be read again"
        kept = f"{rows:,} rows are done and kept in {self._options.folder}"
        return f"{what}; {kept}: the same command resumes after them"

    def _answers(self, work: Work) -> Iterator[tuple[Chunk, Done | Failed]]:
        """Each chunk with its result, in order."""
        processes = self._processes()
        if processes == 1:
            yield from ((chunk, work(chunk)) for chunk in self._chunks())
            return
        from ...processes import BrokenProcessPool, Pool

        begun: deque[Chunk] = deque()

        def noted() -> Iterator[Chunk]:
            for chunk in self._chunks():
                begun.append(chunk)
                yield chunk

        try:
            with Pool(processes, begin, work) as pool:
                for answer in pool.answers(noted()):
                    yield begun.popleft(), answer
        except BrokenProcessPool:
            why = "a process of the scan was killed, perhaps for lack of memory"
            raise ScanError(self.done_so_far(f"{why}: try fewer processes with --jobs")) from None

    def _chunks(self) -> Iterator[Chunk]:
        """The unfinished chunks of one file after the other; none of an unreadable file."""
        place = count()
        for source in self._sources:
            try:
                for run in _plug_in(source).runs(source, self._options.column, self._notify):
                    for chunk in run:
                        self._places[chunk[:2]] = next(place)
                        if not self._has(chunk):
                            yield chunk
            except Unreadable as error:
                self._complain(source.number, error.place, error.words)
            except OSError as error:
                self._complain(source.number, "", _why(error))

    def _has(self, chunk: Chunk) -> bool:
        has = self.journal.has(chunk)
        if has:
            del self._places[chunk[:2]]
            self._done += self._weight(chunk)
            self._skipped += self._weight(chunk)
        return has

    def _weight(self, chunk: Chunk) -> float:
        return chunk.part * (self._sizes[chunk.file] or 0)

    def _now(self, before: int) -> Tick:
        counts = self.journal.counts
        sizes = [size for size in self._sizes if size is not None]
        total = sum(sizes) if len(sizes) == len(self._sizes) else 0
        if not total:
            return Tick(counts.rows, counts.invalid, None, before)
        share, skipped = self._done / total, self._skipped / total
        return Tick(counts.rows, counts.invalid, share, before, skipped)

    def _processes(self) -> int:
        """The number of CPUs, but one for little data: another process has to be started."""
        if self._options.processes is not None:
            return self._options.processes
        sizes = [size for size in self._sizes if size is not None]
        if len(sizes) == len(self._sizes) and sum(sizes) < _LITTLE:
            return 1
        return _processors()

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
            self._notify(f"{name}: {place}: {why}" if place else f"{name}: {why}", True)


def _processors() -> int:
    """The CPUs that this process can use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _read_ones(files: Sequence[str], options: Options) -> list[str]:
    """The files to read; patterns and folders leave out the files that the scan writes.

    Errors: ScanError, if the output is also an input.
    """
    if options.out is None:
        return expanded(files)
    out, folder = os.path.realpath(options.out), os.path.realpath(options.folder or "")
    names = []
    for name in expanded(files):
        path = os.path.realpath(name)
        if path == out and name in files:
            raise ScanError(f"{name}: it is read, and cannot be the output too; name another")
        if path != out and os.path.dirname(path) != folder:
            names.append(name)
    return names


def _check_out(out: str | None) -> None:
    """Errors: ScanError, if the output cannot be written, or has the name of another format; better
    now than at the end.
    """
    if out is None:
        return
    ending = os.path.splitext(out)[1]
    if ending and format_of(ending) != "parquet":
        raise ScanError(
            f"{out}: violations are written as Parquet; name a file that ends with .parquet"
        )
    folder = os.path.dirname(os.path.realpath(out))
    if os.path.isdir(out):
        raise ScanError(f"{out}: a folder; name a file in it")
    if not os.path.isdir(folder):
        raise ScanError(f"{out}: folder {folder} does not exist; make it first")
    if not os.access(folder, os.W_OK):
        raise ScanError(f"{out}: {folder} cannot be written to; name another file")


def _plug_in(source: Source) -> Any:
    """The reader of a file. Errors: ``Unreadable``."""
    if has_magic(source.name) and not os.path.lexists(source.name):
        raise Unreadable("no file matches")
    if not source.format:
        raise Unreadable("its name does not say its format: use --input-format")
    return plug_in(source.format)


def _size(name: str) -> int | None:
    """The octets of a file, 0 if there is none; None if it is not a regular file."""
    try:
        status = os.stat(name)
    except (OSError, ValueError):
        return None if name == STANDARD_INPUT else 0
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _file(name: str) -> list[Any]:
    """The signs that a file has changed."""
    if name == STANDARD_INPUT:
        return [name, time_ns()]  # nobody knows whether it is the same again
    try:
        status = os.stat(name)
    except (OSError, ValueError):
        return [name]
    return [name, status.st_size, status.st_mtime_ns]


def _why(error: OSError) -> str:
    return " ".join(str(error.strerror or error).split())
