"""Where a text stops being the beginning of anything valid, in the grammar's words.

Owns those words. Imports the chart and its stops. Invariant: ``expected`` holds what could stand at
``offset``, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..model import Concatenation
from .chart import chart_of
from .stops import Stops

if TYPE_CHECKING:
    from ..compiled import Compiled


class Furthest(NamedTuple):
    """Where a text stops being the beginning of anything valid.

    ``offset`` is the first character that nothing valid could have there, and ``expected`` holds,
    as ABNF, what could stand there. Where something is missing at the end of the text, ``offset``
    is its length, and ``expected`` what begins a shortest way to something valid. ``path`` runs
    from the rule to the production that was being read, each rule once. In an escape sequence
    that is not whole the offset is that of its first character, and the path ends in the rule of
    escape sequences.
    """

    offset: int
    expected: tuple[str, ...]
    path: tuple[str, ...]


def furthest(compiled: Compiled, rule: str, text: str) -> Furthest | None:
    """Where a text stops being the beginning of anything that the rule derives; None if it does.

    Errors and cost: as for ``explain``.

    >>> from uriproof.grammar.registry import compile_abnf
    >>> furthest(compile_abnf('x = "(" x ")" / "1"'), "x", "((1)")
    Furthest(offset=4, expected=('")"',), path=('x',))
    """
    chart = chart_of(compiled, rule, text)
    if chart.reading.accepted:
        return None
    stops = Stops(chart)
    offset = chart.furthest
    found = stops.nearest() if offset == len(text) else stops.all()
    described = [stops.described(stop) for stop in found]
    path = described[0][0] if described else (rule,)
    escape = chart.model.escape
    begun = [stop.begun(escape, offset) for stop in found] if escape is not None else []
    if escape is not None and begun and None not in begun:
        element = chart.model.rules[escape].element
        items = element.items if isinstance(element, Concatenation) else (element,)
        way = path if path[-1] == escape else (*path, escape)
        return Furthest(begun[0] or 0, tuple(map(str, items[1:])), way)
    return Furthest(offset, tuple(dict.fromkeys(word for _, word in described)), path)
