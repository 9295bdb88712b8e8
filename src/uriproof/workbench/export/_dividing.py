"""How a rule divides a text into its components, as expressions of another engine.

Owns ``dividing``. Imports the plan of a rule, and the dialects. Invariant: for a text that the rule
accepts, the first of the expressions that matches captures the components that ``check`` finds; the
group that marks a component is empty exactly if the component is absent, because its captures
cannot be empty otherwise. Many engines give an absent group as an empty one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ...grammar import registry
from ...grammar.charset import of_terminal
from ...grammar.compile.rx import Rx, Set, nullable, without
from ...grammar.compile.to_regex import expression, expression_of
from ...grammar.compiled import Compiled
from ...grammar.errors import GrammarLimit
from ...grammar.model import CharVal, Concatenation, Element, Model, NumVal, Repetition, RuleRef
from ...validate.plan import Division, plan_of
from ._dialect import Dialect


class Divider(NamedTuple):
    """An expression whose groups are called ``g1`` and so on, to the number ``groups``.

    Group 1 is the whole text; empty means that the expression does not match. ``places`` has, by
    name of a component, its group, and the group that is empty if it is absent, or 0 for a
    component that is never absent. ``inner`` has the expressions that divide a component further.
    """

    pattern: str
    groups: int
    places: dict[str, tuple[int, int]]
    inner: dict[str, Divider]


def dividing(compiled: Compiled, rule: str, dialect: Dialect) -> tuple[Divider, ...]:
    """The expressions that divide the texts of a rule, in the order to try them; none for a rule
    that is read as one component, and for one whose groups cannot be marked.

    The rule in its canonical spelling, the dialect one whose groups have names. Cost: that of the
    plan of the rule.

    >>> from uriproof.grammar.registry import load
    >>> from uriproof.workbench.export._engines import RE2
    >>> (found,) = dividing(load("rfc3986"), "relative-ref", RE2)
    >>> found.places["query"], found.inner["authority"].places["host"]
    ((6, 5), (4, 0))
    """
    found = plan_of(compiled, rule).dividing
    split = compiled.model.split
    if found is None or split is None:
        return ()
    # A group that ends a rule leaves nothing for the text after it: nothing can be possessive.
    giving = replace(dialect, possessive=False)
    divider = registry.load(split)
    divisions = [division for division, _ in found.tried]
    if any(nullable(expression(divider.model, one.rule)) for one in divisions[:-1]):
        return ()  # the empty text could be a match, or none
    try:
        return tuple(_divider(divider, division, giving) for division in divisions)
    except GrammarLimit:
        return ()


def _divider(divider: Compiled, division: Division, dialect: Dialect) -> Divider:
    model = divider.model
    writer = _Writer(model, dialect)
    inside = f"{writer.whole}{writer.write(model.rules[division.rule].element, 0)})"
    inner = {name: _divider(divider, one, dialect) for name, one in division.inner.items()}
    return Divider(f"{dialect.head}{inside}{dialect.tail}", writer.count, writer.places, inner)


class _Writer:
    """One expression as it is written: its groups so far, of which the first is around it all."""

    def __init__(self, model: Model, dialect: Dialect) -> None:
        self._model = model
        self._dialect = dialect
        self.count = 0
        self.whole = self._group()
        self.places: dict[str, tuple[int, int]] = {}

    def write(self, element: Element, mark: int) -> str:
        """The text of an element within the group ``mark``, or 0 if it is never absent."""
        match element:
            case RuleRef(name) if name not in self.places:
                opening = self._group()
                self.places[name] = self.count, mark
                return f"{opening}{self._spelled(expression(self._model, name))})"
            case Concatenation(items):
                return "".join(self.write(item, mark) for item in items)
            case Repetition(item, 0, 1) if not nullable(expression_of(self._model, item)):
                opening = self._group()
                return f"{opening}{self.write(item, self.count)})?"
            case CharVal() | NumVal():
                return "".join(self._spelled(Set(ranges)) for ranges in of_terminal(element))
            case _:
                raise GrammarLimit("an absent part cannot be marked by a group")

    def _group(self) -> str:
        """How one more group begins."""
        self.count += 1
        return self._dialect.group.format(f"g{self.count}")

    def _spelled(self, rx: Rx) -> str:
        held = without(rx, self._dialect.lacks) if self._dialect.lacks else rx
        if held is None:
            raise GrammarLimit(f"a group would be of texts that {self._dialect.name} cannot hold")
        return f"(?:{self._dialect.spell(held)})"
