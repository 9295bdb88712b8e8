"""Loops over characters: one expression finds everything in them that is not allowed.

Owns that expression. Imports error recovery. Invariant: it blames exactly what the reader of the
same production would, one character after the other.

How it works. A component such as a query is read in one state, to which every legal character leads
back, some of them by an escape sequence. Nothing can be missing there, so this is the *exact* case
of the contract: each other character is blamed by itself. What is legal and what an escape sequence
consists of is read off the automaton:

    query       legal: pchar, "/" and "?"; escape sequence: "%" HEXDIG HEXDIG
    a b%4?c%%   blamed: the space, and each "%" that two hex digits do not follow
"""

from __future__ import annotations

import re

from ..grammar.compile.shapes import separators
from ..grammar.compiled import Compiled
from ..grammar.remember import per_grammar
from .recovery import About, Blame, Reader
from .states import Node, Words


class Loop:
    """The loop that a production becomes after a few characters at most."""

    __slots__ = ("_enter", "_escape", "_find", "_illegal", "_separators")

    def __init__(
        self, grammar: Compiled, reader: Reader, home: Node, enter: str, sets: list[str]
    ) -> None:
        # Its first part is a single set, which a search finds at the speed of C.
        illegal, alone, *escape = sets
        more = f"({alone}*)"
        if escape:
            first, digits = escape[0], "".join(f"[{digit}]" for digit in escape[1:])
            bad = f"(?<=[{first}])(?!{digits})(?:[{first}](?!{digits}))*"
            more = f"(?:{bad}|(?<![{first}])({alone}*))"
        self._find = re.compile(f"{illegal}{more}")
        self._enter = re.compile(enter).match if enter else None
        path, expected = home.described
        encode = reader.encodes
        self._illegal: About = "illegal", path, expected, encode, ""
        if escape:
            path, expected = reader.describe_escape(home)
        self._escape: About = "bad-escape", path, expected, encode, ""
        divide = list_separators(grammar, self._illegal[1]) if encode else ()
        self._separators = frozenset(one for one in divide if self._find.search(one))

    def blame(
        self, text: str, start: int, end: int, component: str, grammar: Compiled
    ) -> list[Blame] | None:
        """All that is to blame between two offsets, in a component, against a grammar; None if the
        loop is not reached. Cost: O(n).
        """
        if self._enter is not None:
            entered = self._enter(text, start, end)
            if entered is None:
                return None
            start = entered.end()
        new = tuple.__new__  # the commonest violations: what checks the arguments takes longer
        found: list[Blame] = []
        for match in self._find.finditer(text, start, end):
            about = self._illegal if match.lastindex else self._escape
            blame = new(Blame, (*match.span(), *about, component, grammar))
            if self._separators and not self._separators.isdisjoint(match[0]):
                # Encoded, it would not separate any more (RFC 3986 §2.2).
                blame = blame._replace(encodes=False)
            found.append(blame)
        return found


def loop_of(grammar: Compiled, reader: Reader) -> Loop | None:
    """The loop of a production; None if it is none. Cost: O(size of its alphabet)."""
    # A path has at most its first slash, and the first character of its segment, before the loop.
    for home, (enter, before) in _near(reader).items():
        if reader.repeats(home):
            sets = _sets(reader, home)
            words = any(reader.asks_for_a_word(node) for node in (*before, home))
            fixed = not reader.encodes or reader.after(home, _ANY_OCTETS) is home
            if sets is None or words or not fixed:
                return None
            return Loop(grammar, reader, home, enter, sets)
    return None


@per_grammar
def list_separators(grammar: Compiled, path: Words) -> frozenset[str]:
    """The separators of the lists that a blamed production is an element of."""
    rules = grammar.model.rules
    return frozenset().union(*[separators(rules[name].element) for name in path[:-1]])


def _near(reader: Reader) -> dict[Node, tuple[str, tuple[Node, ...]]]:
    """The nodes at most two characters from the start: an expression of the ways to each of one
    length, and the nodes before it.
    """
    found: dict[Node, tuple[str, tuple[Node, ...]]] = {reader.start: ("", ())}
    for _ in range(2):
        further: dict[Node, tuple[str, tuple[Node, ...]]] = {}
        for node, (enter, before) in found.items():
            targets = reader.targets(node)
            for target in dict.fromkeys(targets.values()):
                if target not in found:
                    way = (
                        enter
                        + f"[{reader.spelled([c for c, t in targets.items() if t is target])}]"
                    )
                    known, others = further.get(target, ("", ()))
                    further[target] = (f"{known}|{way}" if known else way), (*others, *before, node)
        found |= further
    return found


_ANY_OCTETS = "%09%AF"
"""An escape sequence with each kind of digit: a loop that reads it reads every fix."""


def _sets(reader: Reader, home: Node) -> list[str] | None:
    """For an expression: a character that does not lead back, one that also begins no escape
    sequence, and those of each place of such a sequence. None if something else can follow, or the
    sequences are of several shapes.
    """
    targets = reader.targets(home)
    sets = [[class_ for class_, node in targets.items() if node is home]]
    seen = {home}
    following = set(targets.values()) - seen
    while following and following != {home}:
        node = following.pop()
        # Of one shape: as long as any other, with the same kind of digit in each place.
        if following or node in seen or not node.escaping or reader.asks_for_a_word(node):
            return None
        seen.add(node)
        sets.append([class_ for class_, target in targets.items() if target is node])
        targets = reader.targets(node)
        following = set(targets.values())
    if len(sets) > 1:
        sets.append(list(targets))
    # A digit after an incomplete sequence is read as itself.
    if not all(set(digits) <= set(sets[0]) for digits in sets[2:]):
        return None
    alone = [class_ for classes in sets[:2] for class_ in classes]
    return [reader.others(sets[0]), reader.others(alone), *map(reader.spelled, sets[1:])]
