"""Report: what a text violates of a rule, and of what else it is validated against.

Owns the contract of ``check``, in the order of this folder: a text is divided, examined and blamed
by the plan of its rule, and what is to blame is explained. Imports these steps. Invariant: no
violation exactly when all that the text is validated against accepts it; violations are sorted and
disjoint; applying all fixes, where every violation has one, gives an accepted text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from ..grammar import registry
from ..grammar.compiled import Compiled
from ..plug_ins import from_above
from ..report import Advice, Component, Meant, Report
from .blame import shifted
from .divide import Reading, spans
from .examine import SCHEME, components_of, examine
from .plan import Plan, Spans, plan_of
from .productions import QUERY, Path
from .recovery import Blame
from .words.explain import Explanations

FRAGMENT = "fragment"


Adviser: TypeAlias = Callable[[Report], tuple[Advice, ...]]
Place: TypeAlias = tuple[str, int, int]
"""A component of a text: its name, its start and its end."""


def make_report(
    grammar: Compiled,
    text: str,
    rule: str,
    *,
    schemes: bool = False,
    adviser: Adviser | None = None,
    most: int | None = None,
) -> Report:
    """The report of a text under a rule, in its canonical spelling; see ``Validation``."""
    return Validation(plan_of(grammar, rule), None, schemes, adviser).report(text, most)


class Validation:
    """All that texts are validated against, and what makes their reports.

    ``query``: the query is also validated against the first start rule of that grammar.
    ``schemes``: all before the fragment also against the rule of its scheme, where a bundled
    grammar has one; a scheme says nothing of fragments (RFC 3986 §3.5). ``adviser`` is what a
    report will ask for advice.
    """

    __slots__ = ("_adviser", "_alone", "_name", "_plan", "_query", "_schemes", "components")

    def __init__(
        self,
        plan: Plan,
        query: Compiled | None = None,
        schemes: bool = False,
        adviser: Adviser | None = None,
    ) -> None:
        self._plan, self._query, self._schemes, self._adviser = plan, query, schemes, adviser
        self._alone = query is None and not schemes
        self._name = plan.grammar.name
        self.components: Callable[..., Mapping[str, Component]] = partial(components_of, plan)

    def report(self, text: str, most: int | None = None) -> Report:
        """The report of a text. Of more than ``most`` violations, the rest are counted, which takes
        less time. Cost: O(n). Spec: RFC 3986 §3, Appendix A and B.
        """
        plan, name = self._plan, self._name
        valid = bool(plan.match(text))
        if valid and (self._alone or self.accepts(text)):
            return Report(text, plan.rule, name, self.components, (), self._adviser, 0, self.report)
        reading = examine(plan, text, valid)
        blames = reading.blames if self._alone else self._beyond(text, reading)
        more = 0
        if most is not None and len(blames) > most:
            more = len(blames) - most
            blames = blames[:most]
        told = Explanations(text, reading, blames, more, self)
        violations = told.violations()
        given = text, plan.rule, name, told.components, violations, self._adviser, more
        return Report(*given, self.report, told.meant)

    def accepts(self, text: str) -> bool:
        """The verdict alone."""
        return accepts(self._plan.grammar, text, self._plan.rule, self._query, self._schemes)

    def mistake(self, text: str, more: int, told: Explanations) -> Meant | None:
        """The mistake of a text as a whole. Of other texts than URIs, none is known."""
        if not self._plan.is_of_uris:
            return None
        given = text, self._plan.rule, self._name, told.components, told.violations()
        report = Report(*given, self._adviser, more, self.report)
        found: Meant | None = from_above("recognize")(report, self._plan.is_whole)
        return found

    def _beyond(self, text: str, reading: Reading) -> list[Blame]:
        """All that is to blame, also against the query grammar and the rule of the scheme."""
        plan, query, blames = self._plan, self._query, reading.blames
        if query is not None:
            blames = _merged(blames, _of_query(reading.known, text, query, plan.query_path))
        if self._schemes:
            # Scheme-specific violations win over generic ones at the same place: they say more.
            blames = _merged(_of_scheme(text, reading.known, spans(plan, text)), blames)
        return blames


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


def _of_scheme(text: str, known: list[Place], spans: Spans) -> list[Blame]:
    """What the scheme's own rule blames, in the components that the text has."""
    own = _scheme_rule(text, spans)
    if own is None:
        return []
    reading = examine(plan_of(*own), _before_fragment(text, spans))
    if len(reading.known) == 1:  # read as one: the components are those of the generic syntax
        return [one._replace(component=_component_at(one, known)) for one in reading.blames]
    return reading.blames


def _component_at(blame: Blame, pieces: list[Place]) -> str:
    """The component of a blame: the one around it, or the one whose delimiter is there.

    What ends a scheme is the scheme's; any other delimiter is that of what comes after it.
    """
    found = pieces[0][0]
    for found, _, end in pieces:
        missing_at_end = blame.start == blame.end == end
        if blame.start < end + (found == SCHEME) or (missing_at_end and found != SCHEME):
            break
    return found


def _of_query(known: list[Place], text: str, query: Compiled, outer: Path) -> list[Blame]:
    """What a query grammar blames in the query; ``outer`` is the path to it."""
    placed: list[Blame] = []
    for component, start, end in known:
        if component == QUERY:
            reading = examine(plan_of(query, query.start), text[start:end])
            for blame in shifted(reading.blames, start):
                path = (*outer, *blame.path[blame.path[0] == outer[-1] :])
                placed.append(blame._replace(path=path).at(QUERY, query))
    return placed


def _merged(first: list[Blame], second: list[Blame]) -> list[Blame]:
    """All of the first, and what the second finds where the first blames nothing.

    A fix that only the second has for the same characters is the first's as well. Both are in
    text order. Cost: O(n) for n findings.
    """
    if not (first and second):
        return first or second
    encoded = {(f.start, f.end) for f in second if f.encodes}
    both = [
        *(f._replace(encodes=f.encodes or (f.start, f.end) in encoded) for f in first),
        *_beyond(first, second),
    ]
    both.sort(key=lambda p: (p.start, p.end))
    joined: list[Blame] = []
    for one in both:
        last = joined[-1] if joined else None
        # Both may be of one grammar, and then blame alike.
        if last and last.grammar.name == one.grammar.name and last.joins(one):
            joined[-1] = last.joined(one)
        else:
            joined.append(one)
    return joined


def _beyond(first: list[Blame], second: list[Blame]) -> Iterator[Blame]:
    """What is left of the second where the first blame nothing."""
    gaps = {f.start for f in first if f.start == f.end}
    blamed: list[tuple[int, int]] = []
    for start, end in ((f.start, f.end) for f in first):
        if start < end:
            adjacent = bool(blamed) and blamed[-1][1] == start
            blamed.append((blamed.pop()[0] if adjacent else start, end))
    at = 0
    for blame in second:
        while at < len(blamed) and blamed[at][1] <= blame.start:
            at += 1
        if blame.start == blame.end:
            inside = at < len(blamed) and blamed[at][0] < blame.start
            if blame.start not in gaps and not inside:
                yield blame
        low, next_ = blame.start, at
        while low < blame.end:
            start, end = blamed[next_] if next_ < len(blamed) else (blame.end, blame.end)
            if low < start:
                high = min(start, blame.end)
                yield blame._replace(start=low, end=high, absent="")
            low, next_ = end, next_ + 1
