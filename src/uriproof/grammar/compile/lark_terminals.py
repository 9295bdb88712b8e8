"""The form of a leaf as a terminal of lark: one expression, or several if it is long.

Owns the right-hand sides of terminals. Imports the model and the algebra of expressions. Invariant:
a terminal matches the texts of its rule, except for the empty text, which no terminal of lark's can
match; and it is read in linear time, or refused.
"""

from __future__ import annotations

from itertools import groupby

from ..charset import ANY, Ranges, minus, union
from ..errors import GrammarLimit
from ..model import (
    MAX_CODE_POINT,
    Model,
)
from .ambiguity import finite
from .rx import (
    Alt,
    Rep,
    Rx,
    Seq,
    Set,
    bounded,
    choice,
    deterministic,
    first,
    nullable,
    onward,
    sequence,
)
from .to_regex import expression, members, quantifier

_ASCII = 0x7F
_LINE_FEED = 0x0A
_CASE = ord("a") - ord("A")


def terminal(model: Model, name: str, follow: Ranges) -> str | None:
    """The expression of a leaf's texts but the empty one; None if there is no other.

    ``follow`` holds the characters that can come after it. Errors: GrammarLimit, if the leaf refers
    to itself, as a comment of RFC 5322 §3.2.2 does, or is not known to be read in linear time, as a
    field-value of RFC 9110 §5.5 is not.
    """
    refused = f"no terminal of lark reads {name}: {{}}; is_valid, check, parse and explain work"
    try:
        filled = nonempty(expression(model, name))
    except GrammarLimit as limit:
        raise GrammarLimit(refused.format(limit)) from None
    if filled is None:
        return None
    if not (bounded(filled) or finite(filled)):
        raise GrammarLimit(refused.format("it can be divided in too many ways"))
    text = print_compact(filled, follow)
    return f"(?:{text})" if isinstance(filled, Alt) else text


def nonempty(rx: Rx) -> Rx | None:
    """The same expression without the empty text; None if nothing else is left."""
    match rx:
        case Set():
            return rx
        case Rep(item, least, most):
            inner = nonempty(item)
            if inner is None:
                return None
            return Rep(inner, max(least, 1) if inner == item else 1, most) if most != 1 else inner
        case Alt(items):
            kept = [k for k in map(nonempty, items) if k is not None]
            return choice(kept) if kept else None
        case Seq(items):
            if not nullable(rx):
                return rx
            ways: list[Rx] = []
            for i, item in enumerate(items):
                head = nonempty(item)
                if head is not None:
                    ways.append(sequence((head, *items[i + 1 :])))
            return choice(ways) if ways else None


def print_compact(rx: Rx, follow: Ranges) -> str:
    """An expression in readable form; ``follow`` holds the characters that can come after a match.

    A loop is possessive if the next character decides (see ``to_regex``), so that nothing is read
    twice.
    """
    match rx:
        case Set(ranges):
            return print_class(ranges)
        case Seq(items):
            follows: list[Ranges] = []
            for item in reversed(items):
                follows.insert(0, follow)
                follow = onward(item, follow)
            return _print_sequence(list(zip(items, follows, strict=True)))
        case Alt(items):
            return "|".join(print_compact(i, follow) for i in items)
        case Rep(item, least, most):
            possessive = "+" if deterministic(rx, follow) else ""
            after = follow if most == 1 else union(first(item), follow)
            inner = print_compact(item, after)
            if not isinstance(item, Set):
                head = item.items[0] if isinstance(item, Alt) else None
                if possessive and most is None and least <= 1 and isinstance(head, Set):
                    run = print_class(head.ranges)
                    inner = f"{run}++{inner.removeprefix(run)}"
                inner = f"(?:{inner})"
            return inner + quantifier(least, most) + ("" if least == most else possessive)


def _print_sequence(items: list[tuple[Rx, Ranges]]) -> str:
    out: list[str] = []
    for same, run in groupby(items, key=lambda pair: _folded(pair[0]) is not None):
        part = list(run)
        letters = "".join(_folded(rx) or "" for rx, _ in part)
        if same and sum(map(str.isalpha, letters)) > 1:
            out.append(either_case(letters))
            continue
        for rx, again in groupby(part, key=lambda pair: pair[0]):
            pairs = list(again)
            if not isinstance(rx, Set):
                texts = [print_compact(*pair) for pair in pairs]
                out += [f"(?:{t})" if isinstance(rx, Alt) else t for t in texts]
                continue
            text, count = print_class(rx.ranges), len(pairs)
            repeated = f"{text}{{{count}}}"
            out.append(repeated if len(repeated) < len(text) * count else text * count)
    return "".join(out)


def either_case(text: str) -> str:
    """An expression of a string whose letters can be of either case, in ASCII (RFC 5234 §2.3).

    Case is ignored among ASCII characters only: else U+212A KELVIN SIGN would be a "k".
    """
    if len(text) == 1:
        return f"[{text.upper()}{text.lower()}]"
    return f"(?ai:{''.join(map(_escaped, text.lower()))})"


def _folded(rx: Rx) -> str | None:
    """The small letter of a letter in either case, another character unchanged, or None."""
    match rx:
        case Set(((low, high),)) if low == high and low <= _ASCII and not chr(low).isalpha():
            return chr(low)
        case Set(((low, a), (high, b))) if low == a and high == b == low + _CASE:
            return chr(high) if chr(high).isascii() and chr(high).isalpha() else None
        case _:
            return None


def print_class(ranges: Ranges) -> str:
    """A set as a character class that escapes no more than it must."""
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _escaped(chr(ranges[0][0]))
    others = minus(ANY, ranges)
    if not others:
        return r"[\s\S]"
    if not ranges:
        return r"[^\s\S]"
    inverted = ranges[-1][1] == MAX_CODE_POINT
    if inverted:
        return f"[^{members(others, _member)}]"
    inside = any(low < _LINE_FEED < high for low, high in ranges)
    return f"[{members(ranges, _member)}{_code(_LINE_FEED) * inside}]"


def _member(point: int) -> str:
    return _escaped(chr(point), r"\]^-[")


def _escaped(char: str, special: str = r"\^$.|?*+()[]{}") -> str:
    if char.isascii() and char.isprintable() and char != " ":
        return "\\" + char if char in special else char
    return _code(ord(char))


def _code(point: int) -> str:
    if point == _LINE_FEED:
        return "\\n"  # by which lark sees that a terminal can have lines
    if point < 1 << 8:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 1 << 16 else f"\\U{point:08x}"


def literal(pattern: str) -> str:
    """An expression as lark writes it, between slashes."""
    return f"/{pattern.replace('/', chr(92) + '/')}/"


def lookahead_of(after: Ranges, at_end: bool) -> str:
    """The lookahead: one of the characters, or the end of the text."""
    choices = [print_class(after)] if after else []
    return f"(?={'|'.join([*choices, *([chr(92) + 'Z'] if at_end else [])])})"


def grouped(alternatives: list[str]) -> str:
    """Alternatives as one part of something longer."""
    return f"({' | '.join(alternatives)})" if len(alternatives) > 1 else alternatives[0]


def times(least: int, most: int | None) -> str:
    """A repetition as lark writes it."""
    match least, most:
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case 0, 1:
            return "?"
        case _:
            return f"~{least}" if least == most else f"~{least}..{most}"


def quoted(text: str) -> str:
    """A string of lark's, without a space in it that a line could be broken at."""
    plain = {"\\": r"\\", '"': r"\""}
    escaped = "".join(
        plain.get(c) or (c if c.isprintable() and c != " " else _code(ord(c))) for c in text
    )
    return f'"{escaped}"' if escaped else ""
