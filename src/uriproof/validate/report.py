"""Report: what a text violates of a rule, and of what else it is validated against.

Owns the contract of ``check``, in the order of this folder: a text is divided, examined and blamed
by the plan of its rule, and what is to blame is explained. Imports these steps. Invariant: no
violation exactly when all that the text is validated against accepts it; violations are sorted and
disjoint; applying all fixes, where every violation has one, gives an accepted text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from ..grammar import registry
from ..grammar.compiled import Compiled
from ..plug_ins import from_above
from ..report import Advice, Meant, Report, Violation
from .blame import shifted
from .divide import Piece, spans
from .examine import SCHEME, LocatedBlame, components, components_of, examine
from .explain import explain
from .plan import Plan, Spans, plan_of
from .productions import QUERY, Path
from .recovery import Blame

FRAGMENT = "fragment"


Adviser: TypeAlias = Callable[[Report], tuple[Advice, ...]]


def make_report(
    grammar: Compiled,
    text: str,
    rule: str,
    *,
    schemes: bool = False,
    adviser: Adviser | None = None,
    most: int | None = None,
) -> Report:
    """The report of a text under a rule, in its canonical spelling; see ``report``."""
    return report(plan_of(grammar, rule), text, None, schemes, adviser, most)


def report(
    plan: Plan,
    text: str,
    query: Compiled | None = None,
    schemes: bool = False,
    adviser: Adviser | None = None,
    most: int | None = None,
) -> Report:
    """The report of a text under the rule of a plan. Cost: O(n).

    ``query``: the query is also validated against the first start rule of that grammar.
    ``schemes``: all before the fragment also against the rule of its scheme, where a bundled
    grammar has one; a scheme says nothing of fragments (RFC 3986 §3.5). ``adviser`` is what the
    report will ask for advice. Of more than ``most`` violations, the rest are counted, which takes
    less time. Spec: RFC 3986 §3, Appendix A and B.
    """
    grammar, rule = plan.grammar, plan.rule
    valid = bool(plan.match(text))
    plain = query is None and not schemes

    def again(other: str) -> Report:
        return report(plan, other, query, schemes, adviser)

    if valid and (plain or accepts(grammar, text, rule, query, schemes)):
        found = lambda text: components_of(plan, text)  # noqa: E731
        return Report(text, rule, grammar.name, found, (), adviser, again=again)
    reading, placed = examine(plan, text, valid)
    if query is not None:
        placed = _merged(placed, _of_query(reading.known, text, query, plan.query_path))
    if schemes:
        # Scheme-specific violations win over generic ones at the same place: they say more.
        placed = _merged(_of_scheme(text, reading.known, spans(plan, text)), placed)
    violations = tuple([explain(text, one) for one in placed[:most]])
    more = len(placed) - len(violations)
    made = partial(Report, text, rule, grammar.name, partial(components, reading))
    made = partial(made, adviser=adviser, more=more, again=again)
    first = made(violations=violations)
    meant: Meant | None = None
    if plan.is_of_uris:  # of other texts, nothing is known of what people mistake for them
        meant = from_above("recognize")(first, plan.is_whole)
    if meant is not None:
        return made(violations=_as_meant(violations, meant), meant=meant)
    fixed = first.fixed
    if fixed is not None and not accepts(grammar, fixed, rule, query, schemes):
        # The fixes of one component can be at odds with another: then there are none.
        return made(violations=tuple([v._replace(fix=None) for v in violations]))
    return first


def _as_meant(violations: tuple[Violation, ...], meant: Meant) -> tuple[Violation, ...]:
    """The violations of a text in which something else is meant: a fix would hide the mistake."""
    return tuple(
        [
            v._replace(fix=None, hint=meant.reason if meant.is_about(v) else v.hint)
            for v in violations
        ]
    )


def accepts(
    grammar: Compiled,
    text: str,
    rule: str,
    query: Compiled | None = None,
    schemes: bool = False,
) -> bool:
    """The verdict alone: that of the matchers of all that the text is validated against."""
    if not grammar.matcher(rule)(text):
        return False
    if query is None and not schemes:
        return True
    found = spans(plan_of(grammar, rule), text)
    if query is not None and QUERY in found:
        start, end = found[QUERY]
        if not query.matcher(query.start)(text[start:end]):
            return False
    own = _scheme_rule(text, found) if schemes else None
    return own is None or bool(own[0].matcher(own[1])(_before_fragment(text, found)))


def _scheme_rule(text: str, spans: Spans) -> tuple[Compiled, str] | None:
    """The grammar and the rule that speak of the text's scheme (RFC 3986 §3.1: in any case)."""
    start, end = spans.get(SCHEME, (0, 0))
    known = registry.schemes().get(text[start:end].lower())
    return (registry.load(known[0]), known[1]) if known else None


def _before_fragment(text: str, spans: Spans) -> str:
    return text[: spans[FRAGMENT][0] - 1] if FRAGMENT in spans else text


def _of_scheme(text: str, known: list[Piece], spans: Spans) -> list[LocatedBlame]:
    """What the scheme's own rule blames, in the components that the text has."""
    own = _scheme_rule(text, spans)
    if own is None:
        return []
    reading, found = examine(plan_of(*own), _before_fragment(text, spans))
    if len(reading.known) == 1:  # read as one: the components are those of the generic syntax
        for placed in found:
            placed.component = _component_at(placed.blame, known)
    return found


def _component_at(blame: Blame, pieces: list[Piece]) -> str:
    """The component of a blame: the one around it, or the one whose delimiter is there.

    What ends a scheme is the scheme's; any other delimiter is that of what comes after it.
    """
    found = pieces[0][0]
    for found, _, end, _ in pieces:
        missing_at_end = blame.start == blame.end == end
        if blame.start < end + (found == SCHEME) or (missing_at_end and found != SCHEME):
            break
    return found


def _of_query(known: list[Piece], text: str, query: Compiled, outer: Path) -> list[LocatedBlame]:
    """What a query grammar blames in the query; ``outer`` is the path to it."""
    placed: list[LocatedBlame] = []
    for component, start, end, _ in known:
        if component == QUERY:
            _, found = examine(plan_of(query, query.start), text[start:end])
            for blame in shifted([one.blame for one in found], start):
                blame.path = (*outer, *blame.path[blame.path[0] == outer[-1] :])
                placed.append(LocatedBlame(QUERY, blame, query))
    return placed


def _merged(first: list[LocatedBlame], second: list[LocatedBlame]) -> list[LocatedBlame]:
    """All of the first, and what the second finds where the first blames nothing.

    A fix that only the second has for the same characters is the first's as well. Both are in
    text order. Cost: O(n) for n findings.
    """
    if not (first and second):
        return first or second
    fixes = {(f.blame.start, f.blame.end): f.blame.fixes for f in second}
    for one in first:
        blame = one.blame
        blame.fixes = blame.fixes or fixes.get((blame.start, blame.end))
    both = [*first, *_beyond(first, second)]
    both.sort(key=lambda p: (p.blame.start, p.blame.end))
    joined: list[LocatedBlame] = []
    for one in both:
        last = joined[-1] if joined else None
        # Both may be of one grammar, and then blame alike.
        if last and last.grammar.name == one.grammar.name and last.blame.joins(one.blame):
            last.blame.join(one.blame)
        else:
            joined.append(one)
    return joined


def _beyond(first: list[LocatedBlame], second: list[LocatedBlame]) -> Iterator[LocatedBlame]:
    """What is left of the second where the first blame nothing."""
    gaps = {f.blame.start for f in first if f.blame.start == f.blame.end}
    blamed: list[tuple[int, int]] = []
    for start, end in ((f.blame.start, f.blame.end) for f in first):
        if start < end:
            adjacent = bool(blamed) and blamed[-1][1] == start
            blamed.append((blamed.pop()[0] if adjacent else start, end))
    at = 0
    for one in second:
        blame = one.blame
        while at < len(blamed) and blamed[at][1] <= blame.start:
            at += 1
        if blame.start == blame.end:
            inside = at < len(blamed) and blamed[at][0] < blame.start
            if blame.start not in gaps and not inside:
                yield one
        low, next_ = blame.start, at
        while low < blame.end:
            start, end = blamed[next_] if next_ < len(blamed) else (blame.end, blame.end)
            if low < start:
                high = min(start, blame.end)
                fixes = blame.fixes and blame.fixes[low - blame.start : high - blame.start]
                part = Blame(low, high, blame.kind, blame.path, blame.expected, fixes)
                yield LocatedBlame(one.component, part, one.grammar)
            low, next_ = end, next_ + 1
