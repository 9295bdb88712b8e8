"""Sets of DFA states, and the grammar elements that could come next in them.

Owns sets of states of a trace's automaton, which are made as texts need them. Imports the traces.
Invariant: what is remembered of a set is the same whichever thread works it out, and is never
changed once another thread can see it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from ..grammar.machine.automaton import DEAD
from ..grammar.machine.trace import Item, Trace

MAX_NODES = 2_048
"""Sets of states that a reader remembers before it is made anew: hostile texts make many."""

Words: TypeAlias = tuple[str, ...]


class Node:
    """A set of states; ``row`` leads on by character class: to a node, to None, or not known yet.

    What is remembered here is the same whichever thread works it out.
    """

    __slots__ = (
        "accepting",
        "after",
        "closed",
        "described",
        "entering",
        "escaping",
        "insertions",
        "lacking",
        "looping",
        "passed",
        "past",
        "row",
        "states",
    )

    def __init__(self, states: frozenset[int], trace: Trace) -> None:
        self.states: frozenset[int] = states
        self.row: list[Node | None] = [UNKNOWN] * trace.automaton.alphabet.size
        self.escaping: bool = all(trace.escaping[s] for s in states)
        self.accepting: bool = not states.isdisjoint(trace.automaton.accepting)
        self.after: Node | None = None
        self.described: tuple[Words, Words] | None = None
        self.looping: bool | None = None
        self.closed: bool | None = None
        self.lacking: tuple[Words, Words, str] | None = None
        self.past: dict[int, tuple[Node, Words]] = {}
        self.entering: dict[int, bool] = {}
        self.passed: dict[str, Passed] = {}
        self.insertions: dict[int, Insertion | None] = {}


UNKNOWN: Node = object.__new__(Node)
"""Where a row leads that has not been worked out yet."""


class Run(NamedTuple):
    """Where a run ended, and where the last escape sequence began that it entered (-1: none)."""

    node: Node
    at: int
    before: Node
    entered: int


class Passed(NamedTuple):
    """How a character that is not allowed where it stands is passed over.

    ``fix`` is what may be put in its place, ``beyond`` the node after it; ``same`` is true in a
    loop that goes on as if the character were not there.
    """

    fix: str | None
    beyond: Node
    same: bool


class Insertion(NamedTuple):
    """What could be missing before a character: the node after that character, and the words."""

    node: Node
    path: Words
    expected: Words
    absent: str
    quoted: bool
    """True where one character is missing, and it or the one after it is quoted."""
    several: bool
    """True where several characters are missing that the grammar demands."""
    inside_literal: bool
    """True where part of a quoted text is missing."""


class States:
    """The sets of states of one production.

    ``path`` leads to the production, and all paths of its blames start with it. ``loops`` are the
    rules that repeat characters, with how often at least; below ``leaves`` no rule is named.
    """

    def __init__(
        self, trace: Trace, path: Words, loops: Mapping[str, int], leaves: frozenset[str]
    ) -> None:
        self._trace = trace
        self._path = path
        self._before = path[:-1]
        self._loops = loops
        self._leaves = leaves
        self.nodes: dict[frozenset[int], Node] = {}
        """The sets of states that have occurred so far."""

    def _node(self, states: frozenset[int]) -> Node:
        node = self.nodes.get(states)
        if node is None:
            # One of two threads wins, and both go on with the same node.
            node = self.nodes.setdefault(states, Node(states, self._trace))
        return node

    def _step(self, node: Node, class_: int) -> Node | None:
        """The node after one more character; None if no state goes on."""
        target = node.row[class_]
        if target is UNKNOWN:
            rows = self._trace.automaton.rows
            states = frozenset(t for s in node.states if (t := rows[s][class_]) != DEAD)
            target = node.row[class_] = self._node(states) if states else None
        return target

    def _run(self, node: Node, classes: list[int], start: int) -> Run:
        """Read on until a character is not allowed where it stands, or to the end."""
        before, entered = node, -1
        row = node.row
        for at in range(start, len(classes)):
            if (target := row[classes[at]]) is node:
                continue
            class_ = classes[at]
            if target is UNKNOWN:
                target = self._step(node, class_)
            if target is None:
                return Run(node, at, before, entered)
            if target.escaping and not node.escaping:
                enters = node.entering.get(class_)
                if enters is None:
                    enters = node.entering[class_] = self._enters(node, class_)
                before, entered = node, at if enters else -1
            node, row = target, target.row
        return Run(node, len(classes), before, entered)

    def _enters(self, node: Node, class_: int) -> bool:
        """True when the character itself begins an escape sequence, rather than goes on in one."""
        trace = self._trace
        return any(
            trace.automaton.rows[s][class_] != DEAD for s in node.states if not trace.escaping[s]
        )

    def _widened(self, node: Node) -> Node:
        """The node after a blamed character: not there, or in the place of any legal one."""
        if node.after is None:
            rows = self._trace.automaton.rows
            beyond = {t for s in node.states for t in rows[s] if t != DEAD}
            node.after = self._node(node.states | beyond)
        return node.after

    def _looping(self, node: Node) -> bool:
        """True in a loop over characters, where nothing is missing but at its beginning."""
        if node.looping is None:
            items = self._items(node)
            first = items[0] if items else None
            node.looping = first is not None and (
                first.path[-1] in self._loops and (first.begun or self._loops[first.path[-1]] == 0)
            )
        return node.looping

    def _closed(self, node: Node) -> bool:
        """True in a loop that nothing follows: any legal character leads back to where it is."""
        if node.closed is None:
            beyond = self._widened(node).states - node.states
            node.closed = all(self._trace.escaping[state] for state in beyond)
        return node.closed

    def _items(self, node: Node) -> list[Item]:
        """What could stand next; inside an escape only where there is nothing else."""
        found = [i for s in sorted(node.states) for i in self._trace.items[s]]
        return [i for i in found if not i.escaping] or found

    def _describe(self, node: Node) -> tuple[Words, Words]:
        """The production that was being read, and the elements of it that could stand next.

        Where a production has only been entered, and another could have been as well, it is the
        one that has both.
        """
        if node.described is None:
            items = self._items(node)
            if not items:
                node.described = self._path, ()
                return node.described
            path = items[0].path
            if not any(i.begun for i in items):
                while len(path) > 1 and path[-1] not in self._leaves:
                    if all(i.path[: len(path)] == path for i in items):
                        break
                    path = path[:-1]
            size = len(path)
            words = [
                i.word if len(i.path) == size else i.path[size]
                for i in items
                if i.path[:size] == path
            ]
            node.described = self._before + path, tuple(dict.fromkeys(words))
        return node.described


def reach(run: Run, end: int) -> int:
    """How far a run got: to accept at the end is further than to come to the end."""
    return run.at + (run.at == end and run.node.accepting)
