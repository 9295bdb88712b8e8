"""What the targets that keep a grammar's rules have in common.

Owns the order of the rules and the comment on each. Imports the model. Invariant: every rule that
can be reached from the first is there, once, in the order of its first mention.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar.charset import Ranges
from ...grammar.model import CharVal, Model, Rule, references

MAX_TEXT = 2_000_000
"""Characters of a rule written out: more is no longer read by anything."""


def reachable(model: Model, start: str) -> Iterator[Rule]:
    """The rules below a rule, itself first."""
    seen = {start}
    queue = [start]
    for name in queue:
        yield model.rules[name]
        for other in references(model.rules[name].element):
            if other not in seen:
                seen.add(other)
                queue.append(other)


def remark(rule: Rule) -> str:
    """What a rule is, and where it is from, in one line; where that is not known, its ABNF.

    >>> from uriproof.grammar.registry import load
    >>> remark(load("rfc3986").rule("port"))
    'the port, in decimal digits (rfc3986, section 3.2.3)'
    """
    section = f"{rule.grammar}, section {rule.section}" if rule.section else rule.grammar
    return " ".join((f"{rule.gloss} ({section})" if rule.gloss else rule.text).split())


def cased(element: CharVal) -> Iterator[tuple[str, Ranges | None]]:
    """A quoted string in runs: text that is meant as it is, or a letter in both its cases."""
    from ...grammar.charset import of_terminal

    run = ""
    for char, ranges in zip(element.text, of_terminal(element), strict=True):
        if ranges == ((ord(char), ord(char)),):
            run += char
            continue
        if run:
            yield run, None
        run = ""
        yield char, ranges
    if run:
        yield run, None
