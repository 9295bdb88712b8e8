"""Which box of a diagram, or which production, reads or refuses a character.

Owns that question of a lesson. Imports the derivation, the report and the plan of a diagram.
Invariant: the answer is read off the derivation of the text, or off the path of a violation.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...grammar.compiled import Compiled
from ...grammar.derive.explain import Derivation
from ...grammar.model import Element, RuleRef, children
from ...rule import Grammar
from ...text.drawing import named
from ...text.names import or_list
from ...workbench.describe import describe
from .read import Exercise, Light, given


@dataclass(frozen=True, slots=True)
class Lit:
    """``values`` are right: ids of boxes, then the name of the production.

    ``path`` leads to the character: the productions that are around it.
    """

    at: int
    text: str
    refused: bool
    values: tuple[str, ...]
    path: tuple[str, ...]
    boxes: dict[str, str]
    compiled: Compiled

    @property
    def character(self) -> str:
        return named(self.text[self.at]) if self.at < len(self.text) else "the end of the text"

    @property
    def words(self) -> str:
        return f"`{self.values[-1]}`"

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
        letter = self.text[self.at : self.at + 1]
        if not letter:
            return f"`{name}` is not what is read there."
        no = f"`{name}` does not read that character"
        if name not in self.compiled.model.rules:
            return f"{no}."
        found = describe(self.compiled, name)
        if any(low <= ord(letter) <= high for low, high in found.characters.ranges):
            return f"`{name}` can have that character, but it is not read there."
        names = found.characters.names
        if not names or names == (name,):
            return f"{no}: it is {found.gloss}." if found.gloss else f"{no}."
        only = "" if found.greatest is None or found.greatest > 1 else "one of "
        return f"{no}: it reads {only}{or_list([f'`{one}`' for one in names])}."


def boxes(exercise: Exercise) -> dict[str, str]:
    """The boxes of a step's diagram: the id of each (``data-node``), and its name or its ABNF.

    Errors: ValueError, for a diagram of a rule that is not in the grammar.
    """
    diagram = given(exercise.light).diagram
    if not diagram:
        return {}
    rules = Grammar.load(exercise.grammar).compiled.model.rules
    if diagram not in rules:
        raise ValueError(f"no rule {diagram} in {exercise.grammar}")
    found: dict[str, str] = {}
    stack: list[tuple[str, Element]] = [(diagram, rules[diagram].element)]
    while stack:
        place, element = stack.pop()
        if isinstance(element, RuleRef):
            found[place] = element.name
        elif inner := children(element):
            stack += [(f"{place}.{i}", item) for i, item in reversed([*enumerate(inner)])]
        else:
            found[place] = str(element)
    return found


def lit(exercise: Exercise) -> Lit:
    """The right parts to click. Errors: ValueError, if the question has no single answer."""
    light = given(exercise.light)
    here = exercise.context()
    text, violations = here.text, here.report().violations
    at = light.at
    if at is None:
        at = violations[0].start if violations else 0
    if at > len(text):
        raise ValueError(f"at is {at}, but the text has {len(text)} characters")
    known = boxes(exercise)
    blamed = next((v for v in violations if v.start <= at < max(v.end, v.start + 1)), None)
    if blamed:
        path, taken = blamed.path, set(known)
    else:
        path, taken = _read(here.derivation(), at, light)
    values = _among(light, path) if light.among else _boxed(light, path, known, taken)
    return Lit(at, text, blamed is not None, values, path, known, here.rule.grammar.compiled)


def _among(light: Light, path: tuple[str, ...]) -> tuple[str]:
    for name in reversed(path):
        if name in light.among:
            return (name,)
    raise ValueError(f"none of among is on the path {' > '.join(path)}")


def _boxed(
    light: Light, path: tuple[str, ...], boxes: dict[str, str], taken: set[str]
) -> tuple[str, ...]:
    """The box of the diagram that is next on the path, and its name."""
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
    return (*ids, name)


def _read(derivation: Derivation, at: int, light: Light) -> tuple[tuple[str, ...], set[str]]:
    """The path to what reads a character, and the boxes on the way of the text in the diagram."""
    number = node = _node(derivation, at, light)
    taken: set[str] = set()
    while number >= 0 and not taken:  # the innermost of the diagram's rule counts
        if derivation.nodes[number].name == light.diagram:
            taken = {place.partition(":")[0] for place in derivation.taken[number]}
        number = derivation.nodes[number].parent
    return derivation.path(node), taken


def _node(derivation: Derivation, at: int, light: Light) -> int:
    """The terminal that reads a character; or the innermost production that reads nothing there."""
    if not light.empty:
        if at >= derivation.viable:
            raise ValueError(f"nothing reads a character at {at}")
        return derivation.leaves()[at]
    empty = [
        i
        for i, node in enumerate(derivation.nodes)
        if node.is_rule and node.start == node.end == at
    ]
    if not empty:
        raise ValueError(f"nothing empty is read at {at}")
    wanted = {*light.among} or {derivation.nodes[empty[0]].name}
    return next((i for i in empty if derivation.nodes[i].name in wanted), empty[0])
