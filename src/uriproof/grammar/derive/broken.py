"""The derivation of any text: the errors of one that is not valid, and what is missing, are nodes.

Owns the repair that the derivation of such a text is read off. Imports derivations and the
automaton of the rule. Invariant: the leaves are the text, each character once; an error is exactly
over the characters that the report blames, and something is missing only where the report says so.

How it works. The report of ``http://e x/`` blames the space. A walk through the automaton may leave
out, or take for another, each blamed character, and put in something where something is missing;
the cheapest text that is then accepted, here ``http://ex/``, is derived as usual, and its nodes are
moved to the characters of the text that they stand for. An error goes into the rule that the report
names, and what was put in is a missing node. Nothing but the report says what is wrong. If a rule
has no automaton, the text is whole as far as it is viable, and what is nearest to an end from there
stands for the rest, which is one error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ...limits import MOST_TAKEN_FOR_OTHERS
from ..graph import nearest
from ..work import spend
from .chart import Chart, chart_of
from .explain import Blame, Derivation, Next, Node, derivation_of
from .stops import Stops

if TYPE_CHECKING:
    from ..charset import Alphabet
    from ..compiled import Compiled
    from ..machine.automaton import Automaton

_PUT, _LACKS = 4, 1_000
"""What it costs to put in a character, and to put in none where the report says that one is."""
_COSTS = ((2, 3), (3, 2))
"""What it costs to leave a character out, and to take it for another. If that what is left reads
differently, as ``h:/ /a`` without its space does, the other is tried."""


class _Piece(NamedTuple):
    """A character of the repaired text: the offset that it stands for, or None if it was put in;
    and the number of the blame that it is in, or -1."""

    character: str
    offset: int | None
    blame: int

    @property
    def is_kept(self) -> bool:
        return self.offset is not None and self.blame < 0


def explain(compiled: Compiled, rule: str, text: str, blames: Sequence[Blame] = ()) -> Derivation:
    """The whole derivation of a text; of one that is not valid, with errors as nodes.

    ``rule`` in its canonical spelling; n code points in; offsets are code points. ``blames`` are
    all that a report blames, in text order; without any, the error is all that is not viable.
    Errors: GrammarLimit, for a text with too many readings; never for anything else about the text.
    Cost: O(n) if few readings are left at each character, at most O(n³) up to a bound. Source: RFC
    5234 §3; RFC 3986 §3.2.2 for the first match.

    >>> from uriproof.grammar.registry import load
    >>> found = explain(load("rfc3986"), "host", "1.2.3.4")
    >>> found.count, [a.ways for a in found.ambiguities]
    (2, [('IPv4address', 'reg-name')])
    >>> found.path(found.leaves()[2])
    ('host', 'IPv4address', 'dec-octet', 'DIGIT', '%x30-39')
    >>> found.taken[0]
    ('host', 'host:out', 'host.1', 'host.1:out')
    """
    chart = chart_of(compiled, rule, text)
    if chart.reading.accepted:
        return derivation_of(chart, rule)
    return _broken(compiled, rule, chart, blames)


def _broken(compiled: Compiled, rule: str, chart: Chart, blames: Sequence[Blame]) -> Derivation:
    """The derivation of a text that is not valid, with all that its report blames, in text order.

    Errors: GrammarLimit, as for ``explain``. Cost: that of two derivations.

    >>> from uriproof.grammar.registry import load
    >>> found = explain(load("rfc3986"), "port", "8o0", [Blame(1, 2, ("port",))])
    >>> [(n.name, n.start, n.end) for n in found.nodes if n.fault], found.left[0]
    ([('port', 1, 2)], ('port.0:out',))
    """
    stops = Stops(chart)
    following = sorted(stops.found, key=lambda stop: stop.cost)
    described = dict.fromkeys(Next(*stops.described(stop, rest=True)) for stop in following)
    found: Derivation | None = None
    for pieces, blamed in _repairs(compiled, rule, chart, stops, blames):
        if found is not None and blamed is not blames:
            break
        mended = explain(compiled, rule, "".join(piece.character for piece in pieces))
        mover = _Mover(mended, pieces, chart.text, blamed)
        made = mover.moved()
        if made is not None and mover.agrees:
            found = made
            break
        found = made if found is None else found
    assert found is not None  # noqa: S101 -- the last repair only adds to the end
    known = chart.model.rules
    names = [node.name for node in found.nodes if node.name in known]
    names += [name for one in described for name in one.path]
    rules = {name: known[name] for name in names}
    return replace(found, viable=chart.furthest, following=tuple(described), rules=rules)


def _repairs(
    compiled: Compiled, rule: str, chart: Chart, stops: Stops, blames: Sequence[Blame]
) -> Iterator[tuple[list[_Piece], Sequence[Blame]]]:
    """Texts that the rule accepts, the nearest first, and what is blamed where they differ."""
    text, viable = chart.text, chart.furthest
    for costs in _COSTS if blames and compiled.traceable(rule) else ():
        pieces = _repaired(compiled.trace(rule).automaton, text, blames, costs)
        if pieces is None:
            break
        yield pieces, blames
    kept = [_Piece(character, at, -1) for at, character in enumerate(text[:viable])]
    if viable == len(text):
        yield [*kept, *(_Piece(put, None, -1) for put in stops.completion())], ()
        return
    path = blames[0].path if blames else stops.path(stops.found)
    put_in = [_Piece(put, None, 0) for put in stops.completion()]
    put_in[:1] = [piece._replace(offset=viable) for piece in put_in[:1]]
    yield [*kept, *put_in], [Blame(viable, len(text), path)]


def _repaired(
    automaton: Automaton, text: str, blames: Sequence[Blame], costs: tuple[int, int]
) -> list[_Piece] | None:
    """The text that the rule accepts with the cheapest changes to what is blamed."""
    missing = {blame.start: True for blame in blames if blame.start == blame.end}
    found = _walked(automaton, text, blames, missing, costs)
    if found is None:  # what is left out can leave something missing, such as a first digit
        ends = dict.fromkeys((blame.end for blame in blames), False) | missing
        found = _walked(automaton, text, blames, ends, costs)
    return found


class _Way(NamedTuple):
    """The pieces up to a state, the last one first."""

    before: _Way | None
    piece: _Piece


_Reached: TypeAlias = dict[int, tuple[int, "_Way | None"]]
"""Per state, what it costs to come to it, and how."""


def _walked(
    automaton: Automaton,
    text: str,
    blames: Sequence[Blame],
    missing: dict[int, bool],
    costs: tuple[int, int],
) -> list[_Piece] | None:
    skip, change = costs
    blamed = {at: n for n, blame in enumerate(blames) for at in range(blame.start, blame.end)}
    few = len(blamed) <= MOST_TAKEN_FOR_OTHERS
    rows, alphabet = automaton.rows, automaton.alphabet
    moves = [{target: class_ for class_, target in enumerate(row) if target >= 0} for row in rows]
    reached: _Reached = {0: (0, None)}
    for at, class_ in enumerate([*alphabet.encode(text), -1]):
        if at in missing:
            reached = _put_in(reached, missing[at], moves, alphabet)
        if class_ < 0:
            break
        following: _Reached = {}
        number = blamed.get(at, -1)
        spend(len(reached))
        for state, (cost, way) in reached.items():
            if number < 0:
                _reach(following, rows[state][class_], cost, _Way(way, _Piece(text[at], at, -1)))
                continue
            _reach(following, state, cost + skip, way)
            for target, other in moves[state].items() if few else ():
                piece = _Piece(alphabet.sample(other), at, number)
                _reach(following, target, cost + change, _Way(way, piece))
        reached = following
    ends = [reached[state] for state in automaton.accepting if state in reached]
    if not ends:
        return None
    pieces: list[_Piece] = []
    _, way = min(ends, key=lambda one: one[0])
    while way is not None:
        pieces.append(way.piece)
        way = way.before
    return pieces[::-1]


def _reach(reached: _Reached, state: int, cost: int, way: _Way | None) -> None:
    if state >= 0 and (state not in reached or cost < reached[state][0]):
        reached[state] = cost, way


def _put_in(
    reached: _Reached, lacking: bool, moves: list[dict[int, int]], alphabet: Alphabet
) -> _Reached:
    """The states that anything put in leads to, each as cheaply as possible.

    If something is lacking there, to put in nothing is the last resort.
    """

    def following(node: tuple[int, bool]) -> Iterator[tuple[tuple[int, bool], int]]:
        state, done = node
        spend(1)
        for target in moves[state]:
            yield (target, True), _PUT
        if not done:
            yield (state, True), _LACKS if lacking else 0

    roots = {(state, False): cost for state, (cost, _) in reached.items()}
    found: dict[tuple[int, bool], tuple[int, _Way | None]] = {}
    for (state, done), (cost, before) in nearest(roots, following).items():
        way = found[before][1] if before else reached[state][1]
        if before and cost - found[before][0] == _PUT:
            way = _Way(way, _Piece(alphabet.sample(moves[before[0]][state]), None, -1))
        found[state, done] = cost, way
    return {state: way for (state, done), way in found.items() if done}


class _Mover:
    """A derivation of a repaired text, as one of the text itself."""

    def __init__(
        self, mended: Derivation, pieces: list[_Piece], text: str, blames: Sequence[Blame]
    ) -> None:
        self._mended = mended
        self._pieces = pieces
        self._text = text
        self._blames = blames
        self._children = mended.inner
        self._kept = [0, *accumulate(piece.is_kept for piece in pieces)]
        self.agrees = True  # whether each error is in the rules that its report names
        # Per node, the blames whose characters are left out in it, before so many of its children,
        # or of its characters.
        self._left_out: dict[int, list[tuple[int, int]]] = {}
        taken_for_others = {piece.blame for piece in pieces}
        at = 0
        for number, blame in enumerate(blames):
            while at < len(pieces) and (pieces[at].offset or 0) < blame.start:
                at += 1
            if blame.end > blame.start and number not in taken_for_others:
                self._place(number, at)
        self._told: set[int] = set()  # blames that have their node
        self._nodes: list[Node] = []
        self._taken: list[tuple[str, ...]] = []
        self._left: list[list[str]] = []
        self._last: dict[int, str] = {}  # the place of each node's last child
        self._numbers: dict[int, int] = {}
        self._at = 0

    def _place(self, number: int, at: int) -> None:
        """Find the node that an error belongs in: by the rules of its path, as deep as it goes."""
        nodes = self._mended.nodes
        here = 0
        names = list(self._blames[number].path[1:])
        while True:
            touching = [c for c in self._children[here] if nodes[c].start <= at <= nodes[c].end]
            inside = [c for c in touching if nodes[c].start < at < nodes[c].end]
            named = [c for c in touching if names and nodes[c].name == names[0]]
            if not inside and not named:
                break
            if named:
                names.pop(0)
            here = (inside or sorted(named, key=lambda c: nodes[c].start == at))[0]
        self.agrees = self.agrees and len(names) <= 1
        inner = self._children[here]
        before = sum(nodes[c].end <= at for c in inner) if inner else at - nodes[here].start
        self._left_out.setdefault(here, []).append((before, number))

    def moved(self) -> Derivation | None:
        """The derivation; None if its leaves would not be in the order of the text."""
        waiting: list[tuple[int, int, bool]] = [(0, -1, False)]  # a node or a blame; the parent
        while waiting:
            number, parent, is_blame = waiting.pop()
            spend(1)
            if is_blame:
                last = self._last.get(parent)
                self._left[parent].append(f"{last}:out" if last else self._nodes[parent].name)
                self._error(number, parent, "")
                continue
            node = self._mended.nodes[number]
            empty = node.start == node.end
            if parent >= 0 and not empty and self._kept[node.start] == self._kept[node.end]:
                self._made_up(node, parent)
                continue
            made = self._add(replace(node, start=self._at, end=self._at), parent)
            self._numbers[number] = made
            self._taken[made] = self._mended.taken[number]
            inner = [(child, made, False) for child in self._children[number]]
            errors = self._left_out.get(number, [])
            if inner or empty:
                for index, blame in reversed(errors):
                    inner.insert(index, (blame, made, True))
                waiting += reversed(inner)
                continue
            for index, piece in enumerate(self._pieces[node.start : node.end]):
                for _, blame in (one for one in errors if one[0] == index):
                    self._error(blame, made, "")
                self._read(piece, made)
        return self._derivation() if self._at == len(self._text) else None

    def _read(self, piece: _Piece, leaf: int) -> None:
        if piece.is_kept and piece.offset == self._at:
            self._at += 1
            self._nodes[leaf] = replace(self._nodes[leaf], end=self._at)
        elif piece.blame >= 0:
            self._error(piece.blame, leaf, "")
        elif piece.offset is None:
            self._nodes[leaf] = replace(self._nodes[leaf], whole=False)

    def _made_up(self, node: Node, parent: int) -> None:
        """A node of which no character is in the text: errors are there, or it is missing."""
        pieces = self._pieces[node.start : node.end]
        blames = dict.fromkeys(piece.blame for piece in pieces if piece.blame >= 0)
        for blame in blames:
            self._error(blame, parent, node.place)
        if not blames:
            place = replace(node, start=self._at, end=self._at, whole=False, fault="missing")
            self._add(place, parent)
        self._left[parent].append(node.place)

    def _error(self, blame: int, parent: int, place: str) -> None:
        start, end, path = self._blames[blame]
        if blame not in self._told and start == self._at:
            self._told.add(blame)
            self._add(Node(0, 0, path[-1], False, start, end, False, "", place, "error"), parent)
            self._at = end

    def _add(self, node: Node, parent: int) -> int:
        depth = self._nodes[parent].depth + 1 if parent >= 0 else 0
        self._nodes.append(replace(node, parent=parent, depth=depth))
        self._taken.append(())
        self._left.append([])
        if node.place and not node.fault:
            self._last[parent] = node.place
        return len(self._nodes) - 1

    def _derivation(self) -> Derivation:
        nodes = self._nodes
        for number in range(len(nodes) - 1, 0, -1):  # what is around a node holds it
            node = nodes[number]
            outer = nodes[node.parent]
            whole = outer.whole and node.whole
            nodes[node.parent] = replace(outer, end=max(outer.end, node.end), whole=whole)
        found = [a for a in self._mended.ambiguities if a.node in self._numbers]
        ambiguities = [
            replace(a, node=n, start=nodes[n].start, end=nodes[n].end)
            for a in found
            if nodes[n := self._numbers[a.node]].whole
        ]
        return replace(
            self._mended,
            text=self._text,
            ok=False,
            count=0,
            nodes=tuple(nodes),
            ambiguities=tuple(ambiguities),
            taken=tuple(self._taken),
            left=tuple(tuple(dict.fromkeys(places)) for places in self._left),
        )
