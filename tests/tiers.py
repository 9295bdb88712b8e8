"""Which cases of a test are quick, and which only ``make check`` runs.

Owns the marking. Imports pytest alone. The quick tier takes a minute: it has the files that find
most faults for their time, each test with at least one case. Files that are dear or seldom find
what the others do not are left to ``make check`` as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest

running = {"quick": False}
"""Whether this run is ``make test``: set by ``conftest.py``, before files of tests are imported."""

FEW_GRAMMARS = ("key-value", "rfc3966", "rfc3986")
"""Bundled grammars that stand for all: none takes long, and the last is the one that matters."""


def is_quick(config: pytest.Config) -> bool:
    """Whether this run is ``make test``."""
    return str(config.option.markexpr).strip() == "not prove"


def quick(values: Iterable[Any], first: int = 1, *, among: Collection[Any] | None = None) -> Any:
    """The values of a parameter: the first of them, or those given, are quick; all are proved.

    A tuple is a value for each of several parameters.

    >>> [bool(p.marks) for p in quick("abc")]
    [False, True, True]
    >>> [bool(p.marks) for p in quick("abc", among="c")]
    [True, True, False]
    """
    found = list(values)
    kept = found[:first] if among is None else among
    assert kept, "no quick case"
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=() if value in kept else pytest.mark.prove,
        )
        for value in found
    ]


def bound(name: str, small: Any, large: Any) -> pytest.MarkDecorator:
    """A parameter that says how far a test goes: small in the quick tier, large in a proof.

    A proof does not begin with the small one: what that says, the large one says.
    """
    far = pytest.param(large, marks=pytest.mark.prove)
    return pytest.mark.parametrize(name, [small if running["quick"] else far])
