"""Sets of DFA states, and the grammar elements that could come next in them.

Owns sets of states of a trace's automaton, which are made on demand. Imports the traces. Invariant:
the facts about a set are the same in any thread, and are never changed once another thread can see
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from ..grammar.compiled import Compiled
from ..grammar.machine.automaton import DEAD
from ..grammar.machine.trace import Item, Trace, loop_rules
from ..grammar.remember import per_grammar

MAX_NODES = 2_048
"""Sets of states that a reader remembers before it is made anew: hostile texts make many."""

Words: TypeAlias = tuple[str, ...]


class Node:
    """A set of states; ``row`` has a node or None for each character class, or is not known yet.

    The facts about it are the same in any thread.
    """

    __slots__ = (
        "accepting",
        "after",
        "choice",
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
        "separates",
        "states",
    )

    def __init__(self, states: frozenset[int], trace: Trace) -> None:
        self.states: frozenset[int] = states
        self.row: list[Node | None] = [UNKNOWN] * trace.automaton.alphabet.size
        self.escaping: bool = all(trace.escaping[s] for s in states)
        self.accepting: bool = not states.isdisjoint(trace.automaton.accepting)
        self.after: Node | None = None
        self.choice: Choice | None = UNDECIDED
        self.described: tuple[Words, Words] | None = None
        self.looping: bool | None = None
        self.closed: bool | None = None
        self.lacking: tuple[Words, Words, str] | None = None
        self.past: dict[int, tuple[Node, Words]] = {}
        self.entering: dict[int, bool] = {}
        self.passed: dict[str, Passed] = {}
        self.insertions: dict[int, Insertion | None] = {}
        self.separates: dict[int, bool] = {}


UNKNOWN: Node = object.__new__(Node)
"""The placeholder of an unknown target."""


class Choice(NamedTuple):
    """The words to choose from in a node, each after what precedes it in its quoted text.

    ``after`` is the node after any of them, ``expected`` their ABNF.
    """

    words: list[tuple[str, ...]]
    after: Node
    path: Words
    expected: Words


UNDECIDED = Choice([], UNKNOWN, (), ())
"""The placeholder of an unknown choice."""


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


class Passed(NamedTuple):
    """How a character that is not allowed in its place is skipped.

    ``fix`` is its possible replacement, ``beyond`` the node after it; ``same`` is true in a loop
    that continues as if the character were not there.
    """

    fix: str | None
    beyond: Node
    same: bool


class Insertion(NamedTuple):
    """The possible omission before a character: the node after that character, and the words."""

    node: Node
    path: Words
    expected: Words
    absent: str
    quoted: bool
    """True if one character is missing, and it or the one after it is quoted."""
    several: bool
    """True if several characters are missing that the grammar demands."""
    inside_literal: bool
    """True if part of a quoted text is missing."""


class States:
    """The sets of states of one production.

    ``path`` leads to the production, and all paths of its blames start with it.
    """

    def __init__(self, grammar: Compiled, path: Words) -> None:
        self._trace: Trace = grammar.trace(path[-1])
        self._path = path
        self._before = path[:-1]
        self._loops: Mapping[str, int] = _loops(grammar)
        self._leaves: frozenset[str] = grammar.model.leaves
        self.nodes: dict[frozenset[int], Node] = {}
        """The sets of states that have occurred so far."""

    def _node(self, states: frozenset[int]) -> Node:
        node = self.nodes.get(states)
        if node is None:
            # One of two threads wins, and both continue with the same node.
            node = self.nodes.setdefault(states, Node(states, self._trace))
        return node

    def _step(self, node: Node, class_: int) -> Node | None:
        """The node after one more character; None if no state continues."""
        target = node.row[class_]
        if target is UNKNOWN:
            rows = self._trace.automaton.rows
            states = frozenset(t for s in node.states if (t := rows[s][class_]) != DEAD)
            target = node.row[class_] = self._node(states) if states else None
        return target

    def _run(self, node: Node, classes: list[int], start: int) -> Run:
        """Read until a character is not allowed in its place, or to the end."""
        origin, before, entered = node, node, -1
        row = node.row
        for at in range(start, len(classes)):
            if (target := row[classes[at]]) is node:
                continue
            class_ = classes[at]
            if target is UNKNOWN:
                target = self._step(node, class_)
            if target is None:
                return Run(node, at, before, entered, start, origin)
            if target.escaping and not node.escaping:
                enters = node.entering.get(class_)
                if enters is None:
                    enters = node.entering[class_] = self._enters(node, class_)
                before, entered = node, at if enters else -1
            node, row = target, target.row
        return Run(node, len(classes), before, entered, start, origin)

    def _enters(self, node: Node, class_: int) -> bool:
        """True when the character itself begins an escape sequence, rather than continues one."""
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
        """True in a loop over characters, in which nothing is missing except at its beginning."""
        if node.looping is None:
            items = self._items(node)
            first = items[0] if items else None
            node.looping = first is not None and (
                first.path[-1] in self._loops and (first.begun or self._loops[first.path[-1]] == 0)
            )
        return node.looping

    def _closed(self, node: Node) -> bool:
        """True in a loop that nothing follows: any legal character leads back to it."""
        if node.closed is None:
            beyond = self._widened(node).states - node.states
            node.closed = all(self._trace.escaping[state] for state in beyond)
        return node.closed

    def _items(self, node: Node) -> list[Item]:
        """The possible next items; inside an escape only if there are no others."""
        found = [i for s in sorted(node.states) for i in self._trace.items[s]]
        return [i for i in found if not i.escaping] or found

    def _describe(self, node: Node) -> tuple[Words, Words]:
        """The production that was being read, and the possible next elements: its own, and those of
        the productions around it.

        If a production has only been entered, and another could have been as well, it is the one
        that has both.
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
            # First what continues this production, then what continues those around it.
            words = sorted(((_common(path, i.path), i) for i in items), key=lambda w: -w[0])
            names = [i.word if len(i.path) == size else i.path[size] for size, i in words]
            node.described = self._before + path, tuple(dict.fromkeys(names))
        return node.described


@per_grammar
def _loops(grammar: Compiled) -> dict[str, int]:
    """The rules that repeat characters, with their minimum counts."""
    return loop_rules(grammar.model)


def _common(path: Words, other: Words) -> int:
    """The length of the beginning that two paths share."""
    pairs = zip(path, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(path), len(other)))


def reach(run: Run, end: int) -> int:
    """How far a run got: to accept at the end is further than to come to the end."""
    return run.at + (run.at == end and run.node.accepting)
