"""docs/evidence/conformance.md says nothing that no case of the corpus shows.

Owns the form of that document: every bullet begins with a verdict in bold and ends with
``[case: name, name]``. Invariant: a statement that no test could refute does not pass.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from test_corpus import ALL, Case

from uriproof.advice import GROUPS, advise, rules

pytestmark = pytest.mark.prove

DOCUMENT = Path(__file__).parent.parent / "docs" / "evidence" / "conformance.md"
CITED = re.compile(r"\[case: ([^\]]*)\]")
VERDICTS = {"Checked", "Advice", "Out of scope", "Reading", "Erratum"}
# The sections of RFC 3986 that hold ABNF, or say what must, should or shall be.
SECTIONS = """
    1.1 1.1.3 1.2.1 1.2.3 2 2.1 2.2 2.3 2.4 2.5 3 3.1 3.2 3.2.1 3.2.2 3.2.3 3.3 3.4 3.5
    4.1 4.2 4.3 4.4 4.5 5.1 5.1.3 5.2.1 5.4.2 6 6.1 6.2.1 6.2.2.1 6.2.2.2 6.2.2.3 6.2.3
    7 7.2 7.3 7.4 7.5 A B C
"""
PROSE = re.sub(r"^```.*?^```$", "", DOCUMENT.read_text("utf-8"), flags=re.M | re.S)


class Bullet(NamedTuple):
    """One statement: the heading that it is under, its verdict, its words and its cases."""

    heading: str
    verdict: str
    text: str
    cases: tuple[str, ...]


def _bullets() -> list[Bullet]:
    found = []
    for part in re.split(r"^#+ ", PROSE, flags=re.M)[1:]:
        heading, _, body = part.partition("\n")
        for item in re.findall(r"^- (.*?)(?=^- |^\n|\Z)", body, flags=re.M | re.S):
            text = " ".join(item.split())
            verdict = re.match(r"\*\*(Out of scope|[A-Z][a-z]+)\b", text)
            names = [n for cited in CITED.findall(text) for n in cited.split(", ")]
            found.append(Bullet(heading, verdict[1] if verdict else "", text, tuple(names)))
    return found


BULLETS = _bullets()


def test_there_is_something_to_read() -> None:
    assert {b.verdict for b in BULLETS} == VERDICTS
    assert len([line for line in PROSE.split("\n") if line.startswith("- ")]) == len(BULLETS)
    headings = " ".join(b.heading for b in BULLETS)
    covered = re.findall(r"(?<![\w.])(?:[1-9](?:\.\d)*|[A-D](?:\.\d)?)(?![\w.])", headings)
    assert set(SECTIONS.split()) - set(covered) == set()


@pytest.mark.parametrize("bullet", BULLETS, ids=lambda b: f"{b.heading} {b.text[:60]}")
def test_the_cases_can_show_what_is_said(bullet: Bullet) -> None:
    assert re.search(r"\[case: [^\]]+\]$", bullet.text), "the cases end the statement"
    by_name: dict[str, list[Case]] = {name: [] for name in bullet.cases}
    for case in ALL:
        if case.name in by_name:
            by_name[case.name].append(case)
    assert all(by_name.values())
    cases = [case for found in by_name.values() for case in found]
    match bullet.verdict:
        case "Checked":  # what is checked, some text fails
            assert any(not c.ok for c in cases)
        case "Out of scope":  # what is not checked, some text passes all the same
            assert any(c.ok for c in cases)
        case "Advice":  # what is advised is given on a valid text, by the code that is named
            given = {a.code for c in cases if c.ok for a in advise(c.report, GROUPS)}
            codes = {code for group in GROUPS for code in rules(group)}
            named = set(re.findall(r"`([^`]+)`", bullet.text)) & codes
            assert named
            assert named - given == set()


def test_examples_are_true() -> None:
    assert doctest.testfile(str(DOCUMENT), module_relative=False).failed == 0
