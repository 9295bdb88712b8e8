"""Explain texts that a rule does not accept, one at a time, in this process or in several.

Owns ``Row``, the violation of a text as a record for columns, and the pool of processes. Imports
``rule``; no engine, so that a process of the pool starts in 0.1 s. Invariant: the records of a text
are those of ``check``, in its order, whatever the number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from typing import TypeAlias

from .rule import ColumnRule

__all__ = ["FIELDS", "Explainer", "Row", "explain", "explainer"]

FIELDS = ("start", "end", "component", "production", "kind", "code", "fix")
"""The fields of a violation in a column; offsets are code points from 0, half-open."""

Row: TypeAlias = tuple[int, int, str, str, str, str, str | None]
"""The values of ``FIELDS``; the last is the replacement of a safe fix, or None."""

Explainer: TypeAlias = Callable[[Iterable[str]], Iterable[list[Row]]]
"""Texts in, the violations of each out, in order."""

_AT_ONCE = 1_000
"""Texts sent to a process at once: some 50 ms of work, and some 50 kB to send."""


def explain(rule: ColumnRule, texts: Iterable[str]) -> list[list[Row]]:
    """The violations of each text; none for a text that the rule accepts. Cost: O(n).

    >>> explain(ColumnRule(), ["http://a/", "http://a b/"])
    [[], [(8, 9, 'host', 'reg-name', 'illegal', 'host-illegal', None)]]
    """
    check = rule.check
    return [
        [
            (
                *(v.start, v.end, v.component, v.production, v.kind, v.code),
                None if v.fix is None else v.fix.replacement,
            )
            for v in check(text).violations
        ]
        for text in texts
    ]


@contextmanager
def explainer(rule: ColumnRule, processes: int = 1) -> Iterator[Explainer]:
    """What explains texts, by so many processes; one means this process.

    Other processes are started anew, not forked: a program that asks for them has to guard what
    it does when it is imported (``if __name__ == "__main__":``). They end with the context.

    Errors: ValueError for less than one process; ``BrokenProcessPool`` where one is killed.

    >>> with explainer(ColumnRule()) as explained:
    ...     list(explained(["http://a b/"]))
    [[(8, 9, 'host', 'reg-name', 'illegal', 'host-illegal', None)]]
    """
    if processes < 1:
        raise ValueError(f"processes: at least 1 is needed, not {processes}")
    if processes == 1:
        yield partial(explain, rule)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:

        def explained(texts: Iterable[str]) -> Iterable[list[Row]]:
            return chain.from_iterable(pool.map(partial(explain, rule), _batches(texts)))

        yield explained


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    source = iter(texts)
    while batch := list(islice(source, _AT_ONCE)):
        yield batch
