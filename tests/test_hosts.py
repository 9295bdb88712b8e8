"""Hosts: canonical names and addresses, what is told of a change, and what browsers make of them.

The judge of the last is Node's ``URL``, where Node is there.
"""

from __future__ import annotations

import ipaddress
import json
import random
from unicodedata import bidirectional, normalize, ucd_3_2_0
from urllib.parse import unquote

import pytest
from engines.node import by_node
from hypothesis import given
from hypothesis import strategies as st
from tables import rows
from tiers import bound

from uriproof import is_valid
from uriproof.adapters import for_hypothesis
from uriproof.cli import main
from uriproof.limits import LONGEST_NAME, LONGEST_WRITTEN_HOST, MOST_COMPOSED
from uriproof.percent.hosts.addresses import address_of, canonical_address, read_ipv4
from uriproof.percent.hosts.browsers import browser_host
from uriproof.percent.hosts.host import InvalidHost, canonical_host
from uriproof.percent.hosts.labels import a_label, mapping, shown_label, u_label
from uriproof.percent.hosts.scripts import is_highly_restrictive, is_single_script, scripts


def encoded(text: str) -> str:
    return "".join(c if c.isascii() else "".join(f"%{o:02X}" for o in c.encode()) for c in text)


# Names

NAMES = [*rows("hosts", "names"), ("e\u0301" * 50 + ".example", f"xn--9c{'a' * 50}.example")]


@pytest.mark.parametrize(("host", "text"), NAMES)
def test_names_are_those_of_idna_2008(host: str, text: str) -> None:
    for given_ in (host, encoded(host)):
        found = canonical_host(given_)
        assert found.text == text
        assert found.browser == (text or None)
        assert (found.changes != ()) == (given_ != text)
    assert canonical_host(text).text == text


@pytest.mark.parametrize(
    ("host", "span", "message", "browser"),
    [
        *rows("hosts", "what-is-no-name-is-refused-with-its-place"),
        ("\u00e9" * 60, (0, 60), "longer than 63", f"xn--9c{'a' * 60}"),
        ("\u00e9." * 40, (0, 80), "longer than 253", "xn--9ca." * 40),
        ("a." * 127 + "b", (0, 255), "longer than 253", "a." * 127 + "b"),
        ("a\ud800", (1, 2), "U+D800", None),
    ],
)
def test_what_is_no_name_is_refused_with_its_place(
    host: str, span: tuple[int, int], message: str, browser: str | None
) -> None:
    with pytest.raises(InvalidHost) as caught:
        canonical_host(host)
    assert caught.value.spans == (span,)
    assert message in str(caught.value)
    assert caught.value.browser == browser


def test_every_mapping_is_told() -> None:
    found = canonical_host("x.F%C3%9F\uff0e\u00add\u2075")
    told = [(c.start, c.end, c.found, c.replacement) for c in found.changes]
    assert found.text == "x.xn--f-qfa.d5"
    assert told == [
        (2, 3, "F", "f"),
        (3, 9, "%C3%9F", "\u00df"),
        (3, 9, "\u00df", "\u00df"),
        (2, 9, "f\u00df", "xn--f-qfa"),
        (9, 10, "\uff0e", "."),
        (10, 11, "\u00ad", ""),
        (12, 13, "\u2075", "5"),
    ]
    words = [mapping(char)[1] for char in "f\u00df\uff0e\u00ad\u2075\uff21"]
    parts = "", "is kept", "separates labels", "is left out", "it stands for", "its usual width"
    assert all(part in word for part, word in zip(parts, words, strict=True))
    assert words[0] == ""
    assert "IDNA 2003 mapped it" in found.changes[2].message
    composed = canonical_host("e\u0301.de").changes[0]
    assert composed[:4] == (0, 2, "e\u0301", "\u00e9")
    assert "NFC" in composed.message


LABELS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]), st.sampled_from("aB\u00df\u200d.\u3002\u05d0%41-")
    ),
    max_size=8,
)


@given(st.one_of(LABELS, LABELS.map(encoded), for_hypothesis.valid("host")))
def test_a_canonical_host_is_a_host_and_canonical(host: str) -> None:
    try:
        found = canonical_host(host)
    except InvalidHost as error:
        spans = error.spans
        assert all(0 <= start <= end <= len(host) for start, end in spans)
        return
    assert is_valid(found.text, "host")
    assert found.text.isascii()
    again = canonical_host(found.text)
    assert (again.text, again.changes) == (found.text, ())
    assert (found.text != host) <= bool(found.changes)
    assert all(host[c.start : c.end] or c.start == c.end for c in found.changes)


@given(LABELS)
def test_a_label_makes_itself_again(label: str) -> None:
    try:
        made = a_label(label)
    except ValueError:
        return
    if made is not None and made.startswith("xn--"):
        plain = u_label(made)
        assert plain is not None
        assert a_label(plain) == made


def test_long_hosts_are_no_trouble() -> None:
    for unit in ("\u00e9", "%C3%A9", "a.", "\u3002"):
        host = unit * 5_000
        assert browser_host(host) is None
        with pytest.raises(InvalidHost, match="longer than 253"):
            canonical_host(host)


@pytest.mark.prove
def test_no_more_characters_are_composed_than_the_limit_allows_for() -> None:
    """The bound on hosts before they are mapped: four characters become one at most."""
    parts = {char: len(normalize("NFD", char)) for char in map(chr, range(0x110000))}
    assert max(parts.values()) == MOST_COMPOSED
    # Percent-encoded, 12 code points each for those beyond the BMP, and 9 for others.
    written = max(n * (12 if char > "\uffff" else 9) for char, n in parts.items())
    assert written * (LONGEST_NAME + 1) <= LONGEST_WRITTEN_HOST
    longest = ".".join(["\u1f82"] * 40)  # 39 dots, and 40 labels of 11 octets
    with pytest.raises(InvalidHost, match="longer than 253"):
        canonical_host(longest)
    assert canonical_host(normalize("NFD", longest[:9])).text == canonical_host(longest[:9]).text


# Addresses


@pytest.mark.parametrize(
    ("host", "text"),
    rows("hosts", "addresses-have-one-form"),
)
def test_addresses_have_one_form(host: str, text: str) -> None:
    assert canonical_address(host) == text
    assert canonical_address(text) == text


@given(st.integers(0, 2**128 - 1), st.sampled_from([0, 2**64 - 1, 2**112 - 1, (2**16 - 1) << 48]))
def test_the_form_is_that_of_the_standard_library(value: int, mask: int) -> None:
    address = ipaddress.IPv6Address(value & mask)
    form = canonical_address(f"[{address.exploded}]")
    assert address_of(form) == address
    if "." not in form and "." not in str(address):
        assert form == f"[{address}]"


def test_numbers_that_browsers_take_for_addresses() -> None:
    assert read_ipv4("0x7F.1") == read_ipv4("2130706433") == read_ipv4("0177.0.1") == "127.0.0.1"
    assert read_ipv4("0x" + "0" * 90_000 + "1") == "0.0.0.1"
    for text in ("9" * 5_000, "4294967296", "1.2.3.256", "08", "1_0", "0x_1", "", "1..2", "+1"):
        assert read_ipv4(text) is None


# Scripts


@pytest.mark.parametrize(
    ("text", "found", "single", "restrictive"),
    rows("hosts", "scripts"),
)
def test_scripts(text: str, found: str, single: bool, restrictive: bool) -> None:
    assert scripts(text) == {*found.split()}
    assert is_single_script(text) == single
    assert is_highly_restrictive(text) == restrictive


@given(st.text(max_size=6))
def test_restriction_levels_agree(text: str) -> None:
    assert is_single_script(text) <= is_highly_restrictive(text)
    assert (len(scripts(text)) < 2) <= is_single_script(text)
    if shown_label(text, ""):
        assert is_single_script(text)


# Browsers

# What UTS #46 changed between Unicode 15.1 and 16, where Node of today has the one and idna the
# other: these were disallowed, and are mapped or left out now; sharp S was mapped to ss.
CHANGED = frozenset(
    "\u04c0\u115f\u1160\u17b4\u17b5\u1806\u180e\u1e9e\u2132\u2183\u3164\uffa0"
    "\U0002f868\U0002f874\U0002f91f\U0002f95f\U0002f9bf"
) | {
    chr(c)
    for a, b in ((0x10A0, 0x10C5), (0x2061, 0x2063), (0x206A, 0x206F))
    for c in range(a, b + 1)
}
CHANGED |= {chr(c) for c in range(0x1D173, 0x1D17B)}
LETTERS = [
    chr(c)
    for c in range(0x80, 0x30000)
    if ucd_3_2_0.category(chr(c)) not in ("Cn", "Co", "Cs") and chr(c) not in CHANGED
]


KNOWN = frozenset(LETTERS).union(map(chr, range(128)))


def _punycode(text: str) -> str:
    return "xn--" + text.encode("punycode").decode("ascii")


MAPPED = (
    "\u00df\u03c2\u200c\u200d\u00ad\u200b\uff11\uff12\u2460\u2488\u00bd\u2100\uff0f\uff05\uff20"
    "\u0130\u0131\u017f\u212a\ufeff\u0301\u05d0\u05d1\u0661\u06f0abc-1\u00e9\u65e5"
)
PARTS = (
    ("", LETTERS, range(1, 4)),
    ("", MAPPED, range(1, 7)),
    ("", "abcXYZ019-", range(6)),
    ("xn--", "abcxyz019-", range(6)),
)
WHOLE = (
    "127 0x7f 0177 1 256 0 09 0x 0xg 4294967295 4294967296 \u0661 \uff11\uff12\uff17",
    "\u0928\u0940\u200d\u0924 \u0915\u094d\u200d\u0937 \u0628\u06cc\u200c\u0628 a\u200cb",
    'a--b -a a- ab--c a_b a!b a"b a`b a{b a*b a|b a^b A%00 %80 %C0%AF a%20b a%2Fb %41%2e',
)


def _label(draw: random.Random) -> str:
    """Characters of a kind, as they are or in Punycode; or a label that means something."""
    if draw.random() < 2 / 7:
        return draw.choice(draw.choice(WHOLE).split())
    if draw.random() < 1 / 5:
        return _punycode("".join(draw.choices("\u00e9\u00f1\u65e5\u672c\u00df\u0445\u2603a-", k=4)))
    before, some, lengths = draw.choice(PARTS)
    return before + "".join(draw.choices(some, k=draw.choice(lengths)))


def _hosts(count: int) -> list[str]:
    """Hosts of one to four labels, and each letter between two others."""
    draw = random.Random(3986)  # noqa: S311 -- the same hosts each time
    made = [f"a{letter}b" for letter in draw.sample(LETTERS, count // 4)]
    while len(made) < count:
        dot = draw.choice([*"....", "\u3002", "\uff0e", "%2E"])
        host = dot.join(_label(draw) for _ in range(draw.randint(1, 4)))
        made.append(encoded(host) if draw.random() < 1 / 2 else host)
    return made


def _by_design(host: str, ours: str | None, node: str | None) -> bool:
    """The ways in which we depart from Node of today, each as the standard has it.

    Node 20 rejects hosts in ASCII with labels that start with xn-- and are not valid, which the
    standard has accepted since June 2026. It holds no label to the Bidi rule (RFC 5893, UTS #46
    section 4.1, criterion 8) but one that starts with a right-to-left character; and it keeps
    A-labels that decode to ASCII, or that Punycode does not make (UTS #46 section 4, step 4; RFC
    3492 section 6.2). A-labels of characters that are not in Unicode 3.2 are left to the versions
    of the two.
    """
    plain = unquote(host)
    if plain.isascii() and "xn--" in plain.lower():
        return node is None and ours is not None
    for label in (node or ours or "").split("."):
        if label.startswith("xn--"):
            rest = label.removeprefix("xn--")
            try:
                read = rest.encode("ascii").decode("punycode")
            except UnicodeError:
                return ours is None
            if not KNOWN.issuperset(read):
                return True
            if read.isascii() or _punycode(read) != label:
                return ours is None
            plain += read
    return ours is None and any(bidirectional(char) in ("R", "AL", "AN") for char in plain)


@bound("count", 200, 16_000)
def test_browsers_read_hosts_as_we_say(count: int) -> None:
    hosts = _hosts(count)
    answers = by_node("new URL('http://' + x + '/').hostname", hosts)
    assert len(answers) == len(hosts) >= count / 2
    wrong, departures = [], 0
    for host, node in zip(hosts, answers, strict=True):
        ours = browser_host(host)
        if ours != node:
            if _by_design(host, ours, node):
                departures += 1
            else:
                wrong.append((host, ours, node))
        try:
            found = canonical_host(host)
        except InvalidHost as error:
            assert error.browser == ours  # noqa: PT017 -- each host, not one
        else:
            assert found.text == (ours or "")  # what is a name is the same name to browsers
    assert wrong == []
    assert departures < len(hosts) / 10
    assert sum(node is not None for node in answers) > len(hosts) / 3


@pytest.mark.parametrize(
    ("host", "text"),
    rows("hosts", "hosts-that-browsers-map"),
)
def test_hosts_that_browsers_map(host: str, text: str | None) -> None:
    assert browser_host(host) == text


# The command line


def test_the_command_tells_every_change(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["normalize", "--to", "host", "--format", "json", "a%2eb"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["canonical"]["text"] == "a.b"
    assert found["canonical"]["changes"][0]["found"] == "%2e"
