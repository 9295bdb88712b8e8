"""Sets of DFA states, and the grammar elements that could come next in them.

Owns sets of states of a trace's automaton, which are made on demand. Imports the traces. Invariant:
the facts about a set are the same in any thread, and are never changed once another thread can see
them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from ..grammar.compiled import Compiled
from ..grammar.machine.automaton import DEAD
from ..grammar.machine.trace import Item, Trace, loop_rules
from ..grammar.remember import per_grammar

MAX_NODES = 2_048
"""Sets of states that a reader remembers before it is made anew: hostile texts make many."""

Words: TypeAlias = tuple[str, ...]

per_node = per_grammar
"""What is found of a node is kept with it, as what is found of a grammar is."""


class Node:
    """A set of states; ``row`` has a node or None for each character class, or is not known yet.

    ``entering`` says of a class whether its characters begin an escape sequence, rather than
    continue one. The facts about it are the same in any thread.
    """

    # What reading needs at each character has a slot, which is found faster.
    __slots__ = (
        *("__dict__", "accepting", "entering", "escaping", "passed"),
        *("remembered", "row", "sets", "states"),
    )

    def __init__(self, states: frozenset[int], sets: States) -> None:
        trace = sets.trace
        self.states = states
        self.sets = sets
        self.row: list[Node | None] = [UNKNOWN] * trace.automaton.alphabet.size
        self.escaping: bool = all(trace.escaping[s] for s in states)
        self.accepting: bool = not states.isdisjoint(trace.automaton.accepting)
        self.entering: dict[int, bool] = {}
        self.passed: dict[str, Passed] = {}
        self.remembered: dict[Callable[..., Any], dict[Any, Any]] = {}

    def step(self, class_: int) -> Node | None:
        """The node after one more character; None if no state continues."""
        target = self.row[class_]
        if target is UNKNOWN:
            rows = self.sets.trace.automaton.rows
            states = frozenset(t for s in self.states if (t := rows[s][class_]) != DEAD)
            target = self.row[class_] = self.sets.node(states) if states else None
        return target

    def run(self, classes: list[int], start: int = 0) -> Run:
        """Read until a character is not allowed in its place, or to the end."""
        node = before = self
        entered = -1
        row = node.row
        for at in range(start, len(classes)):
            if (target := row[classes[at]]) is node:
                continue
            class_ = classes[at]
            if target is UNKNOWN:
                target = node.step(class_)
            if target is None:
                return Run(node, at, before, entered, start, self)
            if target.escaping and not node.escaping:
                enters = node.entering.get(class_)
                if enters is None:
                    enters = node.entering[class_] = node._enters(class_)
                before, entered = node, at if enters else -1
            node, row = target, target.row
        return Run(node, len(classes), before, entered, start, self)

    def _enters(self, class_: int) -> bool:
        trace = self.sets.trace
        return any(
            trace.automaton.rows[s][class_] != DEAD for s in self.states if not trace.escaping[s]
        )

    @cached_property
    def after(self) -> Node:
        """The node after a blamed character: not there, or in the place of any legal one."""
        rows = self.sets.trace.automaton.rows
        return self.sets.node(self.states | {t for s in self.states for t in rows[s] if t != DEAD})

    @cached_property
    def looping(self) -> bool:
        """True in a loop over characters, in which nothing is missing except at its beginning."""
        first = next(iter(self.items), None)
        least = None if first is None else self.sets.loops.get(first.path[-1])
        return least is not None and first is not None and (first.begun or least == 0)

    @cached_property
    def closed(self) -> bool:
        """True in a loop that nothing follows: any legal character leads back to it."""
        beyond = self.after.states - self.states
        return all(self.sets.trace.escaping[state] for state in beyond)

    @property
    def every_item(self) -> list[Item]:
        """The possible next items, in the order of the states."""
        return [item for state in sorted(self.states) for item in self.sets.trace.items[state]]

    @property
    def items(self) -> list[Item]:
        """The possible next items; inside an escape only if there are no others."""
        found = self.every_item
        return [i for i in found if not i.escaping] or found

    @cached_property
    def described(self) -> tuple[Words, Words]:
        """The production that was being read, and the possible next elements: its own, and those of
        the productions around it.

        If a production has only been entered, and another could have been as well, it is the one
        that has both.
        """
        items, sets = self.items, self.sets
        if not items:
            return sets.path, ()
        path = items[0].path
        if not any(i.begun for i in items):
            while len(path) > 1 and path[-1] not in sets.grammar.model.leaves:
                if all(i.path[: len(path)] == path for i in items):
                    break
                path = path[:-1]
        # First what continues this production, then what continues those around it.
        words = sorted(((_common(path, i.path), i) for i in items), key=lambda w: -w[0])
        names = [i.word if len(i.path) == size else i.path[size] for size, i in words]
        return sets.before + path, tuple(dict.fromkeys(names))


UNKNOWN: Node = object.__new__(Node)
"""The placeholder of an unknown target."""


class Run(NamedTuple):
    """The end of a run, and the start of the last escape sequence that it entered (-1: none).

    It began at ``since`` in ``origin``.
    """

    node: Node
    at: int
    before: Node
    entered: int
    since: int
    origin: Node

    def reach(self, end: int) -> int:
        """How far it got: to accept at the end is further than to come to the end."""
        return self.at + (self.at == end and self.node.accepting)


class Passed(NamedTuple):
    """How a character that is not allowed in its place is skipped.

    ``fix`` is its possible replacement, ``beyond`` the node after it.
    """

    fix: str | None
    beyond: Node


class States:
    """The sets of states of one production.

    ``path`` leads to the production, and all paths of its blames start with it; ``before`` is the
    path to what it is in. ``loops`` are the rules that repeat characters, with their minimum
    counts, and ``nodes`` the sets of states that have occurred so far.
    """

    def __init__(self, grammar: Compiled, path: Words) -> None:
        self.grammar = grammar
        self.path = path
        self.before: Words = path[:-1]
        self.trace: Trace = grammar.trace(path[-1])
        self.encode: Callable[[str], list[int]] = self.trace.automaton.alphabet.encode
        self.loops: Mapping[str, int] = _loops(grammar)
        self.nodes: dict[frozenset[int], Node] = {}

    def node(self, states: frozenset[int]) -> Node:
        """The node of some states."""
        node = self.nodes.get(states)
        if node is None:
            # One of two threads wins, and both continue with the same node.
            node = self.nodes.setdefault(states, Node(states, self))
        return node


@per_grammar
def _loops(grammar: Compiled) -> dict[str, int]:
    """The rules that repeat characters, with their minimum counts."""
    return loop_rules(grammar.model)


def _common(path: Words, other: Words) -> int:
    """The length of the beginning that two paths share."""
    pairs = zip(path, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(path), len(other)))
