"""Blame, fixes, hints and words, case by case: what a careful person would say of each text."""

from __future__ import annotations

import random
import re
from itertools import pairwise, product
from pathlib import Path

import pytest
from strategies import RFC3986
from tables import rows, table
from tiers import bound, quick

import uriproof
from uriproof import Grammar, Rule, check, encode
from uriproof.grammar.errors import GrammarLimit
from uriproof.grammar.machine import nfa, trace
from uriproof.limits import MAX_TRACED

ROOT = Path(__file__).parent.parent


def blamed(report: uriproof.Report) -> str:
    return ", ".join(f"{v.start}-{v.end} {v.kind}" for v in report.violations)


def traced(report: uriproof.Report) -> tuple[str, ...]:
    return tuple(
        f"{v.start}-{v.end} {v.code} {'/'.join(v.path)}: {' '.join(v.expected)}"
        + (f" ~ {v.hint}" if v.hint else "")
        for v in report.violations
    )


GRAMMARS = table("blame", "grammars")


@pytest.mark.parametrize(
    ("name", "grammar", "how", "text", "wanted"),
    [*rows("blame", "blamed"), *rows("blame", "traced")],
)
def test_what_is_blamed(
    name: str, grammar: str, how: str, text: str, wanted: str | tuple[str, ...]
) -> None:
    source = GRAMMARS.get(grammar, grammar)
    held = Grammar.from_abnf(source) if "=" in source else source
    schemes = how == "schemes"
    rule = Rule(name, grammar=held, query=None if schemes else how or None, schemes=schemes)
    report = rule.check(text)
    assert wanted == blamed(report) if isinstance(wanted, str) else tuple(wanted) == traced(report)
    assert report.ok is rule.is_valid(text)


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


# Lists


@pytest.mark.parametrize("element", ["1*ALPHA", '1*ALPHA "=" 1*DIGIT', '"(" ALPHA ")"', "8ALPHA"])
def test_an_empty_element_of_any_list_is_missing(element: str) -> None:
    one = {"1": "ab", '"': "(a)", "8": "abcdefgh"}[element[0]] + "=1" * ("=" in element)
    source = f'l = e *( ";" e )\ne = {element}\n'
    for count in range(1, 4):
        report = Grammar.from_abnf(source).rule().check(f"{one};{';' * count}{one}")
        at = len(one) + 1
        assert blamed(report) == ", ".join(f"{at + n}-{at + n} missing" for n in range(count))


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


# Limits, sources, components

SHARED = "a = *( b / b )\nb = c / c\nc = d / d\nd = %x61"


@pytest.mark.parametrize("states", [MAX_TRACED, 0])
def test_a_grammar_too_large_for_a_trace_is_still_blamed(
    monkeypatch: pytest.MonkeyPatch, states: int
) -> None:
    monkeypatch.setattr(trace, "MAX_TRACED", states)
    assert traced(Grammar.from_abnf(SHARED).rule().check("aba")) == ("1-2 a-illegal a: b",)


def test_a_grammar_too_large_for_an_automaton_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nfa, "MAX_NFA_STATES", 9)
    with pytest.raises(GrammarLimit, match="9 places"):
        Grammar.from_abnf(SHARED).rule().check("aba")


def test_a_violation_says_where_its_production_is_written() -> None:
    (violation,) = check("http://h/?a=1&&b=2", Rule(query="key-value")).violations
    file, line = violation.source.split(":")
    written = (ROOT / file).read_text("utf-8").splitlines()[int(line) - 1]
    assert " ".join(written.split()) == violation.rule
    assert (violation.path, violation.section) == (("URI", "query"), "key-value")


@pytest.mark.parametrize(("text", "rule", "wanted"), rows("blame", "components"))
def test_components_and_what_each_was_read_as(text: str, rule: str, wanted: str) -> None:
    seen = check(text, rule).components
    shown = [f"{c.name} {c.start}-{c.end} {c.production}" for c in seen.values()]
    assert set(wanted.split(", ")) <= set(shown)
    assert [c.text for c in seen.values()] == [text[c.start : c.end] for c in seen.values()]
    assert [*seen.values()] == sorted(seen.values(), key=lambda c: (c.start, c.end))
    assert [*seen] == [c.name for c in seen.values()]


def test_an_empty_component_is_what_it_should_have_been() -> None:
    report = Grammar.from_abnf(GRAMMARS["rootless"]).rule().check("a:")
    assert report.components["path"].production == "path-rootless"
