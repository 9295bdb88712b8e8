"""Severities, fail-on, and which fixes are offered: by configuration and by option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import Result, Run

from uriproof.cli import main
from uriproof.diagnostic import Diagnostic
from uriproof.lint.config.select import strongest
from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine

pytestmark = pytest.mark.prove

TEXT = '<a href="ftp://a/b c"> <a href="http://h|i/">\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one file, in which there is a violation of a path and one of a host."""
    monkeypatch.chdir(tmp_path)
    Path("a.html").write_text(TEXT)
    return tmp_path


def settings(text: str) -> None:
    Path("uriproof.toml").write_text(text)


@pytest.fixture
def lint(run: Run) -> Run:
    def call(*arguments: str, form: str = "json") -> Result:
        return run("lint", "--format", form, *arguments)

    return call


def severities(out: str) -> dict[str, str]:
    return {one["code"]: one["severity"] for one in json.loads(out)}


def test_the_longest_selector_decides() -> None:
    chosen = {"all": 1, "violations": 2, "path": 3, "path-illegal": 4}
    codes = ["path-illegal", "path-missing", "host-illegal"]
    assert [strongest(chosen, code, "violations") for code in codes] == [4, 3, 2]
    assert strongest(chosen, "dot-segments", "advice") == 1
    assert strongest({}, "path-illegal", "violations") is None


def test_severities_and_the_exit_code(lint: Run) -> None:
    settings('[severity]\npath-illegal = "warning"\nhost = "note"\n')
    code, out, _ = lint()
    assert (code, severities(out)) == (1, {"path-illegal": "warning", "host-illegal": "note"})
    settings('[severity]\npath-illegal = "warning"\nviolations = "note"\n')
    assert severities(lint()[1]) == {"path-illegal": "warning", "host-illegal": "note"}


@pytest.mark.parametrize(
    ("severity", "fail_on", "code"),
    [
        (severity, fail_on, int(grade >= least))
        for grade, severity in enumerate(("note", "warning", "error"))
        for least, fail_on in enumerate(("note", "warning", "error"))
    ],
)
def test_what_fails(lint: Run, severity: str, fail_on: str, code: int) -> None:
    settings(f'[severity]\nall = "{severity}"\n')
    assert lint("--fail-on", fail_on)[0] == code
    settings(f'fail-on = "{fail_on}"\n[severity]\nall = "{severity}"\n')
    assert lint()[0] == code


IN_EACH = {
    "concise": "a.html:1:19: path-illegal {}: ",
    "full": "a.html:1:19: path-illegal {}: ",
    "markdown": "| {}: A space",
    "pylint": "[path-illegal] column 19: {}: ",
    "json": '"severity": "{}"',
    "jsonl": '"severity": "{}"',
    "sarif": '"level": "{}"',
    "github": "::{} ",
    "gitlab": '"severity": "{}"',
    "junit": "{}",
    "checkstyle": 'severity="{}"',
    "rdjson": '"severity": "{}"',
    "azure": "type={};",
}
NAMES = {
    "github": {"note": "notice"},
    "gitlab": {"warning": "minor", "note": "info"},
    "junit": {"warning": 'type="warning"', "note": "<skipped "},
    "checkstyle": {"note": "info"},
    "rdjson": {"warning": "WARNING", "note": "INFO"},
}


@pytest.mark.parametrize("severity", ["warning", "note"])
@pytest.mark.parametrize("form", IN_EACH)
def test_every_format_has_the_severity(lint: Run, form: str, severity: str) -> None:
    settings(f'[severity]\npath = "{severity}"\n')
    out = lint("--select", "path", "--all", form=form)[1]
    if (form, severity) == ("azure", "note"):  # Azure knows errors and warnings alone
        assert "type=" not in out
        assert "path-illegal" in out
        return
    assert IN_EACH[form].format(NAMES.get(form, {}).get(severity, severity)) in out


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
def test_which_fixes_are_offered_and_made(lint: Run, given: str, fixed: bool) -> None:
    settings(given)
    assert edits(lint()[1])["path-illegal"] is fixed
    lint("--fix", "--unsafe-fixes")
    assert (Path("a.html").read_text() == TEXT) is not fixed


def test_by_option(lint: Run) -> None:
    assert not edits(lint("--unfixable", "path,host")[1])["path-illegal"]
    assert edits(lint("--fixable", "path")[1])["path-illegal"]
    code, _, err = lint("--fixable", "pth")
    assert (code, "--fixable: no code begins with 'pth'" in err) == (2, True)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[severity]\npath = "info"\n', 'severity.path: expected "error" or "warning" or "note"'),
        ('[severity]\npth = "note"\n', "severity: no code begins with 'pth'"),
        ('fail-on = "fatal"\n', 'fail-on: expected "error" or "warning" or "note"'),
        ('unfixable = ["pth"]\n', "unfixable: no code begins with 'pth'"),
    ],
)
def test_what_is_wrong_with_them(lint: Run, text: str, problem: str) -> None:
    settings(text)
    code, _, err = lint()
    assert (code, problem in err) == (2, True)


def test_verbose_names_the_configuration_and_what_is_skipped(lint: Run) -> None:
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


@pytest.mark.parametrize(
    ("environment", "option", "colored"),
    [
        ({}, "auto", False),
        ({}, "always", True),
        ({"FORCE_COLOR": "1"}, "auto", True),
        ({"FORCE_COLOR": "1"}, "never", False),
        ({"NO_COLOR": "1"}, "always", True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, "auto", False),
    ],
)
def test_color(
    environment: dict[str, str],
    option: str,
    colored: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in "NO_COLOR", "FORCE_COLOR":
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    calls: list[list[Any]] = [["lint"], ["check", "http://a b/"], ["explain", "path-illegal"]]
    for call in calls:
        main([*call, "--color", option])
        assert ("\x1b[" in capsys.readouterr().out) is colored, call


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
