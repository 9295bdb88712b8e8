"""The shapes of a rule made of components: which components, with which delimiters.

Owns the reading of compound rules (URI, authority, IP-literal, a list of parameters). Imports
only the model. Invariant: a shape's slots and delimiters, in order, are one way through the
rule's right-hand side, with every option either taken or left out.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import NamedTuple, TypeAlias

from ...limits import MAX_SHAPES
from ..charset import Ranges, of_terminal, overlap
from ..graph import reachable
from ..model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
    children,
    inside,
    references,
)


class Slot(NamedTuple):
    """A place for a component, validated against ``path[-1]``; ``path`` starts at the rule itself.

    If the rule spells the component out ("http" before "://"), ``text`` is its spelling.
    """

    component: str
    path: tuple[str, ...]
    text: str = ""

    @property
    def production(self) -> str:
        return f'"{self.text}"' if self.text else self.path[-1]


Part: TypeAlias = "str | Slot"


class Shape:
    """One way through a compound rule: its delimiters as text, its components as slots.

    ``names`` are the components, and the rules on the way to them: those that a text of it has.
    """

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self.parts = parts
        self.slots: tuple[Slot, ...] = tuple(p for p in parts if isinstance(p, Slot))
        self.names: frozenset[str] = frozenset(
            n for s in self.slots for n in (s.component, *s.path[1:])
        )


def shapes(model: Model, rule: str) -> tuple[Shape, ...]:
    """The shapes of a compound rule; none for a rule that is to be read character by character.

    A rule is compound when every way through it is made of components and quoted delimiters.
    """
    try:
        # Of a rule that is a component itself, only its productions can be slots.
        own = model.components.get(rule)
        found = _expand(model, model.rules[rule].element, (rule,), own)
    except _NotCompound:
        return ()
    made = tuple(map(Shape, dict.fromkeys(map(_joined, found))))
    delimited = any(isinstance(p, str) for s in made for p in s.parts)
    return made if delimited and all(s.slots or not s.parts for s in made) else ()


class _NotCompound(Exception):
    """The rule is not a sequence of components."""


def _joined(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts, with quoted texts at the beginning ("http" "://") as one text."""
    texts: list[str] = []
    for part in parts:
        if not isinstance(part, str):
            break
        texts.append(part)
    return ("".join(texts), *parts[len(texts) :]) if texts else parts


def _expand(
    model: Model, element: Element, path: tuple[str, ...], own: str | None
) -> list[tuple[Part, ...]]:
    match element:
        case CharVal(text, _):
            return [(text,)] if text else [()]
        case NumVal((point,), False):
            return [(chr(point),)]
        case RuleRef(name):
            component = model.components.get(name)
            if component is not None:
                return [(Slot(component, (*path, name)),)]
            if name in path or own is not None:
                raise _NotCompound
            return _expand(model, model.rules[name].element, (*path, name), own)
        case Concatenation(items):
            ways = [_expand(model, i, path, own) for i in items]
            if prod(map(len, ways)) > MAX_SHAPES:
                raise _NotCompound
            return [tuple(p for way in chosen for p in way) for chosen in product(*ways)]
        case Alternation(items):
            return [way for i in items for way in _expand(model, i, path, own)]
        case Repetition(item, 0, 1):
            return [*_expand(model, item, path, own), ()]
        case _:
            raise _NotCompound


def listed(model: Model, rule: str) -> tuple[str, str] | None:
    """The element and the separator of a rule ``x *( "s" x )``; None if it is not such a list.

    The separator, one character, must not be possible inside an element: then splitting at
    it gives exactly the elements.
    """
    match model.rules[rule].element:
        case Concatenation(
            (
                RuleRef(first),
                Repetition(Concatenation((CharVal(separator), RuleRef(again))), 0, None),
            )
        ) if first == again and len(separator) == 1:
            (ranges,) = of_terminal(CharVal(separator))
            if not any(overlap(ranges, other) for other in _terminals(model, first)):
                return first, separator
    return None


def separators(element: Element, repeated: bool = False) -> frozenset[str]:
    """The quoted texts that an element repeats: what divides a list that the rule itself writes.

    >>> from uriproof.grammar.registry import load
    >>> separators(load("rfc3986").rule("path-absolute").element)
    frozenset({'/'})
    """
    match element:
        case CharVal(text):
            return frozenset({text} if repeated else ())
        case Repetition(item, _, most):
            return separators(item, repeated or most is None or most > 1)
        case _:
            found = (separators(child, repeated) for child in children(element))
            return frozenset().union(*found)


def _terminals(model: Model, rule: str) -> set[Ranges]:
    """The character sets of all terminals that a rule can come to."""
    names = reachable([rule], lambda name: references(model.rules[name].element))
    elements = (element for name in names for element in inside(model.rules[name].element))
    terminals = (element for element in elements if isinstance(element, CharVal | NumVal))
    return {ranges for terminal in terminals for ranges in of_terminal(terminal)}
