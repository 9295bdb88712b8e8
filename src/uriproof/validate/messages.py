"""What a violation says to a person, in one sentence.

Owns the wording of messages. Imports ``drawing``. Invariant: a message is one line, and quotes
nothing of the text but the blamed characters, by their code points and names.
"""

from __future__ import annotations

from functools import lru_cache

from ..report import Kind
from ..text.drawing import named, short

_MOST_NAMED = 3
_MOST_QUOTED = 40

describe_character = lru_cache(maxsize=4096)(named)


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
    illegal = not_allowed(found) if kind == "illegal" else ""
    return _sentence(kind, illegal, component, production, expected, absent)


@lru_cache(maxsize=4096)
def _sentence(
    kind: Kind,
    illegal: str,
    component: str,
    production: str,
    expected: tuple[str, ...],
    absent: str,
) -> str:
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
            return f"{absent or wanted} is missing in the {where}"
        case "extra":
            return f"{production} has no {component}"
        case "forbidden":  # policies have words of their own
            return f"the {where} is not allowed"


def not_allowed(found: str) -> str:
    """Which characters of a run are not allowed.

    >>> not_allowed("[]")
    'U+005B LEFT SQUARE BRACKET and U+005D RIGHT SQUARE BRACKET are not allowed here'
    """
    named = characters(found)
    several = len(set(found)) > 1 and not named.startswith('"')
    return f"{named} {'are' if several else 'is'} not allowed here"


def characters(found: str) -> str:
    """The distinct characters of a run, by code point and name; of many, the run itself.

    >>> characters("[[")
    'U+005B LEFT SQUARE BRACKET'
    """
    if not found:
        return ""
    if len(found) == 1:
        return describe_character(found)
    distinct = list(dict.fromkeys(found))
    if len(distinct) > 1 and len(found) > _MOST_NAMED:
        return f'"{short(found, _MOST_QUOTED)}"'
    names = [describe_character(c) for c in distinct]
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
