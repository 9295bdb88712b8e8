"""The command line in the process of a test: what a call gives.

Owns ``Result``; the fixture ``run`` is in ``conftest.py``. Invariant: the terminal, the colors and
standard input of whoever runs the tests have no say in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Result(NamedTuple):
    """The exit code, and what was written; an octet that is no UTF-8 is a lone surrogate."""

    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Result]
"""``run(*arguments, stdin=b"")``: the command that ``COMMAND`` of the test's module names."""
