"""The model of a grammar: rules, and the seven kinds of element that RFC 5234 §3-4 names.

Owns the values between the reader of ABNF and the machines made from it. Imports only the standard
library. Invariant: an element is immutable, hashable, and prints itself back as ABNF.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from .errors import Fault

MAX_CODE_POINT = 0x10FFFF
_EMPTY: dict[str, Any] = {}
"""The default of the mappings of a model; nothing writes to one."""


class CharVal(NamedTuple):
    """A quoted string (RFC 5234 §2.3); case-sensitive only as ``%s"…"`` (RFC 7405 §2.1)."""

    text: str
    case_sensitive: bool = False

    def __str__(self) -> str:
        return f'%s"{self.text}"' if self.case_sensitive else f'"{self.text}"'


class NumVal(NamedTuple):
    """One code point, a range, or a concatenation of code points (RFC 5234 §2.3, §3.4).

    ``points`` are the code points in order; with ``is_range`` they are first and last.
    """

    points: tuple[int, ...]
    is_range: bool = False

    def __str__(self) -> str:
        return "%x" + ("-" if self.is_range else ".").join(f"{p:02X}" for p in self.points)


class RuleRef(NamedTuple):
    """The name of a rule, in the spelling of the rule's own definition (RFC 5234 §2.1)."""

    name: str

    def __str__(self) -> str:
        return self.name


class Concatenation(NamedTuple):
    """Elements one after the other (RFC 5234 §3.1).

    By its ``separator`` it is not equal to an alternation, which as a tuple it would be.
    """

    items: tuple[Element, ...]
    separator: str = " "

    def __str__(self) -> str:
        return " ".join(_grouped(i) for i in self.items) or '""'


class Alternation(NamedTuple):
    """Elements to choose from; the first that fits is meant (RFC 5234 §3.2, RFC 3986 §3)."""

    items: tuple[Element, ...]
    separator: str = " / "

    def __str__(self) -> str:
        return " / ".join(str(i) for i in self.items)


class Repetition(NamedTuple):
    """``least`` to ``most`` times an element; ``most`` None is unbounded (RFC 5234 §3.6-3.8)."""

    item: Element
    least: int = 0
    most: int | None = None

    def __str__(self) -> str:
        if (self.least, self.most) == (0, 1):
            return f"[ {self.item} ]"
        item = _grouped(self.item)
        if isinstance(self.item, Repetition) and not item.startswith("["):
            item = f"( {item} )"  # 3( 2a ), not 32a
        if self.least == self.most:
            return f"{self.least}{item}"
        return f"{self.least or ''}*{'' if self.most is None else self.most}{item}"


Element: TypeAlias = CharVal | NumVal | RuleRef | Concatenation | Alternation | Repetition


def _grouped(element: Element) -> str:
    return f"( {element} )" if isinstance(element, Alternation | Concatenation) else str(element)


def flat(kind: type[Alternation] | type[Concatenation], items: list[Element]) -> Element:
    """Items joined; a single one is itself, and a group of the same kind adds nothing."""
    if len(items) == 1:
        return items[0]
    joined: list[Element] = []
    for item in items:
        joined += item.items if isinstance(item, kind) else (item,)
    return kind(tuple(joined))


class Rule(NamedTuple):
    """A rule: its element, and its place and spelling in its own specification.

    ``text`` is the ABNF as written, without comments; ``file`` and ``line`` (from 1) are its place;
    ``grammar`` is the grammar that defines it, which can be one that another imports.
    """

    name: str
    element: Element
    text: str
    grammar: str
    file: str
    line: int
    section: str = ""
    gloss: str = ""


class Model(NamedTuple):
    """A grammar read and resolved: its own rules, those it imports, and its header's words.

    ``rules`` maps each name, in its own spelling, to its rule, own rules first. ``components`` maps
    a production to its component (several productions can make up one: path). ``leaves`` are the
    productions below which a report names characters only. ``fixable`` are the components in which
    percent-encoding cannot change the meaning. ``escape`` is the rule of an escape sequence,
    ``split`` the grammar that finds components. ``schemes`` maps a scheme, in lower case, to the
    production that its URIs are validated against. ``cites`` maps a grammar to the specification of
    its rules, if its name is not that of an RFC. ``source`` says where the rules come from: an
    address, or words.
    """

    name: str
    title: str
    rules: dict[str, Rule]
    starts: tuple[str, ...]
    components: dict[str, str] = _EMPTY
    leaves: frozenset[str] = frozenset()
    fixable: frozenset[str] = frozenset()
    escape: str | None = None
    split: str | None = None
    schemes: dict[str, str] = _EMPTY
    cites: dict[str, str] = _EMPTY
    source: str = ""
    unusable: dict[str, tuple[str, tuple[Fault, ...]]] = _EMPTY
    meant: str | None = None

    def citation(self, rule: Rule) -> str:
        """The citation of a rule for people: specification and section (RFC 3986 §3.3).

        A section "RFC4515-3" is one of another RFC, from which the grammar takes the rule.
        """
        section = rule.section
        number = rule.grammar.removeprefix("rfc")
        words = self.cites.get(rule.grammar, f"RFC {number}" if number.isdigit() else rule.grammar)
        if section.startswith("RFC"):
            number, _, section = section[3:].partition("-")
            words = f"RFC {number}"
        if section in ("", "-"):
            return words
        return f"{words} {'§' * section[:1].isdigit()}{section}"

    def find(self, name: str) -> Rule | None:
        """The rule of that name in any case (RFC 5234 §2.1), also as an identifier: hier_part."""
        rule = self.rules.get(name)
        if rule is None:
            folded = name.lower().replace("_", "-")
            rule = next((r for n, r in self.rules.items() if n.lower() == folded), None)
        return rule


def children(element: Element) -> tuple[Element, ...]:
    """The elements directly inside an element."""
    match element:
        case Concatenation(items) | Alternation(items):
            return items
        case Repetition(item):
            return (item,)
        case _:
            return ()


def inside(element: Element, read: bool = False) -> Iterator[Element]:
    """An element and all its parts, in order; with ``read`` only those that a text can hold: none
    behind a count of 0."""
    stack = [element]
    while stack:
        top = stack.pop()
        yield top
        if not (read and isinstance(top, Repetition) and top.most == 0):
            stack.extend(reversed(children(top)))


def references(element: Element) -> Iterator[str]:
    """The names of the rules that an element mentions, in order, with repeats."""
    return (inner.name for inner in inside(element) if isinstance(inner, RuleRef))


def uses(element: Element) -> Iterator[str]:
    """The names of the rules that a text of an element can hold.

    >>> list(uses(Concatenation((RuleRef("a"), Repetition(RuleRef("b"), 0, 0)))))
    ['a']
    """
    return (inner.name for inner in inside(element, read=True) if isinstance(inner, RuleRef))


def substituted(element: Element, by: Callable[[str], Element]) -> Element:
    """The element with something else, by its name, in place of every reference to a rule."""
    match element:
        case RuleRef(name):
            return by(name)
        case Concatenation(items) | Alternation(items):
            return type(element)(tuple(substituted(item, by) for item in items))
        case Repetition(item, least, most):
            return Repetition(substituted(item, by), least, most)
        case _:
            return element
