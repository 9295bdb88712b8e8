"""Report: what a text violates of a rule, and of what else it is validated against.

Owns the contract of ``check``, in the order of this folder: a text is divided, examined and blamed
by the plan of its rule, and what is to blame is explained. Imports these steps. Invariant: no
violation exactly when all that the text is validated against accepts it; violations are sorted and
disjoint; applying all fixes, where every violation has one, gives an accepted text; there is no fix
where a hint says that something else may be meant, nor for what is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import groupby
from typing import TypeAlias

from ..grammar import registry
from ..grammar.compiled import Compiled
from ..plug_ins import from_above
from ..report import (
    Advice,
    Component,
    Fix,
    Meant,
    Report,
    Source,
    Suggestion,
    Told,
    Violation,
    spliced,
)
from ..text.invisible import hidden, hides
from .divide import Reading, spans
from .examine import SCHEME, components_of, examine
from .plan import Plan, Spans, plan_of
from .productions import QUERY, Path
from .recovery import Blame, add, shifted
from .words.hint import Hint, Place, hint
from .words.messages import OFTEN, remembered_words, words

FRAGMENT = "fragment"


Part: TypeAlias = tuple[str, int, int]
"""A component of a text: its name, its start and its end."""


def make_report(grammar: Compiled, text: str, rule: str, *, schemes: bool = False) -> Report:
    """The report of a text under a rule, in its canonical spelling; see ``Validation``."""
    return Validation(plan_of(grammar, rule), None, schemes).report(text)


class Validation(Source):
    """All that texts are validated against, and what makes their reports.

    ``query``: the query is also validated against the first start rule of that grammar.
    ``schemes``: all before the fragment also against the rule of its scheme, where a bundled
    grammar has one; a scheme says nothing of fragments (RFC 3986 §3.5).
    """

    __slots__ = ("_alone", "_query", "_schemes", "name", "plan")

    def __init__(self, plan: Plan, query: Compiled | None = None, schemes: bool = False) -> None:
        self.plan, self._query, self._schemes = plan, query, schemes
        self._alone = query is None and not schemes
        self.name: str = plan.grammar.name

    def report(self, text: str, most: int | None = None) -> Report:
        """The report of a text. Of more than ``most`` violations, the rest are counted, which takes
        less time. Cost: O(n). Spec: RFC 3986 §3, Appendix A and B.
        """
        plan = self.plan
        valid = bool(plan.match(text))
        if valid and (self._alone or self.accepts(text)):
            return Report(text, plan.rule, self.name, None, (), 0, None, None, self)
        reading = examine(plan, text, valid)
        blames = reading.blames if self._alone else self._beyond(text, reading)
        more = 0
        if most is not None and len(blames) > most:
            more = len(blames) - most
            blames = blames[:most]
        return Explanations(text, reading, blames, more, self).report()

    def accepts(self, text: str) -> bool:
        """The verdict alone: that of the matchers of all that the text is validated against."""
        if not self.plan.match(text):
            return False
        if self._alone:
            return True
        query, found = self._query, spans(self.plan, text)
        if query is not None and QUERY in found:
            start, end = found[QUERY]
            if not query.matcher(query.start)(text[start:end]):
                return False
        own = _scheme_rule(text, found) if self._schemes else None
        return own is None or bool(own[0].matcher(own[1])(_before_fragment(text, found)))

    def components(self, text: str) -> Mapping[str, Component]:
        return components_of(self.plan, text)

    def advice(self, report: Report) -> tuple[Advice, ...]:
        found: tuple[Advice, ...] = from_above("advise")(report)
        return found

    def suggestions(self, report: Report) -> tuple[Suggestion, ...]:
        found: tuple[Suggestion, ...] = from_above("suggestions")(report, self.report)
        return found

    def _beyond(self, text: str, reading: Reading) -> list[Blame]:
        """All that is to blame, also against the query grammar and the rule of the scheme."""
        plan, query, blames = self.plan, self._query, reading.blames
        if query is not None:
            blames = _merged(blames, _of_query(reading.known, text, query, plan.paths[QUERY]))
        if self._schemes:
            # Scheme-specific violations win over generic ones at the same place: they say more.
            blames = _merged(_of_scheme(text, reading.known, spans(plan, text)), blames)
        return blames


class Explanations(Source):
    """The violations of a text, and what is said of them, which is made when it is first read.

    Two threads can make the same twice, and get equal values. ``more`` others are only counted.
    """

    def __init__(
        self, text: str, reading: Reading, blames: list[Blame], more: int, validation: Validation
    ) -> None:
        self._text = text
        self._reading = reading
        self._blames = blames
        self._more = more
        self._validation = validation
        self._told: dict[int, Told] = {}

    def report(self) -> Report:
        """The report of the violations: their places, kinds and codes. Cost: O(n) for n of them."""
        text, validation = self._text, self._validation
        new = tuple.__new__
        number = 0
        found = []
        for start, end, kind, path, expected, _, _, component, _ in self._blames:
            place = start, end, text[start:end], component, path[-1], path, kind, expected
            found.append(new(Violation, (*place, f"{component}-{kind}", False, self, number)))
            number += 1  # noqa: SIM113 -- enumerate takes longer for one or two
        names = validation.plan.rule, validation.name
        return Report(text, *names, None, tuple(found), self._more, None, None, self)

    def components(self, _: str) -> Mapping[str, Component]:
        return self._components

    @cached_property
    def _components(self) -> Mapping[str, Component]:
        """The components of the text, which recognizing a mistake asks for as well."""
        return components_of(self._validation.plan, self._text, self._reading)

    def advice(self, report: Report) -> tuple[Advice, ...]:
        return self._validation.advice(report)

    def suggestions(self, report: Report) -> tuple[Suggestion, ...]:
        return self._validation.suggestions(report)

    @cached_property
    def meant(self) -> Meant | None:
        """The mistake of the text as a whole, if one is recognized; of other texts than URIs, none
        is known. Cost: O(n).
        """
        plan = self._validation.plan
        found: Meant | None = None
        if plan.is_whole or plan.rule in plan.grammar.model.components:
            found = from_above("recognize")(self.report(), plan.is_whole)
        return found

    def tell(self, number: int) -> Told:
        """What is said of a violation. Cost: O(n) for the first, then O(its length)."""
        told = self._told.get(number)
        if told is None:
            told = self._told[number] = self._tell(number)
        return told

    def _tell(self, number: int) -> Told:
        blame = self._blames[number]
        grammar, component = blame.grammar, blame.component
        found = self._text[blame.start : blame.end]
        about = self._hints[number]
        worded = remembered_words if len(found) <= OFTEN else words
        kind, path = blame.kind, blame.path
        known = worded(grammar, found, component, kind, path, blame.expected, blame.absent)
        said = None if about is None else about.words
        if self.meant is not None and self.meant.is_about(blame.start, blame.end):
            said = self.meant.reason
        message = known.message if about is None or not about.message else about.message
        return known._replace(message=message, fix=self._fixes[number], hint=said)

    @cached_property
    def _fixes(self) -> list[Fix | None]:
        """The fix of each violation, if it is safe. In a mistake, a fix would hide it."""
        if self.meant is None:
            made = [self._fix(number) for number in range(len(self._blames))]
            # The fixes of one component can be at odds with another: then there are none.
            partly = self._more or not all(made)
            if partly or self._validation.accepts(spliced(self._text, filter(None, made))):
                return made
        return [None] * len(self._blames)

    def _fix(self, number: int) -> Fix | None:
        """The replacement of what is blamed, unless something else might be meant."""
        blame = self._blames[number]
        replacement = blame.fix(self._text)
        # Encoded, a character that is not seen would be in the URI without anybody's notice.
        found = self._text[blame.start : blame.end]
        places = range(blame.start, blame.end) if hides(found) else ()
        if replacement is None or any(hidden(self._text, at) for at in places):
            return None
        about = self._hints[number]
        if about is not None and about.instead:
            return None
        return Fix(blame.start, blame.end, replacement)

    @cached_property
    def _hints(self) -> list[Hint | None]:
        """What to do about each violation, by itself. Cost: O(n) for n of them."""
        return [hint(Place(self._text, blame)) for blame in self._blames]


def _scheme_rule(text: str, spans: Spans) -> tuple[Compiled, str] | None:
    """The grammar and the rule that speak of the text's scheme (RFC 3986 §3.1: in any case)."""
    start, end = spans.get(SCHEME, (0, 0))
    known = registry.schemes().get(text[start:end].lower())
    return (registry.load(known[0]), known[1]) if known else None


def _before_fragment(text: str, spans: Spans) -> str:
    return text[: spans[FRAGMENT][0] - 1] if FRAGMENT in spans else text


def _of_scheme(text: str, known: list[Part], spans: Spans) -> list[Blame]:
    """What the scheme's own rule blames, in the components that the text has."""
    own = _scheme_rule(text, spans)
    if own is None:
        return []
    reading = examine(plan_of(*own), _before_fragment(text, spans))
    if len(reading.known) == 1:  # read as one: the components are those of the generic syntax
        return [one._replace(component=_component_at(one, known)) for one in reading.blames]
    return reading.blames


def _component_at(blame: Blame, pieces: list[Part]) -> str:
    """The component of a blame: the one around it, or the one whose delimiter is there.

    What ends a scheme is the scheme's; any other delimiter is that of what comes after it.
    """
    found = pieces[0][0]
    for found, _, end in pieces:
        missing_at_end = blame.start == blame.end == end
        if blame.start < end + (found == SCHEME) or (missing_at_end and found != SCHEME):
            break
    return found


def _of_query(known: list[Part], text: str, query: Compiled, outer: Path) -> list[Blame]:
    """What a query grammar blames in the query; ``outer`` is the path to it."""
    placed: list[Blame] = []
    for component, start, end in known:
        if component == QUERY:
            reading = examine(plan_of(query, query.start), text[start:end])
            for blame in shifted(reading.blames, start):
                path = (*outer, *blame.path[blame.path[0] == outer[-1] :])
                placed.append(blame._replace(path=path, component=QUERY, grammar=query))
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
    joined: list[Blame] = []
    for one in sorted(both, key=lambda p: (p.start, p.end)):
        add(joined, one)  # both may be of one grammar, and then blame alike
    return joined


def _beyond(first: list[Blame], second: list[Blame]) -> Iterator[Blame]:
    """What is left of the second where the first blame nothing."""
    gaps = {f.start for f in first if f.start == f.end}
    blamed = {at for f in first for at in range(f.start, f.end)}
    for one in second:
        inside = {one.start - 1, one.start} <= blamed
        if one.start == one.end and one.start not in gaps and not inside:
            yield one
        for is_blamed, places in groupby(range(one.start, one.end), blamed.__contains__):
            run = [*places]
            if not is_blamed:
                yield one._replace(start=run[0], end=run[-1] + 1, absent="")
