"""Standard streams of other systems: a console of Windows, a pipe that is closed, a terminal."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import uriproof.cli
from uriproof.cli import CLOSED, _output, main

ROOT = Path(__file__).parent.parent


Run = Callable[..., tuple[int, bytes]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """A command, with standard output as Windows has it in a file: cp1252, with CRLF."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_ACTIONS", "GITLAB_CI", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str) -> tuple[int, bytes]:
        out = io.BytesIO()
        stream = io.TextIOWrapper(out, "cp1252", newline="\r\n")
        monkeypatch.setattr(sys, "stdout", stream)
        code = main(arguments)
        stream.flush()
        return code, out.getvalue()

    return call


@pytest.mark.parametrize("form", ["junit", "checkstyle", "markdown", "github", "azure", "pylint"])
def test_what_programs_read_is_utf_8(run: Run, form: str) -> None:
    Path("中.urls").write_text("http://h/中|b\n", "utf-8")
    code, out = run("lint", "--isolated", "--no-cache", "--format", form)
    assert code == 1
    assert "中.urls".encode() in out
    assert b"\r" not in out
    if out.startswith(b"<?xml"):
        assert b'encoding="UTF-8"' in out
        ElementTree.fromstring(out)  # noqa: S314 -- our own


def test_people_hear_of_what_could_not_be_shown(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("é中中.urls").write_text("http://h/|b\n", "utf-8")
    _, out = run("lint", "--isolated", "--no-cache", "--format", "concise")
    assert out.startswith(b"\xe9\\u4e2d\\u4e2d.urls:1:")
    assert b"\r\n" in out
    assert "2 characters are shown as escapes" in capsys.readouterr().err
    Path("é中中.urls").rename("é.urls")
    _, out = run("lint", "--isolated", "--no-cache", "--format", "concise")
    assert out.startswith(b"\xe9.urls:1:")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("number", "windows", "code"),
    [(errno.EPIPE, False, CLOSED), (errno.EINVAL, True, CLOSED), (errno.EINVAL, False, 2)],
)
def test_a_pipe_that_is_closed(
    monkeypatch: pytest.MonkeyPatch, number: int, windows: bool, code: int
) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr(uriproof.cli, "_WINDOWS", windows)
    monkeypatch.setattr(sys, "stdout", Closed())
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert main(["check", "http://h/"]) == code


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "option", "color"),
    [
        ({}, "auto", True),
        ({"FORCE_COLOR": "0"}, "auto", False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, "auto", True),
        ({"TERM": "dumb"}, "auto", False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, "auto", False),
        ({"NO_COLOR": "1"}, "always", True),
        ({"FORCE_COLOR": "1"}, "never", False),
    ],
)
def test_color_is_as_the_option_and_the_variables_have_it(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], option: str, color: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert _output.style(Terminal(), None, option).color is color


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone")
def test_a_clone_has_lf_whatever_git_is_set_to(tmp_path: Path) -> None:
    """Scripts, corpora and generated files: with core.autocrlf, Windows would have CRLF."""
    files = [".ci/run", "Makefile", "tests/corpus/articles.toml"]
    settings = ("-c", "core.autocrlf=true", "-c", "core.eol=crlf")
    command = ["git", *settings, "checkout-index", f"--prefix={tmp_path}/", "--", *files]
    subprocess.run(command, cwd=ROOT, check=True)
    assert [name for name in files if b"\r" in (tmp_path / name).read_bytes()] == []
