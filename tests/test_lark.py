"""The lark grammars: as files for lark alone, and as parsers of grammars of one's own."""

from __future__ import annotations

import re
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any

import build_grammars
import pytest
from lark import Lark, Token, Transformer, Tree
from lark.exceptions import UnexpectedInput
from tables import rows
from test_trees import shape

import uriproof
from uriproof import grammars
from uriproof.grammar import registry
from uriproof.grammar.compile.to_lark import rule_identifier
from uriproof.grammar.errors import GrammarLimit
from uriproof.grammar.machine.sample import cover, neighbors, samples
from uriproof.workbench.samples import misses

GENERATED = Path(uriproof.__file__).parent / "_generated"
FILES = sorted(GENERATED.glob("*/*.lark"))
LINE = re.compile(r'^// +(Lark\.open\(".*?", start="(.*?)".*\))$', re.MULTILINE)
UNDECIDED = {"label-object-explode", "path", "ipath"}
"""Start rules that need more than one terminal of lookahead: their files do not load them."""

pytestmark = pytest.mark.prove


def joined(tree: Any) -> str:
    return "".join(map(str, tree.scan_values(lambda _: True)))


LINES = [
    (file.stem, *call) for file in FILES for call in LINE.findall(file.read_text(encoding="utf-8"))
]


def test_the_stored_files_name_all_start_rules() -> None:
    assert sorted(f.stem for f in FILES) == sorted(build_grammars.SHOWN)
    wanted = [
        (file.stem, rule_identifier(start))
        for file in FILES
        for start in registry.load(file.stem).model.starts
        if start not in UNDECIDED
    ]
    assert [(name, start) for name, _, start in LINES] == wanted


@pytest.mark.parametrize(("name", "call", "start"), LINES)
def test_the_line_in_the_header_gives_a_parser_of_the_rule(
    name: str, call: str, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(GENERATED / name.replace("-", "_"))
    parser: Lark = eval(call, {"Lark": Lark})  # noqa: S307 -- the line as it stands
    grammar = uriproof.Grammar.load(name)
    rule = grammar.rule_name(start)
    good, bad = drawn(grammar, rule, 100)
    for text in good:
        tree = parser.parse(text)
        assert joined(tree) == text
        assert shape(tree) == shape(grammar[rule].parse(text)), text
    for text in bad:
        with pytest.raises(UnexpectedInput):
            parser.parse(text)


def drawn(grammar: uriproof.Grammar, rule: str, most: int) -> tuple[list[str], list[str]]:
    """Texts of a rule, and texts that are not, an edit away from such."""
    random = Random(1)  # noqa: S311 -- test data
    if not grammar.compiled.regular(rule):
        good = [*islice(grammars.sample(rule, grammar, seed=2), most)]
        return good, [miss.text for miss in islice(misses(grammar.compiled, rule, seed=2), most)]
    machine = grammar.automaton(rule)
    good = [*cover(machine), *islice(samples(machine, seed=2), 50)]
    good = random.sample(good, min(len(good), most))
    near = chain.from_iterable(neighbors(text, machine, random, 2) for text in good)
    return good, [text for text in near if not machine.accepts(text)]


class Host(Transformer[Token, Any]):
    """An authority as values, by a Transformer such as users of lark write."""

    def reg_name(self, children: list[Token]) -> str:
        return "".join(children).lower()

    def host(self, children: list[Any]) -> Any:
        return children[0]

    def port(self, children: list[Token]) -> int:
        return int(children[0])

    def authority(self, children: list[Any]) -> list[Any]:
        return [c for c in children if not isinstance(c, Token)]


@pytest.mark.parametrize("from_file", [True, False])
def test_a_transformer_of_ones_own(from_file: bool) -> None:
    if from_file:
        path = GENERATED / "rfc3986" / "rfc3986.lark"
        parser = Lark.open(str(path), start="uri", parser="lalr", keep_all_tokens=True)
    else:
        parser = uriproof.Grammar.load("rfc3986").lark()
    tree = parser.parse("http://EXAMPLE.com:80/a")
    (authority,) = tree.find_data("authority")
    assert Host().transform(authority) == ["example.com", 80]


def test_options_go_to_lark() -> None:
    grammar = uriproof.Grammar.load("rfc3986")
    parser = grammar.lark("authority", transformer=Host(), keep_all_tokens=False)
    assert parser.parse("A:1") == ["a", 1]
    own = uriproof.Grammar.from_abnf('r = "GET" %s"PUT" ":" %x41-42 x\nx = 1*DIGIT')
    tree = own.lark(keep_all_tokens=False).parse("getPUT:A1")
    assert tree.children == ["get", "A", Tree("x", ["1"])]
    tree = grammar.lark("URI", propagate_positions=True).parse("urn:a")
    assert isinstance(tree, Tree)
    (inner,) = tree.find_data("hier_part")
    assert inner.meta.start_pos == 4


def test_an_address_is_spelled_by_its_rules() -> None:
    tree = uriproof.parse("[1::2:1.2.3.4]", "IP-literal")
    assert tree.children[1].data == "IPv6address"
    assert [str(n.children[0]) for n in tree.find_data("h16")] == ["1", "2"]
    assert next(tree.find_data("ls32")).children[0].data == "IPv4address"


@pytest.mark.parametrize(("abnf", "rule", "text", "found"), rows("lark", "undecided"))
def test_the_first_alternative_wins_wherever_its_rule_stands(
    abnf: str, rule: str, text: str, found: str
) -> None:
    grammar = uriproof.Grammar.from_abnf(abnf)
    tree = grammar[rule].parse(text)
    assert found in map(rule_identifier, (str(node.data) for node in tree.iter_subtrees()))
    with pytest.raises(GrammarLimit, match=f"cannot decide {rule}"):  # it takes another one
        grammar.lark(rule)


CHARACTERS = "r = a / b\na = %x61 / c\nb = DIGIT\nc = %x62-63"


def test_a_rule_of_characters_alone_is_one_token() -> None:
    rfc3986, own = uriproof.Grammar.load("rfc3986"), uriproof.Grammar.from_abnf(CHARACTERS)
    for grammar, rule, text in ((rfc3986, "reserved", "]"), (own, "r", "1"), (own, "r", "c")):
        tree = grammar[rule].parse(text)
        assert tree == grammar.lark(rule).parse(text) == Tree(rule, [text])


@pytest.mark.parametrize(
    "abnf",
    [
        "value = *( ALPHA [ 1*( SP / ALPHA ) ALPHA ] )",
        "; leaves: value\nvalue = *note 1*ALPHA SP 1*ALPHA\nnote = %x28 *( ALPHA / note ) %x29",
        '; leaves: value\nvalue = 1*( "cd" / "c" / "d" / SP / "ef" )',
    ],
)
def test_a_leaf_that_no_terminal_reads_is_left_to_parse(abnf: str) -> None:
    header, value = abnf.split("\n", 1) if abnf.startswith(";") else ("", abnf)
    line = 'line = name ":" value\nname = 1*ALPHA'
    grammar = uriproof.Grammar.from_abnf(f"; starts: line\n{header}\n{line}\n{value}")
    tree = grammar["line"].parse("ab:cd ef")
    assert tree == Tree("line", [Tree("name", ["ab"]), ":", Tree("value", ["cd ef"])])
    with pytest.raises(GrammarLimit, match="value"):
        grammar.lark("line")
    with pytest.raises(GrammarLimit, match="value"):
        grammars.export("line", "lark", grammar)
