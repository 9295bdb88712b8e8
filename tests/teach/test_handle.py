"""Requests of the page: what each answers beyond the examples of docs/teach/requests.md."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from asking import ask, refused
from tables import beside
from tiers import FEW_GRAMMARS, quick

from uriproof import Grammar, check
from uriproof.grammar import registry
from uriproof.grammar.model import Model
from uriproof.teach import handle
from uriproof.teach.handle import REQUESTS

pytestmark = pytest.mark.prove


def test_check_is_the_report_against_all_that_a_rule_takes() -> None:
    text = "http://h/a b%zz?q=[1]"
    assert ask("check", text=text)["report"] == check(text).to_dict()
    (advice,) = ask("check", text="http://h:80/")["report"]["advice"]
    assert advice["code"] == "default-port"
    assert advice["title"]
    assert advice["why"]
    assert not ask("check", text="ldap:x", scheme_rules=True)["report"]["ok"]
    assert not ask("check", text="http://h/?a", query="key-value")["report"]["ok"]
    assert ask("check", text="8", abnf="x = DIGIT")["report"]["ok"]
    assert ask("check", text="http:/é", rule="IRI", grammar="rfc3987")["report"]["ok"]
    assert refused("check", text="a", abnf="x = DIGIT", scheme_rules=True)["code"]
    assert refused("check", text="a", query="rfc3986")["code"] == "unknown-grammar"


def test_an_ambiguity_and_the_path_are_told_by_node() -> None:
    derivation = ask("explain", text="http://1.2.3.4/")["derivation"]
    (ambiguity,) = derivation["ambiguities"]
    host = ambiguity["node"]
    assert derivation["nodes"][host]["name"] == ambiguity["rule"] == "host"
    assert len(derivation["lit"]) == len(derivation["nodes"])
    assert derivation["lit"][host] == ["host", "host:out", "host.1", "host.1:out"]
    assert derivation["depth"] == max(node["depth"] for node in derivation["nodes"])


def test_a_drawing_is_data_with_the_ids_that_a_derivation_names() -> None:
    made = ask("railroad", rule="Host")
    assert made["rule"] == "host"
    assert made["abnf"] == registry.load("rfc3986").rule("host").text
    assert made["drawing"][0] == "svg"
    words = json.dumps(made["drawing"])
    ids = re.findall(r'"data-node": "([^"]+)"', words)
    assert {"host", "host.1", "host.1:out", "host:out"} <= set(ids)
    assert "style" not in words
    narrow = ask("railroad", rule="URI", width=24)["drawing"]
    assert float(narrow[1]["width"]) < float(ask("railroad", rule="URI")["drawing"][1]["width"])


def test_the_grammars_are_all_there() -> None:
    found = {g["name"]: g for g in ask("grammars")["grammars"]}
    assert set(found) == set(registry.names())
    assert (found["rfc3986"]["start"], found["rfc3986"]["regular"]) == ("URI", True)
    assert not found["rfc8259"]["regular"]


def test_what_is_doubtful_in_a_grammar_has_its_place() -> None:
    (remark,) = ask("grammar", abnf='a = 1*DIGIT / "0"\n')["diagnostics"]
    assert (remark["line"], remark["column"], remark["code"]) == (1, 15, "shadowed-alternative")
    assert not ask("grammar", abnf='n = "(" n ")" / "x"')["rules"][0]["regular"]


def test_every_fault_of_a_broken_grammar_is_told() -> None:
    for do in ("grammar", "check", "rules"):
        error = refused(do, abnf="a = (\nb = )\n", text="")
        assert error["code"] == "invalid-grammar"
        assert [(f["line"], f["cause"]) for f in error["faults"]] == [(1, "syntax"), (2, "syntax")]
        assert error["more"] == 0
    many = refused("grammar", abnf="= \n" * 500)
    assert len(many["faults"]) == 100
    assert many["more"] == 400


def test_samples_are_what_they_are_called() -> None:
    host = Grammar.load("rfc3986")["host"]
    valid = ask("sample", rule="host", count=20, seed=1)["samples"]
    assert len(valid) == 20
    assert all(host.is_valid(one["text"]) for one in valid)
    misses = ask("sample", rule="host", kind="near-miss", count=20)["samples"]
    assert not any(host.is_valid(one["text"]) for one in misses)
    assert all(host.is_valid(one["edit"]["of"]) for one in misses)
    long = ask("sample", rule="URI", least=40, most=45)["samples"]
    assert all(40 <= len(one["text"]) <= 45 for one in long)
    for kind in "valid", "near-miss":  # readable ones do not run out with the words
        request = {"rule": "host", "kind": kind, "seed": 7, "most": 24, "count": 20}
        texts = [one["text"] for one in ask("sample", **request, readable=True)["samples"]]
        assert len(texts) == len(set(texts)) == 20
    assert refused("sample", rule="scheme", most=0)["code"] == "no-such-text"
    assert refused("sample", abnf='x = 501"a"')["code"] == "no-such-text"


def test_rules_are_compared() -> None:
    assert ask("compare", a="port", b="re:[0-9]*")["relation"] == "equal"
    assert refused("compare", a="port", b="re:(")["code"] == "invalid-pattern"
    assert refused("compare", a="port", b="ports")["code"] == "unknown-rule"
    # An edited grammar with the bundled one, and rules that are not regular, as far as it goes.
    text = ask("grammar")["abnf"].replace("port          = *DIGIT", "port          = 1*DIGIT")
    made = ask("compare", a="URI", abnf_b=text)
    assert (made["relation"], made["b"]["rule"]) == ("contains", "URI")
    assert made["only_a"][0]["text"] == "a://:"
    made = ask("compare", abnf_a='n = "(" n ")" / "x"', abnf_b='n = "(" n ")" / "x" / "()"')
    assert made["only_b"] == [{"text": "()", "stops": 1}]
    assert made["searched"] is None or made["searched"]["length"] > 1


@pytest.mark.parametrize(
    ("request_", "code", "words"),
    [
        *beside(__file__, "what_cannot_be_answered_is_refused_in_words"),
        ({"do": "railroad", "width": 10**400}, "invalid-request", "from 24 to 1000"),
        ({"do": "explain", "text": "a" * 3_001}, "too-long", "at most 3,000 are read"),
        ({"do": "check", "text": "a" * 100_001}, "too-long", "at most 100,000 are read"),
        ({"do": "check", "text": "[" * 5_001, "grammar": "rfc8259"}, "too-long", "at most 5,000"),
        ({"do": "rules", "abnf": "a" * 40_001}, "too-long", "at most 40,000 are read"),
        ({"do": "rules", "grammar": "g" * 1_001}, "too-long", "at most 1,000 are read"),
        ({"do": "d" * 1_001}, "too-long", "at most 1,000 are read"),
        (None, "invalid-request", "an object with a key do"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_words(request_: Any, code: str, words: str) -> None:
    error = handle(request_)["error"]
    assert error["code"] == code
    assert words in error["message"]
    assert len(json.dumps(error)) < 2_000


def test_nothing_heavy_is_imported_to_answer() -> None:
    code = (
        "import sys; from uriproof.teach import handle; handle({'do': 'check', 'text': 'a b'});"
        "handle({'do': 'explain', 'text': 'http://h/'}); handle({'do': 'steps', 'text': 'a'});"
        "print(sorted({'lark', 'click', 'rich', 'abnf', 'subprocess', 'socket',"
        "'asyncio', 'http'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_every_request_is_documented() -> None:
    page = (Path(__file__).parent.parent.parent / "docs/teach/requests.md").read_text("utf-8")
    headings = [line for line in page.splitlines() if line.startswith("## ")]
    documented = {name for line in headings for name in line[3:].split(", ")}
    assert set(REQUESTS) <= documented


def known(model: Model) -> dict[str, Any]:
    """All that a model holds but the places of its rules."""
    places = ("name", "cites", "unusable", "meant")
    kept = {key: value for key, value in model._asdict().items() if key not in places}
    kept["rules"] = {
        (
            rule._replace(grammar="", file="", line=0, section=""),
            rule.section.strip("-"),
            model.citation(rule),
            None if rule.grammar == model.name else rule.grammar,
        )
        for rule in model.rules.values()
    }
    kept["own"] = [name for name, rule in model.rules.items() if rule.grammar == model.name]
    return kept


@pytest.mark.parametrize("name", quick(registry.names(), among=FEW_GRAMMARS))
def test_the_text_to_edit_gives_the_same_grammar(name: str) -> None:
    answer = handle({"do": "grammar", "grammar": name, "lint": False})
    model = Grammar.from_abnf(answer["abnf"]).compiled.model
    bundled = Grammar.load(name).compiled.model
    assert not model.unusable
    assert known(model) == known(bundled)
    assert answer["diagnostics"] == answer["faults"] == []
    lines = answer["abnf"].split("\n")
    for rule in answer["rules"]:
        assert rule["line"] is None or lines[rule["line"] - 1].startswith(rule["name"])
        assert rule["grammar"] == bundled.rules[rule["name"]].grammar
