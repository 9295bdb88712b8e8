"""Splitting, normalising and comparing: RFC 3986 sections 5.3, 6.1 and 6.2."""

from __future__ import annotations

import json
import tomllib
from itertools import product
from pathlib import Path
from urllib.parse import unquote

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from strategies import RFC3986, any_text
from tables import rows

from uriproof import is_valid
from uriproof.adapters import for_hypothesis
from uriproof.grammar import registry
from uriproof.grammar.schemes import NO_AUTHORITY
from uriproof.grammar.schemes import SCHEMES as SCHEMES_OF_THE_TABLE
from uriproof.percent.characters import characters
from uriproof.uri.components import InvalidComponents, recompose, split
from uriproof.uri.normalize import LEVELS, equivalent, normalization_steps, normalize
from uriproof.uri.resolve import resolve

REFERENCES = for_hypothesis.valid("URI-reference")
RISKY = st.sampled_from(rows("normalize", "risky"))
ANY = st.one_of(REFERENCES, RISKY)


# Splitting and recomposing


@given(ANY)
def test_components_recompose_to_the_text(text: str) -> None:
    assert recompose(split(text)) == text


@given(any_text(RFC3986, "URI-reference"))
def test_a_text_is_split_exactly_if_it_is_valid(text: str) -> None:
    if is_valid(text, "URI-reference"):
        for name, value in split(text)._asdict().items():
            assert value is None or is_valid(value, name)
    else:
        with pytest.raises(InvalidComponents) as caught:
            split(text)
        assert caught.value.violations
        assert all(0 <= start <= end <= len(text) for start, end in caught.value.spans)


def test_an_error_quotes_no_password() -> None:
    with pytest.raises(InvalidComponents) as caught:
        split("http://me:pass€word@h/")
    assert "€" not in str(caught.value)


# Normalising

PAIRS = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("text", "normal"), [pair for pairs in PAIRS["normal"].values() for pair in pairs]
)
def test_examples(text: str, normal: str) -> None:
    assert normalize(text) == normal


@given(ANY, st.sampled_from(LEVELS))
def test_a_normal_form_is_valid_and_normal(text: str, level: str) -> None:
    normal = normalize(text, level)
    assert is_valid(normal, "URI-reference")
    assert normalize(normal, level) == normal
    assert (split(normal).scheme is None) == (split(text).scheme is None)


def _reserved(text: str) -> list[str]:
    """What must not change: reserved characters, and octets that are not unreserved ones."""
    pieces = text.replace("%", "\0%").split("\0")
    found = []
    for piece in pieces:
        octet = piece[:3] if piece.startswith("%") else ""
        if octet and unquote(octet, "latin-1") not in characters("unreserved"):
            found.append(octet.upper())
        found += [char for char in piece[len(octet) :] if char in characters("reserved")]
    return found


# Every scheme that anything here knows about, and one that nothing does.
KNOWN = {*registry.schemes(), *SCHEMES_OF_THE_TABLE}
SCHEMES = sorted(KNOWN | {"x-any"})
# No URN, for one: what a relative reference has encoded counts in it.
BASES = rows("normalize", "bases")


def fits(base: str, reference: str) -> bool:
    """Whether a reference has a target: none with an authority, from a scheme that has none."""
    return not (reference.startswith("//") and split(base).scheme in NO_AUTHORITY)


@pytest.mark.prove
def test_a_normal_reference_has_the_same_target_from_every_base() -> None:
    pieces = ["/", ".", "%2e", "a", ":"]
    texts = {"".join(p) for n in range(5) for p in product(pieces, repeat=n)}
    for text in sorted(text for text in texts if is_valid(text, "URI-reference")):
        normal = normalize(text)
        for base in filter(lambda base: fits(base, text), BASES):
            target = normalize(resolve(base, text))
            assert normalize(resolve(base, normal)) == target, (base, text, normal)


@given(ANY)
def test_reserved_characters_stay_as_they_are(text: str) -> None:
    normal = normalize(text, "percent-encoding")
    assert _reserved(normal) == _reserved(text)
    assert unquote(split(normal).path) == unquote(split(text).path)
    assert split(normalize(text)).query == split(normal).query


@given(ANY, st.sampled_from(LEVELS))
def test_steps_lead_to_the_normal_form(text: str, level: str) -> None:
    before = text
    for step in normalization_steps(text, level):
        assert step.before == before
        assert bool(step.changes) == (step.before != step.after) or step.changes
        before = step.after
    assert before == normalize(text, level)


def test_long_texts_are_no_trouble() -> None:
    assert normalize("http://h" + "/a/.." * 100_000) == "http://h/"
    assert normalize("http://h:" + "8" * 5_000) == "http://h:" + "8" * 5_000 + "/"
    assert normalize("../" * 100_000) == "../" * 100_000
    assert normalize(long := "http://" + "%C3%BC." * 1_000 + "/", "host") == long


# Comparing


@pytest.mark.parametrize(
    ("a", "b", "level"),
    [(a, b, level) for level, pairs in PAIRS["equivalent"].items() for a, b in pairs],
)
def test_equivalent_says_on_which_level(a: str, b: str, level: str) -> None:
    assert equivalent(a, b).level == equivalent(b, a).level == level
    assert equivalent(a, b)


# The command line


def test_normalize_as_json(run: Run) -> None:
    code, out, _ = run("normalize", "--format", "json", "http://a b/", "HTTP://h/")
    bad, good = json.loads(out)
    assert (code, bad["error"]["spans"]) == (1, [[8, 9]])
    assert bad["error"]["violations"][0]["production"] == "reg-name"
    assert good["normalized"] == "http://h/"
    assert good["steps"][0]["changes"] == [
        {"component": "scheme", "before": "HTTP", "after": "http"}
    ]
