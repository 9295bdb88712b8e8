"""Texts with holes that a template will fill: the violations with any filling.

Owns the reading of a hole as any text at all. Imports the automata and the reports. Invariant: a
text has no violation if some filling is valid, and no character inside a hole is ever blamed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from ..grammar.compiled import Compiled
from ..grammar.machine.automaton import DEAD, Automaton
from ..grammar.remember import per_grammar
from ..report import Fix, Violation
from .report import make_report

Span = tuple[int, int]
Step = tuple[int, int]
"""The state before, and the class of the character read from there; ``NOTHING`` if none."""

NOTHING = -1
MAX_KNOWN = 256
"""Sets of states for which the targets of a hole are remembered. URLs share a few, such as the one
after "//"; each takes milliseconds to find and tens of kilobytes; hostile texts make many."""

Layer = dict[int, Step]


def check_holes(
    grammar: Compiled,
    text: str,
    rule: str,
    holes: Sequence[Span],
) -> tuple[Violation, ...]:
    """The violations that no filling of the holes can fix; holes are spans in text order.

    The offsets of the violations are those of ``text``. Cost: O(n) times the states of the rule.

    >>> from uriproof.grammar.registry import load
    >>> text = "http://{host}:{port}/a b"
    >>> found = check_holes(load("rfc3986"), text, "URI", [(7, 13), (14, 20)])
    >>> [(v.start, v.end, v.component) for v in found]
    [(22, 23, 'path')]
    """
    automaton = grammar.automaton(rule)
    filled = fillings(automaton, text, holes, _known(grammar, rule))
    pieces: list[str] = []
    places: list[int] = []  # per code point of the filled text, its offset in the text; -1 in holes
    at = 0
    for (start, end), filling in zip(holes, filled, strict=True):
        pieces += text[at:start], filling
        places += [*range(at, start), *([-1] * len(filling))]
        at = end
    pieces.append(text[at:])
    places += [*range(at, len(text) + 1)]
    whole = "".join(pieces)
    if automaton.accepts(whole):
        return ()
    report = make_report(grammar, whole, rule)
    return tuple(
        moved for v in report.violations if (moved := _moved(v, places, text, holes)) is not None
    )


@per_grammar
def _known(grammar: Compiled, rule: str) -> dict[tuple[int, ...], Layer]:
    """The known targets of holes in the texts of a rule."""
    del grammar, rule
    return {}


def _moved(
    violation: Violation, places: list[int], text: str, holes: Sequence[Span]
) -> Violation | None:
    """The violation in the text with its holes; None if it is in a hole, or at its edge."""
    start, end = violation.start, violation.end
    if start == end:
        at = places[start]
        if at < 0 or any(a <= at <= b for a, b in holes):
            return None
        return violation._replace(start=at, end=at, fix=None)
    while start < end and places[start] < 0:
        start += 1
    while end > start and places[end - 1] < 0:
        end -= 1
    if start == end or places[end - 1] - places[start] != end - 1 - start:
        return None  # no part of it is outside the holes, or a hole is inside it
    first, last = places[start], places[end - 1] + 1
    fix = violation.fix
    whole = (start, end) == (violation.start, violation.end)
    moved = Fix(first, last, fix.replacement) if fix is not None and whole else None
    return violation._replace(start=first, end=last, found=text[first:last], fix=moved)


def fillings(
    automaton: Automaton,
    text: str,
    holes: Sequence[Span],
    known: dict[tuple[int, ...], Layer],
) -> tuple[str, ...]:
    """A shortest text for each hole that leads furthest; with them all is accepted, if possible.

    A character that no valid text could have there, whatever fills the holes, is skipped.
    ``known`` keeps the targets of holes from one text of the rule to the next.
    """
    rows, alphabet = automaton.rows, automaton.alphabet
    layers: list[tuple[bool, Layer]] = []  # each with whether it is that of a hole
    before: Layer = {0: (DEAD, NOTHING)}
    edges = iter([*holes, (len(text), len(text))])
    hole = next(edges)
    at = 0
    while at < len(text):
        if at == hole[0]:
            key = tuple(before)
            reached = known.get(key)
            if reached is None:
                if len(known) >= MAX_KNOWN:
                    known.clear()
                reached = known[key] = _reached(automaton, before)
            before = reached
            layers.append((True, before))
            at, hole = hole[1], next(edges)
            continue
        class_ = alphabet.of(text[at])
        layer: Layer = {}
        for state in before:
            target = rows[state][class_]
            if target != DEAD and target not in layer:
                layer[target] = (state, NOTHING)
        before = layer or {state: (state, NOTHING) for state in before}
        layers.append((False, before))
        at += 1
    state = next((state for state in before if state in automaton.accepting), next(iter(before)))
    found: list[str] = []
    for is_hole, layer in reversed(layers):
        if is_hole:
            filling: list[str] = []
            while layer[state][1] != NOTHING:
                state, class_ = layer[state]
                filling.append(alphabet.sample(class_))
            found.append("".join(reversed(filling)))
        else:
            state = layer[state][0]
    return tuple(reversed(found))


def _reached(automaton: Automaton, before: Layer) -> Layer:
    """All states that can be reached from some, with the way to each, shortest first."""
    found: Layer = {state: (state, NOTHING) for state in before}
    queue = deque(before)
    while queue:
        state = queue.popleft()
        for class_, target in enumerate(automaton.rows[state]):
            if target != DEAD and target not in found:
                found[target] = (state, class_)
                queue.append(target)
    return found
