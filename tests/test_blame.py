"""Blame, fixes, hints and words, case by case: what a careful person would say of each text."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import pytest

import uriproof
from uriproof import Grammar, Rule, check, encode

LIST = 'l = item *( "," item )\nitem = "foo" / "bar"\n'
DATE = 'date = 4DIGIT "-" 2DIGIT "-" 2DIGIT\n'
OPTION = 'option = "$select" / "$level"\n'
TAG = 'tag = "<" 1*ALPHA ">"\n'


@dataclass(frozen=True)
class Seen:
    """What a report says of a text: per violation start, end and kind, and all of its words."""

    spans: list[tuple[int, int, str]]
    report: uriproof.Report

    @property
    def hints(self) -> str:
        return " | ".join(v.hint or "" for v in self.report.violations)


def seen(text: str, rule: str = "URI", grammar: str | Grammar = "rfc3986", **beside: Any) -> Seen:
    held = Rule(rule, grammar=grammar, **beside)
    report = held.check(text)
    assert report.ok is held.is_valid(text)
    return Seen([(v.start, v.end, v.kind) for v in report.violations], report)


# Inside brackets


@pytest.mark.parametrize(
    ("host", "spans"),
    [
        ("[g::h]", [(8, 9, "illegal"), (11, 12, "illegal")]),
        ("[1::2::3]", [(13, 14, "illegal")]),
        ("[12345::]", [(12, 13, "illegal")]),
        ("[1:2:3:4:5:6:7:8:9]", [(23, 24, "illegal")]),
        ("[:1]", [(9, 10, "illegal")]),
        ("[localhost]", [(8, 17, "illegal")]),
        ("[::256.1.1.1]", [(13, 19, "illegal")]),
        ("[1.2.3.4]", [(9, 15, "illegal")]),
        ("[fe80::1%eth0]", [(15, 20, "illegal")]),
        ("[::1][::2]", [(11, 16, "illegal")]),
        ("[g::1", [(8, 12, "illegal")]),  # nothing is missing after what is blamed
        ("[::1", [(11, 11, "missing")]),
        ("[1:2]", [(11, 11, "missing")]),
        ("[v1.]", [(11, 11, "missing")]),
        ("[]", [(8, 8, "missing")]),
        ("[::1]8080", [(12, 16, "illegal")]),
    ],
)
def test_addresses(host: str, spans: list[tuple[int, int, str]]) -> None:
    assert seen(f"http://{host}/").spans == spans


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("[localhost]", "a name takes no brackets: localhost"),
        ("[1.2.3.4]", "an IPv4 address takes no brackets: 1.2.3.4"),
        ("[::256.1.1.1]", "at most 255, and 256 is more"),
        ("[::1.2.3.04]", "no leading zero, and 04 has one"),
        ("[::1.2.3]", "four octets, and this has 3"),
        ("[1:2:3:4:5:6:7:8:9]", "eight groups, and this has 9"),
        ("[1:2:3]", "eight groups, and this has 3"),
        ("[1:2:3:4:5:6:7::8:9]", "at most seven groups, and this has 9"),
        ("[1::2::3]", "only once"),
        ("[:::1]", "only once"),
        ("[12345::]", '"12345" has more'),
        ("[::g]", '"g" is not'),
        ("[fe80::1%eth0]", "[fe80::1%25eth0]"),
        ("[fe80::1%25eth0]", "[fe80::1%25eth0]"),
        ("[v.x]", "v, its number, a dot"),
        ("[::1]8080", "a colon is missing before the port"),
    ],
)
def test_addresses_are_explained_as_a_person_would(host: str, words: str) -> None:
    assert words in seen(f"http://{host}/").hints


# What is missing


def test_several_characters_can_be_missing() -> None:
    own = Grammar.from_abnf(DATE)
    short = seen("24-01-01", "date", own)
    assert short.spans == [(2, 2, "missing")]
    assert short.report.violations[0].message == "2DIGIT is missing in the date"
    assert seen("2024-1-01", "date", own).spans == [(6, 6, "missing")]
    assert seen("2024-01-", "date", own).report.violations[0].expected == ("DIGIT",)
    assert seen("2024/01/01", "date", own).spans == [(4, 5, "illegal"), (7, 8, "illegal")]


def test_an_absent_first_character_is_missing_and_the_next_is_innocent() -> None:
    assert seen("a", "path-absolute").spans == [(0, 0, "missing")]
    assert seen("abc>", "tag", Grammar.from_abnf(TAG)).spans == [(0, 0, "missing")]
    assert seen("(abc>", "tag", Grammar.from_abnf(TAG)).spans == [(0, 1, "illegal")]


@pytest.mark.parametrize(
    ("query", "spans"),
    [
        ("=", [(10, 10, "missing"), (11, 11, "missing")]),
        ("=1", [(10, 10, "missing")]),
        ("a=1&b&c=2", [(15, 15, "missing")]),
        ("a=1&&b=2", [(14, 14, "missing")]),
        ("a=1&=2", [(14, 14, "missing")]),
    ],
)
def test_pairs(query: str, spans: list[tuple[int, int, str]]) -> None:
    assert seen(f"http://h/?{query}", query="key-value").spans == spans


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("ldap:x", [(5, 5, "missing")]),
        ("http:example.com", [(5, 5, "missing")]),
        ("ws:x", [(3, 3, "missing")]),
        ("data:image/svg+xml;utf8,x", [(23, 23, "missing")]),
        (
            "data:image/svg+xml;utf8,<svg/>",
            [(23, 23, "missing"), (24, 25, "illegal"), (29, 30, "illegal")],
        ),
        ("data:text,x", [(9, 9, "missing")]),
        ("tag:example.com:x", [(15, 15, "missing")]),
    ],
)
def test_scheme_rules_say_what_is_missing_and_leave_the_rest(
    text: str, spans: list[tuple[int, int, str]]
) -> None:
    assert seen(text, schemes=True).spans == spans


def test_a_scheme_that_is_missing_leaves_the_rest_innocent() -> None:
    assert seen("a", "absoluteURI", "rfc2396").spans == [(0, 0, "missing")]


# Rules, components, escapes


@pytest.mark.parametrize(
    ("text", "rule", "grammar", "spans"),
    [
        ("a b", "iauthority", "rfc3987", [(1, 2, "illegal")]),
        ("a@b:x", "iauthority", "rfc3987", [(4, 5, "illegal")]),
        ("a b:c", "login", "ftp", [(1, 2, "illegal"), (4, 5, "illegal")]),
        ("u@h", "hostport", "ftp", [(0, 2, "extra")]),
        ("a b", "hostport", "rfc2396", [(1, 2, "illegal")]),
        ("h:x", "hostport", "rfc2396", [(2, 3, "illegal")]),
    ],
)
def test_an_authority_under_another_name(
    text: str, rule: str, grammar: str, spans: list[tuple[int, int, str]]
) -> None:
    found = seen(text, rule, grammar)
    assert found.spans == spans
    assert {v.component for v in found.report.violations} <= {"userinfo", "host", "port"}


def test_what_has_no_component_is_named() -> None:
    found = seen("file://h:80/a?x", schemes=True).report.violations
    assert [v.message for v in found] == ["file-URI has no port", "file-URI has no query"]


def test_delimiters_belong_to_what_follows_them() -> None:
    (violation,) = seen("tel://+1", schemes=True).report.violations
    assert (violation.component, violation.found) == ("host", "//")
    (violation,) = seen("tel:", schemes=True).report.violations
    assert violation.component == "path"


def test_a_scheme_says_nothing_of_fragments() -> None:
    found = seen("data:,x#f", "absolute-URI", schemes=True)
    assert found.spans == [(7, 9, "extra")]


@pytest.mark.parametrize(
    "text", ["10:30:00", "1:2:3:4", "192.168.0.1:80:90", "2024-01-01T10:30:00"]
)
def test_each_colon_of_a_first_segment(text: str) -> None:
    colons = [(i, i + 1, "illegal") for i, c in enumerate(text) if c == ":"]
    assert seen(text, "URI-reference").spans == colons


def test_lists_of_ones_own() -> None:
    found = seen("foo;bar", "l", Grammar.from_abnf(LIST))
    assert found.spans == [(3, 4, "illegal")]
    assert found.report.violations[0].expected == ('","',)
    assert seen("foo,,bar", "l", Grammar.from_abnf(LIST)).spans == [(4, 4, "missing")]


@pytest.mark.parametrize(
    ("rule", "grammar"),
    [
        ("pct-encoded", "rfc3986"),
        ("pchar", "rfc3986"),
        ("escaped", "rfc2396"),
        ("uric", "rfc2396"),
        ("escape", "rfc1738"),
    ],
)
@pytest.mark.parametrize("text", ["%4", "%"])
def test_an_escape_that_lacks_digits_is_blamed_alone(text: str, rule: str, grammar: str) -> None:
    assert seen(text, rule, grammar).spans == [(0, 1, "bad-escape")]


@pytest.mark.parametrize("name", ["key-value", "parameters"])
def test_the_violations_of_two_readings_are_joined(name: str) -> None:
    for length in range(1, 5):
        for characters in product("&=[a%", repeat=length):
            report = seen("".join(characters), "param", name, query=name).report
            for a, b in pairwise(report.violations):
                touching = a.start < a.end == b.start < b.end
                assert not (touching and (a.production, a.kind) == (b.production, b.kind)), report


# What was expected


def test_expected_names_whole_literals() -> None:
    own = Grammar.from_abnf(OPTION)
    assert seen("$levex", "option", own).report.violations[0].expected == ('"$level"',)
    (violation,) = seen("$sel", "option", own).report.violations
    assert violation.expected == ('"$select"',)
    assert violation.message == 'part of "$select" is missing in the option'


def test_expected_names_elements_of_the_production() -> None:
    (violation,) = seen("http://[::25x.1.1.1]/").report.violations
    assert set(violation.expected) <= {"h16", "ls32", '":"', '"::"'}
    (violation,) = seen("{é}", "URI-Template", "rfc6570").report.violations
    assert violation.expected == ("operator", "variable-list")


# Hints and fixes


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("http://h/a\n", "white space after"),
        (" http://h/", "white space before"),
        ("\ufeffhttps://h/", "byte order mark"),
        ("http://h/{x}", "placeholder"),
        ("http://h/<name>", "placeholder"),
        ("http://h/%s/a", "placeholder"),
        ("http://h/%(id)s", "placeholder"),
        ("http://h/%u00e9", "%C3%A9"),
        ("http://evil.com\\@good.com/", "another host"),
        ("http://h/a\\b", "write a slash in place of each backslash: http://h/a/b"),
        ("http:\\\\h\\a", "write a slash in place of each backslash: http://h/a"),
        ("http:\\/\\/h\\/a", "undo the escapes of JSON: http://h/a"),
        ("http://h\\/a", "undo the escapes of JSON: http://h/a"),
        ("http://h/caf\\u00e9", "undo the escapes of JSON: http://h/caf%C3%A9"),
        ("C:\\a b\\c", "Windows path with slashes, as a file URI: file:///C:/a%20b/c"),
        ("C:/my file.txt", "Windows path with slashes, as a file URI: file:///C:/my%20file.txt"),
        ("file:\\\\\\C:\\x", "Windows path with slashes, as a file URI: file:///C:/x"),
        ("\\\\host\\a b", "Windows share with slashes, as a file URI: file://host/a%20b"),
        ("file:///C|/a", "a colon after the letter of a drive: file:///C:/a"),
        ("http://a.org/, http://b.org/", 'one URI at a time: "http://"'),
        ("http://a.org/?b\nhttps://b.org/", 'one URI at a time: "https://"'),
        ("http://a.org/<ws://b.org/", 'one URI at a time: "ws://"'),
        ("http://a.org/ see ftp://b.org/", 'one URI at a time: "ftp://"'),
        ("http://a.org/ www.b.org", "one URI at a time"),
        ("http://a.org/ mailto:a@b.org", "one URI at a time"),
        ("data:;base64,SGVs bG8=", "base64"),
        ("data:image/png;base64,\nSGVs", "line break"),
        ("tel:+1 (555) 123", "the scheme tel does not allow it"),
        ("geo:37.5, 12", "the scheme geo does not allow it"),
        ("http://h/\0", "remove U+0000"),
        ("http://h/a\tb", "line break or tab"),
        ("http://h/a\x7fb", "remove U+007F"),
        ("http://h/?\u202e", "direction"),
        ("http://h/a\u200bb", "invisible"),
        ("http://h/a\xa0b", "space of another kind"),
        ("http://h/#\u3000a", "space of another kind"),
        ("http://h/a\ufe0fb", "invisible"),
        ("http://h/a\U000e0100", "invisible"),
        ("http://h/é\u2066é", "direction"),
        ("http://h/##usage", 'one "#"'),
        ("http://h/{event-hook-id/a", "complete the placeholder"),
        ("http://h/id}/a", "complete the placeholder"),
        ("http://h/[a](https://b/)", "Markdown link"),
        ("http://h/a?[a](b", "Markdown link"),
        ("http://h/OAI /b", "remove the space"),
        ("https://h/a\\%20b", "LaTeX or a shell"),
        ("<http://h/>", "Appendix C"),
        ('https://"h/a', "quotation mark"),
        ('"http://h/"', "quotation mark"),
        ("192.168.0.1:80", "//192.168.0.1:80"),
        ("[::1]:80", "//[::1]:80"),
    ],
)
def test_no_fix_where_something_else_may_be_meant(text: str, words: str) -> None:
    found = seen(text)
    assert words in found.hints
    assert found.report.fixed is None
    hinted = [v for v in found.report.violations if v.hint and words in v.hint]
    assert hinted
    assert all(v.fix is None for v in hinted)


@pytest.mark.parametrize(
    ("text", "rule", "words"),
    [
        ("http://h/", "relative-ref", 'remove the scheme "http:"'),
        ("a:b", "relative-ref", 'remove the scheme "a:"'),
        ("ht@tps://w.a:b.com/g.html", "URI-reference", 'correct the scheme before "://"'),
        ("h_t_p://a/b", "URI-reference", 'correct the scheme before "://"'),
    ],
)
def test_no_scheme_is_made_a_segment(text: str, rule: str, words: str) -> None:
    report = check(text, rule)
    assert report.fixed is None
    assert any(words in (v.hint or "") for v in report.violations)


def test_no_invisible_character_is_encoded() -> None:
    hiding = [
        *range(0x20), 0x7F, *range(0x80, 0xA0), 0xA0, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x1680,
        0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0x2000, 0x2010), *range(0x2028, 0x2030),
        0x205F, *range(0x2060, 0x2070), 0x2800, 0x3000, 0x3164, *range(0xFE00, 0xFE10), 0xFEFF,
        0xFFA0, *range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B),
        *range(0xE0000, 0xE1000),
    ]  # fmt: skip
    for form in "http://h/a{}b", "http://h/?a{}b", "http://h/#é{}é", "http://a{}@h/":
        texts = (form.format(chr(point)) for point in hiding)
        assert [text for text in texts if check(text).fixed] == []


@pytest.mark.parametrize(
    "text", ["❤\ufe0f", "1\ufe0f\u20e3", "👩\u200d🚀", "क्\u200dष", "葛\U000e0100"]
)
def test_what_writing_has_is_encoded(text: str) -> None:
    assert check(f"http://h/{text}").fixed == f"http://h/{encode(text)}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("http://h/#a b", "%20"),
        ("http://h/a[1]", "%5B and %5D"),
        ("http://h/?{5B00AA02-CFA6-43A4-9CA3-6E0A11F4B7C3}", "%7B and %7D"),
        ("http://h/?a|b", "%7C"),
        ("http://h/#a#b", 'first "#"'),
        ("http://u@v@h/", 'last "@"'),
        ("http://h/é", "RFC 3987"),
    ],
)
def test_a_hint_that_goes_with_the_fix(text: str, words: str) -> None:
    found = seen(text)
    assert words in found.hints
    assert found.report.fixed is not None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("http://::1]/", "[::1]"),
        ("http://u:p/w@h/", "%2F"),
        ("http://é.com/", "xn--"),
        ("http//example.com", "a colon is missing"),
        ("://h", 'before "://"'),
        ("C:\\a\\b", "Windows path"),
        ("www.example.com/x", "relative reference"),
    ],
)
def test_hints_without_a_fix(text: str, words: str) -> None:
    assert words in seen(text).hints


@pytest.mark.parametrize("text", ["::1", ":a", "://h"])
def test_no_relative_reference_is_seen_where_there_is_none(text: str) -> None:
    assert "relative reference: " not in seen(text).hints
