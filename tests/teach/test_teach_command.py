"""``uriproof teach``: where it starts, on which port, and what it says of a lesson.

Owns the command's options; the server is tried in test_serve.py, the page in page/. Imports the
command line. Invariant: no browser is opened.
"""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path

import pytest

from uriproof.cli import main
from uriproof.cli import teach as command
from uriproof.teach.serve import Server

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a browser with windows was led to; the server ends at once, as by Ctrl-C."""
    addresses: list[str] = []
    before = set(threading.enumerate())

    def note(url: str) -> bool:
        addresses.append(url)
        return True

    def serve(server: Server) -> None:
        for opener in set(threading.enumerate()) - before:
            opener.join(120)
        raise KeyboardInterrupt

    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.BackgroundBrowser("none"))
    monkeypatch.setattr(webbrowser, "open", note)
    monkeypatch.setattr(Server, "serve_forever", serve)
    return addresses


def test_it_opens_the_page(opened: list[str], capsys: Captured) -> None:
    assert main(["teach", "--port", "0"]) == 0
    out = capsys.readouterr().out
    (url,) = opened
    assert url.startswith("http://127.0.0.1:")
    assert out == f"The page is at {url}\nStop it with Ctrl-C.\n\n"


def test_a_browser_of_the_terminal_is_not_started(
    opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["teach", "--port", "0", "--no-browser"]) == 0
    monkeypatch.delenv("BROWSER", raising=False)
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("lynx"))
    assert main(["teach", "--port", "0"]) == 0
    assert opened == []


def test_where_it_starts(opened: list[str], tmp_path: Path) -> None:
    (tmp_path / "my own.toml").write_text("")
    (tmp_path / "own.abnf").write_text('a = "x" / "&#"\n', "utf-8")
    own = "a%20%3D%20%22x%22%20%2F%20%22%26%23%22%0A"
    for arguments, place in (
        (["--lesson", "3"], "#/lesson/3"),
        ([str(tmp_path / "my own.toml")], "#/lesson?source=given%2Fmy%20own.toml"),
        ([str(tmp_path / "own.abnf")], f"#/play?v=1&abnf={own}"),
    ):
        assert main(["teach", "--port", "0", *arguments]) == 0
        assert opened.pop().partition("/#")[2] == place[1:]


def test_a_port_that_is_taken(
    opened: list[str], capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server(0) as other:
        assert main(["teach", "--port", str(other.port)]) == 2
        assert f"port {other.port} cannot be used" in capsys.readouterr().err
        monkeypatch.setattr(command, "PORT", other.port)
        assert main(["teach", "--no-browser"]) == 0
    assert f":{other.port}/" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.toml"], "file none.toml does not exist"),
        (["--check"], "--check needs the FILE of a lesson"),
        (["--lesson", "-1"], "-1 is not in the range"),
        (["--lesson", "99"], "99 is not in 0 to 18"),
    ],
)
def test_invalid_usage(arguments: list[str], words: str, capsys: Captured) -> None:
    assert main(["teach", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_lessons_are_checked(tmp_path: Path, capsys: Captured) -> None:
    good = next(Path(command.__file__).parent.parent.glob("teach/lessons/01*.toml"))
    bad = tmp_path / "bad.toml"
    bad.write_text("id = 1\n")
    assert main(["teach", "--check", str(good)]) == 0
    assert capsys.readouterr().out == f"{good}: no mistakes\n"
    assert main(["teach", "--check", str(good), str(bad)]) == 1
    assert f"{bad}: line 1: exercise is missing" in capsys.readouterr().out
    bad.write_bytes(b"\xff")
    assert main(["teach", "--check", str(bad)]) == 2
    assert "not UTF-8 at byte 0" in capsys.readouterr().err
