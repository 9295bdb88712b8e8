"""Grammars drawn at random, and what each rule of one accepts, by brute force.

Owns the oracle: the texts that a rule accepts, up to a length, as plain sets of texts, from the
meaning of the seven kinds of element alone (RFC 5234 §2-3). Imports the model. Invariant: nothing
of the compilers is used; a set of texts is right by its definition, and small enough to be made.
"""

from __future__ import annotations

from itertools import product
from random import Random

from uriproof.grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    Rule,
    RuleRef,
)

ALPHABET = "abcB\u00e9"
"""Two cases of a letter, letters that ranges divide, and one beyond ASCII."""


def grammar(random: Random) -> str:
    """ABNF of one to three rules, of which the first is the start; few are circular."""
    return written(grown(random, circular=random.random() < 0.08))


def written(elements: dict[str, Element]) -> str:
    """The grammar of some elements, as a text."""
    return "".join(f"{name} = {element}\n" for name, element in elements.items())


def grown(random: Random, *, circular: bool = True) -> dict[str, Element]:
    """The elements of one to three rules, of which the first is the start.

    A number of terminals is divided among parts until each has one, so that trees of every shape
    come. Every rule may be empty, lead to every other and to itself or, if not circular, to those
    after it, and be reached behind a count of 0 only.
    """
    names = [f"r{i}" for i in range(random.randint(1, 3))]
    return {
        name: _grown(random, names if circular else names[at:], random.randint(1, 6))
        for at, name in enumerate(names, 1)
    }


def _grown(random: Random, names: list[str], size: int) -> Element:
    if size == 1:
        is_leaf = not names or random.random() < 0.7
        leaf = random.choice(LEAVES) if is_leaf else RuleRef(random.choice(names))
        return Repetition(leaf, *random.choice(BOUNDS)) if random.random() < 0.3 else leaf
    cut = random.randint(1, size - 1)
    parts = tuple(_grown(random, names, part) for part in (cut, size - cut))
    made: Element = Alternation(parts) if random.random() < 0.4 else Concatenation(parts)
    return Repetition(made, *random.choice(BOUNDS)) if random.random() < 0.35 else made


LEAVES: tuple[Element, ...] = (
    *(CharVal(text) for text in ("a", "b", "ab", "")),
    *(CharVal(text, True) for text in ("a", "B", "ba")),
    *(NumVal(points, True) for points in ((0x61, 0x62), (0x42, 0x61), (0x63, 0x10FFFF))),
    NumVal((0x62, 0x61), False),
)
BOUNDS: tuple[tuple[int, int | None], ...] = (
    *((0, None), (0, None), (0, 1), (0, 1), (1, None)),
    *((2, 2), (1, 2), (0, 3), (0, 0), (2, None)),
)


def model_of(elements: dict[str, Element]) -> Model:
    """A grammar of some elements, that no text was read for."""
    rules = {name: Rule(name, element, "", "g", "", 1) for name, element in elements.items()}
    return Model("g", "", rules, (next(iter(rules)),))


def seeded(seed: int | str) -> Random:
    """A generator that draws the same every time."""
    return Random(seed)  # noqa: S311 -- texts to try, not secrets


def texts(length: int) -> list[str]:
    """All texts over the alphabet, up to a length."""
    return ["".join(t) for n in range(length + 1) for t in product(ALPHABET, repeat=n)]


def language(model: Model, rule: str, length: int) -> frozenset[str]:
    """The texts over the alphabet, up to a length, that a rule accepts."""
    return _languages(model, length)[rule]


def _languages(model: Model, length: int) -> dict[str, frozenset[str]]:
    known: dict[str, frozenset[str]] = dict.fromkeys(model.rules, frozenset())
    while True:  # a rule may lead to itself: from nothing upwards until nothing is added
        new = {n: _texts(r.element, known, length) for n, r in model.rules.items()}
        if new == known:
            return known
        known = new


def _texts(element: Element, known: dict[str, frozenset[str]], length: int) -> frozenset[str]:
    match element:
        case RuleRef(name):
            return known[name]
        case CharVal(text, case_sensitive):
            fold = str if case_sensitive else str.lower
            sets = [[c for c in ALPHABET if fold(c) == fold(t)] for t in text]
            return frozenset(map("".join, product(*sets)))
        case NumVal((low, high), True):
            return frozenset(c for c in ALPHABET if low <= ord(c) <= high)
        case NumVal(points):
            text = "".join(map(chr, points))
            return frozenset({text} if set(text) <= set(ALPHABET) else ())
        case Concatenation(items):
            joined = frozenset({""})
            for item in items:
                joined = _joined(joined, _texts(item, known, length), length)
            return joined
        case Alternation(items):
            return frozenset().union(*(_texts(i, known, length) for i in items))
        case Repetition(item, least, most):
            once = _texts(item, known, length)
            rounds = frozenset({""})
            for _ in range(least):
                rounds = _joined(rounds, once, length)
            found = rounds
            # After as many rounds as a text is long, more are empty and change nothing.
            for _ in range(length + 1 if most is None else most - least):
                rounds = _joined(rounds, once, length)
                found |= rounds
            return found


def beginnings(model: Model, rule: str, length: int) -> frozenset[str]:
    """The beginnings, up to a length, of texts over the alphabet of which a rule accepts some.

    Each rule must accept some text.
    """
    elements = {name: rule.element for name, rule in model.rules.items()}
    begun = {f"{name}-begun": _begun(element) for name, element in elements.items()}
    return language(model_of(elements | begun), f"{rule}-begun", length) | {""}


def _begun(element: Element) -> Element:
    """An element that accepts the beginnings of the texts of another."""
    match element:
        case RuleRef(name):
            return RuleRef(f"{name}-begun")
        case Alternation(items):
            return Alternation(tuple(map(_begun, items)))
        case Concatenation(items):
            ways = (Concatenation((*items[:n], _begun(i))) for n, i in enumerate(items))
            return Alternation(tuple(ways))
        case Repetition(item, _, most) if most != 0:
            rounds = Repetition(item, 0, None if most is None else most - 1)
            return Concatenation((rounds, _begun(item)))
        case CharVal(text, case_sensitive):
            cuts = range(len(text) + 1)
            return Alternation(tuple(CharVal(text[:n], case_sensitive) for n in cuts))
        case NumVal(points, False):
            return _begun(CharVal("".join(map(chr, points)), True))
    return Alternation((CharVal(""), element))


def _joined(first: frozenset[str], second: frozenset[str], length: int) -> frozenset[str]:
    by_length: dict[int, list[str]] = {}
    for text in second:
        by_length.setdefault(len(text), []).append(text)
    return frozenset(
        a + b
        for a in first
        for size, others in by_length.items()
        if len(a) + size <= length
        for b in others
    )
