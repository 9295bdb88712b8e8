"""Groups in exported expressions: the same language, the right parts, and refusals."""

from __future__ import annotations

import re
from itertools import islice

import pytest
from tiers import quick

import uriproof
from uriproof import Grammar, GrammarLimit, UnknownRule
from uriproof.cli import main
from uriproof.grammars import compare_rules, export, sample

pytestmark = pytest.mark.prove

COMPONENTS = ["scheme", "userinfo", "host", "port", "path", "query", "fragment"]
WITH_GROUPS = ["ecmascript", "java", "pcre2", "re2", "regex", "rust"]
PATHS = ("path_abempty", "path_absolute", "path_rootless", "path_empty")


@pytest.mark.parametrize(
    ("rule", "captures"),
    quick(
        [
            ("URI", COMPONENTS),
            ("URI", ["authority"]),
            ("URI-reference", ["scheme", "host", "path"]),
            ("authority", ["userinfo", "host", "port"]),
            ("host", ["IP-literal", "IPv6address", "IPvFuture"]),
            ("port", ["port"]),
        ][::-1],
        2,
    ),
)
def test_the_language_is_the_rules(rule: str, captures: list[str]) -> None:
    pattern = export(rule, "regex", captures=captures)
    assert compare_rules(f"re:{re.sub('[?]P<[^>]*>', '', pattern)}", rule).equal
    names = list(re.compile(pattern).groupindex)
    assert len(names) == len(set(names)) >= len(captures)


def test_groups_hold_what_the_report_calls_components() -> None:
    pattern = re.compile(export("URI", "regex", captures=COMPONENTS))
    for text in islice(sample("URI", seed=1), 500):
        match = pattern.fullmatch(text)
        assert match is not None
        groups = {k: v for k, v in match.groupdict().items() if v is not None}
        paths = [groups.pop(name) for name in PATHS if name in groups]
        found = {c.name: c.text for c in uriproof.check(text).components.values()}
        assert paths == [found.pop("path")]
        assert groups == found


def test_names_of_groups() -> None:
    assert list(re.compile(export("URI-reference", "regex", captures=["host"])).groupindex) == [
        "host",
        "host_2",
    ]
    # Each of its places is another group, and no text has two of them.
    assert export("IPv6address", "regex", captures=["ls32"]).count("(?P<ls32") == 7
    assert "(?<pathxabempty>" in export("URI", "java", captures=["path-abempty"])
    assert "(?<path_abempty>" in export("URI", "pcre2", captures=["PATH-ABEMPTY"])
    assert "(?P<path_abempty>" in export("URI", "re2", captures=["path-abempty"])


@pytest.mark.parametrize("to", ["postgres", "json-schema", "lark", "railroad-svg"])
def test_targets_without_groups_say_so(to: str) -> None:
    words = f"{to} has no groups with names; {', '.join(WITH_GROUPS)} have"
    with pytest.raises(GrammarLimit, match=words):
        export("URI", to, captures=["host"])
    assert all(export("port", one, captures=[]) == export("port", one) for one in WITH_GROUPS)


@pytest.mark.parametrize(
    ("rule", "captures", "words"),
    [
        ("URI", ["IPv4address", "reg-name"], 'the group of .* is ambiguous: "A://0.0.0.0"'),
        ("URI", ["segment"], "segment is repeated here, and a group holds only the last round"),
        ("path-abempty", ["pchar"], "pchar is repeated here"),
        ("URI", ["hots"], "did you mean host"),
        ("port", ["host"], "below port"),
    ],
)
def test_groups_that_could_hold_different_things(
    rule: str, captures: list[str], words: str
) -> None:
    with pytest.raises((GrammarLimit, UnknownRule), match=words):
        export(rule, "regex", captures=captures)


@pytest.mark.parametrize(
    ("abnf", "captures", "witness"),
    [
        ('r = a b\na = *"x"\nb = *"x"', ["a"], '"x"'),
        ('r = [ a ] "x"\na = *"y"', ["a"], '"x"'),
        ('r = a / b\na = "x"\nb = "x" / "y"', ["a", "b"], '"X"'),
        ('r = a\na = *"x"', ["a"], None),
        ('r = a [ "," 0*1( a ) ]\na = "x"', ["a"], None),
        ('r = a "-" b\na = *"x"\nb = *"x"', ["a", "b"], None),
        ('r = [ a "," ] b\na = 1*DIGIT\nb = 1*DIGIT', ["a", "b"], None),
    ],
)
def test_the_proof(abnf: str, captures: list[str], witness: str | None) -> None:
    grammar = Grammar.from_abnf(abnf)
    if witness is None:
        places = len(re.findall(r"\b[ab]\b", abnf.partition("\n")[0]))
        assert re.compile(export("r", "regex", grammar, captures=captures)).groups == places
        return
    with pytest.raises(GrammarLimit) as caught:
        export("r", "re2", grammar, captures=captures)
    assert f": {witness}".lower() in str(caught.value).lower()


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["grammar", "export", "authority", "--to", "regex", "--captures"]
    assert main([*args, "host, port"]) == 0
    match = re.fullmatch(capsys.readouterr().out.strip(), "u@h:1")
    assert match is not None
    assert match.groupdict() == {"host": "h", "port": "1"}
    assert main([*args, "IPv4address,reg-name"]) == 2
    assert "is ambiguous" in capsys.readouterr().err
