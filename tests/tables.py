"""Tables of tests: the rows of a table in the TOML file of a test's name, beside it.

Owns how they are read. Imports nothing of the package. Invariant: a table without rows is an error.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["rows"]


@cache
def _tables(file: Path) -> dict[str, list[Any]]:
    return tomllib.loads(file.read_text("utf-8"))


def rows(test: str, name: str) -> list[Any]:
    """The rows of a table; ``test`` is ``__file__`` of the file that asks."""
    found = _tables(Path(test).with_suffix(".toml"))[name]
    assert found, f"no row in {name}"
    return found
