"""The minimal automaton as a drawing, for Graphviz.

Owns this target. Imports the automata. Invariant: every move is drawn, once, with all
that makes it.
"""

from __future__ import annotations

from ...grammar.charset import Ranges, union
from ...grammar.compiled import Compiled
from ...grammar.machine.automaton import DEAD
from ._expression import automaton
from ._machine import machine

TITLE = "the minimal automaton, for Graphviz"
NOTE = """For dot -Tsvg. A state is a circle, an accepting one a double circle; an edge carries the
characters that it reads: a-z a range, U+0020 what has no shape of its own, a space between any
two. What leads nowhere is not drawn. Small rules make the best drawings: URI has 179 states."""


def export(compiled: Compiled, rule: str) -> str:
    """The drawing, an edge a line. Errors: GrammarLimit. Cost: that of the automaton."""
    found = machine(automaton(compiled, rule))
    title = _quoted(f"{compiled.name} {rule}")
    accepting = " ".join(map(str, found.accepting))
    lines = [
        f"digraph {title} {{",
        f"  label={title}; labelloc=t; rankdir=LR;",
        '  node [shape=circle fontname="sans-serif"]; edge [fontname="monospace"];',
        '  start [shape=none label=""]; start -> 0;',
        f"  {{ node [shape=doublecircle]; {accepting} }}",
    ]
    for state, row in enumerate(found.rows):
        reads: dict[int, Ranges] = {}
        for class_, target in enumerate(row):
            if target != DEAD:
                reads[target] = union(reads.get(target, ()), found.ranges(class_))
        for target, ranges in reads.items():
            lines.append(f"  {state} -> {target} [label={_quoted(_label(ranges))}];")
    return "\n".join([*lines, "}"]) + "\n"


def _label(ranges: Ranges) -> str:
    """A set for eyes.

    >>> _label(((0x20, 0x20), (0x2D, 0x2D), (0x61, 0x7A), (0x10000, 0x1FFFD)))
    'U+0020 - a-z U+10000-U+1FFFD'
    """
    return " ".join(
        _shown(low)
        if low == high
        else f"{_shown(low)}{' ' if high == low + 1 else '-'}{_shown(high)}"
        for low, high in ranges
    )


def _shown(point: int) -> str:
    char = chr(point)
    return char if char.isascii() and char.isprintable() and char != " " else f"U+{point:04X}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
