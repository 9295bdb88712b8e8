"""Comparison: the relation, the witnesses, the counts, and the command that tells of them.

Owns the tests of ``workbench/compare.py`` and ``uriproof grammar compare``. Imports the package.
Invariant: what is expected is found here by looking at every short text, not by another automaton.
"""

from __future__ import annotations

import itertools
import json
from functools import partial
from pathlib import Path

import pytest
from commands import Run

from uriproof.grammar import registry
from uriproof.grammar.errors import GrammarLimit
from uriproof.grammar.machine.automaton import Automaton
from uriproof.grammar.machine.readable import order
from uriproof.workbench import compare as module
from uriproof.workbench.compare import Comparison, compare, kinds, language, search
from uriproof.workbench.read_pattern import read_pattern

pytestmark = pytest.mark.prove

RFC3986 = registry.load("rfc3986")
PATTERNS = ["", r"[^\s\S]", "a", "a*", "(ab)*", "a*b*", "[ab]{2}", "[^a]*", "b+a?", "(a|b)*abb"]
TEXTS = ["".join(t) for n in range(6) for t in itertools.product("abc", repeat=n)]


def by_looking(a: Automaton, b: Automaton) -> Comparison:
    """What every text of up to five characters out of three says of two automata."""
    in_a = {t for t in TEXTS if a.accepts(t)}
    in_b = {t for t in TEXTS if b.accepts(t)}
    only_a, only_b, both = (
        min(found, key=order, default=None) for found in (in_a - in_b, in_b - in_a, in_a & in_b)
    )
    if only_a is None:
        relation = "equal" if only_b is None else "contained"
    elif only_b is None:
        relation = "contains"
    else:
        relation = "disjoint" if both is None else "overlapping"
    return Comparison(relation, only_a, only_b, both)  # type: ignore[arg-type]


@pytest.mark.parametrize("a", PATTERNS)
@pytest.mark.parametrize("b", PATTERNS)
def test_a_comparison_is_what_all_short_texts_say(a: str, b: str) -> None:
    first, second = read_pattern(a), read_pattern(b)
    assert compare(first, second) == by_looking(first, second)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("URI", "URI-reference", Comparison("contained", None, "", "a:")),
        ("path-abempty", "path-rootless", Comparison("disjoint", "", "a", None)),
        ("path-noscheme", "path-rootless", Comparison("contained", None, ":", "a")),
        ("host", "reg-name", Comparison("contains", "[::]", None, "")),
        ("IPv4address", "reg-name", Comparison("contained", None, "", "0.0.0.0")),  # noqa: S104 -- a text
        ("segment", "segment", Comparison("equal", None, None, "")),
    ],
)
def test_rules_of_rfc_3986(a: str, b: str, expected: Comparison) -> None:
    found = compare(RFC3986.automaton(a), RFC3986.automaton(b))
    assert found == expected
    assert found.equal is (a == b)


def test_the_shortest_text_is_the_most_readable_of_its_length() -> None:
    assert compare(read_pattern("(?s)."), read_pattern("(?s)..")).only_a == "a"
    assert compare(read_pattern("[^a-z]"), read_pattern("x")).only_a == "A"
    assert compare(read_pattern(r"[\x00- ]"), read_pattern("x")).only_a == " "
    assert compare(read_pattern(r"[\x00\ud800\u0416]"), read_pattern("x")).only_a == "\u0416"
    assert compare(read_pattern(r"[\x01\ud800]"), read_pattern("x")).only_a == "\x01"


# Kinds of witness


def test_kinds_stop_in_different_places() -> None:
    article = read_pattern(r"([^:#\[\]@%]+|%[A-Za-z\d]{2})*")
    query = RFC3986.automaton("query")
    found = kinds(article, query, 9)
    assert [w.text for w in found] == sorted((w.text for w in found), key=order)
    for witness in found:
        assert article.accepts(witness.text)
        assert not query.accepts(witness.text)
    assert found[0].text == '"'
    assert {("%ag", 2), ("%ga", 1)} <= {(w.text, w.stops) for w in found}
    assert kinds(query, article, 9) == (module.Witness(":", 0),)
    found = kinds(read_pattern("[x:]"), read_pattern("a:"), 9)
    assert [w.text for w in found] == ["x", ":"], "the other side reads one of them elsewhere"


def test_most_is_the_most() -> None:
    uri, reference = RFC3986.automaton("URI"), RFC3986.automaton("URI-reference")
    assert len(kinds(reference, uri, 3)) == 3
    assert kinds(reference, uri, 3) == kinds(reference, uri, 50)[:3]
    assert kinds(reference, uri, 0) == ()
    assert kinds(uri, reference, 5) == ()


def test_two_that_are_large_together_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_COMPARED_PAIRS", 50)
    with pytest.raises(GrammarLimit, match="50 states"):
        compare(read_pattern("(a{77})*"), read_pattern("(a{7})*"))


# The command


@pytest.fixture
def run(run: Run) -> Run:
    return partial(run, "grammar", "compare")


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ("URI", "URI-reference", "A is contained in B"),
        ("query", "re:[a ]*", "They overlap"),
        ("port", "re:x", "Disjoint"),
        ("port", r"re:(?a)^\d*?\Z", "Equal: exactly the same texts."),
        (r"re:[^\s\S]", r"re:[^\s\S]", "Equal: neither accepts any text."),
        ("segment", "segment-nz", "  (the empty text)\n"),
        (r"re:\x00\n\u202e", "port", "  \\x00\\n\\u202e\n"),
        ("key-value", "parameters", "A is contained in B"),
        ("rfc3987:ipath", "path", "A contains B"),
    ],
)
def test_words(run: Run, a: str, b: str, words: str) -> None:
    result = run(a, b)
    assert words in result.out
    assert result.code == ("Equal" not in words)


def test_json(run: Run) -> None:
    result = run("host", r"re:\[?[^\]\x00]*\]?", "--all", "4", "--format", "json")
    record = json.loads(result.out)
    assert result.code == 1
    assert record["a"] == {"name": "rfc3986:host", "grammar": "rfc3986", "rule": "host"}
    assert record["b"]["grammar"] is None
    assert record["relation"] == "contained"
    assert record["only_a"] == []
    assert len(record["only_b"]) == 4
    assert set(record["only_b"][0]) == {"text", "stops"}


def file(path: Path, abnf: str) -> str:
    """Writes a grammar; how its rule n is named."""
    path.write_text(f"{abnf}\n")
    return f"{path}:n"


def test_recursive_rules_are_searched(run: Run, tmp_path: Path) -> None:
    a = file(tmp_path / "a.abnf", 'n = "(" n *( "," n ) ")" / 1*DIGIT')
    b = file(tmp_path / "b.abnf", 'n = "(" n *( "," n ) [ "," ] ")" / 1*DIGIT')
    result = run(a, b)
    assert result.code == 1
    assert "only B accepts, with a mark where A stops:\n  (0,)\n     ^" in result.out
    assert "No text was found that only A accepts." in result.out
    assert "Searched: all texts of length" in result.out
    record = json.loads(run(a, b, "--format", "json").out)
    assert (record["relation"], record["only_a"]) == (None, [])
    assert record["only_b"] == [{"text": "(0,)", "stops": 3}]
    assert record["searched"]["length"] >= 4


def test_recursive_rules_are_never_called_equal_unless_they_are(run: Run, tmp_path: Path) -> None:
    a = file(tmp_path / "a.abnf", 'n = "(" n ")" / "x"')
    result = run(a, file(tmp_path / "b.abnf", 'n = "(" m ")" / "x"\nm = n'))
    assert result.code == 2
    assert "Not decided: no text was found that distinguishes them." in result.out
    code, out, _ = run(a, a)
    assert (code, out.splitlines()[-1]) == (0, "Equal: the same rules, word for word.")
    result = run(a, r"re:\(*x\)*")
    assert result.code == 1
    assert "only B accepts, with a mark where A stops:\n  x)\n   ^" in result.out
    assert "only A accepts, with a mark where B stops:\n  X\n  ^" in result.out
    assert run(a, "re:x", "--all", "3").code == 2


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ('s = "a" s "b" / ""', 's = *"a" *"b"'),
        ('s = s s / "a" s "b" / ""', 's = "a" s "b" s / ""'),
        ('s = "a" s "a" / "b" s "b" / ""', 's = 2*( "a" / "b" )'),
        ('s = s "a" / "b"', 's = "b" *"a" / "c" s'),
    ],
)
def test_a_search_is_what_all_short_texts_say(a: str, b: str) -> None:
    one, other = registry.compile_abnf(a), registry.compile_abnf(b)
    found = search(language(one, "s"), language(other, "s"), most=200)
    for text in sorted(TEXTS, key=len):
        if one.accepts("s", text) and not other.accepts("s", text):
            (shortest,) = found.only_a
            assert len(shortest.text) == len(text)
            break
    else:
        assert not found.only_a
    for witnesses, sides in ((found.only_a, (one, other)), (found.only_b, (other, one))):
        for witness in witnesses:
            assert [c.accepts("s", witness.text) for c in sides] == [True, False]
