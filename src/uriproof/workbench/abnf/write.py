"""A grammar that was read, as a text again: its header and its own rules.

Owns the words of a header that is written. Imports the model. Invariant: who reads the text has the
rules, components, leaves, sections and glosses of the model; comments are not kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from textwrap import wrap

from ...grammar.model import Model, Rule
from ...grammar.read.abnf import NO_COMPONENT

WIDTH = 80
"""Columns of the words of a line of the header."""

_PROSE = re.compile(r"[^\s=]++\s*+=\s*+(<[A-Za-z0-9-]*+[^>A-Za-z0-9-][^>]*+>)\s*")
"""A rule that is only a prose value, and not the name of another in angle brackets."""


def to_abnf(model: Model) -> str:
    """A text of the same grammar; rules of other grammars are imported.

    Its own rules keep the spelling of their specification. Cost: O(size of the rules).

    >>> from uriproof.grammar.registry import load
    >>> print("\\n".join(to_abnf(load("key-value").model).splitlines()[3:8]))
    ; imports:    rfc3986 = pct-encoded unreserved
    ; imports:    rfc5234 = ALPHA DIGIT HEXDIG
    ; imports:    rfc3986 rfc5234
    ; starts:     query
    ; escape:     pct-encoded
    """
    own = [rule for rule in model.rules.values() if rule.grammar == model.name]
    header = [f"; {key + ':':<11} {words}".rstrip() for key, words in _header(model, own)]
    blocks = groupby(own, key=lambda rule: rule.section)
    rules = ["\n".join(rule.text for rule in block) for _, block in blocks]
    return "\n\n".join(["\n".join(header), *rules]) + "\n"


def _header(model: Model, own: list[Rule]) -> Iterator[tuple[str, str]]:
    """The key and the words of each line."""
    others = dict.fromkeys(r.grammar for r in model.rules.values() if r.grammar != model.name)
    cites = model.cites.get(model.name) or model.citation(own[0]._replace(section=""))
    yield "title", model.title
    yield "source", model.source
    yield "cites", cites
    for other in others:  # the first rule of a name counts, so that these go before the rest
        named = (name for name, rule in model.rules.items() if rule.grammar == other)
        yield from _lines("imports", named, f"{other} = ")
    yield from _lines("imports", others)
    if model.split:
        yield "split", model.split
    yield from _lines("starts", model.starts)
    for scheme, rule_name in model.schemes.items():
        yield "scheme", f"{scheme} = {rule_name}"
    if model.escape:
        yield "escape", model.escape
    for component, names in groupby(model.components, key=model.components.__getitem__):
        yield from _lines("component", names, f"{component} = ")
    yield from _lines("leaves", (name for name in model.rules if name in model.leaves))
    yield from _lines("fix", sorted(model.fixable) or [NO_COMPONENT])
    for rule in own:
        if prose := _PROSE.fullmatch(rule.text):
            yield "prose", f"{prose[1]} = {rule.element}"
    widest = max(len(rule.name) for rule in own)
    for rule in own:
        if rule.section or rule.gloss:
            yield "rule", f"{rule.name:<{widest}} {rule.section or '-':<5} {rule.gloss}"


def _lines(key: str, words: Iterable[str], before: str = "") -> Iterator[tuple[str, str]]:
    """So many words in lines that are not too long."""
    listed = " ".join(words)
    for line in wrap(listed, WIDTH, break_long_words=False, break_on_hyphens=False):
        yield key, before + line
