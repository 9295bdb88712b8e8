"""A run over many files: in this process, or in several.

Owns the division of the work. Imports ``lint.engine`` and ``lint.files``; processes if there is
enough work. Invariant: the results come in the order of the files, and are the same for any number
of processes; a process that dies takes no file with it.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from time import process_time
from typing import TYPE_CHECKING

from ..config.settings import Settings
from ..files.cache import keys, restored, stored
from ..files.source import Unread, decoded, read
from .analyze import Engine, Result, why_lost

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ...processes import Pool, Worker

_CHUNK = 96  # files: enough to outweigh a message, few enough to share evenly
_LARGE = 1 << 20  # bytes of a chunk that does not wait for more files
_FEW = 128  # files that are divided among processes one by one: in chunks, one process has them all
_ALONE = 0.3  # seconds after which most expressions are compiled, and the speed is known
# Seconds of work for each process: to start one, and to compile again what it needs, takes up to a
# fourth of a second.
_MUCH = 1.5
_RATE = 16 << 20  # bytes in a second, where the time is not measured
_FILE = 4 << 10  # bytes that take as long to check as a file to open
_AHEAD = 6  # chunks in progress, per process: none waits, and the memory is bounded
_PLATFORM = sys.platform

Item = tuple[str, Settings] | Unread


class Chunk:
    """The results of some files, in order: only those that have something to report.

    ``fresh`` is for the cache: results by their keys.
    """

    def __init__(self, files: int, results: list[Result | Unread]) -> None:
        self.files = files
        self.results: list[Result | Unread] = results
        self.checked: int = 0
        self.urls: int = 0
        self.iris: int = 0
        self.fresh: dict[str, str] = {}

    def add(self, other: Chunk) -> None:
        """Add the results of another, whose files are among these."""
        self.results += other.results
        self.checked += other.checked
        self.urls += other.urls
        self.iris += other.iris


class Run:
    """The number of processes, the known results, and whether URLs are dumped.

    This process works alone at first, and knows then how fast that is; others are started if at
    least two have ``least`` seconds of work, and no more than have; they share what it has loaded
    and compiled. If files are ``untrusted``, other processes read them all, and a file that takes
    longer than others of its size is skipped.
    """

    def __init__(
        self,
        jobs: int = 0,
        known: Mapping[str, str] | None = None,
        dump: bool = False,
        least: float | None = None,
        untrusted: bool = False,
    ) -> None:
        self.jobs = jobs
        self.known = known
        self.dump = dump
        self.least = _MUCH if least is None else least
        self.untrusted = untrusted

    def over(self, items: Iterable[Item]) -> Iterator[Chunk]:
        """The results of the files, a chunk at a time, in their order.

        Memory: the chunks in progress.
        """
        jobs = min(self.jobs or _processors(), _most())
        chunks = _chunks(items, _bytes if jobs > 1 else None)
        spent, size, files = 0.0, 0, 0
        for work in chunks if jobs > 1 and self.least and not self.untrusted else ():
            begin = process_time()
            done = _work(work, self.known, self.dump)
            spent += process_time() - begin
            size += work.size
            yield done
            if spent > _ALONE:
                break
        share = self.least * (size / spent if spent else _RATE)
        first: list[_Work] = []
        size = 0
        for work in chunks if jobs > 1 else ():
            first.append(work)
            files += len(work.files)
            size += work.size
            if size > share * jobs and files > 1:
                break
        if share:
            jobs = min(jobs, int(size / share))
        if jobs < 2 or files < 2:  # noqa: PLR2004
            if self.untrusted:
                yield from self._watch(chain(first, chunks), 1)
                return
            for work in chain(first, chunks):
                yield _work(work, self.known, self.dump)
            return
        if files <= _FEW:
            first = [one for work in first for one in work.split()]
        divide = self._watch if self.untrusted else self._spread
        yield from divide(chain(first, chunks), jobs)

    def _spread(self, chunks: Iterator[_Work], jobs: int) -> Iterator[Chunk]:
        """The chunks by several processes."""
        from concurrent.futures.process import BrokenProcessPool

        pending: deque[tuple[_Work, Future[Chunk] | None]] = deque()
        broken = False
        with _pool(jobs, self.known, self.dump) as pool:
            while True:
                while len(pending) < jobs * _AHEAD and (work := next(chunks, None)) is not None:
                    future = None
                    if not broken:
                        try:
                            future = pool.ask(work)
                        except BrokenProcessPool:
                            broken = True
                        except RuntimeError as error:
                            _refuse_unguarded(error)
                    pending.append((work, future))
                if not pending:
                    return
                work, future = pending.popleft()
                try:
                    done = None if future is None else pool.result(future)
                except BrokenProcessPool:  # killed, perhaps for lack of memory
                    broken, done = True, None
                yield _work(work, self.known, self.dump) if done is None else done

    def _watch(self, chunks: Iterator[_Work], jobs: int) -> Iterator[Chunk]:
        """The chunks by processes that are given a file at a time, and are stopped if they take too
        long: nothing else interrupts an expression in the middle of its search on every system."""
        from concurrent.futures import ThreadPoolExecutor

        from ...processes import Worker

        workers = [Worker(_begin_alone, self.dump) for _ in range(jobs)]
        idle = deque(workers)

        def watched(work: _Work) -> Chunk:
            worker = idle.pop()
            try:
                return _one_by_one(worker, work)
            finally:
                idle.append(worker)

        threads = ThreadPoolExecutor(jobs)
        pending: deque[Future[Chunk]] = deque()
        try:
            while True:
                while len(pending) < jobs * _AHEAD and (work := next(chunks, None)) is not None:
                    pending.append(threads.submit(watched, work))
                if not pending:
                    return
                yield pending.popleft().result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.end()


def _seconds(size: int) -> float:
    """The time limit for a file of so many bytes: ten times that of one with only wrong URLs, and a
    time that outlasts the delays of a busy machine."""
    return 10 + size / 100_000


def _one_by_one(worker: Worker, work: _Work) -> Chunk:
    """The results of a chunk, each file by itself."""
    chunk = Chunk(len(work.files) + len(work.unread), [*work.unread])
    for file in work.files:
        seconds = _seconds(_bytes(file))
        try:
            chunk.add(worker.ask(_Work(work.settings, [file], []), seconds))
        except TimeoutError:
            why = f"not checked: it takes longer than {seconds:.0f} seconds"
            chunk.results.append(Unread(file, "unreadable", why))
        except (EOFError, OSError):
            why = "not checked: the process that read it has ended, perhaps for lack of memory"
            chunk.results.append(Unread(file, "unreadable", why))
    return chunk


def _begin_alone(dump: bool) -> Callable[[_Work], Chunk]:
    """The work of a process that is given a file at a time; imports come first."""
    from ..find import finders

    finders()
    return lambda work: _work(work, None, dump)


class _Work:
    """Some files with the same settings, and the unreadable ones before them."""

    def __init__(self, settings: Settings | None, files: list[str], unread: list[Unread]) -> None:
        self.settings = settings
        self.files = files
        self.unread = unread
        self.size = 0

    def split(self) -> Iterator[_Work]:
        """One file at a time."""
        if self.unread:
            yield _Work(None, [], self.unread)
        for file in self.files:
            yield _Work(self.settings, [file], [])


def _chunks(items: Iterable[Item], size: Callable[[str], int] | None) -> Iterator[_Work]:
    """The files in chunks of like settings, in order; with the ``size`` of a file, of like work."""
    work = _Work(None, [], [])
    for item in items:
        if isinstance(item, Unread):
            if work.files:
                yield work
                work = _Work(None, [], [])
            work.unread.append(item)
            continue
        path, settings = item
        full = len(work.files) >= _CHUNK or work.size >= _LARGE
        if work.files and (work.settings is not settings or full):
            yield work
            work = _Work(None, [], [])
        work.settings = settings
        work.files.append(path)
        work.size += size(path) if size else 0
    if work.files or work.unread:
        yield work


def _bytes(file: str) -> int:
    """The bytes of a file, and some for itself."""
    try:
        return _FILE + os.stat(file).st_size
    except (OSError, ValueError):
        return _FILE


def _most() -> int:
    """The maximum number of processes: on Windows, one can wait for 63, and two are others."""
    return 61 if _PLATFORM == "win32" else 1024


def _refuse_unguarded(error: RuntimeError) -> None:
    """End a process that was begun only to import the script that has called the linter.

    If processes are not forked, each imports the script that began them, and would start the check
    again. The first process then does all the work. Errors: any other.
    """
    import multiprocessing

    # The mark of a process that is importing the script; Python also refuses by it.
    if not getattr(multiprocessing.current_process(), "_inheriting", False):
        raise error
    raise SystemExit(
        "uriproof: to use several processes, call the linter within "
        'if __name__ == "__main__": (or set jobs to 1)'
    )


def _processors() -> int:
    """How many processes can run at once."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


_MOST_ENGINES = 32
"""Engines that are kept: one for each folder with settings; a language server makes another
whenever its settings change."""

_engines: dict[str, Engine] = {}


def engine_for(settings: Settings) -> Engine:
    """One engine for each set of settings, whichever process they came from."""
    name = repr(settings)
    made = _engines.pop(name, None) or Engine(settings)
    if len(_engines) >= _MOST_ENGINES:
        del _engines[next(iter(_engines))]  # the one that was asked for longest ago
    _engines[name] = made
    return made


def _work(work: _Work, known: Mapping[str, str] | None, dump: bool) -> Chunk:
    """The results of a chunk, by this process."""
    chunk = Chunk(len(work.files) + len(work.unread), [*work.unread])
    if work.settings is None:
        return chunk
    engine = engine_for(work.settings)
    cached = known is not None and work.settings.cache and not dump
    key = keys(work.settings) if cached else None
    for file in work.files:
        data = read(file, work.settings.max_file_size)
        if isinstance(data, Unread):
            chunk.results.append(data)
            continue
        chunk.checked += 1
        try:
            reader = engine.reader(file, data)
            if not reader.may_hold_urls(data):
                continue
            name = ""
            if key is not None:
                name = key(file, data)
            text = None if known is None else known.get(name)
            result = None if text is None else restored(file, text)
            if result is None:
                result = engine.check(decoded(file, data), reader, dump)
                if name and (text := stored(result)) is not None:
                    chunk.fresh[name] = text
        except Exception as error:  # the other files are checked all the same
            chunk.results.append(Unread(file, "unreadable", why_lost(error)))
            continue
        chunk.urls += result.urls
        chunk.iris += result.iris
        if not result.empty:
            chunk.results.append(result)
    return chunk


def _begin(known: Mapping[str, str] | None, dump: bool) -> Callable[[_Work], Chunk]:
    """The work of a process on each chunk."""
    return lambda work: _work(work, known, dump)


def _pool(jobs: int, known: Mapping[str, str] | None, dump: bool) -> Pool:
    """Processes that share the modules loaded so far, if the system can do that."""
    from ...processes import Pool
    from ..find import finders

    finders()
    return Pool(jobs, _begin, known, dump, fork=_PLATFORM.startswith("linux"))
