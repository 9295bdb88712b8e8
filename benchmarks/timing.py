"""Timing: jobs in interleaved rounds.

Owns the clock; imports the standard library. Invariant: in every round each job runs once before
any job runs again, so that a change in the machine's speed touches all alike.
"""

import gc
import statistics
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from time import process_time
from typing import TypeVar

ROUNDS = 7
BATCH_SECONDS = 0.01
SLOW_SECONDS = 0.25  # a job that takes this long runs in fewer rounds
SLOW_ROUNDS = 3

Job = Callable[[], object]
Key = TypeVar("Key", bound=Hashable)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No garbage collection within: it would strike whichever job happens to run."""
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _seconds(job: Job, times: int, clock: Callable[[], float]) -> float:
    """Seconds for one run of a job, over a number of runs."""
    start = clock()
    for _ in range(times):
        job()
    return (clock() - start) / times


def medians(
    jobs: Mapping[Key, Job], rounds: int = ROUNDS, clock: Callable[[], float] = process_time
) -> dict[Key, float]:
    """The median seconds of one run of each job, over interleaved rounds.

    Seconds of this process, so that what else runs does not count; jobs that start processes
    take ``perf_counter``. Cost: each job some hundredths of a second a round, or one run where
    that takes longer.
    """
    times: dict[Key, int] = {}
    wanted: dict[Key, int] = {}
    found: dict[Key, list[float]] = {}
    with _uncollected():
        for key, job in jobs.items():
            job()  # what is built on the first call is not measured
            once = _seconds(job, 1, clock)
            times[key] = max(1, int(BATCH_SECONDS / max(once, 1e-9)))
            wanted[key] = min(rounds, SLOW_ROUNDS) if once > SLOW_SECONDS else rounds
            found[key] = []
        for done in range(rounds):
            for key, job in jobs.items():
                if done < wanted[key]:
                    found[key].append(_seconds(job, times[key], clock))
    return {key: statistics.median(seconds) for key, seconds in found.items()}


def shortest(job: Job, rounds: int = ROUNDS) -> float:
    """The shortest seconds of this process for one run of a job; one run does for a slow one.

    For the ratio of two sizes: what else runs on the machine only ever adds to either.
    """
    with _uncollected():
        once = _seconds(job, 1, process_time)
        if once > SLOW_SECONDS:
            return once
        times = max(1, int(BATCH_SECONDS / max(once, 1e-6)))
        return min(_seconds(job, times, process_time) for _ in range(rounds))
