"""The labeled corpus: how much of what the linter says is true, and how much it says.

Owns the bounds; imports tests/precision. Invariant: the bounds are those of the project's goals,
for the whole and, for what is said, for each format.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from precision import CORPUS, Score, cases, measure, trees

pytestmark = pytest.mark.prove

FOLDERS = sorted(path.parent for path in CORPUS.glob("*/labels.toml"))
LEAST = 0.95


@cache
def _score(folder: Path) -> Score:
    return measure(folder)


def test_nearly_all_that_is_said_is_true_and_that_is_true_is_said() -> None:
    whole = sum(map(_score, FOLDERS), Score())
    assert min(whole.precision, whole.recall) >= LEAST, "\n".join(whole.wrong)


def test_as_uris_all_that_is_labeled_is_said() -> None:
    whole = sum((measure(folder, "uri") for folder in FOLDERS), Score())
    assert min(whole.precision, whole.recall) >= LEAST, "\n".join(whole.wrong)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_each_format_says_what_is_true(folder: Path) -> None:
    score = _score(folder)
    assert score.precision >= LEAST, "\n".join(score.wrong)


def test_every_file_of_the_corpus_has_labels() -> None:
    for folder in FOLDERS:
        files = {path for path in folder.iterdir() if path.name != "labels.toml"}
        assert files == set(cases(folder))


def test_what_is_said_beside_the_labels_is_false(tmp_path: Path) -> None:
    links = "".join(f"[x](http://example.org/{path}) " for path in ("a<b", "c<d", "e<f"))
    page = f"{links} and http://example.org/g<h, which is only mentioned\n"
    (tmp_path / "a.md").write_text(page, encoding="utf-8")
    said = 'text = "http://example.org/a⟦<⟧b"\ncodes = ["path-illegal"]'
    near = 'text = "http://example.org/c<d"'
    both = "".join(f'[[case]]\nfile = "a.md"\nline = 1\n{one}\nwhy = "x"\n' for one in (said, near))
    (tmp_path / "labels.toml").write_text(both, encoding="utf-8")
    score = measure(tmp_path)
    assert (score.near, score.expected, score.said, score.true) == (1, 1, 3, 1)
    assert (score.precision, score.recall) == (1 / 3, 1.0)
    assert [line.split(" (")[0].split("/")[1] for line in score.wrong] == [
        "a.md:1 path-illegal '<'",
        "a.md:1 path-illegal '<'",
    ]
    assert "no label is there" in score.wrong[1]


def test_trees_are_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "trees.toml"
    row = '"{}" = {{commit = "0", urls = [1, 0, 1, 0]}}\n'
    table.write_text("[one]\n" + row.format("a/b") + row.format("c/d"))
    monkeypatch.setattr(trees, "TABLE", table)
    (tmp_path / "a+b").mkdir()
    page = tmp_path / "a+b" / "a.md"
    page.write_text("[a](http://a/b c) [b](http://a/b c) [c](http://a/%zz)")
    assert trees.main(tmp_path) == 0
    page.write_text("[a](http://a/b c)")
    assert trees.main(tmp_path) == 1
    assert "a/b: 2 then, 1 now" in capsys.readouterr().out
    assert trees.main(tmp_path / "a+b") == 1, "no tree is there"


def test_the_table_of_trees_is_whole() -> None:
    known = list(trees.trees())
    assert len({tree.name for tree in known}) == len(known) > 0
    assert all(len(tree.commit) == 40 and tree.false <= tree.said for tree in known)
