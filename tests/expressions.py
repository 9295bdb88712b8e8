"""Every expression of the package, whether it is linear, and how its work grows if it may not be.

Owns the collection, the proof and the pump. The proof takes an expression as an automaton that
does too much: conditions always hold, and all is given back. If no two ways through it read the
same text again and again, a matcher that backtracks is linear (Weber and Seidl, On the degree of
ambiguity of finite automata, 1991). If there may be two, the texts that show it are given to a
matcher that counts its steps.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import uriproof
from uriproof.grammar.charset import ANY, Alphabet, Ranges
from uriproof.grammar.compile.read_regex import PatternStates
from uriproof.grammar.graph import reachable
from uriproof.grammar.machine.nfa import alphabet_for
from uriproof.grammar.machine.readable import sample
from uriproof.text.patterns import _Lazy
from uriproof.workbench.read_pattern import _compiled, _everything, _parser

ROOT = Path(uriproof.__file__).parent
_CALLS = ("compile", "match", "fullmatch", "search", "sub", "subn", "split", "finditer", "findall")
_AT_A_PLACE = {"match", "fullmatch"}
PLACED = (
    *("_UNBALANCED", "_BACKSLASHED", "_FOOTER", "_HEADER", "_OPENS", "SCHEME"),
    *("_FEW_SLASHES", "_SLIP"),
)
"""Beginnings of names that are passed on, to be tried at a place alone."""
ENDLESS = 1_000
"""Rounds of a group that are as good as no bound: begun at each character, they are that many times
as slow as reading."""
BRIEF = 3
"""Rounds of a shorter one, in the proof and the pump: its end is seen in a short text, too."""


_ONE = ("LITERAL", "NOT_LITERAL", "IN", "ANY")


class Expression(NamedTuple):
    """An expression as it stands in a module; ``searched`` if not only tried at a place."""

    where: str
    pattern: str
    flags: int
    searched: bool


def _modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        if "_generated" not in parts and parts[-1] != "__main__":
            yield ".".join(parts).removesuffix(".__init__"), path


@cache
def expressions() -> tuple[tuple[Expression, ...], frozenset[tuple[str, str]]]:
    """All expressions, and those that are only known in use: the module and the source."""
    trees = {name: ast.parse(path.read_text("utf-8")) for name, path in _modules()}
    all_nodes = {name: list(ast.walk(tree)) for name, tree in trees.items()}  # which takes long
    placed, searched, passed = set[str](), set[str](), set[str]()
    for name, nodes in all_nodes.items():
        used = {n.value for n in nodes if isinstance(n, ast.Attribute | ast.FormattedValue)}
        for node in nodes:
            if isinstance(node, ast.Attribute):
                base = node.value.value if isinstance(node.value, ast.Subscript) else node.value
                used.add(base)
                if isinstance(base, ast.Name):
                    kinds = placed if node.attr in _AT_A_PLACE else searched
                    kinds.add(_own(name, base.id))
            elif isinstance(node, ast.Name) and node not in used and not _assigned(node):
                passed.add(_own(name, node.id))
    found: dict[tuple[str, int, bool], Expression] = {}
    unknown: set[tuple[str, str]] = set()

    def add(where: str, pattern: Any, flags: int, searches: bool) -> None:
        if isinstance(pattern, bytes):
            pattern, flags = pattern.decode("latin-1"), flags | re.ASCII
        flags &= ~re.UNICODE if flags & re.ASCII else ~0
        found.setdefault((pattern, flags, searches), Expression(where, pattern, flags, searches))

    for name, tree in trees.items():
        try:
            space = vars(importlib.import_module(name))
        except ModuleNotFoundError:  # an adapter for what is not installed here
            continue
        for own, value in space.items():
            for one in value.values() if isinstance(value, dict) else (value,):
                if type(one) is _Lazy or type(one) is re.Pattern:
                    pattern, flags = one._given if type(one) is _Lazy else (one.pattern, one.flags)
                    full = _own(name, own)
                    apart = not own.startswith(PLACED)
                    searches = apart and (full not in placed or full in searched or full in passed)
                    add(f"{name}:{own}", pattern, flags, searches)
        assigned = (s for s in tree.body if isinstance(s, ast.Assign | ast.AnnAssign))
        constant = {part for statement in assigned for part in ast.walk(statement)}
        at_a_place = {
            node.value
            for node in all_nodes[name]
            if isinstance(node, ast.Attribute) and node.attr in _AT_A_PLACE
        }
        for node in all_nodes[name]:
            if not isinstance(node, ast.Call) or not _is_of_re(node.func):
                continue
            try:
                pattern = eval(compile(ast.Expression(node.args[0]), name, "eval"), space)  # noqa: S307
            except NameError:
                if node not in constant:
                    unknown.add((name, ast.unparse(node.args[0])))
                continue
            kind = node.func.attr if isinstance(node.func, ast.Attribute) else "compile"
            if node not in constant:
                more = [*node.args[1:], *(k.value for k in node.keywords)]
                flags = next((a for a in more if ast.unparse(a).startswith("re.")), None)
                given = eval(ast.unparse(flags), {"re": re}) if flags else 0  # noqa: S307
                searches = kind not in _AT_A_PLACE and node not in at_a_place
                add(f"{name}:{node.lineno}", pattern, int(given), searches)
    return tuple(found.values()), frozenset(unknown)


def _own(module: str, name: str) -> str:
    """A name of one module, or one that others may import."""
    return f"{module}:{name}" if name[0] == "_" else name


def _assigned(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load) or node.id.startswith(PLACED)


def _is_of_re(func: ast.expr) -> bool:
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
        return func.value.id == "re" and func.attr in _CALLS
    return isinstance(func, ast.Name) and func.id == "lazy"


def parsed(one: Expression) -> Any:
    return _parser.parse(one.pattern, one.flags)


def _bounds(arg: Any) -> tuple[int, int | None]:
    least, most = int(arg[0]), int(arg[1])
    one = len(arg[2]) == 1 and str(arg[2][0][0]) in _ONE
    short = most < ENDLESS or (one and most < 10 * ENDLESS)  # which costs a nanosecond a character
    return min(least, BRIEF), min(most, max(BRIEF, min(least, BRIEF))) if short else None


# The proof


class _Places(PatternStates):
    """An expression as places; more texts lead through it than match."""

    def __init__(self, one: Expression) -> None:
        super().__init__()
        ops = parsed(one)
        self._flags = int(ops.state.flags)
        self._held = self.add(None, ())
        self.conditional: set[int] = set()
        self.start = self.first = self.read(ops, 0)
        if one.searched:
            self.start = self.add(None, ())
            self.transitions[self.start] = (self.add(ANY, (self.start,)), self.first)

    def read(self, ops: Any, after: int) -> int:
        for op, arg in reversed(list(ops)):
            name = str(op)
            if name.endswith("_REPEAT"):
                least, most = _bounds(arg)
                after = self.repeat(partial(self.read, arg[2]), least, most, after)
            elif name == "ATOMIC_GROUP":
                after = self.read(arg, after)
            else:
                after = super().read([(op, arg)], after)
        return after

    def set_of(self, name: str, op: Any, arg: Any) -> Ranges:
        return _reads(repr((op, arg)), self._flags & ~re.MULTILINE, op, arg)

    def read_group(self, arg: Any, after: int) -> int:
        before = self._flags
        self._flags = (self._flags | arg[1]) & ~arg[2]
        after = self.read(arg[3], after)
        self._flags = before
        return after

    def read_other(self, name: str, arg: Any, after: int) -> int:
        ways = [after]
        if name in ("ASSERT", "ASSERT_NOT") and arg[0] > 0:
            ways.append(self.read(arg[1], self._held))
        elif name == "GROUPREF":
            loop = self.add(None, ())
            self.transitions[loop] = (self.add(ANY, (loop,)), after)
            ways = [loop]
        place = self.add(None, tuple(ways))
        self.conditional.add(place)
        return place


_SETS: dict[tuple[str, int], Ranges] = {}


def _reads(key: str, flags: int, op: Any, arg: Any) -> Ranges:
    flags &= re.IGNORECASE | re.ASCII | re.UNICODE | re.DOTALL
    if (key, flags) not in _SETS:
        runs = _compiled(op, arg, flags).finditer(_everything())
        _SETS[key, flags] = tuple((run.start(), run.end() - 1) for run in runs)
    return _SETS[key, flags]


class Pump(NamedTuple):
    """A text, a part of it that may be repeated, and what makes a match of it fail."""

    before: str
    again: str


MOST = 20_000
"""Triples of places that a proof looks at."""


def pumps(one: Expression) -> list[Pump] | None:
    """The texts that may show that an expression is not linear: none if it is proved to be, and
    None if it is too large to be proved."""
    places = _Places(one)
    reading = [p for p, symbols in enumerate(places.symbols) if symbols]
    alphabet = alphabet_for(places)
    masks = [sum(1 << class_ for class_ in classes) for classes in places.classes(alphabet)]
    steps: dict[int, dict[int, int]] = {}
    for place in reading:
        steps[place] = _ways(places, places.transitions[place][0])
    entry = _ways(places, places.start)
    ends = {p for p in reading if _ends(places, places.transitions[p][0])}
    reach = {p: reachable(steps[p], steps.__getitem__) for p in reading}
    cyclic = [p for p in reading if p in reach[p]]
    found: list[Pump] = []
    left = MOST
    for q in cyclic:
        for p in cyclic:
            if q not in reach[p]:
                continue
            if p in reach[q]:
                # Of a circle, one place is enough, and two ways around it.
                if p != q or any(
                    other < p and other in reach[p] and p in reach[other] for other in cyclic
                ):
                    continue
            elif one.searched and q in ends and p == places.transitions[places.start][0]:
                continue  # what stops there has matched: nothing is read twice
            word, used = _meeting(alphabet, masks, steps, reach, p, q, left)
            left -= used
            if left <= 0:
                return None
            if word is not None:
                before = _path(places, steps, entry, p)
                found.append(Pump(before, word))
    return found


def simple_pumps(one: Expression) -> list[Pump]:
    """Texts that lead to a place of a circle and around it, of what is too large to be proved."""
    places = _Places(one)
    steps = {
        p: _ways(places, places.transitions[p][0])
        for p, reads in enumerate(places.symbols)
        if reads
    }
    found: dict[str, Pump] = {}
    for place, following in steps.items():
        around = (_path(places, steps, [first], place) for first in following)
        again = min(filter(None, around), key=len, default="")
        char = sample(places.symbols[place] or ())
        if again or place in following:
            before = _path(places, steps, _ways(places, places.start), place)
            found.setdefault(char + again, Pump(before, char + again))
    return [*found.values()][:: len(found) // 8 + 1]


def _ways(places: _Places, place: int) -> dict[int, int]:
    """The reading places that are next, each with the number of ways there, at most two."""
    found: dict[int, int] = {}

    def go(place: int, seen: frozenset[int]) -> None:
        if places.symbols[place]:
            found[place] = min(found.get(place, 0) + 1, 2)
        elif place not in seen:
            for target in places.transitions[place]:
                go(target, seen | {place})

    go(place, frozenset())
    return found


def _ends(places: _Places, place: int) -> bool:
    """True if all is matched at a place, whatever follows."""
    leads = places.transitions
    skipped = places.conditional
    return 0 in reachable([place], lambda p: () if places.symbols[p] or p in skipped else leads[p])


def _meeting(
    alphabet: Alphabet,
    masks: list[int],
    steps: dict[int, dict[int, int]],
    reach: dict[int, set[int]],
    p: int,
    q: int,
    most: int,
) -> tuple[str | None, int]:
    """A text that leads from p to p, from p to q and from q to q; if p is q, in two ways."""
    # A place stands for the moment before it reads.
    start = (p, p, q, False)
    back: dict[tuple[int, int, int, bool], tuple[Any, str]] = {start: (None, "")}
    queue = [start]
    for here in queue:
        if len(back) > most:
            return None, len(back)
        a, b, c, apart = here
        both = masks[a] & masks[b] & masks[c]
        if not both:
            continue
        char = alphabet.sample((both & -both).bit_length() - 1)
        for a2, ways in steps[a].items():
            if a2 != p and p not in reach[a2]:
                continue
            for b2, more in steps[b].items():
                if b2 != q and q not in reach[b2]:
                    continue
                for c2 in steps[c] if p != q else (b2,):
                    if c2 != q and q not in reach[c2]:
                        continue
                    twice = a2 != b2 or (a == b and max(ways, more) > 1)
                    then = (a2, b2, c2, p == q and (apart or twice))
                    if then in back:
                        continue
                    back[then] = here, char
                    if then[:3] == (p, q, q) and (p != q or then[3]):
                        return _spelled(back, then), len(back)
                    queue.append(then)
    return None, len(back)


def _spelled(back: dict[Any, tuple[Any, str]], at: Any) -> str:
    chars: list[str] = []
    while at is not None:
        at, char = back[at]
        chars.append(char)
    return "".join(reversed(chars))


def _path(places: _Places, steps: dict[int, dict[int, int]], entry: Iterable[int], to: int) -> str:
    back: dict[Any, tuple[Any, str]] = dict.fromkeys(entry, (None, ""))
    queue = [*entry]
    for here in queue:
        if here == to:
            break
        for target in steps[here]:
            if target not in back:
                back[target] = here, sample(places.symbols[here] or ())
                queue.append(target)
    return _spelled(back, to) if to in back else ""


# The pump


class TooManySteps(Exception):
    pass


class Steps:
    """A matcher that backtracks, and counts what it reads."""

    def __init__(self, one: Expression, most: int = 60_000) -> None:
        self._ops = parsed(one)
        self._flags = int(self._ops.state.flags)
        self._searched = one.searched
        self._most = most
        self.steps = 0
        self._chars: dict[tuple[int, Any, int], Callable[[str], bool]] = {}

    def run(self, text: str) -> list[tuple[int, int]]:
        """The matches, as ``finditer`` finds them, or that at the start. Errors: TooManySteps."""
        self.steps = 0
        self._text = text
        found: list[tuple[int, int]] = []
        at = 0
        while at <= len(text):
            end = next((end for end, _ in self._all(self._ops, 0, at, {}, self._flags)), None)
            if end is not None:
                found.append((at, end))
            if not self._searched:
                break
            at = at + 1 if end is None or end == at else end
        return found

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self._most:
            raise TooManySteps

    def _all(
        self, ops: Any, index: int, at: int, groups: Any, flags: int
    ) -> Iterator[tuple[int, Any]]:
        if index == len(ops):
            yield at, groups
            return
        for end, held in self._one(ops[index][0], ops[index][1], at, groups, flags):
            yield from self._all(ops, index + 1, end, held, flags)

    def _one(
        self, op: Any, arg: Any, at: int, groups: Any, flags: int
    ) -> Iterator[tuple[int, Any]]:
        self._step()
        name = str(op)
        text = self._text
        if name in _ONE:
            if at < len(text) and self._reads(op, arg, flags, text[at]):
                yield at + 1, groups
        elif name == "SUBPATTERN":
            number, on, off, ops = arg
            for end, held in self._all(ops, 0, at, groups, (flags | on) & ~off):
                yield end, held if number is None else {**held, number: (at, end)}
        elif name == "BRANCH":
            for ops in arg[1]:
                yield from self._all(ops, 0, at, groups, flags)
        elif name == "ATOMIC_GROUP":
            yield from islice(self._all(arg, 0, at, groups, flags), 1)
        elif name in ("MAX_REPEAT", "MIN_REPEAT"):
            yield from self._repeated(arg, at, groups, flags, 0, name == "MIN_REPEAT")
        elif name == "POSSESSIVE_REPEAT":
            yield from islice(self._repeated(arg, at, groups, flags, 0, False), 1)
        elif name in ("ASSERT", "ASSERT_NOT"):
            starts = [at] if arg[0] > 0 else [at - arg[1].getwidth()[0]]
            ways = (way for s in starts if s >= 0 for way in self._all(arg[1], 0, s, groups, flags))
            way = next((w for w in ways if arg[0] > 0 or w[0] == at), None)
            if (way is None) == (name == "ASSERT_NOT"):
                yield at, groups if way is None else way[1]
        elif name == "AT":
            if self._holds(str(arg), at, flags):
                yield at, groups
        elif name == "GROUPREF":
            if arg in groups:
                same = text[slice(*groups[arg])]
                self.steps += len(same)
                if text.startswith(same, at):
                    yield at + len(same), groups
        elif name != "FAILURE":
            raise NotImplementedError(name)

    def _repeated(
        self, arg: Any, at: int, groups: Any, flags: int, done: int, lazily: bool
    ) -> Iterator[tuple[int, Any]]:
        least, most = _bounds(arg)
        ops = arg[2]
        if len(ops) == 1 and str(ops[0][0]) in _ONE:
            end = at
            while True:
                if lazily and end - at >= least:
                    yield end, groups
                self._step()
                if end == len(self._text) or end - at == most:
                    break
                if not self._reads(ops[0][0], ops[0][1], flags, self._text[end]):
                    break
                end += 1
            for place in () if lazily else range(end, at + least - 1, -1):
                self._step()
                yield place, groups
            return
        if lazily and done >= least:
            yield at, groups
        if most is None or done < most:
            for end, held in self._all(ops, 0, at, groups, flags):
                if end > at or done < least:
                    yield from self._repeated(arg, end, held, flags, done + 1, lazily)
        if not lazily and done >= least:
            yield at, groups

    def _reads(self, op: Any, arg: Any, flags: int, char: str) -> bool:
        key = id(op), arg if isinstance(arg, int) else id(arg), flags
        known = self._chars.get(key)
        if known is None:
            kept = flags & (re.IGNORECASE | re.ASCII | re.UNICODE | re.DOTALL)
            match = _compiled(op, arg, kept).match
            known = self._chars[key] = cache(lambda char: match(char) is not None)
        return known(char)

    def _holds(self, code: str, at: int, flags: int) -> bool:
        text = self._text
        if code in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
            line = code == "AT_BEGINNING" and bool(flags & re.MULTILINE)
            return at == 0 or bool(line and text[at - 1] == "\n")
        if code in ("AT_END", "AT_END_STRING"):
            last = at == len(text) - 1 or bool(flags & re.MULTILINE)
            line = code == "AT_END" and last and text[at : at + 1] == "\n"
            return at == len(text) or bool(line)
        word = re.compile(r"\w", flags & re.ASCII)
        edge = bool(word.match(text[max(at - 1, 0) : at])) != bool(word.match(text[at : at + 1]))
        return edge == (code == "AT_BOUNDARY")


FAILING = ("", "\n", "\0")


def growth(one: Expression, pump: Pump, times: int = 10) -> float:
    """How many times as many steps four times the rounds of a pump take, at worst."""
    worst = 0.0
    for after in FAILING:
        try:
            steps = []
            for n in (times, 4 * times):  # what is quadratic is ten times as slow by then
                matcher = Steps(one)
                matcher.run(pump.before + pump.again * n + after)
                steps.append(matcher.steps)
        except TooManySteps:
            return float("inf")
        worst = max(worst, steps[1] / steps[0])
    return worst
