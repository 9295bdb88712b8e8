"""The path that a text takes through a railroad diagram: ids that exist, joined end to end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from random_grammars import grammar, seeded
from tiers import FEW_GRAMMARS, quick
from walked import texts

from uriproof.grammar import registry
from uriproof.grammar.derive.broken import explain
from uriproof.grammar.derive.explain import Derivation
from uriproof.grammar.errors import GrammarError
from uriproof.grammar.model import Model
from uriproof.workbench.railroad import WIDTH
from uriproof.workbench.railroad.plan import plan
from uriproof.workbench.railroad.track import Diagram, lay_out

pytestmark = pytest.mark.prove

Cell = tuple[int, int]


Line = tuple[str, Cell, Cell]
"""What is drawn from one point straight to another, with its id."""


def lines(diagram: Diagram) -> Iterator[Line]:
    for rail in diagram.rails:
        yield from ((rail.node, *ends) for ends in pairwise(rail.points))
    for box in diagram.boxes:
        left, right = 2 * box.column, 2 * (box.column + box.width)
        yield box.piece.node + ":again" * (box.style == "count"), (left, box.row), (right, box.row)


def joined(diagram: Diagram, lit: set[str]) -> tuple[set[Cell], set[Cell]]:
    """The points of what is lit, and those of them that the start is joined to."""
    around: defaultdict[Cell, set[Cell]] = defaultdict(set)
    for node, (x0, y0), (x1, y1) in lines(diagram):
        if node in lit:
            columns, rows = sorted((x0, x1)), sorted((y0, y1))
            line = product(range(columns[0], columns[1] + 1), range(rows[0], rows[1] + 1))
            for a, b in pairwise(line):
                around[a].add(b)
                around[b].add(a)
    points, reached, new = {*around}, set[Cell](), {(0, 0)}
    while new:
        reached |= new
        new = set[Cell]().union(*(around[cell] for cell in new)) - reached
    return points, reached


class Diagrams:
    """The diagrams of a grammar's rules, each laid out once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.made: dict[str, tuple[Diagram, set[str]]] = {}
        self.seen: set[tuple[str, tuple[str, ...], bool]] = set()

    def of(self, rule: str) -> tuple[Diagram, set[str]]:
        if rule not in self.made:
            diagram = lay_out(plan(self.model, rule), WIDTH)
            self.made[rule] = diagram, {node for node, _, _ in lines(diagram)}
        return self.made[rule]

    def check(self, found: Derivation) -> None:
        for number, node in enumerate(found.nodes):
            taken = found.taken[number]
            if not node.is_rule:
                assert taken == ()
                continue
            diagram, drawn = self.of(node.name)
            if any(box.style in {"group", "more"} for box in diagram.boxes):
                continue  # not all of it is drawn
            labels = {
                box.piece.rule or box.piece.node for box in diagram.boxes if box.piece.node in taken
            }
            for child in found.children(number):
                inner = found.nodes[child]
                if inner.is_rule and inner.end > inner.start:
                    assert inner.name in labels, (found.text, node)
            key = node.name, taken, node.whole
            if key in self.seen:
                continue
            self.seen.add(key)
            for place in taken:
                # A row has rails only between its items; an end of one is drawn by what follows.
                is_row = any(one.startswith(f"{place}.") for one in drawn)
                assert place in drawn or place.endswith(":out") or is_row, place
            if not taken:
                assert not node.whole
                continue
            points, reached = joined(diagram, set(taken))
            assert points == reached, (found.text, node, taken)
            if node.whole:
                assert (2 * diagram.width, diagram.exit) in reached, (found.text, node)


@pytest.mark.parametrize("name", quick(registry.names(), among=FEW_GRAMMARS))
def test_the_path_taken_leads_from_the_start_to_the_end(name: str) -> None:
    compiled = registry.load(name)
    diagrams = Diagrams(compiled.model)
    for rule in compiled.model.starts:
        for text in texts(compiled, rule, 8, seed=7):
            diagrams.check(explain(compiled, rule, text))
    assert diagrams.seen


@pytest.mark.parametrize("seed", quick(range(20), 6))
def test_the_path_taken_in_random_grammars(seed: int) -> None:
    try:
        compiled = registry.compile_abnf(grammar(seeded(f"lit {seed}")))
    except GrammarError:  # no rule of it can be used
        return
    diagrams = Diagrams(compiled.model)
    for rule in compiled.model.rules:
        for text in ("", "a", "ab", "abc", "aab", "bca"):
            diagrams.check(explain(compiled, rule, text))
