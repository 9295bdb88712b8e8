"""What is said of a text: every message, hint and fix, whole, in one table (messages.toml)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import uriproof
from uriproof import Rule, Violation
from uriproof.lint.codes import code_of, codes
from uriproof.validate.words.messages import told

CASES = tomllib.loads((Path(__file__).parent / "messages.toml").read_text("utf-8"))["case"]


VIOLATIONS = {code: about for code, about in codes().items() if about.kind == "violations"}


def said(violation: Violation) -> str:
    hint = f" ~ {violation.hint}" if violation.hint else ""
    fix = f" => {violation.fix.replacement}" if violation.fix else ""
    return f"{violation.start}-{violation.end} {violation.message}{hint}{fix}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["text"])[1:41])
def test_all_that_is_said(case: dict[str, Any]) -> None:
    rule = Rule(
        case.get("rule", "URI"), grammar=case.get("grammar", "rfc3986"), schemes="schemes" in case
    )
    report = rule.check(case["text"])
    assert [said(violation) for violation in report.violations] == case["says"]
    for message in (violation.message for violation in report.violations):  # one plain sentence
        assert message.endswith("."), message
        assert message[0] in '"%' or not message[0].islower(), message
        assert NO_SENTENCE.search(message) is None, message


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("http://h/\udcff", "The byte 0xFF is"),
        ("http://h/\udcff\udcfe", "Bytes that are not UTF-8 are"),
    ],
)
def test_octets_that_are_not_text(text: str, what: str) -> None:
    (found,) = uriproof.check(text).violations
    assert said(found) == f"9-{len(text)} {what} not allowed in a path."


NO_SENTENCE = re.compile(
    r"\b(pchar|ALPHA|DIGIT|HEXDIG|unreserved|sub-delims|pct-encoded|reg-name|segment-nz(-nc)?"
    r"|IP-literal|IPv6address|IPvFuture|hier-part|h16|ls32|is none)\b|%x|\*\(| / "
)


@pytest.mark.prove
@pytest.mark.parametrize("code", sorted(VIOLATIONS))
def test_each_code_is_told_in_plain_words(code: str) -> None:
    about = VIOLATIONS[code]
    report = uriproof.check(about.bad, Rule(about.rule, schemes=about.schemes))
    violation = report.violations[0]
    words = told([violation])
    # Whether there is such a file, only the linter knows.
    assert code_of(violation, about.bad) == code.removesuffix("-file")
    assert NO_SENTENCE.search(words.replace(violation.production, "")) is None
    assert words.endswith(".")
    if violation.fix:
        assert violation.fix.replacement in words


def test_hostile_characters_are_named() -> None:
    report = uriproof.check("http://a/\x1b[31m\u202e\ud800<b>")
    words = [told([violation]) for violation in report.violations]
    assert words
    assert all(word.isascii() and word.isprintable() for word in words), ascii(words)
