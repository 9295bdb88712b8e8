"""A rule, described: its words, its neighbors, the characters it takes, its size, examples.

Owns the contents of a description, and the words for sets of characters: the names of the grammar's
own rules if it has them. Imports the model, the facts of rules and, for the number of states, the
automata. Invariant: all of it is computed from the grammar; a value that could not be is None, and
``notes`` say why; the names of a set, taken together, say exactly the set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..grammar.charset import Ranges, minus
from ..grammar.errors import GrammarLimit
from ..grammar.machine.first_sets import Facts, Follow, Shortest, joined, repeated
from ..grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    references,
)
from ..grammar.remember import per_grammar
from ..limits import STEPS_AT_ONCE
from ..text.columns import cut
from .railroad.plan import label

if TYPE_CHECKING:
    from ..grammar.compiled import Compiled

MAX_EXAMPLES = 16
"""Examples of one rule; more alternatives than that would bury the others."""

_MAX_WORDS = 1_000  # columns of an element's ABNF, next to its example

_FEW = 6
"""Characters next to each other that are named one by one; more are a range."""

_TELLING = 6
"""Characters of a rule whose name says a part of a set better than the characters would."""


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """A set of characters: sorted ranges of code points, and the same in the grammar's words."""

    ranges: Ranges
    names: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values."""
        return {"names": list(self.names), "ranges": [list(r) for r in self.ranges]}


@dataclass(frozen=True, slots=True)
class Example:
    """A shortest text by way of ``element``, an ABNF element of the rule, or of the whole rule.

    ``text`` is None if it would be too long to be of use; ``length`` is in code points.
    """

    element: str
    text: str | None
    length: int


@dataclass(frozen=True, slots=True)
class Description:
    """All that is known of one rule.

    ``text`` is the rule as its specification writes it, in ``file`` at ``line``, of the grammar
    ``grammar``. ``component`` is the component of the rule, ``leaf`` whether reports name nothing
    below it, ``start`` whether it is a start rule. ``follow`` is over the start rules and None if
    none of them leads here; ``ends`` says whether the text can end here. Lengths are in code
    points, ``greatest`` None for a rule without bound. ``states`` are those of the minimal
    automaton, None without one; ``notes`` say why, and what else is not available.
    """

    name: str
    grammar: str
    text: str
    file: str
    line: int
    section: str
    gloss: str
    component: str | None
    leaf: bool
    start: bool
    schemes: tuple[str, ...]
    uses: tuple[str, ...]
    used_by: tuple[str, ...]
    first: CharacterSet
    follow: CharacterSet | None
    ends: bool
    characters: CharacterSet
    empty: bool
    least: int
    greatest: int | None
    states: int | None
    examples: tuple[Example, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values, under the names of the fields."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        for name in ("schemes", "uses", "used_by", "notes"):
            plain[name] = list(plain[name])
        for name in ("first", "follow", "characters"):
            plain[name] = plain[name] and plain[name].to_dict()
        plain["examples"] = [
            {"element": e.element, "text": e.text, "length": e.length} for e in self.examples
        ]
        return plain


@per_grammar
def facts(compiled: Compiled) -> Facts:
    """The facts of a grammar's rules, found once for each grammar."""
    return Facts(compiled.model)


@per_grammar
def _names(compiled: Compiled) -> Names:
    return Names(facts(compiled))


def describe(compiled: Compiled, rule: str) -> Description:
    """Describe a rule, by its name in any case.

    Errors: UnknownRule, with near names. Cost: the facts of the whole grammar, once; then that of
    the rule's automaton. Spec: RFC 5234 §2-3.

    >>> from uriproof.grammar.registry import load
    >>> port = describe(load("rfc3986"), "port")
    >>> port.characters.names, port.least, port.greatest, port.used_by
    (('DIGIT',), 0, None, ('authority',))
    """
    name = compiled.rule_name(rule)
    model, own = compiled.model, compiled.model.rules[name]
    known = facts(compiled)
    names = _names(compiled)

    def named(ranges: Ranges) -> CharacterSet:
        return CharacterSet(ranges, names.of(ranges))

    notes: list[str] = []
    states: int | None = None
    try:
        with compiled.limited(f"an automaton of {name}", STEPS_AT_ONCE):
            states = len(compiled.automaton(name).rows)
    except GrammarLimit as limit:
        notes.append(str(limit))
    follow: Follow | None = known.follow.get(name)
    if follow is None:
        notes.append("no start rule leads to it, so nothing follows it")
    return Description(
        name=name,
        grammar=own.grammar,
        text=own.text,
        file=own.file,
        line=own.line,
        section=own.section,
        gloss=own.gloss,
        component=model.components.get(name),
        leaf=name in model.leaves,
        start=name in model.starts,
        schemes=tuple(s for s, production in model.schemes.items() if production == name),
        uses=tuple(dict.fromkeys(references(own.element))),
        used_by=users(model, name),
        first=named(known.first[name]),
        follow=named(follow.ranges) if follow else None,
        ends=bool(follow and follow.end),
        characters=named(known.characters[name]),
        empty=known.shortest[name].length == 0,
        least=known.shortest[name].length,
        greatest=known.greatest[name],
        states=states,
        examples=tuple(_examples(known, own.element)),
        notes=tuple(notes),
    )


def users(model: Model, name: str) -> tuple[str, ...]:
    """The rules that refer to a rule, in the order of the grammar.

    >>> from uriproof.grammar.registry import load
    >>> users(load("rfc3986").model, "host")
    ('authority',)
    """
    return tuple(n for n, r in model.rules.items() if name in references(r.element))


def _examples(known: Facts, element: Element) -> Iterator[Example]:
    """A shortest text of the element, then one for each branch of it that this one does not use.

    Alternatives of the whole rule are all there, even if the same text is shortest.
    """
    tops = len(element.items) if isinstance(element, Alternation) else 1
    seen: set[str | None] = {None}
    count = 0
    for number, (words, found) in enumerate(_branches(known, element)):
        if number < tops or found.text not in seen:
            seen.add(found.text)
            count += 1
            yield Example(words, found.text, found.length)
        if count == MAX_EXAMPLES:
            return


def _branches(known: Facts, element: Element) -> Iterator[tuple[str, Shortest]]:
    """Each branch of an element with the shortest text through it."""
    match element:
        case Alternation(items):
            for item in items:
                yield _words(item), known.shortest_of(item)
            for item in items:
                if isinstance(item, Concatenation | Repetition):
                    yield from _branches(known, item)
        case Concatenation(items):
            yield _words(element), known.shortest_of(element)
            shortest = [known.shortest_of(i) for i in items]
            none = Shortest(0, "")
            before = [*accumulate(shortest, lambda a, b: joined([a, b]), initial=none)]
            after = [*accumulate(shortest[::-1], lambda a, b: joined([b, a]), initial=none)]
            for i, item in enumerate(items, 1):
                for words, found in _branches(known, item):
                    yield words, joined([before[i - 1], found, after[-1 - i]])
        case Repetition(item, least, most) if most != 0:
            yield _words(element), known.shortest_of(element)
            more = least + 1 if least != most else least
            rest = repeated(known.shortest_of(item), more - 1)
            for words, found in _branches(known, item):
                shown = words if isinstance(item, Alternation) else _words(element)
                yield shown, joined([found, rest])
        case _:
            yield _words(element), known.shortest_of(element)


def _words(element: Element) -> str:
    return cut(str(element), _MAX_WORDS)


# Sets of characters, in the words of the grammar


class Names:
    """The sets of single characters that the rules of a grammar name.

    >>> from uriproof.grammar.registry import load
    >>> facts = Facts(load("rfc3986").model)
    >>> Names(facts).of(facts.characters["scheme"])
    ('ALPHA', 'DIGIT', '"+"', '"-"', '"."')
    """

    def __init__(self, facts: Facts) -> None:
        named: dict[Ranges, str] = {}
        for name in facts.model.rules:  # of rules for one set, the grammar's own is first
            if facts.shortest[name].length == facts.greatest[name] == 1:
                named.setdefault(facts.first[name], name)
        self._sets = sorted(named.items(), key=lambda item: -_size(item[0]))

    def of(self, ranges: Ranges) -> tuple[str, ...]:
        """The set in as few names as a greedy choice finds, largest first; then its characters."""
        found: list[str] = []
        rest = ranges
        for candidate, name in self._sets:
            hidden = not label(NumVal((candidate[0][0],)))[0].startswith('"')
            if candidate == ranges and (hidden or _size(candidate) > 1):
                return (name,)  # but "%" says more than a rule that is nothing else
            if not minus(candidate, rest) and (hidden or _size(candidate) >= _TELLING):
                found.append(name)
                rest = minus(rest, candidate)
        return (*found, *_spelled(rest))


def _size(ranges: Ranges) -> int:
    return sum(high - low + 1 for low, high in ranges)


def _spelled(ranges: Ranges) -> list[str]:
    """Characters one by one, ranges as such, a letter of which both cases are there as one."""
    found: list[str] = []
    both = {
        low
        for low, high in ranges
        if low == high
        and chr(low).isascii()
        and ((ord(chr(low).swapcase()),) * 2) in ranges
        and chr(low).isalpha()
    }
    for low, high in ranges:
        if low in both:
            if chr(low).isupper():
                found.append(label(CharVal(chr(low).lower()))[0])
        elif high - low < _FEW:
            found += (label(NumVal((point,)))[0] for point in range(low, high + 1))
        else:
            found.append(label(NumVal((low, high), True))[0])
    return found
