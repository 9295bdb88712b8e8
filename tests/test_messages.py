"""What is said of a text: every message, hint and fix, whole, in one table (messages.toml)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import uriproof
from uriproof import Rule, Violation
from uriproof.text.passwords import SECRET

CASES = tomllib.loads((Path(__file__).parent / "messages.toml").read_text("utf-8"))["case"]


def said(violation: Violation) -> str:
    hint = f" ~ {violation.hint}" if violation.hint else ""
    fix = f" => {violation.fix.replacement}" if violation.fix else ""
    return f"{violation.start}-{violation.end} {violation.message}{hint}{fix}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["text"])[1:41])
def test_all_that_is_said(case: dict[str, Any]) -> None:
    rule = Rule(case.get("rule", "URI"), grammar=case.get("grammar", "rfc3986"))
    report = rule.check(case["text"])
    assert [said(violation) for violation in report.violations] == case["says"]


@pytest.mark.parametrize(
    ("text", "what"),
    [("http://h/\udcff", "byte 0xFF"), ("http://h/\udcff\udcfe", "text that is not UTF-8")],
)
def test_octets_that_are_not_text(text: str, what: str) -> None:
    (found,) = uriproof.check(text).violations
    assert said(found) == (
        f"9-{len(text)} {what} is not allowed here in the path (segment); expected pchar"
    )


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("ht tp://a:secret @h:8o:9/|", [False, False, False]),
        ("ht tp://me:pa/ss@h/", [False, True]),
    ],
)
def test_only_what_touches_a_password_is_masked(text: str, masked: list[bool]) -> None:
    with pytest.raises(uriproof.NotCleaned) as caught:
        uriproof.clean(text)
    lines = str(caught.value).splitlines()[1:]
    assert [line.endswith(SECRET) for line in lines] == masked
