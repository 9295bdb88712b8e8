"""What mutation testing found untested: the compilers' own work, and corners of the engine.

Owns the tests that were written because a changed engine passed all others; docs/MUTATION.md says
how. Imports the compilers and the engine. Invariant: each test fails if what it tests is changed,
and asserts what the contract says, not how it is brought about.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import uriproof
from uriproof.grammar import automaton, registry
from uriproof.grammar.automaton import difference
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.errors import GrammarLimit
from uriproof.grammar.read_regex import read_regex
from uriproof.grammar.registry import compile_abnf
from uriproof.grammar.shapes import Slot, listed, shapes
from uriproof.grammar.to_regex import to_captures

GRAMMARS = Path(__file__).parent.parent / "grammars"
BUNDLED = sorted(path.stem for path in GRAMMARS.glob("*.abnf"))
BLAMING = [name for name in BUNDLED if registry.load(name).model.components]


# The compilers give what the build wrote


def both(name: str) -> tuple[Compiled, Compiled]:
    """A bundled grammar compiled anew, and as the build wrote it."""
    source = (GRAMMARS / f"{name}.abnf").read_text("utf-8")
    return compile_abnf(source, name), registry.load(name)


@pytest.mark.parametrize("name", BUNDLED)
def test_expressions_are_as_built(name: str) -> None:
    anew, built = both(name)
    rules = list(built.model.rules)
    assert {r: anew.regex(r) for r in rules} == {r: built.regex(r) for r in rules}
    kept = {r: anew.find_alternatives(r) for r in rules}
    assert kept == {r: built.alternatives(r) for r in rules}


def test_captures_are_as_built() -> None:
    anew, built = both("rfc3986-split")
    for rule in built.model.starts:
        (match, names), (built_match, built_names) = anew.captures(rule), built.captures(rule)
        assert getattr(match, "__self__", None) == getattr(built_match, "__self__", ())
        assert names == built_names


@pytest.mark.parametrize("name", BLAMING)
def test_traces_are_as_built(name: str) -> None:
    anew, built = both(name)
    for rule in built.model.rules:
        a, b = anew.trace(rule), built.trace(rule)
        assert a.automaton.rows == b.automaton.rows
        assert a.automaton.accepting == b.automaton.accepting
        assert a.items == b.items
        assert (a.escape, a.escape_words) == (b.escape, b.escape_words)


# The shape of expressions

EXPRESSIONS: dict[str, str | None] = {
    'a = "" / *"x" / "y"': "[Yy]|[Xx]*+",
    'a = 2( "x" [ "y" ] ) "y"': None,
    'a = *( 2( "x" "y" ) )': "(?:(?:[Xx][Yy]){2})*+",
    'a = *( "x" [ "x" "y" ] )': None,
    'a = *3( "x" [ "x" ] )': None,
    'a = *3( "x" [ "y" ] )': "(?:[Xx][Yy]?+){0,3}+",
    "a = [ %x61 ] %x62": "a?+b",
    "a = [ [ %x61 ] ]": "a?+",
    "a = *( *%x61 )": "a*+",
    "a = *( 1*%x61 )": "a*+",
    "a = *( 2*%x61 )": None,
    "a = [ 2*%x61 ]": "(?:a{2,}+|)",
    "a = 3%x61": "a{3}",
    'a = 2*4"a" "b"': "[Aa]{2,4}+[Bb]",
    'a = 2*"a" "b"': "[Aa]{2,}+[Bb]",
    'a = *2"a" "a"': "[Aa]{0,2}[Aa]",
    'a = *"a" "a"': None,
    'a = *"a" *( "b" *"a" )': "[ABab]*+",
    'a = 1*"a" *( "b" *"a" )': "[Aa][ABab]*+",
    "a = *( %x61 *%x62 )": "(?:a[ab]*+|)",
    "a = *( %x61 / %x62.63 )": "a*+(?:bca*+(?:bca*+)*+|)",
    'a = *( %x61 / "%" DIGIT / "!0" )': "a*+(?:(?:%[0-9]|!0)a*+(?:(?:%[0-9]|!0)a*+)*+|)",
    'a = 1*( %x61 / "%" DIGIT )': "(?:a|%[0-9])a*+(?:%[0-9]a*+(?:%[0-9]a*+)*+|)",
    'a = *( %x61 / "%" DIGIT ) "%"': None,
    'a = [ *( %x61 / ";" ) "@" ] ( "[" / *%x61 )': r"\[|a*+(?:(?:;[;a]*+|)@(?:\[|a*+)|)",
    'a = [ 1*( %x61 / ";" ) "@" ] ( "[" / 1*%x61 )': r"(?:[;a]++@|)(?:\[|a++)",
    'a = %s"aB" / "aB"': "aB|[Aa][Bb]",
    "a = %x100-200": r"[\U00000100-\U00000200]",
    'a = %xFF %x100 %x0A "^" "-"': r"\xff\U00000100\x0a\^\-",
    "a = %x61-10FFFF": r"[^\x00-`]",
}


@pytest.mark.parametrize(("source", "expected"), EXPRESSIONS.items())
def test_shape_of_an_expression(source: str, expected: str | None) -> None:
    """None where reading could go back without end: then the automaton gives the verdict."""
    grammar = compile_abnf(source)
    assert grammar.regex("a") == expected
    if expected is not None:
        assert difference(read_regex(expected), grammar.automaton("a")) is None


def test_a_division_gives_back_only_as_far_as_the_rest_fits() -> None:
    model = compile_abnf("whole = x y\nx = *( %x61 *%x62 )\ny = %x62").model
    pattern, names = to_captures(model, "whole")
    found = re.fullmatch(pattern, "abbabb")
    assert names == ("x", "y")
    assert found is not None
    assert found.groups() == ("abbab", "b")


def test_a_division_may_have_alternatives_but_no_repetition() -> None:
    source = 'w = ( x "-" / "+" y ) [ "!" ]\nx = *%x61\ny = *%x62\nbad = *( x "," )'
    model = compile_abnf(source).model
    pattern, names = to_captures(model, "w")
    assert names == ("x", "y")
    for text, groups in {"aa-": ("aa", None), "+bb!": (None, "bb"), "-!": ("", None)}.items():
        found = re.fullmatch(pattern, text)
        assert found is not None
        assert found.groups() == groups
    assert re.fullmatch(pattern, "aa-+bb") is None
    with pytest.raises(GrammarLimit):
        to_captures(model, "bad")


def test_a_difference_is_a_shortest_text() -> None:
    few, many = (compile_abnf(f"a = *{n}( %x61 %x62 )").automaton("a") for n in (1, 3))
    assert difference(few, many) == "abab"
    assert difference(few, many, contained=True) is None
    assert difference(many, few, contained=True) == "abab"


# Shapes


def parts(source: str, rule: str) -> list[tuple[str, ...]]:
    """The shapes of a rule, in words: delimiters as they are, slots as paths."""
    found = shapes(compile_abnf(source).model, rule)
    return [tuple("/".join(p.path) if isinstance(p, Slot) else p for p in s.parts) for s in found]


DATE = """\
; component: year = year
; component: month = month
date = year "-" month
year = 4DIGIT
month = 2DIGIT
"""


def test_shapes_take_and_leave_out_every_option() -> None:
    assert parts(DATE, "date") == [("date/year", "-", "date/month")]
    date, year = ("span/date/year", "-", "span/date/month"), ("span/year",)
    both = parts(DATE + 'span = [ date ] "" "/" ( date / year )', "span")
    assert both == [(*date, "/", *date), (*date, "/", *year), ("/", *date), ("/", *year)]


@pytest.mark.parametrize(
    "rule",
    [
        'r = "-"',  # no component in it
        'r = year [ "-" ] 2DIGIT',  # a terminal that is no delimiter
        'r = *( year "-" )',  # a repetition
        'r = year / "now"',  # one way is made of components, another is not
        'r = year "-" ( "x" / r2 )\nr2 = "-" [ r3 ]\nr3 = ALPHA',
    ],
)
def test_a_rule_that_is_not_all_components_is_read_by_character(rule: str) -> None:
    assert parts(DATE + rule, "r") == []


def test_a_component_is_made_of_components_only_where_it_names_them_itself() -> None:
    own = "; component: date = date\n"
    assert parts(own + DATE, "date") == [("date/year", "-", "date/month")]
    for element in ("ymd", '"@" ymd', '[ "@" ymd ]', '"@" ( ymd / month )'):
        inside = DATE.replace("date =", "ymd =")
        assert parts(f"{own}{inside}date = {element}\n", "date") == []


def separated(rules: str) -> tuple[str, str] | None:
    return listed(compile_abnf(rules).model, "list")


def test_a_list_is_split_only_where_its_separator_cannot_stand_inside() -> None:
    assert separated('list = a *( "," a )\na = *( b / "-" )\nb = DIGIT') == ("a", ",")
    inside = ('a = b\nb = "," ALPHA', "a = b *c\nb = DIGIT\nc = [ %x20-2F ]", "a = 2( %x2C-2D )")
    for element in inside:
        assert separated(f'list = a *( "," a )\n{element}') is None
    for other in ('a *( "," b )', 'a *( ",," a )', 'a 1*( "," a )', 'a *2( "," a )', "a"):
        assert separated(f"list = {other}\na = DIGIT\nb = a") is None


# Traces


def found(source: str, text: str) -> list[tuple[object, ...]]:
    report = uriproof.Grammar.from_abnf(source).check(text)
    return [(v.start, v.end, v.kind, v.path, v.expected) for v in report.violations]


SHARED = "a = *( b / b )\nb = c / c\nc = d / d\nd = %x61"


@pytest.mark.parametrize("places", [automaton.MAX_NFA_STATES, 12])
def test_a_grammar_too_large_to_remember_its_paths_is_still_blamed(
    monkeypatch: pytest.MonkeyPatch, places: int
) -> None:
    monkeypatch.setattr(automaton, "MAX_NFA_STATES", places)
    assert found(SHARED, "aba") == [(1, 2, "illegal", ("a",), ("b",))]


def test_a_grammar_too_large_for_an_automaton_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "MAX_NFA_STATES", 9)
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
        (2, 4, "illegal", ("a",), ("%x61", "esc")),
    ]


def test_only_an_escape_that_began_in_the_text_is_a_bad_one() -> None:
    """Where its beginning is what is missing, or was blamed, the rest of it is no escape."""
    source = '; escape: esc\na = *esc\nesc = "%" HEXDIG "g" HEXDIG'
    assert [entry[:3] for entry in found(source, "4g")] == [(0, 0, "missing"), (2, 2, "missing")]
    blamed = [(v.start, v.end, v.kind) for v in uriproof.check("x4", "pct-encoded").violations]
    assert blamed == [(0, 1, "illegal"), (2, 2, "missing")]


def test_more_of_the_same_is_blamed_only_where_nothing_has_changed() -> None:
    assert [(v.start, v.end) for v in uriproof.check("11a", "scheme").violations] == [(0, 1)]
    assert [(v.start, v.end) for v in uriproof.check("a!!b", "scheme").violations] == [(1, 3)]


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
    violations = uriproof.Grammar.load(grammar).check(text, rule).violations
    assert [v.start for v in violations] == offsets
    for v in violations:
        assert (v.start, v.kind, v.path, v.expected) == (v.end, "missing", ("query",), ("param",))


def test_a_violation_says_where_its_production_is_written() -> None:
    (violation,) = uriproof.check("http://h/?a=1&&b=2", query="key-value").violations
    file, line = violation.source.split(":")
    written = (GRAMMARS.parent / file).read_text("utf-8").splitlines()[int(line) - 1]
    assert " ".join(written.split()) == violation.rule
    assert (violation.path, violation.section) == (("URI", "query"), "key-value")


@pytest.mark.parametrize(
    ("b", "blamed"),
    [
        ("%x61", (("a",), ("b",))),
        ('%x61-62 / c\nc = %x64 / "e"', (("a",), ("b",))),
        ("%x61.62", (("a", "b"), ("%x61.62",))),
        ('"xy"', (("a", "b"), ('"xy"',))),
        ('"x" / c\nc = "yz"', (("a", "b"), ('"x"',))),
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
