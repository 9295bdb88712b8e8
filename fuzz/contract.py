"""What every report promises, whatever the text, the rule and the grammar.

Owns the promises that the targets share. Imports the public face and the compiled grammars.
Invariant: nothing here knows what a URI is; the machines are only compared with each other.
"""

from __future__ import annotations

import json

from uriproof import InvalidURI, Report, Rule

from .harness import hold

_PARSED = 200  # code points of the longest text that is parsed, too
_FIXED = 30  # the most violations to leave unfixed one by one


def checked(rule: Rule, text: str) -> Report:
    """The report of a text, after all that it promises has been checked."""
    report = rule.check(text)
    hold(report.text == text, "text is the text")
    hold(rule.is_valid(text) is report.ok, "is_valid is ok")
    if rule.query is None:
        automaton = rule.grammar.automaton(rule.name)
        hold(automaton.accepts(text) is report.ok, "the automaton is ok")
    _required(rule, report)
    _placed(report)
    _fixed(rule, report)
    hold(bool(str(report)), "a report can be printed")
    shown = json.loads(json.dumps(report.to_dict()))
    masked = report.masked().text
    hold(shown["text"] == masked and shown["ok"] is report.ok, "a report goes through JSON")
    return report


def _required(rule: Rule, report: Report) -> None:
    try:
        same = rule.require(report.text)
    except InvalidURI as error:
        hold(error.report == report, "require has the same report")
        return
    hold(report.ok and same is report.text, "require gives the text back")
    if len(report.text) <= _PARSED:
        tree = rule.parse(report.text)
        leaves = "".join(str(t) for t in tree.scan_values(lambda _: True))
        hold(leaves == report.text, "the tokens of the tree are the text")


def _placed(report: Report) -> None:
    """Violations and components: in the text, sorted, disjoint, with the words they need."""
    text, end = report.text, 0
    for v in report.violations:
        hold(end <= v.start <= v.end <= len(text), "violations are sorted and disjoint")
        hold((v.start == v.end) is (v.kind == "missing"), "what is missing has no width")
        hold(v.found == text[v.start : v.end], "found is what stands there")
        hold(v.path[-1] == v.production and bool(v.message), "a violation has its words")
        end = v.end
    for c in report.components.values():
        hold(0 <= c.start <= c.end <= len(text), "components are in the text")
        hold(c.text == text[c.start : c.end], "a component's text stands there")
    for a in report.advice:
        hold(0 <= a.start <= a.end <= len(text), "advice is in the text")


def _fixed(rule: Rule, report: Report) -> None:
    """All fixes make the text valid, and none could have been left out."""
    if report.ok or report.fixed is None:
        return
    hold(rule.is_valid(report.fixed), "what is fixed is valid")
    for left in report.violations[:_FIXED]:
        text = report.text
        for v in reversed(report.violations):
            if v is not left and v.fix is not None:
                text = v.fix.apply(text)
        hold(not rule.is_valid(text), "every violation is needed")
