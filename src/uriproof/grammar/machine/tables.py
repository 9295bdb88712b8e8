"""Traces as text, and back: the form in which the build commits them.

Owns that form. Imports the automata and traces. Invariant: ``read_trace`` of what ``write_traces``
wrote gives an equal trace.

How it works. ``PATHS`` holds paths of productions. ``ITEMS`` holds what could stand next, a line
each: the number of its path, its distance, its character classes, a letter for each thing that
holds of it (``e`` escaping, ``b`` begun, ``i`` inside, or ``-``), and the word. In ``TRACES`` each
rule has the intervals of its alphabet (where each starts, and its class) and a line for each state:

    !3-5,8|1-4,6>2 5>-1     accepts; the items 3, 4, 5 and 8, best first; classes 1 to 4 and 6 lead
                            to state 2, and class 5 nowhere, as those that are not named
    =7|=9 5>2               the items are those of state 7, the moves those of state 9 but for 5
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import ne
from typing import Any

from ..charset import Alphabet
from .automaton import DEAD, Automaton
from .trace import Item, Trace


class _Writer:
    """The paths and items of a module, by number, as its traces come to need them."""

    def __init__(self) -> None:
        self.paths: dict[str, int] = {}
        self.items: dict[str, int] = {}

    def lines(self, trace: Trace) -> list[str]:
        """The states of a trace."""
        rows = trace.automaton.rows
        lines: list[str] = []
        known: dict[str, int] = {}
        for state, row in enumerate(rows):
            items = _ranges(map(self._number, trace.items[state]))
            first = known.setdefault(items, state)
            if first < state and items:
                items = f"={first}"
            mark = "!" if state in trace.automaton.accepting else ""
            lines.append(f"{mark}{items}|{_moves(row, rows[:state])}")
        return lines

    def _number(self, item: Item) -> int:
        path = self.paths.setdefault(" ".join(item.path), len(self.paths))
        flags = "e" * item.escaping + "b" * item.begun + "i" * item.inside
        classes = _ranges(sorted(item.classes))
        line = f"{path} {item.distance} {classes} {flags or '-'} {item.word}"
        return self.items.setdefault(line, len(self.items))


def write_traces(
    traces: Mapping[str, Trace], elsewhere: Mapping[str, str], escape: tuple[str, tuple[str, ...]]
) -> str:
    """The body of a generated module: a table per rule, and where those are that it has not.

    ``elsewhere`` maps a rule to the grammar whose module has an equal table of it; ``escape`` is
    the escape sequence of all traces, with the words that follow its first character.
    """
    writer = _Writer()
    tables: list[str] = []
    for rule, trace in traces.items():
        alphabet = trace.automaton.alphabet
        lines = "\n".join(writer.lines(trace))
        tables.append(
            f"    {rule!r}: ({alphabet.starts!r}, {alphabet.ids!r}, '''\\\n{lines}'''),\n"
        )
    return "".join(
        (
            f"ESCAPE: tuple[str, tuple[str, ...]] = {escape!r}\n",
            "PATHS: tuple[str, ...] = (\n",
            *(f"    {path!r},\n" for path in writer.paths),
            ")\n",
            'ITEMS = r"""\n',
            *(f"{item}\n" for item in writer.items),
            '"""\n',
            f"ELSEWHERE: dict[str, str] = {dict(elsewhere)!r}\n",
            "TRACES: dict[str, tuple[list[int], list[int], str]] = {\n",
            *tables,
            "}\n",
        )
    )


def _moves(row: tuple[int, ...], earlier: Sequence[tuple[int, ...]]) -> str:
    """A row, by an earlier one that it differs least from where that is shorter."""
    plain = _differing(row, (DEAD,) * len(row))
    if not earlier:
        return plain
    differences = [sum(map(ne, row, other)) for other in earlier]
    nearest = differences.index(min(differences))
    by_nearest = f"={nearest} {_differing(row, earlier[nearest])}".rstrip()
    return min(plain, by_nearest, key=len)


def _differing(row: tuple[int, ...], other: tuple[int, ...]) -> str:
    """Where a row leads, for the classes with which another leads elsewhere."""
    targets: dict[int, list[int]] = {}
    for class_, target in enumerate(row):
        if target != other[class_]:
            targets.setdefault(target, []).append(class_)
    return " ".join(f"{_ranges(classes)}>{target}" for target, classes in targets.items())


def _ranges(numbers: Iterable[int]) -> str:
    """Numbers as ranges, in their order: 1-4,6."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in runs)


def _numbers(ranges: str) -> list[int]:
    """What ``_ranges`` wrote, as numbers."""
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
