"""The reader of ABNF: every form of RFC 5234 and RFC 7405, and every fault with its exact place."""

import pickle
import re
import tomllib
from pathlib import Path

import pytest
from abnf.parser import ABNFGrammarRule, ParseError
from hypothesis import given
from hypothesis import strategies as st
from marked import unmarked
from tables import rows
from tiers import FEW_GRAMMARS, quick

from uriproof.grammar.errors import Fault, GrammarError, UnknownGrammar, UnknownRule
from uriproof.grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
)
from uriproof.grammar.read.abnf import read_abnf
from uriproof.grammar.read.check_model import non_regular, recursion
from uriproof.grammar.registry import load, names
from uriproof.text.names import near

A, B = CharVal("a"), CharVal("b")


def resolve(name: str) -> Model:
    return load(name).model


def read(text: str, name: str = "test", **grammars: str) -> Model:
    """The model of a text; keywords are texts of grammars that it may import."""

    def find(wanted: str) -> Model:
        if wanted in grammars:
            return read_abnf(grammars[wanted], name=wanted, file=f"{wanted}.abnf", resolve=resolve)
        return resolve(wanted)

    return read_abnf(text, name=name, file="test.abnf", resolve=find)


def element(text: str) -> Element:
    """The element that a right-hand side spells; rules b and c exist."""
    return read(f'a = {text}\nb = "b"\nc-1 = "c"\n').rules["a"].element


def faults(text: str, name: str = "test", **grammars: str) -> tuple[Fault, ...]:
    with pytest.raises(GrammarError) as caught:
        read(text, name, **grammars)
    assert str(caught.value)
    return caught.value.faults


# Every form


@pytest.mark.parametrize(("text", "printed"), rows("read-abnf", "forms"))
def test_forms(text: str, printed: str) -> None:
    assert str(element(text)) == printed


def test_meanings() -> None:
    first = Concatenation((A, Repetition(RuleRef("b"), 0, 1)))
    other = Concatenation((CharVal("a", case_sensitive=True), RuleRef("c-1")))
    assert element('%I"a" [ <B> ] / %S"a" ( C-1 )') == Alternation((first, other))
    digits = Repetition(NumVal((48, 57), is_range=True), 2, None)
    assert element("%x" + "0" * 500 + "41 2*%d48-57") == Concatenation((NumVal((0x41,)), digits))


def test_deepest_nesting() -> None:
    assert element("(" * 50 + '"a"' + ")" * 50) == A
    deep = element('("b" / "a" ' * 50 + '"a"' + ")" * 50)
    assert read(f"a = {deep}").rules["a"].element == deep


def test_incremental_alternatives() -> None:
    model = read('a = "a"\nc = A\na =/ "b" / %x43\nA=/"d" "e"')
    assert str(model.rules["a"].element) == '"a" / "b" / %x43 / "d" "e"'
    assert model.rules["a"].text == 'a = "a"\na =/ "b" / %x43\nA=/"d" "e"'
    assert model.rules["a"].line == 1


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    text = end.join(["", "; c", 'a = "a"', '    / "b" ; c', "", "b = a"])
    expected = {"a": Alternation((A, B)), "b": RuleRef("a")}
    for last in ("", end, end + "  " + end):
        model = read(text + last)
        assert {name: rule.element for name, rule in model.rules.items()} == expected
        assert [rule.line for rule in model.rules.values()] == [3, 6]
    lost = faults(text + end + "c = x")[0]
    assert (lost.line, lost.column, lost.source_line) == (7, 5, "c = x")


@pytest.mark.parametrize("margin", ["", " ", "      ", "\t", "        "])
def test_uniform_indentation(margin: str) -> None:
    """A tab and eight spaces reach the same column."""
    model = read(f'; c\n{margin}a = "a"\n{margin} / "b"\n ; c\n{margin.expandtabs()}b = a\n')
    assert model.rules["a"].element == Alternation((A, B))
    assert model.rules["a"].text == 'a = "a"\n / "b"'
    assert model.starts == ("b",)


def test_byte_order_mark() -> None:
    assert read('\ufeffa = "a"').rules["a"].line == 1
    fault = faults("\ufeffa = b")[0]
    assert (fault.line, fault.column, fault.source_line) == (1, 5, "a = b")


@pytest.mark.parametrize(("source", "shown"), rows("read-abnf", "texts-of-rules"))
def test_text_of_a_rule(source: str, shown: str) -> None:
    assert read(source).rules["a"].text == shown


# Headers

HEADER = """\
; An ordinary comment: with colons.
; title:  A test
; unknown: nothing
; imports: rfc3986 rfc5234
; starts: Top
; starts: ESC
; component: first = top low
; component: second = Low2
; leaves: low
; leaves: LOW2
; fix: first
; escape: esc
; split: rfc3986-split
; rule: top  1.2   the gloss of it: one = two
; rule: LOW 3 x
; prose: <any letter> = ALPHA / "_"
; prose: <two  of them> = 2<any letter>
Top  = Low Low2 CRLF ; title: not here
; title: nor here
Low  = <any letter>
Low2 = <two  of them> unreserved
Esc  = pct-encoded
"""


def test_header() -> None:
    model = read(HEADER)
    assert model.name == "test"
    assert model.title == "A test"
    assert model.starts == ("Top", "Esc")
    assert model.components == {"Top": "first", "Low": "first", "Low2": "second"}
    assert model.leaves == {"Low", "Low2"}
    assert model.fixable == {"first"}
    assert model.escape == "Esc"
    assert model.split == "rfc3986-split"
    top = model.rules["Top"]
    assert (top.section, top.gloss) == ("1.2", "the gloss of it: one = two")
    assert (top.grammar, top.file, top.line) == ("test", "test.abnf", 18)
    assert (model.rules["Low"].section, model.rules["Low"].gloss) == ("3", "x")
    assert (model.rules["Low2"].section, model.rules["Low2"].gloss) == ("", "")
    assert str(model.rules["Low"].element) == 'ALPHA / "_"'
    assert str(model.rules["Low2"].element) == '2( ALPHA / "_" ) unreserved'


def test_imported_rules_follow_as_far_as_they_are_needed() -> None:
    model = read(HEADER)
    imported = ["pct-encoded", "unreserved", "ALPHA", "DIGIT", "HEXDIG", "CR", "CRLF", "LF"]
    assert list(model.rules) == ["Top", "Low", "Low2", "Esc", *imported]
    rule = model.rules["pct-encoded"]
    assert rule == resolve("rfc3986").rules["pct-encoded"]
    assert (rule.grammar, rule.section) == ("rfc3986", "2.1")
    assert model.rules["CRLF"] == resolve("rfc5234").rules["CRLF"]


def test_a_header_that_says_nothing_takes_the_imported_one() -> None:
    model = read('; imports: rfc3986\nhttp = scheme "://" host [query]')
    assert model.escape == "pct-encoded"
    assert model.components["reg-name"] == "host"
    assert model.components["query"] == "query"
    assert "path" not in model.components
    assert {"scheme", "reg-name", "query"} <= model.leaves
    assert model.leaves <= set(model.rules)
    assert model.fixable == {"query"}
    assert model.split is None
    assert read("a = ALPHA").components == {}


@pytest.mark.parametrize(("text", "starts"), rows("read-abnf", "starts"))
def test_start_rules(text: str, starts: str) -> None:
    assert " ".join(read(text).starts) == starts


@pytest.mark.parametrize(("text", "names", "first"), rows("read-abnf", "rules-and-imports"))
def test_rules_and_imports(text: str, names: str, first: str) -> None:
    rules = read(text).rules
    assert " ".join(rules) == names
    assert str(next(iter(rules.values())).element) == first


def test_core_rules_are_there_unless_the_header_says_otherwise() -> None:
    assert list(read("a = HEXDIG", "rfc5234").rules) == ["a", "DIGIT", "HEXDIG"]
    assert faults("; imports:\na = DIGIT", "rfc5234")[0].cause == "undefined"


def test_an_equal_rule_may_stand_for_the_imported_one() -> None:
    model = read("a = HEXDIG\ndigit = %x30-39")
    assert list(model.rules) == ["a", "digit", "HEXDIG"]
    hexdig = model.rules["HEXDIG"]
    assert str(hexdig.element).startswith('digit / "A"')
    assert hexdig.text == 'HEXDIG         =  DIGIT / "A" / "B" / "C" / "D" / "E" / "F"'


@pytest.mark.parametrize("name", quick(names(), among=FEW_GRAMMARS))
def test_bundled_grammars_have_titles_sections_and_glosses(name: str) -> None:
    model = resolve(name)
    assert model.title
    assert model.starts
    for rule in model.rules.values():
        assert rule.section
        assert rule.gloss


# Faults


TABLE = tomllib.loads(Path(__file__).with_name("abnf_faults.toml").read_text("utf-8"))


def placed(marked: str) -> tuple[str, tuple[int, int, int]]:
    """The text, and where its fault is: line, column and length."""
    text, [(start, end)] = unmarked(marked)
    line_start = text.rfind("\n", 0, start) + 1
    return text, (text.count("\n", 0, start) + 1, start - line_start + 1, end - start)


@pytest.mark.parametrize(
    ("cause", "marked", "words"),
    [
        (cause, m, words)
        for cause, by in TABLE.items()
        for words, texts in by.items()
        for m in texts
    ],
)
def test_faults(cause: str, marked: str, words: str) -> None:
    text, place = placed(marked)
    fault, *others = faults(text)
    assert (fault.cause, fault.line, fault.column, fault.length) == (cause, *place)
    assert fault.message.startswith(words)
    assert not others or cause == "syntax"


@pytest.mark.parametrize(
    ("text", "column", "length", "words"),
    [
        ("a = " + "9" * 900 + '"b"', 5, 900, "this count is too large"),
        ("a = %d" + "9" * 900, 7, 900, "no code point is above U+10FFFF (%x10FFFF)"),
        ('a = \ud800 "c"', 5, 1, "U+D800 lone surrogate is not allowed here"),
        ("a = " + "(" * 51 + '"b"', 55, 1, "groups are nested more than 50 deep"),
        ('a = "' + "b" * 1_000 + '"', 5, 1_002, "an element has more than 1000 characters"),
        ("b" * 1_001 + ' = "b"', 1, 1_001, "an element has more than 1000 characters"),
    ],
)
def test_what_is_too_much(text: str, column: int, length: int, words: str) -> None:
    fault = faults(text)[0]
    place = (fault.cause, fault.line, fault.column, fault.length)
    assert place == ("syntax", 1, column, length)
    assert fault.message.startswith(words)


def test_comments_that_are_no_directives() -> None:
    lines = ["; see: this", ";escape: x y", "; Title: x", ";  rule: x", "; rules: x", "; a: b: c"]
    model = read("\n".join([*lines, 'a = "b"', "; escape: no such thing", "; rule: x"]))
    assert (model.title, model.escape) == ("", None)


def test_rules_of_a_grammar_imported_whole_are_there_as_well() -> None:
    model = read("; imports: rfc3986\n; imports: rfc3986 = reserved\na = host")
    assert {"reserved", "gen-delims", "sub-delims", "host", "IPv6address"} <= set(model.rules)
    assert "query" not in model.rules


def test_imports_that_disagree() -> None:
    one = 'x = y\ny = "1"\n'
    two = 'z = y\ny = "2"\n'
    model = read("; imports: one two\na = x y", one=one, two=two)
    assert str(model.rules["y"].element) == '"1"'
    (fault,) = faults("; imports: one two\na = x z", one=one, two=two)
    assert (fault.line, fault.column, fault.length, fault.cause) == (1, 16, 3, "redefinition")
    assert fault.message == (
        "z of two, which is needed here, uses y, but the y of one, imported before, is another"
    )


@pytest.mark.parametrize(("text", "cause", "way"), rows("read-abnf", "recursion"))
def test_recursion_is_read_and_told_apart_from_what_is_regular(
    text: str, cause: str, way: str
) -> None:
    elements = {name: rule.element for name, rule in read(text).rules.items()}
    found = [*recursion(elements, elements)]
    assert [flaw.cause for flaw in found] == [cause] * bool(cause)
    assert all(flaw.message.startswith(way) for flaw in found)
    assert {flaw.rule for flaw in found} <= non_regular(elements)[0]
    assert bool(non_regular(elements)[1]) is bool(cause)


def test_long_ways_are_cut() -> None:
    text = "".join(f'a{i} = "x" a{(i + 1) % 500}\n' for i in range(500))
    (fault,) = faults(text)
    assert fault.message.startswith("a0 → a1 → a2 → a3 → a4 → a5 → … → a495 → ")


def test_all_faults_at_once_in_order() -> None:
    text = '; fix: zzzz\na = ( b\nb = wxyz\nc : "c"\nd = c b\nb = "b"\n'
    assert [(f.line, f.column, f.cause) for f in faults(text)] == [
        (1, 8, "header"),
        (2, 5, "syntax"),
        (3, 5, "undefined"),
        (4, 3, "syntax"),
        (6, 1, "redefinition"),
    ]


def test_a_fault_is_drawn() -> None:
    with pytest.raises(GrammarError) as caught:
        read('a = "b" segmnt / c\nsegment\nc = "c"')
    assert str(caught.value).splitlines() == [
        "test.abnf:1:9: undefined: no rule is named segmnt; did you mean segment?",
        'a = "b" segmnt / c',
        "        ^^^^^^",
        'test.abnf:2:8: syntax: "=" is missing after the rule name segment',
        "segment",
        "       +",
    ]
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert again.faults == caught.value.faults


def test_a_broken_import_is_told_as_its_own() -> None:
    (fault,) = faults("; imports: other\na = b", other="b = (")
    assert (fault.file, fault.column) == ("other.abnf", 5)


def test_unknown_names() -> None:
    many = [f"name{i}" for i in range(50)]
    assert str(UnknownRule("zz", many, "g")).endswith(
        "g; to list them, run: uriproof grammar show -g g.abnf"
    )
    assert str(UnknownGrammar("zz", [])) == "no grammar 'zz'"
    assert near("URI-refernce", ["URI", "uri-reference"]) == ("uri-reference",)
    error = pickle.loads(pickle.dumps(UnknownRule("a", ["b"], "g")))  # noqa: S301
    assert (error.name, error.known, error.grammar) == ("a", ("b",), "g")


# Any element, and any text

TEXTS = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters='"'))
POINTS = st.integers(0, 0x10FFFF)
LEAVES = st.one_of(
    st.builds(CharVal, TEXTS, st.booleans()),
    st.builds(NumVal, st.lists(POINTS, min_size=1, max_size=4).map(tuple), st.just(False)),
    st.builds(NumVal, st.tuples(POINTS, POINTS).map(sorted).map(tuple), st.just(True)),
    st.sampled_from(["b", "c-1", "ALPHA"]).map(RuleRef),
)


def joined(kind: type[Alternation | Concatenation]) -> "st.SearchStrategy[Element]":
    items = ELEMENTS.filter(lambda item: not isinstance(item, kind))
    return st.lists(items, min_size=2, max_size=4).map(lambda found: kind(tuple(found)))


BOUNDS = st.sampled_from([(0, None), (1, None), (0, 1), (2, 2), (3, 12), (0, 0), (7, None)])
ELEMENTS: "st.SearchStrategy[Element]" = st.deferred(
    lambda: (
        LEAVES
        | joined(Alternation)
        | joined(Concatenation)
        | st.builds(lambda item, bounds: Repetition(item, *bounds), ELEMENTS, BOUNDS)
    )
)


@given(ELEMENTS)
def test_an_element_printed_is_read_back(given_element: Element) -> None:
    assert element(str(given_element)) == given_element


PIECES = ["a", "b", "ALPHA", '"x"', '%s"y"', "%x41", "%d1-2", "%b1.1", "2", "*", "1*2", "(", ")"]
PIECES += ["[", "]", "/", "=", "=/", " ", " ", "\n", "\n ", "<b>", "<c d>", ";", '"', "-", ".", "%"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_what_abnf_refuses_is_refused_and_what_it_accepts_is_no_syntax_fault(text: str) -> None:
    source = f"a ={text}\nb = %x42\n"
    # Empty lines inside a rule, as page breaks leave them in RFCs, are read over here.
    filled = re.sub("\n+", "\r\n", source)
    try:
        ABNFGrammarRule("rulelist").parse_all(filled)
        accepted = True
    except ParseError:
        accepted = False
    try:
        read(source)
        causes = set()
    except GrammarError as error:
        causes = {fault.cause for fault in error.faults}
    if accepted:
        assert "syntax" not in causes
    else:
        assert "syntax" in causes


@given(st.text())
def test_any_text_is_a_grammar_or_a_grammar_error(text: str) -> None:
    try:
        assert read(text).rules
        found: tuple[Fault, ...] = ()
    except GrammarError as error:
        found = error.faults
    for fault in found:
        assert str(fault)
        assert fault.line >= 1
        assert 1 <= fault.column <= len(fault.source_line) + 1
        assert fault.column - 1 + fault.length <= len(fault.source_line)
