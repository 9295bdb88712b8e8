"""The grammars of schemes, what their languages are, and a URI validated by two grammars.

Owns the relation of each scheme's grammar to the generic syntax; imports the grammars and the
public face. Invariant: a claim about a language is decided by automata, not sampled; where two
languages differ, the shortest text that tells them apart stands here.
"""

from __future__ import annotations

from itertools import islice, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_text
from tiers import bound

import uriproof
from uriproof.grammar import registry
from uriproof.grammar.machine.automaton import Automaton
from uriproof.grammar.machine.product import difference
from uriproof.grammar.machine.sample import cover, neighbors
from uriproof.report import Report, Violation

RULES = {
    "about": ("rfc6694", "about-uri"),
    "coap": ("rfc7252", "coap-URI"),
    "coap+tcp": ("rfc8323", "coap-tcp-URI"),
    "coap+ws": ("rfc8323", "coap-ws-URI"),
    "coaps": ("rfc7252", "coaps-URI"),
    "coaps+tcp": ("rfc8323", "coaps-tcp-URI"),
    "coaps+ws": ("rfc8323", "coaps-ws-URI"),
    "data": ("rfc2397", "dataurl"),
    "did": ("w3c-did", "did-url"),
    "file": ("rfc8089", "file-URI"),
    "ftp": ("ftp", "ftpurl"),
    "geo": ("rfc5870", "geo-URI"),
    "http": ("rfc9110", "http-URI"),
    "https": ("rfc9110", "https-URI"),
    "info": ("rfc4452", "info-URI"),
    "ldap": ("rfc4516", "ldapurl"),
    "mailto": ("rfc6068", "mailtoURI"),
    "ni": ("rfc6920", "NI-URI"),
    "nih": ("rfc6920", "humanname"),
    "sip": ("rfc3261", "SIP-URI"),
    "sips": ("rfc3261", "SIPS-URI"),
    "tag": ("rfc4151", "tagURI"),
    "tel": ("rfc3966", "telephone-uri"),
    "urn": ("rfc8141", "rq-namestring"),
    "ws": ("rfc6455", "ws-URI"),
    "wss": ("rfc6455", "wss-URI"),
}
NOT_URIS = {"geo": "geo:0,0;a=[", "sip": "sip:a;[", "sips": "sips:a;[", "tel": "tel:+0;a=["}
"""The shortest text of a scheme's rule that is not a URI: square brackets in parameters."""
FRAGMENTS = {"about": "about:#", "did": "did:a:a#", "info": "info:a/#", "tag": "tag:a,0000:#"}
"""The shortest text of a scheme's rule that is a URI, but with a fragment."""
READ_AS_ONE = ("data", "did", "mailto", "sip", "sips", "tag", "tel", "urn")
"""Schemes whose texts are not divided, and so blamed first where they leave the grammar."""

pytestmark = pytest.mark.prove

each_scheme = pytest.mark.parametrize("scheme", RULES)


def of(scheme: str) -> Automaton:
    return rule_of(*RULES[scheme])


def rule_of(grammar: str, rule: str) -> Automaton:
    return registry.load(grammar).automaton(rule)


def language(abnf: str, imports: str = "rfc3986") -> Automaton:
    """The first rule of a text, over the rules of a grammar."""
    compiled = registry.compile_abnf(f"; imports: {imports}\n{abnf}")
    return compiled.automaton(compiled.start)


def same(a: Automaton, b: Automaton) -> bool:
    return difference(a, b) is None


def within(a: Automaton, b: Automaton) -> bool:
    return difference(a, b, contained=True) is None


# What the grammars accept


def test_each_scheme_has_its_rule() -> None:
    assert registry.schemes() == RULES


@each_scheme
def test_whether_every_text_of_a_scheme_is_a_uri(scheme: str) -> None:
    """RFC 3986 §4.3: a scheme's own syntax restricts the generic one, without a fragment."""
    uri, absolute = rule_of("rfc3986", "URI"), rule_of("rfc3986", "absolute-URI")
    assert difference(of(scheme), uri, contained=True) == NOT_URIS.get(scheme)
    beyond = NOT_URIS.get(scheme) or FRAGMENTS.get(scheme)
    assert difference(of(scheme), absolute, contained=True) == beyond


@each_scheme
def test_the_scheme_itself_is_of_any_case_and_no_other(scheme: str) -> None:
    machine = of(scheme)
    rest = next(iter(cover(machine)))[len(scheme) :]
    accepted = [f"{put}{rest}" for put in (scheme, scheme.upper())]
    others = [f"{put}{rest}" for put in ("x" + scheme, scheme + "x", "")]
    assert [machine.accepts(text) for text in accepted + others] == [True] * 2 + [False] * 3


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_http_is_its_abnf_less_the_empty_host(scheme: str) -> None:
    """RFC 9110 §4.2.1: the ABNF as printed, over RFC 3986, and what the prose takes away."""
    printed = f'"{scheme}" "://" authority path-abempty [ "?" query ]'
    hostless = f'"{scheme}" "://" [ userinfo "@" ] [ ":" port ] path-abempty [ "?" query ]'
    abnf = language(f"x = {printed}")
    assert difference(abnf, of(scheme), contained=True) == f"{scheme}://"
    assert within(of(scheme), abnf)
    assert same(language(f"x = {RULES[scheme][1]} / {hostless}", "rfc9110"), abnf)
    assert not any(of(scheme).accepts(text) for text in cover(language(f"x = {hostless}")))


@pytest.mark.parametrize("scheme", ["ws", "wss"])
def test_websocket_is_the_generic_authority_without_userinfo(scheme: str) -> None:
    """RFC 6455 §3; unlike http's, the host may be empty."""
    printed = f'x = "{scheme}://" host [ ":" port ] path-abempty [ "?" query ]'
    assert same(of(scheme), language(printed))
    generic = language(f'x = "{scheme}://" authority path-abempty [ "?" query ]')
    assert difference(generic, of(scheme), contained=True) == f"{scheme}://@"


@pytest.mark.parametrize("scheme", [s for s in RULES if s.startswith("coap")])
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
    assert uriproof.is_valid("ftp://a/?", "absolute-URI")  # which divides it another way
    assert not older.accepts("ftp://h/~me")
    assert of("ftp").accepts("ftp://h/~me")
    generic = language('x = "ftp://" authority path-abempty')
    assert within(of("ftp"), generic)
    assert difference(generic, of("ftp"), contained=True) == "ftp://"


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


def test_a_telephone_number_with_a_number_sign_is_not_one_to_a_uri_parser() -> None:
    text = "tel:*31#;phone-context=+49"
    assert uriproof.Grammar.load("rfc3966").rule().is_valid(text)
    assert uriproof.is_valid(text)
    # Before the "#" there is a local number, and no context.
    assert not uriproof.is_valid(text, uriproof.Rule(schemes=True))


def test_a_namestring_is_an_rq_namestring_and_perhaps_a_fragment() -> None:
    joined = language('x = rq-namestring [ "#" fragment ]', "rfc8141")
    assert same(joined, rule_of("rfc8141", "namestring"))


def test_where_an_r_component_ends() -> None:
    """RFC 8141 section 2.3.1 in prose; its ABNF lets "?=" stand in an r-component."""
    verbatim = language(
        'x = assigned-name [ "?+" r ] [ "?=" q-component ]\nr = pchar *( pchar / "/" / "?" )',
        "rfc8141",
    )
    exact = rule_of("rfc8141", "rq-namestring")
    assert within(exact, verbatim)
    assert difference(verbatim, exact) == "urn:aa:a?+a?="
    tree = uriproof.Grammar.load("rfc8141")["rq-namestring"].parse("urn:example:a?+b?=c")
    assert [
        "".join(found.scan_values(lambda _: True)) for found in tree.find_data("r-component")
    ] == ["b"]
    some = '*( pchar / "/" / "?" )'
    without = language(f'x = r-component / {some} "?=" {some}', "rfc8141")
    assert within(language(f"x = pchar {some}"), without)


def test_data_is_of_the_characters_of_rfc_2396() -> None:
    data = rule_of("rfc2397", "data")
    assert same(data, language("x = *uric\n" + URIC, "rfc5234"))
    assert same(data, rule_of("rfc3986", "query"))


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
    sip = rule_of("rfc3261", "user")
    assert difference(rule_of("rfc3966", "global-number"), sip, contained=True) == "+0;a=:"
    fitting = language(
        'number    = "+" 1*( DIGIT / "-" / "." / "(" / ")" ) *( ";" 1*char [ "=" 1*char ] )\n'
        'char      = ALPHA / DIGIT / "-" / "_" / "." / "!" / "~" / "*" / "\'" / "(" / ")" / "/"\n'
        '          / "&" / "+" / "$" / "%" HEXDIG HEXDIG\n',
        "rfc5234",
    )
    assert within(fitting, sip)


@pytest.mark.parametrize("rule", ["IPv6address", "IPv4address"])
def test_addresses_in_sip_are_those_of_rfc_3986(rule: str) -> None:
    """RFC 5954 section 4.1."""
    assert same(rule_of("rfc3261", rule), rule_of("rfc3986", rule))


def test_names_that_hold_an_authority_hold_that_of_rfc_3986() -> None:
    """RFC 6920 section 3 has "[ authority ]", which adds nothing: an authority may be empty."""
    verbatim = 'x = ni-scheme ":" "//" [ authority ] "/" alg-val [ "?" query ]'
    assert same(rule_of("rfc6920", "NI-URI"), language(verbatim, "rfc6920"))


# What the reports say


def report_of(scheme: str, text: str) -> Report:
    """The report under the scheme's rule, which the regular expression and automaton bear out."""
    grammar, rule = RULES[scheme]
    loaded = uriproof.Grammar.load(grammar)
    report = loaded[rule].check(text)
    assert report.ok is loaded[rule].is_valid(text) is of(scheme).accepts(text)
    assert all(v.path[0] == rule and v.path[-1] == v.production for v in report.violations)
    in_order(report)
    if report.fixed is not None:
        assert of(scheme).accepts(report.fixed)
    return report


def in_order(report: Report) -> None:
    assert all(a.end <= b.start for a, b in pairwise(report.violations))
    for v in report.violations:
        assert 0 <= v.start <= v.end <= len(report.text)
        assert v.found == report.text[v.start : v.end]
        assert v.message
        assert v.component
        assert v.section


@each_scheme
def test_one_report_of_two_grammars(scheme: str) -> None:
    name, rule = RULES[scheme]
    own, both = uriproof.Grammar.load(name)[rule], uriproof.Rule(schemes=True)
    texts = any_text(registry.load(name), rule)

    @settings(max_examples=30)  # of each of the schemes
    @given(st.one_of(texts, st.builds("{}#{}".format, texts, st.text(max_size=5))))
    def hold(text: str) -> None:
        report_of(scheme, text)
        report: Any = both.check(text)
        in_order(report)
        assert report.ok is both.is_valid(text)
        if report.ok:
            assert uriproof.check(text).ok
            if report.components["scheme"].text.lower() == scheme:
                assert own.is_valid(text.partition("#")[0])
        elif report.fixed is not None:
            assert both.is_valid(report.fixed)

    hold()


@each_scheme
@bound("most", 15, 120)
def test_blame_near_every_move(scheme: str, most: int) -> None:
    """Texts that make moves of the automaton, and their neighbors; a bad escape is at its "%"."""
    machine = of(scheme)
    random = Random(scheme)  # noqa: S311 -- test data, the same every time
    texts = list(cover(machine))
    chosen = random.sample(texts, min(len(texts), most))
    for text in [t for c in chosen for t in (c, *neighbors(c, machine, random, 3))]:
        report = report_of(scheme, text)
        if not report.ok and scheme in READ_AS_ONE:
            violation, viable = report.violations[0], longest(machine, text)
            if violation.kind == "bad-escape":
                assert viable - 2 <= violation.start < viable
            else:
                assert violation.start == viable or is_word(violation, viable), (text, violation)


def is_word(violation: Violation, viable: int) -> bool:
    """Whether a whole word is blamed that goes wrong at an offset: "tdg" for "tag"."""
    words = [word.strip('":') for word in violation.expected]
    begun = violation.found[: viable - violation.start].lower()
    return 0 <= violation.start < viable < violation.end and any(
        word.isalnum() and word.lower().startswith(begun) for word in words
    )


def longest(machine: Automaton, text: str) -> int:
    """The length of the longest beginning that something valid has, too."""
    state = 0
    for at, class_ in enumerate(machine.alphabet.encode(text)):
        state = machine.rows[state][class_]
        if state < 0:
            return at
    return len(text)


@each_scheme
def test_hostile_texts_are_data(scheme: str) -> None:
    for text in islice(cover(of(scheme)), 0, None, 11):
        assert not report_of(scheme, text + "\n").ok
    assert str(report_of(scheme, f"{scheme}:" + "[%f@,;a=?+" * 50))


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
    name, rule = RULES[text.partition(":")[0]]
    first = uriproof.Grammar.load(name)[rule].check(text).violations[0]
    assert (first.production, first.section) == (production, section)


# A URI validated by the rules of its scheme as well


def blamed(text: str) -> list[tuple[int, int, str, str, str]]:
    report = uriproof.check(text, uriproof.Rule(schemes=True))
    return [(v.start, v.end, v.kind, v.component, v.section) for v in report.violations]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://example.com/", []),
        ("HTTP://example.com/", []),
        ("http:///x", [(7, 7, "missing", "host", "RFC 9110 §4.2.1")]),
        ("http:foo", [(5, 5, "missing", "host", "RFC 9110 §4.2.1")]),
        ("http:", [(5, 5, "missing", "host", "RFC 9110 §4.2.1")]),
        ("https:///x", [(8, 8, "missing", "host", "RFC 9110 §4.2.1")]),
        ("mailto:a b", [(8, 9, "illegal", "path", "RFC 6068 §2")]),
        ("mailto:a@b?c=d e", [(14, 15, "illegal", "query", "RFC 6068 §2")]),
        ("tel:+1-2o1", [(8, 9, "illegal", "path", "RFC 3966 §5.1.4")]),
        ("nobody-knows-me:anything/at?all#there", []),
    ],
)
def test_what_a_scheme_demands(text: str, expected: list[tuple[int, int, str, str, str]]) -> None:
    assert uriproof.check(text).ok is (" " not in text)
    assert blamed(text) == expected
    assert uriproof.is_valid(text, uriproof.Rule(schemes=True)) is not bool(expected)


def test_the_fragment_is_not_the_schemes_affair() -> None:
    assert uriproof.is_valid("mailto:a@example.com#f/?", uriproof.Rule(schemes=True))
    assert blamed("mailto:a@example.com#f g") == [(22, 23, "illegal", "fragment", "RFC 3986 §3.5")]


def test_references_are_held_to_the_scheme_that_they_have() -> None:
    check = uriproof.check
    assert check("//a/b", uriproof.Rule("URI-reference", schemes=True)).ok
    assert check("./http:x", uriproof.Rule("URI-reference", schemes=True)).ok
    assert not check("http:x", uriproof.Rule("URI-reference", schemes=True)).ok


def test_both_grammars_speak_and_nothing_is_said_twice() -> None:
    found = blamed("http:///a b?[#x y")
    assert [f[:3] for f in found] == [
        (7, 7, "missing"),
        (9, 10, "illegal"),
        (12, 13, "illegal"),
        (15, 16, "illegal"),
    ]
    assert [f[:3] for f in blamed("http://[::1")] == [(11, 11, "missing")]
