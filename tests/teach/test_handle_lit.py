"""The path that a text takes through a railroad diagram: ids that exist, joined end to end."""

from __future__ import annotations

from itertools import islice, pairwise, product

import pytest
from random_grammars import grammar, seeded
from tiers import FEW_GRAMMARS, quick

from uriproof import Grammar
from uriproof.grammar import registry
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.derive.broken import explain
from uriproof.grammar.derive.explain import Derivation
from uriproof.grammar.errors import GrammarError
from uriproof.grammar.model import Model
from uriproof.grammars import near_misses, sample
from uriproof.workbench.railroad import WIDTH
from uriproof.workbench.railroad.plan import plan
from uriproof.workbench.railroad.track import Diagram, lay_out

pytestmark = pytest.mark.prove

Cell = tuple[int, int]


def joined(diagram: Diagram, lit: set[str]) -> tuple[dict[Cell, Cell], set[Cell]]:
    """The points of what is lit, each with another point that it is joined to, and all of them."""
    around: dict[Cell, Cell] = {}

    def root(cell: Cell) -> Cell:
        while around.setdefault(cell, cell) != cell:
            cell = around[cell]
        return cell

    points: set[Cell] = set()

    def join(line: list[Cell]) -> None:
        points.update(line)
        for a, b in pairwise(line):
            around[root(a)] = root(b)

    for rail in diagram.rails:
        if rail.node in lit:
            for (x0, y0), (x1, y1) in pairwise(rail.points):
                columns, rows = sorted((x0, x1)), sorted((y0, y1))
                line = product(range(columns[0], columns[1] + 1), range(rows[0], rows[1] + 1))
                join(list(line))
    for box in diagram.boxes:
        node = box.piece.node + ":again" * (box.style == "count")
        if node in lit:
            join([(x, box.row) for x in range(2 * box.column, 2 * (box.column + box.width) + 1)])
    return {cell: root(cell) for cell in points}, points


def ids(diagram: Diagram) -> set[str]:
    drawn = {rail.node for rail in diagram.rails}
    return drawn | {box.piece.node + ":again" * (box.style == "count") for box in diagram.boxes}


class Diagrams:
    """The diagrams of a grammar's rules, each laid out once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.made: dict[str, tuple[Diagram, set[str]]] = {}
        self.seen: set[tuple[str, tuple[str, ...], bool]] = set()

    def of(self, rule: str) -> tuple[Diagram, set[str]]:
        if rule not in self.made:
            diagram = lay_out(plan(self.model, rule), WIDTH)
            self.made[rule] = diagram, ids(diagram)
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
                assert place in drawn or place.endswith(":out") or self.is_row(place), place
            if not taken:
                assert not node.whole
                continue
            groups, points = joined(diagram, set(taken))
            assert len(set(groups.values())) == 1, (found.text, node, taken)
            assert (0, 0) in points, (found.text, node)
            end = 2 * diagram.width, diagram.exit
            if node.whole:
                assert end in points, (found.text, node)

    def is_row(self, place: str) -> bool:
        """Whether a place is of an element that is drawn by what is in it."""
        rule = place.partition(".")[0]
        return any(node.startswith(f"{place}.") for node in self.of(rule)[1])


def derivations(compiled: Compiled, rule: str, count: int) -> list[Derivation]:
    """Those of valid texts and of texts that are not."""
    grammar = Grammar(compiled)
    texts: list[str] = []
    for made in (sample(rule, grammar, seed=7), (m.text for m in near_misses(rule, grammar))):
        try:
            texts += islice(made, count)
        except ValueError:  # there are none
            continue
    return [explain(compiled, rule, text) for text in texts]


@pytest.mark.parametrize("name", quick(registry.names(), among=FEW_GRAMMARS))
def test_the_path_taken_leads_from_the_start_to_the_end(name: str) -> None:
    compiled = registry.load(name)
    diagrams = Diagrams(compiled.model)
    for rule in compiled.model.starts:
        for found in derivations(compiled, rule, 2):
            diagrams.check(found)
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
