"""The tables of tests that are data: texts, and what is to be said or made of each.

Owns how the files in ``tests/tables`` are read, one for each file of tests in the top folder, and
those beside the tests of other folders, with a key for each table. In ``tests/tables`` an array is
a row, and a tuple; an array of arrays is a list of them; an empty table is None, which TOML has no
word for. What TOML cannot hold, such as half of a surrogate pair, stays in the tests.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("tables")


@cache
def file_of(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def beside(test: str | Path, table: str) -> list[Any]:
    """The rows as TOML has them; ``test`` is ``__file__`` of the tests that ask."""
    return list(file_of(Path(test).with_suffix(".toml"))[table])


def rows(file: str, table: str) -> list[Any]:
    """The rows of a table, each a tuple, or a value where a row has one alone."""
    found = file_of(FOLDER / f"{file}.toml")[table]
    return [tuple(map(_value, r)) if isinstance(r, list) else r for r in found]


def table(file: str, table: str) -> dict[str, Any]:
    """A table whose rows have names."""
    return {name: _value(value) for name, value in file_of(FOLDER / f"{file}.toml")[table].items()}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        inner = [_value(one) for one in value]
        return inner if all(isinstance(one, list) for one in value) else tuple(inner)
    return None if value == {} else value
