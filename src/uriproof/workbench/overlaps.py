"""Which of several alternatives accept the same texts.

Owns the automaton that remembers which alternatives have matched. Imports the automata and the
model. Invariant: the results are exact, and each witness is a shortest text of its kind.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..grammar.charset import EMPTY, Alphabet
from ..grammar.errors import GrammarLimit
from ..grammar.machine.nfa import Frame, Nfa
from ..grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    Rule,
    RuleRef,
    references,
)
from ..limits import MAX_OVERLAP_PLACES, MAX_OVERLAP_STATES


@dataclass(frozen=True, slots=True)
class Overlap:
    """An alternative, by its number, that accepts texts which earlier ones also accept.

    ``earlier`` are the numbers of the fewest that suffice: one, if there is one that accepts
    them all. With ``whole``, each of its texts is accepted by one of these; ``witness`` is a
    shortest text that it and the first of these accept.
    """

    number: int
    earlier: tuple[int, ...]
    whole: bool
    witness: str


class _Marked(Nfa):
    """The alternatives in parallel; each ends in its own place, which nothing can read.

    Alternatives share no places: those of each are a range of numbers, above that of the one
    before, and ``alternative`` says of each place whose it is.
    """

    def __init__(self, model: Model, elements: Sequence[Element]) -> None:
        nothing = Rule("", Concatenation(()), "", "", "", 0)
        super().__init__(model._replace(rules={**model.rules, "": nothing}), "")
        self.marks: dict[int, int] = {}
        self.alternative = [-1] * len(self.symbols)
        starts: list[int] = []
        for number, element in enumerate(elements):
            mark = self.add(EMPTY, ())
            self.marks[mark] = number
            try:
                starts.append(self._element(element, mark, Frame("", None)))
            except RecursionError:
                raise GrammarLimit("the rule is nested too deeply") from None
            self.alternative += [number] * (len(self.symbols) - len(self.alternative))
        self.start = self.add(None, tuple(starts))


def overlaps(model: Model, elements: Sequence[Element], alphabet: Alphabet) -> Iterator[Overlap]:
    """The common texts of the alternatives of an alternation, in their order.

    One answer for each alternative that has texts of an earlier one: the earlier one that
    accepts all of its texts, else, if they do together, all of those, else the first. Errors:
    GrammarLimit. Cost: that of the automaton of the alternation, and O(pairs that overlap).

    >>> from uriproof.grammar.registry import load
    >>> from uriproof.grammar.model import RuleRef
    >>> host = [RuleRef(n) for n in ("IP-literal", "IPv4address", "reg-name")]
    >>> rfc3986 = load("rfc3986")
    >>> list(overlaps(rfc3986.model, host, rfc3986.alphabet))
    [Overlap(number=2, earlier=(1,), whole=False, witness='0.0.0.0')]
    """
    found = _accepted(_Marked(model, elements), alphabet)
    texts: dict[int, list[tuple[str, list[int]]]] = {}
    for text, numbers in found:
        for number in numbers:
            texts.setdefault(number, []).append((text, [n for n in numbers if n < number]))
    for number in sorted(texts):
        lists = [earlier for _, earlier in texts[number]]
        common = [earlier for earlier in lists if earlier]
        if not common:
            continue
        always = set(common[0]).intersection(*common[1:])
        whole = len(common) == len(lists)
        if whole and always:
            chosen: tuple[int, ...] = (min(always),)
        elif whole:
            chosen = _cover(lists)
        else:
            chosen = (common[0][0],)
        witness = next(text for text, earlier in texts[number] if chosen[0] in earlier)
        yield Overlap(number, chosen, whole, witness)


def _cover(lists: list[list[int]]) -> tuple[int, ...]:
    """Some of the numbers, at least one of each list: the most frequent first."""
    left = lists
    chosen: list[int] = []
    while left:
        often: dict[int, int] = {}
        for numbers in left:
            for number in numbers:
                often[number] = often.get(number, 0) + 1
        best = min(often, key=lambda n: (-often[n], n))
        chosen.append(best)
        left = [numbers for numbers in left if best not in numbers]
    return tuple(sorted(chosen))


def _accepted(nfa: _Marked, alphabet: Alphabet) -> list[tuple[str, list[int]]]:
    """A shortest text for each set of alternatives' ends, with the alternatives that accept it.

    The subset construction, breadth first. It stops if only one alternative is
    left: that accepts a text which no other accepts, since each can match something, and
    it is returned once more by itself, without a text. Errors: GrammarLimit, above
    ``MAX_OVERLAP_STATES``.
    """
    classes = nfa.classes(alphabet)
    closures: dict[frozenset[int], tuple[int, ...]] = {}
    samples: dict[int, str] = {}
    words: dict[tuple[int, ...], str] = {}
    alone: set[int] = set()
    queue: deque[tuple[int, ...]] = deque()

    def reach(places: frozenset[int], before: str, class_: int | None) -> None:
        closed = closures.get(places)
        if closed is None:
            closed = closures[places] = tuple(sorted(nfa.closure(places)))
        if closed in words:
            return
        first, last = nfa.alternative[closed[0]], nfa.alternative[closed[-1]]
        if first == last:
            alone.add(first)
            return
        if len(words) >= MAX_OVERLAP_STATES:
            raise GrammarLimit(f"they need more than {MAX_OVERLAP_STATES:,} states")
        if class_ is not None and class_ not in samples:
            samples[class_] = alphabet.sample(class_)
        words[closed] = before if class_ is None else before + samples[class_]
        queue.append(closed)

    reach(frozenset([nfa.start]), "", None)
    while queue:
        subset = queue.popleft()
        targets: dict[int, set[int]] = {}
        for place in subset:
            for class_ in classes[place]:
                targets.setdefault(class_, set()).add(nfa.transitions[place][0])
        for class_ in sorted(targets):
            reach(frozenset(targets[class_]), words[subset], class_)
    marked = [
        (text, sorted(nfa.marks[p] for p in subset if p in nfa.marks))
        for subset, text in words.items()
    ]
    return [pair for pair in marked if pair[1]] + [("", [number]) for number in sorted(alone)]


class Sizes:
    """How many places elements take with all references replaced, up to a bound."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._known: dict[str, int] = {}

    def of(self, element: Element) -> int:
        """The places of an element, at most ``MAX_OVERLAP_PLACES``. Cost: O(unknown parts)."""
        begun: set[str] = set()
        stack = list(references(element))
        while stack:  # inmost first, without Python's stack
            name = stack[-1]
            if name in self._known:
                stack.pop()
            elif name in begun:
                self._known[name] = self._measured(self._model.rules[name].element)
                stack.pop()
            else:
                begun.add(name)
                inner = references(self._model.rules[name].element)
                stack += (n for n in inner if n not in self._known and n not in begun)
        return self._measured(element)

    def _measured(self, element: Element) -> int:
        match element:
            case RuleRef(name):
                size = self._known.get(name, 1)  # a rule inside itself shares its places
            case CharVal(text):
                size = len(text)
            case NumVal(points, is_range):
                size = 1 if is_range else len(points)
            case Concatenation(items) | Alternation(items):
                size = 1 + sum(map(self._measured, items))
            case Repetition(item, least, most):
                size = 1 + self._measured(item) * (max(least, 1) if most is None else most)
        return min(size, MAX_OVERLAP_PLACES)
