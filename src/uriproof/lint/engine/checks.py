"""The functions of the linter's own rules: what each is given, and when it applies.

Owns what the module of a rule may have. Imports the rest of ``lint`` below the engine. Invariant:
a rule is asked only where its settings say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...report import Report
from ..config.settings import Settings
from ..files.source import Source
from ..found import Found
from ..rules import Problem, rules
from ..suppress.comments import Suppression

__all__ = ["Checks", "checks"]

CheckFile = Callable[[Source], Iterator[Problem]]
CheckUrl = Callable[[Found, Report, Settings], Iterator[Problem]]
IsActive = Callable[[str], bool]
CheckSuppressions = Callable[[list[Suppression], Settings, IsActive], Iterator[Problem]]


class Checks(NamedTuple):
    """The functions of rules, each with the code of its rule.

    ``check_file(source)`` looks at a file, ``check_url(found, report, settings)`` at each URL,
    ``check_hidden``, which is given the same, at each that may have invisible characters, and
    ``check_suppressions(known, settings, is_active)`` at a file's suppressions after they were
    applied; ``is_active`` tells whether a selector names a code that is reported now. A rule with
    ``applies(settings)`` is left out where that is false.
    """

    file: list[tuple[str, CheckFile]]
    url: list[tuple[str, CheckUrl]]
    hidden: list[tuple[str, CheckUrl]]
    suppressions: list[tuple[str, CheckSuppressions]]


def checks(settings: Settings) -> Checks:
    """The functions of all rules that apply under some settings."""
    found = Checks([], [], [], [])
    for code, rule in rules().items():
        applies = getattr(rule, "applies", None)
        for name, listed in found._asdict().items():
            check = getattr(rule, f"check_{name}", None)
            if check is not None and (applies is None or applies(settings)):
                listed.append((code, check))
    return found
