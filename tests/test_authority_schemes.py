"""The schemes whose URIs have an authority: what their languages are, proved by automata.

Owns the relation of http, ws, file, ldap, coap, ftp and their like to the generic syntax;
imports the grammars and the public face. Invariant: a claim about a language is decided, not
sampled; where two languages differ, the shortest text that tells them apart stands here.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from tiers import bound, quick

import uriproof
from uriproof.grammar import registry
from uriproof.grammar.machine.automaton import Automaton
from uriproof.grammar.machine.product import difference
from uriproof.grammar.machine.sample import cover, neighbours

pytestmark = pytest.mark.prove

SCHEMES = {
    "http": ("rfc9110", "http-URI"),
    "https": ("rfc9110", "https-URI"),
    "ws": ("rfc6455", "ws-URI"),
    "wss": ("rfc6455", "wss-URI"),
    "file": ("rfc8089", "file-URI"),
    "ldap": ("rfc4516", "ldapurl"),
    "coap": ("rfc7252", "coap-URI"),
    "coaps": ("rfc7252", "coaps-URI"),
    "coap+tcp": ("rfc8323", "coap-tcp-URI"),
    "coaps+tcp": ("rfc8323", "coaps-tcp-URI"),
    "coap+ws": ("rfc8323", "coap-ws-URI"),
    "coaps+ws": ("rfc8323", "coaps-ws-URI"),
    "ftp": ("ftp", "ftpurl"),
}
GRAMMARS = sorted({grammar for grammar, _ in SCHEMES.values()})

each_scheme = pytest.mark.parametrize("scheme", quick(SCHEMES, among=("http", "ldap", "ws")))


def of(scheme: str) -> Automaton:
    grammar, rule = SCHEMES[scheme]
    return registry.load(grammar).automaton(rule)


def language(abnf: str, imports: str = "rfc3986") -> Automaton:
    """The first rule of a text, over the rules of a grammar."""
    compiled = registry.compile_abnf(f"; imports: {imports}\n{abnf}")
    return compiled.automaton(compiled.start)


def same(a: Automaton, b: Automaton) -> bool:
    return difference(a, b) is None


def within(a: Automaton, b: Automaton) -> bool:
    return difference(a, b, contained=True) is None


def test_each_scheme_is_held_to_its_rule() -> None:
    held = {s: (g, r) for g in GRAMMARS for s, r in registry.load(g).model.schemes.items()}
    assert held == SCHEMES


@each_scheme
def test_what_a_scheme_allows_is_an_absolute_uri_of_that_scheme(scheme: str) -> None:
    """RFC 3986 §4.3: a scheme's own syntax restricts the generic one, without a fragment."""
    generic = language(f'x = "{scheme}:" hier-part [ "?" query ]')
    assert within(generic, registry.load("rfc3986").automaton("absolute-URI"))
    assert within(of(scheme), generic)
    assert difference(generic, of(scheme), contained=True) is not None


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_http_is_its_abnf_less_the_empty_host(scheme: str) -> None:
    """RFC 9110 §4.2.1: the ABNF as printed, over RFC 3986, and what the prose takes away."""
    printed = f'"{scheme}" "://" authority path-abempty [ "?" query ]'
    hostless = f'"{scheme}" "://" [ userinfo "@" ] [ ":" port ] path-abempty [ "?" query ]'
    abnf = language(f"x = {printed}")
    assert difference(abnf, of(scheme), contained=True) == f"{scheme}://"
    assert within(of(scheme), abnf)
    assert same(language(f"x = {SCHEMES[scheme][1]} / {hostless}", "rfc9110"), abnf)
    assert not any(of(scheme).accepts(text) for text in cover(language(f"x = {hostless}")))


@pytest.mark.parametrize("scheme", ["ws", "wss"])
def test_websocket_is_the_generic_authority_without_userinfo(scheme: str) -> None:
    """RFC 6455 §3; unlike http's, the host may be empty."""
    printed = f'x = "{scheme}://" host [ ":" port ] path-abempty [ "?" query ]'
    assert same(of(scheme), language(printed))
    generic = language(f'x = "{scheme}://" authority path-abempty [ "?" query ]')
    assert difference(generic, of(scheme), contained=True) == f"{scheme}://@"


@pytest.mark.parametrize("scheme", [s for s in SCHEMES if s.startswith("coap")])
def test_coap_is_http_without_userinfo(scheme: str) -> None:
    """RFC 7252 §6, RFC 8323 §8: "can thus be compared to the http and https URI schemes"."""
    like_http = f'x = "{scheme}://" uri-host [ ":" port ] path-abempty [ "?" query ]'
    assert same(of(scheme), language(like_http, "rfc9110"))


def test_file_is_an_absolute_path_perhaps_after_a_host() -> None:
    """RFC 8089 §2; RFC 1738 has no file URL without //, nor a path that begins with two slashes."""
    assert same(of("file"), language('x = "file:" [ "//" host ] path-absolute'))
    older = registry.load("rfc1738").automaton("fileurl")
    assert difference(of("file"), older, contained=True) == "file:/"
    assert difference(older, of("file"), contained=True) == "file:////"


def test_ftp_is_rfc_1738_over_the_characters_of_rfc_3986() -> None:
    """A "?" may stand in RFC 1738's user and segment; "~", among others, only in RFC 3986."""
    older = registry.load("rfc1738").automaton("ftpurl")
    assert difference(older, of("ftp"), contained=True) == "ftp://a/?"
    assert not older.accepts("ftp://h/~me")
    assert of("ftp").accepts("ftp://h/~me")
    generic = language('x = "ftp://" authority path-abempty')
    assert within(of("ftp"), generic)
    assert difference(generic, of("ftp"), contained=True) == "ftp://"


@pytest.mark.parametrize("text", ["ftp://h/a?b", "ftp://a?b@h/"])
def test_a_question_mark_in_an_ftp_url_begins_a_query(text: str) -> None:
    assert registry.load("rfc1738").accepts("ftpurl", text)
    assert uriproof.is_valid(text, "absolute-URI")
    assert not uriproof.Grammar.load("ftp").rule().is_valid(text)


def test_ldap_takes_every_filter_of_rfc_4515() -> None:
    """RFC 4515 §3, nested four deep, with the characters that a URL must have encoded encoded."""
    filters = ['f0 = "(" item ")"']
    for depth in range(1, 5):
        inner = f"f{depth - 1}"
        filters.append(f'f{depth} = {inner} / "(" ( "&" / "%7C" ) 1*{inner} ")" / "(!" {inner} ")"')
    source = "\n".join(reversed(filters))
    exact = language(source, "rfc4516")
    known = registry.load("rfc4516").automaton("filter")
    assert within(exact, known)
    for beyond in ("(!(a=b)(c=d))", "(&(a=b)))"):  # which the header says are not counted
        assert known.accepts(beyond)
        assert not exact.accepts(beyond)


def test_ldap_takes_every_name_of_rfc_4514() -> None:
    """RFC 4514 §3: types, values and separators, an escape after an encoded backslash, #, space."""
    exact = language(
        """
dn        = [ rdn *( "," rdn ) ]
rdn       = ava *( "+" ava )
ava       = oid "=" ( string / "%23" 1*hexpair )
string    = *( stringchar / octet / pair )
pair      = "%5C" ( "%5C" / special / hexpair )
special   = "%22" / "+" / "," / ";" / "%3C" / "%3E" / "%20" / "%23" / "=" / "%2B" / "%2C" / "%3D"
octet     = "%" ( %x38-39 / %x41-46 ) HEXDIG / "%20" / "%3F" / "%5B" / "%5D"
hexpair   = HEXDIG HEXDIG
""",
        "rfc4516",
    )
    known = registry.load("rfc4516").automaton("dn")
    assert within(exact, known)
    assert within(known, language('x = *( pchar / "/" )'))


def test_ldap_fields_are_divided_by_question_marks_alone() -> None:
    """RFC 4516 §2.1: no "?" inside a field, so that at most three stand in a query."""
    query = registry.load("rfc4516").automaton("query")
    field = '*( pchar / "/" )'
    assert within(query, language(f'x = {field} *3( "?" {field} )'))
    assert query.accepts("???a")
    assert not query.accepts("????")


@each_scheme
@bound("most", 15, 120)
def test_blame_near_every_move(scheme: str, most: int) -> None:
    """Texts that make moves of the automaton, and their neighbours: the contract of a report."""
    name, rule = SCHEMES[scheme]
    grammar, automaton = uriproof.Grammar.load(name), of(scheme)
    random = Random(scheme)  # noqa: S311 -- test data, the same every time
    texts = list(cover(automaton))
    chosen = random.sample(texts, min(len(texts), most))
    for text in [t for c in chosen for t in (c, *neighbours(c, automaton, random, 3))]:
        report = grammar[rule].check(text)
        assert report.ok is automaton.accepts(text) is grammar[rule].is_valid(text), text
        assert all(a.end <= b.start for a, b in pairwise(report.violations)), text
        assert all(v.path[0] == rule and v.path[-1] == v.production for v in report.violations)
        if report.fixed is not None:
            assert automaton.accepts(report.fixed), text


@pytest.mark.parametrize(
    ("text", "production", "section"),
    [
        ("http:///x", "uri-host", "RFC 9110 §4.2.1"),
        ("http:foo", "http-URI", "RFC 9110 §4.2.1"),
        ("http://:80/", "uri-host", "RFC 9110 §4.2.1"),
        ("http://@/", "uri-host", "RFC 9110 §4.2.1"),
        ("https:foo", "https-URI", "RFC 9110 §4.2.2"),
        ("coap:///x", "host", "RFC 7252 §6.1"),
        ("ftp:///x", "host", "RFC 1738 §3.1"),
        ("ftp://h/;type=x", "ftptype", "RFC 1738 §3.2.2"),
        ("file:", "auth-path", "RFC 8089 §2"),
        ("ldap:///x", "attributeTypeAndValue", "RFC 4514 §3"),
        ("ldap:///??sub?x", "filter", "RFC 4515 §3"),
        ("ldap:///????", "extype", "RFC 4516 §2"),
    ],
)
def test_a_violation_cites_the_specification_of_the_scheme(
    text: str, production: str, section: str
) -> None:
    name, rule = SCHEMES[text.partition(":")[0]]
    first = uriproof.Grammar.load(name)[rule].check(text).violations[0]
    assert (first.production, first.section) == (production, section)
