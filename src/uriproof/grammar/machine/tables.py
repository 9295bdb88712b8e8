"""Traces from text: the form in which the build (``tools/traces.py``) commits them.

Owns the reading of that form. Imports the automata and traces. Invariant: what is read of a trace
that was written is equal to it.

How it works. ``PATHS`` holds paths of productions. ``ITEMS`` holds what could stand next, a line
each: the number of its path, its distance, its character classes, a letter for each thing that
holds of it (``e`` escaping, ``b`` begun, ``i`` inside, or ``-``), and the word. In ``TRACES`` each
rule has the intervals of its alphabet (where each starts, and its class) and a line for each state:

    !3-5,8|1-4,6>2 5>-1     accepts; the items 3, 4, 5 and 8, best first; classes 1 to 4 and 6 lead
                            to state 2, and class 5 nowhere, as those that are not named
    =7|=9 5>2               the items are those of state 7, the moves those of state 9 but for 5
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..charset import Alphabet
from .automaton import DEAD, Automaton
from .trace import Item, Trace


def _numbers(ranges: str) -> list[int]:
    """Ranges, as numbers: 1-4,6."""
    found: list[int] = []
    for run in ranges.split(",") if ranges else ():
        low, dash, high = run.partition("-")
        if dash:
            found += range(int(low), int(high) + 1)
        else:
            found.append(int(low))
    return found


def read_trace(module: Any, rule: str, escape: tuple[str, tuple[str, ...]]) -> Trace:
    """The trace of a rule that the module has a table of. Cost: that of its states."""
    starts, ids, lines = module.TRACES[rule]
    alphabet = Alphabet.from_intervals(starts, ids)
    nowhere = [DEAD] * alphabet.size
    classes: dict[str, list[int]] = {}
    described: list[str] = module.ITEMS.split("\n")[1:]
    known: dict[int, Item] = {}
    rows: list[tuple[int, ...]] = []
    accepting: set[int] = set()
    items: list[tuple[Item, ...]] = []
    for state, line in enumerate(lines.split("\n")):
        listed, _, moves = line.partition("|")
        if listed[:1] == "!":
            accepting.add(state)
            listed = listed[1:]
        if listed[:1] == "=":
            items.append(items[int(listed[1:])])
        else:
            numbers = _numbers(listed)
            for number in numbers:
                if number not in known:
                    known[number] = _item(module.PATHS, described[number])
            items.append(tuple([known[number] for number in numbers]))
        row: list[int] | None = None
        for move in moves.split():
            if move[0] == "=":
                row = list(rows[int(move[1:])])
                continue
            if row is None:
                row = nowhere.copy()
            spelled, _, target = move.partition(">")
            if spelled not in classes:
                classes[spelled] = _numbers(spelled)
            to = int(target)
            for class_ in classes[spelled]:
                row[class_] = to
        rows.append(tuple(row or nowhere))
    automaton = Automaton(alphabet, tuple(rows), frozenset(accepting))
    return Trace(automaton, tuple(items), *escape)


def _item(paths: Sequence[str], line: str) -> Item:
    path, distance, classes, flags, word = line.split(" ", 4)
    return Item(
        tuple(paths[int(path)].split(" ")),
        word,
        frozenset(_numbers(classes)),
        "e" in flags,
        int(distance),
        "b" in flags,
        "i" in flags,
    )
