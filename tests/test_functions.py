"""What the functions and commands of texts give, call by call, as two tables have it.

Owns how ``functions.toml`` and ``commands.toml`` of ``tests/tables`` are read: their heads say what
a row has. Laws and properties of a function are in the file of tests of its name.
"""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest
from commands import Run
from tables import FOLDER, file_of

import uriproof

ROWS = file_of(FOLDER / "functions.toml")
ACCEPT = {name: getattr(str, name) for name in ("isascii", "isalnum", "isprintable")}


def value(given: Any) -> Any:
    """As a function takes it: an array of values is a tuple, one of arrays a list of tuples."""
    if isinstance(given, list):
        inner = [value(one) for one in given]
        return inner if not inner or any(isinstance(one, list) for one in given) else tuple(inner)
    return None if given == {} else given


def called(name: str, arguments: list[Any], options: dict[str, Any]) -> Any:
    """What a function gives, or of a URI a property, or what a method gives."""
    name, _, member = name.partition(".")
    function = getattr(uriproof, name)
    if member:
        uri = function(arguments.pop(0), options.pop("rule", "URI"))
        function = getattr(uri, member)
    return function(*arguments, **options) if callable(function) else function


def plain(given: Any) -> Any:
    """A result as a table has it: arrays, an empty table for None, other values in words."""
    if isinstance(given, tuple | list):
        return [plain(one) for one in given]
    if given is None:
        return {}
    return given if isinstance(given, str | int) else str(given)


def places(error: Any) -> list[Any]:
    """What an error blames: faults with their kinds, spans, or one place in data."""
    if isinstance(error, uriproof.DecodeError):
        assert all(fault.found == error.text[fault.start : fault.end] for fault in error.faults)
        return [[fault.start, fault.end, fault.kind] for fault in error.faults]
    return plain(error.spans) if hasattr(error, "spans") else [error.start, error.end]


CALLS = [(name, row) for names, rows in ROWS.items() for name in names.split(", ") for row in rows]


@pytest.mark.parametrize(("name", "row"), CALLS, ids=[f"{name}-{row}"[:80] for name, row in CALLS])
def test_a_call(name: str, row: dict[str, Any]) -> None:
    options = {key: value(given) for key, given in row.items() if key not in {"gives", "raises"}}
    at, of, octets = (options.pop(key, None) for key in ("at", "of", "octets"))
    given = row.get("of")
    arguments = [value(one) for one in given] if isinstance(given, list) else [of]
    arguments = arguments if octets is None else [bytes.fromhex(octets)]
    if isinstance(accept := options.get("accept"), str):
        options["accept"] = ACCEPT.get(accept, accept)
    if "gives" in row:
        assert plain(called(name, arguments, options)) == row["gives"]
        return
    with pytest.raises((ValueError, TypeError, LookupError)) as raised:
        called(name, arguments, options)
    kind, _, words = row.get("raises", "").partition(": ")
    assert kind in {"", type(raised.value).__name__}
    assert words in str(raised.value)
    assert at is None or places(raised.value) == row["at"]


@pytest.mark.parametrize(
    "row", file_of(FOLDER / "commands.toml")["command"], ids=lambda row: str(row["run"])
)
def test_a_command(row: dict[str, Any], run: Run) -> None:
    given = bytes.fromhex(row.get("octets", "")) or row.get("in", "").encode()
    code, out, err = run(*shlex.split(row["run"]), stdin=given)
    assert (code, json.loads(out) if "json" in row else out) == (
        row.get("code", 0),
        row.get("json", row.get("out")),
    )
    assert row["err"] in err if "err" in row else err == ""
