"""The grammars of schemes without an authority: mailto, urn, data, tel, sip, geo, ni, tag, did…"""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_text
from tiers import bound, quick

import uriproof
from uriproof.grammar import registry
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.machine.automaton import Automaton
from uriproof.grammar.machine.product import difference
from uriproof.grammar.machine.sample import cover, neighbours
from uriproof.report import Report

if TYPE_CHECKING:
    import lark

RULES = {
    "about": ("rfc6694", "about-uri"),
    "data": ("rfc2397", "dataurl"),
    "did": ("w3c-did", "did-url"),
    "geo": ("rfc5870", "geo-URI"),
    "info": ("rfc4452", "info-URI"),
    "mailto": ("rfc6068", "mailtoURI"),
    "ni": ("rfc6920", "NI-URI"),
    "nih": ("rfc6920", "humanname"),
    "sip": ("rfc3261", "SIP-URI"),
    "sips": ("rfc3261", "SIPS-URI"),
    "tag": ("rfc4151", "tagURI"),
    "tel": ("rfc3966", "telephone-uri"),
    "urn": ("rfc8141", "rq-namestring"),
}
NOT_URIS = {
    "geo": "geo:0,0;a=[",
    "sip": "sip:a;[",
    "sips": "sips:a;[",
    "tel": "tel:+0;a=[",
}
"""The shortest text of a scheme's rule that is no URI: these have square brackets in parameters."""
FRAGMENTS = {
    "about": "about:#",
    "did": "did:a:a#",
    "info": "info:a/#",
    "tag": "tag:a,0000:#",
}
"""The shortest text of a scheme's rule that is a URI, but with a fragment."""

each_scheme = pytest.mark.parametrize("scheme", quick(RULES, among=("geo", "mailto", "urn")))


def language(grammar: str, rule: str) -> Automaton:
    return registry.load(grammar).automaton(rule)


def text_of(tree: lark.Tree[Any]) -> str:
    return "".join(str(token) for token in tree.scan_values(lambda _: True))


@cache
def own(abnf: str) -> Compiled:
    return registry.compile_abnf(abnf)


# What the grammars accept


def test_each_scheme_is_held_to_its_rule() -> None:
    known = registry.schemes()
    assert {scheme: known[scheme] for scheme in RULES} == RULES


@each_scheme
def test_whether_every_text_of_a_scheme_is_a_uri(scheme: str) -> None:
    accepted = language(*RULES[scheme])
    uri, absolute = language("rfc3986", "URI"), language("rfc3986", "absolute-URI")
    assert difference(accepted, uri, contained=True) == NOT_URIS.get(scheme)
    beyond = NOT_URIS.get(scheme) or FRAGMENTS.get(scheme)
    assert difference(accepted, absolute, contained=True) == beyond


def test_a_telephone_number_with_a_number_sign_is_no_telephone_number_to_a_uri_parser() -> None:
    text = "tel:*31#;phone-context=+49"
    assert uriproof.Grammar.load("rfc3966").rule().is_valid(text)
    assert uriproof.is_valid(text)
    # Before the "#" there is a local number, and no context.
    assert not uriproof.is_valid(text, uriproof.Rule(schemes=True))


def test_a_namestring_is_an_rq_namestring_and_perhaps_a_fragment() -> None:
    joined = own('; imports: rfc8141\n; starts: both\nboth = rq-namestring [ "#" fragment ]\n')
    assert difference(joined.automaton("both"), language("rfc8141", "namestring")) is None


def test_where_an_r_component_ends() -> None:
    """RFC 8141 section 2.3.1 in prose; its ABNF lets "?=" stand in an r-component."""
    verbatim = own(
        "; imports: rfc8141\n; starts: loose\n"
        'loose = assigned-name [ "?+" r ] [ "?=" q-component ]\n'
        'r     = pchar *( pchar / "/" / "?" )\n'
    ).automaton("loose")
    exact = language("rfc8141", "rq-namestring")
    assert difference(exact, verbatim, contained=True) is None
    assert difference(verbatim, exact) == "urn:aa:a?+a?="
    tree = uriproof.Grammar.load("rfc8141")["rq-namestring"].parse("urn:example:a?+b?=c")
    assert [text_of(found) for found in tree.find_data("r-component")] == ["b"]
    assert [text_of(found) for found in tree.find_data("q-component")] == ["c"]
    without = own(
        "; imports: rfc8141\n; starts: without\n"
        "without = r-component / x\n"
        'x = *( pchar / "/" / "?" ) "?=" *( pchar / "/" / "?" )\n'
    ).automaton("without")
    all_of_it = own('; imports: rfc3986\nr = pchar *( pchar / "/" / "?" )').automaton("r")
    assert difference(all_of_it, without, contained=True) is None


def test_data_is_of_the_characters_of_rfc_2396() -> None:
    data = language("rfc2397", "data")
    assert difference(data, own("x = *uric\n" + URIC).automaton("x")) is None
    assert difference(data, language("rfc3986", "query")) is None


URIC = """\
uric       = reserved / unreserved / escaped
reserved   = ";" / "/" / "?" / ":" / "@" / "&" / "=" / "+" / "$" / ","
unreserved = ALPHA / DIGIT / "-" / "_" / "." / "!" / "~" / "*" / "'" / "(" / ")"
escaped    = "%" HEXDIG HEXDIG
"""


def test_a_token_of_a_media_type_is_one_of_rfc_2045_in_a_url() -> None:
    """RFC 2045 section 5.1: any CHAR except SPACE, CTLs and tspecials; in a URL, and no "%"."""
    tspecials = set('()<>@,;:\\"/[]?=')
    plain = {chr(c) for c in range(0x21, 0x7F)} - tspecials
    data = uriproof.Grammar.load("rfc2397")
    urlchars = {c for c in map(chr, range(0x80)) if data["urlchar"].is_valid(c)}
    allowed = {c for c in map(chr, range(0x100)) if data["token"].is_valid(c)}
    assert allowed == plain & urlchars
    assert plain - allowed == set("#%^`{|}")


def test_an_atom_of_an_address_is_one_of_rfc_5322_in_a_uri() -> None:
    """RFC 6068 section 2: what of it cannot stand in a URI is percent-encoded, and some more."""
    atext = set("!#$%&'*+-/=?^_`{|}~") | {c for c in map(chr, range(0x80)) if c.isalnum()}
    mailto = uriproof.Grammar.load("rfc6068")
    bare = {c for c in map(chr, range(0x100)) if mailto["atext"].is_valid(c)}
    assert atext - bare == set("%#/?&=^`{|}")
    assert bare <= atext


def test_every_telephone_subscriber_is_a_user_of_sip() -> None:
    """RFC 3261 section 25.1: what a user may not have, a telephone number there must escape."""
    sip = language("rfc3261", "user")
    assert difference(language("rfc3966", "global-number"), sip, contained=True) == "+0;a=:"
    fitting = own(
        "; imports: rfc5234\n; starts: number\n"
        'number    = "+" 1*( DIGIT / "-" / "." / "(" / ")" ) *( ";" 1*char [ "=" 1*char ] )\n'
        'char      = ALPHA / DIGIT / "-" / "_" / "." / "!" / "~" / "*" / "\'" / "(" / ")" / "/"\n'
        '          / "&" / "+" / "$" / "%" HEXDIG HEXDIG\n'
    ).automaton("number")
    assert difference(fitting, sip, contained=True) is None


def test_addresses_in_sip_are_those_of_rfc_3986() -> None:
    """RFC 5954 section 4.1."""
    for rule in ("IPv6address", "IPv4address"):
        assert difference(language("rfc3261", rule), language("rfc3986", rule)) is None


def test_names_that_hold_an_authority_hold_that_of_rfc_3986() -> None:
    """RFC 6920 section 3 has "[ authority ]", which adds nothing: an authority may be empty."""
    verbatim = own(
        "; imports: rfc6920\n; starts: name\n"
        'name = ni-scheme ":" "//" [ authority ] "/" alg-val [ "?" query ]\n'
    ).automaton("name")
    assert difference(language("rfc6920", "NI-URI"), verbatim) is None


# What the reports say


def report_of(scheme: str, text: str) -> Report:
    """The report under the scheme's rule, which the regular expression and automaton bear out."""
    grammar, rule = RULES[scheme]
    loaded = uriproof.Grammar.load(grammar)
    report = loaded[rule].check(text)
    assert report.ok is loaded[rule].is_valid(text) is language(grammar, rule).accepts(text)
    end = 0
    for v in report.violations:
        assert end <= v.start <= v.end <= len(text)
        assert v.found == text[v.start : v.end]
        assert v.path[0] == rule
        assert v.path[-1] == v.production
        assert v.message
        end = v.end
    if not report.ok and report.fixed is not None:
        assert loaded[rule].is_valid(report.fixed)
    return report


@given(data=st.data(), scheme=st.sampled_from(sorted(RULES)))
def test_any_text_has_a_sound_report(data: Any, scheme: str) -> None:
    grammar, rule = RULES[scheme]
    report_of(scheme, data.draw(any_text(registry.load(grammar), rule)))


@given(data=st.data(), scheme=st.sampled_from(sorted(RULES)))
def test_any_text_has_a_sound_report_beside_the_generic_one(data: Any, scheme: str) -> None:
    grammar, rule = RULES[scheme]
    text = data.draw(any_text(registry.load(grammar), rule))
    report = uriproof.check(text, uriproof.Rule(schemes=True))
    assert report.ok is uriproof.is_valid(text, uriproof.Rule(schemes=True))


@pytest.mark.parametrize("scheme", sorted(set(RULES) - {"about", "geo", "info", "ni", "nih"}))
@bound("every", 149, 7)
def test_what_is_read_as_one_is_blamed_first_where_it_leaves_the_grammar(
    scheme: str, every: int
) -> None:
    """One edit away from texts that make every move; a bad escape is blamed on its "%"."""
    machine = language(*RULES[scheme])
    random = Random(3986)  # noqa: S311 -- texts to try, not secrets
    texts = [*islice(cover(machine), 0, None, every)]
    for text in (near for good in texts for near in neighbours(good, machine, random, 2)):
        report = report_of(scheme, text)
        if not report.ok:
            violation, viable = report.violations[0], longest(machine, text)
            if violation.kind == "bad-escape":
                assert viable - 2 <= violation.start < viable
            else:
                assert violation.start == viable, (text, violation)


def longest(machine: Automaton, text: str) -> int:
    """The length of the longest beginning that something valid has, too."""
    state = 0
    for at, class_ in enumerate(machine.alphabet.encode(text)):
        state = machine.rows[state][class_]
        if state < 0:
            return at
    return len(text)


HOSTILE = [
    "",
    ":",
    "\0",
    "\ud800",
    "\U0010ffff",
    "\n",
    "%" * 50,
    "%f" * 50,
    "%ff" * 50,
    "[" * 50,
    "]" * 50,
    "@" * 50,
    "," * 50,
    ";" * 50,
    "?" * 50,
    "#" * 50,
    "." * 50,
    ":" * 50,
    "/" * 50,
    "-" * 50,
    "=" * 50,
    "&" * 50,
    " " * 50,
    "0" * 5000,
    "\u0660" * 50,
    "a@" * 50,
    "a@b," * 50,
    ";a=" * 50,
    ";isub=" * 20,
    "?+?=" * 20,
    "%22" * 50,
    "a.b-" * 50 + "!",
    "..%2F../" * 20,
    "\u202egpj.exe",
    "\r\nSet-Cookie: a=b",
]


@each_scheme
def test_hostile_texts_are_data(scheme: str) -> None:
    for tail in HOSTILE:
        for text in (tail, f"{scheme}{tail}", f"{scheme}:{tail}", f"{scheme}:a{tail}"):
            report = report_of(scheme, text)
            assert str(report)


@each_scheme
def test_a_line_feed_at_the_end_is_one_too_many(scheme: str) -> None:
    machine = language(*RULES[scheme])
    for text in islice(cover(machine), 0, None, 11):
        assert not report_of(scheme, text + "\n").ok


@each_scheme
def test_the_scheme_itself_is_of_any_case_and_no_other(scheme: str) -> None:
    grammar, rule = RULES[scheme]
    loaded = uriproof.Grammar.load(grammar)
    text = next(iter(cover(language(grammar, rule))))
    rest = text[len(scheme) :]
    assert loaded[rule].is_valid(scheme + rest)
    assert loaded[rule].is_valid(scheme.upper() + rest)
    assert not loaded[rule].is_valid("x" + scheme + rest)
    assert not loaded[rule].is_valid(scheme + "x" + rest)
    assert not loaded[rule].is_valid(rest)


TREES = {
    "about:blank": ["about-token"],
    "data:text/plain;charset=utf-8;base64,eA==": ["mediatype", "type", "subtype", "parameter"],
    "did:example:123/a?b#c": ["did", "method-name", "method-specific-id", "path-abempty"],
    "geo:48.2,16.3,183;crs=wgs84;u=40;a=b": ["coordinates", "coord-c", "crsp", "uncp", "parameter"],
    "info:ddc/22/eng//004.678": ["info-scheme", "namespace", "identifier"],
    "mailto:a@b.c,d@e?subject=x&cc=y": ["to", "addr-spec", "domain", "hfname", "hfvalue"],
    "ni://example.com/sha-256;abc?ct=text/plain": ["ni-scheme", "authority", "alg", "val"],
    "nih:3;532690-57e12f;f": ["alg", "sepval", "checkdigit"],
    "sip:alice:pw@atlanta.com:5060;transport=tcp?subject=x": ["user", "hostport", "headers"],
    "sips:bob@[::1]": ["userinfo", "IPv6reference", "IPv6address"],
    "tag:sandro@w3.org,2004-05:Sandro": ["taggingEntity", "emailAddress", "date", "specific"],
    "tel:863-1234;phone-context=+1-914-555": ["local-number", "local-number-digits"],
    "urn:example:a?+b?=c": ["assigned-name", "NID", "NSS", "r-component", "q-component"],
}


@pytest.mark.parametrize("text", TREES)
def test_trees_name_the_parts(text: str) -> None:
    grammar, rule = RULES[text.partition(":")[0]]
    tree = uriproof.Grammar.load(grammar)[rule].parse(text)
    assert tree.data == rule
    assert text_of(tree) == text
    for name in TREES[text]:
        assert list(tree.find_data(name)), name


# What is not equivalent

NOT_EQUIVALENT = [
    ("urn:isbn:x/../b", "urn:uuid:y/../b"),
    ("urn:a1:b/./c", "urn:a1:b/c"),
    ("urn:a1:b/c/..", "urn:a1:b/"),
    ("URN:a1:b/%2E%2E/c", "urn:c"),
    ("tag:a@b.c,2001:/../x", "tag:d@e.f,2002:/../x"),
    ("tel:+1;x=/../y", "tel:+2;x=/../y"),
    ("sip:a/../b@h", "sip:c/../b@h"),
    ("sips:a/./b@h", "sips:a/b@h"),
    ("info:a/../b", "info:c/../b"),
    ("did:a:b/../c", "did:d:e/../c"),
    ("javascript:f()/../g()", "javascript:h()/../g()"),
    ("mailto:a/../b@h", "mailto:b@h"),
    ("data:a/../b,c", "data:b,c"),
    ("data:,a/../b", "data:,c/../b"),
    ("about:a/../b", "about:b"),
    ("geo:1,2;u=/../x", "geo:3,4;u=/../x"),
    ("cid:a/../b@h", "cid:b@h"),
    ("news:a/../b@h", "news:b@h"),
    ("xmpp:a@h/../b", "xmpp:c@h/../b"),
    ("x-unknown:a/../b", "x-unknown:c/../b"),
    ("x-unknown:./b", "x-unknown:b"),
    ("x-unknown:a/%2e%2e/b", "x-unknown:b"),
]
EQUIVALENT = [
    ("http://h/a/../b", "http://h/b"),
    ("ftp://h/a/./b", "ftp://h/a/b"),
    ("file:///a/../b", "file:///b"),
    ("x-unknown:/a/../b", "x-unknown:/b"),
    ("x-unknown://h/a/../b", "x-unknown://h/b"),
    ("urn:A1:b", "URN:a1:b"),
]


@pytest.mark.parametrize(("a", "b"), NOT_EQUIVALENT)
def test_no_two_names_are_called_equivalent_by_their_dots(a: str, b: str) -> None:
    """RFC 3986 §6.1: false positives are strictly avoided."""
    assert not uriproof.equivalent(a, b)
    for text in (a, b):
        made = uriproof.normalize(text)
        assert dots(made) == dots(text)
        assert uriproof.normalize(made) == made


def dots(text: str) -> int:
    return text.upper().replace("%2E", ".").count(".")


@pytest.mark.parametrize(("a", "b"), EQUIVALENT)
def test_what_has_a_hierarchy_keeps_its_equivalences(a: str, b: str) -> None:
    assert uriproof.equivalent(a, b)
