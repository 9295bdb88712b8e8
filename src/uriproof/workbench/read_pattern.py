r"""A pattern that somebody wrote, in Python's syntax, as the automaton of what it accepts.

Owns what flags, classes, anchors and lookaround mean, and the words for what no automaton can do.
Imports the reader of expressions and the conditions. Invariant: the automaton accepts exactly
the texts that ``re.fullmatch`` matches; what would only be nearly so is refused, with its offset.

What a class such as ``\w`` or a letter under IGNORECASE reads is asked of ``re`` itself, once for
all of Unicode, so that it is right for the Unicode version of the running Python.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, Literal

from ..errors import UriproofError
from ..grammar.charset import ANY, Ranges, minus, union
from ..grammar.compile.read_regex import set_of
from ..grammar.errors import GrammarLimit
from ..grammar.machine.automaton import Automaton
from ..text.drawing import draw
from .conditions import AT_START, Ahead, Before, ConditionalStates

# The library's own parser and compiler; they have no public door.
_parser: Any = import_module("re._parser")
_compiler: Any = import_module("re._compiler")

MAX_SETS = 100
"""Classes of one pattern that re is asked about: each is a look at all of Unicode."""

_NEWLINE: Ranges = ((0x0A, 0x0A),)
_SETS: dict[tuple[str, int], Ranges] = {}  # what re has been asked, at most MAX_SETS
_Family = Literal["atomic", "ahead", "behind", "reference", "choice"]


class BadPattern(UriproofError, ValueError):
    """Not a pattern of Python's ``re``: with the message of ``re``, and the offset.

    >>> str(BadPattern("a(", "unterminated subpattern", 1)).splitlines()
    ['not a pattern: unterminated subpattern at offset 1', 'a(', ' ^']
    """

    def __init__(self, pattern: str, message: str, offset: int) -> None:
        self.pattern, self.message, self.offset = pattern, message, offset
        super().__init__(pattern, message, offset)

    def __str__(self) -> str:
        head = f"not a pattern: {self.message} at offset {self.offset:,}"
        return "\n".join([head, *draw(self.pattern, [(self.offset, self.offset + 1)])])


def read_pattern(pattern: str, flags: int = 0) -> Automaton:
    r"""The automaton of what ``re.fullmatch(pattern, text, flags)`` matches.

    ``flags`` are those of ``re``; inline flags such as ``(?i)`` count as well. Lookahead and
    lookbehind, anchors and ``\b`` are conditions on the text around them and are decided exactly;
    lazy and greedy are the same to ``fullmatch``; possessive and atomic parts are read where
    giving back could not change the verdict.

    Errors: BadPattern; GrammarLimit, with the offset, for back references, conditional groups,
    lookahead inside lookbehind, possessive parts that matter, and patterns beyond the bounds of
    ``conditions``. Cost: bounded by these.

    >>> r = read_pattern(r"(?i)(?!www\.)[a-z.]+(?<!\.)$")
    >>> r.accepts("Example.org"), r.accepts("WWW.example.org"), r.accepts("example.")
    (True, False, False)
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what a later version might read otherwise
        try:
            re.compile(pattern, flags)
            parsed = _parser.parse(pattern, flags)
            places = _Reader(pattern, parsed)
            return places.automaton()
        except re.error as error:
            raise BadPattern(pattern, error.msg, error.pos or 0) from None
        except OverflowError as error:
            raise BadPattern(pattern, str(error), 0) from None
        except RecursionError:
            raise GrammarLimit("the pattern is nested too deeply to be read") from None
        except GrammarLimit as error:
            why = str(error).replace("the grammar", "it")
            raise GrammarLimit(f"the pattern cannot be compared: {why}") from None


class _Reader(ConditionalStates):
    """The places of a pattern, as its flags say."""

    def __init__(self, pattern: str, parsed: Any) -> None:
        super().__init__()
        self._flags = int(parsed.state.flags)
        self._ordinals: dict[int, tuple[_Family, int]] = {}
        self._found: list[_Family] = []
        self._pattern = pattern
        self._questions = 0
        self._number(parsed, behind=None)
        self._ahead: dict[tuple[int, int], int] = {}
        self._behind: dict[tuple[int, int], int] = {}
        self._ended: dict[Ranges, int] = {}
        self.start = self.read(parsed, 0)
        for arg in self.unsafe():
            raise self._refusal(
                *self._ordinals.get(id(arg), ("atomic", 0)),
                "a part that never gives back what it has matched, where giving back may matter",
            )

    def _number(self, ops: Any, behind: tuple[_Family, int] | None) -> None:
        """Number what has an offset to tell, in the order of the text; refuse what must be."""
        for op, arg in ops:
            name = str(op)
            family: _Family | None = None
            below: list[Any] = []
            inner = behind
            if name == "SUBPATTERN":
                below = [arg[3]]
            elif name == "BRANCH":
                below = list(arg[1])
            elif name in ("MAX_REPEAT", "MIN_REPEAT"):
                below = [arg[2]]
            elif name in ("POSSESSIVE_REPEAT", "ATOMIC_GROUP"):
                family, below = "atomic", [arg[2] if name[0] == "P" else arg]
            elif name in ("ASSERT", "ASSERT_NOT"):
                family, below = "ahead" if arg[0] > 0 else "behind", [arg[1]]
            elif name == "GROUPREF":
                raise self._refusal("reference", 0, "a back reference")
            elif name == "GROUPREF_EXISTS":
                raise self._refusal("choice", 0, "a choice by what a group has matched")
            if family is not None:
                number = self._found.count(family)
                self._found.append(family)
                self._ordinals[id(arg)] = family, number
                inner = (family, number) if family == "behind" else behind
            looks_ahead = family == "ahead" or (name == "AT" and not _looks_back(str(arg)))
            if behind is not None and looks_ahead:
                raise self._refusal(*behind, "a lookbehind that looks ahead")
            for part in below:
                self._number(part, inner)

    def _refusal(self, family: _Family, number: int, what: str) -> GrammarLimit:
        """What to say of a construct: its offset, where it can be told, and a drawing."""
        offsets = [at for found, at in _constructs(self._pattern, self._flags) if found == family]
        if number >= len(offsets):
            return GrammarLimit(f"{what} is in it")
        at = offsets[number]
        lines = draw(self._pattern, [(at, at + 1)])
        return GrammarLimit("\n".join([f"{what}, at offset {at:,}", *lines]))

    # What one character is

    def set_of(self, name: str, op: Any, arg: Any) -> Ranges:
        if name == "ANY":
            return set_of(name, arg) if self._flags & re.DOTALL else minus(ANY, _NEWLINE)
        folding = bool(self._flags & re.IGNORECASE)
        classes = name == "IN" and any(str(o) == "CATEGORY" for o, _ in arg)
        if not folding and not classes:
            return set_of(name, arg)
        flags = self._flags & (re.IGNORECASE | re.ASCII | re.UNICODE)
        if folding and name == "LITERAL":
            return _letter(arg, flags)
        return self._asked(op, arg, flags)

    def _asked(self, op: Any, arg: Any, flags: int) -> Ranges:
        """All that an operation matches: its runs in a text that has every code point."""
        key = repr((op, arg)), flags
        if key not in _SETS:
            self._questions += 1
            if self._questions > MAX_SETS:
                raise GrammarLimit(f"it has more than {MAX_SETS} different classes")
            if len(_SETS) >= MAX_SETS:
                _SETS.clear()
            runs = _compiled(op, arg, flags).finditer(_everything())
            _SETS[key] = tuple((run.start(), run.end() - 1) for run in runs)
        return _SETS[key]

    # Groups with flags, as re._compiler combines them

    def read_group(self, arg: Any, after: int) -> int:
        _, on, off, ops = arg
        before = self._flags
        if on & _parser.TYPE_FLAGS:
            self._flags &= ~_parser.TYPE_FLAGS
        self._flags = (self._flags | on) & ~off
        after = self.read(ops, after)
        self._flags = before
        return after

    # Anchors and lookaround

    def read_other(self, name: str, arg: Any, after: int) -> int:
        if name == "AT":
            return self._anchor(str(arg), after)
        if name in ("ASSERT", "ASSERT_NOT"):
            direction, ops = arg
            negated = name == "ASSERT_NOT"
            key = id(ops), self._flags
            if direction > 0:
                if key not in self._ahead:
                    self._ahead[key] = self.read(ops, self.sink)
                return self.condition(Ahead(self._ahead[key], negated), after)
            if key not in self._behind:
                end = self.add(None, ())
                self._behind[key] = self._fact(self.read(ops, end), end)
            return self.condition(Before(self._behind[key], negated), after)
        if name == "FAILURE":  # (?!), which nothing matches
            return self.add(None, ())
        return super().read_other(name, arg, after)

    def _anchor(self, code: str, after: int) -> int:
        many = bool(self._flags & re.MULTILINE)
        match code:
            case "AT_BEGINNING" if many:
                line = self.condition(Before(self._ends_in(_NEWLINE), False), after)
                return self.add(None, (self._at_start(False, after), line))
            case "AT_BEGINNING" | "AT_BEGINNING_STRING":
                return self._at_start(False, after)
            case "AT_END_STRING":
                return self.condition(Ahead(0, False), after)
            case "AT_END":
                # Also before one line feed at the end; with MULTILINE, before any.
                line = self.add(_NEWLINE, (self.sink if many else 0,))
                return self.condition(Ahead(self.add(None, (line, 0)), False), after)
            case "AT_BOUNDARY":
                return self._boundary(True, after)
            case "AT_NON_BOUNDARY":
                return self._boundary(False, after)
        return super().read_other(code, None, after)

    def _at_start(self, negated: bool, after: int) -> int:
        return self.condition(Before(AT_START, negated), after)

    def _boundary(self, wanted: bool, after: int) -> int:
        """Between a word character and none: where one, and one only, is before or after."""
        op, arg = _parser.parse(r"\w")[0]
        word = self.set_of(str(op), op, arg)
        fact = self._ends_in(word)
        next_is = self.add(word, (self.sink,))

        def both(before: bool, following: bool, after: int) -> int:
            ahead = self.condition(Ahead(next_is, not following), after)
            return self.condition(Before(fact, not before), ahead)

        if wanted:
            return self.add(None, (both(True, False, after), both(False, True, after)))
        neither = both(False, False, after)
        if re.fullmatch(r"\B", "") is None:
            # Before Python 3.14 an empty text has no place that is no boundary.
            some = self.add(ANY, (self.sink,))
            neither = both(False, False, self.condition(Ahead(some, False), after))
            elsewhere = both(False, False, self._at_start(True, after))
            neither = self.add(None, (neither, elsewhere))
        return self.add(None, (both(True, True, after), neither))

    def _ends_in(self, ranges: Ranges) -> int:
        """The fact that the character before is one of a set."""
        if ranges not in self._ended:
            end = self.add(None, ())
            self._ended[ranges] = self._fact(self.add(ranges, (end,)), end)
        return self._ended[ranges]

    def _fact(self, content: int, end: int) -> int:
        """The fact that what has been read ends in what leads from ``content`` to ``end``."""
        loop = self.add(None, ())
        self.transitions[loop] = (self.add(ANY, (loop,)), content)
        self.before.append((loop, end))
        return AT_START + len(self.before)


def _looks_back(code: str) -> bool:
    return code in ("AT_BEGINNING", "AT_BEGINNING_STRING")


def _compiled(op: Any, arg: Any, flags: int) -> Any:
    """A matcher of runs of what an operation reads."""
    state = _parser.parse("", flags & re.ASCII).state
    one = _parser.SubPattern(state, [(op, arg)])
    run = (_parser.MAX_REPEAT, (1, _parser.MAXREPEAT, one))
    return _compiler.compile(_parser.SubPattern(state, [run]), flags)


@cache
def _letter(point: int, flags: int) -> Ranges:
    """What a letter matches under IGNORECASE: itself, and some of what has case at all."""
    runs = _compiled(_parser.LITERAL, point, flags).findall(_cased())
    return union(((point, point),), tuple((ord(c), ord(c)) for run in runs for c in run))


@cache
def _everything() -> str:
    return "".join(map(chr, range(sys.maxunicode + 1)))


@cache
def _cased() -> str:
    """Every code point that some mapping of case changes: no other matches but itself."""
    return "".join(c for c in _everything() if c.lower() != c or c.upper() != c)


def _constructs(pattern: str, flags: int) -> Iterator[tuple[_Family, int]]:
    """The constructs that may have to be refused, with their offsets, in the order of the text."""
    verbose = bool(flags & re.VERBOSE)
    heads: dict[str, _Family] = {
        "(?<=": "behind",
        "(?<!": "behind",
        "(?P=": "reference",
        "(?=": "ahead",
        "(?!": "ahead",
        "(?>": "atomic",
        "(?(": "choice",
    }
    token = re.compile(
        r"\\(?P<digit>[1-9])|\\."
        r"|\[\^?\]?(?:\\.|[^\]\\])*\]"
        r"|\(\?#[^)]*\)" + (r"|#[^\n]*" if verbose else "") + r"|(?P<possessive>[*+?}]\+)"
        r"|(?P<head>\(\?(?:<[=!]|P=|[=!>(]))",
        re.DOTALL,
    )
    for found in token.finditer(pattern):
        if found["digit"]:
            yield "reference", found.start()
        elif found["possessive"]:
            yield "atomic", found.start()
        elif found["head"]:
            yield heads[found["head"]], found.start()
