"""IRI to URI and back: the examples of RFC 3987, what cannot be mapped, and the laws."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from strategies import RFC3986, any_text
from tiers import bound

from uriproof import Grammar, InvalidComponents, is_valid, normalize
from uriproof.adapters import for_hypothesis
from uriproof.percent.display import display
from uriproof.percent.hosts.labels import labels
from uriproof.text.invisible import reason
from uriproof.uri.iri import iri_to_uri, uri_to_iri

IRI = Grammar.load("rfc3987")


# Laws


@given(for_hypothesis.valid("URI-reference"))
def test_a_uri_comes_back(uri: str) -> None:
    iri = uri_to_iri(uri)
    assert IRI["IRI-reference"].is_valid(iri)
    again = iri_to_uri(iri)
    assert is_valid(again, "URI-reference")
    assert normalize(again) == normalize(uri)
    assert iri_to_uri(uri) == uri


@given(st.lists(st.sampled_from(["%2e", "%2E", ".", "/", "a", "%61"])).map("".join))
def test_what_was_encoded_is_no_step_in_a_path(path: str) -> None:
    """RFC 3986 §5.2.4: resolving takes the segments "." and ".." away, and not "%2e"."""
    for scheme in ("mailto:x", "x/"):
        for made in uri_to_iri(scheme + path), display(scheme + path):
            steps = [segment for segment in made.split("/") if segment in (".", "..")]
            assert steps == [s for s in (scheme + path).split("/") if s in (".", "..")]


# Unicode, DerivedCoreProperties.txt: Default_Ignorable_Code_Point; and two blanks beside them.
IGNORABLE = (
    "00AD 034F 061C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F "
    "FEFF FFA0 FFF0-FFF8 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF 2800 00A0"
)


@bound("every", 16, 1)
def test_what_is_invisible_stays_encoded(every: int) -> None:
    """In IRIs, in displayed text, and in what advice is about, of the same characters."""
    for span in IGNORABLE.split():
        first, last = (int(end, 16) for end in (span.split("-") * 2)[:2])
        for char in map(chr, {*range(first, last, every), last}):
            for uri in (f"x://u{quote(char)}b@h", f"x://h{quote(char)}b", f"x:a?b{quote(char)}#b"):
                assert uri_to_iri(uri) == display(uri) == uri
            assert reason(char) or char == "\xa0"


def test_an_a_label_with_a_joiner_stays() -> None:
    for uri in ("http://xn--mgba3gch31f060k.ir/", "http://xn--11b2ezcw70k.example/"):
        assert uri_to_iri(uri, idna=True) == display(uri, idna=True) == uri


def test_letters_of_which_upper_case_is_the_usual_one() -> None:
    """Case folding of Cherokee is to upper case: none of these is another name."""
    cherokee = [*range(0x13A0, 0x13F6), *range(0x13F8, 0x13FE), *range(0xAB70, 0xABC0)]
    assert all(not label.mapped and label.made for n in cherokee for label in labels(chr(n)))


@given(any_text(RFC3986, "URI-reference"))
def test_every_iri_is_mapped_and_nothing_else(text: str) -> None:
    # Section 4.1 forbids more than the syntax rules do.
    valid = IRI["IRI-reference"].is_valid(text) and not re.search(
        "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", text
    )
    if not valid:
        with pytest.raises(InvalidComponents) as info:
            iri_to_uri(text)
        assert all(0 <= start <= end <= len(text) for start, end in info.value.spans)
    else:
        assert is_valid(iri_to_uri(text), "URI-reference")


# Wrong calls, and the commands


def test_the_command(run: Run) -> None:
    code, out, _ = run("normalize", "--to", "uri", "--format", "json", "http://h/ \xe9")
    assert (code, json.loads(out)[0]["error"]["spans"]) == (1, [[9, 10]])
