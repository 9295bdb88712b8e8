"""Railroad diagrams in the terminal: drawn, lit, and their boxes one by one.

Owns which characters of a diagram stand out. Imports the diagrams of the workbench. Invariant: what
is lit is heavy in the drawing itself; the colour says nothing more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from .ask import Subject

if TYPE_CHECKING:
    from ...grammar.model import Model
    from ...workbench.railroad.plan import Piece as Planned

__all__ = ["Piece", "boxes", "diagram", "lit_pieces"]

Piece = tuple[str, str]
"""Words and their style."""


def diagram(subject: Subject, rule: str, lit: Collection[str], width: int) -> list[str]:
    """The railroad diagram of a rule in lines."""
    from ...workbench.railroad import to_railroad_text

    return to_railroad_text(_model(subject), rule, max(width, 24), lit=frozenset(lit))


def _model(subject: Subject) -> Model:
    from ...grammar.registry import load
    from ..fields import Fields

    if subject.abnf is None:
        return load(subject.grammar).model
    return Fields({"abnf": subject.abnf}).grammar().compiled.model


def lit_pieces(line: str) -> Iterator[Piece]:
    """A line of a diagram: the boxes and rails of the path taken stand out."""
    run, style, inside = "", "", False
    for char in line:
        heavy = inside or char in "━┃┏┓┗┛┣┫┳┻╋◀"
        mixed = not heavy and "┍" <= char <= "╋" and char not in "─│┌┐└┘├┤┬┴┼"
        now = "bold $ok" if heavy or mixed else ""
        if char == "┫":
            inside = True
        elif char == "┣":
            inside = False
        if now != style and run:
            yield run, style
            run = ""
        run, style = run + char, now
    yield run, style


def boxes(subject: Subject, rule: str) -> list[tuple[str, str]]:
    """What a person may point at in a diagram, in its order: each with its id and its words."""
    from ...workbench.railroad.plan import plan

    found: list[tuple[str, str]] = []
    pending = [plan(_model(subject), rule)]
    while pending:
        piece = pending.pop()
        if piece.kind == "box":
            found.append((piece.node, piece.label))
        if piece.kind == "loop" and piece.least == 0:
            found.append((f"{piece.node}:skip", f"the rail around {_inside(piece)}"))
        pending += reversed(piece.items)
    return found


def _inside(piece: Planned) -> str:
    """The words of what a rail goes around."""
    words, pending = [], list(piece.items)
    while pending:
        top = pending.pop(0)
        if top.label:
            words.append(top.label)
        pending = [*top.items, *pending]
    return " ".join(words)
