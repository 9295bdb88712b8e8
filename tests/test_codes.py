"""The table of codes: every code that can be said is in it, and explained by what is true.

Owns the tests of ``uriproof.lint.codes`` and ``explain``, of the command ``uriproof explain`` and
of the pages in docs/codes.
"""

from __future__ import annotations

import json
from functools import cache, partial
from typing import Any

import pytest
from commands import Run

import uriproof
from uriproof import Grammar
from uriproof.advice import MISTAKES
from uriproof.grammar import registry
from uriproof.lint.codes import cited, code_of, codes, names
from uriproof.lint.rules import rules as own_rules

pytestmark = pytest.mark.prove

VIOLATIONS = [code for code, group in names().items() if group == "violations"]

# A URI for each grammar of a scheme that has shapes of its own, and some of none.
SEEDS = (
    *("http://u@h:80/a?b#c", "http://[::1]:80/", "//h/a", "a/b?c", "#a", "", "about:blank"),
    *("mailto:a@b.c?subject=d", "tel:+1-23;ext=4", "urn:example:a?+b", "geo:1,2;u=3"),
    *("tag:a.b,2020:c", "data:a/b;base64,ab", "ws://h/a?b", "coap://h/a", "file:///a"),
    *("s3://b:key", "data:a,b?c", "http://h/#/c", "db://a:1,b:2/", "sip:a@h;b=c?d=e"),
    *("http://h/?a|b", 'http://h/?"a"'),
    *("ftp://h/a;type=a", "ldap://h/a?b?sub", "did:example:a", "ni:///a;b"),
)
PUTS = ("", " ", '"', "%", "[", ":", "/", "//", "#", "?", "@", ";", "=", "1", "\u00e9")


@cache
def reached(schemes: bool) -> frozenset[str]:
    """The codes that mutations of the seeds get by the rules that a linter holds URLs to."""
    generic, iri = Grammar.load("rfc3986"), Grammar.load("rfc3987")
    rules = [
        uriproof.Rule(rule, grammar=generic, schemes=schemes)
        for rule in ("URI", "URI-reference", "absolute-URI")
    ] + [iri["IRI-reference"]] * (not schemes)
    texts = {
        seed[:at] + put + seed[end:]
        for seed in SEEDS
        for at in range(len(seed) + 1)
        for end in (at, at + 1)
        for put in PUTS
    }
    return frozenset(
        code_of(v, text) for text in texts for rule in rules for v in rule.check(text).violations
    )


OF_FILES = {"path-illegal-file"}
"""Codes that depend on which files there are, beside the text."""


def test_every_violation_can_be_said() -> None:
    assert reached(schemes=False) | reached(schemes=True) == set(VIOLATIONS) - OF_FILES


def test_what_only_the_rules_of_schemes_say() -> None:
    only = {code for code, known in codes().items() if known.schemes}
    assert only == set(VIOLATIONS) - OF_FILES - reached(schemes=False)


@pytest.mark.parametrize("code", VIOLATIONS)
def test_the_example_of_a_violation(code: str) -> None:
    known = codes()[code]
    report = uriproof.check(known.bad, uriproof.Rule(known.rule, schemes=known.schemes))
    told = code.removesuffix("-file") if code in OF_FILES else code
    assert {code_of(v, known.bad) for v in report.violations} == {told}
    assert uriproof.is_valid(known.good, uriproof.Rule(known.rule, schemes=known.schemes))
    assert report.fixed in {None, known.good}
    first = report.violations[0]
    assert (known.section, known.abnf) == (first.section, first.rule)
    assert code.partition("-")[0] in known.title


def test_the_linter_says_them_with_these_severities() -> None:
    assert {code: rule.severity for code, rule in own_rules().items()} == {
        code: known.severity for code, known in codes().items() if known.kind == "linter"
    }
    assert {code: known.kind for code, known in codes().items()} == names()


@pytest.mark.parametrize(
    ("words", "section", "place"),
    [
        ("as in RFC 3986 \u00a73.2.1, \u00a77", "RFC 3986 \u00a73.2.1", "rfc3986#section-3.2.1"),
        ("(RFC 8089 Appendix E.2)", "RFC 8089 Appendix E", "rfc8089#appendix-E"),
        ("RFC 6068.", "RFC 6068", "rfc6068"),
    ],
)
def test_addresses(words: str, section: str, place: str) -> None:
    assert cited("nobody's but ours") == ("", "")
    assert cited(words) == (section, f"https://www.rfc-editor.org/rfc/{place}")


def test_the_picture_is_that_of_the_check() -> None:
    known = codes()["query-illegal"]
    drawn, fixed = known.shown()
    text, carets, sentence, *_ = str(uriproof.check(known.bad)).splitlines()
    verdict = len("invalid  ")
    assert list(drawn[:2]) == [text[verdict:], carets[verdict:]]
    assert drawn[2].removesuffix(".") in sentence
    assert fixed == "http://example.com/?q=a%20b"


@pytest.fixture
def run(run: Run) -> Run:
    return partial(run, "explain")


def records(run: Run, *arguments: str) -> list[dict[str, Any]]:
    code, out, _ = run(*arguments, "--format", "json")
    assert code == 0
    found: list[dict[str, Any]] = json.loads(out)
    return found


def test_a_code_is_explained(run: Run) -> None:
    code, out, _ = run("path-illegal")
    assert code == 0
    for line in (
        "path-illegal  A character that is not allowed in the path",
        "    http://example.com/a b",
        "                        ^",
        "    http://example.com/a%20b",
        '    ignore = ["path-illegal"]',
        "    uriproof: ignore[path-illegal] the reason            on its line",
    ):
        assert line in out.splitlines()


@pytest.mark.parametrize("code", list(names()))
def test_every_code_is_explained(code: str, run: Run) -> None:
    (record,) = records(run, code)
    assert record == codes()[code].to_dict()
    assert record["code"] == code
    page = codes()[code].to_markdown()
    assert page.startswith(f"# {code}\n")
    assert all(text in page for text in (codes()[code].why, codes()[code].good, codes()[code].bad))
    assert max(map(len, run(code)[1].splitlines())) <= 110


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ((), set(names())),
        (("all",), set(names())),
        (("Path_Illegal",), {"path-illegal"}),
        (("encoded-",), {code for code in names() if code.startswith("encoded-")}),
        (("violations",), set(VIOLATIONS)),
        (("advice",), {code for code, group in names().items() if group == "advice"}),
        (("linter",), set(own_rules())),
        (("mistakes",), set(MISTAKES)),
    ],
)
def test_codes_by_group_and_spelling(asked: tuple[str, ...], wanted: set[str], run: Run) -> None:
    assert {record["code"] for record in records(run, *asked)} == wanted
    assert all(code in run(*asked)[1] for code in wanted)


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("ipv6ADDRESS", "IPv6address"),
        ("ihier-part", "rfc3987:ihier-part"),
        ("rfc3987:ihier-part", "rfc3987:ihier-part"),
    ],
)
def test_productions(asked: str, shown: str, run: Run) -> None:
    (record,) = records(run, asked)
    assert f"{record['grammar']}:{record['name']}".endswith(shown)
    assert f"uriproof grammar show {shown}" in run(asked)[1]


def test_what_is_more_than_one_thing(run: Run) -> None:
    first, *others = records(run, "host")
    assert first["text"].startswith("host ")
    assert {"host-illegal", "host-port-as-scheme"} <= {other["code"] for other in others}
    title = registry.load("rfc6570").model.title
    assert {"name": "rfc6570", "title": title} in records(run, "rfc6570")
    (record,) = records(run, "template-illegal")  # which the linter does not report
    assert record["grammars"] == ["rfc6570"]


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("patch-illegal", "Did you mean path-illegal"),
        ("IPv6adress", "Did you mean IPv6address"),
        ("\x1b[31m", "\\x1b[31m"),
        ("", "'' is not a code"),
        ("x" * 5000, "is not a code"),
    ],
)
def test_what_is_not_known(what: str, said: str, run: Run) -> None:
    code, out, err = run(what)
    assert (code, out) == (2, "")
    assert said in err
    assert "\x1b" not in err
    assert len(err) < 600
