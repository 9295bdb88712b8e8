"""Suggestions: what was meant by a text that is wrong as a whole.

Owns the contract of ``Report.suggestions``, the rows of the table, each by its own example, and
``mistakes.toml``: other texts of the same forms, and texts that have none.
"""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tiers import FEW_GRAMMARS, bound, quick

import uriproof
from uriproof import Grammar, Rule
from uriproof.grammar import registry
from uriproof.limits import LONGEST_MISTAKE, MOST_SUGGESTIONS
from uriproof.mistakes import mistake, placeholders
from uriproof.mistakes._form import Form
from uriproof.mistakes.table import FORMS, OF_VALID
from uriproof.text.invisible import hidden

TEXTS = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text("utf-8"))
CASES, EXAMPLES = TEXTS["case"], TEXTS["example"]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.code)
def test_the_example_of_a_form_has_that_form(form: Form) -> None:
    example = EXAMPLES[form.code]
    report = uriproof.check(example["text"], example.get("rule", "URI"))
    assert report.ok == (form in OF_VALID)
    if "meant" not in example:
        assert report.suggestions == ()
        meant = mistake(report)
        assert meant is not None
        assert meant.code == form.code
    else:
        first = report.suggestions[0]
        assert (first.code, first.text) == (form.code, example["meant"])


# Forms of texts that another language reads as a whole: whatever is wrong in them is explained so.
WHOLE = {"jdbc", "markup", "windows-path", "file-path", "bad-base64", "no-comma-before-data"}


@pytest.mark.parametrize(
    "text", quick([one["text"] for one in (*EXAMPLES.values(), *CASES)], len(EXAMPLES)), ids=ascii
)
def test_a_mistake_explains_nothing_that_is_wrong_elsewhere(text: str) -> None:
    report = uriproof.check(f"{text}/%zz")
    meant = mistake(report)
    if meant is not None and meant.code not in WHOLE and not report.suggestions:
        added = [one for one in report.violations if one.start >= len(text)]
        assert meant.reason not in [one.hint for one in added]


@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case["text"]))
def test_what_is_meant(case: dict[str, Any]) -> None:
    rule = Rule(case.get("rule", "URI"), grammar=case.get("grammar", "rfc3986"))
    report = rule.check(case["text"])
    meant = mistake(report)
    said = [meant.code, meant.reason] if meant else []
    found = report.suggestions
    assert {"says": said, "meant": [one.text for one in found]} == {
        "says": case.get("says", []),
        "meant": case.get("meant", []),
    }
    assert len(found) <= MOST_SUGGESTIONS
    assert all(rule.is_valid(one.text) for one in found)
    if said:
        assert all(v.fix is None for v in report.violations), "a fix would hide the mistake"


ODD = ["\0", "\ud800", "\u202e", "{", "[", "](", "\\u", "%"]
HOSTILE = [*(one["text"] for one in EXAMPLES.values()), *ODD]


@pytest.mark.parametrize("piece", quick(HOSTILE, among=ODD), ids=ascii)
def test_any_text_is_looked_at(piece: str) -> None:
    for text in (piece * 30, f"http://h/{piece * 30}", f"{piece * 30} http://h/", piece[:-1]):
        for rule in ("URI", "segment"):
            report = uriproof.check(text, rule)
            assert all(uriproof.is_valid(one.text, rule) for one in report.suggestions)
            assert text not in [one.text for one in report.suggestions]


@bound("end", 0x300, 0x3000)
def test_a_placeholder_begins_with_one_of_a_few_characters(end: int) -> None:
    """Its expression is tried at these alone; a sign of a new row of the table has to be one."""
    others = [c for c in map(chr, range(end)) if not re.match(placeholders._FIRST, c)]
    tails = ("", "a", "{a}", "a}", "(a)", "[a]", "a%", "%a%", "<a>", "a>>", "|a|*")
    for sign in placeholders._ALONE:
        begins = re.compile(sign.opening + sign.inside + sign.closing)
        assert not any(begins.match(f"//{c}{tail}", 2) for c in others for tail in tails)


@bound("every", 8, 1)
def test_no_fix_hides_what_is_not_seen(every: int) -> None:
    unseen = [char for char in map(chr, range(0x10000)) if hidden(f"a{char}b", 1)]
    for char in [*unseen[::every], "\U000e0041"]:
        for rule in ("URI", "segment"):
            report = uriproof.check(f"http://h/a{char}b" if rule == "URI" else f"a{char}b", rule)
            assert report.suggestions
            assert all(violation.fix is None for violation in report.violations)
    far = "x" * LONGEST_MISTAKE
    assert uriproof.check(f"http://h/{far}\u200b").violations[0].fix is None


PIECES = [
    *("http", ":", "/", "//", "?", "#", "@", "[", "]", "::1", "a", "b.c", "www.", "%", "%4", "%41"),
    *(" ", "\n", "\\", "{", "}", "<", ">", '"', "(", ")", "&amp;", "=", "80", "port", ":80"),
    *("\u200b", "é", "。", "mailto:", "tel:", "data:", ";base64,", "C:", "|", "git@", "…", "$"),
    *("{{", "\ud800", "\x00", "file:", "jdbc:", "urn:", "\\u00e9", ",", ";"),
]


@bound("count", 10, 20)
@pytest.mark.parametrize("name", quick(registry.names(), among=FEW_GRAMMARS))
def test_texts_of_any_rule_are_looked_at_without_an_error(name: str, count: int) -> None:
    rules = Grammar.load(name).rules
    source = random.Random(name)  # noqa: S311 -- texts, the same in each run
    for _ in range(count):
        rule = Rule(source.choice(list(rules)), grammar=name)
        text = "".join(source.choices(PIECES, k=source.randint(1, 9)))
        report = rule.check(text)
        assert all(rule.is_valid(one.text) for one in report.suggestions), text
        assert not (report.violations and report.suggestions and report.fixed), text
