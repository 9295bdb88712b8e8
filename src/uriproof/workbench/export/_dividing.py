"""How a rule divides a text into its components, as expressions of another engine.

Owns ``dividing``. Imports the plan of a rule, and the dialects. Invariant: for a text that the rule
accepts, the first of the expressions that matches captures the components that ``check`` finds.

A delimiter is captured together with the part that it belongs to, so that an absent part is an
empty group and an empty part is not: many engines give an absent group as an empty one. Engines
such as RE2 take one pass over a text only for few groups, and if no character could belong to two
of them: a dividing grammar can say so in rules of its own (``URI-cut`` of rfc3986-split).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ...grammar import registry
from ...grammar.compile.rx import without
from ...grammar.compile.to_regex import expression_of
from ...grammar.compiled import Compiled
from ...grammar.errors import GrammarLimit
from ...grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    Repetition,
    RuleRef,
)
from ...validate.plan import CUT, PARTS, Division, plan_of
from ._dialect import Dialect


class Part(NamedTuple):
    """A part of a text, and the delimiters that its group has before and after it.

    One with delimiters is absent if its group is empty, one without them is never absent.
    ``inner`` are the expressions that divide it further; the first that matches does.
    """

    name: str
    before: str = ""
    after: str = ""
    inner: tuple[Cut, ...] = ()


class Cut(NamedTuple):
    """An expression whose groups are called ``g1`` and so on, one for each part.

    If another expression is tried after it, its first part has a delimiter: ``g1`` is empty exactly
    if the expression does not match.
    """

    pattern: str
    parts: tuple[Part, ...]

    def places(self) -> Iterator[str]:
        """The names that can be found, in text order, without those that are divided further."""
        for part in self.parts:
            found = [[*cut.places()] for cut in part.inner]
            yield from max(found, key=len, default=[part.name])


def dividing(
    compiled: Compiled, rule: str, dialect: Dialect, wanted: Collection[str] | None = None
) -> tuple[Cut, ...]:
    """The expressions that divide the texts of a rule, in the order to try them; none for a rule
    that is read as one component, and for one whose groups cannot tell what is absent.

    The rule in its canonical spelling, the dialect one whose groups have names. Fewer names are
    found if only some are wanted, in less time. Cost: that of the plan of the rule.

    >>> from uriproof.grammar.registry import load
    >>> from uriproof.workbench.export._engines import RE2
    >>> (found,) = dividing(load("rfc3986"), "relative-ref", RE2)
    >>> found.parts[1], [part.name for part in found.parts[0].inner[0].parts]
    (Part(name='query', before='?', after='', inner=()), ['host', 'port', 'path'])
    """
    found = plan_of(compiled, rule).dividing
    split = compiled.model.split
    if found is None or split is None:
        return ()
    # A group that ends a rule leaves nothing for the text after it: nothing can be possessive.
    writer = _Writer(registry.load(split).model, replace(dialect, possessive=False), wanted)
    try:
        return writer.cuts([division.rule for division in _needed(found.tried)])
    except GrammarLimit:
        return ()


def _needed(tried: Sequence[tuple[Division, bool]]) -> Iterator[Division]:
    """The divisions that a valid text needs: those after the last are for invalid ones."""
    for division, is_last in tried:
        yield division
        if is_last:
            return


class _Writer:
    """The expressions of a dividing grammar in one dialect."""

    def __init__(self, model: Model, dialect: Dialect, wanted: Collection[str] | None) -> None:
        self._model = model
        self._dialect = dialect
        self._wanted = wanted

    def cuts(self, rules: Sequence[str]) -> tuple[Cut, ...]:
        """The expressions of rules, one after the other. Errors: GrammarLimit."""
        known = self._model.rules
        elements = [known[name + CUT if name + CUT in known else name].element for name in rules]
        found = tuple(self._cut(each) for element in elements for each in _readings(element))
        if not all(cut.parts[0].before + cut.parts[0].after for cut in found[:-1]):
            raise GrammarLimit("what an expression does not match looks like an empty text")
        return found

    def _cut(self, items: Sequence[Element]) -> Cut:
        parts: list[Part] = []
        text = self._written(items, parts)
        return Cut(f"{self._dialect.head}(?:{text}){self._dialect.tail}", tuple(parts))

    def _written(self, items: Sequence[Element], parts: list[Part]) -> str:
        """The text of some elements, of which each that is named is a part."""
        text, before = "", ""
        left = [*items]
        while left:
            match left.pop(0):
                case CharVal(letters):
                    before += letters
                case RuleRef(name):
                    after = ""
                    if left and isinstance(left[0], CharVal):
                        after = left[0].text
                        del left[0]
                    own = name.removesuffix(CUT)  # host-cut is some host
                    divided = [n for n in (own + PARTS, own + CUT) if n in self._model.starts]
                    part = Part(own, before, after, self.cuts(divided))
                    group = "(?:"
                    if not parts or self._is_wanted(part):
                        parts.append(part)
                        group = self._dialect.group.format(f"g{len(parts)}")
                    text += f"{group}{self._spelled(before, name, after)})"
                    before = ""
                case Repetition(item, 0, 1) if not before:
                    inside = item.items if isinstance(item, Concatenation) else (item,)
                    first = len(parts)
                    text += f"(?:{self._written(inside, parts)})?"
                    if not all(part.before + part.after for part in parts[first:]):
                        raise GrammarLimit("an absent part looks like an empty one")
                case _:
                    raise GrammarLimit("only parts and delimiters can be captured")
        if before:
            raise GrammarLimit("a delimiter without a part")
        return text

    def _is_wanted(self, part: Part) -> bool:
        names = {part.name, *(name for cut in part.inner for name in cut.places())}
        return self._wanted is None or not names.isdisjoint(self._wanted)

    def _spelled(self, before: str, name: str, after: str) -> str:
        """A part between its delimiters."""
        sides = CharVal(before), RuleRef(name), CharVal(after)
        if (before + after).lower() != (before + after).upper():
            raise GrammarLimit("a delimiter has letters")
        rx = expression_of(self._model, Concatenation(sides))
        held = without(rx, self._dialect.lacks) if self._dialect.lacks else rx
        if held is None:
            raise GrammarLimit(f"a group would be of texts that {self._dialect.name} cannot hold")
        return f"(?:{self._dialect.spell(held)})"


def _readings(element: Element) -> Iterator[tuple[Element, ...]]:
    """The alternatives of a rule, each as what goes one after the other.

    An optional part that ends with a delimiter is there or not: [ userinfo "@" ] host.
    """
    for each in element.items if isinstance(element, Alternation) else (element,):
        first, *rest = each.items if isinstance(each, Concatenation) else (each,)
        match first:
            case Repetition(Concatenation((RuleRef(), CharVal()) as inner), 0, 1):
                yield (*inner, *rest)
                yield tuple(rest)
            case _:
                yield first, *rest
