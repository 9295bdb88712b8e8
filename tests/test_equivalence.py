"""Whether equivalence is what the specification of each scheme says: RFC 3986 section 6.1.

Owns an account of equality for each scheme that has a grammar, written from its specification and
without the code that it judges. Two texts of one normal form, and two that ``equivalent`` calls
equivalent, must be equal by it; the reverse is not demanded, since an equivalence that is missed
costs a comparison, and a false one loses a name.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from decimal import Decimal
from ipaddress import IPv6Address
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

import idna
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import rows
from tiers import quick

from uriproof import (
    Rule,
    check,
    clean,
    display,
    equivalent,
    grammars,
    iri_to_uri,
    is_valid,
    normalize,
    relativize,
    resolve,
    uri_to_iri,
)
from uriproof.adapters import for_hypothesis
from uriproof.grammar import registry
from uriproof.grammar.schemes import DATUM, SCHEMES, schemes
from uriproof.uri.normalize import LEVELS

# What is equal, scheme by scheme

APPENDIX_B = re.compile(r"([^:/?#]+):(?://([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
HOST_AND_MORE = re.compile(r"([^;?]*)([;?]?)(.*)")


def groups(pattern: re.Pattern[str], text: str) -> tuple[Any, ...]:
    match = pattern.fullmatch(text)
    assert match is not None, text
    return match.groups()


UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


def decoded(text: str | None) -> str | None:
    """RFC 3986 §2.3: an unreserved character and its octet are the same; §2.1: digits, too."""

    def one(match: re.Match[str]) -> str:
        char = chr(int(match[1], 16))
        return char if UNRESERVED.match(char) else match[0].upper()

    return text and re.sub("%([0-9A-Fa-f]{2})", one, text)


def with_digits_upper(text: str) -> str:
    """RFC 3986 §2.1, and nothing else."""
    return re.sub("%..", lambda match: match[0].upper(), text)


def without_steps(path: str) -> str:
    """RFC 3986 §5.2.4, for a path that is empty or begins with a slash."""
    kept: list[str] = []
    *segments, last = path.split("/")[1:] or [""]
    for segment in segments:
        if segment == "..":
            kept[-1:] = []
        elif segment != ".":
            kept.append(segment)
    if last == "..":
        kept[-1:] = []
    return "/".join(["", *kept, "" if last in {".", ".."} else last])


def host_of(text: str) -> Hashable:
    """RFC 3986 §3.2.2: without case; an address is its number, an IDN its A-labels (RFC 5891)."""
    text = text.lower()
    if "%" in text:
        with suppress(UnicodeError):
            return idna.encode(unquote(text, errors="strict"), uts46=True).decode()
    try:
        return IPv6Address(text[1:-1])
    except ValueError:
        return text


def generic(port: int | None = None, *, steps: bool = True) -> Callable[[str], Hashable]:
    """RFC 9110 §4.2.3, RFC 7252 §6.3, and RFC 3986 §6.2.3 for other schemes with hosts."""

    def key(text: str) -> Hashable:
        scheme, authority, path, query, fragment = groups(APPENDIX_B, text)
        before, at, rest = (authority or "").rpartition("@")
        host, _, number = rest.partition(":") if "]" not in rest else rest.rpartition("]")
        if "]" in rest:
            host, number = host + "]", number.removeprefix(":")
        digits = int(number) if number else port
        path = decoded(path) or ""
        path = without_steps(path) if steps else path
        parts = decoded(before), at, host_of(decoded(host) or ""), digits, path
        return scheme.lower(), *parts, decoded(query), decoded(fragment)

    return key


def file(text: str) -> Hashable:
    """RFC 8089 §2, Appendix B: localhost, an empty host and none at all are this machine."""
    _, authority, path, query, fragment = groups(APPENDIX_B, text)
    host = host_of(decoded(authority or "") or "")
    steps = without_steps(decoded(path) or "")
    return "" if host == "localhost" else host, steps, decoded(query), decoded(fragment)


def urn(text: str) -> Hashable:
    """RFC 8141 §3.1: scheme and NID without case, digits of octets too, and nothing else."""
    scheme, nid, specific = re.split("[?#]", text)[0].split(":", 2)
    return scheme.lower(), nid.lower(), with_digits_upper(specific)


def sip(text: str) -> Hashable:
    """RFC 3261 §19.1.4: the user has case, the host none; an octet is its unreserved character.

    Parameters and headers can be in any order; here they are not.
    """
    scheme, _, rest = text.partition(":")
    rest, hash_, fragment = rest.partition("#")
    user, at, others = rest.rpartition("@")
    host, mark, more = groups(HOST_AND_MORE, others)
    return scheme.lower(), decoded(user), at, host.lower(), mark, decoded(more), hash_, fragment


def tel(text: str) -> Hashable:
    """RFC 3966 §4: visual separators do not count, nor the order and the case of parameters."""
    _, _, rest = text.partition(":")
    number, *parameters = rest.split(";")
    names = sorted((decoded(one) or "").lower() for one in parameters)
    return re.sub(r"[-.()]", "", number).lower(), tuple(names)


def mailto(text: str) -> Hashable:
    """RFC 6068 §2 and §4: addresses are divided, then decoded; a domain has no case (RFC 5321)."""
    _, _, to, query, fragment = groups(APPENDIX_B, text)
    addresses = [unquote_to_bytes(one).rpartition(b"@") for one in to.split(",")]
    fields = [tuple(map(unquote_to_bytes, one.split("="))) for one in (query or "?")[1:].split("&")]
    to = tuple((local, at, domain.lower()) for local, at, domain in addresses)
    return to, tuple(fields), query is None, fragment


def data(text: str) -> Hashable:
    """RFC 2397 §2: a media type, and octets."""
    rest, hash_, fragment = text.partition(":")[2].partition("#")
    media, _, octets = rest.partition(",")
    return decoded(media), unquote_to_bytes(octets), hash_, decoded(fragment)


def geo(text: str) -> Hashable:
    """RFC 5870 §3.4.4: coordinates are numbers; names, and the value of crs, have no case."""
    coordinates, *parameters = text.partition(":")[2].split(";")
    pairs = [(decoded(one) or "").partition("=") for one in parameters]
    return tuple(map(Decimal, coordinates.split(","))), tuple((n.lower(), v) for n, _, v in pairs)


def info(text: str) -> Hashable:
    """RFC 4452 §6: scheme and namespace in lower case, unreserved characters decoded."""
    namespace, _, rest = text.partition(":")[2].partition("/")
    return namespace.lower(), decoded(rest)


def nih(text: str) -> Hashable:
    """RFC 6920 §7: hexadecimal digits without case, dashes and the digit that checks them."""
    algorithm, value, *_ = text.partition(":")[2].split(";")
    return algorithm, value.replace("-", "").lower()


EQUALITY: dict[str, Callable[[str], Hashable]] = {
    **{name: generic(80) for name in ("http", "ws", "coap+ws")},
    **{name: generic(443) for name in ("https", "wss", "coaps+ws")},
    **{name: generic(5683) for name in ("coap", "coap+tcp")},
    **{name: generic(5684) for name in ("coaps", "coaps+tcp")},
    "ftp": generic(21),
    "file": file,
    "urn": urn,
    "tag": str,  # RFC 4151 §2.4: character by character
    "sip": sip,
    "sips": sip,
    "tel": tel,
    "mailto": mailto,
    "data": data,
    "geo": geo,
    "info": info,
    # RFC 6694 §2: as RFC 3986 has it, and the token has case.
    "about": lambda text: decoded(text.partition(":")[2]),
    # RFC 6920 §2: the digest and its algorithm, wherever it might be found.
    "ni": lambda text: str(groups(APPENDIX_B, text)[2]),
    "nih": nih,
    # DID Core §3.1: nothing but the scheme is without case; digits of octets have none.
    "did": lambda text: with_digits_upper(text.partition(":")[2]),
    # RFC 4516 §2: after the host, a name in which octets are its UTF-8, and no steps.
    "ldap": generic(389, steps=False),
}


def test_every_scheme_with_a_grammar_has_an_account_of_equality() -> None:
    assert EQUALITY.keys() == registry.schemes().keys()


# Texts that are nearly equal

PUT_IN = ["/../", "/./", "/a/..", "/%2e%2e/", "/.", "%2e", "%7e", "%c3%bc", ":", "//", ":0", "A"]
OWN = {  # what samples seldom have: dots, case and zeros where the scheme has data
    "sip": ["sip://A/b@h", "sip://a/b@h", "sip://a:0/b@h", "sip://a:/b@h", "sip:a/../b@H:05060"],
    "urn": ["urn:a1:b/../c", "urn:a1:B?+r", "urn:A1:b?=q#f", "urn:a1:%7e", "urn:a1:~"],
    "tag": ["tag:a@b.c,2001:/../x", "tag:a@B.c,2001:/x", "tag:a@b.c,2001:%7e"],
    "tel": ["tel:+1;x=/../y", "tel:+1;x=/y", "tel:+1-2;x=%41"],
    "data": ["data:,a/../B", "data:a/b,c/%2e%2e/d", "data:,%7e"],
    "file": ["file://LOCALHOST/a", "file:/a/..//b", "file:///a/%2e%2e//b", "file://h/.//a"],
    "ldap": ["ldap://h:0389/o=a?b", "ldap://H/o=A", "ldap://h:/o=%61"],
    "http": ["http://h", "http://h:080?", "http://[0::1]:/%7e", "http://h/.//a", "http://@h/a/.."],
}


def near(scheme: str, count: int) -> Iterator[str]:
    """Texts that the rule of the scheme accepts: samples, with pieces put in and respelled."""
    grammar, rule = registry.schemes()[scheme]
    random = Random(scheme)  # noqa: S311 -- test data, the same every time
    accepts = Rule(schemes=True).is_valid
    samples = [*OWN.get(scheme, ()), *islice(grammars.sample(rule, grammar, seed=2), count)]
    for sample in filter(accepts, samples):
        yield sample
        for piece in PUT_IN:
            at = random.randrange(len(scheme) + 1, len(sample) + 1)
            text = sample[:at] + piece + sample[at:]
            for one in (text, respelled(text, scheme, random), respelled(sample, scheme, random)):
                if accepts(one):
                    yield one


def respelled(text: str, scheme: str, random: Random) -> str:
    """Some characters in the other case, and some as octets."""
    kinds = [lambda c: f"%{ord(c):02x}", lambda c: f"%{ord(c):02X}", str.swapcase]
    kinds += [str] * random.choice((3, 12))
    rest = text[len(scheme) + 1 :]
    # An escape stays as it is, but for its case.
    pieces = re.findall(r"%[0-9A-Fa-f]{2}|[!-~]", rest)
    made = [
        random.choice((str.upper, str.lower))(p) if len(p) > 1 else random.choice(kinds)(p)
        for p in pieces
    ]
    return random.choice((scheme, scheme.upper())) + ":" + "".join(made)


EACH = quick(sorted(EQUALITY), among=["urn"])


@pytest.mark.parametrize("scheme", EACH)
def test_a_normal_form_is_of_one_name_of_the_scheme(scheme: str) -> None:
    """And is a URI of the scheme, on every level."""
    key, accepts = EQUALITY[scheme], Rule(schemes=True).is_valid
    texts = sorted({*near(scheme, 40)})
    assert len(texts) > len(PUT_IN)
    for level in LEVELS:
        made: dict[str, set[str]] = defaultdict(set)
        for text in texts:
            normal = normalize(text, level)
            assert accepts(normal), (text, normal)
            assert normalize(normal, level) == normal
            made[normal] |= {text, normal}
        for same in made.values():
            assert len({key(text) for text in same}) == 1, sorted(same)


@pytest.mark.parametrize("scheme", EACH)
def test_only_equal_names_of_the_scheme_are_equivalent(scheme: str) -> None:
    """Neighbors of one sample, in any order, so that each is compared with several others."""
    key = EQUALITY[scheme]
    texts = [*near(scheme, 12)]
    bases = [None, "http://h/x", f"{scheme}:a"]
    bases = [base for base in bases if base is None or is_valid(base)]
    for step in (1, 2, 5):
        for a, b in zip(texts, texts[step:], strict=False):
            for base in bases:
                if equivalent(a, b, base=base, level="host"):
                    assert key(a) == key(b), (a, b, base)
                    assert equivalent(b, a, base=base, level="host")


@pytest.mark.parametrize("scheme", EACH)
def test_what_is_made_of_a_name_is_the_same_name(scheme: str) -> None:
    """An IRI and its URI, a target that is resolved, and what is displayed and read again."""
    key = EQUALITY[scheme]
    for text in near(scheme, 12):
        if scheme != "tag":  # of which an octet in lower case is another one
            assert key(iri_to_uri(uri_to_iri(text))) == key(text), text
        target = resolve("http://h/x", text)
        assert key(target) == key(text)
        assert resolve("http://h/x", relativize("http://h/x", target)) == target


# Schemes of which no grammar is bundled


@pytest.mark.parametrize("base", [None, "http://h/x", "urn:a:b"])
def test_a_path_of_the_schemes_own_keeps_its_dots(base: str | None) -> None:
    """In all schemes that are registered, that have a row in the table, and in any other."""
    for scheme in {*schemes(), *SCHEMES, "x-any"}:
        for a, b in [("a/../b", "c/../b"), ("a/%2E%2E/b", "c/../b"), ("a/./b", "a/b")]:
            one, two = f"{scheme}:{a}", f"{scheme.upper()}:{b}"
            assert not equivalent(one, two, base=base, level="host"), (one, two)
            assert normalize(one) == one


@pytest.mark.parametrize("scheme", quick(sorted(DATUM), among=("mailto", "tel", "urn")))
def test_a_path_that_is_one_datum_keeps_its_dots_wherever_it_goes(scheme: str) -> None:
    for rest in ("a/../b", "a/./", "/a/../b", "//h/a/../b", "..", "a/%2e%2e/b"):
        text = f"{scheme}:{rest}"
        dots = text.lower().replace("%2e", ".").count(".")
        made = [resolve("http://h/x", text), normalize(text), display(text), uri_to_iri(text)]
        made += [
            relativize("http://h/x", text),
            iri_to_uri(text),
            clean(f"{text}#a b", report=True).result or text,
        ]
        assert [one.lower().replace("%2e", ".").count(".") for one in made] == [dots] * len(made)
        assert "dot-segments" not in {advice.code for advice in check(text).advice}


def test_no_case_is_advised_where_case_counts() -> None:
    assert not check("sip://A/b@h").advice


PAIRS = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text("utf-8"))["other"]


@pytest.mark.parametrize(("a", "b"), [pair for pairs in PAIRS.values() for pair in pairs])
def test_other_names_are_not_equivalent(a: str, b: str) -> None:
    for base in (None, "http://h/x"):
        assert not equivalent(a, b, base=base, level="host")
        assert not equivalent(b, a, base=base, level="host")
    assert normalize(a, "host") != normalize(b, "host")


# An equivalence relation

TEXTS = for_hypothesis.valid("URI-reference")
SPELLINGS = rows("equivalence", "spellings")
ANY = st.one_of(TEXTS, st.sampled_from(SPELLINGS))


@given(ANY, ANY, ANY, st.sampled_from(LEVELS), st.booleans())
def test_it_is_an_equivalence_relation(a: str, b: str, c: str, level: str, fragment: bool) -> None:
    def same(one: str, two: str) -> bool:
        return bool(equivalent(one, two, level=level, fragment=fragment))

    normal = normalize(b, level)
    assert same(a, a)
    assert same(b, normal)
    assert same(a, b) == same(b, a) == same(a, normal)
    assert not (same(a, b) and same(b, c)) or same(a, c)


@pytest.mark.parametrize("level", quick(LEVELS, among=["scheme"]))
def test_spellings_are_in_classes(level: str) -> None:
    """All pairs: what is equivalent is so with the same others, and on each higher level."""
    found = {a: {b for b in SPELLINGS if equivalent(a, b, level=level)} for a in SPELLINGS}
    assert all(found[a] == found[b] for a in found for b in found[a])
    for lower, higher in pairwise(LEVELS[: LEVELS.index(level) + 1]):
        for a, b in pairwise(SPELLINGS):
            assert not equivalent(a, b, level=lower) or equivalent(a, b, level=higher)
    for a, same in found.items():
        normal = {b for b in SPELLINGS if normalize(a, level) == normalize(b, level)}
        # The text after an assigned name does not count, and stays in the normal form.
        assert normal == same or a.lower().startswith("urn:")


# Domain names


@pytest.mark.parametrize(
    ("a", "b", "same"),
    rows("equivalence", "names-of-the-dns-are-compared-as-they-are-looked-up"),
)
def test_names_of_the_dns_are_compared_as_they_are_looked_up(a: str, b: str, same: bool) -> None:
    assert bool(equivalent(a, b, level="host")) is bool(equivalent(b, a, level="host")) is same
    assert (normalize(a, "host") == normalize(b, "host")) is same
    assert equivalent(a, a, level="host").level == "string"
    assert not (a + b).isascii() or not equivalent(a, b)
