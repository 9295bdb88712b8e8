"""Texts made from an automaton: valid ones that use every move, and their near neighbours.

Owns the making of test data from grammars. Imports the automata. Invariant: the same automaton
gives the same texts, in the same order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from random import Random

from .automaton import DEAD, Automaton


def cover(automaton: Automaton) -> Iterator[str]:
    """Accepted texts that together make every move of the automaton, each as short as can be.

    >>> from uriproof.grammar.registry import load
    >>> list(cover(load("rfc3986").automaton("pct-encoded")))[:2]
    ['%00', '%10']
    """
    before, after = _prefixes(automaton), _suffixes(automaton)
    seen = set()
    if 0 in automaton.accepting:
        seen.add("")
        yield ""
    for state, row in enumerate(automaton.rows):
        for class_, target in enumerate(row):
            if target != DEAD:
                text = before[state] + automaton.alphabet.sample(class_) + after[target]
                if text not in seen:
                    seen.add(text)
                    yield text


def neighbours(text: str, automaton: Automaton, random: Random, count: int) -> Iterator[str]:
    """Texts one edit away: one character left out, put in or put for another.

    At most ``count`` edits, drawn by ``random``; whether a neighbour is accepted is not known.
    """
    characters = [
        automaton.alphabet.sample(c)
        for c in range(automaton.alphabet.size)
        if automaton.alphabet.ranges(c)
    ]
    for _ in range(count):
        at = random.randint(0, len(text))
        cut = random.choice((0, 1, 1))
        new = random.choice(["", *characters]) if cut else random.choice(characters)
        yield text[:at] + new + text[at + cut :]


def representatives(automaton: Automaton) -> list[str]:
    """One character for each way to be treated: no two of them lead everywhere to the same.

    The last one leads nowhere, from any state, if there is such a character.
    """
    columns: dict[tuple[int, ...], str] = {}
    for class_ in range(automaton.alphabet.size):
        if automaton.alphabet.ranges(class_):
            column = tuple(row[class_] for row in automaton.rows)
            columns.setdefault(column, automaton.alphabet.sample(class_))
    nowhere = tuple([DEAD] * len(automaton.rows))
    return sorted(columns.values(), key=lambda c: (c == columns.get(nowhere), c))


def _prefixes(automaton: Automaton) -> list[str]:
    """Per state, a shortest text that leads to it."""
    found: dict[int, str] = {0: ""}
    queue = deque([0])
    while queue:
        state = queue.popleft()
        for class_, target in enumerate(automaton.rows[state]):
            if target != DEAD and target not in found:
                found[target] = found[state] + automaton.alphabet.sample(class_)
                queue.append(target)
    return [found[state] for state in range(len(automaton.rows))]


def _suffixes(automaton: Automaton) -> list[str]:
    """Per state, a shortest text that leads from it to an accepting state."""
    distance = automaton.distances()
    found: dict[int, str] = {}
    for state in sorted(range(len(automaton.rows)), key=lambda s: distance[s]):
        if distance[state] == 0:
            found[state] = ""
            continue
        for class_, target in enumerate(automaton.rows[state]):
            if target != DEAD and distance[target] == distance[state] - 1:
                found[state] = automaton.alphabet.sample(class_) + found[target]
                break
    return [found[state] for state in range(len(automaton.rows))]
