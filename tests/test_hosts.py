"""Hosts: canonical names and addresses, what changes say, and what browsers make of them."""

from __future__ import annotations

import ipaddress
import json
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

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

NAMES = [
    ("example.com", "example.com"),
    ("EXAMPLE.com.", "example.com."),
    ("fa\u00df.de", "xn--fa-hia.de"),  # IDNA 2003 made fass.de of it
    ("\u03b2\u03cc\u03bb\u03bf\u03c2.com", "xn--nxasmm1c.com"),
    ("B\u00dcCHER.de", "xn--bcher-kva.de"),
    ("bu\u0308cher.de", "xn--bcher-kva.de"),
    ("\uff42\uff4f\uff4f\uff4b\uff53.example", "books.example"),
    ("a\u3002b\uff0ec\uff61d", "a.b.c.d"),
    ("so\u00adft.example", "soft.example"),
    ("\u2460.example", "1.example"),
    ("xn--fa-hia.de", "xn--fa-hia.de"),
    ("\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.ir", "xn--mgba3gch31f060k.ir"),  # RFC 5892 A.1
    ("ab--c.example", "ab--c.example"),
    ("1a.2-b.example", "1a.2-b.example"),
    ("e\u0301" * 50 + ".example", f"xn--9c{'a' * 50}.example"),  # shorter when it is composed
    ("\uff11\uff12\uff17.0.0.1", "127.0.0.1"),
    ("", ""),
]


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
        ("\u2603.net", (0, 1), "IDNA 2008 does not allow U+2603 SNOWMAN", "xn--n3h.net"),
        ("a\u200cb.com", (0, 3), "ZERO WIDTH NON-JOINER here", None),
        ("x.%E2%80%8D", (2, 11), "ZERO WIDTH JOINER here", None),
        ("x.a%2Fb", (3, 6), "U+002F SOLIDUS, percent-encoded, is not allowed", None),
        ("a\u2100b", (1, 2), "U+2100 ACCOUNT OF, read as a/c", None),
        ("\uff0fevil", (0, 1), "U+FF0F FULLWIDTH SOLIDUS, read as /", None),
        ("a%C0%AFb", (1, 7), "not UTF-8", None),
        ("a\u2488com", (1, 2), "U+2488 DIGIT ONE FULL STOP", None),
        ("xn--a.de", (0, 5), "not a valid A-label", "xn--a.de"),
        ("a.xn---9bz", (2, 10), "not a valid A-label", "a.xn---9bz"),
        ("\u05d0b.com", (0, 2), "RFC 5893", None),
        ("\u05d0.1b", (0, 4), "RFC 5893", None),
        ("a..b", (0, 4), "must not be empty", "a..b"),
        ("a" * 64, (0, 64), "longer than 63", "a" * 64),
        ("-a.de", (0, 2), "begin or end with a hyphen", "-a.de"),
        ("-\u00e9.de", (0, 2), "begin or end with a hyphen", "xn----bga.de"),
        ("a.b%2D.de", (2, 6), "begin or end with a hyphen", "a.b-.de"),
        ("a!b.de", (1, 2), "U+0021 EXCLAMATION MARK", "a!b.de"),
        ("\u00e9!b.de", (1, 2), "U+0021 EXCLAMATION MARK", "xn--!b-9ia.de"),
        ("*.x.de", (0, 1), "U+002A ASTERISK", "*.x.de"),
        ("a_b.de", (1, 2), "U+005F LOW LINE", "a_b.de"),
        ("\u00e9%5Fb.de", (1, 4), "U+005F LOW LINE", "xn--_b-9ia.de"),
        ("256.1.1.1", (0, 9), "ends in a number", None),
        ("1.2.3.04", (0, 8), "ends in a number", "1.2.3.4"),
        ("1.2.3.4.", (0, 8), "ends in a number", "1.2.3.4"),
        ("0x7f.1", (0, 6), "ends in a number", "127.0.0.1"),
        ("\uff11\uff12\uff17.1", (0, 5), "ends in a number", "127.0.0.1"),
        ("a.09", (0, 4), "ends in a number", None),
        ("\u00e9" * 60, (0, 60), "longer than 63", f"xn--9c{'a' * 60}"),
        ("\u00e9." * 40, (0, 80), "longer than 253", "xn--9ca." * 40),
        ("a." * 127 + "b", (0, 255), "longer than 253", "a." * 127 + "b"),
        ("a b", (1, 2), "U+0020 SPACE", None),
        ("100%", (3, 4), "two hexadecimal digits", None),
        ("[::1", (0, 4), "in brackets", None),
        ("[1::2::3]", (0, 9), "in brackets", None),
        ("a\ud800", (1, 2), "U+D800", None),
        ("\u00ad", (0, 1), "nothing of the name is left", None),
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
    [
        ("[2001:DB8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]"),  # RFC 5952 §4.2.3: the first of two
        ("[2001:0db8::0001]", "[2001:db8::1]"),  # §4.1
        ("[2001:db8:0:1:1:1:1:1]", "[2001:db8:0:1:1:1:1:1]"),  # §4.2.2: no :: for one field
        ("[2001:db8::1:1:1:1:1]", "[2001:db8:0:1:1:1:1:1]"),
        ("[2001:0:0:1:0:0:0:1]", "[2001:0:0:1::1]"),  # §4.2.3: the longest
        ("[0:0:0:0:0:0:0:0]", "[::]"),
        ("[::0:1]", "[::1]"),
        ("[1:0:0:0:0:0:0:0]", "[1::]"),
        ("[::ffff:C000:201]", "[::ffff:192.0.2.1]"),  # §5
        ("[::ffff:0:192.0.2.1]", "[::ffff:0:192.0.2.1]"),
        ("[64:ff9b::c000:221]", "[64:ff9b::192.0.2.33]"),  # RFC 6052 §2.4
        ("[::1.2.3.4]", "[::102:304]"),  # no prefix tells it
        ("[64:ff9b:1::c000:221]", "[64:ff9b:1::c000:221]"),
        ("[V1.A:b]", "[v1.a:b]"),
        ("127.0.0.1", "127.0.0.1"),
        ("Name", "Name"),
    ],
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
    [
        ("a\u02b0", {"Latin"}, True, True),
        ("\u65e5\u30fc", {"Han"}, True, True),
        ("\u65e5\u672c\u306e\u30ce", {"Han", "Hiragana", "Katakana"}, True, True),
        ("\ud55c\u6f22", {"Hangul", "Han"}, True, True),
        ("\ud55c\u3042", {"Hangul", "Hiragana"}, False, False),
        ("book\u65e5", {"Latin", "Han"}, False, True),
        ("\u0430pple", {"Cyrillic", "Latin"}, False, False),
        ("1-2", set(), True, True),
        ("\u0628\u0640\u0661", {"Arabic"}, True, True),
        ("\u00b5", set(), True, True),
    ],
)
def test_scripts(text: str, found: set[str], single: bool, restrictive: bool) -> None:
    assert scripts(text) == found
    assert is_single_script(text) == single
    assert is_highly_restrictive(text) == restrictive


@given(st.text(max_size=6))
def test_restriction_levels_agree(text: str) -> None:
    assert is_single_script(text) <= is_highly_restrictive(text)
    assert (len(scripts(text)) < 2) <= is_single_script(text)
    if shown_label(text, ""):
        assert is_single_script(text)


# Browsers


@pytest.mark.parametrize(
    ("host", "text"),
    [
        ("127%E3%80%820%E3%80%820%E3%80%821", "127.0.0.1"),
        ("\u2460\u2461\u2466.1", "127.0.0.1"),
        ("%EF%BC%8Fevil", None),
        ("%E2%84%80", None),
        ("ex%C2%ADample.com", "example.com"),
        ("exam%E2%80%8Bple.com", "example.com"),
        ("a%2eb", "a.b"),
        ("0x7f.1", "127.0.0.1"),
        ("1.2.3.4.5", None),
        ("a.09", None),
        ("[::FFFF:1.2.3.4]", "[::ffff:102:304]"),
        ("[v1.x]", None),
        ("", None),
        ("%E2%98%83.net", "xn--n3h.net"),
        ("a%", None),
    ],
)
def test_hosts_that_browsers_map(host: str, text: str | None) -> None:
    assert browser_host(host) == text


# The command line

KEPT = "U+00DF LATIN SMALL LETTER SHARP S is kept, as IDNA 2008 has it; IDNA 2003 mapped it"
KEPT = f"{KEPT} to another name"
FORM = "the canonical form of the address (RFC 5952 \u00a74)"


def test_the_command_tells_every_change(capsys: pytest.CaptureFixture[str]) -> None:
    hosts = ("Fa\u00df.de", "[::FFFF:C000:201]", "\u2603.net")
    assert main(["normalize", "--to", "host", "--steps", *hosts]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "xn--fa-hia.de",
        "  0-1: F -> f: U+0046 LATIN CAPITAL LETTER F is written in lower case",
        f"  2-3: \u00df -> \u00df: {KEPT}",
        "  0-3: fa\u00df -> xn--fa-hia: written as an A-label (RFC 5890 \u00a72.3.2.1)",
        "[::ffff:192.0.2.1]",
        f"  0-17: [::FFFF:C000:201] -> [::ffff:192.0.2.1]: {FORM}",
        "  browsers write [::ffff:c000:201]",
    ]
    assert "IDNA 2008 does not allow U+2603 SNOWMAN" in err
    assert "browsers read xn--n3h.net" in err
    assert main(["normalize", "--to", "host", "--format", "json", "a%2eb"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["canonical"]["text"] == "a.b"
    assert found["canonical"]["changes"][0]["found"] == "%2e"
