"""Expressions that frameworks hold URLs to, with lookaround in every label: compared exactly."""

from __future__ import annotations

import re

import pytest

from uriproof import compare_rules
from uriproof.workbench.read_pattern import read_pattern

UL = "\u00a1-\uffff"
OCTET = r"(?:25[0-5]|2[0-4]\d|[0-1]?\d?\d)"
IPV4 = OCTET + r"(?:\." + OCTET + "){3}"
IPV6 = r"\[[0-9a-f:\.]+\]"
LABEL = f"[a-z{UL}0-9](?:[a-z{UL}0-9-]{{0,61}}[a-z{UL}0-9])?"
DOMAIN = rf"(?:\.(?!-)[a-z{UL}0-9-]{{1,63}}(?<!-))*"
TOP = rf"\.(?!-)(?:[a-z{UL}-]{{2,63}}|xn--[a-z0-9]{{1,59}})(?<!-)\.?"
HOST = f"({LABEL}{DOMAIN}{TOP}|localhost)"
USER = {"1.11": r"(?:\S+(?::\S*)?@)?", "2.2": r"(?:[^\s:@/]+(?::[^\s:@/]*)?@)?"}


def django(version: str) -> str:
    """The URLValidator of a version of Django, as it stood in its core/validators.py."""
    return (
        rf"^(?:[a-z0-9\.\-\+]*)://{USER[version]}(?:{IPV4}|{IPV6}|{HOST})"
        r"(?::\d{2,5})?(?:[/?#][^\s]*)?\Z"
    )


@pytest.mark.parametrize("version", USER)
@pytest.mark.prove
def test_django(version: str) -> None:
    pattern = django(version)
    automaton = read_pattern(pattern)
    compiled = re.compile(pattern)
    texts = ["://a.bc", "http://a.bc/?x", "http://a-.bc", "http://-a.bc", "http://a.b-", "ftp://a"]
    texts += [
        "http://u:p@h.org:80",
        "http://u@v@h.org",
        "http://[::1]",
        "http://1.2.3.4:5",
        "a://b",
    ]
    texts += ["http://" + "a" * n + ".bc" for n in (62, 63, 64)] + ["http://localhost", "x://é.fr"]
    for text in texts:
        assert automaton.accepts(text) == (compiled.fullmatch(text) is not None), text


@pytest.mark.prove
def test_what_tells_django_from_the_rfc() -> None:
    found = compare_rules(f"re:{django('1.11')}", "URI")
    assert found.relation == "overlapping"
    assert found.only_a is not None
    assert re.fullmatch(django("1.11"), found.only_a)
