"""Words that a grammar quotes: where they are expected, and where a wrong one ends.

Owns what a word is. Imports the sets of states. Invariant: a word is quoted in one piece, and
begins and ends with a letter or digit; no other letter or digit can follow it, or stand in its
place. So everybody sees where a wrong one ends: ``foo`` in ``scope=foo;1``.
"""

from __future__ import annotations

import re
from sys import maxsize
from typing import NamedTuple

from ...grammar.compiled import Compiled
from ...grammar.machine.trace import Item
from ...grammar.model import CharVal, Element, NumVal, inside
from ...grammar.remember import per_grammar
from ...limits import MAX_WORD
from ...text.patterns import lazy
from ..states import Node, Run, Words, per_node

_LETTERS = lazy(r"\w+")
_QUOTED = lazy(r"(\W*)(\w(?:\W?\w)*)\W*")
"""A word in a quoted text, and what precedes it: ``text/plain`` has one, ``http://www`` none."""
_ASCII = "".join(c for c in map(chr, range(0x80)) if c.isalnum() or c == "_")
"""What ``\\w`` has of ASCII."""


@per_grammar
def quoted(grammar: Compiled) -> dict[str, re.Match[str]]:
    """The texts with a word that a grammar quotes: what precedes it, and the word.

    By their ABNF, and by the rule that is just that text. Cost: O(size of the grammar).
    """
    rules = grammar.model.rules.values()
    found = {str(e): _text(e) for rule in rules for e in inside(rule.element)}
    found |= {rule.name: _text(rule.element) for rule in rules}
    return {abnf: match for abnf, text in found.items() if (match := _QUOTED.fullmatch(text))}


def _text(element: Element) -> str:
    match element:
        case CharVal(text):
            return text
        case NumVal(points, False):
            return "".join(map(chr, points))
        case _:
            return ""


def begun(grammar: Compiled, expected: Words, text: str, at: int) -> int:
    """Where a word begins that is read up to an offset; that offset, if none is."""
    texts = (quoted(grammar)[abnf] for abnf in expected if abnf in quoted(grammar))
    words = (match for match in texts if len(match[2]) > 1)  # of one letter, none is read yet
    starts = ((s, match) for match in words for s in range(max(at - len(match[2]), 0), at))
    return next((s for s, match in starts if _fits(text, s, at, *match.groups())), at)


class Choice(NamedTuple):
    """The words to choose from in a node, each after what precedes it in its quoted text.

    ``after`` is the node after any of them, ``expected`` their ABNF.
    """

    words: list[tuple[str, ...]]
    after: Node
    path: Words
    expected: Words


@per_node
def choice(node: Node) -> Choice | None:
    """The words to choose from in a node; None if another letter or digit can be read."""
    known = quoted(node.sets.grammar)
    items = _lettered(node)
    words = [known[item.word].groups() for item in items if item.word in known]
    if len(words) < len(items) or all(len(word) == 1 for _, word in words):
        return None
    ends = [(node.run(node.sets.encode(word)), len(word)) for _, word in words]
    states = frozenset(s for run, size in ends if run.at == size for s in run.node.states)
    after = node.sets.node(states)
    expected = tuple(dict.fromkeys(item.word for item in items))
    if any(not i.inside or i.word not in expected for i in _lettered(after)):
        return None
    return Choice(words, after, node.described[0], expected) if states else None


def _lettered(node: Node) -> list[Item]:
    """The possible next items that begin with a letter or digit."""
    letters = frozenset(node.sets.encode(_ASCII))
    return [item for item in node.every_item if not letters.isdisjoint(item.classes)]


def wrong_word(run: Run, classes: list[int], text: str) -> tuple[int, int, Choice] | None:
    """The start and the end of a word that is not one of those expected, and these.

    What was read of it is the beginning of one of them, or one that goes on.
    """
    if not letters(text, run.at):
        return None
    begin = max(run.since, run.at - MAX_WORD)
    node = run.origin.run(classes[run.since : begin]).node
    for start in range(begin, run.at + 1):
        words = choice(node)
        if words and any(_fits(text, start, run.at, *word) for word in words.words):
            return start, _end(words.after, classes, text, run.at), words
        node = node.step(classes[start]) or node
    return None


def _end(after: Node, classes: list[int], text: str, at: int) -> int:
    """The end of the letters of a word, or further on where what follows a word can be read."""
    first = end = at + letters(text, at)
    while end < len(text) and not after.step(classes[end]):
        more = letters(text, end + 1, first + MAX_WORD)
        if not more:
            return first
        end += 1 + more
    return end


def letters(text: str, start: int, end: int = maxsize) -> int:
    """The number of letters and digits from an offset on."""
    found = _LETTERS.match(text, start, end)
    return found.end() - start if found else 0


def _fits(text: str, start: int, end: int, before: str, word: str) -> bool:
    """Whether what is read of a text begins a word, after what precedes that."""
    lead = text[max(start - len(before), 0) : start]
    return lead == before and word.lower().startswith(text[start:end].lower())
