"""The files of ``suite/``, read as another program would read them.

Owns nothing but the reading: ``tools/build_conformance.py`` makes the files, and
``suite/schema.json`` describes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SUITE = Path(__file__).resolve().parent / "suite"


def topics() -> dict[str, list[dict[str, Any]]]:
    """The cases with verdicts, by topic."""
    found = {}
    for path in sorted(SUITE.glob("*.json")):
        cases = json.loads(path.read_text("utf-8")).get("cases", ())
        if any("valid" in case for case in cases):
            found[path.stem] = cases
    return found


def transitions(rule: str, grammar: str = "rfc3986") -> Iterator[tuple[str, bool]]:
    """Every text of the transitions of a production, with its verdict.

    Errors: KeyError for a production that the grammar does not have.
    """
    table = json.loads((SUITE / "transitions" / f"{grammar}.json").read_text("utf-8"))
    productions = {found["name"]: found for found in table["productions"]}
    for state in productions[rule]["states"]:
        prefix = state["prefix"]
        yield prefix, state["ends"]
        for char, rest in state["goes"]:
            yield prefix + char + rest, True
        for _, chars in state["stops"]:
            for char in chars:
                yield prefix + char, False
