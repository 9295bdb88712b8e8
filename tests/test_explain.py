"""``uriproof grammar explain``: the derivation drawn, within any width, and as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
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


def run(*arguments: str, **environment: str) -> tuple[int, str, str]:
    names = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [sys.executable, "-m", "uriproof", "grammar", "explain", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env=names | {"PYTHONIOENCODING": "utf-8"} | environment,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_valid_text() -> None:
    code, out, err = run("//1.2.3.4/a", "-r", "relative-ref")
    assert (code, err) == (0, "")
    assert out.startswith("valid relative-ref, derived in 2 ways\n\n  //1.2.3.4/a\n\n")
    assert "\n    ├─────┤       host " in out
    assert "as IPv4address · §3.2.2 · an IP address or a registered name" in out
    assert "ambiguous  2-9 1.2.3.4: host can be IPv4address or reg-name; IPv4address is" in out


def test_a_text_that_is_not_valid() -> None:
    code, out, _ = run("http://[::1/")
    assert code == 1
    assert out.startswith("invalid URI: U+002F SOLIDUS at 11 is not allowed\n")
    assert "with an error" in out
    assert "missing" in out or "not allowed" in out
    assert '    in IP-literal:  "]"\n' in out
    assert "\n  http://[::1/\n" in out


def test_a_text_that_ends_too_early_where_the_terminal_has_ascii_alone() -> None:
    code, out, _ = run("", "-r", "segment-nz", PYTHONIOENCODING="ascii")
    assert code == 1
    assert out.startswith("invalid segment-nz: it ends too early\n")
    assert "in segment-nz:  pchar" in out
    _, out, _ = run("a/b", "-r", "path", PYTHONIOENCODING="ascii")
    assert "\n  [-]  path " in out


def test_json() -> None:
    code, out, _ = run("http://a b", "--format", "json")
    found = json.loads(out)
    assert code == 1
    assert (found["ok"], found["viable"], found["derivations"]) == (False, 8, 0)
    assert [n["name"] for n in found["nodes"] if n["depth"] == 1] == ["scheme", '":"', "hier-part"]
    assert [v["start"] for v in found["violations"]] == [8]
    assert {"production": "reg-name", "expected": "pct-encoded"}.items() <= next(
        f for f in found["following"] if f["expected"] == "pct-encoded"
    ).items()


def test_a_grammar_that_is_not_regular(tmp_path: Path) -> None:
    file = tmp_path / "sum.abnf"
    file.write_text('e = e "+" e / n\nn = "(" e ")" / 1*DIGIT\n')
    code, out, _ = run("-g", str(file), "1+(2)+3")
    assert code == 0
    assert "derived in 2 ways" in out
    assert 'e "+" e in e fits in 2 ways' in out
    code, out, _ = run("-g", str(file), "1+(2")
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
