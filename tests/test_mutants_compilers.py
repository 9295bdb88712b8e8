"""What mutation testing found untested in the compilers: expressions, divisions, shapes, traces.

Owns the tests that were written because a changed compiler passed all others;
docs/evidence/mutation.md says how. Imports the compilers. Invariant: an expression that
is expected is also proved.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tables import table

from uriproof.grammar import registry
from uriproof.grammar.compile.read_regex import read_regex
from uriproof.grammar.compile.shapes import Slot, listed, shapes
from uriproof.grammar.compile.to_regex import to_captures
from uriproof.grammar.errors import GrammarLimit
from uriproof.grammar.machine.automaton import DEAD
from uriproof.grammar.machine.product import difference
from uriproof.grammar.registry import compile_abnf

pytestmark = pytest.mark.prove

GRAMMARS = Path(__file__).parent.parent / "grammars"


# The compilers give what the build wrote


def test_what_is_compiled_anew_is_as_built() -> None:
    source = (GRAMMARS / "key-value.abnf").read_text("utf-8")
    anew, built = compile_abnf(source, "key-value"), registry.load("key-value")
    for rule in built.model.rules:
        assert anew.regex(rule) == built.regex(rule)
        assert anew.find_alternatives(rule) == built.alternatives(rule)
        assert anew.regular(rule) is built.regular(rule)
        a, b = anew.trace(rule), built.trace(rule)
        assert a.automaton[1:] == b.automaton[1:]
        assert (a.items, a.escape, a.escape_words) == (b.items, b.escape, b.escape_words)


# The shape of expressions

EXPRESSIONS: dict[str, str | None] = table("mutants-compilers", "expressions")


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
    model = compile_abnf("whole = x y\nx = *( %x61.62 [ %x62 ] )\ny = %x62").model
    found = re.fullmatch(to_captures(model, "whole")[0], "abb")
    assert found is not None
    assert found.groups() == ("ab", "b")


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
        'r = year [ "-" ] 2DIGIT',  # a terminal that is not a delimiter
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


def test_a_way_that_ends_nowhere_is_no_state() -> None:
    never = r"[^\x00-\U0010ffff]"
    for pattern in (f"a{never}|b", f"(?:a{never})*b"):
        rows = read_regex(pattern).rows
        assert [[t for t in row if t != DEAD] for row in rows] == [[1], []]
