"""The client profiles: what the URL Standard leaves raw, and what no profile lets pass.

Owns the comparison of the grammar whatwg-url with a real client (Node, if it is here; its answers
are also stored in ``whatwg_targets.json``) and with RFC 3986 and RFC 9112.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from engines.node import by_node
from tables import rows, table

from uriproof.grammar import registry
from uriproof.parameters import Operation, Parameter, QuerySpec
from uriproof.percent.characters import ASCII, characters
from uriproof.percent.clients import as_uri
from uriproof.policy import Policy
from uriproof.request import RequestRules
from uriproof.rule import Rule

SENT = Path(__file__).parent / "whatwg_targets.json"
WHATWG = registry.load("whatwg-url")
STRINGS = {"type": "array", "items": {"type": "string"}}
OBJECT = {"type": "object", "additionalProperties": {"type": "string"}}


def written(count: int = 400) -> list[str]:
    """What follows the host in URLs as people might give them to a client."""
    chance = random.Random(20)  # noqa: S311 -- the same texts each time
    common = [*"/?ab%.&=[]|{}^`\\\"'<>#+;:@!$(),~* -_", "%41", "%zz", "%2e", "é", "\t", "%5B"]
    texts = ["/" + "".join(chance.choices(common, k=chance.randint(1, 14))) for _ in range(count)]
    return texts + [f"/{c}?{c}" for c in ASCII]


# In a path: what a lenient decoder, one of IIS, or one that drops percent signs makes of these.
RISKY = re.compile(
    r"%[0-9a-f]?%|%u|(?:^|/)(?:\.|%2e)*%\.|(?:^|/)(?:\.|%2e)+%[0-9a-f]?(?=/|$)", re.IGNORECASE
)


def agree(sent: list[str]) -> int:
    """How many targets only whatwg allows; it allows all but those with a risky percent sign."""
    rules, by_rfc = RequestRules(clients="whatwg"), RequestRules()
    more = 0
    for target in sent:
        path = target.partition("?")[0]
        control = not characters("CTL", "rfc5234").isdisjoint(
            chr(int(octet, 16)) for octet in re.findall("%([01][0-9A-F]|7F)", path)
        )
        refusal = rules.refusal("GET", target, ["h"])
        assert (refusal is None) == (not control and RISKY.search(path) is None), target
        more += refusal is None and by_rfc.refusal("GET", target, ["h"]) is not None
    return more


def test_all_that_a_client_sends_is_accepted() -> None:
    sent = json.loads(SENT.read_text("utf-8"))
    assert len(sent) == len(written())
    assert agree(sent) > 200


@pytest.mark.prove
def test_all_that_node_sends_is_accepted() -> None:
    assert agree(by_node("(u => u.pathname + u.search)(new URL('http://h' + x))", written())) > 200


def test_the_sets_and_what_they_leave() -> None:
    """The characters that a set encodes, and those that are sent, are all there are."""
    for encoded, raw, neither in (
        ("special-query-set", "query", "'"),  # which RFC 3986 allows
        ("path-set", "path-raw", "^"),  # which older clients send
    ):
        sent, kept = characters(encoded, "whatwg-url"), characters(raw, "whatwg-url")
        assert sent & kept == set(neither)
        assert set(ASCII) - sent - kept == (set("/\\%.") if raw == "path-raw" else set())
    assert set(ASCII) - characters("form-set", "whatwg-url") == characters("LIT", "form-urlencoded")
    sets = ["C0-control-set", "query-set", "path-set", "userinfo-set", "component-set", "form-set"]
    grown = [characters(name, "whatwg-url") for name in sets]
    assert all(a < b for a, b in pairwise(grown))
    assert characters("query-set", "whatwg-url") - characters("fragment-set", "whatwg-url") == {"#"}


@pytest.mark.prove
def test_as_a_uri_it_is_valid_and_means_the_same() -> None:
    by_rfc, rules = RequestRules(), RequestRules(clients="whatwg")
    for target in json.loads(SENT.read_text("utf-8")):
        if rules.refusal("GET", target, ["h"]) is None:
            for form, start in ((target, 0), ("http://h:80" + target, 11)):
                uri = as_uri(form, start)
                assert uri.startswith(form[: start + 1])
                assert by_rfc.refusal("GET", uri, ["h"]) is None
                assert as_uri(uri, start) == uri
                if by_rfc.refusal("GET", form, ["h"]) is None:
                    assert uri == form


HOSTILE = [*map(chr, range(0x21)), "\x7f", "\x85", "\xa0", "\xe9", "\xff", '"', "<", ">", "#"]


@pytest.mark.parametrize("clients", ["rfc", "whatwg"])
def test_no_profile_lets_these_pass(clients: Any) -> None:
    rules = RequestRules(clients=clients)
    operation = Operation("/{a}", [Parameter("q")], clients=clients)
    for bad in HOSTILE:
        for target in (f"/{bad}", f"/a?q={bad}", f"/a{bad}b", f"{bad}/", f"http://h/{bad}"):
            assert rules.refusal("GET", target, ["h"]) is not None, target
        assert rules.refusal("GET", f"q={bad}", ["h"], is_query=True) is not None
        assert rules.refusal("GET", "/", [f"h{bad}"]) is not None
        assert not operation.check(path=f"/{bad}").ok
        assert not operation.check(query=f"q={bad}").ok


@pytest.mark.parametrize("clients", ["rfc", "whatwg"])
@pytest.mark.parametrize("path", rows("clients", "tricks"))
def test_no_profile_lets_tricks_in_a_path_pass(path: str, clients: Any) -> None:
    refusal = RequestRules(clients=clients).refusal("GET", path, ["h"])
    assert refusal is not None
    assert refusal.codes
    assert refusal.to_problem(drawing=True)["status"] == 400
    if path.startswith("/") and not {"encoded-control", "query-illegal"} & set(refusal.codes):
        assert not Operation("/{a}", [], clients=clients).check(path=path).ok


@pytest.mark.parametrize(
    ("method", "target", "host", "code"),
    rows("clients", "the-rule-sees-the-uri-that-a-client-means"),
)
def test_the_rule_sees_the_uri_that_a_client_means(
    method: str, target: str, host: str, code: str
) -> None:
    policy = Policy(hosts=["good.com"], forbid=["encoded-slash"])
    query = "key-value" if code == "query-missing" else None
    rules = RequestRules(rule=Rule(policy=policy, query=query), clients="whatwg")
    refusal = rules.refusal(method, target, [host])
    assert (refusal.codes if refusal is not None else ()) == ((code,) if code else ())
    for part in ("u=http://[x]?%", "[x]=%zz&u=//a|b"):
        assert rules.refusal("GET", part, ["good.com"], is_query=True) is None
        assert rules.refusal("GET", part, ["evil.com"], is_query=True) is not None


def test_what_queries_mean() -> None:
    spec = QuerySpec(
        Parameter("filter", OBJECT, style="deepObject", explode=True),
        Parameter("ids[]", STRINGS),
        Parameter("pipes", STRINGS, style="pipeDelimited", explode=False),
        Parameter("json", {"type": "object"}, content="application/json"),
        Parameter("q"),
        Parameter("%"),
        clients="whatwg",
    )
    for query, values in (
        ("filter[name]=x&filter%5Bb%5D=100%", {"filter": {"name": "x", "b": "100%"}}),
        ("ids[]=1&ids%5B%5D=2", {"ids[]": ["1", "2"]}),
        ("pipes=a|b%7cc", {"pipes": ["a", "b", "c"]}),
        ("json={%22a%22:1}", {"json": {"a": 1}}),
        ("q=^`\\|{}[]+%41%zz%u0041%", {"q": "^`\\|{}[] A%zz%u0041%"}),
        ("%=%&%25=", None),  # one parameter, twice
        ("%=1", {"%": "1"}),
        ("q=%C3%A9%", {"q": "é%"}),
    ):
        report = spec.check(query)
        assert (dict(report.values) if report.ok else None) == values, query
        if report.ok:
            assert report.advice
            encoded = as_uri("/?" + query)[2:]
            assert spec.check(encoded).advice == ()
            by_rfc = QuerySpec(*spec.parameters)
            assert by_rfc.require(encoded.replace("pipes=a%7C", "pipes=a%7c")) == values
    report = spec.check("q=%FF%zz")
    assert [(v.code, v.start, v.end) for v in report.violations] == [("parameter-encoding", 2, 5)]
    assert spec.check("utm=[%E9&x=100%").undeclared == (("utm", "[%E9"), ("x", "100%"))
    assert spec.check("utm=[%E9&q=1").advice == ()
    assert QuerySpec(Parameter("q")).check("q=1").advice == ()


def test_forms_and_whole_queries() -> None:
    card = {"type": "object", "properties": {"number": {"type": "integer"}}}
    schema = {"type": "object", "properties": {"card": card, "q": {"type": "string"}}}
    form = {"schema": schema, "encoding": {"card": {"style": "deepObject", "explode": True}}}
    content = {"application/x-www-form-urlencoded": form}
    json_content = {"application/json": {"schema": {"type": "object"}}}
    query = {"name": "all", "in": "querystring"}
    item = {
        "post": {"requestBody": {"content": content}},
        "get": {"parameters": [query | {"content": content}]},
        "put": {"parameters": [query | {"content": json_content}]},
    }
    document = {"openapi": "3.2.0", "paths": {"/a": item}}
    sent, kind = "card[number]=42&q=100%", "application/x-www-form-urlencoded"
    values = {"card": {"number": 42}, "q": "100%"}
    for clients, right in (("rfc", False), ("whatwg", True)):
        post, get, put = (
            Operation.from_openapi(document, "/a", method, clients=clients)  # type: ignore[arg-type]
            for method in item
        )
        report = post.check(body=sent.encode(), content_type=kind)
        assert (report.values["body"] if report.ok else None) == (values if right else None)
        report = get.check(query=sent)
        assert (report.values["query"] if report.ok else None) == (
            {"all": values} if right else None
        )
        assert [a.start for a in report.advice] == ([4, 11, 21] if right else [])
        assert put.check(query="{%22a%22:1}").ok is right
        assert put.check(query="%7B%22a%22:1%7D").values["query"] == {"all": {"a": 1}}
        assert not put.check(query='{"a":1}').ok


def test_advice_on_an_operation() -> None:
    operation = Operation("/a|b/{id}", [Parameter("id", location="path")], clients="whatwg")
    report = operation.check(path="/a|b/[100%]", query="a=b", headers={}, cookie="_ga=100%")
    assert report.ok
    assert report.values["path"] == {"id": "[100%]"}
    assert [(a.location, a.start, a.end, a.code) for a in report.advice] == [
        ("path", 2, 3, "path-illegal"),
        ("path", 5, 6, "path-illegal"),
        ("path", 9, 10, "path-bad-escape"),
        ("path", 10, 11, "path-illegal"),
    ]
    assert operation.check(path="/a%7Cb/1").advice == ()
    long = operation.check(path="/a|b/" + "[" * 1 + "]a" * 5000, query="[&" * 5000)
    assert long.ok
    assert len(long.advice) <= 40


def test_profiles_that_cannot_be() -> None:
    for made in (QuerySpec, RequestRules):
        with pytest.raises(ValueError, match="clients is 'rfc' or 'whatwg', not 'curl'"):
            made(clients="curl")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="strict=True"):
        QuerySpec(strict=True, clients="whatwg")
    with pytest.raises(ValueError, match="grammar='key-value'"):
        QuerySpec(grammar="key-value", clients="whatwg")
    with pytest.raises(ValueError, match="strict=True"):
        Operation("/", [], strict=True, clients="whatwg")


TRIED = table("clients", "tried")


@pytest.mark.parametrize("target", TRIED.values(), ids=TRIED)
def test_clients_that_were_tried(target: str) -> None:
    assert RequestRules().refusal("GET", target, ["h"]) is not None
    assert RequestRules(clients="whatwg").refusal("GET", target, ["h"]) is None


@pytest.mark.parametrize("target", rows("clients", "that-encode-nothing"))
def test_clients_that_encode_nothing(target: str) -> None:
    assert RequestRules(clients="whatwg").refusal("GET", target, ["h"]) is not None


def _replaced(pattern: str, put: Callable[[re.Match[str]], str]) -> Callable[[str], str]:
    return partial(re.compile(pattern, re.IGNORECASE).sub, put)


_decoded = _replaced("%([0-9a-f]{2})", lambda found: chr(int(found[1], 16)))
_as_iis = _replaced("%u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)))
_without_signs = _replaced("%(?![0-9a-f]{2})", lambda _: "")


def test_no_lenient_decoder_makes_a_dot_segment_or_a_slash() -> None:
    """Of segments that only whatwg allows: what software that drops "%" or decodes again reads."""
    allowed, by_rfc = WHATWG.matcher("segment"), registry.load("rfc3986").matcher("segment")
    texts = ("".join(found) for n in range(1, 6) for found in product("%2eF.uz", repeat=n))
    only = [text for text in texts if allowed(text) and not by_rfc(text)]
    assert len(only) > 1_000
    for text in [*only, *(f"{a}%u002{b}" for a in only[:50] for b in "eEfF5")]:
        if not allowed(text):
            continue
        once = _decoded(text)
        for read in (once, _decoded(_without_signs(text)), _decoded(_as_iis(text)), _decoded(once)):
            assert read not in (".", ".."), text
            assert read.count("/") <= text.upper().count("%2F"), text
