"""``explain``: the whole derivation of a text, or as far as it goes."""

from __future__ import annotations

from typing import Any

from ..fields import Fields

LONGEST = 3_000


def answer(fields: Fields) -> dict[str, Any]:
    """A text and a rule in; the derivation out, with the path taken in each rule's diagram.

    ``lit`` has, for each node, the ``data-node`` of what its text takes in the diagram of its rule.
    """
    from ...grammars import explain

    grammar = fields.grammar()
    found = explain(fields.text("text", most=LONGEST), fields.rule(grammar), grammar)
    made = found.to_dict()
    made["lit"] = [list(places) for places in found.taken]
    made["depth"] = max(node.depth for node in found.nodes)
    return {"derivation": made}
