"""uriproof proofreads URIs: which characters violate which production, and how to mend them.

Owns the list of public names. Imports the public face alone. Invariant: importing it loads none
of the libraries that only some verbs need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .api import Grammar, are_valid, check, find_invalid, is_valid, parse, require

if TYPE_CHECKING:
    from .grammar.errors import GrammarError, GrammarLimit, UnknownGrammar, UnknownRule
    from .report import Advice, Component, Fix, InvalidURI, Report, Violation

__version__ = "0.1.0"

__all__ = [
    "Advice",
    "Component",
    "Fix",
    "Grammar",
    "GrammarError",
    "GrammarLimit",
    "InvalidURI",
    "Report",
    "UnknownGrammar",
    "UnknownRule",
    "Violation",
    "are_valid",
    "check",
    "find_invalid",
    "is_valid",
    "parse",
    "require",
]

_ERRORS = frozenset({"GrammarError", "GrammarLimit", "UnknownGrammar", "UnknownRule"})


def __getattr__(name: str) -> Any:
    """The types of reports and errors, loaded when they are first named."""
    if name in __all__:
        from importlib import import_module

        module = import_module(".grammar.errors" if name in _ERRORS else ".report", __name__)
        return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
