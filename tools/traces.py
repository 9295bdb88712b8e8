"""Traces to text: the form that ``grammar.machine.trace`` reads, and explains.

Owns the writing of that form, from which the generated modules and the page are made. Imports the
package. Invariant: reading a written trace returns an equal one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import ne

from uriproof.grammar.machine.automaton import DEAD
from uriproof.grammar.machine.trace import Item, Trace


def write_traces(
    traces: Mapping[str, Trace], elsewhere: Mapping[str, str], escape: tuple[str, tuple[str, ...]]
) -> str:
    """The body of a generated module: a table per rule, and the places of its other tables.

    ``elsewhere`` maps a rule to the grammar whose module has an equal table of it; ``escape`` is
    the escape sequence of all traces, with the words that follow its first character.
    """
    writer = Writer()
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


def flags(trace: Trace, item: Item) -> str:
    """A letter for each thing that holds of an item."""
    return "e" * item.escaping + "b" * item.begun + "i" * item.inside


class Writer:
    """The paths and items of a collection, by number, as its traces need them.

    ``nearest`` is the number of earlier rows that a row can be written as a difference from.
    """

    def __init__(
        self, nearest: int | None = None, flags: Callable[[Trace, Item], str] = flags
    ) -> None:
        self.paths: dict[str, int] = {}
        self.items: dict[str, int] = {}
        self._nearest = nearest
        self._flags = flags

    def lines(self, trace: Trace) -> list[str]:
        """The states of a trace. Cost: O(states) rows to compare, each with ``nearest`` others."""
        rows = trace.automaton.rows
        lines: list[str] = []
        known: dict[str, int] = {}
        numbers: dict[Item, int] = {}
        for state, row in enumerate(rows):
            for item in trace.items[state]:
                if item not in numbers:
                    numbers[item] = self._number(trace, item)
            items = _ranges([numbers[item] for item in trace.items[state]])
            first = known.setdefault(items, state)
            if first < state and items:
                items = f"={first}"
            mark = "!" if state in trace.automaton.accepting else ""
            begin = max(0, state - self._nearest) if self._nearest else 0
            lines.append(f"{mark}{items}|{_moves(row, rows[begin:state], begin)}")
        return lines

    def _number(self, trace: Trace, item: Item) -> int:
        path = self.paths.setdefault(" ".join(item.path), len(self.paths))
        classes = _ranges(sorted(item.classes))
        holds = self._flags(trace, item) or "-"
        line = f"{path} {item.distance} {classes} {holds} {item.word}"
        return self.items.setdefault(line, len(self.items))


def _moves(row: tuple[int, ...], earlier: Sequence[tuple[int, ...]], begin: int) -> str:
    """A row, by an earlier one that it differs least from if that is shorter."""
    plain = _differing(row, (DEAD,) * len(row))
    if not earlier:
        return plain
    differences = [sum(map(ne, row, other)) for other in earlier]
    nearest = differences.index(min(differences))
    by_nearest = f"={begin + nearest} {_differing(row, earlier[nearest])}".rstrip()
    return min(plain, by_nearest, key=len)


def _differing(row: tuple[int, ...], other: tuple[int, ...]) -> str:
    """The moves of a row, for the classes with which another leads elsewhere."""
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
