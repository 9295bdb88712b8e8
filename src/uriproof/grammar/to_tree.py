"""The tree of a text that a recogniser has read.

Owns the choice among readings, and the trees of rules that no parser of lark's reads fast enough,
or at any depth. Imports the recogniser, and lark where a tree is made. Invariant: the tokens of a
tree, joined, are the text; every node is named as the rule is; of an alternation the first
alternative is taken that derives the characters, and of a sequence the longest first part.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .graph import reachable
from .recursive import END, Node, Reading, Recogniser
from .spelling import identifier

if TYPE_CHECKING:
    from lark import Tree

__all__ = ["to_tree"]

_At = tuple[int, int]
"""A place of the network, and an offset."""

_Explored = dict[int, int]
"""Whence each place at each offset was reached at first. A pair is one number, the offset times
the number of places and the place: dictionaries of numbers cost the garbage collector nothing."""


@dataclass(slots=True)
class _Way:
    """The way to one end of a node, or of an item inside it; and how far it has been walked.

    ``depth`` is the number of trees that were open before it.
    """

    path: list[_At]
    node: Node
    end: int
    depth: int
    walked: int = 0


def to_tree(recogniser: Recogniser, text: str, reading: Reading | None = None) -> Tree[Any]:
    """The tree of a text that the rule derives; a rule of characters alone is one token.

    ``reading`` is what the recogniser has read of the text, if it has.

    Cost: O(n) where one reading is left at each character. Errors: GrammarLimit, for a text with
    too many readings; ValueError for one that the rule does not derive.

    >>> from uriproof.grammar.registry import load
    >>> to_tree(load("rfc3986").recogniser("path-absolute"), "/a")
    Tree('path-absolute', [Token('"/"', '/'), Tree('segment-nz', [Token('SEGMENT_NZ', 'a')])])
    """
    reading = reading or recogniser.read(text)
    if not reading.accepted:
        raise ValueError(f"rule {recogniser.rule} does not derive this text")
    return _Trees(recogniser, reading, text).tree()


class _Trees:
    """The tree of one reading, in the making."""

    def __init__(self, recogniser: Recogniser, reading: Reading, text: str) -> None:
        from lark import Token, Tree

        self._token, self._tree = Token, Tree
        self._is_last = recogniser.is_last
        self._next = recogniser.next
        self._known = recogniser.targets
        self._takes = recogniser.classes
        self._network = recogniser.network
        self._size = len(self._network.then)
        self._reading = reading
        self._classes = [*reading.classes, END]
        self._text = text
        self._items: dict[tuple[int, int, Node | None, int], tuple[_Explored, list[int]]] = {}
        self._outer: dict[Node, set[Node]] = {}
        self._top: list[Any] = []
        self._open = [self._top]
        self._ways: list[_Way] = []

    def tree(self) -> Tree[Any]:
        """Walk all ways, the inmost first; what waits is on a stack of its own, not Python's."""
        self._enter(self._reading.root, len(self._text))
        while self._ways:
            way = self._ways[-1]
            if way.walked + 1 < len(way.path):
                self._step(way)
            else:
                self._ways.pop()
                del self._open[way.depth :]
        whole: Tree[Any] = self._top[0]
        return whole

    def _begin(self, name: str, start: int, end: int) -> bool:
        """A tree in the one that is open; false where that is all: its rule is one token."""
        children: list[Any] = []
        self._open[-1].append(self._tree(name, children))
        if name not in self._network.leaves:
            self._open.append(children)
            return True
        if end > start:
            children.append(self._token(identifier(name).upper(), self._text[start:end]))
        return False

    def _enter(self, node: Node, end: int) -> None:
        depth = len(self._open)
        if self._begin(node.rule, node.at, end):
            start = self._network.bodies[node.rule], node.at
            came = self._explored(start, 0, end, node, end)
            self._ways.append(_Way(self._path(came, (0, end)), node, end, depth))

    def _step(self, way: _Way) -> None:
        network = self._network
        (place, at), (onward, end) = way.path[way.walked : way.walked + 2]
        way.walked += 1
        if place in network.terminals:
            element = network.terminals[place]
            text = self._text[at : at + network.size(element)]
            self._open[-1].append(self._token(str(element), text))
        elif place in network.closes:
            self._open.pop()
        elif place in network.calls:
            name, after = network.calls[place]
            if not self._is_last(after):
                self._enter(self._reading.nodes[name, at], end)
            elif not self._begin(name, at, way.end):
                way.walked = len(way.path)
        elif network.regions.get(place) == onward:
            depth = len(self._open)
            name = network.opens.get(place, "")
            if not name or self._begin(name, at, end):
                came, _ = self._item(place, at, way.node, way.end)
                self._ways.append(_Way(self._path(came, (onward, end)), way.node, way.end, depth))
            way.walked += 1  # past its end, which ends the tree of the inner way
        elif place in network.opens:
            name = network.opens[place]
            if name not in network.leaves:
                self._begin(name, at, at)
                return
            while network.closes.get(way.path[way.walked][0]) != name:
                way.walked += 1
            self._begin(name, at, way.path[way.walked][1])
            way.walked += 1

    def _explored(self, start: _At, goal: int, most: int, node: Node, end: int) -> _Explored:
        """What can be reached from a place as far as a goal, and whence at first; best first."""
        came: _Explored = {}
        size, classes, takes = self._size, self._classes, self._takes
        then, known = self._network.then, self._known
        first = start[1] * size + start[0]
        stack = [(first, first)]
        while stack:
            here, before = stack.pop()
            while here not in came:
                came[here] = before
                before = here
                at, place = divmod(here, size)
                if place == goal:
                    if goal == 0 and at == end:
                        stack.clear()  # of a node, one end is asked for
                    break
                if place in takes:
                    if at == most or classes[at] not in takes[place]:
                        break
                    here += size + then[place][0] - place
                    continue
                key = place, classes[at]
                targets = known[key] if key in known else self._targets(*key)
                if targets is None:
                    onward = self._onward(place, at, most, node, end)
                elif len(targets) == 1:
                    here += targets[0] - place
                    continue
                else:
                    onward = [here + target - place for target in targets]
                if onward:
                    here = onward.pop()
                    stack += [(other, before) for other in onward]
        self._reading.spend(len(came))
        return came

    def _targets(self, place: int, class_: int) -> tuple[int, ...] | None:
        """Where a way can go on from a place before a class, the best last.

        None for a call, or an item of several lengths: what can follow depends on the text.
        """
        network = self._network
        targets: tuple[int, ...] | None = None
        if place in network.calls:
            name, after = network.calls[place]
            if self._is_last(after):
                targets = (network.bodies[name],)
        elif place not in network.regions or (
            place not in network.optional and self._is_last(network.regions[place])
        ):
            following = reversed(network.then[place])
            targets = tuple([to for to in following if class_ in self._next(to)])
        self._known[place, class_] = targets
        return targets

    def _onward(self, place: int, at: int, most: int, node: Node, end: int) -> list[int]:
        """Where a call, or an item, may end; the best last, and no offset above ``most``."""
        network, size = self._network, self._size
        ends: Iterable[int]
        if place in network.calls:
            name, last = network.calls[place]
            callee = self._reading.nodes.get((name, at))  # none where it could not go on
            ends = self._founded(callee, node, end) if callee is not None else ()
        else:
            last = network.regions[place]
            if self._is_last(last):  # a round that need not be
                return [at * size + network.then[place][0]] if at < end else []
            ends = self._item(place, at, node, end)[1]
            if place in network.optional:
                ends = [to for to in ends if to > at]
        next_ = self._next(last)
        return [to * size + last for to in ends if to <= most and self._classes[to] in next_]

    def _founded(self, callee: Node, node: Node, end: int) -> Iterable[int]:
        """Where a call can end in a derivation of a node that ends at ``end``.

        Where each can be as long as the other and consist of it, the one that was found first
        does not rest on the one found later.
        """
        if callee.at != node.at or callee.ends.get(end, 0) > node.ends[end]:
            return callee.ends
        outer = self._outer.get(node)
        if outer is None:
            outer = self._outer[node] = reachable(
                [node], lambda n: [c for _, _, c in n.callers if c.at == n.at]
            )
        return callee.ends if callee not in outer else [to for to in callee.ends if to != end]

    def _item(self, place: int, at: int, node: Node, end: int) -> tuple[_Explored, list[int]]:
        """All readings of an item that begins at a place, and where it can end, in rising order."""
        key = (place, at, node, end) if at == node.at else (place, at, None, 0)
        found = self._items.get(key)
        if found is None:
            start, close = (self._network.then[place][0], at), self._network.regions[place]
            came = self._explored(start, close, len(self._text), node, end)
            ends = [here // self._size for here in came if here % self._size == close]
            found = self._items[key] = came, sorted(ends)
        return found

    def _path(self, came: _Explored, goal: _At) -> list[_At]:
        """The first way to a goal in the order of the grammar."""
        here = goal[1] * self._size + goal[0]
        path = [goal]
        while came[here] != here:
            here = came[here]
            path.append((here % self._size, here // self._size))
        return path[::-1]
