"""``uriproof grammar explain``: the derivation drawn, within any width, and as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st

from uriproof.cli.grammar.explain import ASCII_BARS, drawn
from uriproof.grammar.derive.broken import explain
from uriproof.grammar.registry import compile_abnf, load
from uriproof.render import Style
from uriproof.text.columns import columns
from uriproof.text.drawing import visible

pytestmark = pytest.mark.prove

RFC3986 = load("rfc3986")


EXPLAIN = ("grammar", "explain")


def test_a_valid_text(run: Run) -> None:
    code, out, err = run(*EXPLAIN, "//1.2.3.4/a", "-r", "relative-ref")
    assert (code, err) == (0, "")
    assert out.startswith("valid relative-ref, derived in 2 ways\n\n  //1.2.3.4/a\n\n")
    assert "\n    ├─────┤       host " in out
    assert "as IPv4address · §3.2.2 · an IP address or a registered name" in out
    assert "ambiguous  2-9 1.2.3.4: host can be IPv4address or reg-name; IPv4address is" in out


def test_a_text_that_is_not_valid(run: Run) -> None:
    code, out, _ = run(*EXPLAIN, "http://[::1/")
    assert code == 1
    assert out.startswith("invalid URI: U+002F SOLIDUS at 11 is not allowed\n")
    assert "with an error" in out
    assert '    in IP-literal:  "]"\n' in out
    assert "\n  http://[::1/\n" in out
    code, out, _ = run(*EXPLAIN, "", "-r", "segment-nz")
    assert (code, out.splitlines()[0]) == (1, "invalid segment-nz: it ends too early")
    assert "in segment-nz:  pchar" in out


def test_a_terminal_has_ascii_alone() -> None:
    command = [sys.executable, "-m", "uriproof", *EXPLAIN, "a/b", "-r", "path"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    shown = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert b"\n  [-]  path " in shown.stdout


def test_json(run: Run) -> None:
    code, out, _ = run(*EXPLAIN, "http://a b", "--format", "json")
    found = json.loads(out)
    assert code == 1
    assert (found["ok"], found["viable"], found["derivations"]) == (False, 8, 0)
    assert [n["name"] for n in found["nodes"] if n["depth"] == 1] == ["scheme", '":"', "hier-part"]
    assert [v["start"] for v in found["violations"]] == [8]
    following = [(f["production"], f["expected"]) for f in found["following"]]
    assert ("reg-name", "pct-encoded") in following


def test_a_grammar_that_is_not_regular(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "sum.abnf"
    file.write_text('e = e "+" e / n\nn = "(" e ")" / 1*DIGIT\n')
    code, out, _ = run(*EXPLAIN, "-g", str(file), "1+(2)+3")
    assert code == 0
    assert "derived in 2 ways" in out
    assert 'e "+" e in e fits in 2 ways' in out
    code, out, _ = run(*EXPLAIN, "-g", str(file), "1+(2")
    assert code == 1
    assert 'in n:  ")" / DIGIT' in out


@given(
    st.text(st.sampled_from("a/:?#[]@%1.é中\u0301\n\u202e\ud800 ")).map("http://h/".__add__),
    st.integers(40, 120),
)
def test_no_line_is_wider_than_the_terminal(text: str, width: int) -> None:
    found = explain(RFC3986, "URI", text)
    style = Style(width=width)
    for line in drawn(found, style):
        assert visible(line.replace("…", "")) == line.replace("…", "")
        if not line.startswith("invalid"):  # a character's whole name
            assert columns(line.replace("…", "."))[-1] <= width


def test_bars_stand_under_what_they_are_about() -> None:
    text = "x:中/é"
    compiled = compile_abnf('a = "x:" b "/" b\nb = 1*%x80-10FFFF')
    lines = list(drawn(explain(compiled, "a", text), Style(), ASCII_BARS))
    assert lines[2:] == [
        "  x:中/é",
        "",
        "  [----]  a",
        '  []       "x:"',
        "    []     b",
        "    []      %x80-10FFFF",
        '      |    "/"',
        "       |   b",
        "       |    %x80-10FFFF",
    ]


def test_long_trees_are_cut() -> None:
    found = explain(RFC3986, "path-abempty", "/a" * 1_000)
    lines = list(drawn(found, Style()))
    assert "  … and 1,801 more; --format json has them all" in lines
    assert len(lines) < 225
