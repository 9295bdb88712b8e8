"""Explain: turns a blamed range into a Violation, with a fix if there is a safe one.

Owns the words of a violation. Imports the messages and the hints. Invariant: no fix
where a hint says that something else may be meant, nor for what is not seen.
"""

from __future__ import annotations

from typing import NamedTuple

from ..grammar.compiled import Compiled
from ..grammar.remember import per_grammar
from ..report import Fix, Kind, Violation
from ..text.invisible import hidden, hides
from .examine import LocatedBlame
from .productions import Path
from .words.hint import Place, hint
from .words.messages import message
from .words.quoted import quoted

_OFTEN = 4
"""Wordings are cached for runs of at most this many characters: longer runs seldom come again, and
would fill the cache."""


def explain(text: str, placed: LocatedBlame) -> Violation:
    """The violation that a blame in a text is. Cost: O(length of what is blamed)."""
    blame, grammar, component = placed.blame, placed.grammar, placed.component
    start, end, path = blame.start, blame.end, blame.path
    found = text[start:end]
    meant = hint(Place(grammar, text, component, blame))
    worded = _remembered if len(found) <= _OFTEN else _words
    words = worded(grammar, found, component, blame.kind, path, blame.expected, blame.absent)
    fix = None
    if blame.fixes and (meant is None or not meant.instead) and not _hides(text, start, end):
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
        words.message if meant is None or not meant.message else meant.message,
        words.code,
        fix,
        words.section,
        words.grammar,
        words.rule,
        words.source,
        None if meant is None else meant.words,
    )


def _hides(text: str, start: int, end: int) -> bool:
    """Whether a character is not seen: encoded, it would be in the URI without anybody's notice."""
    return hides(text[start:end]) and any(hidden(text, at) for at in range(start, end))


class _Words(NamedTuple):
    """What is said alike of all violations of the same characters against one production."""

    message: str
    code: str
    section: str
    grammar: str
    rule: str
    source: str


def _words(
    grammar: Compiled,
    found: str,
    component: str,
    kind: Kind,
    path: Path,
    expected: Path,
    absent: str,
) -> _Words:
    """The words for a violation."""
    rule = grammar.rule(path[-1])
    texts = quoted(grammar)
    expected = tuple([f'"{texts[e][0]}"' if e in texts else e for e in expected])
    absent = " ".join([f'"{texts[e][0]}"' if e in texts else e for e in absent.split(" ")])
    return _Words(
        message(kind, found, component, rule.name, expected, absent),
        f"{component}-{kind}",
        grammar.model.citation(rule),
        grammar.name,
        rule.text,
        f"{rule.file}:{rule.line}",
    )


_remembered = per_grammar(_words)
