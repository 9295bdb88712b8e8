"""``uriproof grammar list`` and ``show``: what they tell, in every format, and how they fail."""

from __future__ import annotations

import io
import json
import sys
from functools import partial
from pathlib import Path

import pytest
from commands import Run

from uriproof.cli import main
from uriproof.grammar import registry
from uriproof.grammar.registry import load
from uriproof.text.columns import width as columns
from uriproof.workbench.railroad import to_railroad_svg

pytestmark = pytest.mark.prove


@pytest.fixture
def run(run: Run) -> Run:
    return partial(run, "grammar")


def shown(run: Run, *args: str) -> str:
    code, out, err = run(*args)
    assert (code, err) == (0, "")
    return out


# list


def test_list_names_every_bundled_grammar(run: Run) -> None:
    lines = shown(run, "list").splitlines()
    heads = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert heads == list(registry.names())
    assert max(map(len, lines)) <= 100
    one = next(line for line in lines if line.startswith("rfc3986 "))
    assert one.split()[1:3] == ["36", "rules"]


def test_list_as_json(run: Run) -> None:
    records = {r["name"]: r for r in json.loads(shown(run, "list", "--format", "json"))}
    assert list(records) == list(registry.names())
    rfc3986 = records["rfc3986"]
    assert rfc3986["starts"][0] == "URI"
    assert rfc3986["source"] == load("rfc3986").model.source
    assert rfc3986["rules"] + rfc3986["imported"] == len(load("rfc3986").model.rules)
    assert records["rfc2397"]["schemes"] == ["data"]
    assert records["rfc2397"]["title"] == load("rfc2397").model.title


@pytest.mark.parametrize("width", [80, 132])
def test_list_fits_the_terminal(width: int, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = shown(run, "list").splitlines()
    assert max(map(len, lines)) <= width
    assert all(any(name in line for line in lines) for name in registry.names())


# show: a rule


def test_show_a_rule(run: Run) -> None:
    out = shown(run, "show", "host")
    line = load("rfc3986").rule("host").line
    assert out.startswith("host  (rfc3986, section 3.2.2)\nan IP address or a registered name\n")
    assert f"grammars/rfc3986.abnf:{line}\n" in out
    assert "  ├───┬─ IP-literal ──┬───┤\n" in out
    facts = dict(text.split(None, 1) for text in out.splitlines() if text[:4] in ("uses", "comp"))
    assert facts == {"component": "host", "uses": "IP-literal IPv4address reg-name"}
    assert "used by       authority\n" in out
    assert 'then comes    "#" "/" ":" "?" or the end\n' in out
    assert "length        0 or more (can be empty)\n" in out
    assert "  0.0.0.0  IPv4address\n" in out
    assert "  (empty)  reg-name\n" in out


@pytest.mark.parametrize(
    "args",
    [("PORT",), ("rfc3986:port",), ("port", "-g", "rfc3986"), ("grammars/rfc3986.abnf:port",)],
)
def test_ways_to_name_a_rule(args: tuple[str, ...], run: Run) -> None:
    assert shown(run, "show", *args).startswith("port  (rfc3986, section 3.2.3)")


def test_a_rule_as_json(run: Run) -> None:
    record = json.loads(shown(run, "show", "dec-octet", "--format", "json"))
    assert (record["name"], record["least"], record["greatest"]) == ("dec-octet", 1, 3)
    assert record["characters"] == {"names": ["DIGIT"], "ranges": [[48, 57]]}
    assert [e["text"] for e in record["examples"]] == ["0", "10", "100", "200", "250"]
    assert record["diagram"][0].startswith("├───┬─ DIGIT ")


def test_a_rule_as_svg_and_in_ascii(run: Run) -> None:
    drawn = to_railroad_svg(load("rfc3986").model, "host", links=False)
    assert shown(run, "show", "host", "--format", "svg") == f"{drawn}\n"
    out = shown(run, "show", "host", "--ascii")
    assert "  |---+- IP-literal --+---|\n" in out
    assert out.isascii()


@pytest.mark.parametrize("name", ["rfc3986", "rfc6570", "rfc8259"])
def test_every_rule_can_be_shown(name: str, run: Run) -> None:
    for rule in load(name).model.rules:
        out = shown(run, "show", f"{name}:{rule}")
        text = {f"  {line}" for line in load(name).rule(rule).text.split("\n")}
        wide = [x for x in out.splitlines() if columns(x) > 100 and x not in text]
        assert wide == [], rule


# show: a grammar


def test_show_a_grammar(run: Run) -> None:
    out = shown(run, "show")
    assert out.startswith("rfc3986: RFC 3986 Appendix A")
    assert "  host           3.2.2  an IP address or a registered name\n" in out
    assert "of rfc5234    ALPHA DIGIT HEXDIG\n" in out
    assert shown(run, "show", "-g", "rfc3986") == out
    assert shown(run, "show", "rfc3986") == out


def test_a_grammar_as_json(run: Run) -> None:
    record = json.loads(shown(run, "show", "key-value", "--format", "json"))
    assert (record["name"], record["starts"]) == ("key-value", ["query"])
    rules = {r["name"]: r for r in record["rules"]}
    assert rules["pct-encoded"]["grammar"] == "rfc3986"
    assert set(rules) == set(load("key-value").model.rules)


def test_ones_own_file(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "own.abnf"
    file.write_text('; rule: list 1 a list of digits\nlist = DIGIT *( "," DIGIT )\n')
    assert "  list  1  a list of digits\n" in shown(run, "show", "-g", str(file))
    out = shown(run, "show", "list", "-g", str(file))
    assert out.startswith("list  (own, section 1)\na list of digits\n")
    assert "length        7 to 15\n" in shown(run, "show", "IPv4address")
    assert "length        3\n" in shown(run, "show", "pct-encoded")
    assert f"{file}:2\n" in out
    assert "length        1 or more\n" in out


# What goes wrong


def test_a_terminal_that_cannot_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["grammar", "show", "host"]) == 0
    stream.seek(0)
    assert "|---+- IP-literal --+---|" in stream.read()


def test_color_only_where_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in shown(run, "show", "host")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert shown(run, "show", "host").startswith("\x1b[1mhost\x1b[0m  (rfc3986")
