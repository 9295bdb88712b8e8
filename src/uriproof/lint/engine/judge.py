"""Verdicts on URLs that were found: what the profile accepts, and the violations of others.

Owns the choice of a rule for a URL. Imports the public face, and ``advice`` for a report.
Invariant: there are violations exactly where the verdict is false.

What is ASCII is an IRI exactly if it is a URI (RFC 3987 §2.2), so that only what is not ASCII is
ever validated as an IRI, and the grammar of IRIs is loaded for it alone.
"""

from __future__ import annotations

from typing import Any

from ...advice import advise, is_usual
from ...report import Advice, Report, Violation
from ...rule import Grammar, Rule
from ...text.passwords import Span
from ..found import Found, Kind
from .passwords import is_example, password

__all__ = ["Judge"]

_PASSWORD = "userinfo-password"  # noqa: S105 -- the code of an advice

_REMEMBERED = 4_096
"""Reports remembered: a licence's one bad URL stands in every file."""


_FILLINGS = ("1", "a", "")
"""A port and what a scheme begins with; no verdict depends on them."""


class Judge:
    """The verdicts of a profile on URLs: as URIs (RFC 3986), or IRIs (RFC 3987).

    The profile "auto" takes what the format says of a URL, which is ``kind`` where ``Found`` says
    nothing. With ``scheme_rules``, what is ASCII is also validated against the grammar of its
    scheme, for these are of URIs.
    """

    def __init__(
        self, profile: str = "auto", kind: Kind = "uri", scheme_rules: bool = False
    ) -> None:
        self._auto = profile == "auto"
        self._iri = (kind if self._auto else profile) == "iri"
        self._schemes = scheme_rules
        self._rules: dict[tuple[str, bool, bool], Rule] = {}
        self._reports: dict[tuple[str, str, bool], Report] = {}
        self._unfilled: dict[tuple[Any, ...], tuple[Violation, ...]] = {}
        self._advice: dict[tuple[str, str, tuple[str, ...]], tuple[Advice, ...]] = {}

    def rule(self, found: Found) -> str:
        """The rule that a URL is validated against."""
        return self._rule(found.rule, self._as_iri(found)).name

    def _as_iri(self, found: Found) -> bool:
        """Whether a URL is validated as an IRI."""
        if found.text.isascii():
            return False
        return found.profile == "iri" if self._auto and found.profile else self._iri

    def _rule(self, name: str, iri: bool, holes: bool = False) -> Rule:
        """The rule by the name that it has in the grammar of URIs.

        Of what has holes, no scheme rules are asked: they cannot be told from what fills them.
        """
        key = name, iri, holes
        rule = self._rules.get(key)
        if rule is None:
            grammar = Grammar.load("rfc3987" if iri else "rfc3986")
            own = name.replace("URI", "IRI") if iri else name
            known = own if own in grammar.rules else name
            schemes = self._schemes and not iri and not holes
            rule = self._rules[key] = Rule(known, grammar=grammar, schemes=schemes)
        return rule

    def accepts(self, found: Found) -> bool:
        """The verdict; some filling of the holes is enough. Cost: O(n)."""
        return self._accepts(found, self._as_iri(found))

    def lets_through(self, found: Found) -> bool:
        """Whether a URL that is accepted would not be, did its format not take IRIs. Cost: O(n)."""
        if not (self._auto and self._as_iri(found)):
            return False
        # What is not ASCII is no URI, unless a template fills in what is not.
        return not (found.holes and self._accepts(found, False))

    def _accepts(self, found: Found, iri: bool) -> bool:
        rule = self._rule(found.rule, iri, bool(found.holes))
        if not found.holes:
            return rule.is_valid(found.text)
        # Most templates are in order with any of these; the automaton tries every filling.
        if any(rule.is_valid(_filled(found, filling)) for filling in _FILLINGS):
            return True
        return not self._violations(found, iri)

    def violations(self, found: Found) -> tuple[Violation, ...]:
        """The violations, outside of holes; offsets are those of the URL's text."""
        return self._violations(found, self._as_iri(found))

    def _violations(self, found: Found, iri: bool) -> tuple[Violation, ...]:
        if not found.holes:
            return self._report(found.text, found.rule, iri).violations
        key = found.text, found.rule, iri, found.holes
        known = self._unfilled.get(key)
        if known is None:
            from ...validate.holes import check_holes

            if len(self._unfilled) >= _REMEMBERED:
                self._unfilled.clear()
            rule = self._rule(found.rule, iri, True)
            given = rule.grammar.compiled, found.text, rule.name, found.holes
            known = self._unfilled[key] = check_holes(*given)
        return known

    def advice(self, found: Found, codes: tuple[str, ...]) -> tuple[Advice, ...]:
        """The advice of these codes on a URL without holes; it need not be valid."""
        if found.holes or not codes:
            return ()
        if is_usual(found.text, codes):
            return ()
        key = found.text, found.rule, codes
        known = self._advice.get(key)
        if known is None:
            if len(self._advice) >= _REMEMBERED:
                self._advice.clear()
            report = self.report(found)
            known = advise(report, codes)
            if any(one.code == _PASSWORD for one in known) and is_example(report):
                known = tuple(one for one in known if one.code != _PASSWORD)
            self._advice[key] = known
        return known

    def report(self, found: Found) -> Report:
        """The report of a URL, holes or not. Cost: O(n) when it was not asked for lately."""
        return self._report(found.text, found.rule, self._as_iri(found))

    def hidden(self, found: Found) -> list[Span]:
        """Where in the file a password of a URL stands; all of a URL that cannot be reported."""
        if "@" not in found.text:
            return []
        try:
            span = password(self.report(found), found.holes)
        except Exception:
            return [(found.start, found.end)]
        return [] if span is None else [(found.offset(span[0]), found.offset(span[1]))]

    def _report(self, text: str, name: str, iri: bool) -> Report:
        key = text, name, iri
        report = self._reports.get(key)
        if report is None:
            if len(self._reports) >= _REMEMBERED:
                self._reports.clear()
            report = self._reports[key] = self._rule(name, iri).check(text)
        return report


def _filled(found: Found, filling: str) -> str:
    """The text with the same filling in every hole."""
    pieces: list[str] = []
    at = 0
    for start, end in found.holes:
        pieces += found.text[at:start], filling
        at = end
    return "".join([*pieces, found.text[at:]])
