"""What the linter says beside the grammar: one file per rule of its own.

Owns the finding of these rules. Imports the rules when they are asked for. Invariant: a code is
that of its module, and is never used again for another rule.

A rule is a module, named as its code with underscores, that has what ``Own`` lists. To add one is
to add its file, and to say it where it is found; the table of codes and the pages follow.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from ...diagnostic import Severity

__all__ = ["Own", "rules"]


class Own(Protocol):
    """What the module of a rule has. ``GOOD`` and ``BAD`` are lines of a file."""

    CODE: str
    TITLE: str
    WHY: str
    GOOD: str
    BAD: str
    SEVERITY: Severity


@cache
def rules() -> dict[str, Own]:
    """Every rule by its code, sorted.

    >>> rules()["unused-suppression"].SEVERITY
    'warning'
    """
    names = sorted(module.name for module in iter_modules(__path__) if module.name[0] != "_")
    found = (cast("Own", import_module(f"{__name__}.{name}")) for name in names)
    return {rule.CODE: rule for rule in found}
