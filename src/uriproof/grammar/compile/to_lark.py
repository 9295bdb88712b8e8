"""From a production to a lark grammar whose trees name every part by its rule.

Owns the shape of the lark grammars. Imports the model and the facts of its rules. Invariant: rules
keep their structure and first-match order; a leaf becomes a terminal that carries, as a lookahead,
the characters that can follow it, so that an LALR(1) parser with a contextual lexer can tell
userinfo from a host (RFC 3986 §3.2) without other help. Leaves are tried in the order in which the
rules first mention them; where that makes another tree than the one that is meant, the recognizer
reads the rule.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ...limits import MAX_LARK_COST, MAX_LARK_TEXT
from ..charset import overlap
from ..errors import GrammarLimit
from ..graph import reachable, strongly_connected
from ..machine.first_sets import Facts, Follow
from ..machine.trace import character_rules
from ..model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    Rule,
    RuleRef,
    children,
    inside,
    references,
    uses,
)
from ..remember import per_grammar
from ..spelling import identifier
from .lark_terminals import (
    either_case,
    grouped,
    literal,
    lookahead_of,
    print_class,
    quoted,
    terminal,
    times,
)

if TYPE_CHECKING:
    from ..compiled import Compiled

WIDTH = 100
SPOKEN = 40
"""Characters of a literal that the type of its token names: nobody reads more."""

LALR = "lalr"
"""Lark's name of its parser for LALR(1)."""


PASS = 30
"""Units of a symbol in a pass over all productions, of which the depth of the rules is the number.
"""

PRODUCTION = 300
"""Units of making one production, in addition to the cost of its symbols."""

PASSES = 3
"""Times that all pairs of symbols are looked at, until the sets of characters stay the same."""

BREAK = 50
FACTOR = 5
"""lark writes counts below the one as that many symbols in a row; greater ones as rules of rules,
of which each repeats at the most the other's number."""

_Size = tuple[int, int]
"""Productions, and the symbols of the longest of them."""


def rule_identifier(name: str) -> str:
    """A production's name as a lark rule: ABNF names differ in more than case (RFC 5234 §2.1)."""
    return identifier(name).lower()


def terminal_rules(model: Model) -> frozenset[str]:
    """The rules that a tree shows as leaves: those declared, or whose parts are characters only.

    A declared leaf that is finite, made of other rules, and distinguished from all others in its
    place by its first character is not a terminal: an IPv6address is spelled out.
    """
    characters = character_rules(model)
    found = {
        name
        for name, rule in model.rules.items()
        if name in model.leaves
        or name in characters
        or all(r in characters for r in uses(rule.element))
    }
    structured = {
        name
        for name in model.leaves & found
        if not characters.issuperset(uses(model.rules[name].element)) and not _endless(model, name)
    }
    if structured:
        facts = Facts(model)
        for rule in model.rules.values():
            structured -= set(_confused(rule.element, facts))
    return frozenset(found - structured)


@per_grammar
def leaves_of(compiled: Compiled) -> frozenset[str]:
    """The ``terminal_rules`` of a grammar."""
    return terminal_rules(compiled.model)


@per_grammar
def characters_of(compiled: Compiled) -> frozenset[str]:
    """The ``character_rules`` of a grammar."""
    return character_rules(compiled.model)


def token_types(model: Model) -> dict[Element, str]:
    """The types of the tokens of all literals of a grammar; two that read the same have one type.

    A type names the characters, with a number if a rule or another literal has that name: it is the
    same whichever rule a tree starts with. Cost: O(size of the grammar).

    >>> from uriproof.grammar.registry import load
    >>> types = token_types(load("rfc3986").model)
    >>> types[CharVal(":")], types[CharVal("//")], types[NumVal((0x41, 0x5A), True)]
    ('COLON', 'SOLIDUS_SOLIDUS', 'A_TO_Z')
    """
    taken = Counter(identifier(name).upper() for name in model.rules)  # the types of leaves
    known = {"": ""}
    types: dict[Element, str] = {}
    for rule in model.rules.values():
        for element in inside(rule.element):
            if isinstance(element, CharVal | NumVal):
                text = _written(element)
                if text not in known:
                    own = name = _spoken(element)
                    while taken[own]:
                        taken[name] += 1
                        own = f"{name}_{taken[name]}"
                    taken[own] += 1
                    known[text] = own
                types[element] = known[text]
    return types


def _spoken(element: CharVal | NumVal) -> str:
    """A literal in words: ASCII letters, the names of other ASCII, the numbers of the rest."""

    def word(char: str) -> str:
        if char.isascii() and char.isalpha():
            return char.upper()
        return f" {unicodedata.name(char, '') * char.isascii() or f'U{ord(char):04X}'} "

    text = element.text if isinstance(element, CharVal) else "".join(map(chr, element.points))
    between = " TO " if isinstance(element, NumVal) and element.is_range else ""
    return "_".join(between.join(map(word, text[:SPOKEN])).replace("-", " ").split())


def _written(element: CharVal | NumVal) -> str:
    """A literal as lark writes it; nothing for the empty one."""
    match element:
        case CharVal(text, case_sensitive):
            if text.lower() == text.upper() or case_sensitive:
                return quoted(text)
            return literal(either_case(text))
        case NumVal(points, True):
            return literal(print_class(((points[0], points[1]),)))
        case NumVal(points):
            return quoted("".join(map(chr, points)))


def _endless(model: Model, name: str) -> bool:
    """True if the texts of a leaf have no maximum length."""
    names = reachable([name], lambda name: references(model.rules[name].element))
    elements = (element for name in names for element in inside(model.rules[name].element))
    return any(isinstance(element, Repetition) and element.most is None for element in elements)


def _confused(element: Element, facts: Facts) -> Iterator[str]:
    """The rules that are an alternative to something that starts with the same character."""
    for inner in children(element):
        yield from _confused(inner, facts)
    if isinstance(element, Alternation):
        firsts = [facts.first_of(item) for item in element.items]
        for number, item in enumerate(element.items):
            others = firsts[:number] + firsts[number + 1 :]
            if isinstance(item, RuleRef) and any(overlap(firsts[number], o) for o in others):
                yield item.name


def to_lark(model: Model, starts: Iterable[str]) -> str:
    """A lark grammar for some start rules, for ``parser="lalr"``.

    Errors: GrammarLimit, if no terminal reads some leaf in linear time, or if lark would take too
    long.
    """
    starts = tuple(starts)
    terminals = terminal_rules(model)
    order = list(_reachable(model, starts, terminals))
    return _Writer(model, order, terminals, _follow(model, order, terminals, starts)).text()


# How much lark makes of a grammar before it can read anything: lark 1 multiplies options,
# alternatives in groups and small counts out, so that ``( a / b ) [ c ] 2*3d`` becomes 8
# productions, and of each production looks at every pair of symbols, with all between.


def _require_small(elements: Mapping[str, Element], is_optional: Callable[[Element], bool]) -> None:
    """Errors: GrammarLimit, for rules that lark would take more than a second or two to prepare.

    ``elements`` are the right-hand sides of the rules that are not terminals; ``is_optional`` tells
    whether the contents of an option are written as one: an element that can be empty needs no
    option.
    """
    sizes = _Sizes(is_optional)
    for element in elements.values():
        sizes.note(*sizes.of(element))
    if sizes.cost + PASS * sizes.symbols * _depth(elements) > MAX_LARK_COST:
        raise GrammarLimit(
            "lark would multiply the options, groups and counts of this grammar out to more than"
            " it can prepare in a second or two; is_valid, check, parse and explain work"
        )


class _Sizes:
    """The cost of elements in lark: ``cost`` and ``symbols`` of all productions so far."""

    def __init__(self, is_optional: Callable[[Element], bool]) -> None:
        self._is_optional = is_optional
        self.cost = self.symbols = 0

    def note(self, productions: int, length: int) -> None:
        """Count the productions of one rule."""
        pairs = length * length + length**3 // 6
        self.cost = min(self.cost + productions * (PRODUCTION + PASSES * pairs), MAX_LARK_COST + 1)
        self.symbols = min(self.symbols + productions * length, MAX_LARK_COST + 1)

    def of(self, element: Element) -> _Size:
        """The size of an element in its place, including rules that lark adds for it."""
        match element:
            case Concatenation(items):
                number, length = 1, 0
                for item in items:
                    more, longer = self.of(item)
                    number, length = _capped(number * more, length + longer)
                return number, length
            case Alternation(items):
                return _either(self.of(item) for item in items)
            case Repetition(_, _, 0):
                return 1, 0
            case Repetition(item, least, most):
                return self._repeated(item, least, most)
            case _:
                return 1, 1

    def _repeated(self, item: Element, least: int, most: int | None) -> _Size:
        number, length = self.of(item)
        if (least, most) == (0, 1):
            return number + self._is_optional(item), length
        if most is None:
            self.note(2 * number, length + 1)
            if least <= 1:
                return 2 - least, 1
            more, longer = self._repeated(item, least, least)
            return 2 * more, longer + 1
        if most < BREAK:
            ways = sum(number**n for n in range(least, most + 1))
            return _capped(ways, most * length)
        for _ in range(2 * most.bit_length()):
            self.note(*_capped(FACTOR * number**FACTOR, FACTOR * length))
        return 1, 2


def _either(sizes: Iterable[_Size]) -> _Size:
    number = length = 0
    for more, longer in sizes:
        number, length = _capped(number + more, max(length, longer))
    return number, length


def _capped(number: int, length: int) -> _Size:
    return min(number, MAX_LARK_COST), min(length, MAX_LARK_COST)


def _depth(elements: Mapping[str, Element]) -> int:
    """The rules on the longest way through the grammar: facts about the last one move up one rule a
    pass."""
    used = {name: [n for n in uses(e) if n in elements] for name, e in elements.items()}
    depth: dict[str, int] = {}
    for group in strongly_connected(used, used.__getitem__):
        below = max((depth.get(inner, 0) for name in group for inner in used[name]), default=0)
        depth.update(dict.fromkeys(group, below + len(group)))
    return max(depth.values(), default=0)


class _Writer:
    """One lark grammar that is being built, of the rules in ``order``.

    ``follow`` holds the characters after each leaf.
    """

    def __init__(
        self,
        model: Model,
        order: list[str],
        terminals: frozenset[str],
        follow: Mapping[str, Follow],
    ) -> None:
        self._model = model
        self._facts = Facts(model)
        self._order = order
        self._leaves = [name for name in order if name in terminals]
        self._follow = follow
        self._types = token_types(model)
        self._literals: dict[str, str] = {}
        self._ring: frozenset[str] = frozenset()

    def text(self) -> str:
        """Errors: GrammarLimit, for a grammar that lark would take too long to prepare."""
        rules = {n: self._model.rules[n].element for n in self._order if n not in self._leaves}
        _require_small(rules, lambda item: not self._facts.nullable(item))
        lines: list[str] = []
        for name in self._order:
            self._ring = self._facts.ring(name)
            lines += ["", *_comment(self._model.rules[name])]
            if name in self._leaves:
                lines += self._leaf(name)
            else:
                element = self._model.rules[name].element
                items = element.items if isinstance(element, Alternation) else (element,)
                lines += _folded(f"{rule_identifier(name)}:", [self._element(i) for i in items])
        if self._literals:
            lines += ["", "// The types of the tokens of literals"]
            lines += (f"{own}: {text}" for own, text in self._literals.items())
        text = "\n".join(lines[1:]) + "\n"
        if len(text) > MAX_LARK_TEXT:
            raise GrammarLimit(f"a lark grammar would have more than {MAX_LARK_TEXT:,} characters")
        return text

    def _leaf(self, name: str) -> list[str]:
        own, after = rule_identifier(name), self._follow[name]
        pattern = terminal(self._model, name, after.ranges)
        if pattern is None:
            return [f"{own}:"]
        ahead = lookahead_of(after.ranges, after.end)
        if len(ahead) <= WIDTH:  # if nearly anything can follow, that tells nothing apart
            pattern += ahead
        rank = len(self._leaves) - self._leaves.index(name)
        optional = "?" if self._facts.nullable(RuleRef(name)) else ""
        return [f"{own}: {own.upper()}{optional}", f"{own.upper()}.{rank}: {literal(pattern)}"]

    def _element(self, element: Element) -> str:
        match element:
            case RuleRef(name):
                return rule_identifier(name)
            case CharVal() | NumVal():
                text = _written(element)
                if text:
                    self._literals[self._types[element]] = text
                return text
            case Concatenation(items):
                return " ".join(filter(None, map(self._element, items)))
            case Alternation(items):
                return grouped([self._element(i) for i in items])
            case Repetition(item, least, most):
                inner = self._element(item) if most != 0 else ""
                if not inner or (
                    (least, most) == (0, 1) and self._facts.nullable(item, self._ring)
                ):
                    # An element that can be empty needs no option, unless it is so because of this
                    # option: in r = [ r ], only the option makes it end.
                    return inner
                if isinstance(item, Concatenation | Repetition):
                    inner = f"({inner})"
                if most is None and least > 1:
                    return f"{inner}~{least} {inner}*"
                return inner + times(least, most)


def _comment(rule: Rule) -> list[str]:
    return [f"// {line}".rstrip() for line in rule.text.splitlines() if line.strip()]


def _folded(head: str, alternatives: list[str]) -> list[str]:
    """A definition in lines that are not too long, if there is a place to break them."""
    line = " ".join(filter(None, [head, " | ".join(alternatives)]))
    if len(line) <= WIDTH:
        return [line]
    indent = "    "
    lines: list[str] = []
    for number, alternative in enumerate(alternatives):
        current = f"{head}" if number == 0 else f"{indent}|"
        for word in alternative.split(" "):
            if len(current) + 1 + len(word) > WIDTH - 2 and current.strip() not in ("|", ""):
                lines.append(current if word == "|" else f"{current} \\")
                current = indent + "   "
            current += f" {word}"
        lines.append(current)
    return lines


def _reachable(model: Model, starts: tuple[str, ...], terminals: frozenset[str]) -> Iterator[str]:
    """The rules in the order of their first mention, which is the order of the alternatives."""
    seen: set[str] = set()
    stack = list(reversed(starts))
    while stack:
        name = stack.pop()
        if name in seen:
            continue
        seen.add(name)
        yield name
        if name not in terminals:
            stack.extend(reversed(list(uses(model.rules[name].element))))


def _follow(
    model: Model, order: list[str], terminals: frozenset[str], starts: tuple[str, ...]
) -> dict[str, Follow]:
    """Per leaf, the characters that can follow it, and whether the text can end after it."""
    facts = Facts(model)
    rules: dict[str, Rule] = {}
    for name in order:
        rule = model.rules[name]
        if name in terminals:  # the next elements see only its first character
            head = Alternation(tuple(NumVal(ends, True) for ends in facts.first[name]))
            least = 0 if facts.nullable(RuleRef(name)) else 1
            rule = rule._replace(element=Repetition(head, least, 1 if head.items else 0))
        rules[name] = rule
    return Facts(model._replace(rules=rules, starts=starts)).follow
