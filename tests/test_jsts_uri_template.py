"""The strings of JSON-Schema-Test-Suite's file for the format uri-template.

Owns nothing but the reading of that file; needs the shared data, and is skipped without. Invariant:
the verdict is the suite's on every string, and a wrong one is explained.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uriproof.rule import Grammar

FILE = Path(__file__).parents[2] / "shared" / "data" / "jsts" / "jsts-uri-template.json"


def _strings() -> list[tuple[str, str, bool]]:
    if not FILE.exists():
        return []
    groups = json.loads(FILE.read_text(encoding="utf-8"))
    tests = [test for group in groups for test in group["tests"]]
    return [(t["description"], t["data"], t["valid"]) for t in tests if isinstance(t["data"], str)]


STRINGS = _strings()


def test_the_suite_is_there_in_full() -> None:
    if not FILE.exists():
        pytest.skip("needs the shared data")
    assert len(STRINGS) == 32
    assert {valid for _, _, valid in STRINGS} == {True, False}


@pytest.mark.parametrize(
    ("text", "valid"),
    [(text, valid) for _, text, valid in STRINGS],
    ids=[description for description, _, _ in STRINGS],
)
def test_verdict(text: str, valid: bool) -> None:
    template = Grammar.load("rfc6570")
    assert template.rule().is_valid(text) is valid
    report = template.rule().check(text)
    assert report.ok is valid
    assert bool(report.violations) is not valid
