"""Remarks on ABNF: each kind of doubt, its place, and that what is said is true."""

from __future__ import annotations

import json
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from tables import rows

from uriproof.grammar.model import Alternation, CharVal, Concatenation, Element, Repetition
from uriproof.grammar.registry import compile_abnf, load
from uriproof.workbench.abnf.lint import CODES, Remark, lint_abnf
from uriproof.workbench.overlaps import overlaps

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parents[1]


def lint(text: str) -> list[Remark]:
    faults, remarks = lint_abnf(
        text, name="test", file="test.abnf", resolve=lambda n: load(n).model
    )
    assert faults == ()
    return list(remarks)


@pytest.fixture
def run(run: Run) -> Run:
    return partial(run, "grammar", "check")


@pytest.mark.parametrize(
    ("text", "line", "column", "length", "code", "words", "witness"),
    rows("lint-abnf", "remarks"),
)
def test_remarks(
    text: str, line: int, column: int, length: int, code: str, words: str, witness: str | None
) -> None:
    (found,) = [r for r in lint(text) if r.code == code]
    assert (found.line, found.column, found.length) == (line, column, length)
    assert words in found.message
    assert found.witness == witness
    assert code in CODES


@pytest.mark.parametrize(
    "text",
    [
        *('a = "x" / "y"', 'a = %s"x" / %s"X"', 'a = *( "a" / "b" )', 'a = [ "a" ] "b"'),
        *('a = 0DIGIT "x"', 'a = "x" a / "y"', "a = %x00-10FFFF", "a = <DIGIT>", 'a = 999"x"'),
        *('a = *1( *"x" )', '; starts: a b\na = "x"\nb = "y"', 'a = "x" / b\nb = "y" / "z" a'),
    ],
)
def test_no_remark(text: str) -> None:
    assert lint(text) == []


def test_a_remark_is_drawn() -> None:
    (found,) = lint('a = "x" /\n    "X"')
    why = '"X" can never win: all that it accepts, such as "X", "x" before it accepts'
    assert str(found).split("\n") == [
        f"test.abnf:2:5: shadowed-alternative: {why}",
        '    "X"',
        "    ^^^",
    ]


def test_a_grammar_with_faults_has_no_remarks() -> None:
    faults, remarks = lint_abnf("a = b /", name="g", file="g", resolve=lambda n: load(n).model)
    assert [f.cause for f in faults] == ["undefined", "syntax"]
    assert remarks == ()


@pytest.mark.parametrize(
    ("name", "remarked"),
    [
        (
            "rfc3986",
            [
                ("ambiguous-alternatives", "host          = IP-literal / IPv4address / reg-name"),
                ("shadowed-alternative", "/ path-absolute"),
                ("ambiguous-alternatives", "/ path-rootless"),
                ("shadowed-alternative", "/ path-empty"),
            ],
        ),
        ("rfc5234", []),
        ("key-value", []),
    ],
)
def test_bundled_grammars(name: str, remarked: list[tuple[str, str]]) -> None:
    text = (ROOT / "grammars" / f"{name}.abnf").read_text("utf-8")
    lines = [line.split(";")[0].strip() for line in text.split("\n")]
    assert sorted((r.code, lines[r.line - 1]) for r in lint(text)) == sorted(remarked)


def around(inner: st.SearchStrategy[Element]) -> st.SearchStrategy[Element]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    bounds = st.sampled_from([(0, None), (1, None), (0, 1), (2, 2), (1, 3), (0, 0), (2, None)])
    return st.one_of(
        several.map(Concatenation),
        several.map(Alternation),
        st.tuples(inner, bounds).map(lambda p: Repetition(p[0], *p[1])),
    )


leaves = st.sampled_from([CharVal("a"), CharVal("b"), CharVal("ab"), CharVal("")])
elements = st.recursive(leaves, around, max_leaves=6)


@given(st.lists(elements, min_size=2, max_size=4))
def test_overlaps_are_those_of_the_languages(alternatives: list[Element]) -> None:
    """Compared text by text, of all up to five characters."""
    rules = "\n".join(f"r{i} = {element}" for i, element in enumerate(alternatives))
    compiled = compile_abnf(
        f"; starts: {' '.join(f'r{i}' for i in range(len(alternatives)))}\n{rules}"
    )
    texts = ["".join(t) for n in range(6) for t in product("ab", repeat=n)]
    languages = [
        {t for t in texts if compiled.accepts(f"r{i}", t)} for i in range(len(alternatives))
    ]
    found = {o.number: o for o in overlaps(compiled.model, alternatives, compiled.alphabet)}
    for number, own in enumerate(languages):
        before = set().union(*languages[:number])
        if own & before:
            assert number in found
        if number in found:
            overlap = found[number]
            text = overlap.witness
            assert compiled.accepts(f"r{number}", text.lower())
            assert compiled.accepts(f"r{overlap.earlier[0]}", text.lower())
            if overlap.whole:
                assert own <= set().union(*(languages[n] for n in overlap.earlier))
            if len(text) <= 5:
                assert len(text) == min(len(t) for t in own & languages[overlap.earlier[0]])


def test_rules_that_double_are_too_large_and_nothing_else() -> None:
    doubling = "\n".join(f"r{i} = r{i + 1} r{i + 1}" for i in range(40))
    found = lint(f'{doubling}\nr40 = "a" / "A"')
    assert [(r.code, r.line) for r in found] == [("too-large", 1), ("shadowed-alternative", 41)]


# The command


def test_command(tmp_path: Path, run: Run) -> None:
    good, doubtful, bad = (tmp_path / n for n in ("good.abnf", "doubtful.abnf", "bad.abnf"))
    good.write_text('a = "b"\n')
    doubtful.write_text('a = "b" / "B"\n')
    bad.write_text("a = b\n")
    assert run(str(good)) == (0, f"{good}: no errors\n", "")
    code, out, _ = run(str(good), str(doubtful), str(bad))
    assert code == 1
    assert f'{doubtful}:1:11: shadowed-alternative: "B" can never win' in out
    assert f"{bad}:1:5: undefined: no rule is named b\na = b\n    ^\n{bad}: 1 error\n" in out
    assert run("--ignore", "shadowed-alternative", str(doubtful))[0] == 0


def test_command_json(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "g.abnf"
    file.write_text('a = "b" / "B"\n')
    code, out, _ = run("--format", "json", str(file))
    assert code == 1
    (record,) = json.loads(out)
    assert (record["file"], record["ok"], record["faults"]) == (str(file), True, [])
    (remark,) = record["remarks"]
    assert (remark["line"], remark["column"], remark["length"]) == (1, 11, 3)
    assert (remark["code"], remark["witness"]) == ("shadowed-alternative", "B")


def test_a_file_that_cannot_be_read_does_not_keep_the_next_from_being_read(
    tmp_path: Path, run: Run
) -> None:
    good, binary = tmp_path / "good.abnf", tmp_path / "b.abnf"
    good.write_text('a = "b"\n')
    binary.write_bytes(b"a = \xff")
    code, out, err = run(str(tmp_path / "none.abnf"), str(binary), str(tmp_path), str(good))
    assert (code, out) == (2, f"{good}: no errors\n")
    assert err.count("Error: ") == 3
    code, _, err = run("--ignore", "nonsense", str(good))
    assert (code, "the codes are shadowed-alternative" in " ".join(err.split())) == (2, True)
