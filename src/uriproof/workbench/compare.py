"""Two productions side by side: whether they accept the same texts, and if not, which they do not.

Owns the comparison of languages. Imports the automata, the recognizer and the order of characters.
Invariant: two automata are compared exactly, by running both in step; a witness is a shortest text
of its kind, and of those the most readable one. If no automaton decides, texts are tried up to a
bound, and a text is said not to exist only if all texts were tried.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from ..errors import HasVerdict
from ..grammar.derive.recognizer import Unfolded
from ..grammar.errors import GrammarLimit
from ..grammar.machine.automaton import DEAD, Automaton
from ..grammar.machine.product import Machine, Pair, Product
from ..grammar.machine.readable import order
from ..grammar.machine.sample import samples, suffixes
from ..grammar.read.check_model import reachable
from ..limits import MAX_BEGINNINGS, MAX_COMPARED_PAIRS
from .describe import facts
from .samples import derived

if TYPE_CHECKING:
    from ..grammar.compiled import Compiled

Relation = Literal["equal", "contained", "contains", "overlapping", "disjoint"]


DRAWN = 500
"""Longer random texts of either side to try."""

PATTERN = "re:"
"""The prefix of a side that is a pattern."""

_LONGEST = 60

_KINDS = ((True, False), (False, True), (True, True))
"""Whether A, and whether B, accepts a text."""


@dataclass(frozen=True, slots=True)
class Comparison(HasVerdict):
    """How two languages, A and B, are related.

    ``relation`` is that of A to B: ``equal``; ``contained``, A's texts are B's, and B has more;
    ``contains``, the other way round; ``overlapping``, both have texts of their own and some in
    common; ``disjoint``, none in common. ``only_a``, ``only_b`` and ``both`` are shortest texts
    that only A, only B, and both accept; None if there is none.
    """

    _verdict = "equal"
    relation: Relation
    only_a: str | None
    only_b: str | None
    both: str | None

    @property
    def equal(self) -> bool:
        return self.relation == "equal"


@dataclass(frozen=True, slots=True)
class Witness:
    """A text that one side accepts and the other does not.

    ``stops`` is the offset, in code points, of the first character that the other side cannot read;
    the length of the text if it reads all of it, and needs more.
    """

    text: str
    stops: int


def compare(a: Automaton, b: Automaton) -> Comparison:
    """The relation of the texts that ``a`` accepts to those that ``b`` accepts.

    The automata can have different alphabets. Errors: GrammarLimit. Cost: O(pairs of states that
    are reached, at most ``MAX_COMPARED_PAIRS``, times classes).

    >>> from uriproof.grammar.registry import load
    >>> rfc3986 = load("rfc3986")
    >>> compare(rfc3986.automaton("segment-nz"), rfc3986.automaton("segment"))
    Comparison(relation='contained', only_a=None, only_b='', both='a')
    """
    (only_a, only_b, both), _ = _shortest(Product(a, b, MAX_COMPARED_PAIRS))
    return Comparison(relation_of(only_a, only_b, both), only_a, only_b, both)


def _shortest(product: Product, most: int | None = None) -> tuple[list[str | None], int | None]:
    """A shortest text of each of ``_KINDS``, of up to ``most`` pairs; and the length up to which
    all were tried, None if these are all that there are."""
    found: dict[tuple[bool, bool], str] = {}
    length, pairs = 0, product.pairs()
    for pair in islice(pairs, most):
        length = product.depth[pair] - 1
        sides = pair[0] in product.a.accepting, pair[1] in product.b.accepting
        if any(sides) and sides not in found:
            found[sides] = product.text(pair)
        if len(found) == len(_KINDS):
            break
    return [*map(found.get, _KINDS)], None if next(pairs, None) is None else length


def relation_of(only_a: str | None, only_b: str | None, both: str | None) -> Relation:
    """The relation of A to B, from the texts of each kind: None if there are none."""
    if only_a is None:
        return "equal" if only_b is None else "contained"
    if only_b is None:
        return "contains"
    return "disjoint" if both is None else "overlapping"


def kinds(a: Automaton, b: Automaton, most: int) -> tuple[Witness, ...]:
    """Up to ``most`` texts that ``a`` accepts and ``b`` does not, no two refused alike.

    Two rejections are of one kind if ``b`` stops in the same state while ``a`` continues in the
    same state, over a character that ``b`` reads elsewhere or over one that it never reads. For
    each kind there is a shortest text; the shortest kinds come first.

    Errors: GrammarLimit. Cost: as ``compare``, and O(length) for each kind.

    >>> from uriproof.grammar.registry import load
    >>> rfc3986 = load("rfc3986")
    >>> segment, nz_nc = rfc3986.automaton("segment"), rfc3986.automaton("segment-nz-nc")
    >>> [(w.text, w.stops) for w in kinds(segment, nz_nc, 9)]
    [('', 0), (':', 0), ('a:', 1)]
    """
    product = Product(a, b, MAX_COMPARED_PAIRS)
    endings, distance = suffixes(a, readable=True), a.distances()
    nowhere = tuple(all(row[c] == DEAD for row in b.rows) for c in range(b.alphabet.size))
    best: dict[Hashable, tuple[int, Pair, int, int]] = {}
    for pair in list(product.pairs()):
        qa, qb = pair
        if DEAD in pair:
            continue
        depth = product.depth[pair]
        if qa in a.accepting and qb not in b.accepting:
            best.setdefault(qb, (depth, pair, -1, DEAD))
        for column, (ta, tb) in product.moves(pair):
            if ta == DEAD or tb != DEAD:
                continue
            length = depth + 1 + distance[ta]
            kind = qb, ta, nowhere[product.columns[column][2]]
            if kind not in best or length < best[kind][0]:
                best[kind] = length, pair, column, ta
    shortest = sorted(best.values(), key=lambda entry: entry[0])
    # One more length than asked for, so that the order among equally long ones is by their text.
    limit = shortest[min(most, len(shortest)) - 1][0] if shortest and most > 0 else -1
    found: list[Witness] = []
    for length, pair, column, ta in shortest:
        if length > limit:
            break
        text = product.text(pair)
        stops = len(text)
        if column >= 0:
            text += product.columns[column][0] + endings[ta]
        found.append(Witness(text, stops))
    return tuple(sorted(found, key=lambda w: order(w.text))[: max(most, 0)])


# Without an automaton


@dataclass(frozen=True, slots=True)
class Language:
    """One side of a comparison: a rule, with its automaton if it has one, or a pattern's automaton.

    ``name`` is ``GRAMMAR:RULE``, or ``re:PATTERN``.
    """

    name: str
    automaton: Automaton | None
    compiled: Compiled | None = None
    rule: str = ""

    def to_dict(self) -> dict[str, str | None]:
        grammar = self.compiled.name if self.compiled is not None else None
        return {"name": self.name, "grammar": grammar, "rule": self.rule or None}

    def machine(self) -> Machine:
        """Its automaton; without one, the states of its recognizer, which may have no end."""
        if self.automaton is not None:
            return self.automaton
        assert self.compiled is not None  # noqa: S101 -- one of the two is given
        return Unfolded(self.compiled.recognizer(self.rule))

    def texts(self) -> Iterator[str]:
        """Random texts of all lengths up to a bound."""
        if self.automaton is not None:
            return samples(self.automaton)
        assert self.compiled is not None  # noqa: S101 -- one of the two is given
        return derived(facts(self.compiled), self.rule, most=_LONGEST)


@dataclass(frozen=True, slots=True)
class Compared:
    """How two languages, A and B, are related, with texts that show it.

    ``only_a`` and ``only_b`` are shortest texts that only one side accepts, ``both`` is one that
    both do. If not both have an automaton, texts were tried: ``every`` is true if these are all
    that there are, otherwise they were all up to ``length`` code points, and ``drawn`` longer ones;
    ``relation`` is None if that does not settle it. With ``same`` the rules are identical word for
    word, and no text was tried.
    """

    relation: Relation | None
    only_a: tuple[Witness, ...]
    only_b: tuple[Witness, ...]
    both: str | None
    length: int = 0
    drawn: int = 0
    every: bool = True
    same: bool = False

    @property
    def differ(self) -> bool:
        return bool(self.only_a or self.only_b)

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values; ``searched`` is None if every text was taken into account."""
        return {
            "relation": self.relation,
            "only_a": [asdict(witness) for witness in self.only_a],
            "only_b": [asdict(witness) for witness in self.only_b],
            "both": self.both,
            "searched": None if self.every else {"length": self.length, "drawn": self.drawn},
        }


def compared(a: Language, b: Language, most: int = 1, beginnings: int = MAX_BEGINNINGS) -> Compared:
    """The relation of A to B, with up to ``most`` kinds of witnesses of two automata.

    Without an automaton, it is ``search``, of up to so many ``beginnings``. Errors: GrammarLimit.
    """
    if a.automaton is None or b.automaton is None:
        return search(a, b, beginnings)
    found = compare(a.automaton, b.automaton)
    only_a = kinds(a.automaton, b.automaton, most)
    only_b = kinds(b.automaton, a.automaton, most)
    return Compared(found.relation, only_a, only_b, found.both)


def language(compiled: Compiled, rule: str) -> Language:
    """The language of a rule, by its automaton if there is one."""
    name = f"{compiled.name}:{rule}"
    try:
        return Language(name, compiled.automaton(rule), compiled, rule)
    except GrammarLimit:
        return Language(name, None, compiled, rule)


def pattern(named: str) -> Language:
    """The language of ``re:PATTERN``. Errors: BadPattern, GrammarLimit."""
    from .read_pattern import read_pattern

    return Language(named, read_pattern(named.removeprefix(PATTERN)))


def _same(a: Language, b: Language) -> bool:
    """True when two rules, and all that they lead to, are word for word the same: so are the
    languages. False says nothing."""
    if a.compiled is None or b.compiled is None or a.rule != b.rule:
        return False
    rules = a.compiled.model.rules, b.compiled.model.rules
    one, other = ({name: rule.element for name, rule in own.items()} for own in rules)
    names = reachable(one, [a.rule])
    return names == reachable(other, [b.rule]) and all(one[name] == other[name] for name in names)


def search(a: Language, b: Language, most: int = MAX_BEGINNINGS) -> Compared:
    """Look for shortest texts that only A, only B and both accept.

    All texts are tried, the shortest first, up to ``most`` beginnings of them, of which those with
    the same continuations count once; then ``DRAWN`` longer texts of either side. Errors:
    GrammarLimit, for grammars with too many readings. Cost: O(most * readings left).

    >>> from uriproof.grammar.registry import compile_abnf
    >>> a = compile_abnf('n = "(" n ")" / "x"')
    >>> b = compile_abnf('n = "(" n ")" / "x" / "()"')
    >>> found = search(language(a, "n"), language(b, "n"))
    >>> found.only_a, found.only_b, found.both
    ((), (Witness(text='()', stops=1),), 'x')
    """
    if _same(a, b):
        return Compared("equal", (), (), None, same=True)
    product = Product(a.machine(), b.machine())
    (only_a, only_b, both), length = _shortest(product, most)
    every = length is None
    drawn = 0 if every else DRAWN * [only_a, only_b].count(None)
    if not every:
        only_a = _drawn(a, product.b) if only_a is None else only_a
        only_b = _drawn(b, product.a) if only_b is None else only_b
    settled = every or None not in (only_a, only_b, both)
    return Compared(
        relation_of(only_a, only_b, both) if settled else None,
        () if only_a is None else (Witness(only_a, _read(product.b, only_a)[0]),),
        () if only_b is None else (Witness(only_b, _read(product.a, only_b)[0]),),
        both,
        length or 0,
        drawn,
        every,
    )


def _drawn(mine: Language, other: Machine) -> str | None:
    """A random text that only one language has; None if none of ``DRAWN`` is."""
    texts = sorted(islice(mine.texts(), DRAWN), key=order)
    return next((text for text in texts if not _read(other, text)[1]), None)


def _read(machine: Machine, text: str) -> tuple[int, bool]:
    """The length of the longest beginning of a text that something accepted has, and whether the
    text is accepted."""
    state = 0
    for offset, class_ in enumerate(machine.alphabet.encode(text)):
        state = machine.rows[state][class_]
        if state == DEAD:
            return offset, False
    return len(text), state in machine.accepting
