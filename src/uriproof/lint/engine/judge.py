"""Verdicts on URLs that were found: what the profile accepts, and the violations of others.

Owns the choice of grammar and rule for a profile. Imports ``grammar``, ``validate`` and
``advice``, the latter two for a report. Invariant: there are violations exactly where the verdict
is false.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...advice import advise, is_usual
from ...grammar import registry
from ...grammar.compiled import Compiled
from ...report import Advice, Report, Violation
from ..found import Found

__all__ = ["Judge"]

_REMEMBERED = 4_096
"""Reports remembered: a licence's one bad URL stands in every file."""


_FILLINGS = ("1", "a", "")
"""A port and what a scheme begins with; no verdict depends on them."""


class Judge:
    """The verdicts of a profile on URLs: as URIs (RFC 3986), or IRIs (RFC 3987).

    With ``scheme_rules``, a URI is also validated against the grammar of its scheme; so is an IRI
    that is a URI, for the grammars of schemes are of URIs.
    """

    def __init__(self, iri: bool = False, scheme_rules: bool = False) -> None:
        self._iri = iri
        self._scheme_rules = scheme_rules
        self._grammar: Compiled = registry.load("rfc3987" if iri else "rfc3986")
        self._rules: dict[str, str] = {}
        self._matchers: dict[str, Callable[[str], Any]] = {}
        self._reports: dict[tuple[str, str], Report] = {}
        self._advice: dict[tuple[str, str, tuple[str, ...]], tuple[Advice, ...]] = {}

    def _rule(self, name: str) -> str:
        rule = self._rules.get(name)
        if rule is None:
            iri = name.replace("URI", "IRI")
            known = self._grammar.model.rules
            rule = iri if self._iri and iri in known else self._grammar.rule_name(name)
            self._rules[name] = rule
        return rule

    def accepts(self, found: Found) -> bool:
        """The verdict; some filling of the holes is enough. Cost: O(n)."""
        match = self._matchers.get(found.rule)
        if match is None:
            match = self._matchers[found.rule] = self._grammar.matcher(self._rule(found.rule))
        if found.holes:
            # Most templates are in order with any of these; the automaton tries every filling.
            if any(match(_filled(found, filling)) for filling in _FILLINGS):
                return True
            return not self.violations(found)
        if not match(found.text):
            return False
        return not self._scheme_rules or not self.report(found).violations

    def violations(self, found: Found) -> tuple[Violation, ...]:
        """The violations, outside of holes; offsets are those of the URL's text."""
        if not found.holes:
            return self.report(found).violations
        from ...validate.holes import check_holes

        return check_holes(self._grammar, found.text, self._rule(found.rule), found.holes)

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
            known = self._advice[key] = advise(self.report(found), codes)
        return known

    def report(self, found: Found) -> Report:
        """The report of a URL, holes or not. Cost: O(n) when it was not asked for lately."""
        key = found.text, found.rule
        report = self._reports.get(key)
        if report is None:
            if len(self._reports) >= _REMEMBERED:
                self._reports.clear()
            report = self._reports[key] = self._report(*key)
        return report

    def _report(self, text: str, name: str) -> Report:
        from ...validate.report import Constraints, make_report

        rule = self._rule(name)
        if not self._scheme_rules:
            return make_report(self._grammar, text, rule, adviser=advise)
        if not self._iri:
            return make_report(self._grammar, text, rule, Constraints(schemes=True), advise)
        report = make_report(self._grammar, text, rule, adviser=advise)
        if report.ok and text.isascii():
            uris = registry.load("rfc3986")
            return make_report(uris, text, uris.rule_name(name), Constraints(schemes=True), advise)
        return report


def _filled(found: Found, filling: str) -> str:
    """The text with the same filling in every hole."""
    pieces: list[str] = []
    at = 0
    for start, end in found.holes:
        pieces += found.text[at:start], filling
        at = end
    return "".join([*pieces, found.text[at:]])
