"""One text as a recognizer reads it.

Owns the stack that all readings share, and the bound on its work. Imports the errors. Invariant:
reading stops at a bound that grows with the text, with a clear error.
"""

from __future__ import annotations

from ..errors import GrammarLimit
from ..work import spend

MAX_STEPS = 500_000
"""Steps that any text may take, and further ones for each of its characters."""

STEPS_PER_CHARACTER = 200
END = -1
"""The class of what stands after the last character."""


class Node:
    """A rule being read since offset ``at``, and where to go on when it ends, for each caller.

    ``ends`` maps the offsets where it ended to the steps that were left when that was found: the
    more, the sooner.
    """

    __slots__ = ("at", "callers", "ends", "rule")

    def __init__(self, rule: str, at: int) -> None:
        self.rule = rule
        self.at = at
        self.callers: dict[tuple[int, int, Node], None] = {}  # call, place after it, its node
        self.ends: dict[int, int] = {}


class Reading:
    """One text as a recognizer reads it: what it began and ended where, and what is left to spend.

    ``nodes`` holds what was called, by rule and offset; ``readers`` what could be read at
    ``offset``, where reading stopped.
    """

    def __init__(self, rule: str, classes: list[int]) -> None:
        self.classes = classes
        self.rule = rule
        self.root = Node(rule, 0)
        self.nodes: dict[tuple[str, int], Node] = {}
        self.offset = 0
        self.readers: list[tuple[int, Node]] = []
        self.steps = MAX_STEPS + len(classes) * STEPS_PER_CHARACTER

    @property
    def accepted(self) -> bool:
        return len(self.classes) in self.root.ends

    def node(self, rule: str, at: int) -> Node | None:
        """The rule as it was read from an offset on; None where it could not begin."""
        found = self.nodes.get((rule, at))
        return self.root if found is None and at == 0 and rule == self.rule else found

    def spend(self, steps: int = 1) -> None:
        """Errors: GrammarLimit, when nothing is left."""
        spend(steps)
        self.steps -= steps
        if self.steps < 0:
            raise GrammarLimit(
                f"rule {self.rule} is so ambiguous that reading this text takes more than "
                f"{MAX_STEPS:,} steps and {STEPS_PER_CHARACTER:,} for each character"
            )
