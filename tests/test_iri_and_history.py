"""IRIs, zones and the grammars before RFC 3986: verbatim, and how their languages relate.

Owns the comparison of grammars/rfc{1738,2396,3986,3987,6874}.abnf with the specifications, where
copies lie beside the checkout, and with RFC 3986, by automata. Imports the public face and
the automata. Invariant: a witness is the shortest text that tells two grammars apart.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import lark
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import any_text

import uriproof
from uriproof.grammar import registry
from uriproof.grammar.machine.automaton import Automaton
from uriproof.grammar.machine.product import difference
from uriproof.grammar.machine.sample import cover

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parent.parent
RFCS = ROOT.parent / "shared" / "rfc"


def _automaton(grammar: str, rule: str) -> Automaton:
    return registry.load(grammar).automaton(rule)


def _only(grammar: str, rule: str, other: str, its_rule: str) -> str | None:
    """The shortest text that a rule accepts and another, of another grammar, does not."""
    return difference(_automaton(grammar, rule), _automaton(other, its_rule), contained=True)


# The specifications, to the letter


def _specification(name: str) -> str:
    """The RFC without page breaks: each ends with a footer and a form feed, then a header."""
    path = RFCS / f"{name}.txt"
    if not path.exists():
        pytest.skip(f"no copy of {name} beside the checkout")
    return re.sub(r"\n+.*\[Page \d+\]\n\f\n.*\n+", "\n\n", path.read_text("utf-8"))


def _rules(text: str) -> dict[str, str]:
    """The rules of a text, by name: their lines as they stand, less the rule's own indentation."""
    rules: dict[str, list[str]] = {}
    lines: list[str] | None = None
    margin = 0
    for line in text.split("\n"):
        indentation = len(line) - len(line.lstrip(" "))
        start = re.match(r" *([A-Za-z][\w+-]*) *= ", line)
        if start and (lines is None or indentation <= margin):
            margin = indentation
            # The first definition counts: a text may go on to quote others.
            lines = rules.setdefault(start[1], []) if start[1] not in rules else []
            lines.append(line[margin:].rstrip())
        elif lines and line.strip() and indentation > margin:
            lines.append(line[margin:].rstrip())
        elif line.strip():  # an empty line may be where a page ended
            lines = None
    return {name: "\n".join(found) for name, found in rules.items()}


def _own(grammar: str) -> dict[str, str]:
    source = (ROOT / "grammars" / f"{grammar}.abnf").read_text("utf-8")
    return _rules(re.sub(r"^;.*\n", "", source, flags=re.M))


def _between(text: str, start: str, end: str) -> str:
    return text[text.index(start) : text.index(end, text.index(start))]


def test_every_own_rule_is_read_by_this_test() -> None:
    for grammar, count in (("rfc3987", 25), ("rfc6874", 11), ("rfc2396", 40), ("rfc1738", 67)):
        own = [r for r in registry.load(grammar).model.rules.values() if r.grammar == grammar]
        assert list(_own(grammar)) == [r.name for r in own]
        assert len(own) == count
        for rule in own:
            assert rule.section, rule.name
            assert rule.gloss, rule.name


def test_rfc3986_is_verbatim() -> None:
    text = _specification("rfc3986")
    start = text.rindex("Appendix A.  Collected ABNF for URI\n")
    assert _own("rfc3986") == _rules(_between(text[start:], "\n\n", "\nAppendix B. "))


def test_rfc3987_is_verbatim() -> None:
    text = _between(_specification("rfc3987"), "2.2.  ABNF for IRI", "This syntax does not support")
    rules = _rules(text)
    own = _own("rfc3987")
    assert own == {name: rules[name] for name in own}
    # What is not its own is imported, and is the same there, as section 2.2 says.
    imported = _own("rfc3986")
    same = [name for name in rules if name not in own]
    assert "sub-delims" in same
    assert [re.sub(" +", " ", rules[n]) for n in same] == [
        re.sub(" +", " ", imported[n]) for n in same
    ]


def test_what_rfc6874_states_again_is_rfc3986() -> None:
    own, before = _own("rfc6874"), _own("rfc3986")
    again = [name for name in own if name in before and name != "IP-literal"]
    assert [own[n] for n in again] == [before[n] for n in again]
    assert set(own) - set(again) == {"IP-literal", "IPv6addrz", "ZoneID"}
    assert own["IP-literal"] == before["IP-literal"].replace("    = ", " = ").replace(
        "/ IPvFuture", "/ IPv6addrz / IPvFuture"
    )


# The substitutions that the headers of rfc2396.abnf and rfc1738.abnf list, and no others.

_LEXEME = re.compile(r'<">|"[^"]*"|;.*|[^";<]+|<')


def _transliterated(text: str) -> str:
    """The older notation as ABNF; what is quoted or a comment is no notation."""
    made: list[str] = []
    closing: list[str] = []

    def bracket(found: re.Match[str]) -> str:
        if found[0] == "]":
            return closing.pop()
        closing.append(")" if found[0] == "*[" else "]")
        return "*(" if found[0] == "*[" else "["

    for lexeme in _LEXEME.findall(text):
        if lexeme == '<">':
            made.append("%x22")
        elif lexeme.startswith('"'):
            made.append("%s" * bool(re.search("[A-Za-z]", lexeme)) + lexeme)
        elif lexeme.startswith(";"):
            made.append(lexeme)
        else:
            plain = lexeme.replace("[ / [", '[ "/" [').replace("gopher+_", "gopherplus-")
            plain = plain.replace("|", "/").replace("_", "-")
            made.append(re.sub(r"\*\[|\[|\]", bracket, plain))
    assert not closing
    return "".join(made)


@pytest.mark.parametrize(
    ("grammar", "start", "end"),
    [
        ("rfc2396", "A. Collected BNF for URI\n\n", "\nB. Parsing"),
        ("rfc1738", "5. BNF for specific URL schemes\n\n", "\n6. Security"),
    ],
)
def test_old_grammars_are_transliterated_rule_by_rule(grammar: str, start: str, end: str) -> None:
    written = _rules(_between(_specification(grammar), start, end))
    wanted = {}
    for name, rule in written.items():
        made = _transliterated(rule)
        # What goes on in further lines keeps its columns, though the first may have grown.
        wanted[name.replace("gopher+_", "gopherplus-").replace("_", "-")] = made
    assert _own(grammar) == wanted


# The languages


@pytest.mark.parametrize(
    ("uri", "iri", "witness"),
    [
        ("URI", "IRI", "a:à"),
        ("URI-reference", "IRI-reference", "à"),
        ("absolute-URI", "absolute-IRI", "a:à"),
        ("relative-ref", "irelative-ref", "à"),
        ("path", "ipath", "à"),
        ("query", "iquery", "à"),
    ],
)
def test_every_uri_is_an_iri(uri: str, iri: str, witness: str) -> None:
    assert _only("rfc3986", uri, "rfc3987", iri) is None
    assert _only("rfc3987", iri, "rfc3986", uri) == witness


def test_private_use_is_for_the_query_alone() -> None:
    grammar = uriproof.Grammar.load("rfc3987")
    for rule in ("iuserinfo", "ireg-name", "isegment", "ifragment"):
        assert _only("rfc3987", rule, "rfc3987", "iquery") is None
        for private in ("\ue000", "\U000f0000", "\U0010fffd"):
            assert not grammar[rule].is_valid(private)
            assert grammar["iquery"].is_valid(private)
    assert _only("rfc3987", "iquery", "rfc3987", "ifragment") == "\ue000"


def test_an_iri_of_every_plane_is_parsed() -> None:
    grammar = uriproof.Grammar.load("rfc3987")
    for plane in range(1, 15):
        text = f"http://h/{chr(plane * 0x10000 + 0x1000)}{chr(plane * 0x10000 + 0xFFFD)}"
        assert grammar.rule().is_valid(text), hex(plane)
        (segment,) = grammar.rule().parse(text).find_data("isegment")
        assert isinstance(segment, lark.Tree)
        assert "".join(map(str, segment.children)) == text[9:]
    for text in ("http://h/\U000e0fff", "http://h/\U000f0000", "http://h/\U0001fffe"):
        assert [v.start for v in grammar.rule().check(text).violations] == [9]


# Characters that delimit, that cannot stand, that make addresses, and others.
US_ASCII = st.text(st.sampled_from(":/?#[]@%.!a1fzGv \\<+-"), max_size=24)


@pytest.mark.parametrize(
    ("uri", "iri"), [("URI", "IRI"), ("URI-reference", "IRI-reference"), ("host", "ihost")]
)
@given(text=US_ASCII)
@example(text="http://u@h b:8o/[p]?{#^#")
@example(text="1://[::1::]:/%zz")
def test_in_us_ascii_iris_are_blamed_as_uris_are(uri: str, iri: str, text: str) -> None:
    found = uriproof.Grammar.load("rfc3987")[iri].check(text)
    before = uriproof.check(text, uri)
    assert found.fixed == before.fixed
    assert list(found.components) == list(before.components)
    assert [(v.start, v.end, v.kind, v.component) for v in found.violations] == [
        (v.start, v.end, v.kind, v.component) for v in before.violations
    ]
    own = uriproof.Grammar.load("rfc3987").rules
    for ours, theirs in zip(found.violations, before.violations, strict=True):
        named = theirs.production.replace("URI", "IRI")
        assert ours.production == (f"i{named}" if f"i{named}" in own else named)


@pytest.mark.parametrize(
    ("grammar", "rule"),
    [
        ("rfc3987", "IRI-reference"),
        ("rfc6874", "URI-reference"),
        ("rfc2396", "URI-reference"),
        ("rfc1738", "httpurl"),
        pytest.param("rfc2396", "authority", marks=pytest.mark.prove),
        pytest.param("rfc1738", "url", marks=pytest.mark.prove),
        pytest.param("rfc1738", "gopherurl", marks=pytest.mark.prove),
        pytest.param("rfc1738", "prosperourl", marks=pytest.mark.prove),
    ],
)
@given(data=st.data())
def test_reports_are_sound_and_mend(grammar: str, rule: str, data: st.DataObject) -> None:
    text = data.draw(any_text(registry.load(grammar), rule))
    verbs = uriproof.Grammar.load(grammar)
    report = verbs[rule].check(text)
    assert report.ok is verbs[rule].is_valid(text) is _automaton(grammar, rule).accepts(text)
    end = 0
    for violation in report.violations:
        assert end <= violation.start <= violation.end <= len(text)
        end = violation.end
    if report.fixed is not None:
        assert verbs[rule].is_valid(report.fixed)


def test_every_iri_maps_to_a_uri() -> None:
    """Section 3.1, step 2, percent-encoding alone: what it leaves in a host is a reg-name, too."""
    for iri, uri in (("IRI", "URI"), ("IRI-reference", "URI-reference"), ("iquery", "query")):
        for text in cover(_automaton("rfc3987", iri)):
            mapped = "".join(
                c if c.isascii() else "".join(f"%{octet:02X}" for octet in c.encode()) for c in text
            )
            assert uriproof.is_valid(mapped, uri), text


@given(text=US_ASCII)
@example(text="//[::1")
@example(text="//[::g]:x")
def test_without_a_percent_sign_zones_change_no_blame(text: str) -> None:
    text = text.replace("%", "")
    found = uriproof.Grammar.load("rfc6874")["URI-reference"].check(text)
    before = uriproof.check(text, "URI-reference")
    assert [(v.start, v.end, v.kind, v.component) for v in found.violations] == [
        (v.start, v.end, v.kind, v.component) for v in before.violations
    ]


def test_zones_add_to_rfc3986_and_take_nothing_away() -> None:
    for rule in ("URI", "URI-reference", "absolute-URI", "relative-ref", "authority", "host"):
        assert _only("rfc3986", rule, "rfc6874", rule) is None
    assert _only("rfc6874", "host", "rfc3986", "host") == "[::%25a]"
    assert _only("rfc6874", "URI-reference", "rfc3986", "URI-reference") == "//[::%25a]"


def test_the_shortest_texts_that_only_rfc3986_allows() -> None:
    rule = "URI-reference"
    assert _only("rfc3986", rule, "rfc2396", rule) == "?"
    assert _only("rfc3986", "URI", "rfc2396", rule) == "a:"
    # After two slashes nothing is missing, and what is left is the IP literal.
    after = uriproof.Grammar.from_abnf(
        '; imports: rfc3986\n; starts: net\nnet = "//" authority path-abempty'
    )
    witness = difference(after.automaton("net"), _automaton("rfc2396", rule), contained=True)
    assert witness == "//[::]"


def test_the_shortest_texts_that_only_rfc2396_allows() -> None:
    rule = "URI-reference"
    assert _only("rfc2396", rule, "rfc3986", rule) == "//:a"


def test_every_url_of_rfc1738_is_a_genericurl() -> None:
    assert _only("rfc1738", "url", "rfc1738", "genericurl") is None
    assert _only("rfc1738", "genericurl", "rfc1738", "url") is None


@pytest.mark.parametrize(
    ("rule", "witness"),
    [
        ("genericurl", "0:"),  # a scheme starts with a letter since RFC 2396
        ("httpurl", None),
        ("ftpurl", "ftp://:a?@a"),  # a question mark in a password
        ("fileurl", None),
        ("gopherurl", None),
        ("mailtourl", "mailto://:a"),  # an authority, as any scheme may have since RFC 2396
        ("newsurl", "news://:a/@a"),
        ("nntpurl", None),
        ("telneturl", "telnet://:a?@a"),
        ("waisurl", None),
        ("prosperourl", None),
    ],
)
def test_which_urls_of_rfc1738_are_no_uris(rule: str, witness: str | None) -> None:
    assert _only("rfc1738", rule, "rfc3986", "absolute-URI") == witness


@pytest.mark.prove
def test_the_opaque_part_of_rfc2396_is_undivided() -> None:
    """What divides the texts agrees with the rule, on every short text."""
    grammar = uriproof.Grammar.load("rfc2396")
    for length in range(5):
        for characters in product(":/?#@[a %", repeat=length):
            text = "".join(characters)
            report = grammar.rule().check(text)
            assert report.ok is grammar.rule().is_valid(text), text
            assert "URI-reference" not in report.components, text  # it was divided
            if "opaque-part" in report.components:
                assert "query" not in report.components, text
