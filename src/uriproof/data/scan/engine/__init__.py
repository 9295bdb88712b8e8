"""Engines that give the verdicts of a chunk: one file each, found by name.

Owns how an engine is found. Imports nothing until one is asked for. Invariant: of every text the
verdict is that of ``is_valid``, whatever the engine. A plug-in has ``verdicts(texts, rule)``, of an
array of strings a boolean array; importing it names an extra that is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ....plug_ins import plug_ins

__all__ = ["engine", "engines"]


def engines() -> tuple[str, ...]:
    """The names of the engines that run in the processes of a scan."""
    return plug_ins(__path__)


def engine(name: str) -> Callable[[Any, Any], Any]:
    """The verdicts of an engine. Errors: ImportError, with the extra that it needs."""
    found: Callable[[Any, Any], Any] = import_module(f"{__name__}.{name}").verdicts
    return found
