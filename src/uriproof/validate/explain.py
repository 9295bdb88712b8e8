"""Explain: what is to blame, in words, with a fix where there is a safe one.

Owns what becomes of a blame: a violation. Imports the messages and the hints. Invariant: no fix
where a hint says that something else may be meant.
"""

from __future__ import annotations

from ..grammar.charset import MAX_REMEMBERED
from ..grammar.compiled import Compiled
from ..records import NamedTuple
from ..report import Fix, Violation
from .examine import Placed
from .recovery import Blame
from .words.hint import hint
from .words.messages import message

_OFTEN = 4
"""Characters that are often blamed together; more seldom come again."""


def explain(rule: str, text: str, placed: Placed) -> Violation:
    """The violation that a blame in a text is. Cost: O(length of what is blamed)."""
    blame, grammar, component = placed.blame, placed.grammar, placed.component
    start, end, path = blame.start, blame.end, blame.path
    found = text[start:end]
    meant = hint(grammar, rule, text, component, blame)
    words = _words(grammar, found, component, blame)
    fix = None
    if blame.fixes and not (meant and meant.instead):
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
        meant and meant.words,
    )


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
