"""What a violation says to a person, in one sentence.

Owns the wording of messages. Imports ``drawing``. Invariant: a message is one line, and quotes
nothing of the text but the blamed characters, by their code points and names.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ...report import Kind
from ...text.columns import OCTETS
from ...text.drawing import named, short

_MOST_NAMED = 3
"""Characters that a sentence names; a fourth still fits where it is the last."""
_MOST_QUOTED = 40
"""Characters of the blamed text in a sentence, which is to fit in a line of a log."""


@lru_cache(maxsize=4096)
def describe_character(char: str) -> str:
    """One character by its name; what stands for an octet that is no UTF-8 (PEP 383), as that."""
    return f"byte 0x{OCTETS[char]:02X}" if char in OCTETS else named(char)


def message(
    kind: Kind,
    found: str,
    component: str,
    production: str,
    expected: tuple[str, ...],
    absent: str = "",
) -> str:
    """One sentence: what is wrong, where, and what was expected instead.

    ``absent`` is all that is missing, as ABNF, where that is more than was expected first.
    """
    illegal = not_allowed(characters(found)) if kind == "illegal" else ""
    return sentence(kind, illegal, component, production, expected, absent)


@lru_cache(maxsize=4096)
def sentence(
    kind: Kind,
    illegal: str,
    component: str,
    production: str,
    expected: tuple[str, ...],
    absent: str = "",
) -> str:
    """The message; ``illegal`` says which characters are not allowed, where that is wrong."""
    wanted = " / ".join(expected)
    where = component if component == production else f"{component} ({production})"
    match kind:
        case "illegal":
            ends = f"expected {wanted}" if wanted else "nothing more can follow"
            return f"{illegal} in the {where}; {ends}"
        case "bad-escape":
            return (
                f"a percent sign in the {component} must be followed by two hexadecimal digits "
                f"({production}: {' '.join(expected)})"
            )
        case "missing":
            if production in wanted.split():
                return f"{wanted} is missing"  # the component itself, with its delimiter
            return f"{absent or ' or '.join(expected)} is missing in the {where}"
        case "extra":
            return f"{production} has no {component}"
        case "forbidden":  # policies have words of their own
            return f"the {where} is not allowed"


def not_allowed(names: Iterable[str]) -> str:
    """Which characters are not allowed, of their names; of many, how many more there are.

    >>> not_allowed(characters("[]"))
    'U+005B LEFT SQUARE BRACKET and U+005D RIGHT SQUARE BRACKET are not allowed here'
    """
    distinct = list(dict.fromkeys(names))
    if len(distinct) > _MOST_NAMED + 1:
        distinct[_MOST_NAMED:] = [f"{len(distinct) - _MOST_NAMED:,} more"]
    *others, last = distinct
    listed = f"{', '.join(others)} and {last}" if others else last
    return f"{listed} {'are' if others else 'is'} not allowed here"


def characters(found: str) -> list[str]:
    """The distinct characters of a run, by code point and name; of many, the run itself.

    >>> characters("[["), characters("a.b.c"), characters("\u0444\u043e\u043e")
    (['U+005B LEFT SQUARE BRACKET'], ['"a.b.c"'], ['non-ASCII text'])
    """
    if len(found) == 1:
        return [describe_character(found)]
    distinct = dict.fromkeys(found)
    names = [describe_character(c) for c in distinct if c.isascii()]
    beyond = [c for c in distinct if not c.isascii()]
    if len(names) > 1 and sum(c.isascii() for c in found) > _MOST_NAMED:
        return [f'"{short(found, _MOST_QUOTED)}"']
    if len(beyond) <= 1:
        return [*names, *map(describe_character, beyond)]
    octets = all(c in OCTETS for c in beyond)
    return [*names, "text that is not UTF-8" if octets else "non-ASCII text"]
