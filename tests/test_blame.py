"""Blame, fixes, hints and words, case by case: what a careful person would say of each text."""

from __future__ import annotations

import random
import re
from itertools import pairwise, product
from pathlib import Path

import pytest
from strategies import RFC3986
from tables import rows
from tiers import bound, quick

import uriproof
from uriproof import Grammar, Rule, check, encode
from uriproof.grammar.errors import GrammarLimit
from uriproof.grammar.machine import nfa, trace
from uriproof.limits import MAX_TRACED

ROOT = Path(__file__).parent.parent

LIST = 'l = item *( "," item )\nitem = "foo" / "bar"\n'
DATE = 'date = 4DIGIT "-" 2DIGIT "-" 2DIGIT\n'
OPTION = 'option = "$select" / "$level"\n'


def blamed(report: uriproof.Report) -> str:
    return ", ".join(f"{v.start}-{v.end} {v.kind}" for v in report.violations)


@pytest.mark.parametrize(("name", "grammar", "how", "text", "spans"), rows("blame", "blamed"))
def test_what_is_blamed(name: str, grammar: str, how: str, text: str, spans: str) -> None:
    held = Grammar.from_abnf(grammar) if "=" in grammar else grammar
    schemes = how == "schemes"
    rule = Rule(name, grammar=held, query=None if schemes else how or None, schemes=schemes)
    report = rule.check(text)
    assert blamed(report) == spans
    assert report.ok is rule.is_valid(text)


def test_components_of_an_authority_under_another_name() -> None:
    found = Rule("login", grammar="ftp").check("a b:c").violations
    assert [v.component for v in found] == ["host", "port"]


def test_what_has_no_component_is_named() -> None:
    found = Rule(schemes=True).check("file://h:80/a?x").violations
    assert [v.message for v in found] == [
        "A file-URI cannot have a port.",
        "A file-URI cannot have a query.",
    ]


def test_delimiters_belong_to_what_follows_them() -> None:
    (violation,) = Rule(schemes=True).check("tel://+1").violations
    assert (violation.component, violation.found) == ("host", "//")
    (violation,) = Rule(schemes=True).check("tel:").violations
    assert violation.component == "path"


@pytest.mark.parametrize("name", ["key-value", "parameters"])
def test_the_violations_of_two_readings_are_joined(name: str) -> None:
    rule = Rule("param", grammar=name, query=name)
    for length in range(1, 5):
        for characters in product("&=[a%", repeat=length):
            report = rule.check("".join(characters))
            for a, b in pairwise(report.violations):
                touching = a.start < a.end == b.start < b.end
                assert not (touching and (a.production, a.kind) == (b.production, b.kind)), report


# Words


METHOD = 'method = %s"GET" / %s"POST"\n'
SCOPE = 'scope = "scope=" ("base" / "one" / "sub") *(";" 1*DIGIT)\n'
MEDIA = 'accept = media *("," media)\nmedia = ("text/plain" / "image/png") [";" param]\n'
MEDIA += 'param = ("q=" / "level=") DIGIT\n'
CODES = "code = %x47.45.54 / post\npost = %x50.4F.53.54\n"
NESTED = 'list = "[" [item *("," item)] "]"\nitem = list / "true" / "false"\n'


@pytest.mark.parametrize(
    ("abnf", "text", "blamed", "hint"),
    [
        (METHOD, "PUT", [(0, 3)], 'the nearest word is "POST"'),
        (METHOD, "post", [(0, 4)], 'write "POST"'),
        (METHOD, "GETS", [(0, 4)], 'write "GET"'),
        (METHOD, "POS", [(3, 3)], None),
        (METHOD, "", [(0, 0)], None),
        (SCOPE, "scope=foo", [(6, 9)], 'the nearest word is "one"'),
        (SCOPE, "scope=subtree;1", [(6, 13)], 'write "sub"'),
        (SCOPE, "scope=foo;1;x", [(6, 9), (12, 13)], 'the nearest word is "one"'),
        (SCOPE, "scope=\u00f6ne;1", [(6, 9)], 'write "one"'),
        (SCOPE, "scope=;1", [(6, 6)], None),
        (SCOPE, "scope=ba;1", [(8, 8)], None),
        (SCOPE, "skope=base", [(0, 5)], 'write "scope"'),
        (MEDIA, "text/plain,image/jpg;q=1", [(11, 20)], 'write "image/png"'),
        (MEDIA, "text/html;lvel=1", [(0, 9), (10, 14)], 'write "text/plain"'),
        (CODES, "PUSH", [(0, 4)], 'the nearest word is "POST"'),
        (NESTED, "[true,flase]", [(6, 11)], 'write "false"'),
    ],
)
def test_a_wrong_word_is_one_violation(
    abnf: str, text: str, blamed: list[tuple[int, int]], hint: str | None
) -> None:
    report = Grammar.from_abnf(abnf).rule().check(text)
    assert [(v.start, v.end) for v in report.violations] == blamed
    assert report.violations[0].hint == hint


@pytest.mark.parametrize(
    ("abnf", "text", "blamed"),
    [
        ('isbn = "isbn" 3DIGIT', "isbx123", [(3, 4)]),  # nothing shows the end of the word
        ('id = "base" / 4HEXDIG', "bxse", [(1, 2)]),  # four digits, or a word?
        ('flags = *("ab" / "cd")', "abxd", [(2, 3)]),
        ('method = "GET"', "G-E-T", [(1, 2), (3, 4)]),
        ('url = "http://www.a.org"', "http:/www.a.org", [(6, 6)]),
    ],
)
def test_other_quoted_texts_are_blamed_by_character(
    abnf: str, text: str, blamed: list[tuple[int, int]]
) -> None:
    report = Grammar.from_abnf(abnf).rule().check(text)
    assert [(v.start, v.end) for v in report.violations] == blamed


@pytest.mark.parametrize("seed", quick(range(20), 5))
def test_any_wrong_word_in_any_place(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 -- the same each time
    words = ["".join(chance.choices("abcdeXYZ01", k=chance.randrange(2, 7))) for _ in range(4)]
    quoted = " / ".join(f'%s"{word}"' for word in dict.fromkeys(words))
    rule = Grammar.from_abnf(f'list = "<" word *("," word) ">"\nword = {quoted}\n').rule()
    for _ in range(100):
        wrong = "".join(chance.choices("abcdeXYZ01fg", k=chance.randrange(2, 9)))
        text = f"<{words[0]},{wrong},{words[-1]}>"
        if any(word.startswith(wrong) for word in words):
            continue
        (violation,) = rule.check(text).violations
        assert (violation.found, violation.production) == (wrong, "word")
        assert set(violation.expected) == {f'%s"{word}"' for word in words}


# Addresses


@bound("count", 300, 2_000)
def test_a_message_about_a_part_of_an_address_is_about_the_blamed_one(count: int) -> None:
    chance = random.Random(9)  # noqa: S311 -- the same each time
    addresses = ["::1.2.3.4", "1:2:3:4:5:6:7:8", "::ffff:10.0.0.1", "1:2:3:4:5:6:9.8.7.6"]
    quoted = re.compile(r'(?:follow|but|not|digits;) "([^"]+)"')
    named = 0
    for _ in range(count):
        address = chance.choice(addresses)
        for _ in range(chance.randrange(1, 4)):
            at, more = chance.randrange(len(address) + 1), chance.choice("0123456789abg:.")
            address = address[:at] + more + address[at + chance.randrange(2) :]
        text = f"http://[{address}]/"
        for violation in check(text).violations:
            for part in quoted.findall(violation.message):
                named += 1
                at = text.find(part, max(violation.start - len(part), 0))
                assert 0 <= at <= violation.start, (text, violation.message)
    assert named


# Fixes


MISTYPED = ["http://h/", "mailto:a@b.c", "urn:isbn:1", "tel:+1", "h:80/x", "ftp://u:p@h/", "a:b:c"]


@bound("count", 200, 1_000)
@pytest.mark.parametrize("rule", RFC3986.model.starts)
def test_no_fix_encodes_the_colon_of_a_scheme(rule: str, count: int) -> None:
    chance = random.Random(rule)  # noqa: S311 -- the same each time
    for _ in range(count):
        text = chance.choice(MISTYPED)
        for _ in range(chance.randrange(1, 4)):
            at, more = chance.randrange(9), chance.choice("@!_ %:/?#[|<'~.$&+;-0a\u00e9\t")
            text = text[:at] + more * chance.randrange(2) + text[at + chance.randrange(2) :]
        for violation in check(text, rule).violations:
            if violation.component == "path" and ":" in violation.found and violation.fix:
                colon = violation.start + violation.found.index(":")
                assert not re.search("[A-Za-z]", text[:colon]), text
                assert not text.startswith("://", colon), text


# What was expected


def test_expected_names_whole_literals() -> None:
    rule = Grammar.from_abnf(OPTION).rule()
    assert rule.check("$levex").violations[0].expected == ('"$select"', '"$level"')
    (violation,) = rule.check("$sel").violations
    assert violation.expected == ('"$select"',)
    assert violation.message == 'The word "$select" is incomplete.'


def test_expected_names_elements_of_the_production() -> None:
    (violation,) = check("http://[::25x.1.1.1]/").violations
    assert set(violation.expected) <= {"h16", "ls32", '":"', '"::"'}
    (violation,) = Rule("URI-Template", grammar="rfc6570").check("{é}").violations
    assert violation.expected == ("operator", "variable-list")
    date = Grammar.from_abnf(DATE).rule()
    assert date.check("24-01-01").violations[0].message == "2 digits are missing in a date."
    assert date.check("2024-01-").violations[0].expected == ("DIGIT",)
    items = Grammar.from_abnf(LIST).rule()
    assert items.check("foo;bar").violations[0].expected == ('","',)


def test_expected_names_elements_of_every_production_that_is_read() -> None:
    """A media type goes on after "text", and so does what holds it."""
    (violation,) = check("data:text;base64,x", Rule("URI", schemes=True)).violations
    assert violation.expected == ("token", '"/"')
    (violation,) = check("http://h/a b").violations
    assert violation.expected == ("pchar", '"/"')
    (one,) = found('m = a [ "," b ]\na = 1*( n [ "-" ] )\nn = 1*DIGIT\nb = n', "1-2;")
    assert one[4] == ("DIGIT", '"-"', '","')


# Lists


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("mailto:a@b,,c@d", [11]),
        ("mailto:a@b,,,c@d", [11, 12]),
        ("data:a/b;;x=1,", [9]),
        ("ldap://h/?a,,b", [12]),
        ("sip:a@h;;x", [8]),
        ("tel:+1;;a=b", [7]),
    ],
)
def test_an_empty_element_is_missing(text: str, places: list[int]) -> None:
    violations = check(text, Rule("URI", schemes=True)).violations
    assert [(v.kind, v.start, v.end) for v in violations] == [("missing", p, p) for p in places]


@pytest.mark.parametrize("element", ["1*ALPHA", '1*ALPHA "=" 1*DIGIT', '"(" ALPHA ")"', "8ALPHA"])
def test_an_empty_element_of_any_list_is_missing(element: str) -> None:
    one = {"1": "ab", '"': "(a)", "8": "abcdefgh"}[element[0]] + "=1" * ("=" in element)
    source = f'l = e *( ";" e )\ne = {element}\n'
    for count in range(1, 4):
        missing = found(source, f"{one};{';' * count}{one}")
        at = len(one) + 1
        assert [(m[0], m[2]) for m in missing] == [(at + n, "missing") for n in range(count)]


# Hints and fixes


@pytest.mark.prove
def test_no_invisible_character_is_encoded() -> None:
    hiding = [
        *range(0x20), 0x7F, *range(0x80, 0xA0), 0xA0, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x1680,
        0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0x2000, 0x2010), *range(0x2028, 0x2030),
        0x205F, *range(0x2060, 0x2070), 0x2800, 0x3000, 0x3164, *range(0xFE00, 0xFE10), 0xFEFF,
        0xFFA0, *range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B),
        *range(0xE0000, 0xE1000, 17),
    ]  # fmt: skip
    for form in "http://h/a{}b", "http://h/?a{}b", "http://h/#é{}é", "http://a{}@h/":
        texts = (form.format(chr(point)) for point in hiding)
        assert [text for text in texts if check(text).fixed] == []


@pytest.mark.parametrize(
    "text", ["❤\ufe0f", "1\ufe0f\u20e3", "👩\u200d🚀", "क्\u200dष", "葛\U000e0100"]
)
def test_what_writing_has_is_encoded(text: str) -> None:
    assert check(f"http://h/{text}").fixed == f"http://h/{encode(text)}"


# Traces


def found(source: str, text: str) -> list[tuple[object, ...]]:
    report = Grammar.from_abnf(source).rule().check(text)
    return [(v.start, v.end, v.kind, v.path, v.expected) for v in report.violations]


SHARED = "a = *( b / b )\nb = c / c\nc = d / d\nd = %x61"


@pytest.mark.parametrize("states", [MAX_TRACED, 0])
def test_a_grammar_too_large_for_a_trace_is_still_blamed(
    monkeypatch: pytest.MonkeyPatch, states: int
) -> None:
    monkeypatch.setattr(trace, "MAX_TRACED", states)
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
    assert blamed(check("x4", "pct-encoded")) == "0-1 illegal, 2-2 missing"


@pytest.mark.parametrize("end", ["2", "4"])
def test_a_bad_escape_can_be_any_of_those_that_could_begin_there(end: str) -> None:
    source = '; escape: esc\na = "1" esc "2" / "3" esc "4"\nesc = "%" 2HEXDIG'
    spans = [entry[:3] for entry in found(source, f"!%zz{end}")]
    assert spans == [(0, 1, "illegal"), (1, 2, "bad-escape"), (2, 4, "illegal")]


def test_what_is_missing_begins_a_shortest_way_to_an_end_or_an_escape() -> None:
    (violation,) = check("a", "IPv6address").violations
    assert (violation.start, violation.expected) == (1, ('"::"',))
    (violation,) = Grammar.load("key-value")["key"].check("").violations
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
    violations = Grammar.load(grammar)[rule].check(text).violations
    assert [v.start for v in violations] == offsets
    for v in violations:
        assert (v.start, v.kind, v.path, v.expected) == (v.end, "missing", ("query",), ("param",))


def test_a_violation_says_where_its_production_is_written() -> None:
    (violation,) = check("http://h/?a=1&&b=2", Rule(query="key-value")).violations
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


COMPONENTS = rows("blame", "components")
"""A text, a rule, and components: name, place, production."""


@pytest.mark.parametrize(("text", "rule", "wanted"), COMPONENTS)
def test_components_and_what_each_was_read_as(text: str, rule: str, wanted: str) -> None:
    seen = check(text, rule).components
    shown = [f"{c.name} {c.start}-{c.end} {c.production}" for c in seen.values()]
    assert set(wanted.split(", ")) <= set(shown)
    assert [c.text for c in seen.values()] == [text[c.start : c.end] for c in seen.values()]
    assert [*seen.values()] == sorted(seen.values(), key=lambda c: (c.start, c.end))
    assert [*seen] == [c.name for c in seen.values()]


@pytest.mark.prove
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
    assert found(source, "a://b#c") == [(5, 5, *query)]
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
    report = Grammar.from_abnf(source + 'own = scheme ":" path-rootless').rule().check("a:")
    assert [(v.start, v.end, v.kind) for v in report.violations] == [(2, 2, "missing")]
    assert report.components["path"].production == "path-rootless"


def test_a_division_that_does_not_match_is_not_a_reading() -> None:
    """Of three divisions in RFC 2396, the last alone matches a text without a scheme."""
    report = Rule("URI-reference", grammar="rfc2396").check("/^%EE")
    assert [(v.component, v.production) for v in report.violations] == [("path", "segment")]
    assert report.fixed == "/%5E%EE"
