"""Advice: every rule is documented, finds its pattern exactly, and leaves good URIs alone.

Owns the table of cases, with exact spans. A new rule is tested here without a line of its own:
its BAD gets its advice, its GOOD gets none at all.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked import unmarked
from tables import rows
from tiers import bound

import uriproof
from uriproof.advice import GROUPS, MET, AdviceRule, advise, is_usual, rules
from uriproof.grammar.schemes import schemes

SHARED = Path(__file__).parents[2] / "shared" / "data"
PACKAGE = Path(uriproof.__file__).parent / "advice"


def found(text: str, rule: str = "URI-reference") -> list[tuple[int, int, str]]:
    return [(a.start, a.end, a.code) for a in uriproof.check(text, rule).advice]


# ---------------------------------------------------------------- every rule

EVERY = [
    pytest.param(rule, group, id=code) for group in GROUPS for code, rule in rules(group).items()
]
RULES = [rule for group in GROUPS for rule in rules(group).values()]


def test_each_module_is_a_theme() -> None:
    for group, folder in (("advice", PACKAGE), ("security", PACKAGE / "security")):
        written = "".join(path.read_text("utf-8") for path in sorted(folder.glob("[!_]*.py")))
        functions = re.findall(r"^@rule\($.*?^def (\w+)", written, re.M | re.S)
        assert sorted(name.replace("_", "-") for name in functions) == list(rules(group))


@bound("step", 25, 1)
def test_no_usual_text_has_advice(step: int) -> None:
    """Asked of the texts that the corpus has, and of the examples also in upper case."""
    corpus = Path(__file__).parent / "corpus"
    texts = {
        one for group in GROUPS for rule in rules(group).values() for one in (rule.good, rule.bad)
    }
    texts |= {text.upper() for text in texts}
    for file in corpus.glob("*.toml"):
        texts.update(re.findall(r'"(.*)"', file.read_text("utf-8"))[::step])
    for text in texts:
        report = uriproof.check(text, "URI-reference")
        usual = [code for code in rules() if is_usual(text, (code,))]
        assert not usual or advise(report, usual) == (), text


@pytest.mark.parametrize(("rule", "group"), EVERY)
class TestEachRule:
    def test_is_documented(self, rule: AdviceRule, group: str) -> None:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.code)
        assert not rule.code.startswith(("avoid-", "use-", "no-"))
        assert rule.title[0].isupper()
        assert not rule.title.endswith(".")
        assert re.search(r"RFC \d+ (§|Appendix )", rule.why)
        assert rule.why.endswith(".")
        if group == "security":
            assert rule.case.endswith(".")
            assert rule.alarms >= 0
            assert set(rule.instead) <= rules().keys()

    def test_bad_gets_this_advice_where_it_is_asked_for(self, rule: AdviceRule, group: str) -> None:
        report = uriproof.check(rule.bad, "URI-reference")
        assert report.ok
        assert (rule.code in {a.code for a in report.advice}) == (group == "advice")
        for select in ([rule.code], [group]):
            mine = [a for a in advise(report, select) if a.code == rule.code]
            assert mine
            for advice in mine:
                assert not advice.message[0].islower()
                assert advice.message.endswith(".")
                assert advice.component in report.components
                assert 0 <= advice.start < advice.end <= len(report.text)

    def test_good_gets_none_of_the_group(self, rule: AdviceRule, group: str) -> None:
        report = uriproof.check(rule.good, "URI-reference")
        assert report.ok
        assert not advise(report, [group])


# ---------------------------------------------------------------- exact spans

TABLE = tomllib.loads(Path(__file__).with_name("advice.toml").read_text("utf-8"))


CASES = [
    *(
        (text, [(start, end, code) for start, end in places])
        for code, texts in TABLE["spans"].items()
        for text, places in map(unmarked, texts)
    ),
    *((text, []) for texts in TABLE["silent"].values() for text in texts),
    *rows("advice", "several"),
    ("http://h:" + "9" * 5000, [(9, 5009, "port-out-of-range")]),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text[:40] for text, _ in CASES])
def test_exact_spans(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert uriproof.is_valid(text, "URI-reference")
    assert found(text) == expected


@pytest.mark.parametrize(("text", "code", "end"), rows("advice", "messages"))
def test_how_a_message_ends(text: str, code: str, end: str) -> None:
    advice = {a.code: a.message for a in uriproof.check(text).advice}
    assert advice[code].endswith(end)


# ---------------------------------------------------------------- misspelled schemes


def near(scheme: str) -> str:
    """What the advice says the scheme is near to; nothing where it says nothing."""
    advice = [a for a in uriproof.check(f"{scheme}:a").advice if a.code == "misspelled-scheme"]
    assert [(a.start, a.end, a.component) for a in advice] in ([], [(0, len(scheme), "scheme")])
    return "".join(a.message.partition("; ")[2].removesuffix(" might be meant.") for a in advice)


@pytest.mark.parametrize(("scheme", "meant"), TABLE["schemes"]["slips"].items())
def test_slips_of_the_keyboard_are_seen(scheme: str, meant: str) -> None:
    assert near(scheme) == meant


def test_names_that_are_chosen_or_registered_are_not_slips() -> None:
    chosen = TABLE["schemes"]["chosen"].split()
    assert [name for name in (*chosen, *schemes()) if near(name)] == []


# ---------------------------------------------------------------- secrets and violations


@pytest.mark.parametrize(
    "userinfo", ["user:s3cret", "good.com:s3cret", "user:s3cret%41", "u:s3cret%2541%0A%ff"]
)
def test_no_message_has_the_password(userinfo: str) -> None:
    advice = uriproof.check(f"http://{userinfo}@h/").advice
    assert {a.code for a in advice} >= {"userinfo-password"}
    assert not any("s3cret" in a.message or '"A"' in a.message for a in advice)


def test_no_message_has_the_secret_of_a_query() -> None:
    advice = advise("http://h/?token=s3cret%2541%41%ff", GROUPS)
    assert {a.code for a in advice} >= {"secret-parameter", "double-encoding"}
    assert not any("s3cret" in a.message for a in advice)


def test_an_ampersand_that_is_escaped_twice() -> None:
    report = uriproof.check("http://h/?a=1&amp;amp;b=2")
    assert "more than once" in report.advice[0].message
    assert [one.text for one in report.suggestions] == ["http://h/?a=1&b=2"]


@pytest.mark.parametrize(("text", "codes"), rows("advice", "beside-violations"))
def test_components_with_a_violation_get_no_advice(text: str, codes: Sequence[str]) -> None:
    report = uriproof.check(text, "URI")
    assert not report.ok
    assert [advice.code for advice in report.advice] == [*codes]


FRAGMENTS = [
    "http", "HTTP", "file", "data", "url", ":", "/", "//", "@", "?", "#", "[", "]", "&", "=", ";",
    "amp;", "..", ".", "%", "%2", "%41", "%2f", "%00", "%0d", "%ff", "%c3%a9", "%25", "%2541", "80",
    "0x7f", "127.0.0.1", "::1", "v1.", "xn--", "xn--80ak6aa92e", "text/html", ",", "example.com",
    " ", "\n", "\0", "\ud800", "é", "\u0661", "_", "-",
]  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join), st.sampled_from(
    ["URI", "URI-reference", "relative-ref", "authority", "host", "path", "query"]
))  # fmt: skip
def test_advice_never_raises_and_keeps_its_promises(text: str, rule: str) -> None:
    report = uriproof.check(text, rule)
    assert report.advice == advise(report)
    advice = advise(report, GROUPS)
    assert list(advice) == sorted(advice, key=lambda a: (a.start, a.end, a.code))
    blamed = {violation.component for violation in report.violations}
    for a in advice:
        assert 0 <= a.start < a.end <= len(text)
        assert a.component in report.components
        assert a.component not in blamed
        component = report.components[a.component]
        assert component.start - 3 <= a.start
        assert a.end <= component.end + 1


def test_long_text_is_read_once() -> None:
    text = f"http://h.de/{'%ff' * 4_000}?{'a=1&' * 4_000}a=1#{'%25' * 4_000}"
    codes = {advice.code for advice in advise(text, GROUPS)}
    assert codes == {"invalid-utf8", "lower-case-hex", "repeated-key"}


# ---------------------------------------------------------------- the group security

ATTACKS = [(text, codes.split()) for codes, texts in TABLE["security"].items() for text in texts]


@pytest.mark.parametrize(("text", "codes"), ATTACKS, ids=[text[:40] for text, _ in ATTACKS])
def test_patterns_of_attacks(text: str, codes: list[str]) -> None:
    assert uriproof.is_valid(text, "URI-reference")
    assert sorted({a.code for a in advise(text, ["security"])}) == codes


@pytest.mark.parametrize(("text", "codes"), rows("advice", "iris"))
def test_iris_have_the_same_components(text: str, codes: Sequence[str]) -> None:
    report = uriproof.Grammar.load("rfc3987")["IRI"].check(text)
    assert report.ok
    assert [a.code for a in report.advice] == [*codes]


def test_what_says_more_speaks_alone() -> None:
    both = {a.code for a in advise("http://0xa9fea9fe/", GROUPS)}
    assert both == {"metadata-host"}
    assert {a.code for a in advise("http://0xa9fea9fe/")} == {"ipv4-look-alike"}


def test_what_may_be_selected() -> None:
    text = "http://localhost.:80/"
    assert [a.code for a in advise(text, ["default-port"])] == ["default-port"]
    assert advise(text, []) == ()
    assert advise(uriproof.check(text)) == uriproof.check(text).advice
    with pytest.raises(ValueError, match="did you mean security"):
        advise(text, ["securty"])
    with pytest.raises(TypeError, match="not bytes"):
        advise(b"http://h/")  # type: ignore[arg-type]


@pytest.mark.prove
def test_alarms_are_counted_on_real_urls() -> None:
    file = SHARED / "urls-48k.txt"
    if not file.exists():
        pytest.skip("needs the shared data")
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    told = Counter(code for line in lines for code in {a.code for a in advise(line, ["security"])})
    assert len(lines) == MET
    assert told == Counter(
        {code: rule.alarms for code, rule in rules("security").items() if rule.alarms}
    )
