"""Grammars of one's own: sound whatever their header promises, linear whatever they repeat."""

from __future__ import annotations

import gc
import pickle
import re
import weakref
from collections.abc import Callable
from contextlib import suppress
from itertools import product

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput
from reports import well_formed
from tables import rows
from test_exports_proofs import ANCHORS, exported
from tiers import bound

import uriproof
from uriproof import grammars
from uriproof.data.explain import dividers, explain
from uriproof.grammar import registry
from uriproof.grammar.work import at_most
from uriproof.limits import MAX_STEPS_OF_WORK
from uriproof.workbench.abnf.lint import lint_abnf

pytestmark = pytest.mark.prove

SPLIT = "; imports: rfc3986\n; split: rfc3986-split\n; starts: strict\nstrict = "
DIVIDED = [
    '"x:" path-rootless',
    '"http:" "//" authority path-abempty',
    'host ":" port',
    'scheme ":" path-rootless / "//" host',
    'scheme "://" host ":" port path-abempty',
    'scheme "://" authority path-abempty "?" query "#" fragment',
]


@pytest.mark.parametrize("element", DIVIDED)
@bound("longest", 2, 3)
def test_a_rule_has_the_last_word_over_its_dividing_grammar(element: str, longest: int) -> None:
    """Appendix B does not divide these as their authors may think; the reports are sound."""
    grammar = uriproof.Grammar.from_abnf(SPLIT + element, name="strict")
    for length in range(longest + 1):
        for characters in product(":/?#@[a1%", repeat=length):
            text = "".join(characters)
            report = grammar.rule().check(text)
            assert (
                report.ok is grammar.rule().is_valid(text) is grammar.automaton().accepts(text)
            ), text
            well_formed(report)


def test_a_grammar_without_a_header_has_escapes_all_the_same() -> None:
    grammar = uriproof.Grammar.from_abnf('q = *( ALPHA / pct-encoded )\npct-encoded = "%" 2HEXDIG')
    first = grammar.rule().check("a%4gz").violations[0]
    assert (first.start, first.kind, first.production) == (1, "bad-escape", "pct-encoded")


def test_a_rule_that_is_no_component_is_its_own() -> None:
    grammar = uriproof.Grammar.from_abnf("port = 1*DIGIT")
    (violation,) = grammar.rule().check("8o").violations
    assert (violation.component, violation.code) == ("port", "port-illegal")
    assert list(grammar.rule().check("80").components) == ["port"]


@pytest.mark.parametrize("name", ["rfc5234", "rfc3986", "key-value", "rfc8259"])
def test_the_name_of_a_grammar_changes_nothing_but_its_name(name: str) -> None:
    """It may be that of a bundled grammar, of the core rules, even of one that it imports."""
    abnf = 'a = 1*DIGIT [ CRLF ]\nb = "B" a'
    grammar = uriproof.Grammar.from_abnf(abnf, name=name)
    assert [grammar["a"].is_valid(text) for text in ("12", "12\r\n", "")] == [True, True, False]
    faults, remarks = lint_abnf(
        abnf, name=name, file="g.abnf", resolve=lambda n: registry.load(n).model
    )
    assert (faults, [remark.code for remark in remarks]) == ((), [])
    own = uriproof.Grammar.from_abnf(f"; imports: {name} rfc5234\nmine = 2DIGIT", name=name)
    assert own.rule().is_valid("12")
    assert own.compiled.rule("mine").grammar == own.name != own.compiled.rule(own.rules[1]).grammar
    assert own.compiled.rule(own.rules[1]).grammar in {name, "rfc5234"}


PARTLY = """\
a = b "x" / c
b = 1*DIGIT
c = "(" d ")"
d = <some words>
e = 1*foo
f = b
loop = "x" loop
"""


def test_what_a_rule_does_not_reach_does_not_refuse_it() -> None:
    grammar = uriproof.Grammar.from_abnf(PARTLY, file="p.abnf")
    assert grammar.rules == ("b", "f", "DIGIT")
    assert grammar["b"].is_valid("12")
    assert grammar["f"].check("1x").violations[0].start == 1
    assert str(grammar["B"].parse("12").data) == "b"
    assert grammars.export("f", "regex", grammar)
    assert grammar.start == "a"
    assert "start a" in repr(grammar)


@pytest.mark.parametrize(
    ("rule", "way", "line"),
    [
        ("a", ("a", "c", "d"), 4),
        ("C", ("c", "d"), 4),
        ("e", ("e",), 5),
        ("loop", ("loop",), 7),
        (None, ("a", "c", "d"), 4),
    ],
)
def test_a_rule_that_leads_to_what_is_not_defined(
    rule: str | None, way: tuple[str, ...], line: int
) -> None:
    grammar = uriproof.Grammar.from_abnf(PARTLY, file="p.abnf")
    with pytest.raises(uriproof.UnusableRule) as caught:
        grammar.rule(rule)
    assert (caught.value.way, [f.line for f in caught.value.faults]) == (way, [line])
    first, place, *_ = str(caught.value).split("\n")
    assert first == f"rule {way[0]} cannot be used" + f": {' → '.join(way)}" * (len(way) > 1)
    assert place.startswith(f"p.abnf:{line}:")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301


def test_a_grammar_of_which_nothing_can_be_used() -> None:
    with pytest.raises(uriproof.GrammarError) as caught:
        uriproof.Grammar.from_abnf("a = b c\nb = <x y>")
    assert [fault.line for fault in caught.value.faults] == [1, 2]


@pytest.mark.parametrize(
    ("abnf", "advice"),
    rows("own-grammar", "what-to-do-about-a-name-that-means-nothing"),
)
def test_what_to_do_about_a_name_that_means_nothing(abnf: str, advice: str) -> None:
    faults, _ = lint_abnf(abnf, name="g", file="g.abnf", resolve=lambda n: registry.load(n).model)
    assert advice in faults[0].message


def test_prose_that_names_a_rule_of_an_imported_grammar() -> None:
    grammar = uriproof.Grammar.from_abnf(
        "; imports: rfc5234 rfc3986\n"
        'link = "<" URI-reference ">" / "{" p "}"\n'
        "URI-reference = <URI-reference, see [RFC3986], Section 4.1>\n"
        "p = <port, see [URI], Section 3.2.3>\n",
        name="link",
    )
    texts = "<../a?b>", "<a b>", "{80}", "{x}"
    assert [grammar.rule().is_valid(text) for text in texts] == [True, False, True, False]
    assert grammar.compiled.rule("URI-reference").grammar == "rfc3986"


@pytest.mark.parametrize(("abnf", "good", "bad"), rows("own-grammar", "what-is-rarely-written"))
def test_what_is_rarely_written_is_read_alike_by_all(
    abnf: str, good: tuple[str, ...], bad: tuple[str, ...]
) -> None:
    grammar = uriproof.Grammar.from_abnf(abnf)
    for target in ANCHORS:
        with suppress(uriproof.GrammarLimit):
            pattern = re.compile(exported(grammar.compiled, grammar.start, target))
            assert [bool(pattern.fullmatch(text)) for text in (*good, *bad)] == [
                *(True for _ in good),
                *(False for _ in bad),
            ], target
    parsers: list[Lark] = []
    with suppress(uriproof.GrammarLimit):  # LALR(1) cannot decide all of them
        text = grammars.export("r", "lark", grammar)
        (call,) = re.findall(r"^// (Lark\(.*\))$", text, re.MULTILINE)
        parsers += [grammar.lark(), eval(call, {"Lark": Lark, "text": text})]  # noqa: S307 -- ours
    for each in good:
        assert grammar.rule().is_valid(each)
        assert grammar.rule().check(each).ok
        assert "".join(map(str, grammar.rule().parse(each).scan_values(lambda _: True))) == each
        for parser in parsers:
            parser.parse(each)
    for each in bad:
        assert not grammar.rule().check(each).ok
        with pytest.raises(uriproof.InvalidURI):
            grammar.rule().parse(each)
        for parser in parsers:
            with pytest.raises(UnexpectedInput):
                parser.parse(each)


def test_a_grammar_that_lark_would_multiply_out_has_trees_all_the_same() -> None:
    """Options, groups and counts in a row: lark makes a production of each combination."""
    inner = 's = "a" t\nt = 1*"b" "c"'
    rows = [
        (" ".join(["[ s ]"] * 25), "abcabc"),
        (" ".join(['( s / "x" )'] * 25), "abcxxxxx" * 3 + "x" * 7),
        ("20( 20( s ) )", "abc" * 400),
    ]
    for row, text in rows:
        grammar = uriproof.Grammar.from_abnf(f"r = {row}\n{inner}")
        assert "".join(map(str, grammar.rule().parse(text).scan_values(lambda _: True))) == text
        with pytest.raises(uriproof.GrammarLimit, match="multiply"):
            grammar.lark()
        with pytest.raises(uriproof.GrammarLimit, match="multiply"):
            grammars.export("r", "lark", grammar)


LARGE = [
    ("r = " + " ".join(['["a"]'] * 2_000), "a" * 201, ["lark"]),
    ('r = 1000(1000(1000"a"))', "a", ["sample", "check"]),
    ("".join(f"r{i} = r{i + 1} r{i + 1}\n" for i in range(25)) + 'r25 = "a"', "a", ["sample"]),
    ("r = " + " ".join(['*("a"/"b")'] * 30), "ab", ["lark"]),
    ("r = " + " ".join(['*(%s"a"/%s"b"/"cd")'] * 30), "ab", ["lark"]),
    ('r = *1000000000( *1000000000"a" )', "a", []),
    (
        "".join(f'r{i} = [ r{(i + 1) % 60} ] [ r{(7 * i + 3) % 60} ] [ "a" ]\n' for i in range(60)),
        "aaa",
        ["lark"],
    ),
    ('r = *( %s"a" / %s"b" ) "a" 22( "a" / "b" ) s\ns = "c" *"d"', "a", []),
]


@pytest.mark.parametrize(("abnf", "text", "beyond"), LARGE)
def test_work_on_a_grammar_is_counted(abnf: str, text: str, beyond: list[str]) -> None:
    """Each door gives an answer or GrammarLimit; those that are ``beyond`` it give the latter."""
    grammar = uriproof.Grammar.from_abnf(abnf)
    rule = grammar.compiled.start
    doors: dict[str, Callable[[], object]] = {
        "is_valid": lambda: grammar.rule().is_valid(text),
        "check": lambda: grammar.rule().check(text),
        "parse": lambda: grammar.rule().parse(text),
        "lark": grammar.lark,
        "sample": lambda: next(grammars.sample(rule, grammar)),
        "near misses": lambda: next(grammars.near_misses(rule, grammar)),
        "explain": lambda: grammars.explain(text, rule, grammar),
        "compare": lambda: grammars.compare_rules(rule, "re:[ab]*", grammar),
        "describe": lambda: grammars.describe(rule, grammar).examples,
        "railroad": lambda: grammars.railroad(rule, grammar),
        "postgres": lambda: grammars.export(rule, "postgres", grammar),
        "re2": lambda: grammars.export(rule, "re2", grammar),
    }
    for name, door in doors.items():
        try:
            with suppress(uriproof.InvalidURI), at_most(8 * MAX_STEPS_OF_WORK):
                door()
            assert name not in beyond, name
        except uriproof.GrammarLimit:
            pass
    faults, remarks = lint_abnf(abnf, name="g", file="g", resolve=lambda n: registry.load(n).model)
    assert not faults
    assert all(remark.line for remark in remarks)


@bound("count", 10, 30)
def test_a_users_grammar_is_freed_with_all_that_was_made_of_it(count: int) -> None:
    """A few show it: a cache of any size that is not the grammar's keeps the last ones alive."""
    alive = []
    for number in range(count):
        grammar = uriproof.Grammar.from_abnf(f's = k ":" 1*DIGIT\nk = "k{number}"')
        use(grammar, f"k{number}:1", slow=number == count - 1)
        alive.append(weakref.ref(grammar.compiled))
        del grammar
    gc.collect()
    assert not [number for number, ref in enumerate(alive) if ref() is not None]


def use(grammar: uriproof.Grammar, text: str, slow: bool) -> None:
    """A grammar through the public doors; the slow ones only now and then."""
    grammar.rule().is_valid(text)
    grammar.rule().check("x")
    grammar.rule().parse(text)
    list(grammar.rule().check_many([text]))
    short = uriproof.Rule("s", grammar=grammar, policy=uriproof.Policy(max_length=9))
    assert short.is_valid(text)
    uriproof.Rule("URI", query=grammar).check(f"a:?{text}")
    plain = grammar["s"]
    plain.pattern("re2")
    dividers(plain, "re2")
    explain(plain, ["x"])
    if slow:
        for target in ("lark", "ecmascript", "json-schema"):
            grammars.export("s", target, grammar)
        grammar.lark()
        next(grammars.sample("s", grammar))
        next(grammars.near_misses("s", grammar))
        grammars.describe("s", grammar)
        grammars.explain(text, "s", grammar)
        grammars.railroad("s", grammar)
        grammars.compare_rules(grammar.automaton("s"), grammar.automaton("k"))
