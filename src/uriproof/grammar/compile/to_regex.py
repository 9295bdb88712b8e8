"""From a production to a regular expression that decides it at C speed.

Owns the printed shape of expressions. Imports the model and the algebra of expressions. Invariant:
the expression matches a whole text (``fullmatch``) exactly when the production does, and a loop is
possessive only if no character that can continue it can also follow it, so that giving back could
never help; ``read_regex`` proves both afterwards, from the text of the expression.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ...limits import MAX_REGEX_NODES
from ..charset import ANY, Ranges, minus, of_terminal, union
from ..errors import GrammarLimit
from ..model import (
    MAX_CODE_POINT,
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
)
from ..work import spend
from .factor import factored
from .rx import (
    Alt,
    Rep,
    Rx,
    Seq,
    Set,
    choice,
    deterministic,
    fails_in_place,
    first,
    onward,
    repeat,
    sequence,
)

ELEMENT = 20
"""Steps of work of one element's expression, in addition to those for its parts."""

Alternatives: TypeAlias = Callable[[str], tuple[str, ...]]


def expression(model: Model, rule: str, alternatives: Alternatives | None = None) -> Rx:
    """The rule as an expression without references, simplified; ``print_regex`` writes it.

    ``alternatives`` gives, for a rule, those of its alternatives that are not contained in others,
    if the rule can be read as only these.

    Errors: GrammarLimit when the rule refers to itself or the expression would be enormous.
    Cost: the size of the rule with all references replaced.
    """
    try:
        return _Converter(model, alternatives).rule(rule, ())
    except RecursionError:
        raise GrammarLimit(f"rule {rule} is nested too deeply to be compiled") from None


def expression_of(model: Model, element: Element) -> Rx:
    """The same of any element of the grammar."""
    spend(ELEMENT)
    return _Converter(model, None).element(element)


class _Converter:
    """One conversion: its remaining budget, and its results so far."""

    def __init__(self, model: Model, alternatives: Alternatives | None) -> None:
        self._model = model
        self._alternatives = alternatives
        self._budget = MAX_REGEX_NODES
        self._known: dict[str, Rx] = {}
        self._sizes: dict[str, int] = {}

    def rule(self, name: str, path: tuple[str, ...]) -> Rx:
        if name in path:
            raise GrammarLimit(f"rule {name} refers to itself")
        known = self._known.get(name)
        if known is None:
            path = (*path, name)
            before = self._budget
            kept = self._alternatives(name) if self._alternatives else (name,)
            if kept == (name,):
                known = self._element(self._model.rules[name].element, path)
            else:
                known = choice(self.rule(k, path) for k in kept)
            self._known[name] = known
            self._sizes[name] = before - self._budget
        else:  # it is in the expression once more
            self._spend(self._sizes[name], name)
        return known

    def element(self, element: Element) -> Rx:
        return self._element(element, ("",))

    def _spend(self, nodes: int, name: str) -> None:
        self._budget -= nodes
        if self._budget < 0:
            raise GrammarLimit(f"rule {name} is too large for a regular expression")

    def _element(self, element: Element, path: tuple[str, ...]) -> Rx:
        self._spend(1, path[0])
        match element:
            case RuleRef(name):
                return self.rule(name, path)
            case CharVal() | NumVal():
                return sequence(Set(ranges) for ranges in of_terminal(element))
            case Concatenation(items):
                return sequence(self._element(i, path) for i in items)
            case Alternation(items):
                return factored(choice(self._element(i, path) for i in items))
            case Repetition(_, _, 0):  # its rules might lead back here, and are never read
                return sequence(())
            case Repetition(item, least, most):
                return repeat(self._element(item, path), least, most)


def to_captures(
    model: Model, rule: str, printed: Callable[[Rx], str] | None = None
) -> tuple[str, tuple[str, ...]]:
    """The expression of a rule that divides a text, and the rules that its groups stand for.

    Every rule that the rule's own right-hand side mentions becomes a group. Nothing in it is
    possessive: the longest repetition wins only as far as the rest still fits. ``printed`` spells
    the contents of the groups and the text between them, by default as in Python.
    """
    names: list[str] = []
    spelled = printed or _print_captured

    def write(element: Element) -> str:
        match element:
            case RuleRef(name):
                names.append(name)
                return f"({spelled(expression(model, name))})"
            case Concatenation(items):
                return "".join(write(i) for i in items)
            case Alternation(items):
                return f"(?:{'|'.join(write(i) for i in items)})"
            case Repetition(item, 0, 1):
                return f"(?:{write(item)}|)"  # a branch, which is entered faster than a loop
            case CharVal() | NumVal():
                return "".join(spelled(Set(r)) for r in of_terminal(element))
            case Repetition():
                raise GrammarLimit(f"rule {rule} repeats a part, and so cannot divide a text")

    return write(model.rules[rule].element), tuple(names)


def _print_captured(rx: Rx) -> str:
    """Printed for Python, any code point in the way that costs less to compile."""
    return print_regex(rx, ANY).replace(print_set(ANY), "(?s:.)")


def print_set(ranges: Ranges) -> str:
    """A set as a character class, or as a bare character if it has only one."""
    if not ranges:
        return r"[^\x00-\U0010ffff]"
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _char(ranges[0][0])
    others = minus(ANY, ranges)
    if ranges[-1][1] == MAX_CODE_POINT and others:
        return f"[^{members(others, _char)}]"
    return f"[{members(ranges, _char)}]"


def print_regex(rx: Rx, follow: Ranges) -> str:
    """The expression as text; ``follow`` holds the characters that can come after a match."""
    return Printer().write(rx, follow)


class Printer(NamedTuple):
    """How expressions are printed for Python's ``re``.

    ``spelled`` prints a set. With ``unrolled``, a loop over a set and longer alternatives is
    longer, and runs at full speed over the set.
    """

    spelled: Callable[[Ranges], str] = print_set
    unrolled: bool = True

    def write(self, rx: Rx, follow: Ranges) -> str:
        """The expression as text; ``follow`` holds the characters that can come after a match."""
        match rx:
            case Set(ranges):
                return self.spelled(ranges)
            case Seq(items):
                out: list[str] = []
                for item in reversed(items):
                    text = self.write(item, follow)
                    out.append(f"(?:{text})" if isinstance(item, Alt) else text)
                    follow = onward(item, follow)
                return "".join(reversed(out))
            case Alt(items):
                return "|".join(self.write(i, follow) for i in items)
            case Rep(item, least, most):
                return self._loop(rx, item, least, most, follow)

    def _loop(self, rx: Rep, item: Rx, least: int, most: int | None, follow: Ranges) -> str:
        possessive = deterministic(rx, follow)
        if self.unrolled and possessive and most is None and least <= 1:
            match item:
                case Alt((Set(ranges), *tail)) if tail:
                    return self._unrolled(ranges, tail, least, union(follow, first(item)))
        if (least, most) == (0, 1) and not isinstance(item, Set):
            return f"(?:{self.write(item, follow)}|)"
        after = follow if most == 1 else union(first(item), follow)
        inner = self.write(item, after)
        if not isinstance(item, Set):
            inner = f"(?:{inner})"
        times = quantifier(least, most)
        if not possessive or least == most:
            return inner + times
        return _committed(inner, times, item)

    def _unrolled(self, ranges: Ranges, tail: list[Rx], least: int, follow: Ranges) -> str:
        """Runs of the set at full speed, the longer alternatives at their places."""
        one = self.spelled(ranges)
        run = one + "*+"
        other = choice(tail)
        rest = self.write(other, union(ranges, follow))
        body = f"(?:{rest}){run}" if len(tail) > 1 else rest + run
        again = _committed(f"(?:{body})", "*", Seq((other, Rep(Set(ranges), 0, None))))
        # A branch costs less than a loop to enter, and most texts have none of these.
        loop = f"{run}(?:{body}{again}|)"
        return loop if least == 0 else f"(?:{one}|{rest}){loop}"


def _committed(inner: str, times: str, item: Rx) -> str:
    """A loop that never gives back, spelled as every Python from 3.11 on reads it rightly."""
    return f"{inner}{times}+" if fails_in_place(item) else f"(?>{inner}{times})"


def quantifier(least: int, most: int | None) -> str:
    """A repetition as expressions write it."""
    match least, most:
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case 0, 1:
            return "?"
        case _:
            if least == most:
                return f"{{{least}}}"
            return f"{{{least},{'' if most is None else most}}}"


def members(ranges: Ranges, spelled: Callable[[int], str]) -> str:
    """The ranges of a character class, each code point as it is ``spelled``."""
    return "".join(
        spelled(low) + ("" if low == high else ("" if high == low + 1 else "-") + spelled(high))
        for low, high in ranges
    )


def escaped(point: int, special: str, code: Callable[[int], str]) -> str:
    """A visible character of ASCII, after a backslash if ``special``; any other one by its code."""
    char = chr(point)
    if char.isascii() and char.isprintable() and char != " ":
        return "\\" + char if char in special else char
    return code(point)


def _char(point: int) -> str:
    return escaped(point, r"\^$.|?*+()[]{}-&~#", _code)


def _code(point: int) -> str:
    return f"\\x{point:02x}" if point < 1 << 8 else f"\\U{point:08x}"
