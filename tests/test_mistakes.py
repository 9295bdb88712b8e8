"""Suggestions: what was meant by a text that is wrong as a whole.

Owns the contract of ``Report.suggestions``, the rows of the table, each by its own example, and
``mistakes.toml``: other texts of the same forms, and texts that have none.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import uriproof
from uriproof.limits import MOST_SUGGESTIONS
from uriproof.mistakes._form import Form
from uriproof.mistakes.table import FORMS, OF_VALID

CASES = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.code)
def test_the_example_of_a_form_has_that_form(form: Form) -> None:
    report = uriproof.check(form.wrong, form.rule)
    assert report.ok == (form in OF_VALID)
    if form.meant is None:
        assert report.suggestions == ()
        assert report._meant is not None
        assert report._meant.code == form.code
    else:
        first = report.suggestions[0]
        assert (first.code, first.text) == (form.code, form.meant)


@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case["text"]))
def test_what_is_meant(case: dict[str, Any]) -> None:
    rule = uriproof.Rule(case.get("rule", "URI"), grammar=case.get("grammar", "rfc3986"))
    report = rule.check(case["text"])
    meant = report._meant
    said = [meant.code, meant.reason] if meant else []
    found = report.suggestions
    if report.ok and found:
        said = [found[0].code, found[0].reason]
    assert {"says": said, "meant": [one.text for one in found]} == {
        "says": case.get("says", []),
        "meant": case.get("meant", []),
    }
    assert len(found) <= MOST_SUGGESTIONS
    assert all(rule.is_valid(one.text) for one in found)
    if said:
        assert all(v.fix is None for v in report.violations), "a fix would hide the mistake"


def test_codes_are_unique() -> None:
    codes = [form.code for form in FORMS]
    assert len(codes) == len(set(codes))
