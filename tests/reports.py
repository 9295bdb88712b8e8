"""What every report is, whatever the grammar and the text: the properties that tests share.

Owns these properties. Imports the report's types and the automata.
"""

from __future__ import annotations

from uriproof.grammar.machine.automaton import DEAD, Automaton
from uriproof.report import Report, Violation


def well_formed(report: Report) -> None:
    """Sorted, disjoint, in the text; adjacent ones differ; every word of a violation is there."""
    before: Violation | None = None
    for v in report.violations:
        assert 0 <= v.start <= v.end <= len(report.text), v
        assert v.found == report.text[v.start : v.end]
        assert (v.start == v.end) is (v.kind == "missing"), v
        assert v.code == f"{v.component}-{v.kind}"
        assert v.path[-1] == v.production, v
        assert v.rule.lower().startswith(v.production.lower()), v
        assert v.message, v
        assert v.section, v
        assert v.expected or v.kind != "missing", v
        if before is not None:
            assert before.end <= v.start
            alike = (before.grammar, before.component, before.production, before.kind)
            touching = before.end == v.start and before.start < before.end
            if v.start < v.end and touching:
                assert alike != (v.grammar, v.component, v.production, v.kind)
        before = v


def viable(automaton: Automaton, text: str) -> int:
    """The length of the longest beginning that some accepted text has, too."""
    state = 0
    for at, class_ in enumerate(automaton.alphabet.encode(text)):
        state = automaton.rows[state][class_]
        if state == DEAD:
            return at
    return len(text)
