"""Which box of a diagram, or which production, reads or refuses a character.

Owns that question of a lesson. Imports the derivation, the report and the plan of a diagram.
Invariant: the answer is read off the derivation of the text, or off the path of a violation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...grammar.derive.explain import Derivation
from ...grammar.model import Element, Model, RuleRef, children
from ...text.drawing import named
from ...text.names import or_list
from .read import Exercise, Light, given

if TYPE_CHECKING:
    from ...grammar.compiled import Compiled
    from ...rule import Grammar

__all__ = ["Lit", "boxes", "lit"]


@dataclass(frozen=True, slots=True)
class Lit:
    """``values`` are right: names of productions, ids of boxes; ``words`` say the first of them.

    ``path`` leads to the character: the productions that are around it.
    """

    at: int
    character: str
    refused: bool
    values: tuple[str, ...]
    words: str
    path: tuple[str, ...]
    boxes: dict[str, str]
    letter: str
    compiled: Compiled

    def hint(self, clicked: str) -> str:
        """Why something that was clicked is not right."""
        name = self.boxes.get(clicked, clicked)
        if name in self.path:
            return f"`{name}` contains that place, but another choice is closer to it."
        if self.refused:
            return f"`{name}` is not where the text becomes invalid: follow it from the left."
        return self._reads(name)

    def _reads(self, name: str) -> str:
        """Which characters a production reads; or that it could, at another place."""
        from ...workbench.describe import describe

        if not self.letter:
            return f"`{name}` is not what is read there."
        no = f"`{name}` does not read that character"
        if name not in self.compiled.model.rules:
            return f"{no}."
        found = describe(self.compiled, name)
        ranges = found.characters.ranges
        if any(low <= ord(self.letter) <= high for low, high in ranges):
            return f"`{name}` can have that character, but it is not read there."
        names = found.characters.names
        if not names or names == (name,):
            return f"{no}: it is {found.gloss}." if found.gloss else f"{no}."
        only = "" if found.greatest is None or found.greatest > 1 else "one of "
        return f"{no}: it reads {only}{or_list([f'`{one}`' for one in names])}."


def boxes(exercise: Exercise) -> dict[str, str]:
    """The clickable parts of a step's diagram: the ids of its boxes, and their contents."""
    light = given(exercise.light)
    return _boxes(exercise, light) if light.diagram else {}


def lit(exercise: Exercise) -> Lit:
    """The right parts to click. Errors: ValueError, if the question has no single answer."""
    from ...grammars import explain
    from ...rule import Grammar

    light = given(exercise.light)
    text = exercise.text or ""
    grammar = Grammar.load(exercise.grammar)
    rule = grammar.rule_name(exercise.rule)
    report = grammar[rule].check(text)
    at = light.at
    if at is None:
        at = report.violations[0].start if report.violations else 0
    if at > len(text):
        raise ValueError(f"at is {at}, but the text has {len(text)} characters")
    known = boxes(exercise)
    for violation in report.violations:
        if violation.start <= at < max(violation.end, violation.start + 1):
            return _found(light, text, at, True, violation.path, known, set(known), grammar)
    derivation = explain(text, rule, grammar)
    node = _node(derivation, at, light)
    path = derivation.path(node)
    taken: set[str] = set()
    for number in _around(derivation, node):
        if derivation.nodes[number].name == light.diagram:
            taken = {place.partition(":")[0] for place in derivation.taken[number]}
    return _found(light, text, at, False, path, known, taken, grammar)


def _found(
    light: Light,
    text: str,
    at: int,
    refused: bool,
    path: tuple[str, ...],
    boxes: dict[str, str],
    taken: set[str],
    grammar: Grammar,
) -> Lit:
    character = named(text[at]) if at < len(text) else "the end of the text"
    if light.among:
        name = next((name for name in reversed(path) if name in light.among), None)
        if name is None:
            raise ValueError(f"none of among is on the path {' > '.join(path)}")
        return Lit(
            at,
            character,
            refused,
            (name,),
            f"`{name}`",
            path,
            {},
            text[at : at + 1],
            grammar.compiled,
        )
    if light.diagram not in path:
        raise ValueError(f"{light.diagram} is not on the path {' > '.join(path)}")
    last = len(path) - 1 - path[::-1].index(light.diagram)
    if last + 1 == len(path):
        words = f"{light.diagram} itself refuses it: draw a production around it, such as"
        raise ValueError(f"{words} {path[last - 1] if last else 'none'}")
    name = path[last + 1]
    ids = tuple(box for box, word in boxes.items() if word == name and box in taken)
    if not ids:
        raise ValueError(f"the diagram of {light.diagram} has no box {name}")
    return Lit(
        at,
        character,
        refused,
        (*ids, name),
        f"`{name}`",
        path,
        boxes,
        text[at : at + 1],
        grammar.compiled,
    )


def _node(derivation: Derivation, at: int, light: Light) -> int:
    """The terminal that reads a character; or the innermost production that reads nothing there."""
    if light.empty:
        empty = [
            i
            for i, node in enumerate(derivation.nodes)
            if node.is_rule and node.start == node.end == at
        ]
        if not empty:
            raise ValueError(f"nothing empty is read at {at}")
        wanted = {*light.among} or {derivation.nodes[empty[0]].name}
        named_ones = [i for i in empty if derivation.nodes[i].name in wanted]
        return (named_ones or empty)[0]
    if at >= derivation.viable:
        raise ValueError(f"nothing reads a character at {at}")
    return derivation.leaves()[at]


def _around(derivation: Derivation, number: int) -> list[int]:
    found: list[int] = []
    while number >= 0:
        found.append(number)
        number = derivation.nodes[number].parent
    return found[::-1]


def _model(exercise: Exercise) -> Model:
    from ...rule import Grammar

    return Grammar.load(exercise.grammar).compiled.model


def _boxes(exercise: Exercise, light: Light) -> dict[str, str]:
    """The boxes of a diagram: the id of each (``data-node``), and its name or its ABNF."""
    found: dict[str, str] = {}
    rules = _model(exercise).rules
    if light.diagram not in rules:
        raise ValueError(f"no rule {light.diagram} in {exercise.grammar}")
    stack: list[tuple[str, Element]] = [(light.diagram, rules[light.diagram].element)]
    while stack:
        place, element = stack.pop()
        if isinstance(element, RuleRef):
            found[place] = element.name
        elif inner := children(element):
            stack += [(f"{place}.{i}", item) for i, item in reversed([*enumerate(inner)])]
        else:
            found[place] = str(element)
    return found
