r"""A pattern in Python's syntax, written by a person, as the automaton of the texts it accepts.

Owns what flags and classes mean, and the words for what is not read. Imports the reader of
expressions. Invariant: the automaton accepts exactly the texts that ``re.fullmatch`` matches; what
would only be nearly so is refused, with its offset. Anchors are read where they always hold: before
and after everything else.

The characters of a class such as ``\w`` or of a letter under IGNORECASE are asked of ``re`` itself,
once for all of Unicode, so that they are right for the Unicode version of the running Python.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from sys import maxsize, maxunicode
from typing import Any, Literal

from ..errors import UriproofError
from ..grammar.charset import ANY, Ranges, minus, union
from ..grammar.compile.read_regex import PatternStates, set_of
from ..grammar.errors import GrammarLimit
from ..grammar.machine.automaton import Automaton, from_nfa
from ..grammar.machine.nfa import NfaStates, alphabet_for
from ..grammar.work import limited
from ..limits import MAX_PATTERN_CELLS, MAX_PATTERN_SETS, MAX_PATTERN_STATES, MAX_PATTERN_STEPS
from ..text.drawing import draw

# The library's own parser and compiler; they have no public door.
_parser: Any = import_module("re._parser")
_compiler: Any = import_module("re._compiler")


_NEWLINE: Ranges = ((0x0A, 0x0A),)
_SETS: dict[tuple[str, int], Ranges] = {}  # what re has been asked, at most MAX_PATTERN_SETS
_Family = Literal["anchor", "atomic", "lookahead", "lookbehind", "reference", "choice"]

_WITHOUT = {
    "lookahead": "[a-z][a-z-]* instead of (?!-)[a-z-]+",
    "lookbehind": "[a-z-]*[a-z] instead of [a-z-]+(?<!-)",
}
"""How the condition that people write most, no hyphen at an end, is said without lookaround."""


class BadPattern(UriproofError, ValueError):
    """A pattern that ``re`` does not compile, or that has lookaround: why, and at which offset.

    >>> str(BadPattern("a(", "unterminated subpattern", 1)).splitlines()
    ['the pattern cannot be read (offset 1): unterminated subpattern', 'a(', ' ^']
    """

    def __init__(self, pattern: str, message: str, offset: int) -> None:
        self.pattern = pattern
        self.message = message
        self.offset = offset
        super().__init__(pattern, message, offset)

    def __str__(self) -> str:
        head = f"the pattern cannot be read (offset {self.offset:,}): {self.message}"
        return "\n".join([head, *draw(self.pattern, [(self.offset, self.offset + 1)])])


def read_pattern(pattern: str, flags: int = 0) -> Automaton:
    r"""The automaton of what ``re.fullmatch(pattern, text, flags)`` matches.

    ``flags`` are those of ``re``; inline flags such as ``(?i)`` also count. Lazy and greedy are the
    same to ``fullmatch``; possessive and atomic parts are read if giving back cannot change the
    verdict.

    Errors: BadPattern, also for lookahead and lookbehind; GrammarLimit, with the offset, for back
    references, conditional groups, anchors inside, possessive parts that matter, and patterns
    beyond the bounds above. Cost: bounded by these.

    >>> r = read_pattern(r"(?i)^[a-z.]+$")
    >>> r.accepts("Example.org"), r.accepts("www example.org")
    (True, False)
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about syntax that a later version might read otherwise
        try:
            re.compile(pattern, flags)
            parsed = _parser.parse(pattern, flags)
            return _automaton(_Reader(pattern, parsed))
        except re.error as error:
            raise BadPattern(pattern, error.msg, error.pos or 0) from None
        except OverflowError as error:
            raise BadPattern(pattern, str(error), 0) from None
        except RecursionError:
            raise GrammarLimit("the pattern is nested too deeply to be read") from None
        except GrammarLimit as error:
            why = str(error).replace("the grammar", "it")
            raise GrammarLimit(f"the pattern cannot be compared: {why}") from None


def _automaton(places: NfaStates) -> Automaton:
    alphabet = alphabet_for(places)
    most = min(MAX_PATTERN_STATES, MAX_PATTERN_CELLS // alphabet.size)
    with limited("its automaton", MAX_PATTERN_STEPS):
        return from_nfa(places, alphabet, most=most)


class _Reader(PatternStates):
    """The places of a pattern, as its flags say."""

    def __init__(self, pattern: str, parsed: Any) -> None:
        super().__init__()
        self._flags = int(parsed.state.flags)
        self._committed_args: dict[int, int] = {}  # what never gives back, in order
        self._pattern = pattern
        self._questions = 0
        self._anchors = 0
        self._inner: list[int] = []  # the numbers of anchors that do not always hold
        self._number(parsed, True, True)
        if self._inner:
            known = self._anchors == len([*self._offsets("anchor")])  # re joins equal beginnings
            what = "an anchor that is neither at the beginning nor at the end"
            raise self._refusal("anchor", what, self._inner[0] if known else maxsize)
        self.start = self.read(parsed, 0)
        for arg in self.unsafe():
            raise self._refusal(
                "atomic",
                "a part that never gives back a match, although giving back might matter",
                self._committed_args.get(id(arg), 0),
            )

    def _number(self, ops: Any, first: bool, last: bool) -> None:
        """Number anchors and what never gives back, in the order of the text; refuse what must be.

        ``first`` is true if nothing is read before the operations, ``last`` if nothing is after.
        """
        reading = [number for number, (op, _) in enumerate(ops) if str(op) != "AT"]
        low, high = (reading[0], reading[-1]) if reading else (len(ops), -1)
        for number, (op, arg) in enumerate(ops):
            name = str(op)
            below: list[Any] = []
            once = not name.endswith("_REPEAT") or arg[1] == 1
            begins = first and once and number <= low
            ends = last and once and number >= high
            if name == "AT":
                holds = {"AT_BEG": begins, "AT_END": ends}.get(str(arg)[:6], False)
                self._inner += [self._anchors] * (not holds)
                self._anchors += 1
            elif name == "SUBPATTERN":
                below = [arg[3]]
            elif name == "BRANCH":
                below = list(arg[1])
            elif name in ("MAX_REPEAT", "MIN_REPEAT"):
                below = [arg[2]]
            elif name in ("POSSESSIVE_REPEAT", "ATOMIC_GROUP"):
                self._committed_args[id(arg)] = len(self._committed_args)
                below = [arg[2] if name[0] == "P" else arg]
            elif name in ("ASSERT", "ASSERT_NOT", "FAILURE"):  # the last is (?!), since Python 3.12
                raise self._lookaround("lookbehind" if arg and arg[0] < 0 else "lookahead")
            elif name == "GROUPREF":
                raise self._refusal("reference", "a back reference")
            elif name == "GROUPREF_EXISTS":
                raise self._refusal("choice", "a choice that depends on a group")
            for part in below:
                self._number(part, begins, ends)

    def _lookaround(self, family: Literal["lookahead", "lookbehind"]) -> BadPattern:
        """The error for the first lookahead or lookbehind."""
        offset = next(self._offsets(family), 0)
        why = f"{family} is not supported; write a pattern without it: {_WITHOUT[family]}"
        return BadPattern(self._pattern, why, offset)

    def _refusal(self, family: _Family, what: str, number: int = 0) -> GrammarLimit:
        """The error for a construct: its offset, if known, and a drawing."""
        offsets = [*self._offsets(family)]
        if number >= len(offsets):
            return GrammarLimit(f"{what} is in it")
        at = offsets[number]
        lines = draw(self._pattern, [(at, at + 1)])
        return GrammarLimit("\n".join([f"{what}, at offset {at:,}", *lines]))

    def _offsets(self, family: _Family) -> Iterator[int]:
        return (at for found, at in _constructs(self._pattern, self._flags) if found == family)

    # Single characters

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
            if self._questions > MAX_PATTERN_SETS:
                raise GrammarLimit(f"it has more than {MAX_PATTERN_SETS} different classes")
            if len(_SETS) >= MAX_PATTERN_SETS:
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

    def read_other(self, name: str, arg: Any, after: int) -> int:
        return after if name == "AT" else super().read_other(name, arg, after)


def _compiled(op: Any, arg: Any, flags: int) -> Any:
    """A matcher of runs of what an operation reads."""
    state = _parser.parse("", flags & re.ASCII).state
    one = _parser.SubPattern(state, [(op, arg)])
    run = (_parser.MAX_REPEAT, (1, _parser.MAXREPEAT, one))
    return _compiler.compile(_parser.SubPattern(state, [run]), flags)


@cache
def _letter(point: int, flags: int) -> Ranges:
    """The characters that a letter matches under IGNORECASE: itself, and some that have case."""
    runs = _compiled(_parser.LITERAL, point, flags).findall(_cased())
    return union(((point, point),), tuple((ord(c), ord(c)) for run in runs for c in run))


@cache
def _everything() -> str:
    return "".join(map(chr, range(maxunicode + 1)))


@cache
def _cased() -> str:
    """Every code point that some mapping of case changes: no other matches but itself."""
    return "".join(c for c in _everything() if c.lower() != c or c.upper() != c)


def _constructs(pattern: str, flags: int) -> Iterator[tuple[_Family, int]]:
    """The constructs that might have to be refused, with their offsets, in text order."""
    verbose = bool(flags & re.VERBOSE)
    heads: dict[str, _Family] = {
        "(?<=": "lookbehind",
        "(?<!": "lookbehind",
        "(?P=": "reference",
        "(?=": "lookahead",
        "(?!": "lookahead",
        "(?>": "atomic",
        "(?(": "choice",
    }
    token = re.compile(
        r"\\(?P<digit>[1-9])|(?P<anchor>\\[AZbB]|[\^$])|\\."
        r"|\[\^?\]?(?:\\.|[^\]\\])*\]"
        r"|\(\?#[^)]*\)" + (r"|#[^\n]*" if verbose else "") + r"|(?P<possessive>[*+?}]\+)"
        r"|(?P<head>\(\?(?:<[=!]|P=|[=!>(]))",
        re.DOTALL,
    )
    for found in token.finditer(pattern):
        if found["digit"]:
            yield "reference", found.start()
        elif found["anchor"]:
            yield "anchor", found.start()
        elif found["possessive"]:
            yield "atomic", found.start()
        elif found["head"]:
            yield heads[found["head"]], found.start()
