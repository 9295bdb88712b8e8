"""The minimal automaton, as the targets that show or run it have it.

Owns its alphabet without what does not matter. Imports the automata. Invariant: classes that every
state treats alike are one; class 0 leads nowhere, from any state.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...grammar.charset import Ranges
from ...grammar.machine.automaton import DEAD, Automaton


@dataclass(frozen=True, slots=True)
class Machine:
    """``starts[i]`` is the first code point of the i-th interval, ``classes[i]`` its class;
    ``rows[state][class]`` is a state, or -1; state 0 is the start."""

    starts: tuple[int, ...]
    classes: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    accepting: tuple[int, ...]

    def ranges(self, class_: int) -> Ranges:
        """The code points of a class."""
        ends = [*self.starts[1:], 0x110000]
        return tuple(
            (start, end - 1)
            for start, end, found in zip(self.starts, ends, self.classes, strict=True)
            if found == class_
        )


def machine(automaton: Automaton) -> Machine:
    """The automaton with the fewest classes that tell it all. Cost: the size of its table."""
    columns: dict[tuple[int, ...], int] = {tuple([DEAD] * len(automaton.rows)): 0}
    to: list[int] = []
    for class_ in range(automaton.alphabet.size):
        column = tuple(row[class_] for row in automaton.rows)
        to.append(columns.setdefault(column, len(columns)))
    starts: list[int] = []
    classes: list[int] = []
    for start, id_ in zip(automaton.alphabet.starts, automaton.alphabet.ids, strict=True):
        if not classes or classes[-1] != to[id_]:
            starts.append(start)
            classes.append(to[id_])
    return Machine(
        tuple(starts),
        tuple(classes),
        tuple(zip(*columns, strict=True)),
        tuple(sorted(automaton.accepting)),
    )
