"""Engines that give the verdicts of a chunk: one file each, found by name.

Owns how an engine is found, and what it is not asked. Imports ``data.arrow`` when one is asked for.
Invariant: of every text the verdict is that of ``is_valid``, whatever the engine. A plug-in has
``TO``, the target of the export that it reads, and ``matched(texts, pattern)``, of an array of
strings that are UTF-8 a boolean array; importing it names an extra that is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ....plug_ins import plug_ins
from ....rule import Rule

__all__ = ["engine", "engines"]


def engines() -> tuple[str, ...]:
    """The names of the engines that run in the processes of a scan."""
    return plug_ins(__path__)


def engine(name: str) -> Callable[[Any, Rule], Any]:
    """The verdicts of an engine, null for null. Errors: ImportError, with the extra that it needs.

    Texts that are not UTF-8, and rules without an expression, are Python's.
    """
    found = import_module(f"{__name__}.{name}")

    def verdicts(texts: Any, rule: Rule) -> Any:
        from ...arrow import one_by_one, utf_8

        pattern = rule.pattern(found.TO)
        if pattern is None or not utf_8(texts):
            return one_by_one(texts, rule)
        return found.matched(texts, pattern)

    return verdicts
