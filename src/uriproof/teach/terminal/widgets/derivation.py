"""The derivation as a tree that opens and closes.

Owns that widget. Imports Textual and what is known of a text. Invariant: the children of a node are
made when it is opened, so that a long text costs no more than what is seen of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.style import Style
from rich.text import Text
from textual.widgets import Tree

from ....text.drawing import short
from ..ask import Seen

if TYPE_CHECKING:
    from textual.widgets.tree import TreeNode

__all__ = ["Derivation"]

_SHOWN = 32  # code points of a text beside its node
_OPEN = 8  # children of a node that is open from the start


class Derivation(Tree[int]):
    """Each node is a production, with the characters that it reads; its data is its number."""

    def __init__(self) -> None:
        super().__init__("", id="derivation", classes="pane")
        self.guide_depth = 2
        self.auto_expand = True
        self._seen: Seen | None = None
        self._inside: dict[int, list[int]] = {}
        self._colours: list[tuple[int, int, str]] = []
        self._toggled: dict[tuple[str, ...], bool] = {}

    def show(self, seen: Seen) -> None:
        """The derivation of a text, or why there is none; what was opened stays open."""
        self._seen = seen
        self.clear()
        self._inside = {}
        if not seen.derivation:
            self.root.data = None
            self.root.allow_expand = False
            self.root.set_label(Text(seen.why or seen.error or "…"))
            return
        for number, node in enumerate(seen.derivation["nodes"]):
            self._inside.setdefault(node["parent"], []).append(number)
        names = self.app.theme_variables
        self._colours = [(s.start, s.end, names.get(f"c-{s.name}", "")) for s in seen.spans()]
        self.root.allow_expand = True
        self.root.data = 0
        self.root.set_label(self._words(0))
        self._grow(self.root)
        if not seen.derivation["ok"]:
            at = seen.derivation["viable"]
            words = f"✘ no derivation goes on at {at}"
            self.root.add_leaf(Text(words, Style(color=names.get("blame"), bold=True)))

    def _grow(self, at: TreeNode[int]) -> None:
        """Add what is inside of a node, and open of that what a person wants to see first."""
        pending = [at]
        while pending:
            node = pending.pop()
            if not node.children:
                for number in self._inside.get(node.data if node.data is not None else -2, ()):
                    leaf = number not in self._inside
                    node.add(self._words(number), data=number, allow_expand=not leaf)
            node.expand()
            pending += [child for child in node.children if self._opens(child)]

    def _opens(self, node: TreeNode[int]) -> bool:
        inside = self._inside.get(node.data if node.data is not None else -2, [])
        if not inside:
            return False
        known = self._toggled.get(self._place_of(node))
        if known is not None:
            return known
        nodes = self._records()
        # Loops over single characters say nothing more than the text beside them does.
        wide = [n for n in inside if nodes[n]["end"] - nodes[n]["start"] > 1]
        return len(inside) <= _OPEN and bool(wide)

    def _records(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (
            self._seen.derivation["nodes"] if self._seen and self._seen.derivation else []
        )
        return found

    def _place_of(self, node: TreeNode[int]) -> tuple[str, ...]:
        """Which node it is, whatever the characters are: names and places from the root."""
        found: list[str] = []
        at: TreeNode[int] | None = node
        nodes = self._records()
        while at is not None and at.data is not None:
            place = at.parent.children.index(at) if at.parent else 0
            found.append(f"{nodes[at.data]['name']}.{place}")
            at = at.parent
        return tuple(found)

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[int]) -> None:
        if event.node.data is not None and not event.node.children:
            self._grow(event.node)

    def action_toggle_node(self) -> None:
        """Open or close a node, and remember that it was asked for."""
        node = self.cursor_node
        if node is not None and node.allow_expand:
            self._toggled[self._place_of(node)] = not node.is_expanded
        super().action_toggle_node()

    def _words(self, number: int) -> Text:
        nodes = self._records()
        node = nodes[number]
        if not (self._seen and self._seen.derivation):
            return Text(node["name"])
        text = self._seen.subject.text[node["start"] : node["end"]]
        names = self.app.theme_variables
        muted = Style(color=names.get("text-muted"))
        label = Text(no_wrap=True)
        is_rule = node["kind"] == "rule"
        label.append(node["name"], Style(bold=True) if is_rule else muted)
        label.append("  ")
        colour = next(
            (c for a, b, c in self._colours if a <= node["start"] and node["end"] <= b and c), ""
        )
        label.append(
            short(text, _SHOWN) if text else "nothing",
            Style(color=colour or None) if text else muted,
        )
        if not node["whole"]:
            label.append(" … goes no further", Style(color=names.get("blame"), bold=True))
        for one in self._seen.derivation["ambiguities"]:
            if one["node"] == number and len(one["alternatives"]) > 1:
                words = f"  ≈ also {', '.join(one['alternatives'][1:])}"
                label.append(words, Style(color=names.get("c-query")))
        return label
