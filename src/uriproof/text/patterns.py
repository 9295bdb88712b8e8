"""Regular expressions that are compiled when they are first used.

Owns ``lazy``. Imports the standard library alone. Invariant: an expression is compiled at most
once, and its methods are then called without a detour.

>>> digits = lazy(r"[0-9]+")
>>> digits.findall("a1b22")
['1', '22']
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

__all__ = ["lazy"]


class _Lazy:
    """Stands for an expression: has its attributes, all of them from its first use on."""

    def __init__(self, *given: Any) -> None:
        self._given = given

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":  # what copying and inspecting look for
            raise AttributeError(name)
        compiled = re.compile(*self._given)
        vars(self).update({known: getattr(compiled, known) for known in dir(compiled)})
        return getattr(compiled, name)


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As ``re.compile``, which most programs run for hundreds of expressions that they never use.

    Errors: ``re.error``, at the first use.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))
