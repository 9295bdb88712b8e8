"""docs/evidence/conformance.md says nothing that no case of the corpus shows.

Owns the form of that document, and two fields of a case: ``components`` lists all components in
text order, each with its production and text; ``advice`` holds codes that must be among those
given, ``silent`` codes that must not. Reads the document, tests/corpus, and the RFC where a copy
lies beside the checkout; imports the public face and the names of the advice rules. Invariant: a
statement that no test could refute does not pass.

Every bullet of the document begins with a verdict in bold and ends with ``[case: name, name]``.
"""

from __future__ import annotations

import doctest
import functools
import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import uriproof
from uriproof.advice import rules

HERE = Path(__file__).parent
ROOT = HERE.parent
DOCUMENT = ROOT / "docs" / "evidence" / "conformance.md"
RFC = ROOT.parent / "shared" / "rfc" / "rfc3986.txt"

CITED = re.compile(r"\[case: ([^\]]*)\]")
VERDICTS = {"Checked", "Advice", "Out of scope", "Reading", "Erratum"}

# The sections of RFC 3986 that hold ABNF, or say what must, should or shall be.
HOLDING = """
    1.1 1.1.3 1.2.1 1.2.3 2 2.1 2.2 2.3 2.4 2.5 3 3.1 3.2 3.2.1 3.2.2 3.2.3 3.3 3.4 3.5
    4.1 4.2 4.3 4.4 4.5 5.1 5.1.3 5.2.1 5.4.2 6 6.1 6.2.1 6.2.2.1 6.2.2.2 6.2.2.3 6.2.3
    7 7.2 7.3 7.4 7.5 A B C
"""
# Those that give examples, or that a reader looks for.
BESIDE = """
    1.1.1 1.1.2 1.2.2 1.3 4 5 5.1.1 5.1.2 5.1.4 5.2 5.2.2 5.2.3 5.2.4 5.3 5.4 5.4.1
    6.2 6.2.2 6.2.4 7.1 7.6 D.1 D.2
"""
SECTIONS, SECTIONS_BESIDE = set(HOLDING.split()), set(BESIDE.split())
OTHER_NAMES = {
    *("missing", "extra", "illegal", "bad-escape"),
    *("check", "parse", "str", "components", "imports", "uriproof"),
    *("rfc3986", "rfc3986-split", "rfc5234", "parameters", "key-value", "abnf"),
}


@dataclass(frozen=True)
class Bullet:
    """One statement: the sections of its heading, its verdict, its words and its cases."""

    sections: tuple[str, ...]
    verdict: str
    text: str
    cases: tuple[str, ...]

    def __str__(self) -> str:
        return f"{' '.join(self.sections)} {self.verdict}: {self.text[:60]}"


@dataclass(frozen=True)
class Text:
    """One text of the corpus, and what its table says about it."""

    text: str
    ok: bool
    table: dict[str, Any]

    @functools.cached_property
    def report(self) -> uriproof.Report:
        name, query = self.table.get("grammar", "rfc3986"), self.table.get("query")
        rule = self.table.get("rule", "URI")
        return uriproof.Grammar.load(name).check(self.text, rule, query=query)


def _corpus() -> dict[str, list[Text]]:
    found: dict[str, list[Text]] = {}
    for path in sorted((HERE / "corpus").glob("*.toml")):
        tables = tomllib.loads(path.read_text("utf-8"))
        for case in tables.get("case", ()):
            text = json.loads(case["text_json"]) if "text_json" in case else case["text"]
            found[case["name"]] = [Text(text, case["ok"], case)]
        for group in tables.get("texts", ()):
            valid = [Text(t, True, group) for t in group["valid"]]
            found[group["name"]] = valid + [Text(t, False, group) for t in group["invalid"]]
    return found


CORPUS = _corpus()
WORDS = DOCUMENT.read_text("utf-8")
PROSE = re.sub(r"^```.*?^```$", "", WORDS, flags=re.M | re.S)


def _sections(heading: str) -> tuple[str, ...]:
    return tuple(re.findall(r"(?<![\w.])(?:[1-9](?:\.\d)*|[A-D](?:\.\d)?)(?![\w.])", heading))


def _bullets() -> list[Bullet]:
    found = []
    for part in re.split(r"^#+ ", PROSE, flags=re.M)[1:]:
        heading, _, body = part.partition("\n")
        for item in re.findall(r"^- (.*?)(?=^- |^\n|\Z)", body, flags=re.M | re.S):
            text = " ".join(item.split())
            verdict = re.match(r"\*\*(Out of scope|[A-Z][a-z]+)\b", text)
            names = [n for cited in CITED.findall(text) for n in cited.split(", ")]
            bold = verdict[1] if verdict else ""
            found.append(Bullet(_sections(heading), bold, text, tuple(names)))
    return found


BULLETS = _bullets()
each_bullet = pytest.mark.parametrize("bullet", BULLETS, ids=str)


def _texts(bullet: Bullet) -> list[Text]:
    return [text for name in bullet.cases for text in CORPUS.get(name, ())]


# The document


def test_there_is_something_to_read() -> None:
    assert {b.verdict for b in BULLETS} == VERDICTS
    assert len([line for line in PROSE.split("\n") if line.startswith("- ")]) == len(BULLETS)
    assert max(map(len, WORDS.split("\n"))) <= 100


@each_bullet
def test_a_statement_has_a_verdict_and_cases(bullet: Bullet) -> None:
    assert bullet.verdict in VERDICTS
    assert bullet.cases
    assert re.search(r"\[case: [^\]]+\]$", bullet.text), "the cases end the statement"


def test_every_case_exists() -> None:
    cited = {name for words in CITED.findall(" ".join(PROSE.split())) for name in words.split(", ")}
    assert cited - set(CORPUS) == set()
    assert cited == {name for b in BULLETS for name in b.cases}


@each_bullet
def test_the_cases_can_show_what_is_said(bullet: Bullet) -> None:
    texts = _texts(bullet)
    match bullet.verdict:
        case "Checked":  # what is checked, some text fails
            assert any(not t.ok for t in texts)
        case "Out of scope":  # what is not checked, some text passes all the same
            assert any(t.ok for t in texts)
        case "Advice":  # what is advised is given on a valid text, by the code that is named
            given = {a.code for t in texts if t.ok for a in t.report.advice}
            named = set(re.findall(r"`([^`]+)`", bullet.text)) & {rule.code for rule in rules()}
            assert named
            assert named - given == set()


def test_every_name_is_known() -> None:
    """A word in code style that looks like a name is a production, a code, or one of a few."""
    known = {rule.code for rule in rules()} | set(uriproof.Grammar.load("rfc3986").rules)
    words = re.findall(r"`([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*)`", PROSE)
    assert len(words) > 100
    assert set(words) - known - OTHER_NAMES == set()


def test_every_section_has_a_heading() -> None:
    covered = {s for b in BULLETS for s in b.sections}
    assert (SECTIONS | SECTIONS_BESIDE) - covered == set()


@pytest.mark.skipif(not RFC.exists(), reason="no copy of RFC 3986 beside the checkout")
def test_the_sections_are_those_of_the_rfc() -> None:
    text = re.sub(r"^.*\[Page \d+\]\n\f\n.*\n", "", RFC.read_text("utf-8"), flags=re.M)
    body = text[text.index("\n1.  Introduction\n") : text.index("\nAuthors' Addresses")]
    heading = r"^(?:Appendix )?([1-9A-D]\d?(?:\.\d)*)\.  \S.*$"
    _, *pieces = re.split(heading, body, flags=re.M)
    sections = dict(zip(pieces[::2], pieces[1::2], strict=True))
    rule = r"^ +[A-Za-z][A-Za-z0-9-]* += +\S"
    says = r"\b(?:must|should|shall)\b"
    holding = {
        number
        for number, words in sections.items()
        if re.search(says, words, re.I) or (number != "5.3" and re.search(rule, words, re.M))
    }
    assert holding == SECTIONS
    assert SECTIONS_BESIDE - set(sections) == set()


def test_examples_are_true() -> None:
    assert doctest.testfile(str(DOCUMENT), module_relative=False).failed == 0


# The fields of a case that only this file reads


FIELDS = {"advice", "silent", "components"}
each_with_fields = pytest.mark.parametrize(
    "name", [n for n, ts in CORPUS.items() if ts and FIELDS & set(ts[0].table)]
)


@each_with_fields
def test_advice(name: str) -> None:
    (case,) = CORPUS[name]
    given = {a.code for a in case.report.advice}
    assert set(case.table.get("advice", ())) - given == set()
    assert set(case.table.get("silent", ())) & given == set()
    named = {*case.table.get("advice", ()), *case.table.get("silent", ())}
    assert named - {rule.code for rule in rules()} == set()


@each_with_fields
def test_components(name: str) -> None:
    (case,) = CORPUS[name]
    if "components" not in case.table:
        return
    expected = [(c["name"], c["production"], c["text"]) for c in case.table["components"]]
    found = [(c.name, c.production, c.text) for c in case.report.components.values()]
    assert found == expected
    assert [(c.start, c.end) for c in case.report.components.values()] == sorted(
        (c.start, c.end) for c in case.report.components.values()
    )
    if case.ok:
        tree = uriproof.parse(case.text, case.table.get("rule", "URI"))
        nodes = [
            (str(n.data), "".join(n.scan_values(lambda _: True))) for n in tree.iter_subtrees()
        ]
        assert [c for c in expected if c[1:] not in nodes] == []
