"""Readers of the notations that are exported, back to automata: to prove what was written.

Owns one reader for EBNF and one for GBNF, each after that notation's own definition (XML 1.0
section 6; llama.cpp, grammars/README.md), and readers of the automata. Imports the automata.
Invariant: what a reader does not know, it refuses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from uriproof.grammar.charset import ANY, Alphabet, Ranges, minus, union
from uriproof.grammar.machine.automaton import DEAD, Automaton, from_nfa, minimal
from uriproof.grammar.machine.nfa import NfaStates, alphabet_for

Token = tuple[str, str]
Tree = tuple[Any, ...]
"""A kind, and what it is made of: see ``_Graph``."""

_EBNF = re.compile(
    r"""\s+ | /\*.*?\*/ | (?P<define>::=) | (?P<name>[A-Za-z][A-Za-z0-9-]*)
    | (?P<string>"[^"]*"|'[^']*') | (?P<code>\#x[0-9A-F]+) | (?P<set>\[[^\]]*\])
    | (?P<mark>[()|?*+])""",
    re.VERBOSE | re.DOTALL,
)
_GBNF = re.compile(
    r"""\s+ | \#[^\n]* | (?P<define>::=) | (?P<name>[A-Za-z0-9-]+)
    | (?P<string>"(?:[^"\\]|\\.)*") | (?P<set>\[(?:[^\]\\]|\\.)*\])
    | (?P<counts>\{[0-9]+(?:,[0-9]*)?\}) | (?P<mark>[()|?*+])""",
    re.VERBOSE,
)
_EBNF_POINT = re.compile(r"#x([0-9A-F]+)|(.)", re.DOTALL)
_GBNF_POINT = re.compile(
    r"\\x([0-9A-F]{2})|\\u([0-9A-F]{4})|\\U([0-9A-F]{8})|\\[\\\"\[\]]|([^\\])", re.DOTALL
)


class _Reader:
    """The rules of one text as trees, by recursive descent."""

    def __init__(self, text: str, syntax: re.Pattern[str], point: re.Pattern[str]) -> None:
        self._point = point
        self._tokens = list(_tokens(text, syntax))
        self._at = 0
        self.rules: dict[str, Tree] = {}
        while self._at < len(self._tokens):
            (kind, name), (define, _) = self._tokens[self._at : self._at + 2]
            assert (kind, define) == ("name", "define"), self._tokens[self._at : self._at + 2]
            assert name not in self.rules, f"{name} is defined twice"
            self._at += 2
            self.rules[name] = self._choice()

    def _peek(self) -> Token:
        following = self._tokens[self._at + 1 : self._at + 2]
        if following and following[0][0] == "define":
            return "end", ""  # the name of the next rule
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "")

    def _choice(self) -> Tree:
        ways = [self._sequence()]
        while self._peek() == ("mark", "|"):
            self._at += 1
            ways.append(self._sequence())
        return "choice", ways

    def _sequence(self) -> Tree:
        items: list[Tree] = []
        while self._peek()[0] != "end" and self._peek() not in {("mark", "|"), ("mark", ")")}:
            items.append(self._repeated())
        assert items, "a rule, or an alternative, without anything"
        return "sequence", items

    def _repeated(self) -> Tree:
        item = self._item()
        kind, text = self._peek()
        if kind == "counts":
            low, comma, high = text[1:-1].partition(",")
            self._at += 1
            most = int(low) if not comma else int(high) if high else None
            item = "repeat", item, int(low), most
        elif (kind, text) in {("mark", "?"), ("mark", "*"), ("mark", "+")}:
            self._at += 1
            item = "repeat", item, int(text == "+"), 1 if text == "?" else None
        assert self._peek()[1][:1] not in {"?", "*", "+", "{"}, "two quantifiers"
        return item

    def _item(self) -> Tree:
        kind, text = self._peek()
        self._at += 1
        if (kind, text) == ("mark", "("):
            choice = self._choice()
            assert self._peek() == ("mark", ")"), self._peek()
            self._at += 1
            return choice
        match kind:
            case "name":
                return "name", text
            case "code":
                return "set", self._set(text)
            case "set":
                return "set", self._set(text[1:-1])
            case "string":
                inner = text[1:-1]
                bare = self._point is _EBNF_POINT  # nothing is escaped in its strings
                points = list(map(ord, inner)) if bare else self._points(inner)
                return "sequence", [("set", ((p, p),)) for p in points]
        raise AssertionError((kind, text))

    def _points(self, text: str) -> list[int]:
        found = []
        at = 0
        while at < len(text):
            match = self._point.match(text, at)
            assert match, text[at:]
            at = match.end()
            digits = next((g for g in match.groups()[:-1] if g), None)
            found.append(int(digits, 16) if digits else ord(match[0][-1]))
        return found

    def _set(self, text: str) -> Ranges:
        """The inside of a class; a bare hyphen between two ends makes a range."""
        negated = text.startswith("^")
        found: Ranges = ()
        at = int(negated)
        while at < len(text):
            first = self._point.match(text, at)
            assert first, text[at:]
            low = high = self._points(first[0])[0]
            at = first.end()
            if text[at : at + 1] == "-" and at + 1 < len(text):
                last = self._point.match(text, at + 1)
                assert last, text[at:]
                high = self._points(last[0])[0]
                at = last.end()
            assert low <= high, text
            found = union(found, ((low, high),))
        return minus(ANY, found) if negated else found


def _tokens(text: str, syntax: re.Pattern[str]) -> Iterator[Token]:
    at = 0
    while at < len(text):
        match = syntax.match(text, at)
        assert match, f"cannot be read: {text[at : at + 40]!r}"
        at = match.end()
        if match.lastgroup:
            yield match.lastgroup, match[0]


class _Graph(NfaStates):
    """The trees as places; tail recursion comes back to where it was."""

    def __init__(self, rules: dict[str, Tree], start: str) -> None:
        super().__init__()
        self._rules = rules
        self._known: dict[tuple[str, int], int] = {}
        self.start = self._rule(start, 0)

    def _rule(self, name: str, after: int) -> int:
        if (name, after) not in self._known:
            entry = self._known[name, after] = self.add(None, ())
            self.transitions[entry] = (self._tree(self._rules[name], after),)
        return self._known[name, after]

    def _tree(self, tree: Tree, after: int) -> int:
        match tree:
            case ("name", name):
                return self._rule(name, after)
            case ("set", ranges):
                return self.add(ranges, (after,))
            case ("sequence", items):
                for item in reversed(items):
                    after = self._tree(item, after)
                return after
            case ("choice", items):
                return self.add(None, tuple(self._tree(i, after) for i in items))
            case ("repeat", item, least, most):
                return self.repeat(lambda end: self._tree(item, end), least, most, after)
        raise AssertionError(tree)


def _automaton(rules: dict[str, Tree], start: str) -> Automaton:
    places = _Graph(rules, start)
    return from_nfa(places, alphabet_for(places))


def read_ebnf(text: str) -> Automaton:
    """The automaton of the first rule of EBNF in the notation of XML 1.0."""
    rules = _Reader(text, _EBNF, _EBNF_POINT).rules
    return _automaton(rules, next(iter(rules)))


def read_gbnf(text: str) -> Automaton:
    """The automaton of the rule ``root`` of GBNF."""
    return _automaton(_Reader(text, _GBNF, _GBNF_POINT).rules, "root")


def read_tables(text: str) -> Automaton:
    """The automaton of the JSON of the target tables."""
    tables = json.loads(text)
    assert all(len(row) == len(set(tables["classes"]) | {0}) for row in tables["rows"])
    alphabet = Alphabet.from_intervals(tables["starts"], tables["classes"])
    return minimal(alphabet, [list(row) for row in tables["rows"]], set(tables["accepting"]))


_EDGE = re.compile(r'  (\d+) -> (\d+) \[label="(.*)"\];')
_DOUBLE = re.compile(r"  \{ node \[shape=doublecircle\]; ([\d ]*) \}")
_SHOWN = re.compile(r"(U\+[0-9A-F]{4,6}|\S)(?:-(U\+[0-9A-F]{4,6}|\S))?")


def read_dot(text: str) -> Automaton:
    """The automaton of a drawing, from its edges and their labels alone."""
    edges: list[tuple[int, int, Ranges]] = []
    accepting: set[int] = set()
    for line in text.splitlines():
        if edge := _EDGE.fullmatch(line):
            label = re.sub(r"\\(.)", r"\1", edge[3])
            ranges: Ranges = ()
            for shown in label.split(" "):
                ends = _SHOWN.fullmatch(shown)
                assert ends, shown
                low = _point(ends[1])
                ranges = union(ranges, ((low, _point(ends[2]) if ends[2] else low),))
            edges.append((int(edge[1]), int(edge[2]), ranges))
        elif double := _DOUBLE.fullmatch(line):
            accepting = set(map(int, double[1].split()))
    alphabet = Alphabet([ranges for _, _, ranges in edges])
    count = 1 + max([0, *accepting, *(max(a, b) for a, b, _ in edges)])
    rows = [[DEAD] * alphabet.size for _ in range(count)]
    for source, target, ranges in edges:
        for class_ in alphabet.classes(ranges):
            assert rows[source][class_] == DEAD, "two edges for one character"
            rows[source][class_] = target
    return minimal(alphabet, rows, accepting)


def _point(shown: str) -> int:
    return int(shown[2:], 16) if len(shown) > 1 else ord(shown)
