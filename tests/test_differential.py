"""The differential report: known departures of made-up tools come out in their classes.

Owns the checks of benchmarks/differential; imports it and uriproof. Invariant: no installed tool
but the standard library's is asked, so that nothing here depends on what else is installed.
"""

from __future__ import annotations

import doctest
import re
import sys
from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

import uriproof

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.differential import __main__ as command  # noqa: E402 -- after the path is set
from benchmarks.differential import judge, peers, show, texts  # noqa: E402

SEED = 1
TINY = texts.Sizes(every=8, neighbors=1, walks=50, short=1, met=10)
GATHER = cache(texts.gather)
POOL = GATHER("URI", SEED, TINY)
TEXTS = list(chain.from_iterable(POOL.values()))
DOCUMENT = ROOT / "docs" / "evidence" / "differential.md"


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer texts yet than --quick has, and gathered once."""
    monkeypatch.setattr(texts, "QUICK", TINY)
    monkeypatch.setattr(texts, "gather", GATHER)


def judged(call: Callable[[str], object]) -> judge.Judgement:
    """What comes of a made-up tool that says no by raising LookupError."""
    return judge.judge(judge.Witness(call, (LookupError,)), judge.Truth("URI"), TEXTS)


def classes(found: list[judge.Departures]) -> dict[frozenset[str], list[str]]:
    return {departures.class_: departures.examples for departures in found}


@pytest.mark.parametrize("module", [judge, show])
def test_doctests(module: object) -> None:
    found = doctest.testmod(module)  # type: ignore[arg-type]
    assert found.attempted > 0
    assert found.failed == 0


def test_a_tool_that_is_right_departs_nowhere() -> None:
    result = judged(uriproof.is_valid)
    assert result.texts == len(TEXTS)
    assert not result.wrong
    assert not result.accepted_classes + result.refused_classes
    assert not result.raised


def test_a_bad_escape_taken_for_a_character() -> None:
    result = judged(lambda text: uriproof.is_valid(re.sub("%(?![0-9A-Fa-f]{2})", "a", text)))
    assert not result.refused
    found = classes(result.accepted_classes)
    where = ("path", "query", "fragment", "host", "userinfo")
    assert {frozenset({f"{c}-bad-escape (pct-encoded)"}) for c in where} <= set(found)
    assert found[frozenset({"path-bad-escape (pct-encoded)"})] == ["a:%"]
    assert found[frozenset({"userinfo-bad-escape (pct-encoded)"})] == ["a://%@"]


def test_valid_texts_refused_are_classed_by_what_they_are_made_of() -> None:
    def call(text: str) -> object:
        if re.match(r"\w+://(@|.*\[v)", text):
            raise LookupError(text)
        return uriproof.is_valid(text)

    result = judged(call)
    assert not result.accepted
    found = classes(result.refused_classes)
    assert found[frozenset({"empty userinfo", "empty host"})] == ["a://@"]
    assert found[frozenset({"IPvFuture"})] == ["a://[va.a]"]
    assert len(found) == 2
    assert result.explained == len(result.refused) == sum(d.texts for d in result.refused_classes)


@pytest.mark.prove
def test_the_tables_are_written_between_the_marks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "page.md"
    file.write_text(f"before\n{show.BEGIN}\nold\n{show.END}\nafter\n", "utf-8")
    asked = ["--quick", "--peer", "urllib", "--markdown", str(file)]
    assert command.main(asked) == 0
    once = file.read_text("utf-8")
    assert once.startswith(f"before\n{show.BEGIN}\n")
    assert once.endswith(f"{show.END}\nafter\n")
    assert "old" not in once
    assert "| accepts | path-bad-escape (pct-encoded) | " in once
    assert command.main(asked) == 0
    assert file.read_text("utf-8") == once
    assert "is_valid and the automaton agree" in capsys.readouterr().out
    file.write_text("no marks", "utf-8")
    with pytest.raises(ValueError, match="lacks"):
        show.write(file, "")
    assert file.read_text("utf-8") == "no marks"


def test_the_summary_is_written_into_the_readme(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_text(f"{show.BEGIN}\n{show.END}\n", "utf-8")
    assert command.main(["--quick", "--peer", "urllib", "--readme", str(file)]) == 0
    table = file.read_text("utf-8")
    assert "| `http://e.com/a b` | invalid | valid ✗ |" in table
    assert 'path "%" at 28 | nothing: it accepts it |' in table


def test_the_readme_has_the_figures_of_the_page() -> None:
    page, readme = (f.read_text("utf-8") for f in (DOCUMENT, ROOT / "README.md"))
    heads = re.findall(r"^\|  \| uriproof \| (.*) \|$", readme, re.MULTILINE)[0].split(" | ")
    counts = re.findall(r"^\| wrong verdicts .*? \| 0 \| (.*) \|$", readme, re.MULTILINE)[0]
    for head, wrong in zip(heads, counts.split(" | "), strict=True):
        name, _, version = head.partition(" ")
        row = re.findall(rf"^\| {name} \| {version} \| URI \| (.*) \|$", page, re.MULTILINE)[0]
        asked, agrees, *_ = (int(n.replace(",", "")) for n in row.split(" | ")[:2])
        assert asked - agrees == int(wrong.replace(",", ""))


def test_the_run_stops_where_the_verdict_and_the_automaton_differ(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(uriproof, "is_valid", lambda text, rule: text != "A:")
    assert command.main(["--quick", "--peer", "urllib"]) == 1
    assert "automaton says" in capsys.readouterr().out


def test_the_page_names_its_command_and_every_peer() -> None:
    page = DOCUMENT.read_text("utf-8")
    assert "python -m benchmarks.differential --markdown docs/evidence/differential.md" in page
    assert page.index(show.BEGIN) < page.index(show.END)
    for name in peers.NAMES:
        assert f"\n| {name} | " in page
