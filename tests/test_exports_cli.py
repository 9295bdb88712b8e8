"""``uriproof grammar export``: what it writes, where, and what it says when it cannot."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from commands import Run
from test_exports import OWN

from uriproof.grammar import registry
from uriproof.grammar.compile.ambiguity import committed, finite
from uriproof.grammar.compile.rx import Rep, Rx, Set, choice, sequence
from uriproof.grammar.errors import GrammarLimit
from uriproof.workbench.export import UnknownTarget, export, targets

pytestmark = pytest.mark.prove

DOCS = Path(__file__).parent.parent / "docs" / "teach" / "exports.md"
RFC3986 = registry.load("rfc3986")


@pytest.fixture
def run(run: Run) -> Run:
    return partial(run, "grammar", "export")


@pytest.mark.parametrize("to", targets())
def test_each_target_is_written_by_its_name_and_says_what_it_needs(to: str, run: Run) -> None:
    text = export(RFC3986, "host", to).rstrip("\n") + "\n"
    assert run("host", "--to", to) == (0, text, "")
    title, note, *_ = targets()[to]
    assert note.endswith(".")
    notes = run("--notes")
    assert notes.code == 0
    assert f"{to}: {title}\n" in notes.out
    assert note.splitlines()[-1] in notes.out
    assert f"| `{to}` |" in DOCS.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "title"),
    [(["ipV6ADDRESS"], "IPv6address"), ([], "URI"), (["-g", "key-value"], "query")],
)
def test_a_rule_may_be_named_in_any_case_and_left_out(
    run: Run, arguments: list[str], title: str
) -> None:
    assert json.loads(run(*arguments, "--to", "json-schema").out)["title"] == title


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "uri.txt"
    file.write_text("before")
    assert run("zzz", "--to", "re2", "-o", str(file)).code == 2
    assert file.read_text() == "before"
    assert run("port", "--to", "re2", "-o", str(file)) == (0, "", "")
    assert file.read_text() == export(RFC3986, "port", "re2") + "\n"


@pytest.mark.parametrize("to", targets())
def test_a_grammar_that_is_not_regular_keeps_one_target(tmp_path: Path, run: Run, to: str) -> None:
    file = tmp_path / "nest.abnf"
    file.write_text('nest = "(" *nest ")" / word\nword = 1*ALPHA\n')
    code, out, err = run("nest", "-g", str(file), "--to", to)
    if to == "lark":
        assert (code, "word" in out, err) == (0, True, "")
    else:
        assert (code, "lark takes the rule as it is" in err) == (2, True)
    # What does not lead to it is as regular as ever.
    assert run("word", "-g", str(file), "--to", to).code == 0


def test_what_an_engine_cannot_do_is_refused_with_what_can() -> None:
    limits = registry.compile_abnf(
        """
nested  = *1000( 2*1000"a" "b" )
nothing = %xD800-DFFF
""",
        name="limits",
    )
    with pytest.raises(GrammarLimit, match=r"RE2 allows no repetitions.* more than 1000"):
        export(limits, "nested", "re2")
    assert "{2,1000}" in export(limits, "nested", "pcre2")
    with pytest.raises(GrammarLimit, match=r"no text that Rust can hold"):
        export(limits, "nothing", "rust")
    assert export(limits, "nothing", "ecmascript") == r"^(?:[\uD800-\uDFFF])$"
    with pytest.raises(UnknownTarget, match=r"no export to 'pcre'; did you mean pcre2\?"):
        export(limits, "nested", "pcre")


def test_no_pattern_that_could_take_long_is_written_for_an_engine_that_backtracks() -> None:
    slow = registry.compile_abnf('x = *( %x61-62 ) "a" *( %x61-63 ) "b" 9( %x61-62 )\n')
    for to in ("ecmascript", "java", "pcre2", "regex", "json-schema"):
        with pytest.raises(GrammarLimit, match=r"re2, rust and postgres"):
            export(slow, "x", to)
    assert export(slow, "x", "re2") == r"\A(?:[ab]*[Aa][a-c]*[Bb][ab]{9})\z"


A, B, BOTH = Set(((97, 97),)), Set(((98, 98),)), Set(((97, 98),))


@pytest.mark.parametrize(
    ("rx", "bound"),
    [
        (Rep(BOTH, 0, None), True),
        (sequence((Rep(BOTH, 0, None), A)), True),
        (sequence((A, Rep(sequence((Rep(BOTH, 0, None), A)), 0, 1))), True),
        # One text around a loop in two ways: exponential.
        (Rep(choice((sequence((A, A)), sequence((A, BOTH)))), 0, None), False),
        (Rep(Rep(sequence((A, B)), 1, None), 1, None), False),
        # One text around two loops and from one to the other: quadratic.
        (sequence((Rep(BOTH, 0, None), A, Rep(A, 0, None), B)), False),
        (sequence((Rep(A, 0, None), B, Rep(A, 0, None))), True),
        # Two ways that differ in nothing that is read.
        (
            Rep(
                sequence(
                    (Rep(sequence((Rep(A, 0, None), Rep(B, 0, None))), 0, 1), Set(((99, 99),)))
                ),
                0,
                None,
            ),
            False,
        ),
    ],
)
def test_ways_have_a_bound_or_not(rx: Rx, bound: bool) -> None:
    assert finite(rx) is bound


DOT = Set(((46, 46),))


@pytest.mark.parametrize(
    ("item", "rest", "right"),
    [
        # *( 1*a "." ) 1*a: what follows is no round.
        (sequence((Rep(A, 1, None), DOT)), Rep(A, 1, None), True),
        # *( 1*a "." ) 1*a [ "." ]: it may be one.
        (sequence((Rep(A, 1, None), DOT)), sequence((Rep(A, 1, None), Rep(DOT, 0, 1))), False),
        # *( a / a b ) c: a round that has been read as "a" may have had to be "ab".
        (choice((A, sequence((A, B)))), DOT, False),
    ],
)
def test_a_loop_is_possessive_only_where_it_never_has_to_give_back(
    item: Rx, rest: Rx, right: bool
) -> None:
    assert committed(item, rest) is right


def test_json_schema_rules_out_a_final_line_feed_where_it_can() -> None:
    assert json.loads(export(RFC3986, "URI", "json-schema"))["not"] == {"pattern": r"\n$"}
    assert "not" not in json.loads(export(OWN, "lines", "json-schema"))
    maybe = registry.compile_abnf('a = %x0A [ "b" ]\n')
    assert "not" not in json.loads(export(maybe, "a", "json-schema"))
