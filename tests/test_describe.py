"""Descriptions of rules, held against the automata, which know nothing of how they are found."""

from __future__ import annotations

import json
import re

import pytest
from tiers import bound

from uriproof.grammar.charset import Ranges, of_char, union
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.machine.automaton import DEAD, Automaton
from uriproof.grammar.machine.first_sets import Facts
from uriproof.grammar.machine.nfa import Nfa
from uriproof.grammar.model import Alternation, CharVal, Model, Rule
from uriproof.grammar.registry import compile_abnf, load
from uriproof.limits import MAX_EXAMPLE
from uriproof.workbench.describe import Description, Names, describe, facts

pytestmark = pytest.mark.prove

RFC3986 = load("rfc3986")
SOME = ("key-value", "rfc2397", "rfc3261", "rfc3986", "rfc3987", "rfc6570", "rfc8259", "whatwg-url")
"""Grammars that together have all kinds of elements, and rules that are not regular."""
each_grammar = pytest.mark.parametrize("name", SOME)


def moves(automaton: Automaton, state: int) -> Ranges:
    """The characters that lead on from a state."""
    row = automaton.rows[state]
    return union(*(automaton.alphabet.ranges(c) for c, t in enumerate(row) if t != DEAD))


def longest(automaton: Automaton) -> int | None:
    """The greatest length of an accepted text, from the automaton; None if it has a circle."""
    found: dict[int, int] = {}
    path: set[int] = set()

    def of(state: int) -> int | None:
        if state in path:
            return None
        if state not in found:
            path.add(state)
            most = 0
            for target in {t for t in automaton.rows[state] if t != DEAD}:
                further = of(target)
                if further is None:
                    return None
                most = max(most, further + 1)
            path.discard(state)
            found[state] = most
        return found[state]

    return of(0)


@each_grammar
def test_facts_are_those_of_the_automata(name: str) -> None:
    grammar = load(name)
    for rule in filter(grammar.regular, grammar.model.rules):
        automaton = grammar.automaton(rule)
        it = facts(grammar)
        assert it.shortest[rule].length == automaton.distances()[0], rule
        assert (it.shortest[rule].length == 0) == (0 in automaton.accepting), rule
        assert it.greatest[rule] == longest(automaton), rule
        assert it.first[rule] == moves(automaton, 0), rule
        everywhere = union(*(moves(automaton, s) for s in range(len(automaton.rows))))
        assert it.characters[rule] == everywhere, rule


@each_grammar
def test_what_follows_is_what_stands_after_a_rule_in_the_machine(name: str) -> None:
    grammar = load(name)
    if not all(map(grammar.regular, grammar.model.starts)):
        pytest.skip("no machine has all of a grammar that is not regular")
    expected: dict[str, tuple[Ranges, bool]] = {}
    for start in grammar.model.starts:
        nfa = Nfa(grammar.model, start)
        for rule, after in nfa.references:
            closed = nfa.closure([after])
            ranges = union(*(nfa.symbols[p] or () for p in closed))
            before = expected.get(rule, ((), False))
            expected[rule] = union(before[0], ranges), before[1] or 0 in closed
    found = {rule: (f.ranges, f.end) for rule, f in facts(grammar).follow.items()}
    assert found == expected


def said(names: tuple[str, ...], grammar: Compiled) -> Ranges:
    """The set that names say: of rules the automaton's, of labels what is written."""
    sets: list[Ranges] = []
    for name in names:
        if name in grammar.model.rules:
            automaton = grammar.automaton(name)
            assert longest(automaton) == automaton.distances()[0] == 1, f"{name} is a set"
            sets.append(moves(automaton, 0))
        elif found := re.fullmatch('"(.)"-"(.)"', name):
            sets.append(((ord(found[1]), ord(found[2])),))
        elif found := re.fullmatch('"(.)"(i?)', name):
            sets.append(of_char(found[1], not found[2]))
        else:
            first, _, last = name.removeprefix("%x").partition("-")
            sets.append(((int(first, 16), int(last or first, 16)),))
    assert sum(high - low + 1 for s in sets for low, high in s) == sum(
        high - low + 1 for low, high in union(*sets)
    ), f"{names} overlap"
    return union(*sets)


@each_grammar
def test_names_say_exactly_the_set(name: str) -> None:
    grammar = load(name)
    for rule in grammar.model.rules:
        it = describe(grammar, rule)
        for characters in filter(None, (it.first, it.follow, it.characters)):
            assert said(characters.names, grammar) == characters.ranges, rule


@each_grammar
def test_examples_are_texts_of_the_rule(name: str) -> None:
    grammar = load(name)
    for rule in grammar.model.rules:
        it = describe(grammar, rule)
        assert it.examples, rule
        for example in it.examples:
            assert example.text is not None, rule
            assert grammar.accepts(rule, example.text), (rule, example)
            assert example.length == len(example.text)
        assert min(e.length for e in it.examples) == it.least
        element = grammar.rule(rule).element
        if isinstance(element, Alternation) and len(element.items) <= len(it.examples):
            own = [e.element for e in it.examples[: len(element.items)]]
            assert own == [str(i) for i in element.items]


def test_a_description() -> None:
    it = describe(RFC3986, "ipv4ADDRESS")
    assert (it.name, it.grammar, it.section) == ("IPv4address", "rfc3986", "3.2.2")
    assert (it.component, it.leaf, it.start) == ("host", True, False)
    assert (it.uses, it.used_by) == (("dec-octet",), ("host", "ls32"))
    assert (it.least, it.greatest, it.empty) == (7, 15, False)
    assert it.states == len(RFC3986.automaton("IPv4address").rows)
    plain = json.loads(json.dumps(it.to_dict()))
    assert list(plain) == list(Description.__slots__)
    assert plain["follow"]["names"] == ['"#"', '"/"', '":"', '"?"', '"]"']
    assert plain["characters"] == {"names": ["DIGIT", '"."'], "ranges": [[46, 46], [48, 57]]}
    element = 'dec-octet "." dec-octet "." dec-octet "." dec-octet'
    assert plain["examples"][0] == {"element": element, "text": ".".join("0000"), "length": 7}
    assert (plain["ends"], plain["notes"]) == (True, [])
    assert describe(load("rfc2397"), "dataurl").schemes == ("data",)


def test_a_rule_that_no_start_rule_leads_to() -> None:
    model = Model("m", "", {n: Rule(n, CharVal(n), "", "m", "", 1) for n in "ab"}, ("a",))
    it = describe(Compiled(model=model), "b")
    assert (it.follow, it.ends) == (None, False)
    assert it.notes == ("no start rule leads to it, so nothing follows it",)


# Names


@pytest.mark.parametrize(
    ("ranges", "names"),
    [
        (((0x30, 0x39),), ("DIGIT",)),
        (((0x30, 0x31),), ("BIT",)),
        (((0x30, 0x32),), ('"0"', '"1"', '"2"')),
        (((0x30, 0x38),), ('"0"-"8"',)),
        (((0x41, 0x41), (0x61, 0x61)), ('"a"i',)),
        (((0x41, 0x41), (0x62, 0x62)), ('"A"', '"b"')),
        (((0x0D, 0x0D), (0x20, 0x20), (0x25, 0x25)), ("CR", "SP", '"%"')),
        (((0xE000, 0xF8FF),), ("%xE000-F8FF",)),
        ((), ()),
    ],
)
def test_names_of_sets(ranges: Ranges, names: tuple[str, ...]) -> None:
    assert Names(Facts(load("rfc5234").model)).of(ranges) == names


# Rules that come back to themselves


def test_a_rule_that_comes_back_at_its_end() -> None:
    it = describe(compile_abnf('a = "x" a / "y"\n'), "a")
    assert (it.least, it.greatest, it.states) == (1, None, 2)
    assert describe(compile_abnf('a = b\nb = "%"\n'), "a").first.names == ('"%"',)
    assert describe(compile_abnf('a = b "z"\nb = [ "y" ]\n'), "b").first.names == ('"y"i',)
    assert it.uses == it.used_by == ("a",)


@pytest.mark.parametrize(
    ("abnf", "greatest", "shortest", "first", "follow"),
    [
        ('a = "(" a ")" / "x"', None, "x", "(Xx", ")"),
        ('a = b / "x"\nb = a / "yy"', 2, "x", "XYxy", ""),
        ('a = e a / "x"\ne = ""', 1, "x", "Xx", ""),
        ('a = a a / "x" / ""', None, "", "Xx", "Xx"),
        ('a = a "+" / "n"', None, "n", "Nn", "+"),
    ],
)
def test_circles(abnf: str, greatest: int | None, shortest: str, first: str, follow: str) -> None:
    it = facts(compile_abnf(f"{abnf}\n"))
    assert (it.greatest["a"], it.shortest["a"].text) == (greatest, shortest)
    assert it.first["a"] == union(*(of_char(c, True) for c in first))
    assert it.follow["a"].ranges == union(*(of_char(c, True) for c in follow))
    assert it.follow["a"].end


# Hostile grammars: bounded


def test_an_example_that_would_be_too_long_is_not_spelled_out() -> None:
    doubled = "".join(f"r{i} = r{i + 1} r{i + 1}\n" for i in range(60)) + 'r60 = "x"\n'
    it = facts(compile_abnf(doubled))
    assert (it.shortest["r0"].length, it.shortest["r0"].text) == (2**60, None)
    assert it.greatest["r0"] == 2**60
    assert len(it.shortest["r52"].text or "") == 256 <= MAX_EXAMPLE
    many = describe(compile_abnf('a = 1000( "xy" )\n'), "a")
    assert [(e.text, e.length) for e in many.examples] == [(None, 2000)]


@bound("count", 300, 3_000)
def test_thousands_of_rules(count: int) -> None:
    chain = "".join(f'r{i} = "x" / r{i + 1} "y"\n' for i in range(count)) + f'r{count} = "z"\n'
    it = facts(compile_abnf(chain))
    assert it.greatest["r0"] == count + 1
    assert it.shortest["r0"].text == "x"
    assert it.follow[f"r{count}"].ranges == ((0x59, 0x59), (0x79, 0x79))
    circle = "".join(f'r{i} = "a" r{(i + 1) % 500} / "b"\n' for i in range(500))
    assert facts(compile_abnf(circle)).greatest["r0"] is None


def test_a_rule_that_is_not_regular_lacks_its_automaton_alone() -> None:
    it = describe(compile_abnf('expr = "(" expr ")" / term\nterm = 1*DIGIT\n'), "expr")
    assert it.states is None
    assert [note for note in it.notes if "not regular" in note] == list(it.notes) != []
    assert (it.first.names, it.least, it.greatest) == (("DIGIT", '"("'), 1, None)
    assert [e.text for e in it.examples] == ["(0)", "0"]
