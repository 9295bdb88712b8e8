"""Policies: what an application refuses though the grammar allows it.

Owns the promises of ``Policy``, its presets and ``Rule``. Imports the public face. Invariant: a
preset is tried on the attack strings, and what it lets through is listed by name.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from api_inputs import attacks
from tables import rows
from tiers import bound

from uriproof import Policy, Rule, check
from uriproof import policy as policies
from uriproof.rule import check_bounded

PAGE = Path(__file__).parent.parent / "docs" / "validate" / "policies.md"
SHARED = Path(__file__).parents[2] / "shared" / "data"
ATTACKS = SHARED / "attack-strings.json"

# What no policy for hosts can refuse: paths and queries that mean nothing by themselves.
LET_THROUGH = {
    *("port-empty", "enc-dots", "dots", "enc-slash"),
    *("query-plus", "query-semi", "query-amp", "hpp", "query-pct-amp"),
}


PRESETS: dict[str, Callable[..., Policy]] = {
    "fetches": Policy.fetches,
    "redirects": Policy.redirects,
}


@pytest.mark.parametrize(("text", "policy", "wanted"), rows("policy", "refused"))
def test_what_is_refused(text: str, policy: dict[str, Any], wanted: Sequence[str]) -> None:
    rule = Rule("URI-reference", policy=Policy(**policy))
    report = rule.check(text)
    assert [v.code for v in report.violations] == [*wanted]
    assert rule.is_valid(text) is report.ok is (not wanted)
    assert report.text is text


@pytest.mark.parametrize(("preset", "hosts", "text", "wanted"), rows("policy", "presets"))
def test_what_presets_refuse(
    preset: str, hosts: Sequence[str], text: str, wanted: Sequence[str]
) -> None:
    rule = Rule("URI-reference", policy=PRESETS[preset](*hosts))
    assert [v.code for v in rule.check(text).violations] == [*wanted]
    assert rule.is_valid(text) is (not wanted)


def test_several_reasons_at_one_place_are_one_violation() -> None:
    forbid = ["userinfo", "http-userinfo", "userinfo-host-look-alike"]
    (violation,) = Rule(policy=Policy(forbid=forbid)).check("http://a.example@h/").violations
    assert violation.code == "userinfo-forbidden"
    assert re.findall(r"\(([\w-]+)\)(?:; |$)", violation.hint or "") == [*reversed(forbid[1:])]


def test_violations_of_the_grammar_stay() -> None:
    text = "ftp://h/a b"
    report = Rule(policy=Policy(schemes=["http"])).check(text)
    assert [v.code for v in report.violations] == ["scheme-forbidden", "path-illegal"]
    assert report.violations[1] == check(text).violations[0]
    assert report.fixed is None
    assert [a.code for a in report.advice] == [a.code for a in check(text).advice]


@pytest.mark.parametrize(("wrong", "words"), rows("policy", "without-meaning"))
def test_a_policy_that_means_nothing_is_an_error(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Policy(**wrong)


@pytest.mark.parametrize(
    "wrong", [{"schemes": "https"}, {"hosts": [1]}, {"forbid": 1}, {"max_length": "9"}]
)
def test_arguments_of_the_wrong_type(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=next(iter(wrong))):
        Policy(**wrong)


@pytest.mark.prove
def test_presets_on_the_attack_strings() -> None:
    if not ATTACKS.exists():
        pytest.skip("no attack-strings.json beside the checkout")
    attacks = {a["name"]: a["text"] for a in json.loads(ATTACKS.read_text("utf-8"))}
    assert len(attacks) == 144

    def through(policy: Policy, rule: str) -> set[str]:
        reports = {
            name: check_bounded(Rule(rule, policy=policy), text, 5)
            for name, text in attacks.items()
        }
        assert all(Rule(rule, policy=policy).is_valid(r.text) is r.ok for r in reports.values())
        return {name for name, report in reports.items() if report.ok}

    relative = {"empty"}  # a reference to the page itself
    assert through(Policy.redirects("good.com", "example.com"), "URI-reference") == (
        LET_THROUGH | relative
    )
    assert through(Policy.redirects(), "URI-reference") == relative
    assert through(Policy.fetches(), "URI") == LET_THROUGH


def test_the_page_says_what_stops_each_string() -> None:
    rows = re.findall(
        r"^\| `([^`]*)` \| ([\w, -]+) \| ([\w, -]+) \|$", PAGE.read_text("utf-8"), re.M
    )
    assert len(rows) == 49
    for text, redirect, fetch in rows:
        for words, policy, rule in (
            (redirect, Policy.redirects("good.com", "example.com"), "URI-reference"),
            (fetch, Policy.fetches(), "URI"),
        ):
            found = dict.fromkeys(v.code for v in Rule(rule, policy=policy).check(text).violations)
            assert ", ".join(found) == words, text


@pytest.mark.parametrize(("rule", "grammar", "policy", "words"), rows("policy", "without-effect"))
def test_a_policy_is_never_without_effect(
    rule: str, grammar: str, policy: dict[str, Any], words: str
) -> None:
    made = Policy(**policy)
    with pytest.raises(ValueError, match=words):
        Rule(rule, grammar=grammar, policy=made)


LONG = {
    "blanks": "http://h/" + " " * 20_000,
    "at the end": "http://h/" + "a" * 20_000 + " ",
    "host": "http://" + "é" * 20_000,
    "address": "http://[" + "1:" * 10_000 + "]",
    "scheme": "é:" * 10_000,
    "userinfo": "http://" + "u:p@" * 5_000,
}


@pytest.mark.prove
@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_long_text_that_is_not_valid(text: str) -> None:
    report = check_bounded(Rule(), text)
    (violation,) = report.violations
    assert (violation.code, violation.start, report.only_policy) == ("too-long", 16_384, False)
    assert report.summary.startswith(f"not a valid URI: text 16384: the text has {len(text):,}")
    assert Rule().check(text).violations[0].code != "too-long"


def test_what_is_forbidden_shows_no_password() -> None:
    report = Rule(policy=Policy(forbid=["userinfo", "userinfo-password"])).check(
        "ftp://me:S3KRET@h/"
    )
    shown = f"{report} {report!r} {report.summary} {report.to_dict()}"
    assert "S3KRET" not in shown
    assert "userinfo 6: User information is not allowed." in report.summary


def test_work_is_bounded() -> None:
    report = check_bounded(Rule(), "http://h/" + " a" * 5000)
    assert len(report.violations) + report.more == 5000
    assert len(report.violations) == 20


POLICIES = [
    Policy(schemes=("http", "https"), require=("host",), max_length=2083),  # that of HttpURI
    Policy(schemes=["HTTP"]),
    Policy(forbid=["userinfo"], require=["host"]),
    Policy(hosts=["example.com", "*.example.com"]),
    Policy(forbid=["scheme"]),
    Policy(forbid=["query", "security"]),
    Policy(require=["fragment"]),
    Policy.fetches(),
    Policy.fetches("example.com", "*.wikipedia.org"),
    Policy.redirects("example.com", "*.wikipedia.org"),
    Policy.redirects(),
]
BEGINNINGS = (
    *("http://example.com", "HTTPS://en.wikipedia.org", "http://me@example.com:80", "http://"),
    *("http://127.0.0.1", "http://[::1]:8080", "http://redis:6379", "http://a.nip.io", "httpx://b"),
    *("http://@", "http://:80", "http://me@", "ftp://example.com", "mailto:me@example.com", "//h"),
    *("http://example.com.evil.net", "https://https:", "http://a%2Fb", "http://x:65536", ""),
)
PIECES = (
    *("/", "//", ".", "..", "...", "?", "#", "=", "&", "+", ",", "-", "_", "~", "a", "B", "7"),
    *("www.example.com", "localhost", "127.0.0.1", "javascript", "data", "http", "https", "//evil"),
    *("url=", "next=", "metadata", "evil.com", "..;", "%2e", "%00", "%", ":", "@", ";", "\\", " "),
)


def _long_way(policy: Policy, rule: str, monkeypatch: pytest.MonkeyPatch) -> Rule:
    with monkeypatch.context() as patch:
        patch.setattr(policies, "_by_beginning", lambda *_: lambda text: False)
        return Rule(rule, policy=policy)


def _same_verdicts(texts: Iterable[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for policy in POLICIES:
        rule = "URI-reference" if "scheme" in policy.forbid else "URI"
        short, long = Rule(rule, policy=policy), _long_way(policy, rule, monkeypatch)
        for text in texts:
            assert short.is_valid(text) == long.is_valid(text), (policy, text)


@bound("count", 200, 1_000)
def test_the_quick_look_is_right(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """What is not asked about usual texts would say nothing of them."""
    choose = random.Random(24)  # noqa: S311
    usual = Rule("ordinary", grammar="usual-uri")
    ends = [piece for piece in PIECES if usual.is_valid(f"/a{piece}a")]
    texts = []
    for _ in range(count):
        texts.append(
            choose.choice(BEGINNINGS) + "".join(choose.choices(PIECES, k=choose.randrange(9)))
        )
        texts.append(
            "http://example.com/" + "".join(choose.choices(ends, k=choose.randrange(1, 9)))
        )
    _same_verdicts(texts, monkeypatch)


@pytest.mark.prove
def test_the_quick_look_is_right_on_real_and_hostile_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    file = SHARED / "urls-48k.txt"
    if not file.exists():
        pytest.skip("needs the shared data")
    choose = random.Random(26)  # noqa: S311
    real = file.read_text(encoding="utf-8-sig").splitlines()
    texts = [*choose.choices(real, k=2_000), *attacks()]
    for text in choose.choices(texts, k=3_000):
        at = choose.randrange(len(text) + 1)
        texts.append(text[:at] + choose.choice(PIECES) + text[at + choose.randrange(3) :])
    _same_verdicts(texts, monkeypatch)
