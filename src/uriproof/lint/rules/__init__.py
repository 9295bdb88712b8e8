"""The linter's own rules, beside the grammar and its advice: one file per rule.

Owns the choice of these rules. Imports the rules when they are asked for. Invariant: a code is
that of its module, and is never used again for another rule.

A rule is a module, named as its code with underscores, that has what ``Rule`` lists and one of
the functions of ``engine.checks``; nothing else needs editing.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import NamedTuple, Protocol, cast

from ...diagnostic import Edit, Severity
from ...plug_ins import plug_ins

__all__ = ["Problem", "Rule", "rules"]


class Problem(NamedTuple):
    """What a rule reports: a half-open range of the file's text, a message, a fix if any."""

    start: int
    end: int
    message: str
    edit: Edit | None = None
    component: str = ""


class Rule(Protocol):
    """What the module of a rule has. ``GOOD`` and ``BAD`` are lines of a file."""

    CODE: str
    TITLE: str
    WHY: str
    GOOD: str
    BAD: str
    SEVERITY: Severity


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its code, sorted.

    >>> rules()["unused-suppression"].SEVERITY
    'warning'
    """
    found = (cast("Rule", import_module(f"{__name__}.{name}")) for name in plug_ins(__path__))
    return {rule.CODE: rule for rule in found}
