"""The form of a leaf as a terminal of lark: one expression.

Owns the right-hand sides of terminals. Imports the model and the algebra of expressions. Invariant:
a terminal matches the texts of its rule, except for the empty text, which no terminal of lark's can
match; and it is read in linear time, or refused.
"""

from __future__ import annotations

from ..charset import ANY, Ranges, minus
from ..errors import GrammarLimit
from ..model import MAX_CODE_POINT, Model
from .ambiguity import finite
from .rx import (
    Alt,
    Rep,
    Rx,
    Seq,
    Set,
    bounded,
    choice,
    nullable,
    sequence,
)
from .to_regex import Printer, escaped, expression, members, quantifier

_LINE_FEED = 0x0A


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
    text = Printer(print_class, unrolled=False).write(filled, follow)
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


def either_case(text: str) -> str:
    """An expression of a string whose letters can be of either case, in ASCII (RFC 5234 §2.3).

    Case is ignored among ASCII characters only: else U+212A KELVIN SIGN would be a "k".
    """
    if len(text) == 1:
        return f"[{text.upper()}{text.lower()}]"
    return f"(?ai:{''.join(_escaped(ord(c)) for c in text.lower())})"


def print_class(ranges: Ranges) -> str:
    """A set as a character class that escapes no more than it must."""
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _escaped(ranges[0][0])
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
    return escaped(point, r"\]^-[", _code)


def _escaped(point: int) -> str:
    return escaped(point, r"\^$.|?*+()[]{}", _code)


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
    """A repetition as lark writes it; one without a maximum has a minimum of 1 at the most."""
    written = quantifier(least, most)
    return f"~{written[1:-1].replace(',', '..')}" if written[0] == "{" else written


def quoted(text: str) -> str:
    """A string of lark's, without a space in it that a line could be broken at."""
    plain = {"\\": r"\\", '"': r"\""}
    escaped = "".join(
        plain.get(c) or (c if c.isprintable() and c != " " else _code(ord(c))) for c in text
    )
    return f'"{escaped}"' if escaped else ""
