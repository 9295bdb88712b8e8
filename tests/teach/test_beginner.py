"""Violations in plain words: every code and kind has a sentence that names the place and helps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from uriproof.teach.beginner import beginner, explained

from uriproof import Policy, Report, Rule, Violation, check
from uriproof.cli import main
from uriproof.lint.codes import codes
from uriproof.report import Kind

pytestmark = pytest.mark.prove

PAGES = Path(__file__).parent.parent.parent / "docs" / "codes"
VIOLATIONS = {code: about for code, about in codes().items() if about.kind == "violations"}

# What somebody who has never read a grammar does not know.
JARGON = re.compile(
    r"\b(pchar|ALPHA|DIGIT|HEXDIG|unreserved|sub-delims|pct-encoded|reg-name|segment(-nz(-nc)?)?"
    r"|userinfo|IP-literal|IPv6address|IPvFuture|hier-part|relative-ref|h16|ls32|U\+00[2-7])\b"
    r"|%x|production|\bABNF\b|\*\(| / "
)


def first(code: str) -> tuple[Violation, Report]:
    about = VIOLATIONS[code]
    report = check(about.bad, Rule(about.rule, schemes=about.schemes))
    assert report.violations[0].code == code
    return report.violations[0], report


def test_every_page_of_a_violation_is_tried() -> None:
    kinds = {kind for kind in get_args(Kind) if kind != "forbidden"}
    pages = {p.stem for p in PAGES.glob("*.md") if p.stem != "README"}
    mine = {p for p in pages if any(p.endswith(f"-{kind}") for kind in kinds)}
    assert mine == set(VIOLATIONS)
    assert {first(code)[0].kind for code in VIOLATIONS} == kinds


@pytest.mark.parametrize("code", sorted(VIOLATIONS))
def test_each_code_has_plain_words(code: str) -> None:
    violation, report = first(code)
    words = beginner(violation, report)
    component = {"userinfo": "user information"}.get(violation.component, violation.component)
    assert component in words
    assert JARGON.search(words.replace(f"({violation.production})", "")) is None
    assert words.endswith(".")
    assert words[0].isupper() or words[0] == '"'
    assert 1 <= len(re.findall(r"\.(?= |$)", words)) <= 2
    if violation.kind == "illegal" and violation.found not in ' "':
        assert violation.found in words
    if violation.fix:
        assert violation.fix.replacement in words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("http://a/b c", "A space is not allowed in the path. Write %20 instead."),
        ("http://a:8o/", '"o" is not allowed in the port. Only a digit can be there.'),
        ("//host/", 'A scheme and ":" are missing at the start. Add them there.'),
        ("http://[::1", '"]" is missing in the host, at the end. Add it there.'),
        (
            "http://a/%zz",
            (
                'Two hexadecimal digits must follow "%" in the path, as in %20, and "%zz" has no '
                "such digits. To write the character % itself, write %25."
            ),
        ),
        (
            "http://a/\u200b",
            (
                "An invisible character (U+200B ZERO WIDTH SPACE) is not allowed in the path."
                " Remove U+200B ZERO WIDTH SPACE, which is invisible."
            ),
        ),
        ("http://[localhost]/", '"localhost" is not allowed in the host.'),
        ("http://a/\n\tb", "A line break and a tab are not allowed in the path."),
    ],
)
def test_words(text: str, words: str) -> None:
    report = check(text)
    assert beginner(report.violations[0], report).startswith(words)


def test_what_a_policy_refuses() -> None:
    policy = Policy(forbid=["userinfo"], require=["query"], schemes=["https"], max_length=30)
    report = Rule(policy=policy).check("http://u@x/")
    words = [beginner(v, report) for v in report.violations]
    assert len(words) == 3
    assert all(w.startswith("The rules of this application refuse it: ") for w in words)
    assert [w.rsplit(". ", 1)[1] for w in words[:2]] == ["Change it, or leave it out."] * 2
    assert words[2].endswith("a query is required. Add it.")
    long = Rule(policy=policy).check("http://x/" + "a" * 40)
    assert beginner(long.violations[0], long).endswith("Make the text shorter.")


def test_nothing_of_a_password() -> None:
    for text in ("http://me:hu sh@h/", "http://me:hu%zsh@h/"):
        report = check(text)
        masked = report.masked()
        for violation in masked.violations:
            for given in (report, masked):
                assert "sh" not in beginner(violation, given).replace("should", "")
        assert "hu" not in "\n".join(explained(report)).replace("must", "")


def test_hostile_characters_are_visible() -> None:
    report = check("http://a/\x1b[31m\u202e\ud800<b>")
    words = [beginner(violation, report) for violation in report.violations]
    assert words
    assert all(word.isprintable() for word in words), ascii(words)


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--level", "beginner", "http://e.com/a b"]) == 1
    out = capsys.readouterr().out
    assert "A space is not allowed in the path. Write %20 instead." in out
    assert "fixed: http://e.com/a%20b" in out
    assert "pchar" not in out
    assert main(["check", "--level", "beginner", "--format", "json", "a:b"]) == 2
    assert "text output alone" in capsys.readouterr().err
