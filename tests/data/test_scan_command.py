"""``uriproof scan`` as it is called: exit codes, what is printed where, and what it refuses.

Owns the tests of the command. Invariant of all: what goes wrong ends in a message and exit code 2,
without a traceback.
"""

from __future__ import annotations

import json
import os
import subprocess
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from commands import Run
from scans import command, environment, parquet, rows, scanned, texts
from tables import beside
from tiers import quick

from uriproof import __version__


@pytest.fixture
def run(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return partial(run, "scan")


def test_exit_codes(run: Run) -> None:
    Path("a.txt").write_text("http://a/\nhttp://b/\n")
    Path("b.txt").write_text("http://a/\nhttp://b c/\n")
    valid = run("a.txt")
    assert (valid.code, valid.err) == (0, "")
    assert "2 rows" in valid.out
    invalid = run("b.txt")
    assert (invalid.code, invalid.err) == (1, "")
    assert "host-illegal" in invalid.out
    unread = run("a.txt", "none.txt")
    assert (unread.code, unread.err) == (2, "Error: none.txt: the file does not exist\n")
    assert run("a.txt", "-r", "segment").code == 1


def test_broken_rows_are_named(run: Run) -> None:
    Path("a.csv").write_text("id,url\n1,http://a/\n2\n3,http://b/\n4,5,6\n")
    ended = run("a.csv")
    assert ended.code == 2
    assert ended.err == (
        "Error: a.csv: 2 broken rows skipped; the first is row 1: 1 instead of 2 fields\n"
    )


def test_the_summary_for_programs(run: Run) -> None:
    Path("a.txt").write_text("http://a/\nhttp://me:secret@b c/\n")
    ended = run("a.txt", "--format", "json", "--report", "a.html")
    found = json.loads(ended.out)
    assert (found["rows"], found["invalid"], found["codes"]) == (2, 1, {"host-illegal": 1})
    page = Path("a.html").read_text("utf-8")
    assert "host-illegal" in page
    for text in ended.out, page:
        assert "secret" not in text


def test_the_output_says_what_made_it(run: Run) -> None:
    Path("a.txt").write_text("http://a/\nhttp://me:secret@b c/%\n\x1b[31m\n")
    ended = run("a.txt", "--output", "bad.parquet", "--rule", "uri-reference")
    assert ended.code == 1
    assert ended.err == "uriproof: 3 violations written to bad.parquet\n"
    assert "\x1b" not in ended.out
    found = pq.read_table("bad.parquet")
    assert {name: text for name, text in found.schema.metadata.items() if name[:3] == b"uri"} == {
        b"uriproof.version": __version__.encode(),
        b"uriproof.rule": b"URI-reference",
        b"uriproof.grammar": b"rfc3986",
    }
    types = {field.name: str(field.type) for field in found.schema}
    assert types["file"] == "dictionary<values=string, indices=int32, ordered=0>"
    assert (types["row"], types["start"], types["text"]) == ("int64", "int32", "string")
    assert [row["text"] for row in rows(Path("bad.parquet"))][1:] == [
        "http://me:******@b c/%",
        "\x1b[31m",
    ]
    assert sorted(os.listdir()) == ["a.txt", "bad.parquet"]
    assert run("a.txt", "--output", "bad.parquet", "--sample", "99.9%").code < 2
    assert pq.read_schema("bad.parquet").metadata[b"uriproof.sample"] == b"0.999 of all rows"


def test_the_output_has_its_columns_without_violations_too(run: Run) -> None:
    Path("a.txt").write_text("http://a/\n")
    assert run("a.txt", "--output", "bad.parquet").code == 0
    assert rows(Path("bad.parquet")) == []
    assert pq.read_schema("bad.parquet").names[:3] == ["file", "row", "start"]


def test_what_is_written_is_not_read(run: Run) -> None:
    parquet(Path("a.parquet"), ["http://|/"])
    for _ in range(2):
        ended = run("*.parquet", "--output", "bad.parquet", "--column", "url")
        assert (ended.code, ended.err) == (1, "uriproof: 1 violation written to bad.parquet\n")
    ended = run("a.parquet", "--output", "a.parquet")
    assert ended.code == 2
    assert "a.parquet: it is read, and cannot be the output too" in ended.err
    assert pq.read_schema("a.parquet").names == ["id", "url"]


def test_no_password_is_shown_whatever_the_rule(run: Run) -> None:
    """User information alone has no at sign after it."""
    Path("a.txt").write_text("me:qzx 42\n")
    Path("b.txt").write_text("http://me:qzx 42@h/\n")
    for file, rule in (("a.txt", "userinfo"), ("b.txt", "URI")):
        ended = run(file, "-r", rule, "--output", "o.parquet", "--report", "r.html")
        shown = ended.out + ended.err + Path("r.html").read_text("utf-8")
        assert (ended.code, "qzx" in shown, "*" * len("qzx 42") in shown) == (1, False, True)
        assert "qzx" not in str(rows(Path("o.parquet")))


def test_no_secret_of_an_address_is_shown(run: Run) -> None:
    address = "http://me:qzx@127.0.0.1:9/a.txt?signature=hidden"
    ended = run(address, "--report", "r.html", "--format", "json")
    shown = ended.out + ended.err + Path("r.html").read_text("utf-8")
    assert (ended.code, "qzx" in shown, "hidden" in shown) == (2, False, False)
    assert "http://me:***@127.0.0.1:9/a.txt" in shown


@pytest.mark.parametrize(("arguments", "words"), beside(__file__, "what_is_refused"))
def test_what_is_refused(arguments: list[str], words: str, run: Run) -> None:
    Path("a.txt").write_text("http://a/\n")
    Path("a.parquet").write_bytes(b"PAR1 and no more")
    Path("a.xyz").write_bytes(b"http://a/\n")
    ended = run(*arguments)
    assert ended.code == 2
    assert words in ended.err
    assert "Traceback" not in ended.err
    assert not [name for name in os.listdir() if name.startswith("v.")]


@pytest.mark.parametrize(
    ("file", "content", "arguments", "invalid"), beside(__file__, "what_is_invalid")
)
def test_what_is_invalid(
    run: Run, file: str, content: str, arguments: list[str], invalid: list[int]
) -> None:
    Path("own.abnf").write_text('id = 1*DIGIT "-" 2ALPHA\n')
    Path(file).write_text(content)
    ended = run(file, *arguments, "--output", "o.parquet")
    assert ended.code == bool(invalid)
    assert [row["row"] for row in rows(Path("o.parquet"))] == invalid


def test_an_error_of_the_program_is_not_an_invalid_text(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("uriproof.data.scan.run.found", wrong)
    Path("a.txt").write_text("http://a/\n")
    ended = run("a.txt")
    assert (ended.code, "ZeroDivisionError" in ended.err) == (2, True)


def test_an_extra_that_is_missing_is_named_first(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [each for each in sys.modules if each.startswith("uriproof.data.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    Path("a.txt").write_text("http://a/\n")
    ended = run("a.txt", "--output", "o.parquet")
    assert ended.code == 2
    assert ended.err == 'Error: pyarrow is not installed: pip install "uriproof[data]"\n'
    assert os.listdir() == ["a.txt"]


@pytest.mark.posix
def test_standard_input(tmp_path: Path) -> None:
    """Lines of text are read as they come; Parquet has its beginning at its end."""
    values, out = texts(500), tmp_path / "o.parquet"
    ended = scanned("-", "--output", out, input="\n".join(values))
    assert (ended.returncode, {row["file"] for row in rows(out)}) == (1, {"<stdin>"})
    piped = subprocess.run(
        command("-", "--column", "text", "--input-format", "parquet"),
        input=out.read_bytes(),
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert (piped.returncode, piped.stderr) == (1, b"")
    assert f"{len(rows(out)):,} rows".encode() in piped.stdout


@pytest.mark.posix
@pytest.mark.prove
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    file = parquet(tmp_path / "a.parquet", texts(2_000))
    ended = scanned(file, "--output", "/dev/full")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "Error: could not write: No space left on device\n"


@pytest.mark.posix
@pytest.mark.parametrize("ending", quick([".csv.bz2", ".parquet", ".jsonl"]))
def test_a_table_without_room_is_one_sentence(ending: str, tmp_path: Path) -> None:
    """A compressor that is closed after a full disk has an error of its own."""
    import resource

    values = [f"http://{number} {text * 4}|" for number, text in enumerate(texts(9_000))]
    file = parquet(tmp_path / "a.parquet", values)
    full = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (4_096, resource.RLIM_INFINITY))
    ended = scanned(file, "--column", "url", "-o", f"o{ending}", preexec_fn=full, cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "Error: could not write: File too large\n"
    assert os.listdir(tmp_path) == ["a.parquet"]
