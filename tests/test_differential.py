"""The differential report: known departures of made-up tools come out in their classes.

Owns the checks of benchmarks/differential; imports it and uriproof. Invariant: no installed tool
but the standard library's is asked, so that nothing here depends on what else is installed.
"""

from __future__ import annotations

import doctest
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError
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
TINY = texts.Sizes(every=8, neighbours=1, walks=50, short=1, met=10)
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


def test_the_texts_are_those_of_the_seed_and_none_comes_twice() -> None:
    assert GATHER.__wrapped__("URI", SEED, TINY) == POOL
    assert texts.gather("URI", SEED + 1, TINY) != POOL
    assert len(TEXTS) == len(set(TEXTS))
    verdicts = [uriproof.is_valid(text) for text in TEXTS]
    assert min(verdicts.count(True), verdicts.count(False)) > len(TEXTS) / 5


def test_fewer_texts_come_from_every_source() -> None:
    some = texts.fewer(POOL, 100, SEED)
    assert sum(map(len, some.values())) == 100
    assert all(bool(some[name]) == bool(POOL[name]) for name in POOL)
    assert all(set(some[name]) <= set(POOL[name]) for name in POOL)
    assert max(map(len, chain.from_iterable(some.values()))) <= texts.SLOW_LONGEST


def test_a_tool_that_is_right_departs_nowhere() -> None:
    result = judged(uriproof.is_valid)
    assert result.texts == len(TEXTS)
    assert not result.wrong
    assert not result.accepted_classes + result.refused_classes
    assert not result.raised


def test_a_line_feed_forgiven_at_the_end() -> None:
    result = judged(lambda text: uriproof.is_valid(text.removesuffix("\n")))
    assert not result.refused
    assert all(text.endswith("\n") for text in result.accepted)
    found = classes(result.accepted_classes)
    assert found[frozenset({"path-illegal (segment-nz)"})] == ["a:\n"]
    assert found[frozenset({"host-illegal (reg-name)"})] == ["a://\n"]
    assert {d.characters and d.characters[1] for d in result.accepted_classes} == {("\n",)}


def test_a_bad_escape_taken_for_a_character() -> None:
    result = judged(lambda text: uriproof.is_valid(re.sub("%(?![0-9A-Fa-f]{2})", "a", text)))
    assert not result.refused
    found = classes(result.accepted_classes)
    where = ("path", "query", "fragment", "host", "userinfo")
    assert {frozenset({f"{c}-bad-escape (pct-encoded)"}) for c in where} <= set(found)
    assert found[frozenset({"path-bad-escape (pct-encoded)"})] == ["a:%"]
    assert found[frozenset({"userinfo-bad-escape (pct-encoded)"})] == ["a://%@"]


def test_a_missing_scheme_forgiven() -> None:
    result = judged(lambda text: uriproof.is_valid(text, "URI-reference"))
    assert not result.refused
    found = classes(result.accepted_classes)
    assert found[frozenset({"scheme-missing (scheme)"})] == [""]


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


def test_what_is_raised_and_is_no_refusal_is_told() -> None:
    def call(text: str) -> object:
        if "[" in text:
            raise ZeroDivisionError
        return uriproof.is_valid(text)

    result = judged(call)
    assert result.raised == {"ZeroDivisionError": (sum("[" in t for t in TEXTS), "[")}
    assert {frozenset({"IPv6address"})} < set(classes(result.refused_classes))


def test_only_so_many_are_shrunk_for_a_slow_tool() -> None:
    witness = judge.Witness(lambda text: "?" not in text and uriproof.is_valid(text))
    result = judge.judge(witness, judge.Truth("URI"), TEXTS, most=1)
    assert 0 < result.explained < len(result.refused)
    row = show.Row(peers.Peer("made-up", "1", "f(text)", "", "URI", len), result, 0, 0)
    left = len(result.refused) - result.explained
    assert any(f"{left:,} of the texts" in line for line in list(show.sheets([row]))[1].words)


@pytest.mark.prove
def test_the_standard_library() -> None:
    found, missing = peers.load(["urllib"])
    assert not missing
    rows = command.compare(found, SEED, quick=True)
    assert [row.peer.rule for row in rows] == ["URI", "URI-reference"]
    for row in rows:
        result, truth = row.judgement, judge.Truth(row.peer.rule)
        witness = judge.Witness(row.peer.call, row.peer.refusals)
        for departures in result.accepted_classes + result.refused_classes:
            for text in departures.examples:
                assert witness.accepts(text) != truth.accepts(text)
                assert departures.texts > 0
        for departures in result.accepted_classes:
            text = departures.examples[0]
            shorter = {text[:i] + text[i + 1 :] for i in range(len(text))}
            assert truth.class_of(text) == departures.class_
            assert not any(
                truth.class_of(t) == departures.class_ and witness.accepts(t) for t in shorter
            )
    found_in = classes(rows[0].judgement.accepted_classes)
    assert found_in[frozenset({"path-bad-escape (pct-encoded)"})] == ["a:%"]


def test_a_peer_that_is_not_installed_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(peers, "version", absent)
    found, missing = peers.load()
    assert {peer.name for peer in found} == {"urllib"}
    assert [*missing, "urllib"] == list(peers.NAMES)


@pytest.mark.prove
def test_validators_of_iris_are_asked_about_ascii_alone() -> None:
    asked: list[str] = []
    peer = peers.Peer("made-up", "1", "f(text)", peers.IRI, "URI", asked.append)
    command.compare([peer], SEED, quick=True)
    command.compare([replace(peer, slow=True)], SEED, quick=True)
    assert asked
    assert all(text.isascii() for text in asked)


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


@pytest.mark.prove
def test_the_console_shows_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--quick", "--peer", "urllib"]) == 0
    shown = capsys.readouterr().out
    assert "Verdicts beside the grammar's" in shown
    assert "urlsplit(text).scheme != ''" in shown
    assert '"a:%"' in shown


def test_texts_stay_texts_in_a_table() -> None:
    sheet = show.Sheet("t", (), ("h",), ((show.Cell("w", ("a|b", "`", "\n", " ", '"')),),))
    *_, row, _ = show.to_markdown([sheet]).split("\n")
    assert row == '| w `"a\\|b"` ``"`"`` `"\\n"` `" "` `\'"\'` |'


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
