"""The comparison of recursive rules, printed: what was found, and how far it was searched.

May import every other layer. Invariant: text and JSON have the same facts; the exit code is 0 only
where both are sure to accept the same texts, 1 where a text distinguishes them, and 2 where none
was found and the search was not exhaustive.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import _click as click
from .._grammars import refusals
from ._sides import Side, drawn, relation_words, witnesses

if TYPE_CHECKING:
    from ...workbench.search import Search


def search_sides(a: Side, b: Side, form: str) -> int:
    """Print what a search finds. Returns the exit code."""
    from ...workbench.search import same_rules, search

    one, other = a.language, b.language
    with refusals():
        same = (
            one.compiled is not None
            and other.compiled is not None
            and same_rules(one.compiled.model, one.rule, other.compiled.model, other.rule)
        )
        found = None if same else search(one, other)
    if form == "json":
        import json

        click.echo(json.dumps(_record(a, b, found)))
    else:
        click.echo("\n".join([f"A  {a.name}", f"B  {b.name}", "", *_lines(found)]))
    if found is None or found.relation == "equal":
        return 0
    return 1 if found.differ else 2


def _record(a: Side, b: Side, found: Search | None) -> dict[str, Any]:
    record: dict[str, Any] = {"a": a.to_dict(), "b": b.to_dict()}
    if found is None:
        return {**record, "relation": "equal", "only_a": [], "only_b": [], "both": None}
    for name, witness in (("only_a", found.only_a), ("only_b", found.only_b)):
        listed = [] if witness is None else [{"text": witness.text, "stops": witness.stops}]
        record[name] = listed
    looked = None if found.every else {"length": found.length, "drawn": found.drawn}
    return {**record, "relation": found.relation, "both": found.both, "searched": looked}


def _lines(found: Search | None) -> Iterator[str]:
    if found is None:
        yield "Equal: the same rules, word for word."
        return
    if found.relation is not None:
        yield from relation_words(found.relation, found.both is None)
    elif found.differ:
        yield "They differ."
    else:
        yield "Not decided: no text was found that distinguishes them."
    if found.only_a is not None:
        yield from witnesses("A", "B", (found.only_a,))
    if found.only_b is not None:
        yield from witnesses("B", "A", (found.only_b,))
    if found.both is not None:
        yield ""
        yield "both accept:"
        yield f"  {drawn(found.both)[0]}"
    if found.relation is None:
        missing = [side for side, w in (("A", found.only_a), ("B", found.only_b)) if w is None]
        yield ""
        for side in missing if found.differ else ():
            yield f"No text was found that only {side} accepts."
        drawn_too = f", and {found.drawn:,} random ones" if found.drawn else ""
        yield f"Searched: all texts of length {max(found.length, 0)} or less{drawn_too}."
