"""Regular expressions that are compiled when they are first used.

Owns ``lazy``. Imports only the standard library. Invariant: an expression is compiled at most
once, and its methods are then called without a detour.

>>> digits = lazy(r"[0-9]+")
>>> digits.findall("a1b22")
['1', '22']
"""

from __future__ import annotations

import re
import sys
from typing import Any, AnyStr, cast

# Before it, a possessive group that backtracks within a round loses matches (CPython gh-106052).
POSSESSIVE_GROUPS = sys.version_info >= (3, 11, 5)

_STEP = r"(?s)\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]?|\(|\)(?:(?:[*+?]|\{[0-9,]+\})\+)?"


def atomic(pattern: str) -> str:
    r"""An expression with atomic groups in place of possessive ones: the same matches.

    Not for expressions with comments, which might hold brackets.

    >>> atomic(r"(?:a|[)]b)*+c\)+(d){2,}+")
    '(?>(?:a|[)]b)*)c\\)+(?>(d){2,})'
    """
    pieces: list[str] = []
    opened: list[int] = []
    at = 0
    for step in re.finditer(_STEP, pattern):
        pieces.append(pattern[at : step.start()])
        at = step.end()
        found = step[0]
        if found == "(":
            opened.append(len(pieces))
        elif found[0] == ")":
            start = opened.pop()
            if len(found) > 1:
                pieces[start] = f"(?>{pieces[start]}"
                found = f"{found[:-1]})"
        pieces.append(found)
    return "".join([*pieces, pattern[at:]])


class _Lazy:
    """Stands for an expression: has its attributes, all of them from its first use on."""

    def __init__(self, *given: Any) -> None:
        self._given = given

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":  # what copying and inspecting look for
            raise AttributeError(name)
        pattern, flags = self._given
        if not POSSESSIVE_GROUPS and isinstance(pattern, str) and not flags & re.VERBOSE:
            pattern = atomic(pattern)
        compiled = re.compile(pattern, flags)
        vars(self).update({known: getattr(compiled, known) for known in dir(compiled)})
        return getattr(compiled, name)


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As ``re.compile``, which most programs run for hundreds of expressions that they never use.

    Errors: ``re.error``, at the first use.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))
