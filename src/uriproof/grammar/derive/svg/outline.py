"""A derivation without what repeats: the tree that a drawing shows.

Owns what is left out of a tree. Imports the derivation. Invariant: the leaves, in order, are the
text as far as it is derived, except for counted omissions; an outline has at most a fixed number of
boxes, however large the derivation.

A run of characters is one leaf: a segment of nine characters has one leaf, not nine nodes with nine
nodes each below. A rule that derives no more than another rule is in one box with it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..explain import Derivation, Fault

MOST = 140
"""Boxes of an outline."""

_WIDE = 24
"""Children of one box; of more, the first ones and the last are shown."""


@dataclass(slots=True)
class Box:
    """One or several rules, outermost first, that derive ``[start, end)``; or a leaf, without any.

    ``closed`` is true if the contents are not shown; ``more`` is the number of children that are
    left out in the place of this box; ``fault`` is that of a node.
    """

    names: list[str]
    start: int
    end: int
    whole: bool = True
    closed: bool = False
    more: int = 0
    fault: Fault = ""
    children: list[Box] = field(default_factory=list)

    @property
    def is_leaf(self) -> bool:
        return not self.names


def outline(found: Derivation) -> Box:
    """The tree of a derivation, for drawing. Cost: O(nodes of the derivation).

    >>> from uriproof.grammar.registry import load
    >>> from uriproof.grammar.derive.broken import explain
    >>> top = outline(explain(load("rfc3986"), "host", "10.1"))
    >>> top.names, [(leaf.start, leaf.end) for leaf in top.children]
    (['host', 'reg-name'], [(0, 4)])
    """
    return _Outliner(found).made()


class _Outliner:
    def __init__(self, found: Derivation) -> None:
        self._found = found
        self._left = MOST
        self._inner = found.inner

    def made(self) -> Box:
        top, inner = self._box(0)
        waiting = deque([(top, inner)])
        while waiting:
            box, inner = waiting.popleft()
            parts = self._parts(inner)
            if len(parts) > self._left:
                box.closed = True
                continue
            self._left -= len(parts)
            for part in parts:
                if isinstance(part, Box):
                    box.children.append(part)
                else:
                    child, below = self._box(part)
                    box.children.append(child)
                    waiting.append((child, below))
        return top

    def _box(self, number: int) -> tuple[Box, list[int]]:
        """A node with its only descendants, as one box; and the contents of the last."""
        node = self._found.nodes[number]
        box = Box([node.name] if node.is_rule else [], node.start, node.end, node.whole)
        inner = self._inner[number]
        while len(inner) == 1 and self._is_shown(inner[0]):
            node = self._found.nodes[inner[0]]
            if not node.is_rule or (node.start, node.end) != (box.start, box.end):
                break
            box.names.append(node.name)
            box.whole = box.whole and node.whole
            inner = self._inner[inner[0]]
        return box, inner

    def _is_shown(self, number: int) -> bool:
        """Whether a node has a box: a rule for more than one character."""
        node = self._found.nodes[number]
        single = node.name in self._found.characters
        return node.is_rule and not node.fault and (not single or node.end - node.start > 1)

    def _parts(self, inner: list[int]) -> list[Box | int]:
        """The displayed contents of a box: nodes, and runs of characters as leaves."""
        parts: list[Box | int] = []
        for number in inner:
            node = self._found.nodes[number]
            last = parts[-1] if parts else None
            if node.fault:
                names = [node.name] if node.fault == "missing" else []
                parts.append(Box(names, node.start, node.end, whole=False, fault=node.fault))
            elif self._is_shown(number):
                parts.append(number)
            elif isinstance(last, Box) and last.end == node.start and not last.fault:
                last.end = node.end
                last.whole = last.whole and node.whole
            else:
                parts.append(Box([], node.start, node.end, node.whole))
        if len(parts) > _WIDE:
            cut = slice(_WIDE - 3, len(parts) - 2)
            ends = [self._span(part) for part in parts[cut]]
            left_out = Box([], ends[0][0], ends[-1][1], more=len(ends))
            parts[cut] = [left_out]
        return parts

    def _span(self, part: Box | int) -> tuple[int, int]:
        one = part if isinstance(part, Box) else self._found.nodes[part]
        return one.start, one.end
