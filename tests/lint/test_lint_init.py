"""A first configuration: where it goes, what it proposes, and what it never changes."""

from __future__ import annotations

import re
import tomllib
from functools import partial
from pathlib import Path

import pytest
from commands import Run

from uriproof.cli import main
from uriproof.lint.config.propose import excludes, text
from uriproof.lint.config.read import load


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Run:
    monkeypatch.chdir(tmp_path)
    return partial(run, "init")


def put(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("x\n")


def test_what_is_proposed() -> None:
    paths = [f"a{n}/fixtures/x.md" for n in range(4)] + ["b/vendor/x/vendor/y.md", "b/vendor/z"]
    paths += ["web/app.min.js", "src/vendor.py", "dist.md", "fixtures"]
    found = {(one.pattern, one.files) for one in excludes(paths)}
    assert found == {("b/vendor/", 2), ("*.min.js", 1)}
    # Of these folders, only what is copied and built.
    paths = ["dist/release.txt", "docs/external/a.md", "docs/third-party/a.md", "a/coverage/b.md"]
    assert excludes(paths) == []
    assert excludes([*paths, "dist/app.js", "a/external/x.css"])[0].pattern == "a/external/"


def _uncommented(written: str) -> str:
    """With the settings that are proposed in comments."""
    return re.sub(r'(?m)^# (?=\[|"|[a-z-]+ = )', "", written)


def test_it_is_read_without_problems(tmp_path: Path) -> None:
    names = ["vendor/x", "a[b]{c}/*?/vendor/x", 'q"\\/dist/x', "a.min.css"]
    found = excludes(names)
    for name, table in ("uriproof.toml", ""), ("pyproject.toml", "tool.uriproof"):
        file = tmp_path / name
        for written in text(found, table), text([], table), _uncommented(text([], table)):
            file.write_text(written, "utf-8")
            settings, problems = load(str(file))
            assert problems == (), written
            assert settings is not None


def test_a_file_of_its_own(run: Run) -> None:
    put("vendor/a.md", "b.md")
    result = run()
    assert result == (
        0,
        (
            "Wrote uriproof.toml for 2 files.\n"
            "  excluded: vendor/ (third-party code)\n"
            "Next: uriproof lint\n"
        ),
        "",
    )
    assert tomllib.loads(Path("uriproof.toml").read_text()) == {"extend-exclude": ["vendor/"]}
    assert not Path("uriproof-baseline.json").exists()  # nothing is to be hidden
    before = Path("uriproof.toml").read_bytes()
    assert run().code == 2
    assert "already" in run("--standalone").err
    assert Path("uriproof.toml").read_bytes() == before


@pytest.mark.parametrize(
    ("before", "between"),
    [("", ""), ("[project]", "\n\n"), ("[project]\n", "\n"), ("[project]\r\n", "\r\n")],
)
def test_a_table_of_pyproject(run: Run, before: str, between: str) -> None:
    Path("pyproject.toml").write_bytes(before.encode())
    assert run(".").out.endswith("Next: uriproof lint .\n")
    after = Path("pyproject.toml").read_bytes().decode()
    assert after.startswith(f"{before}{between}[tool.uriproof]")
    assert ("\n" in after.replace("\r\n", "")) is ("\r" not in before)
    assert load("pyproject.toml")[1] == ()
    assert run().code == 2
    assert Path("pyproject.toml").read_bytes().decode() == after


def test_beside_a_pyproject(run: Run) -> None:
    put("sub/pyproject.toml")
    Path("sub/pyproject.toml").write_text("[project]\n")
    assert run("sub", "--standalone").code == 0
    assert Path("sub/uriproof.toml").is_file()
    assert Path("sub/pyproject.toml").read_text() == "[project]\n"
    assert "folder none does not exist" in run("none").err


@pytest.mark.parametrize("text_", ["[project\n", "tool = {}\n", "tool.uriproof.ignore = []\n"])
def test_a_pyproject_that_cannot_take_it(run: Run, text_: str) -> None:
    Path("pyproject.toml").write_text(text_)
    result = run()
    assert result.code == 2
    assert "pyproject.toml" in result.err
    assert Path("pyproject.toml").read_text() == text_


def test_what_is_there_does_not_fail_what_is_new_does(run: Run) -> None:
    Path("a.urls").write_text("http://h/?a[]=1\nhtps://h/a\n")
    put("tests/b.urls", "vendor/c.urls")
    Path("tests/b.urls").write_text("http://h/c d\n")
    out = run().out
    assert "  hidden: 1 warning (uriproof-baseline.json)\n" in out
    assert out.endswith("Next: uriproof lint --no-baseline, to see what is hidden\n")
    assert load("uriproof.toml")[1] == ()
    assert main(["lint", "--no-cache"]) == 0
    assert main(["lint", "--no-cache", "--no-baseline"]) == 1
    Path("c.urls").write_text("http://h/c d\n")
    assert main(["lint", "--no-cache"]) == 1
