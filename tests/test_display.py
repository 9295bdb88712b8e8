"""Display: what is shown, what is not, and that encoding gives back what was shown."""

from __future__ import annotations

import json
import re
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import rows

from uriproof import InvalidURI
from uriproof.adapters import for_hypothesis
from uriproof.cli import main
from uriproof.percent.display import ISOLATES, _as_uri, display
from uriproof.percent.hosts.labels import a_label, shown_label, u_label
from uriproof.text.drawing import visible


def encoded(text: str) -> str:
    return "".join(f"%{octet:02X}" for octet in text.encode())


UNESCAPED = ' "-.<>^_`{|}~azAZ09\u00e9\u4eca\u65e5\u306f\U0001f600'
KEPT = "!#$%&'()*+,/:;=?@[]"


@pytest.mark.parametrize("char", UNESCAPED)
def test_shown_as_the_article_says(char: str) -> None:
    for start in ("http://h/a", "http://h/?a", "http://h/#a"):
        assert display(f"{start}{encoded(char)}z") == f"{start}{char}z"


HIDDEN = [
    *("\u200b", "\u200e", "\u202e", "\u2066", "\ufeff", "\u00ad", "\u3164", "\u2800"),  # unseen
    *("\u00a0", "\u2028", "\u3000", "\ue000", "\u0378", "\u061c", "\u0600", "\u200f", "\u2067"),
    *("\u2044", "\u2215", "\uff0f", "\uff1f", "\uff03", "\uff05", "\u2024", "\u0338"),  # like /?#%.
]


@pytest.mark.parametrize("char", [*KEPT, *map(chr, range(0x20)), "\x7f", *HIDDEN], ids=ascii)
def test_not_shown(char: str) -> None:
    for start in ("http://h/", "http://h/a", "http://h/?a", "http://h/#a"):
        for end in "", "z":
            text = f"{start}{encoded(char)}{end}"
            assert display(text) == text


# Hosts


@pytest.mark.parametrize(
    ("host", "safe"),
    rows("display", "a-host-is-shown-if-nobody-takes-it-for-another"),
)
def test_a_host_is_shown_if_nobody_takes_it_for_another(host: str, safe: bool) -> None:
    text = "".join(char if char.isascii() else encoded(char) for char in f"http://{host}/")
    assert display(text) == (f"http://{host}/" if safe else text)


def test_labels() -> None:
    assert a_label("books") is None
    assert u_label("xn--bcher-kva") == "b\u00fccher"
    assert not shown_label("\u00e9" * 64, "com")


# Laws

URIS = for_hypothesis.valid("URI-reference")
CHARS = st.one_of(
    st.characters(exclude_categories=["Cs"]), st.sampled_from("\u00e9\u0301 \\/\u202e")
)
BUILT = st.tuples(
    st.sampled_from(["http://h/", "http://h/?", "x:", "", "http://u@", "#", "http://h/a#"]),
    st.lists(st.one_of(CHARS.map(encoded), st.sampled_from("a/-")), max_size=12).map("".join),
).map("".join)


def normal(text: str) -> str:
    """The text with its escapes as RFC 3986 sections 6.2.2.1 and 6.2.2.2 have them."""

    def one(escape: re.Match[str]) -> str:
        char = chr(int(escape[1], 16))
        bare = char.isascii() and (char.isalnum() or char in "-._~")
        return char if bare else escape[0].upper()

    return re.sub("%([0-9A-Fa-f]{2})", one, text)


def plain(text: str, *, idna: bool = False) -> str:
    """What is shown, all of it, less isolates."""
    shown = display(text, idna=idna, password=True)
    return shown.translate(dict.fromkeys(map(ord, ISOLATES)))


@given(st.one_of(URIS, BUILT))
def test_encoding_gives_back_what_was_shown(text: str) -> None:
    assert _as_uri(plain(text), False, "utf-8") == normal(text)


@given(st.one_of(URIS, BUILT))
def test_encoding_by_idna_gives_back_what_was_shown_by_idna(text: str) -> None:
    try:
        made = _as_uri(text, True, "utf-8")
    except InvalidURI:
        return
    assert _as_uri(plain(made, idna=True), True, "utf-8") == normal(made)


@given(st.one_of(URIS, BUILT))
def test_displaying_what_is_shown_shows_it(text: str) -> None:
    assert display(display(text)) == display(text)


@given(st.one_of(URIS, BUILT))
def test_all_that_is_shown_can_be_seen(text: str) -> None:
    shown = display(text)
    first, last = ISOLATES
    outside, inside = "", False
    for char in shown:
        assert inside == (char == last) or char not in ISOLATES
        inside = char == first or (inside and char != last)
        if inside:
            assert category(char)[0] not in "CZ" or char == first
        else:
            outside += char.replace(last, "")
    assert not inside
    assert visible(outside) == outside  # no right-to-left character among them
    assert shown == shown.strip()


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["display", "--idna", "--format", "json", "http://xn--bcher-kva.de/"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["display"] == "http://b\u00fccher.de/"
