"""Which elements of a rule a text passes through.

Owns their ids. Imports the derivations. Invariant: the way is the one that RFC 3986 means, and
that ``explain`` shows: of alternatives the first that fits (§3.2.2), and what stands earlier takes
as much as it can (Appendix B, "greedy").
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...grammar.derive.chart import Kind, chart_of
from ...grammar.derive.forest import Forest, Span
from ...grammar.errors import GrammarLimit

if TYPE_CHECKING:
    from ...grammar.compiled import Compiled

__all__ = ["MAX_LIT", "lit"]

MAX_LIT = 1_000
"""Code points of a text whose way is looked for: a diagram is for eyes."""


def lit(compiled: Compiled, rule: str, text: str, *, deep: bool = False) -> tuple[str, ...]:
    """The ids of the elements that the text passes through, in the order in which it does.

    Empty when the rule does not accept the text. A repetition passed through without a round adds
    its id with ``:skip``, one with two rounds or more its id with ``:again``. With ``deep``, the
    elements of the rules that are referred to as well, for whatever part of the text they read.

    Errors: GrammarLimit, for a text of more than ``MAX_LIT`` code points, or with too many
    readings; KeyError for a rule in another spelling than its own. Cost: see ``explain``.

    >>> from uriproof.grammar.registry import load
    >>> lit(load("rfc3986"), "host", "1.2.3.4"), lit(load("rfc3986"), "port", "")
    (('host', 'host.1'), ('port', 'port:skip'))
    """
    if len(text) > MAX_LIT:
        raise GrammarLimit(
            f"a way through a diagram is shown for at most {MAX_LIT:,} characters, "
            f"not {len(text):,}"
        )
    chart = chart_of(compiled, rule, text)
    if not chart.reading.accepted:
        return ()
    forest = Forest(chart)
    found: dict[str, None] = {}
    pending: dict[Span, None] = {(chart.root, 0, len(text)): None}
    while pending:
        later: dict[Span, None] = {}
        for span in pending:
            for node, inner in _walk(forest, span):
                found[node] = None
                if deep and inner[0].kind is Kind.RULE:
                    later[inner] = None
        pending = later
    return tuple(found)


def _walk(forest: Forest, rule: Span) -> Iterator[tuple[str, Span]]:
    """The ids on the way through a rule, each with what is read there."""
    (element,) = forest.parts(rule)
    stack = [(rule[0].owner, element)]
    while stack:
        node, span = stack.pop()
        yield node, span
        slot, start, end = span
        if slot.kind is Kind.RULE or ":" in node:
            continue
        parts = forest.parts(span)
        match slot.kind:
            case Kind.CHOICE:
                inside = [(f"{node}.{slot.items.index(parts[0][0])}", parts[0])]
            case Kind.LOOP:  # what reads nothing once may do so as often as is asked for
                inside = [(f"{node}.0", part) for part in parts[: max(end - start, 1)]]
                if len(inside) > 1:
                    inside.insert(1, (f"{node}:again", span))
                elif not inside:
                    inside = [(f"{node}:skip", span)]
            case _:
                inside = [(f"{node}.{number}", part) for number, part in enumerate(parts)]
        stack += reversed(inside)
