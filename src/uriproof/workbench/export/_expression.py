"""The expression that is printed for a target.

Owns the choice between the expression that the grammar's own structure gives and the one made from
the minimal automaton, which a rule that refers to itself needs. Imports the expressions and the
automata. Invariant: whichever is chosen, it describes the language of the rule; ``linear`` returns
only expressions that a backtracking engine matches in linear time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...grammar.charset import EMPTY, union
from ...grammar.compile.ambiguity import finite
from ...grammar.compile.rx import (
    NOTHING,
    Alt,
    Rep,
    Rx,
    Seq,
    Set,
    bounded,
    choice,
    deterministic,
    repeat,
    sequence,
)
from ...grammar.compile.to_regex import expression
from ...grammar.compiled import Compiled
from ...grammar.errors import GrammarLimit
from ...grammar.machine.automaton import DEAD, Automaton
from ...grammar.remember import per_grammar
from ...limits import MAX_EXPRESSION_SETS, MAX_EXPRESSION_STATES

_MODEL_ONLY = "lark takes the rule as it is written"
_LINEAR_TIME = "re2, rust and postgres match it in linear time"


def automaton(compiled: Compiled, rule: str) -> Automaton:
    """The rule's minimal automaton. Errors: GrammarLimit, which names an alternative."""
    try:
        return compiled.automaton(rule)
    except GrammarLimit as error:
        raise GrammarLimit(f"{error}; {_MODEL_ONLY}") from error


def plain(compiled: Compiled, rule: str) -> Rx:
    """The expression for an engine that is linear in the text whatever the expression."""
    try:
        return expression(compiled.model, rule, compiled.alternatives)
    except GrammarLimit as error:
        first = error
    found = min(_from_automaton(automaton(compiled, rule)), key=_size, default=None)
    if found is None:
        raise GrammarLimit(f"{first}; {_MODEL_ONLY}")
    return found


def linear(compiled: Compiled, rule: str) -> Rx:
    """The expression for an engine that backtracks, of a shape that it matches in linear time."""
    found = _find_linear(compiled, rule)
    if found is None:
        raise GrammarLimit(
            f"no expression of rule {rule} was found that an engine that backtracks matches in "
            f"linear time; {_LINEAR_TIME}"
        )
    return found


@per_grammar
def _find_linear(compiled: Compiled, rule: str) -> Rx | None:
    try:
        found = expression(compiled.model, rule, compiled.alternatives)
    except GrammarLimit:
        pass
    else:
        if bounded(found) or finite(found):
            return found
    tried = _from_automaton(automaton(compiled, rule))
    good = [rx for rx in tried if bounded(rx) or finite(rx)]
    return min(good, key=lambda rx: (not deterministic(rx, EMPTY), _size(rx)), default=None)


def _from_automaton(machine: Automaton) -> Iterator[Rx]:
    """Expressions of an automaton's language; the order in which its states go decides on each."""
    if len(machine.rows) > MAX_EXPRESSION_STATES:
        return
    states = range(len(machine.rows))
    far = machine.distances()
    orders: tuple[Callable[[int], int] | None, ...] = (
        None,
        lambda q: q,
        lambda q: -q,
        lambda q: -far[q],
    )
    for key in orders:
        try:
            found = _eliminate(machine, None if key is None else sorted(states, key=key))
        except (RecursionError, OverflowError):
            continue
        yield found


def _eliminate(machine: Automaton, order: list[int] | None) -> Rx:
    """The automaton's states taken out one by one, the edges around each joined across it.

    Without an order, the state that costs least goes next. Errors: OverflowError.
    """
    count = len(machine.rows)
    start, end = count, count + 1
    out: dict[int, dict[int, Rx]] = {q: {} for q in range(count + 2)}
    for q, row in enumerate(machine.rows):
        for class_, target in enumerate(row):
            if target != DEAD:
                ranges = machine.alphabet.ranges(class_)
                old = out[q].get(target)
                if ranges:
                    old_ranges = old.ranges if isinstance(old, Set) else EMPTY
                    out[q][target] = Set(union(old_ranges, ranges))
    for q in machine.accepting:
        out[q][end] = NOTHING
    out[start][0] = NOTHING
    left = set(range(count))

    def cost(q: int) -> int:
        into = [_size(out[p][q]) for p in out if p != q and q in out[p]]
        away = [_size(rx) for t, rx in out[q].items() if t != q]
        own = _size(out[q][q]) if q in out[q] else 0
        return sum(into) * len(away) + sum(away) * len(into) + own * len(into) * len(away)

    for step in range(count):
        q = order[step] if order else min(left, key=lambda s: (cost(s), s))
        left.discard(q)
        edges = out.pop(q)
        loop = repeat(edges.pop(q), 0, None) if q in edges else NOTHING
        for others in out.values():
            before = others.pop(q, None)
            if before is None:
                continue
            for target, after in edges.items():
                new = sequence((before, loop, after))
                old = others.get(target)
                others[target] = new if old is None else choice((old, new))
                if _size(others[target]) > MAX_EXPRESSION_SETS:
                    raise OverflowError
    return out[start].get(end, NOTHING)


def _size(rx: Rx) -> int:
    """How many sets an expression has, up to a little more than ``MAX_EXPRESSION_SETS``."""
    count = 0
    stack: list[Rx] = [rx]
    while stack and count <= MAX_EXPRESSION_SETS:
        top = stack.pop()
        match top:
            case Set():
                count += 1
            case Seq(items) | Alt(items):
                stack.extend(items)
            case Rep(item):
                stack.append(item)
    return count
