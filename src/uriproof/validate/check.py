"""The report of a text under a rule, and under what else it is to be held to.

Owns the contract of ``check``. Imports what examines one rule, and its words. Invariant: no
violation exactly when all that the text is held to accepts it; violations are sorted and
disjoint; applying all fixes, where every violation has one, gives an accepted text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from ..grammar import registry
from ..grammar.charset import MAX_REMEMBERED
from ..grammar.compiled import Compiled
from ..records import NamedTuple
from ..report import Advice, Fix, Report, Violation
from .blame import Blame
from .examine import SCHEME, Examiner, Finding, components, examiner
from .hints import hint
from .messages import message
from .productions import QUERY, Path, shifted
from .split import Piece, Spans

FRAGMENT = "fragment"


class Beside(NamedTuple):
    """What a text is held to beside the rule.

    ``query``: the query component, to the first start rule of that grammar. ``schemes``: all
    before the fragment, to the rule of its scheme, where a bundled grammar has one; a scheme says
    nothing of fragments (RFC 3986 §3.5).
    """

    query: Compiled | None = None
    schemes: bool = False


NOTHING = Beside()

Adviser: TypeAlias = Callable[[Report], tuple[Advice, ...]]


def check(
    grammar: Compiled,
    text: str,
    rule: str,
    beside: Beside = NOTHING,
    adviser: Adviser | None = None,
) -> Report:
    """The report of a text under a rule, in its canonical spelling. Cost: O(n).

    ``adviser`` is what the report will ask for advice. Spec: RFC 3986 §3, Appendix A and B.
    """
    return report(examiner(grammar, rule), text, beside, adviser)


def report(
    examiner: Examiner,
    text: str,
    beside: Beside = NOTHING,
    adviser: Adviser | None = None,
    valid: bool | None = None,
) -> Report:
    """The report of a text under the rule of an examiner; ``valid``, if known. Cost: O(n)."""
    rule, name = examiner.rule, examiner.grammar.name
    if valid is None:
        valid = bool(examiner.match(text))
    if valid and (beside is NOTHING or accepts(examiner.grammar, text, rule, beside)):
        return Report(text, rule, name, examiner.components, (), adviser)
    reading, findings = examiner.examine(text, valid)
    found = partial(components, reading)
    if beside.query is not None:
        findings = _merged(
            findings, _of_query(reading.parts, text, beside.query, examiner.query_path)
        )
    if beside.schemes:
        # The scheme's own words come first: they say more of the same violation.
        findings = _merged(_of_scheme(text, reading.parts, examiner.spans(text)), findings)
    violations = tuple([_violation(rule, text, finding) for finding in findings])
    made = Report(text, rule, name, found, violations, adviser)
    fixed = made.fixed
    if fixed is not None and not accepts(examiner.grammar, fixed, rule, beside):
        # The fixes of one component can be at odds with another: then there are none.
        violations = tuple([v._replace(fix=None) for v in violations])
        return Report(text, rule, name, found, violations, adviser)
    return made


def accepts(grammar: Compiled, text: str, rule: str, beside: Beside = NOTHING) -> bool:
    """The verdict alone: that of the matchers of all that the text is held to."""
    if not grammar.matcher(rule)(text):
        return False
    if beside == NOTHING:
        return True
    spans = examiner(grammar, rule).spans(text)
    if beside.query is not None and QUERY in spans:
        start, end = spans[QUERY]
        if not beside.query.matcher(beside.query.start)(text[start:end]):
            return False
    held = _scheme_rule(text, spans) if beside.schemes else None
    return held is None or bool(held[0].matcher(held[1])(_before_fragment(text, spans)))


def _scheme_rule(text: str, spans: Spans) -> tuple[Compiled, str] | None:
    """The grammar and the rule that speak of the text's scheme (RFC 3986 §3.1: in any case)."""
    start, end = spans.get(SCHEME, (0, 0))
    known = registry.schemes().get(text[start:end].lower())
    return (registry.load(known[0]), known[1]) if known else None


def _before_fragment(text: str, spans: Spans) -> str:
    return text[: spans[FRAGMENT][0] - 1] if FRAGMENT in spans else text


def _of_scheme(text: str, parts: list[Piece], spans: Spans) -> list[Finding]:
    """What the scheme's own rule blames, in the components that the text has."""
    held = _scheme_rule(text, spans)
    if held is None:
        return []
    own, found = examiner(*held).examine(_before_fragment(text, spans))
    if len(own.parts) == 1:  # read as one: the components are those of the generic syntax
        for finding in found:
            finding.component = _component_at(finding.blame, parts)
    return found


def _component_at(blame: Blame, parts: list[Piece]) -> str:
    """The component of a blame: the one around it, or the one whose delimiter is there.

    What ends a scheme is the scheme's; any other delimiter is that of what comes after it.
    """
    found = parts[0].component
    for part in parts:
        found = part.component
        missing_at_end = blame.start == blame.end == part.end
        if blame.start < part.end + (found == SCHEME) or (missing_at_end and found != SCHEME):
            break
    return found


def _of_query(parts: list[Piece], text: str, query: Compiled, outer: Path) -> list[Finding]:
    """What a query grammar blames in the query; ``outer`` is the path to it."""
    findings: list[Finding] = []
    for part in parts:
        if part.component == QUERY:
            _, found = examiner(query, query.start).examine(text[part.start : part.end])
            for blame in shifted([finding.blame for finding in found], part.start):
                blame.path = (*outer, *blame.path[blame.path[0] == outer[-1] :])
                findings.append(Finding(QUERY, blame, query))
    return findings


def _merged(first: list[Finding], second: list[Finding]) -> list[Finding]:
    """All of the first, and what the second finds where the first blames nothing.

    A fix that only the second has for the same characters is the first's as well. Both are in
    text order. Cost: O(n) for n findings.
    """
    if not (first and second):
        return first or second
    fixes = {(f.blame.start, f.blame.end): f.blame.fixes for f in second}
    for finding in first:
        blame = finding.blame
        blame.fixes = blame.fixes or fixes.get((blame.start, blame.end))
    findings = [*first, *_beyond(first, second)]
    findings.sort(key=lambda f: (f.blame.start, f.blame.end))
    joined: list[Finding] = []
    for finding in findings:
        last = joined[-1] if joined else None
        # Both may be of one grammar, and then blame alike.
        if last and last.grammar.name == finding.grammar.name and last.blame.joins(finding.blame):
            last.blame.join(finding.blame)
        else:
            joined.append(finding)
    return joined


def _beyond(first: list[Finding], second: list[Finding]) -> Iterator[Finding]:
    """What is left of the second where the first blame nothing."""
    gaps = {f.blame.start for f in first if f.blame.start == f.blame.end}
    blamed: list[tuple[int, int]] = []
    for start, end in ((f.blame.start, f.blame.end) for f in first):
        if start < end:
            adjacent = bool(blamed) and blamed[-1][1] == start
            blamed.append((blamed.pop()[0] if adjacent else start, end))
    at = 0
    for finding in second:
        blame = finding.blame
        while at < len(blamed) and blamed[at][1] <= blame.start:
            at += 1
        if blame.start == blame.end:
            inside = at < len(blamed) and blamed[at][0] < blame.start
            if blame.start not in gaps and not inside:
                yield finding
        low, next_ = blame.start, at
        while low < blame.end:
            start, end = blamed[next_] if next_ < len(blamed) else (blame.end, blame.end)
            if low < start:
                high = min(start, blame.end)
                fixes = blame.fixes and blame.fixes[low - blame.start : high - blame.start]
                part = Blame(low, high, blame.kind, blame.path, blame.expected, fixes)
                yield Finding(finding.component, part, finding.grammar)
            low, next_ = end, next_ + 1


def _violation(rule: str, text: str, finding: Finding) -> Violation:
    blame, grammar, component = finding.blame, finding.grammar, finding.component
    start, end, path = blame.start, blame.end, blame.path
    found = text[start:end]
    told = hint(grammar, rule, text, component, blame)
    words = _words(grammar, found, component, blame)
    fix = None
    if blame.fixes and not (told and told.instead):
        fix = Fix(start, end, "".join(blame.fixes))
    return Violation(
        start,
        end,
        found,
        component,
        path[-1],
        path,
        blame.kind,
        blame.expected,
        words.message,
        words.code,
        fix,
        words.section,
        grammar.name,
        words.rule,
        words.source,
        told and told.words,
    )


_OFTEN = 4
"""Characters that are often blamed together; more seldom come again."""


class _Words(NamedTuple):
    """What is said alike of all violations of the same characters against one production."""

    message: str
    code: str
    section: str
    rule: str
    source: str


def _words(grammar: Compiled, found: str, component: str, blame: Blame) -> _Words:
    """The words for a violation; those for a few characters are remembered."""
    known: dict[object, _Words] | None = grammar.cache.get(_words)
    if known is None or len(known) > MAX_REMEMBERED:
        known = grammar.cache[_words] = {}
    key = found, component, blame.kind, blame.path, blame.expected, blame.absent
    made = known.get(key)
    if made is None:
        production = blame.path[-1]
        rule = grammar.rule(production)
        made = _Words(
            message(blame.kind, found, component, production, blame.expected, blame.absent),
            f"{component}-{blame.kind}",
            grammar.model.citation(rule),
            rule.text,
            f"{rule.file}:{rule.line}",
        )
        if len(found) <= _OFTEN:
            known[key] = made
    return made
