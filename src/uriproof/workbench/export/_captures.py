"""Expressions with groups that capture the texts of chosen rules.

Owns the places of the groups, and the proof that they are unambiguous. Imports the expressions and
their places. Invariant: the expression matches the same texts as the rule's own, and no text can
fill the groups in two ways, so that every engine that matches fills them alike.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from ...grammar import graph
from ...grammar.charset import EMPTY
from ...grammar.compile.ambiguity import RxStates, finite
from ...grammar.compile.rx import Rep, Rx, bounded, choice
from ...grammar.compile.to_regex import Alternatives, _Converter
from ...grammar.compiled import Compiled
from ...grammar.errors import GrammarLimit, UnknownRule
from ...grammar.machine.nfa import alphabet_for
from ...grammar.model import Element, Model, Repetition, RuleRef, children, references
from ...grammar.read.check_model import reachable
from ...limits import MAX_CAPTURE_STEPS
from ...text.drawing import visible


@dataclass(frozen=True, slots=True)
class Capture(Rep):
    """A part that matches once, and is captured: ``name`` is the rule that it is."""

    name: str = ""


def captured(compiled: Compiled, rule: str, wanted: Sequence[str], backtracks: bool) -> Rx:
    """The expression of a rule, with a ``Capture`` wherever a wanted rule is referred to.

    A name that is not a rule below ``rule`` can be a component: then each production of it that
    ``rule`` leads to, not counting those inside another, is captured. Errors: UnknownRule;
    GrammarLimit, if a group would be in a repetition, or could hold different parts of one text,
    or, if the engine ``backtracks``, no expression is known to be linear in the text.
    """
    model = compiled.model
    names = _rules(model, rule, wanted)
    below = _users(model, names)

    def alternatives(name: str) -> tuple[str, ...]:
        return (name,) if name in below else compiled.alternatives(name)

    _refuse_repeated(model, rule, names)
    found = _Capturing(compiled, alternatives, names).rule(rule, ())
    _Proof(found, rule)
    if backtracks and not (bounded(found) or finite(found)):
        raise GrammarLimit(
            f"with these groups no expression of {rule} was found that an engine that backtracks "
            "matches in linear time; re2 and rust match it in linear time"
        )
    return found


# The places of the groups


def _rules(model: Model, rule: str, wanted: Sequence[str]) -> frozenset[str]:
    """The rules to capture. Errors: UnknownRule, for one that the rule does not lead to."""
    elements = {name: found.element for name, found in model.rules.items()}
    below = reachable(elements, [rule])
    components = sorted({model.components[n] for n in below if n in model.components})
    names: set[str] = set()
    for want in wanted:
        found = model.find(want)
        if found is not None and found.name in below:
            names.add(found.name)
        elif want in components:
            own = {name for name in below if model.components.get(name) == want}
            names |= _outermost(model, rule, own)
        else:
            raise UnknownRule(want, [*sorted(below), *components], f"{model.name} below {rule}")
    return frozenset(names)


def _outermost(model: Model, rule: str, own: set[str]) -> set[str]:
    """Those of some rules that the rule leads to without going through another of them."""

    def following(name: str) -> Iterator[str]:
        return iter(()) if name in own else references(model.rules[name].element)

    found = graph.reachable([rule], following)
    return own & found


def _users(model: Model, names: frozenset[str]) -> set[str]:
    """The rules with an alternative that leads to some names, which must not be left out."""
    elements = {name: found.element for name, found in model.rules.items()}
    return {name for name in elements if reachable(elements, [name]) & names}


class _Capturing(_Converter):
    """The conversion of a rule that keeps what wanted rules become."""

    def __init__(
        self, compiled: Compiled, alternatives: Alternatives, names: frozenset[str]
    ) -> None:
        super().__init__(compiled.model, alternatives)
        self._names = names

    def _choice(self, items: Iterable[Rx]) -> Rx:
        return choice(items)  # what begins alike can end in different groups

    def rule(self, name: str, path: tuple[str, ...]) -> Rx:
        found = super().rule(name, path)
        return Capture(found, 1, 1, name) if name in self._names else found


def _refuse_repeated(model: Model, rule: str, names: frozenset[str]) -> None:
    """Errors: GrammarLimit, for a name that the rule leads to from within a repetition."""
    seen: set[tuple[str, bool]] = set()
    stack: list[tuple[Element, bool]] = [(RuleRef(rule), False)]
    while stack:
        element, repeated = stack.pop()
        match element:
            case RuleRef(name) if (name, repeated) not in seen:
                seen.add((name, repeated))
                if repeated and name in names:
                    raise GrammarLimit(
                        f"{name} is repeated here, and a group holds only the last round; "
                        "capture the rule that repeats it"
                    )
                stack.append((model.rules[name].element, repeated))
            case Repetition(item, _, most):
                stack.append((item, repeated or most not in (0, 1)))
            case _:
                stack.extend((item, repeated) for item in children(element))


# That they can hold one thing only


class _CaptureStates(RxStates):
    """An expression, with a mark at the beginning and the end of each group."""

    def __init__(self, rx: Rx) -> None:
        self.marks: dict[int, str] = {}
        super().__init__(rx)

    def build(self, rx: Rx, after: int) -> int:
        if not isinstance(rx, Capture):
            return super().build(rx, after)
        end = self.add(EMPTY, (after,))
        start = self.add(EMPTY, (self.build(rx.item, end),))
        self.marks[start] = self.marks[end] = rx.name
        return start


class _Proof:
    """Runs an expression in step with itself, to find one text that fills the groups in two ways.

    The beginning and the end of a group are marks between characters. Made deterministic over
    characters and marks, two different runs over one text differ in a mark.
    """

    def __init__(self, rx: Rx, rule: str) -> None:
        self._places = _CaptureStates(rx)
        self._marks = self._places.marks
        self._alphabet = alphabet_for(self._places)
        self._classes = self._places.classes(self._alphabet)
        self._steps = 0
        self._moves: dict[frozenset[int], dict[int, frozenset[int]]] = {}
        self._known: dict[frozenset[int], list[tuple[tuple[int, ...], frozenset[int]]]] = {}
        self._search(rule)

    def _search(self, rule: str) -> None:
        """Errors: GrammarLimit, if two ways are found, or too many steps are taken."""
        start = frozenset(self._places.closure([self._places.start]))
        first = (start, start, 0)
        texts: dict[tuple[frozenset[int], frozenset[int], int], str] = {first: ""}
        queue = deque([first])
        while queue:
            state = queue.popleft()
            one, other, differs = state
            for marks, here in self._between(one):
                for others, there in self._between(other):
                    self._spend(rule)
                    differing = differs or _difference(marks, others)
                    if differing and 0 in here and 0 in there:
                        self._refuse(texts[state], differing)
                    for class_, after in sorted(self._read(here).items(), key=itemgetter(0)):
                        beside = self._read(there).get(class_)
                        if beside is None:
                            continue
                        following = after, beside, differing
                        if following not in texts:
                            texts[following] = texts[state] + self._alphabet.sample(class_)
                            queue.append(following)

    def _refuse(self, text: str, place: int) -> None:
        name = self._marks[place]
        shown = f'"{visible(text)}"' if text else "the empty text"
        raise GrammarLimit(
            f"the group of {name} is ambiguous: {shown} can be divided in two ways, in which it "
            "holds different parts; capture a rule that holds both"
        )

    def _spend(self, rule: str) -> None:
        self._steps += 1
        if self._steps > MAX_CAPTURE_STEPS:
            raise GrammarLimit(f"{rule} is too large to prove that its groups are unambiguous")

    def _between(self, places: frozenset[int]) -> list[tuple[tuple[int, ...], frozenset[int]]]:
        """The marks that can be passed before the next character, and their targets."""
        known = self._known.get(places)
        if known is None:
            known = [((), places)]
            for marks, here in known:
                for mark in sorted(here & self._marks.keys()):
                    then = self._places.transitions[mark]
                    known.append(((*marks, mark), frozenset(self._places.closure(then))))
                    self._steps += 1
            self._known[places] = known
        return known

    def _read(self, places: frozenset[int]) -> dict[int, frozenset[int]]:
        known = self._moves.get(places)
        if known is None:
            targets: dict[int, list[int]] = {}
            for place in places:
                for class_ in self._classes[place]:
                    targets.setdefault(class_, []).append(self._places.transitions[place][0])
            known = {c: frozenset(self._places.closure(t)) for c, t in targets.items()}
            self._moves[places] = known
        return known


def _difference(marks: tuple[int, ...], others: tuple[int, ...]) -> int:
    """A mark that two rows of marks do not share; 0 if they are equal."""
    for one, other in zip(marks, others, strict=False):
        if one != other:
            return one
    longer = max(marks, others, key=len)
    return longer[min(len(marks), len(others))] if len(marks) != len(others) else 0
