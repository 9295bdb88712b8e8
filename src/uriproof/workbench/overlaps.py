"""Which of several alternatives accept the same texts.

Owns the automaton that remembers which alternatives have matched. Imports the automata and the
model. Invariant: the results are exact, and each witness is a shortest text of its kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..grammar.charset import EMPTY, Alphabet
from ..grammar.errors import GrammarLimit
from ..grammar.machine.automaton import from_nfa
from ..grammar.machine.nfa import Frame, Nfa
from ..grammar.machine.sample import prefixes
from ..grammar.model import Concatenation, Element, Model, Rule
from ..limits import MAX_OVERLAP_STATES


@dataclass(frozen=True, slots=True)
class Overlap:
    """An alternative, by its number, that accepts texts which earlier ones also accept.

    ``earlier`` are the numbers of the fewest that suffice: one, if there is one that accepts them
    all. With ``whole``, each of its texts is accepted by one of these; ``witness`` is a shortest
    text that it and the first of these accept.
    """

    number: int
    earlier: tuple[int, ...]
    whole: bool
    witness: str


class _Marked(Nfa):
    """The alternatives in parallel; each ends in a place of its own, which nothing can read."""

    def __init__(self, model: Model, elements: Sequence[Element]) -> None:
        nothing = Rule("", Concatenation(()), "", "", "", 0)
        super().__init__(model._replace(rules={**model.rules, "": nothing}), "")
        self.marks: dict[int, int] = {}
        starts: list[int] = []
        for number, element in enumerate(elements):
            mark = self.add(EMPTY, ())
            self.marks[mark] = number
            try:
                end = self.add(None, (mark, 0))
                starts.append(self._element(element, end, Frame("", None)))
            except RecursionError:
                raise GrammarLimit("the rule is nested too deeply") from None
        self.start = self.add(None, tuple(starts))

    def ended(self, places: tuple[int, ...]) -> tuple[int, ...]:
        """The alternatives of which a text leads to some places."""
        return tuple(sorted(self.marks[place] for place in places if place in self.marks))


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
    nfa = _Marked(model, elements)
    machine = from_nfa(nfa, alphabet, nfa.ended, MAX_OVERLAP_STATES)
    texts: dict[int, list[tuple[str, list[int]]]] = {}
    for text, numbers in sorted(zip(prefixes(machine), machine.labels, strict=True), key=_length):
        assert isinstance(numbers, tuple)  # noqa: S101 -- they are those of ``ended``
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


def _length(found: tuple[str, object]) -> int:
    return len(found[0])
