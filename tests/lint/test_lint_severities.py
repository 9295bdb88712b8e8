"""Severities, fail-on, and which fixes are offered: by configuration and by option."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from commands import Result, Run

from uriproof.diagnostic import Diagnostic
from uriproof.lint.config.select import strongest
from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine

pytestmark = pytest.mark.prove

GRADES = ("note", "warning", "error")
TEXT = '<a href="ftp://a/b c"> <a href="http://h|i/">\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one file, in which there is a violation of a path and one of a host."""
    monkeypatch.chdir(tmp_path)
    Path("a.html").write_text(TEXT)
    return tmp_path


def settings(text: str) -> None:
    Path("uriproof.toml").write_text(text)


Lint = Callable[..., Result]


@pytest.fixture
def lint(run: Run) -> Lint:
    return partial(run, "lint", "--format", "json")


def test_the_longest_selector_decides() -> None:
    chosen = {"all": 1, "violations": 2, "path": 3, "path-illegal": 4}
    codes = ["path-illegal", "path-missing", "host-illegal"]
    assert [strongest(chosen, code, "violations") for code in codes] == [4, 3, 2]
    assert strongest(chosen, "dot-segments", "advice") == 1
    assert strongest({}, "path-illegal", "violations") is None


def test_severities_and_the_exit_code(lint: Lint) -> None:
    settings('[severity]\npath-illegal = "warning"\nviolations = "note"\n')
    code, out, _ = lint()
    found = {one["code"]: one["severity"] for one in json.loads(out)}
    assert (code, found) == (1, {"path-illegal": "warning", "host-illegal": "note"})


@pytest.mark.parametrize("severity", GRADES)
@pytest.mark.parametrize("fail_on", GRADES)
def test_what_fails(lint: Lint, severity: str, fail_on: str) -> None:
    settings(f'fail-on = "{fail_on}"\n[severity]\nall = "{severity}"\n')
    fails = int(GRADES.index(severity) >= GRADES.index(fail_on))
    assert (lint()[0], lint("--fail-on", severity)[0]) == (fails, 1)


def edits(out: str) -> dict[str, bool]:
    return {one["code"]: bool(one["edits"]) for one in json.loads(out)}


@pytest.mark.parametrize(
    ("given", "fixed"),
    [
        ("", True),
        ('unfixable = ["path"]', False),
        ('fixable = ["query"]', False),
        ('fixable = ["path-illegal"]\nunfixable = ["path"]', True),
    ],
)
def test_which_fixes_are_offered_and_made(lint: Lint, given: str, fixed: bool) -> None:
    settings(given)
    assert edits(lint()[1])["path-illegal"] is fixed
    lint("--fix", "--unsafe-fixes")
    assert (Path("a.html").read_text() == TEXT) is not fixed


def test_by_option(lint: Lint) -> None:
    assert not edits(lint("--unfixable", "path,host")[1])["path-illegal"]
    assert edits(lint("--fixable", "path")[1])["path-illegal"]
    code, _, err = lint("--fixable", "pth")
    assert (code, "--fixable: no code begins with 'pth'" in err) == (2, True)


def test_verbose_names_the_configuration_and_what_is_skipped(lint: Lint) -> None:
    settings('extend-exclude = ["old"]\n')
    Path("old").mkdir()
    Path("old/b.html").write_text(TEXT)
    Path("c.bin").write_bytes(b"\0")
    err = lint("--verbose")[2].splitlines()
    assert "uriproof: a.html: settings of uriproof.toml" in err
    assert 'uriproof: old: skipped: excluded by "old" of uriproof.toml' in err
    assert any(line.startswith("uriproof: c.bin: binary") for line in err)
    assert "uriproof: a.html: default settings" in lint("--verbose", "--isolated")[2]
    assert "skipped: not included" in lint("--verbose", "--include", "*.md")[2]


MENTIONED = {
    "a.md": "see http://h/a%zz\n",
    "b.txt": "see <http://h/a b>, ftp://me:hunter2@real.host/ and http://:80/\n",
    "c.py": 'x = "http://h/a b"\n# http://h/%zz or http://h/?a=1&amp;b=2\n',
    "d.html": "<p>http://h/%zz</p>\n",
}
SLIPS = ("htps://h/", "http://https://h/", "http://::1/", "http://h/#a#b", "ttp://h/a%zz")


@pytest.mark.parametrize("name", MENTIONED)
def test_what_is_only_mentioned_has_notes(name: str) -> None:
    assert {one.severity for one in in_file(name, MENTIONED[name])} == {"note"}
    ends = name.partition(".")[2]
    for url in SLIPS:
        quoted = f'"{url}"' if ends == "py" else url
        assert {one.severity for one in in_file(name, quoted)} <= {"error", "warning"}, url


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "[x](<http://h/a b>)"),
        ("a.html", '<a href="http://h/a b">'),
        ("a.html", '<a href="a\\.b">'),
        ("a.yml", "x: http://h/%zz"),
        ("a.json", '{"x": "ftp://me:hunter2@real.host/"}'),
        ("a.urls", "http://h/a<b"),
    ],
)
def test_what_software_follows_fails(name: str, text: str) -> None:
    assert {one.severity for one in in_file(name, text)} <= {"error", "warning"}


def in_file(name: str, text: str) -> list[Diagnostic]:
    """The diagnostics of a file; there are some."""
    found = list(Engine(Settings()).lint(name, text.encode()).diagnostics)
    assert found
    return found
