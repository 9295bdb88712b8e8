"""What a command of a test gives, and the type of the fixture ``run`` (see conftest.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Result(NamedTuple):
    """The exit code, and what was written."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Run: TypeAlias = Callable[..., Result]
