"""The stored forms of a grammar for speed, and the short form of expressions.

Owns the choice of traces: those that explain texts of the start rules; any other is made on demand;
and the expressions that take little time to compile. Imports the grammars. Invariant: replacing
every «number» in a short form by the part of that number gives the expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from uriproof.grammar.charset import ANY, EMPTY, Alphabet, Ranges, minus, overlap
from uriproof.grammar.compile import rx
from uriproof.grammar.compile.shapes import Slot, listed, shapes
from uriproof.grammar.compile.to_regex import expression, members, print_regex
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.machine.automaton import DEAD, Automaton, minimal

BEYOND_ASCII = ((0x80, 0x10FFFF),)
MARKED = ((0x100, 0xFFFF),)
"""Code points of a class that ``re`` marks one by one in a table."""
WORTH_QUICK = 1 << 15
"""Code points that ``re`` marks for one class before it is worth to do without the class."""
LONGEST_WORD = 3
"""Characters of a text in the place of others; an escape has as many."""
VISIBLE = [chr(code) for code in range(0x21, 0x7F) if chr(code) != "\\"]
"""The characters of such a text: a backslash means something in a replacement."""
SHORTEST = 24
"""Characters of a group that is worth a name of its own."""

_PIECE = re.compile(r"\[(?:\\.|[^\]\\])*\]|\((?:\?[:>])?|\\.|.", re.DOTALL)


def blamed(grammar: Compiled) -> frozenset[str]:
    """The rules by whose traces texts of the start rules, and of schemes, are read."""
    model = grammar.model
    if model.split is None and not model.components:
        return frozenset()
    rules = (*model.starts, *model.schemes.values())
    waiting = [production for rule in rules for production in _productions(grammar, rule)]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        enclosed = _enclosed(grammar, name)
        division = listed(model, name)
        if enclosed:
            found |= enclosed
        elif name not in found:
            found.add(name)
            waiting += [division[0]] if division else []
    return frozenset(name for name in found if grammar.regular(name))


def _productions(grammar: Compiled, rule: str) -> Iterator[str]:
    """The productions that texts of a rule are validated against: its components, or itself."""
    model = grammar.model
    found = shapes(model, rule) if model.split and rule not in model.components else ()
    names = dict.fromkeys(slot.path[-1] for s in found for slot in s.slots if not slot.text)
    for name in names or (rule,):
        yield from grammar.alternatives(name)


def _enclosed(grammar: Compiled, rule: str) -> frozenset[str]:
    """The productions of a component between two delimiters (RFC 3986: IP-literal), or none."""
    found = shapes(grammar.model, rule) if rule in grammar.model.components else ()
    inner: set[str] = set()
    for shape in found:
        match shape.parts:
            case (str(), Slot(path=path), str()):
                inner.add(path[-1])
            case _:
                return frozenset()
    return frozenset(inner)


def shared_parts(expressions: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The expressions in short, and their parts: their repeated sets and groups.

    A part can name others that come after it.
    """
    texts = list(expressions.values())
    parts: list[str] = []
    while True:
        name = f"«{len(parts)}»"
        counts: dict[str, int] = {}
        for text in (*texts, *parts):
            for group in _groups(text):
                counts[group] = counts.get(group, 0) + 1
        gains = {g: (n - 1) * (len(g) - len(name)) for g, n in counts.items()}
        best = max(sorted(gains), key=gains.__getitem__, default="")
        if gains.get(best, 0) < SHORTEST:
            return dict(zip(expressions, texts, strict=True)), parts
        texts = [text.replace(best, name) for text in texts]
        parts = [*(part.replace(best, name) for part in parts), best]


def _groups(text: str) -> Iterator[str]:
    """The sets and groups of an expression that are long enough to be named."""
    opened: list[int] = []
    for found in _PIECE.finditer(text):
        piece, (start, end) = found[0], found.span()
        if piece[0] == "(":
            opened.append(start)
        elif piece[0] in "[)":
            start = start if piece[0] == "[" else opened.pop()
            if end - start >= SHORTEST:
                yield text[start:end]


def quoted(text: str) -> str:
    """An expression as a literal of Python that reads like it."""
    quote = next((q for q in "'\"" if q not in text), None)
    return repr(text) if quote is None or text.endswith("\\") else f"r{quote}{text}{quote}"


def spelled_otherwise(compiled: Compiled, rule: str) -> tuple[str, str] | None:
    """An expression of runs of non-ASCII characters, and an ASCII text that leads to the same state
    as each such run, from every state of the rule's automaton; None if there are few, or none.

    A class with most of Unicode takes ``re`` milliseconds, for it marks each code point up to
    U+FFFF; with its complement, it marks a seventh as many.
    """
    if compiled.regex(rule) is None:
        return None
    alphabet, rows = compiled.automaton(rule)[:2]
    same = tuple(range(len(rows)))

    def after(states: tuple[int, ...], class_: int) -> tuple[int, ...]:
        return tuple(DEAD if state < 0 else rows[state][class_] for state in states)

    alike: dict[tuple[int, ...], list[int]] = {}
    for class_ in range(alphabet.size):
        ends = after(same, class_)
        if after(ends, class_) == ends != (DEAD,) * len(rows):  # a run is as good as one
            alike.setdefault(ends, []).append(class_)
    chars = {alphabet.of(char): char for char in reversed(VISIBLE)}
    words = {same: ""}
    last = [same]
    for _ in range(LONGEST_WORD):
        found = {after(e, class_): words[e] + chars[class_] for e in last for class_ in chars}
        last = [ends for ends in found if ends not in words]
        words = {**found, **words}
    for ends, classes in alike.items():
        ranges = (part for class_ in classes for part in alphabet.ranges(class_))
        far = minus(tuple(sorted(ranges)), minus(ANY, BEYOND_ASCII))
        marks = minus(far, minus(far, MARKED))
        if ends in words and sum(high - low for low, high in marks) >= WORTH_QUICK:
            others = members(minus(ANY, far), lambda point: f"\\U{point:08x}")
            return f"[^{others}]+", words[ends]
    return None


def ascii_regex(compiled: Compiled, rule: str) -> str | None:
    """The expression for ASCII texts, if it serves for others too."""
    if spelled_of(compiled, rule) is None:
        return None
    left = rx.without(_expression(compiled, rule), BEYOND_ASCII)
    return None if left is None or not rx.bounded(left) else print_regex(left, EMPTY)


def _expression(compiled: Compiled, rule: str) -> rx.Rx:
    return expression(compiled.model, rule, compiled.alternatives)


spelled_of = cache(spelled_otherwise)
ascii_of = cache(ascii_regex)


def without(automaton: Automaton, gone: Ranges) -> Automaton:
    """The automaton of the same texts, less those that hold any of some code points.

    Cost: that of making it minimal.
    """
    old = automaton.alphabet
    alphabet = Alphabet([gone, *map(old.ranges, range(old.size))])
    found = [alphabet.ranges(class_) for class_ in range(alphabet.size)]
    rows = [
        [DEAD if not f or overlap(f, gone) else row[old.of(chr(f[0][0]))] for f in found]
        for row in automaton.rows
    ]
    return minimal(alphabet, rows, set(automaton.accepting))
