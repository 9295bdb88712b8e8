"""Columns of Arrow: their shapes and types, other rules, and what is no column of text."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from rows import ROWS, expected, expected_valid, rows
from tiers import bound

from uriproof import Grammar, Rule
from uriproof.data import components, validate, violations
from uriproof.data.arrow import _divided as divided
from uriproof.data.arrow import of_each, texts_of
from uriproof.data.explain import COMPONENTS
from uriproof.grammar import registry
from uriproof.validate.plan import Division
from uriproof.workbench.export import dividers

URI = Rule()
COMPOUND = [
    *(("rfc3986", rule) for rule in ("URI", "URI-reference", "absolute-URI", "relative-ref")),
    *(("rfc3986", rule) for rule in ("authority", "hier-part", "host", "port", "query")),
    *(("rfc3987", rule) for rule in ("IRI", "IRI-reference", "iauthority")),
    *(("rfc2396", rule) for rule in ("URI-reference", "absoluteURI", "server")),
    ("rfc9110", "http-URI"),
    ("rfc8089", "file-URI"),
]


@pytest.mark.parametrize(("grammar", "rule"), COMPOUND)
@bound("count", 100, 500)
def test_components_of_other_rules(grammar: str, rule: str, count: int) -> None:
    texts = rows(count)
    got = components(pa.array(texts), Rule(rule, grammar=grammar)).to_pylist()
    assert got == expected(texts, "components", Rule(rule, grammar=grammar))


def _chunked(array: pa.Array) -> pa.ChunkedArray:
    return pa.chunked_array([array[:7], array[7:7], array[7:], array[:0]])


class _Stream:
    """Somebody's column: nothing but the PyCapsule interface."""

    def __init__(self, array: pa.Array) -> None:
        self._column = _chunked(array)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._column.__arrow_c_stream__(requested_schema)


class _Array:
    def __init__(self, array: pa.Array) -> None:
        self._array = array

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self._array.__arrow_c_array__(requested_schema)


SHAPES: dict[str, Callable[[pa.Array], Any]] = {
    "large": lambda array: array.cast(pa.large_string()),
    "view": lambda array: array.cast(pa.string_view()),
    "binary": lambda array: array.cast(pa.binary()),
    "large binary": lambda array: array.cast(pa.large_binary()),
    "dictionary": lambda array: array.dictionary_encode(),
    "dictionary of large": lambda array: array.cast(pa.large_string()).dictionary_encode(),
    "run ends": pa.compute.run_end_encode,
    "sliced": lambda array: pa.concat_arrays([array, array])[len(array) :],
    "chunked": _chunked,
    "chunked dictionary": lambda array: _chunked(array).dictionary_encode(),
    "stream": _Stream,
    "array": _Array,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str) -> None:
    texts = rows(400)  # of fewer, the engine is not asked for the verdict
    given = SHAPES[shape](pa.array(texts))
    assert validate(given).to_pylist() == expected_valid(texts, URI)
    assert components(given).to_pylist() == expected(texts, "components", URI)
    lists = enumerate(expected(texts, "violations", URI))
    flat = [{"row": row, **one} for row, found in lists for one in found or ()]
    assert violations(given).to_pylist() == flat


def test_a_large_column_is_worked_on_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uriproof.data.arrow._AT_ONCE", 50)
    texts = rows(400)
    for given in (pa.array(texts), _chunked(pa.array(texts))):
        assert validate(given).to_pylist() == expected_valid(texts, URI)
        assert components(given).to_pylist() == expected(texts, "components", URI)
        lists = of_each(texts_of(given), URI).to_pylist()
        assert lists == expected(texts, "violations", URI)


def test_a_column_without_chunks() -> None:
    for function in (validate, violations, components):
        assert function(pa.chunked_array([], pa.string())).to_pylist() == []


def test_chunks_stay() -> None:
    given = _chunked(pa.array(rows(100)))
    assert [len(chunk) for chunk in validate(given).chunks] == [7, 0, 93, 0]


def test_bytes_that_are_no_utf8() -> None:
    octets = [b"http://a/", b"http://a/\xff", b"\xed\xa0\x80", None, "http://é/".encode()]
    given = pa.array(octets, pa.binary())
    assert validate(given).to_pylist() == [True, False, False, None, False]
    many = pa.array(octets * 100, pa.binary())  # which the engine reads
    assert validate(many).to_pylist() == [True, False, False, None, False] * 100
    assert validate(many, Rule("IRI", grammar="rfc3987")).to_pylist()[:5] == [
        *(True, False, False, None, True)
    ]
    got = [(one["row"], one["start"], one["end"]) for one in violations(given).to_pylist()]
    assert got[0] == (1, 9, 10)
    anything = Grammar.from_abnf("any = *%x00-10FFFF")
    for column in (given, many):
        assert validate(column, Rule("any", grammar=anything)).to_pylist()[1:3] == [True, True]
    # As an Arrow string that is none: what a broken writer leaves in a file.
    broken = given.view(pa.string())
    assert validate(broken).to_pylist() == [True, False, False, None, False]


@pytest.mark.parametrize("given", [pa.array([1, 2]), pa.array([["a"]]), pa.chunked_array([[1.5]])])
def test_other_types_are_errors(given: Any) -> None:
    for function in (validate, violations, components):
        with pytest.raises(TypeError, match="and text is needed: cast it to string"):
            function(given)
        with pytest.raises(TypeError, match="array must be an array of pyarrow, or a value with"):
            function(["http://a/"])


@bound("count", 300, 2_000)
def test_several_processes_say_the_same(count: int) -> None:
    column = pa.array(rows(count))
    assert violations(column, processes=2).equals(violations(column))
    with pytest.raises(ValueError, match="at least 1"):
        violations(column, processes=0)


def test_every_rule_that_divides_has_expressions() -> None:
    """Components of valid rows are read by expressions, not one at a time."""
    for rule in ("URI", "URI-reference", "absolute-URI", "relative-ref"):
        found = dividers(registry.load("rfc3986"), rule, "re2")
        names = {name for cut in found for name in cut.places()}
        assert names >= {*COMPONENTS[1:]}


@bound("count", 2_000, ROWS)
def test_expressions_divide_any_text_as_the_dividing_grammar_does(count: int) -> None:
    """Invalid texts too: the rules that other engines take one pass for say the same."""
    texts = [text for text in rows(count, nul=False) if text is not None]
    texts += ["//@", "//a@b@[c]:d@e/f", "x://[::1]:8/", "x://[", "x:", "x://", "//a]:b", "a@b/c:"]
    divider = registry.load("rfc3986-split")
    for rule, division in ("absolute-URI", "URI"), ("relative-ref", "relative-ref"):
        known = Division(divider, division)
        found = divided(pa.array(texts), dividers(registry.load("rfc3986"), rule, "re2")[:1])
        for number, text in enumerate(texts):
            spans = known.spans(text)
            wanted = {name: text[slice(*spans[name])] for name in COMPONENTS if name in spans}
            own = {name: column[number].as_py() for name, column in found.items()}
            assert {name: one for name, one in own.items() if one is not None} == wanted


@pytest.mark.parametrize("size", [1, 100, 1_000])
def test_small_batches_are_judged_alike(size: int) -> None:
    """They take a shorter expression first, then Python or the whole one for what it refuses."""
    texts = [*rows(1_000), "http://[::1]/", "http://[::1/"]
    batches = [texts[first : first + size] for first in range(0, len(texts), size)]
    found = [validate(pa.array(batch, pa.string())).to_pylist() for batch in batches]
    assert [one for each in found for one in each] == expected_valid(tuple(texts), Rule())


@pytest.mark.parametrize("text", ["http://[::1]/", "a b"])
def test_a_small_batch_of_refused_rows_takes_the_whole_expression(text: str) -> None:
    assert validate(pa.array([text, None] * 500)).to_pylist() == [Rule().is_valid(text), None] * 500


def test_a_table_is_no_column() -> None:
    table = pa.table({"id": [1], "url": ["a:"]})
    other = SimpleNamespace(__arrow_c_stream__=table.__arrow_c_stream__)  # as in Polars
    for given in (table, table.to_batches()[0], table.to_reader(), other):
        with pytest.raises(TypeError, match="give one of its columns: 'id', 'url'"):
            validate(given)
