"""Whole columns and datasets: on the engines that data people already have.

Owns the names of the Arrow functions. Imports nothing until one of them is asked for: pyarrow
(extra ``data``). Invariant: each engine is one file, and importing it imports no other engine.

>>> import pyarrow
>>> from uriproof.data import validate
>>> validate(pyarrow.array(["http://a/", "http://a b/"])).to_pylist()
[True, False]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .arrow import component, components, fixed, normalized, parameter, validate, violations

__all__ = ["component", "components", "fixed", "normalized", "parameter", "validate", "violations"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import arrow

    return getattr(arrow, name)
