"""Notebooks: what reports and derivations draw, and the example, whose outputs are real."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriproof import Report, check
from uriproof.grammars import explain
from uriproof.text.palette import COLORS

pytestmark = pytest.mark.prove

html5lib = pytest.importorskip("html5lib")

ROOT = Path(__file__).parent.parent.parent
ALLOWED = """
    html head title body div style p b span mark sup br table caption tbody tr th td code
    svg desc g path text rect
"""
CELLS = json.loads((ROOT / "examples" / "lesson.ipynb").read_text("utf-8"))["cells"]


def html(shown: Any) -> str:
    made: str = shown._repr_html_()
    return made


def parsed(page: str) -> Any:
    start = "<!DOCTYPE html><html><head><title>x</title></head><body>"
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(f"{start}{page}</body></html>")


def words(page: str) -> str:
    return "".join(parsed(re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)).itertext())


def test_a_report_shows_what_is_blamed_by_number_wave_and_words() -> None:
    report = check("http://exa mple.com:8o80/a?b=[#c#d")
    page = html(report)
    root = parsed(page)
    marks = ["".join(e.itertext()) for e in root.iter("mark")]
    assert marks == ["\u2423", "o", "[", "#"]
    assert ["".join(e.itertext()) for e in root.iter("sup")] == ["1", "2", "3", "4"]
    assert "underline wavy" in page
    shown = words(page)
    for violation in report.violations:
        for fact in (violation.message, violation.production, violation.section):
            assert fact in shown
        assert violation.fix is None or violation.fix.replacement in shown


def test_what_is_missing_a_valid_text_and_advice() -> None:
    root = parsed(html(check("http://[::1")))
    assert ["".join(e.itertext()) for e in root.iter("mark")] == ["+"]
    page = html(check("http://example.com/?q=1"))
    assert "valid URI" in words(page)
    assert "<table" not in page
    assert "Fixed:" in html(check("a:b c"))
    report = check("http://1.2.3.256/")
    assert report.advice[0].message in words(html(report))


@pytest.mark.parametrize(
    "text", ["http://me:hushhush@h/", "http://me:hush hush@h/a b", "http://me:hush/hush@h:x/"]
)
def test_passwords_are_masked(text: str) -> None:
    report = check(text)
    assert "hush" not in str(report)
    assert "hush" not in html(report)
    assert "hush" not in html(explain(text))
    assert "hush" not in repr(explain(text))


@given(st.text(alphabet="<>&\"'a:/[% \u202e\ud800\n#?", max_size=24))
def test_everything_is_escaped(text: str) -> None:
    for shown in (check(text), explain(text)):
        page = html(shown)
        page.encode()  # no lone surrogate is left
        found = {e.tag.rpartition("}")[2] for e in parsed(page).iter() if isinstance(e.tag, str)}
        assert found <= {*ALLOWED.split()}
        assert "\n#" not in page.replace("\n#}", "")


def test_what_is_made_is_bounded() -> None:
    long: Report = check("http://e.com/" + "a b" * 20_000)
    assert len(html(long)) < 60_000
    assert "more characters" in html(long)
    assert "more" in words(html(long))
    assert len(html(explain("http://e.com/" + "a/" * 2_000))) < 120_000


def test_light_dark_and_the_themes_of_notebooks() -> None:
    for page in (html(check("a:b")), html(explain("a:b"))):
        assert "prefers-color-scheme:dark" in page
        assert '[data-jp-theme-light="false"] .uriproof' in page
        assert '[data-jp-theme-light="true"] .uriproof' in page
        for light, dark in COLORS.values():
            assert light in page
            assert dark in page
        assert "<script" not in page
        assert "http" not in re.sub(r'xmlns="[^"]*"', "", page).partition("</style>")[0]


def _luminance(color: str) -> float:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_contrast() -> None:
    """WCAG 2.2, 1.4.3: at least 4.5 to 1 for text, light and dark."""
    inks = [name for name in COLORS if name not in ("paper", "raised", "line", "wash")]
    for ink, ground in [*((ink, "paper") for ink in inks), ("blame", "wash")]:
        for one, other in zip(COLORS[ink], COLORS[ground], strict=True):
            dark, bright = sorted((_luminance(one), _luminance(other)))
            assert (bright + 0.05) / (dark + 0.05) >= 4.5, ink


def test_an_ambiguity_is_told_in_words() -> None:
    assert "host can be IPv4address or reg-name; IPv4address is meant" in words(
        html(explain("http://1.2.3.4/"))
    )
    assert escape("U+0020 SPACE at 8 is not allowed") in html(explain("http://a b/"))


# The example


def test_the_example_runs_in_a_kernel() -> None:
    """It has the outputs that a kernel gives, of every kind."""
    made = [output for cell in CELLS for output in cell.get("outputs", ())]
    assert sum("text/html" in output.get("data", {}) for output in made) >= 6
    assert {output["output_type"] for output in made} >= {"stream"}
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    tool = ROOT / "tools" / "build_notebook.py"
    run = subprocess.run(
        [sys.executable, str(tool), "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
