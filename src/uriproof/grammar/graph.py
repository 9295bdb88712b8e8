"""Graphs of anything: reachable nodes, shortest ways and cycles.

Owns the algorithms. Imports only the standard library. Invariant: none of them needs Python's
stack, however long a path is, and each looks at every edge once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def reachable(roots: Iterable[T], following: Callable[[T], Iterable[T]]) -> set[T]:
    """The roots, and all that edges lead to from them. Cost: O(nodes and edges).

    >>> sorted(reachable("a", {"a": "bc", "b": "", "c": "a", "d": "a"}.__getitem__))
    ['a', 'b', 'c']
    """
    found: set[T] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            stack += following(node)
    return found


def nearest(
    roots: Mapping[T, int], following: Callable[[T], Iterable[tuple[T, int]]]
) -> dict[T, tuple[int, T | None]]:
    """What edges of some cost lead to from the roots: the minimum cost, and the node before it.

    Of equal ways the first wins. Cost: O(edges * log edges). Source: E. W. Dijkstra, Numerische
    Mathematik 1 (1959) 269-271.

    >>> nearest({"a": 0}, {"a": [("b", 1), ("c", 3)], "b": [("c", 1)], "c": []}.__getitem__)
    {'a': (0, None), 'b': (1, 'a'), 'c': (2, 'b')}
    """
    found: dict[T, tuple[int, T | None]] = {}
    waiting: list[tuple[int, int, T, T | None]] = [
        (cost, number, root, None) for number, (root, cost) in enumerate(roots.items())
    ]
    heapify(waiting)
    number = len(waiting)
    while waiting:
        cost, _, node, before = heappop(waiting)
        if node in found:
            continue
        found[node] = cost, before
        for target, more in following(node):
            if target not in found:
                number += 1
                heappush(waiting, (cost + more, number, target, node))
    return found


def strongly_connected(
    roots: Iterable[T], following: Callable[[T], Iterable[T]]
) -> Iterator[list[T]]:
    """The strongly connected components that can be reached, by Tarjan's algorithm.

    Each comes after all those that it leads to; its nodes are in the order in which they were
    found. Cost: O(nodes and edges). Source: R. Tarjan, SIAM J. Comput. 1 (1972) 146-160.

    >>> list(strongly_connected("a", {"a": "bd", "b": "c", "c": "b", "d": ""}.__getitem__))
    [['b', 'c'], ['d'], ['a']]
    """
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    opened: list[T] = []
    placed: set[T] = set()
    for root in roots:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        opened.append(root)
        stack = [(root, iter(following(root)))]
        while stack:
            node, targets = stack[-1]
            for target in targets:
                if target in placed:
                    continue
                if target in index:
                    low[node] = min(low[node], index[target])
                    continue
                index[target] = low[target] = len(index)
                opened.append(target)
                stack.append((target, iter(following(target))))
                break
            else:
                stack.pop()
                if stack:
                    outer = stack[-1][0]
                    low[outer] = min(low[outer], low[node])
                if low[node] == index[node]:
                    group = [opened.pop()]
                    while group[-1] != node:
                        group.append(opened.pop())
                    placed.update(group)
                    yield group[::-1]


def is_cyclic(group: list[T], following: Callable[[T], Iterable[T]]) -> bool:
    """True when a strongly connected component has an edge inside it.

    >>> is_cyclic(["a"], {"a": "b"}.__getitem__), is_cyclic(["a"], {"a": "a"}.__getitem__)
    (False, True)
    """
    return len(group) > 1 or group[0] in following(group[0])


def cycle_numbers(graph: Mapping[T, Collection[T]]) -> dict[T, int]:
    """For each node on a cycle, the number of its strongly connected component.

    Nodes that are not keys of ``graph`` are ignored. Cost: O(nodes and edges).

    >>> cycle_numbers({"a": "b", "b": "a", "c": "ad"})
    {'a': 0, 'b': 0}
    """
    following = {node: [t for t in targets if t in graph] for node, targets in graph.items()}
    groups = strongly_connected(graph, following.__getitem__)
    cyclic = (group for group in groups if is_cyclic(group, following.__getitem__))
    return {node: number for number, group in enumerate(cyclic) for node in group}


def users_of(used: Mapping[T, Iterable[T]]) -> dict[T, list[T]]:
    """By node, the nodes whose edges lead to it, with repeats. Cost: O(nodes and edges)."""
    users: dict[T, list[T]] = {}
    for node, targets in used.items():
        for target in targets:
            users.setdefault(target, []).append(node)
    return users


def gaining(used: Mapping[T, Iterable[T]], has: Callable[[T, set[T]], bool]) -> set[T]:
    """The nodes that have a property, by themselves or by others that are known to have it.

    Each is looked at again only when one that its edges lead to turns out to have it.

    >>> used = {"a": "b", "b": "c", "c": ""}
    >>> sorted(gaining(used, lambda node, known: node == "b" or not known.isdisjoint(used[node])))
    ['a', 'b']
    """
    users = users_of(used)
    known: set[T] = set()
    waiting = list(used)
    while waiting:
        node = waiting.pop()
        if node not in known and has(node, known):
            known.add(node)
            waiting += users.get(node, ())
    return known
