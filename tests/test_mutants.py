"""What mutation testing found untested in the engine: escapes, what is missing, components.

Owns the tests that were written because a changed engine passed all others;
docs/evidence/mutation.md says how. Imports the public face, and the bounds of the automata.
Invariant: each test asserts what the contract says, not how it is brought about.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import uriproof
from uriproof.grammar.errors import GrammarLimit
from uriproof.grammar.machine import nfa

ROOT = Path(__file__).parent.parent


# Traces


def found(source: str, text: str) -> list[tuple[object, ...]]:
    report = uriproof.Grammar.from_abnf(source).rule().check(text)
    return [(v.start, v.end, v.kind, v.path, v.expected) for v in report.violations]


SHARED = "a = *( b / b )\nb = c / c\nc = d / d\nd = %x61"


@pytest.mark.parametrize("places", [nfa.MAX_NFA_STATES, 12])
def test_a_grammar_too_large_to_remember_its_paths_is_still_blamed(
    monkeypatch: pytest.MonkeyPatch, places: int
) -> None:
    monkeypatch.setattr(nfa, "MAX_NFA_STATES", places)
    assert found(SHARED, "aba") == [(1, 2, "illegal", ("a",), ("b",))]


def test_a_grammar_too_large_for_an_automaton_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nfa, "MAX_NFA_STATES", 9)
    with pytest.raises(GrammarLimit, match="9 places"):
        found(SHARED, "aba")


@pytest.mark.parametrize(
    ("escape", "text", "expected"),
    [
        ('"%"', "a%b", [(2, 3, "illegal", ("a",), ("%x61", "esc"))]),
        (
            '"%" 2HEXDIG',
            "a%%22",
            [(1, 2, "bad-escape", ("a", "esc"), ("2HEXDIG",))],
        ),
        (
            '"^x"',
            "a^b",
            [
                (1, 2, "bad-escape", ("a", "esc"), ()),
                (2, 3, "illegal", ("a",), ("%x61", "esc")),
            ],
        ),
    ],
)
def test_any_rule_can_be_the_escape(
    escape: str, text: str, expected: list[tuple[object, ...]]
) -> None:
    assert found(f"; escape: esc\na = *( %x61 / esc )\nesc = {escape}", text) == expected


def test_an_escape_may_have_a_loop() -> None:
    source = '; escape: esc\na = *( %x61 / esc )\nesc = "%" 1*HEXDIG "."'
    assert found(source, "a%b!a%b.a") == [
        (1, 2, "bad-escape", ("a", "esc"), ("1*HEXDIG", '"."')),
        (3, 4, "illegal", ("a",), ("%x61", "esc")),
    ]


def test_only_an_escape_that_began_in_the_text_is_a_bad_one() -> None:
    """Where its beginning is what is missing, or was blamed, the rest of it is no escape."""
    source = '; escape: esc\na = *esc\nesc = "%" HEXDIG "g" HEXDIG'
    assert [entry[:3] for entry in found(source, "4g")] == [(0, 2, "illegal")]
    blamed = [(v.start, v.end, v.kind) for v in uriproof.check("x4", "pct-encoded").violations]
    assert blamed == [(0, 1, "illegal"), (2, 2, "missing")]


@pytest.mark.parametrize("end", ["2", "4"])
def test_a_bad_escape_can_be_any_of_those_that_could_begin_there(end: str) -> None:
    source = '; escape: esc\na = "1" esc "2" / "3" esc "4"\nesc = "%" 2HEXDIG'
    blamed = [entry[:3] for entry in found(source, f"!%zz{end}")]
    assert blamed == [(0, 1, "illegal"), (1, 2, "bad-escape"), (2, 4, "illegal")]


def test_what_is_missing_begins_a_shortest_way_to_an_end_or_an_escape() -> None:
    (violation,) = uriproof.check("a", "IPv6address").violations
    assert (violation.start, violation.expected) == (1, ('"::"',))
    (violation,) = uriproof.Grammar.load("key-value")["key"].check("").violations
    assert (violation.start, violation.expected) == (0, ("LIT", "ESC"))


@pytest.mark.parametrize(
    ("text", "rule", "grammar", "offsets"),
    [
        ("a=1&&b=2", "query", "key-value", [4]),
        ("&", "query", "parameters", [0, 1]),
    ],
)
def test_an_empty_element_of_a_list_is_a_missing_one(
    text: str, rule: str, grammar: str, offsets: list[int]
) -> None:
    violations = uriproof.Grammar.load(grammar)[rule].check(text).violations
    assert [v.start for v in violations] == offsets
    for v in violations:
        assert (v.start, v.kind, v.path, v.expected) == (v.end, "missing", ("query",), ("param",))


def test_a_violation_says_where_its_production_is_written() -> None:
    (violation,) = uriproof.check("http://h/?a=1&&b=2", uriproof.Rule(query="key-value")).violations
    file, line = violation.source.split(":")
    written = (ROOT / file).read_text("utf-8").splitlines()[int(line) - 1]
    assert " ".join(written.split()) == violation.rule
    assert (violation.path, violation.section) == (("URI", "query"), "key-value")


@pytest.mark.parametrize(
    ("b", "blamed"),
    [
        ("%x61", (("a",), ("b",))),
        ('%x61-62 / c\nc = %x64 / "e"', (("a",), ("b",))),
        ("%x61.62", (("a", "b"), ("%x61.62",))),
        ('"xy"', (("a", "b"), ('"xy"',))),
        ('"x" / c\nc = "yz"', (("a", "b"), ('"x"', "c"))),
    ],
)
def test_a_rule_of_one_character_is_a_word_and_no_production(
    b: str, blamed: tuple[object, ...]
) -> None:
    assert found(f"a = 1*b\nb = {b}", "!")[0] == (0, 1, "illegal", *blamed)


# Components


Held = dict[str, tuple[str, int, int]]
COMPONENTS: list[tuple[str, str, Held]] = [
    (
        "http://u@1.2.3.4:80/p/q?x#f",
        "URI",
        {
            "scheme": ("scheme", 0, 4),
            "userinfo": ("userinfo", 7, 8),
            "host": ("IPv4address", 9, 16),
            "port": ("port", 17, 19),
            "path": ("path-abempty", 19, 23),
            "query": ("query", 24, 25),
            "fragment": ("fragment", 26, 27),
        },
    ),
    (
        "http://[::1]",
        "URI",
        {
            "scheme": ("scheme", 0, 4),
            "host": ("IP-literal", 7, 12),
            "path": ("path-abempty", 12, 12),
        },
    ),
    ("a:b/c", "URI", {"scheme": ("scheme", 0, 1), "path": ("path-rootless", 2, 5)}),
    ("a:/b", "URI", {"scheme": ("scheme", 0, 1), "path": ("path-absolute", 2, 4)}),
    ("a:", "URI", {"scheme": ("scheme", 0, 1), "path": ("path-empty", 2, 2)}),
    ("b/c", "relative-ref", {"path": ("path-noscheme", 0, 3)}),
    ("", "URI-reference", {"path": ("path-empty", 0, 0)}),
    ("//h", "URI-reference", {"host": ("reg-name", 2, 3), "path": ("path-abempty", 3, 3)}),
    ("1.2.3.4", "host", {"host": ("IPv4address", 0, 7)}),
    ("1.2.3.4x", "host", {"host": ("reg-name", 0, 8)}),
    ("[v1.a]", "host", {"host": ("IP-literal", 0, 6)}),
    ("::1", "IPv6address", {"host": ("IPv6address", 0, 3)}),
    ("u@h:1", "authority", {"userinfo": ("userinfo", 0, 1), "host": ("reg-name", 2, 3)}),
    ("a b", "segment", {"path": ("segment", 0, 3)}),
    ("1.2.3.4 ", "host", {"host": ("reg-name", 0, 8)}),
    ("[::1", "host", {"host": ("IP-literal", 0, 4)}),
    ("a:\\b", "URI", {"path": ("path-rootless", 2, 4)}),
    ("a:/\\b", "URI", {"path": ("path-absolute", 2, 5)}),
    ("\\b", "relative-ref", {"path": ("path-noscheme", 0, 2)}),
]


@pytest.mark.parametrize(("text", "rule", "wanted"), COMPONENTS)
def test_components_and_what_each_was_read_as(text: str, rule: str, wanted: Held) -> None:
    report = uriproof.check(text, rule)
    seen = {n: (c.production, c.start, c.end) for n, c in report.components.items()}
    assert {n: seen[n] for n in wanted} == wanted
    assert [c.text for c in report.components.values()] == [text[s:e] for _, s, e in seen.values()]
    assert list(seen.values()) == sorted(seen.values(), key=lambda at: at[1:])
    assert list(seen) == [c.name for c in report.components.values()]


def test_what_is_absent_is_named_with_its_delimiter_where_it_should_stand() -> None:
    source = """\
; imports: rfc3986
; split: rfc3986-split
; starts: full
full = scheme "://" authority path-abempty "?" query "#" fragment
"""
    query = ("missing", ("full", "query"), ('"?" query',))
    fragment = ("missing", ("full", "fragment"), ('"#" fragment',))
    scheme = ("missing", ("full", "scheme"), ('scheme "://"',))
    assert found(source, "a://b?c#d") == []
    assert found(source, "a://b") == [(5, 5, *query), (5, 5, *fragment)]
    assert found(source, "a://b?c") == [(7, 7, *fragment)]
    assert found(source, "//b?c#d") == [(0, 0, *scheme)]
    source = source.replace('"://"', '":" "//"')
    assert found(source, "a:/b?c#d") == [(2, 2, "missing", ("full",), ('"//" host',))]
    assert found(source, "a:b?c#d") == [(2, 2, "missing", ("full",), ('"//"',))]


def test_what_a_rule_has_not_is_extra_each_by_itself() -> None:
    source = """\
; imports: rfc3986
; split: rfc3986-split
; starts: bare
bare = scheme "://" authority path-abempty
authority = host
"""
    assert found(source, "a://h/") == []
    extra = found(source, "a://u@h:1/")
    assert [(start, kind) for start, _, kind, *_ in extra] == [(4, "extra"), (7, "extra")]


def test_an_empty_component_is_what_it_should_have_been() -> None:
    source = "; imports: rfc3986\n; split: rfc3986-split\n; starts: own\n"
    report = (
        uriproof.Grammar.from_abnf(source + 'own = scheme ":" path-rootless').rule().check("a:")
    )
    assert [(v.start, v.end, v.kind) for v in report.violations] == [(2, 2, "missing")]
    assert report.components["path"].production == "path-rootless"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("http://[1:2:1.2.3.4]/", "an IPv6 address has eight groups, and this has 4"),
        ("http://[1:2:3:4:5:6:7:1.2.3.4]/", "an IPv6 address has eight groups, and this has 9"),
        ("http://::1/", "an IPv6 address is written in brackets: [::1]"),
        ("http://a:b:c/", None),
        ("http://1:2:x/", None),
    ],
)
def test_hints_about_addresses(text: str, hint: str | None) -> None:
    assert uriproof.check(text).violations[0].hint == hint
