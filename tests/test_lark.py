"""The lark grammars: as files for lark alone, and as parsers of grammars of one's own."""

from __future__ import annotations

import re
from itertools import chain, islice, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lark import Lark, Token, Transformer, Tree
from lark.exceptions import UnexpectedInput
from tiers import quick

import uriproof
from uriproof.grammar import registry
from uriproof.grammar.compile.to_lark import rule_identifier
from uriproof.grammar.derive.explain import explain
from uriproof.grammar.machine.sample import cover, neighbours, samples

GENERATED = Path(uriproof.__file__).parent / "_generated"
FILES = sorted(GENERATED.glob("*/*.lark"))
LINE = re.compile(r'^// +(Lark\.open\(".*?", start="(.*?)".*\))$', re.MULTILINE)
FAST, SLOW = 100, 20
QUICK = ("key_value", "rfc3966")
"""Grammars with a file that is read at once: one for each of lark's parsers."""


def plain(tree: Any) -> Any:
    """A tree as names and texts, the names as lark spells them."""
    if isinstance(tree, Token):
        return str(tree)
    return rule_identifier(str(tree.data)), [plain(child) for child in tree.children]


def lines() -> list[tuple[str, str, str]]:
    found = []
    for file in FILES:
        calls = LINE.findall(file.read_text(encoding="utf-8"))
        assert calls, file
        found += [(file.stem, *call) for call in calls]
    return found


LINES = lines()


def test_every_grammar_has_a_file_that_names_all_its_start_rules() -> None:
    assert [f.stem for f in FILES] == sorted(registry.names(), key=lambda n: n.replace("-", "_"))
    for file in FILES:
        starts = [start for _, start in LINE.findall(file.read_text(encoding="utf-8"))]
        model = registry.load(file.stem).model
        assert starts == [rule_identifier(s) for s in model.starts], file


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_the_files_read_well(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for line in text.splitlines():
        assert len(line) <= 100 or LINE.match(line), line
    for rule in registry.load(file.stem).model.starts:
        assert re.search(rf"^{rule_identifier(rule)}:", text, re.MULTILINE), rule


@pytest.mark.parametrize(
    ("name", "call", "start"), quick(LINES, among=[x for x in LINES if x[0] in QUICK])
)
def test_the_line_in_the_header_gives_a_parser_of_the_rule(
    name: str, call: str, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(GENERATED / name)
    parser: Lark = eval(call, {"Lark": Lark})  # noqa: S307 -- the line as it stands
    grammar = uriproof.Grammar.load(name)
    rule = grammar.rule_name(start)
    machine = grammar.automaton(rule)
    random = Random(1)  # noqa: S311 -- test data
    good = [*cover(machine), *islice(samples(machine, seed=2), 50)]
    good = random.sample(good, min(len(good), FAST if '"lalr"' in call else SLOW))
    for text in good:
        tree, expected = parser.parse(text), grammar.parse(text, rule)
        assert "".join(map(str, tree.scan_values(lambda _: True))) == text
        # Earley may choose another reading where a text has several.
        if '"lalr"' in call or explain(grammar.compiled, rule, text).count == 1:
            assert plain(tree) == plain(expected), text
    for text in chain.from_iterable(neighbours(t, machine, random, 2) for t in good):
        if not machine.accepts(text):
            with pytest.raises(UnexpectedInput):
                parser.parse(text)


class Host(Transformer[Token, Any]):
    """What a URI's authority is made of, by a Transformer such as users of lark write."""

    def reg_name(self, children: list[Token]) -> str:
        return "".join(children).lower()

    def ipv6address(self, children: list[Any]) -> str:
        return "".join(str(child) for child in children)

    def h16(self, children: list[Token]) -> str:
        return children[0].lower()

    def ls32(self, children: list[Any]) -> str:
        return "".join(str(child) for child in children)

    def host(self, children: list[Any]) -> Any:
        return children[0]

    def ip_literal(self, children: list[Any]) -> Any:
        return children[1] if len(children) > 1 else children[0]

    def port(self, children: list[Token]) -> int | None:
        return int(children[0]) if children else None

    def authority(self, children: list[Any]) -> list[Any]:
        return [c for c in children if not isinstance(c, Token)]

    def hier_part(self, children: list[Any]) -> Any:
        return next(c for c in children if isinstance(c, list))

    def uri(self, children: list[Any]) -> Any:
        return next(c for c in children if isinstance(c, list))


@pytest.mark.parametrize("from_file", [True, False])
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("http://EXAMPLE.com:80/a", ["example.com", 80]),
        ("http://[2001:DB8::1]:8080/", ["2001:db8::1", 8080]),
        ("x://[::]", ["::"]),
    ],
)
def test_a_transformer_of_ones_own(text: str, found: list[Any], from_file: bool) -> None:
    if from_file:
        path = GENERATED / "rfc3986" / "rfc3986.lark"
        parser = Lark.open(str(path), start="uri", parser="lalr", keep_all_tokens=True)
    else:
        parser = uriproof.Grammar.load("rfc3986").lark()
    assert Host().transform(parser.parse(text)) == found


def test_options_go_to_lark() -> None:
    grammar = uriproof.Grammar.load("rfc3986")
    parser = grammar.lark("authority", transformer=Host(), keep_all_tokens=False)
    assert parser.parse("A:1") == ["a", 1]
    tree = grammar.lark("URI", propagate_positions=True).parse("urn:a")
    assert isinstance(tree, Tree)
    (inner,) = tree.find_data("hier_part")
    assert inner.meta.start_pos == 4
    assert grammar.rule_name("hier_part") == "hier-part"


def test_an_address_is_spelled_by_its_rules() -> None:
    tree = uriproof.parse("[1::2:1.2.3.4]", "IP-literal")
    assert tree.children[1].data == "IPv6address"
    assert [str(n.children[0]) for n in tree.find_data("h16")] == ["1", "2"]
    assert next(tree.find_data("ls32")).children[0].data == "IPv4address"


@pytest.mark.parametrize(
    ("abnf", "good", "bad"),
    [
        ('r = *( "x" ( *"a" / "b" "c" ) ) "d"', ["d", "xaad", "xd", "xaxd"], ["", "xbd", "xc"]),
        ('r = 1*( "a" / "ab" / "b" )', ["ab", "aab", "ba"], ["", "c"]),
        ('r = x / y\nx = *( *"a" *"a" ) "b"\ny = *"a" "c"', ["ac", "aab"], ["aa"]),
        ('r = "k" "sip" "id"', ["ksipid", "KSIPID"], ["\u212asipid", "k\u017fipid", "ks\u0131pid"]),
        ('list = "(" *list ")"', ["()", "(()())"], ["", "(", "())"]),
        ('sum = item *( "+" item )\nitem = DIGIT / "(" sum ")"', ["1+(2+3)", "1"], ["1+", "(1"]),
    ],
)
def test_a_parser_of_a_grammar_of_ones_own(abnf: str, good: list[str], bad: list[str]) -> None:
    grammar = uriproof.Grammar.from_abnf(abnf)
    parser = grammar.lark()
    for text in good:
        for tree in (parser.parse(text), grammar.parse(text)):
            assert "".join(map(str, tree.scan_values(lambda _: True))) == text
    for text in bad:
        with pytest.raises(UnexpectedInput):
            parser.parse(text)


def test_unknown_rules() -> None:
    with pytest.raises(uriproof.UnknownRule, match="did you mean hier-part"):
        uriproof.Grammar.load("rfc3986").lark("hier-parts")


@pytest.mark.parametrize("seed", quick(range(40), 4))
def test_trees_of_random_grammars(seed: int) -> None:
    """The tokens, joined, are the text; and every node's rule accepts the text of the node."""
    random = Random(seed)  # noqa: S311 -- test data
    grammar = uriproof.Grammar.from_abnf(random_grammar(random))
    parser = grammar.lark()
    for length in range(5):
        for letters in islice(product("abcA", repeat=length), 120):
            text = "".join(letters)
            if not grammar.is_valid(text):
                with pytest.raises(UnexpectedInput):
                    parser.parse(text)
                continue
            assert "".join(map(str, parser.parse(text).scan_values(lambda _: True))) == text
            for node in grammar.parse(text).iter_subtrees():
                inner = "".join(map(str, node.scan_values(lambda _: True)))
                assert grammar.is_valid(inner, node.data), (text, node)


TERMINALS = ['"a"', '"b"', '%s"A"', '"ab"', '"aB"', "%x61", "%x61-62", '"c"', "%x61.62"]


def random_grammar(random: Random) -> str:
    """Four rules, each of which may refer to those after it."""

    def element(names: list[str], depth: int) -> str:
        kind = random.random() if depth else 0
        if kind < 0.35:
            return random.choice([*TERMINALS, *names])
        if kind < 0.75:
            several = [element(names, depth - 1) for _ in range(random.randint(2, 3))]
            return f"( {random.choice([' ', ' / ']).join(several)} )"
        return f"{random.choice(['*', '1*', '*1', '0*2', '2'])}( {element(names, depth - 1)} )"

    names = list("rxyz")
    return "\n".join(f"{n} = {element(names[i + 1 :], 3)}" for i, n in enumerate(names))
