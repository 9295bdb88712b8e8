"""Traces as text, for ``build_grammars.py``: the form that ``grammar.machine.tables`` reads.

Owns the writing of that form, which is explained there. Imports the package. Invariant: what is
read of a trace that was written is equal to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import ne

from uriproof.grammar.machine.automaton import DEAD
from uriproof.grammar.machine.trace import Item, Trace


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
