"""Traces and alphabets as text, and back: the form in which the build commits them.

Owns that form. Imports the automata and traces. Invariant: ``read_trace`` of what ``write_tables``
wrote gives an equal trace.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..charset import Alphabet
from .automaton import DEAD, Automaton
from .trace import Item, Trace


def write_tables(alphabet: Alphabet, traces: Mapping[str, Trace]) -> str:
    """The body of a generated module: the alphabet, the items, and a table per rule.

    Each line of a table is one state: ``!`` where it accepts, the items that could stand next,
    best first, as their numbers, then ``class-range>state`` for every move.
    """
    items: dict[Item, int] = {}
    tables: list[str] = []
    for rule, trace in traces.items():
        lines = []
        for state, row in enumerate(trace.automaton.rows):
            numbers = [str(items.setdefault(i, len(items))) for i in trace.items[state]]
            mark = "!" if state in trace.automaton.accepting else ""
            lines.append(f"{mark}{','.join(numbers)}|{' '.join(_moves(row))}")
        tables.append(f"    {rule!r}: '''\\\n" + "\n".join(lines) + "''',\n")
    escapes = {(t.escape, t.escape_words) for t in traces.values()}
    escape, words = escapes.pop() if escapes else ("", ())
    body = [
        f"ESCAPE: tuple[str, tuple[str, ...]] = ({escape!r}, {words!r})\n",
        f"ALPHABET = (\n    {alphabet.starts!r},\n    {alphabet.ids!r},\n)\n",
        "ITEMS: tuple[tuple[tuple[str, ...], str, list[int], str, int], ...] = (\n",
        *(
            f"    ({i.path!r}, {i.word!r}, {sorted(i.classes)!r}, {_flags(i)!r}, {i.distance}),\n"
            for i in items
        ),
        ")\n",
        "TRACES: dict[str, str] = {\n",
        *tables,
        "}\n",
    ]
    return "".join(body)


def _flags(item: Item) -> str:
    """What holds of an item, a letter each: escaping, begun, inside."""
    return "e" * item.escaping + "b" * item.begun + "i" * item.inside


def _moves(row: tuple[int, ...]) -> list[str]:
    """The row as runs of neighbouring classes that go to the same state."""
    runs: list[tuple[int, int, int]] = []
    for class_, target in enumerate(row):
        if target == DEAD:
            continue
        if runs and runs[-1][1] == class_ - 1 and runs[-1][2] == target:
            runs[-1] = (runs[-1][0], class_, target)
        else:
            runs.append((class_, class_, target))
    return [f"{a}>{t}" if a == b else f"{a}-{b}>{t}" for a, b, t in runs]


def read_alphabet(module: Any) -> Alphabet:
    """The alphabet of a generated module."""
    starts, ids = module.ALPHABET
    return Alphabet.from_intervals(starts, ids)


def read_trace(module: Any, rule: str) -> Trace | None:
    """The trace of a rule, or None where the module has none."""
    table = module.TRACES.get(rule)
    if table is None:
        return None
    alphabet = read_alphabet(module)
    known: dict[str, Item] = {}
    rows: list[tuple[int, ...]] = []
    accepting: set[int] = set()
    items: list[tuple[Item, ...]] = []
    for state, line in enumerate(table.splitlines()):
        head, _, moves = line.partition("|")
        if head.startswith("!"):
            accepting.add(state)
        row = [DEAD] * alphabet.size
        for move in moves.split():
            classes, _, target = move.partition(">")
            low, _, high = classes.partition("-")
            for class_ in range(int(low), int(high or low) + 1):
                row[class_] = int(target)
        rows.append(tuple(row))
        numbers = [n for n in head.lstrip("!").split(",") if n]
        for number in numbers:
            if number not in known:
                path, word, members, flags, distance = module.ITEMS[int(number)]
                known[number] = Item(
                    path,
                    word,
                    frozenset(members),
                    "e" in flags,
                    distance,
                    "b" in flags,
                    "i" in flags,
                )
        items.append(tuple(known[n] for n in numbers))
    automaton = Automaton(alphabet, tuple(rows), frozenset(accepting))
    return Trace(automaton, tuple(items), *module.ESCAPE)
