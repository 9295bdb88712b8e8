"""jsonschema: the formats of the official test suite, reports in errors, faces of other packages.

Owns what ``for_jsonschema`` and the two faces promise. Imports jsonschema. Invariant: what changes
``sys.modules`` runs in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft4Validator, Draft7Validator, Draft202012Validator, FormatChecker

from uriproof import Grammar, InvalidURI, Rule
from uriproof.adapters.for_jsonschema import format_checker
from uriproof.rule import FORMATS

pytestmark = pytest.mark.prove

SRC = Path(__file__).parent.parent.parent / "src"


@pytest.mark.parametrize("draft", [Draft4Validator, Draft7Validator, Draft202012Validator])
def test_an_error_has_the_report(draft: type[Draft7Validator]) -> None:
    schema = {"properties": {"url": {"format": "uri"}}}
    validator = draft(schema, format_checker=format_checker())
    (error,) = validator.iter_errors({"url": "http://h/a b"})
    assert list(error.absolute_path) == ["url"]
    assert isinstance(error.cause, InvalidURI)
    assert [v.start for v in error.cause.report.violations] == [10]
    assert error.message == error.cause.report.summary


def test_the_registry_of_jsonschema_stays_as_it_was() -> None:
    before = dict(FormatChecker.checkers)
    digits = Rule("digits", grammar=Grammar.from_abnf("digits = 1*DIGIT"))
    checker = format_checker({"mine": digits})
    assert FormatChecker.checkers == before
    assert {*before, *FORMATS, "mine"} == {*checker.checkers}
    assert [checker.conforms(value, "mine") for value in ("80", "x", 1)] == [True, False, True]
    assert not checker.conforms("2024-13-01", "date")  # one of jsonschema's own
    assert checker.conforms("anything", "unknown")
    with pytest.raises(TypeError, match="format 'x' must be a str or a Rule"):
        format_checker({"x": 1})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("package", "formats"),
    [
        ("rfc3987", ["iri", "iri-reference", "uri", "uri-reference"]),
        ("rfc3986_validator", ["uri", "uri-reference"]),
    ],
)
def test_jsonschema_uses_the_interfaces(package: str, formats: list[str]) -> None:
    code = f"""
import sys
sys.modules["rfc3987"] = sys.modules["rfc3987_syntax"] = None
from uriproof.adapters import compat
sys.modules[{package!r}] = compat
from jsonschema import Draft202012Validator, FormatChecker
from uriproof import is_valid
for name in {formats!r}:
    check = Draft202012Validator({{"format": name}}, format_checker=FormatChecker()).is_valid
    assert check("http://a/") and not check("http://a/ b"), name
    assert check("/a") is name.endswith("reference"), name
    assert check("http://\\u00e9/") is name.startswith("iri"), name
print("used")
"""
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(SRC)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.stdout == "used\n", run.stderr
