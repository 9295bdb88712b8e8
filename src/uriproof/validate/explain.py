"""Explain: turns a blamed range into a Violation, with a fix if there is a safe one.

Owns the words of a violation. Imports the messages and the hints. Invariant: no fix
where a hint says that something else may be meant.
"""

from __future__ import annotations

from ..grammar.charset import MAX_REMEMBERED
from ..grammar.compiled import Compiled
from ..report import Fix, Violation
from .examine import LocatedBlame
from .recovery import Blame
from .words.hint import hint
from .words.messages import message
from .words.place import Place

_OFTEN = 4
"""Wordings are cached for runs of at most this many characters: longer runs seldom come again, and
would fill the cache."""


def explain(text: str, placed: LocatedBlame) -> Violation:
    """The violation that a blame in a text is. Cost: O(length of what is blamed)."""
    blame, grammar, component = placed.blame, placed.grammar, placed.component
    start, end, path = blame.start, blame.end, blame.path
    found = text[start:end]
    meant = hint(Place(grammar, text, component, blame))
    words = _words(grammar, found, component, blame)
    fix = None
    if blame.fixes and (meant is None or not meant.instead):
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
        words.grammar,
        words.rule,
        words.source,
        None if meant is None else meant.words,
    )


class _Words:
    """What is said alike of all violations of the same characters against one production."""

    __slots__ = ("code", "grammar", "message", "rule", "section", "source")

    def __init__(self, grammar: Compiled, found: str, component: str, blame: Blame) -> None:
        kind, production = blame.kind, blame.path[-1]
        rule = grammar.rule(production)
        self.message = message(kind, found, component, production, blame.expected, blame.absent)
        self.code = f"{component}-{kind}"
        self.section = grammar.model.citation(rule)
        self.grammar = grammar.name
        self.rule = rule.text
        self.source = f"{rule.file}:{rule.line}"


def _words(grammar: Compiled, found: str, component: str, blame: Blame) -> _Words:
    """The words for a violation; those for a few characters are remembered."""
    known: dict[object, _Words] | None = grammar.cache.get(_words)
    if known is None or len(known) > MAX_REMEMBERED:
        known = grammar.cache[_words] = {}
    key = found, component, blame.kind, blame.path, blame.expected, blame.absent
    made = known.get(key)
    if made is None:
        made = _Words(grammar, found, component, blame)
        if len(found) <= _OFTEN:
            known[key] = made
    return made
