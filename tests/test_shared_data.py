"""Facts that others collected: a conformance suite, strings meant to confuse, real input.

Owns the runs over the data beside the checkout; imports the public face. Each test is skipped
where its file is absent. Invariant: verdicts come from the data, never from this project.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import uriproof

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
VALID_ATTACKS = 59
ATTACKS = 144
RULES = {
    "jsts-uri": ("rfc3986", "URI", 40),
    "jsts-uri-reference": ("rfc3986", "URI-reference", 22),
    "jsts-iri": ("rfc3987", "IRI", 18),
    "jsts-iri-reference": ("rfc3987", "IRI-reference", 7),
    "jsts-uri-template": ("rfc6570", "URI-Template", 32),
}
"""Per suite: the grammar and the rule that it is about, and how many strings it has at least."""

pytestmark = pytest.mark.prove


def _present(name: str) -> Path:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"no {name} beside the checkout")
    return path


def _read_json(name: str) -> Any:
    return json.loads(_present(name).read_text("utf-8"))


def _explained(report: uriproof.Report) -> Iterator[bool]:
    """Per violation: are its words there, and do they name its characters and production?"""
    for v in report.violations:
        yield bool(v.message and v.section and v.rule and v.source and v.code)
        yield v.found == report.text[v.start : v.end]


@pytest.mark.parametrize("suite", RULES)
def test_json_schema_test_suite(suite: str) -> None:
    tests = [t for group in _read_json(f"jsts/{suite}.json") for t in group["tests"]]
    strings = [t for t in tests if isinstance(t["data"], str)]
    name, rule, least = RULES[suite]
    assert len(strings) >= least
    held = uriproof.Rule(rule, grammar=name)
    wrong = [
        t
        for t in strings
        if held.is_valid(t["data"]) is not t["valid"] or held.check(t["data"]).ok is not t["valid"]
    ]
    assert wrong == []
    for test in strings:
        if test["valid"]:
            assert held.parse(test["data"]).data == rule
        else:
            assert all(_explained(held.check(test["data"])))


def test_attack_strings() -> None:
    attacks = {a["name"]: a["text"] for a in _read_json("attack-strings.json")}
    assert len(attacks) == ATTACKS
    reports = {name: uriproof.check(text) for name, text in attacks.items()}
    assert [n for n, r in reports.items() if not all(_explained(r))] == []
    assert [n for n, r in reports.items() if r.ok is not uriproof.is_valid(r.text)] == []
    assert sum(r.ok for r in reports.values()) == VALID_ATTACKS
    for name, report in reports.items():
        # Drawn, as JSON, under every other rule: an attack is data and never raises.
        assert str(report), name
        assert json.loads(json.dumps(report.to_dict()))["ok"] is report.ok
        for rule in ("URI-reference", "absolute-URI", "relative-ref", "authority", "host", "query"):
            other = uriproof.check(report.text, rule)
            assert other.ok is uriproof.is_valid(report.text, rule), (name, rule)


def test_urls_of_the_wild() -> None:
    # Other line ends than \n, and the byte order mark before the first line, are data.
    lines = _present("urls-48k.txt").read_bytes().decode("utf-8").split("\n")
    assert lines[0].startswith("\ufeff")
    reports = [uriproof.check(line) for line in lines]
    assert [r.text for r in reports if r.ok is not uriproof.is_valid(r.text)] == []
    invalid = [r for r in reports if not r.ok]
    assert [r.text for r in invalid if not all(_explained(r))] == []
    fixed = [r.fixed for r in invalid if r.fixed is not None]
    assert all(uriproof.are_valid(fixed))
    assert 0 < len(invalid) < len(lines) / 50  # some 99.3 % are valid
