"""What is known about schemes: the registry, the ports and the grammars, in one answer."""

from __future__ import annotations

import csv
import json
from datetime import date
from pathlib import Path

import pytest
from commands import Run

import uriproof
from uriproof.grammar import registry
from uriproof.grammar import schemes as iana
from uriproof.grammar.schemes import DEFAULT_PORTS

DATA = Path(__file__).parent.parent / "grammars" / "iana-uri-schemes.csv"


def test_the_data_is_the_registry() -> None:
    first, *lines = DATA.read_text(encoding="utf-8").splitlines()
    assert first.endswith(iana.date())
    assert date.fromisoformat(iana.date()).isoformat() == iana.date()
    rows = list(csv.DictReader(lines))
    assert {row["scheme"]: row["status"] for row in rows} == iana.schemes()
    assert set(iana.schemes().values()) == {"permanent", "provisional", "historical"}
    for row in rows:
        assert "".join(f"[{r}]" for r in iana.references(row["scheme"])) == row["reference"], row
        assert uriproof.is_valid(row["scheme"], "scheme")
        assert row["scheme"] == row["scheme"].lower()
    assert iana.references("HTTPS") == ("RFC9110, Section 4.2.2",)
    assert iana.references("htpps") == ()
    assert iana.registered("machineProvisioningProgressReporter") == "provisional"
    assert [iana.registered(name) for name in ("", "http\n", "javascript")] == [None] * 3


def test_every_scheme_that_something_is_known_of() -> None:
    for name in {*iana.schemes(), *DEFAULT_PORTS, *registry.schemes()}:
        found = uriproof.scheme(name)
        assert (found.name, found.status, found.date) == (name, iana.registered(name), iana.date())
        assert bool(found) is (found.status is not None)
        assert found.valid
        assert found.near == () or not found
        assert found.default_port == (int(DEFAULT_PORTS[name]) if name in DEFAULT_PORTS else None)
        known = registry.schemes().get(name)
        assert (found.grammar, found.rule) == (known or (None, None))


@pytest.mark.parametrize("name", ["htpp", "HTPP:", "htpp:"])
def test_near_names(name: str) -> None:
    found = uriproof.scheme(name)
    assert found.name == "htpp"
    assert "http" in found.near


@pytest.mark.parametrize("name", ["", ":", "1http", "h ttp", "ht\u00e9", "\ud800", "a" * 100_000])
def test_any_text_has_an_answer(name: str) -> None:
    found = uriproof.scheme(name)
    assert found.valid is uriproof.is_valid(name, "scheme")
    assert not found


def test_the_command(run: Run) -> None:
    code, out, _ = run("explain", "scheme:https")
    assert code == 0
    assert f"https: registered, permanent (IANA, as of {iana.date()})" in out
    assert "reference: RFC9110, Section 4.2.2" in out
    assert "default port: 443" in out
    for given in "scheme:MAILTO:", "mailto":
        assert "grammar: rfc6068 (mailtoURI)" in run("explain", given).out


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("scheme:htpps", "near names: https"),
        ("scheme:1x\x1b", "not a valid scheme name (RFC 3986 section 3.1)"),
    ],
)
def test_the_command_of_names_that_are_not_registered(run: Run, given: str, words: str) -> None:
    code, out, _ = run("explain", given)
    assert (code, words in out, "\x1b" in out) == (1, True, False)


def test_the_command_in_json(run: Run) -> None:
    code, out, _ = run("explain", "scheme:ldap", "--format", "json")
    (found,) = json.loads(out)
    assert (code, found) == (0, uriproof.scheme("ldap").to_dict())
    assert found["references"] == ["RFC4516"]
    code, out, _ = run("explain", "scheme:x-y", "--format", "json")
    (found,) = json.loads(out)
    assert (code, found["status"], found["valid"]) == (1, None, True)
