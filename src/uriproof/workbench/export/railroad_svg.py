"""A railroad diagram, as a picture.

Owns this target. Imports the diagrams. Invariant: the picture stands alone: it brings its style,
and links nowhere.
"""

from __future__ import annotations

from ...grammar.compiled import Compiled
from ..railroad import to_railroad_svg

TITLE = "a railroad diagram, as SVG"
NOTE = """For a page or a picture viewer: one SVG element with its own style, light or dark as the
reader's screen is, without scripts and links. The first alternative is on the straight line. Takes
grammars that are not regular, too; of a rule too large, a box says how much is not shown."""


def export(compiled: Compiled, rule: str) -> str:
    """The diagram of the rule itself, its references as boxes. Cost: bounded."""
    return to_railroad_svg(compiled.model, rule, links=False)
