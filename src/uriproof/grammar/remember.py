"""Values computed from a grammar once, and kept as long as the grammar.

Owns the decorator. Imports the standard library alone. Invariant: nothing outlives its grammar by
being remembered, as in a cache of a module, whose keys and values hold the grammar.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast


class Remembers(Protocol):
    """A grammar, or another value that keeps the answers about itself."""

    @property
    def remembered(self) -> dict[Callable[..., Any], dict[Any, Any]]:
        """By the function, its answers by its arguments."""


T = TypeVar("T", bound=Remembers)
P = ParamSpec("P")
R = TypeVar("R")

MOST = 1_000
"""Answers of one function that a grammar keeps: more than any bundled grammar has rules. Those are
never freed, and questions about one (a policy) can be new each time."""


def per_grammar(
    function: Callable[Concatenate[T, P], R],
) -> Callable[Concatenate[T, P], R]:
    """A function of a grammar, and of values that can be hashed, that remembers its results.

    Any number of threads can call it, and get the same. Errors are not remembered.
    """

    @wraps(function)
    def remembered(owner: T, *args: P.args, **kwargs: P.kwargs) -> R:
        known = owner.remembered.get(function)
        if known is None:
            known = owner.remembered.setdefault(function, {})
        key = (*args, *kwargs.items()) if kwargs else args
        try:
            found: R = known[key]
        except KeyError:
            found = known.setdefault(key, function(owner, *args, **kwargs))
            if len(known) > MOST:
                known.pop(next(iter(tuple(known))), None)
        return found

    return cast("Callable[Concatenate[T, P], R]", remembered)
