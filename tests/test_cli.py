"""The command line: arguments and files in, words and exit codes out, never a traceback."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from commands import Run
from tables import file_of, rows
from tiers import quick

GOOD = "http://example.com/"
BAD = "http://example.com/a b"
BAD_HOST = "http://exa mple.com/"


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


def process(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    command: Sequence[str] = [sys.executable, "-m", "uriproof", *arguments]
    return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
        command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, **options
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("line", "code", "shown"), rows("cli", "verdicts"))
def test_a_verdict(run: Run, folder: Path, line: str, code: int, shown: str) -> None:
    (folder / "pairs.abnf").write_text("pairs = *( 2DIGIT )\n")
    result = run("check", *shlex.split(line))
    assert (result.code, result.err) == (code, "")
    assert shown in result.out


# Wrong calls


CALLS = file_of(Path(__file__).with_name("calls.toml"))
ROWS = [(int(code), *row) for code, listed in CALLS.items() for row in listed]
DEAR = ("grammar sample", "grammar compare")  # these make automata before they fail


@pytest.mark.parametrize(
    ("code", "line", "words"), quick(ROWS, among=[r for r in ROWS if not r[1].startswith(DEAR)])
)
def test_a_call_that_fails_says_why(run: Run, code: int, line: str, words: str) -> None:
    result = run(*shlex.split(line))
    assert (result.code, result.out.strip()) == (code, "")
    assert words in result.err
    assert result.err.startswith(("Usage: ", "Error: ")) or code == 1
    assert "Traceback" not in result.err


def test_usage_is_shown_only_for_wrong_usage(run: Run) -> None:
    assert "Usage: " not in run("check", "--rule", "hots", "x").err


@pytest.mark.parametrize(
    ("abnf", "start", "end", "lines"),
    [
        (b'a = "x"\nb = (\n', ":2:5", "^\n", 3),
        (b"a = %xff ; \xff", ": not UTF-8 at byte 11", "\n", 1),
        (b"what is this?\n" * 100, ":1:6: syntax: ", "more errors\n", 37),
    ],
)
def test_errors_in_ones_own_grammar(
    run: Run, folder: Path, abnf: bytes, start: str, end: str, lines: int
) -> None:
    (folder / "own.abnf").write_bytes(abnf)
    result = run("check", "--grammar", "own.abnf", "x")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"Error: own.abnf{start}")
    assert result.err.endswith(end)
    assert result.err.count("\n") == lines


# Lines


@pytest.mark.parametrize(
    "command",
    [["normalize"], ["clean"], ["display"], ["decode"], ["normalize", "--to", "uri"],
     ["normalize", "--to", "iri"], ["resolve", "http://h/"]],
)  # fmt: skip
def test_the_output_has_the_lines_of_the_input(run: Run, command: list[str]) -> None:
    lines = [b"http://a/", b"", b"http://b c/%zz[", b" \t", b"http://c/\xff", b"http://d/"]
    result = run(*command, "-", stdin=b"\n".join(lines) + b"\n")
    answers = result.out.split("\n")
    assert len(answers) == len(lines) + 1
    assert (answers[0], answers[-2]) == ("http://a/", "http://d/")
    assert [answer.strip() for answer in answers[1:5]] == [""] * 4
    assert result.code == 2  # for the line that is not UTF-8
    assert "<stdin>:3: " in result.err
    assert "<stdin>:5: " in result.err


def test_lines_of_a_file_and_of_standard_input(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_bytes(f"\ufeff{GOOD}\r\n\r\n{BAD}\r\n \t\n{GOOD}".encode())
    result = run("check", "--file", str(file), "-", stdin=f"{BAD_HOST}\n".encode())
    assert result.code == 1
    verdicts = [line for line in result.lines if ": invalid" in line]
    assert verdicts == [f"<stdin>:1: invalid  {BAD_HOST}", f"{file}:3: invalid"]
    assert result.lines[-1] == "4 texts: 2 valid, 2 invalid, 1 of them fixable"


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        (b"a\rb\x0bc\x0c\n\xc2\x85\xe2\x80\xa8d\r", ["a\rb\x0bc\x0c", "\x85\u2028d\r"]),
        ("a\n\ufeffb\n".encode(), ["a", "\ufeffb"]),
        (b"", []),
    ],
)
def test_control_characters_are_data(run: Run, given: bytes, texts: list[str]) -> None:
    result = run("check", "--format", "json", "-", stdin=given)
    assert [r["text"] for r in json.loads(result.out)] == texts


def test_a_line_that_is_not_utf8_is_told_and_the_rest_checked(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_bytes(b"http://a/\nhttp://b/\xff\nhttp://c d/\n")
    result = run("check", "--file", str(file))
    assert result.code == 2
    assert f"{file}:2: not UTF-8: byte 0xFF at offset 9 of the line, 19 of the file" in result.err
    assert f"{file}:3: invalid\n" in result.out
    assert result.lines[-1] == "2 texts: 1 valid, 1 invalid, 1 not UTF-8"
    result = run("check", "-", stdin=b"\xef\xbb\xbfab\xff\n")
    assert "byte 0xFF at offset 5 of the line, 5 of the file" in result.err
    result = run("check", "-", stdin="\ufeffx\u0100\n".encode("utf-16") * 50)
    assert "looks like UTF-16" in result.err
    assert len(result.err.splitlines()) < 20


def test_an_unreadable_file_does_not_keep_the_next_from_being_read(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "urls.txt"
    file.write_text(f"{GOOD}\n")
    absent = tmp_path / "absent"
    result = run("check", "-f", str(absent), "-f", str(tmp_path), "-f", "a\0b", "-f", str(file))
    assert result.code == 2
    assert f"Error: {absent}: No such file or directory" in result.err
    assert f"Error: {tmp_path}: Is a directory" in result.err
    assert "a\\x00b" in result.err
    assert result.out == "1 text: 1 valid, 0 invalid; 3 files could not be read\n"


# JSON


def test_json_is_alone_on_standard_output(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text(f"{GOOD}\n\n{BAD}\n")
    result = run("check", "--format", "json", BAD_HOST, "--file", str(file))
    assert result.code == 1
    reports = json.loads(result.out)
    assert [r["text"] for r in reports] == [BAD_HOST, GOOD, BAD]
    assert [r.get("line") for r in reports] == [None, 1, 3]
    assert result.err == "3 texts: 1 valid, 2 invalid, 1 of them fixable\n"


def test_json_of_bytes_in_an_argument(run: Run) -> None:
    result = run("check", "--format", "json", "http://h/\udcff")
    assert json.loads(result.out)[0]["text"] == "http://h/\udcff"


LOOK_ALIKE = "http://1.2.3.256/"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([LOOK_ALIKE], True),
        ([LOOK_ALIKE, "--no-advice"], False),
        (["-"], False),
        (["-", "--advice"], True),
        (["-", "--no-advice"], False),
    ],
)
def test_advice(run: Run, arguments: list[str], told: bool) -> None:
    result = run("check", *arguments, stdin=f"{LOOK_ALIKE}\n".encode())
    assert result.code == 0
    assert ("advice" in result.out) is told


# Mending


def test_fix_prints_one_line_a_line(run: Run) -> None:
    lines = [GOOD.encode(), BAD.encode(), b"", BAD_HOST.encode(), b"http://h/\xff", b" "]
    result = run("check", "--fix", "-", stdin=b"\r\n".join(lines))
    mended = [*lines[:1], b"http://example.com/a%20b", *lines[2:]]
    assert result.out.encode("utf-8", "surrogateescape") == b"\n".join(mended) + b"\n"
    assert "<stdin>:4: invalid " in result.err
    assert "<stdin>:2:" not in result.err
    assert result.err.splitlines()[-1].startswith("3 texts: 1 valid, 2 invalid, 1 of them fixed")
    assert result.code == 2


def test_fix_is_content_if_all_is_mended(run: Run) -> None:
    assert run("check", "--fix", BAD) == (0, "http://example.com/a%20b\n", "")
    result = run("check", "--fix", BAD_HOST, GOOD)
    assert (result.code, result.out) == (1, f"{BAD_HOST}\n{GOOD}\n")
    assert "2 texts: 1 valid, 1 invalid" in result.err


# The terminal


def test_a_terminal_gets_color_and_its_width() -> None:
    pty = pytest.importorskip("pty")
    termios = pytest.importorskip("termios")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 60))
    environment = {**os.environ, "TERM": "xterm"}
    with process("check", "http://h/" + "a" * 200 + " b", stdout=theirs, env=environment) as child:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # how Linux says that the other side has closed
            pass
    os.close(ours)
    lines = shown.decode().splitlines()
    assert lines[0].startswith("\x1b[31;1minvalid\x1b[0m  http://h/aaa")
    assert max(len(line) for line in lines if "…" in line) < 60
    assert child.returncode == 1


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text(f"{BAD}\n" * 2000)
    with process("check", "--file", str(file), stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline() == f"{file}:1: invalid\n".encode()
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 141


@pytest.mark.prove
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_is_told() -> None:
    for given in ("check", BAD), ("lint", "--help"):
        with open("/dev/full", "wb") as full, process(*given, stdout=full) as child:
            assert child.stderr is not None
            assert child.stderr.read() == b"Error: could not write: No space left on device\n"
        assert child.returncode == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_an_interrupt_is_quiet_and_json_stays_valid(tmp_path: Path) -> None:
    pipe, written = tmp_path / "pipe", tmp_path / "out.json"
    os.mkfifo(pipe)
    arguments = ("check", "--format", "json", "--file", str(pipe))

    def handle() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)

    with (
        written.open("wb") as out,
        process(*arguments, stdout=out, preexec_fn=handle) as child,
        pipe.open("wb") as stream,
    ):
        stream.write(f"{BAD}\n".encode())
        stream.flush()
        child.send_signal(signal.SIGINT)
        assert child.stderr is not None
        assert b"Traceback" not in child.stderr.read()
    # A shell shows 130 for both: without a handler of its own, Python ends by the signal itself.
    assert child.returncode in (130, -signal.SIGINT)
    assert [r["text"] for r in json.loads(written.read_bytes())] in ([], [BAD])
