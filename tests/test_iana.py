"""The registry of URI schemes: the data, what the build makes of it, and questions to it."""

from __future__ import annotations

import csv
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from uriproof.grammar import schemes as iana
from uriproof.rule import Grammar

ROOT = Path(__file__).parent.parent
DATA = ROOT / "grammars" / "iana-uri-schemes.csv"


def rows() -> list[dict[str, str]]:
    return list(csv.DictReader(DATA.read_text(encoding="utf-8").splitlines()[1:]))


def test_the_data_is_the_registry() -> None:
    assert {row["scheme"]: row["status"] for row in rows()} == iana.schemes()
    assert len(iana.schemes()) > 400
    assert set(iana.schemes().values()) == {"permanent", "provisional", "historical"}
    assert date.fromisoformat(iana.date()).isoformat() == iana.date()
    assert DATA.read_text(encoding="utf-8").splitlines()[0].endswith(iana.date())


def test_the_references_are_the_registry_s() -> None:
    for row in rows():
        assert "".join(f"[{r}]" for r in iana.references(row["scheme"])) == row["reference"], row
    assert iana.references("HTTPS") == ("RFC9110, Section 4.2.2",)
    assert iana.references("htpps") == ()


def test_every_registered_scheme_is_a_scheme() -> None:
    grammar = Grammar.load("rfc3986")
    assert [s for s in iana.schemes() if not grammar["scheme"].is_valid(s)] == []
    assert [s for s in iana.schemes() if s != s.lower()] == []


@pytest.mark.parametrize(
    ("scheme", "status"),
    [
        ("http", "permanent"),
        ("HTTPS", "permanent"),
        ("mailto", "permanent"),
        ("machineProvisioningProgressReporter", "provisional"),
        ("fax", "historical"),
        ("myapp", None),
        ("javascript", None),
        ("", None),
        ("http\n", None),
    ],
)
def test_status(scheme: str, status: str | None) -> None:
    assert iana.registered(scheme) == status


def test_permanent_schemes_have_a_reference() -> None:
    """RFC 7595 §3: a permanent registration has a specification to refer to."""
    found = [row["scheme"] for row in rows() if row["status"] == "permanent"]
    without = [row["scheme"] for row in rows() if row["scheme"] in found and not row["reference"]]
    assert len(found) > 90
    assert without == []


def test_the_data_is_loaded_only_when_asked_for() -> None:
    program = (
        "import sys; from uriproof.grammar import schemes;"
        "assert 'uriproof._generated.iana_schemes' not in sys.modules;"
        "schemes.registered('a'); assert 'uriproof._generated.iana_schemes' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
