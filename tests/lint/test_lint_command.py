"""``uriproof lint``: files in, findings and exit codes out, whatever the files are."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Result, Run
from tables import beside

from uriproof.cli import main
from uriproof.lint.engine.judge import Judge
from uriproof.lint.files.cache import folder_of
from uriproof.lint.found import Found
from uriproof.render.diagnostics import formats

LINK = '<a href="{}">'
BAD = LINK.format("ftp://a/b c")
GOOD = LINK.format("http://a/b")

needs_no_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read and write everything"
)


@pytest.fixture
def lint(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command in an empty folder, concise and in one process unless told otherwise."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("URIPROOF_CACHE_DIR", str(tmp_path.parent / f"{tmp_path.name}-cache"))

    def call(*arguments: str, stdin: bytes = b"", concise: bool = True) -> Result:
        chosen = ["--format", "concise"] if concise and "--format" not in arguments else []
        return run("lint", *chosen, *arguments, stdin=stdin)

    return call


def put(name: str, text: str) -> Path:
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file


def filled(text: str) -> str:
    return text.format(bad=BAD, good=GOOD, n="\r\n")


def kept() -> list[Path]:
    """The files of the cache."""
    return [*Path(os.environ["URIPROOF_CACHE_DIR"]).glob("*")]


def places(result: Result) -> list[str]:
    """Where something is said: file, line and column."""
    return [found[1] for line in result.lines if (found := re.match(r"(.*:\d+:\d+): ", line))]


@pytest.mark.parametrize("tree", beside(__file__, "trees"), ids=lambda tree: tree["about"])
def test_a_tree(lint: Run, tree: dict[str, Any]) -> None:
    for name, text in tree["files"].items():
        put(name, filled(text))
    for arguments, code, found, said in tree["runs"]:
        result = lint(*shlex.split(arguments))
        assert (result.code, " ".join(places(result))) == (code, found), arguments
        assert said in result.out + result.err, arguments


@pytest.mark.parametrize(
    ("before", "arguments", "after", "code", "said"), beside(__file__, "changes")
)
def test_a_change(lint: Run, before: str, arguments: str, after: str, code: int, said: str) -> None:
    file = put("a.html", filled(before))
    result = lint(*arguments.split())
    assert file.read_bytes().decode() == filled(after)
    assert result.code == code
    assert said in result.out


@pytest.mark.parametrize(("arguments", "said"), beside(__file__, "a_wrong_call"))
def test_a_wrong_call(lint: Run, arguments: list[str], said: str) -> None:
    result = lint(*arguments)
    assert (result.code, said in result.err) == (2, True)


def test_a_failure_in_one_url_is_told_with_its_line(
    lint: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: Judge, found: Found) -> bool:
        if "defect" in found.text:
            raise RecursionError("too deep")
        return accepts(self, found)

    accepts = Judge.accepts
    monkeypatch.setattr(Judge, "accepts", fails)
    put("a.html", f"{BAD}\n{LINK.format('http://defect/')} {BAD}\n")
    for _ in range(2):  # what failed is in no cache
        result = lint("a.html")
        assert (result.code, places(result)) == (2, ["a.html:1:19", "a.html:2:45"])
        said = "a.html:2: not checked: uriproof failed (RecursionError: too deep); please report"
        assert said in result.err
        assert "1 URL not checked" in result.lines[-1]


class TestFiles:
    def test_what_git_ignores_or_lacks(self, lint: Run) -> None:
        for name in ("a.html", "out/b.html", "kept/c.html", "kept/d.html", "gone.html"):
            put(name, BAD)
        put(".gitignore", "/out/\n*.html\n!c.html\n!a.html\n!gone.html\n")
        subprocess.run(["git", "init", "-q"], check=True)
        subprocess.run(["git", "add", "."], check=True)
        Path("gone.html").unlink()
        assert places(lint()) == ["a.html:1:19", "kept/c.html:1:19"]
        assert len(places(lint("--no-gitignore"))) == 4

    def test_what_git_ignores_without_git(self, lint: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("a.html", "out/b.html", "kept/c.html", "kept/d.html"):
            put(name, BAD)
        put(".gitignore", "/out/\n*.html\n!a.html\n")
        put("kept/.gitignore", "!c.html\n")
        with monkeypatch.context() as without:
            without.setitem(sys.modules, "pathspec", None)
            result = lint()
            assert len(places(result)) == 4
            assert 'pip install "uriproof[lint]"' in result.err
        pytest.importorskip("pathspec")
        assert places(lint()) == ["a.html:1:19", "kept/c.html:1:19"]

    @pytest.mark.posix
    def test_links_that_lead_in_circles_and_pipes(self, lint: Run) -> None:
        put("a/b.html", BAD)
        Path("a/loop").symlink_to("..")
        Path("self").symlink_to("self")
        os.mkfifo("pipe.html")
        assert places(lint()) == ["a/b.html:1:19"]
        for name in ("self", "pipe.html"):
            result = lint(name, ".")
            assert (result.code, f"Error: {name}: " in result.err) == (2, True)

    def test_names_that_are_no_text(self, lint: Run) -> None:
        try:
            Path(os.fsdecode(b"\xff.html")).write_text(BAD)
        except OSError:
            pytest.skip("the file system wants names in UTF-8")
        assert "\\xFF.html:1:19" in lint().out

    @needs_no_root
    def test_what_may_not_be_read(self, lint: Run) -> None:
        put("a.html", BAD).chmod(0)
        put("b/c.html", BAD)
        Path("b").chmod(0)
        put("d.html", BAD)
        result = lint()
        Path("b").chmod(0o755)
        assert (result.code, places(result)) == (2, ["d.html:1:19"])
        assert "a.html: Permission denied" in result.err
        assert "b: Permission denied" in result.err


def test_standard_input(lint: Run) -> None:
    put("sub/uriproof.toml", 'ignore = ["path"]')
    assert places(lint("-", stdin=b"http://a/\nhttp://a b/\n")) == ["<stdin>:2:9"]
    named = "--stdin-filename", "a.html"
    assert places(lint("-", *named, stdin=BAD.encode())) == ["a.html:1:19"]
    assert lint("--stdin-filename", "sub/a.html", stdin=BAD.encode()).code == 0
    result = lint("-", *named, "--fix", stdin=BAD.encode())
    assert (result.code, result.out) == (0, LINK.format("ftp://a/b%20c"))
    assert "1 diagnostic fixed, none left" in result.err
    assert lint("-", "--fix", stdin=b"http://a/\r\n").out == "http://a/\r\n"


class TestFixes:
    def test_what_was_fixed_is_shown(self, lint: Run) -> None:
        put("a.html", BAD + "\r\n" + LINK.format("http://me:pw@a/^|"))
        put("b.html", BAD + "\n" + GOOD + " <!-- uriproof: ignore[path] -->\n")
        result = lint("--fix", "--show-fixes", "--unsafe-fixes")
        assert result.lines[-5:-1] == [
            "a.html:1:19: ftp://a/b c -> ftp://a/b%20c",
            "a.html:2:25: http://me:**@a/^| -> http://me:**@a/%5E%7C",
            "b.html:1:19: ftp://a/b c -> ftp://a/b%20c",
            "b.html:2:28: removed <!-- uriproof: ignore[path] -->",
        ]
        assert "4 diagnostics fixed" in result.lines[-1]
        assert "->" not in lint("--fix", "--show-fixes").out

    def test_what_was_fixed_is_no_part_of_a_report(self, lint: Run) -> None:
        put("a.html", BAD)
        result = lint("--fix", "--show-fixes", "--exit-non-zero-on-fix", "--format", "json")
        assert (json.loads(result.out), result.code) == ([], 1)
        assert "a.html:1:19: ftp://a/b c -> ftp://a/b%20c" in result.err
        assert lint("--fix", "--exit-non-zero-on-fix").code == 0

    def test_where_there_are_no_comments(self, lint: Run) -> None:
        file = put("a.urls", "ftp://a/b c\n")
        result = lint("--add-ignore")
        assert (result.code, file.read_text()) == (1, "ftp://a/b c\n")
        assert "a.urls:1:10: path-illegal: the format has no comments" in result.err


class TestBaseline:
    def test_what_is_new_is_reported_and_fixed(self, lint: Run) -> None:
        file = put("a.html", BAD)
        lint("--write-baseline", "--baseline", "known.json")
        before = Path("known.json").read_bytes()
        assert b"ftp" not in before  # a URL may hold a password
        put("a.html", f"\n{BAD}\n{BAD.replace('b c', 'c d')}")
        assert places(lint("--baseline", "known.json")) == ["a.html:3:19"]
        assert lint("--fix", "--baseline", "known.json").code == 0
        assert file.read_text() == f"\n{BAD}\n{BAD.replace('b c', 'c%20d')}"
        lint("--write-baseline", "--baseline", "known.json")
        assert Path("known.json").read_bytes() == before

    def test_in_the_configuration(self, lint: Run) -> None:
        put("a.html", BAD)
        put("uriproof.toml", 'baseline = "known.json"')
        assert lint("--write-baseline").code == 0
        assert Path("known.json").exists()
        assert lint().code == 0

    @pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 2}', '{"version": 1}', "\xff"])
    def test_what_is_none(self, lint: Run, text: str) -> None:
        put("known.json", text)
        result = lint("--baseline", "known.json")
        assert result.code == 2
        assert "replace it with --write-baseline" in result.err


class TestOutput:
    def test_counts(self, lint: Run) -> None:
        put("a.html", BAD + BAD + LINK.format("http://a b/"))
        lines = lint("--statistics").lines
        counted = json.loads(lint("--statistics", "--format", "json").out)
        expected = [("path-illegal", 2), ("host-illegal", 1)]
        assert [(line.split()[1], int(line.split()[0])) for line in lines[:2]] == expected
        assert [(one["code"], one["count"]) for one in counted] == expected

    def test_quiet_and_into_a_file(self, lint: Run) -> None:
        put("a.html", BAD)
        assert len(lint("-q").lines) == 1
        result = lint("-q", "-o", "found.txt")
        assert (result.out, result.err) == ("", "")
        assert Path("found.txt").read_text().startswith("a.html:1:19: path-illegal")
        assert lint("-o", "none/found.txt").code == 2

    def test_urls(self, lint: Run) -> None:
        put("a.html", LINK.format("ftp://me:pw@h/") + BAD)
        assert lint("--dump-urls").lines == [
            "a.html:1:10: ftp://me:**@h/",
            "a.html:1:35: ftp://a/b c",
        ]
        assert "path-illegal" in lint("--dump-urls", "--why").lines[-1]
        dumped = [json.loads(line) for line in lint("--dump-urls", "--format", "jsonl").lines]
        assert [one["verdict"] for one in dumped] == ["valid", "path-illegal"]

    def test_no_password_is_shown(self, lint: Run) -> None:
        put("a.html", LINK.format("ftp://me:gehe[im@h/a b") + LINK.format("ftp://me:geheim@h/"))
        put("b.html", LINK.format("ftp://me:geheim@h/") + BAD)
        for arguments in ([], ["--diff"], ["--diff", "--unsafe-fixes"], ["--dump-urls", "--why"]):
            result = lint(*arguments)
            assert "gehe" not in result.out + result.err
        shown = lint("--diff", "--color=always").out  # for people, with the line
        assert LINK.format("ftp://me:******@h/") in shown
        assert "GIT binary patch" in lint("--diff").out  # which has only the edits
        for form in formats():
            result = lint("--format", form)
            assert "gehe" not in result.out + result.err
            assert result.code == 1


class TestCache:
    def test_what_is_reported_is_reported_again(self, lint: Run) -> None:
        put("a.html", BAD)
        put("b.md", "[a](http://h/a b) <http://me:secret@h/> <!-- uriproof: ignore[path] -->\n" * 9)
        put("c.html", GOOD)
        for options in ((), ("--format", "json"), ("--format", "sarif"), ("--diff",)):
            first = lint(*options)
            again = lint(*options)
            assert (again.out, again.err, again.code) == (first.out, first.err, 1)
        assert sorted(os.listdir()) == ["a.html", "b.md", "c.html"]
        (file,) = kept()
        assert b"secret" not in file.read_bytes()
        put("c.html", BAD)
        assert places(lint())[-1] == "c.html:1:19"

    @pytest.mark.parametrize(
        "entry",
        ["x", "1,0 [0", "1,0 5 [0,[[1]]]", '1,0 [0,[["a","b","c",[],[],[]]]]', "1,0 {}"],
    )
    def test_what_is_broken_is_ignored(self, lint: Run, entry: str) -> None:
        put("a.html", GOOD)
        lint()
        (file,) = kept()
        (key,) = (line[:32] for line in file.read_bytes().splitlines())
        file.write_bytes(b"\xff\0 \nabc 1\n" + key + f" {entry}\n".encode())
        assert lint().lines == ["Checked 1 URL in 1 file: no diagnostics"]

    def test_a_folder_that_cannot_be_written(self, lint: Run) -> None:
        put("a.html", GOOD)
        put("../file", "")
        assert lint("--cache-dir", "../file").code == 0
        assert lint("--no-cache").code == 0
        assert kept() == []

    @pytest.mark.posix
    def test_nothing_of_a_tree_is_believed_or_written_to(
        self, lint: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """Whatever stands where a cache might be: nothing is read, made or removed there."""
        victim = tmp_path.parent / f"{tmp_path.name}-victim"
        victim.mkdir()
        names = [f"{number:032x}" for number in range(40)]
        for name in (*names, *(f"{name}.uriproof-cache" for name in names)):
            (victim / name).write_text("")
        before = sorted(os.listdir(victim))
        put("a.html", BAD)
        for name in (".uriproof_cache", ".cache", "uriproof"):
            Path(name).symlink_to(victim)
        monkeypatch.delenv("URIPROOF_CACHE_DIR")
        for value in (str(Path.cwd()), str(Path.cwd() / ".cache"), ".cache", ""):
            monkeypatch.setenv("XDG_CACHE_HOME", value)
            monkeypatch.setenv("HOME", str(Path.cwd()))
            assert lint().code == 1, value
            assert sorted(os.listdir(victim)) == before, value
        for name in ("new", ".cache", str(Path.cwd() / "new")):
            refused = lint("--cache-dir", name)
            assert (refused.code, "name a folder elsewhere" in refused.err) == (2, True)
        assert sorted(os.listdir(victim)) == before

    @pytest.mark.posix
    def test_only_its_own_files_are_removed(self, lint: Run, tmp_path: Path) -> None:
        put("a.html", BAD)
        other = tmp_path.parent / f"{tmp_path.name}-cache"
        other.mkdir()
        for number in range(40):
            (other / f"{number:032x}").write_text("")
            (other / f"{number}.uriproof-cache").symlink_to(tmp_path / "a.html")
        for number in range(40):
            file = other / f"{number:032x}.uriproof-cache"
            file.write_text("")
            os.utime(file, (number, number))
        lint("--cache-dir", str(other))
        left = [f.name for f in other.iterdir() if f.is_file() and not f.is_symlink()]
        assert len([name for name in left if len(name) == 32]) == 40
        assert len([name for name in left if len(name) > 32]) == 32
        assert len([f for f in other.iterdir() if f.is_symlink()]) == 40

    @pytest.mark.parametrize(
        ("setting", "code"), beside(__file__, "a_result_under_other_settings_is_another")
    )
    def test_a_result_under_other_settings_is_another(
        self, lint: Run, setting: str, code: str
    ) -> None:
        put("a.urls", "http://example.com?a\n")
        assert lint("a.urls").code == 0
        assert kept()
        put("uriproof.toml", f"{setting}\n")
        for _ in range(2):
            assert code in lint("a.urls").out
        put("uriproof.toml", "")
        assert lint("a.urls").code == 0

    @pytest.mark.parametrize("home", ["", "/nowhere/at/all", "/proc"])
    def test_without_a_home_there_is_no_cache(
        self, lint: Run, monkeypatch: pytest.MonkeyPatch, home: str
    ) -> None:
        put("a.html", BAD)
        for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "URIPROOF_CACHE_DIR"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HOME", home)
        found = lint()
        assert (found.code, "rror" in found.err) == (1, False)

    def test_the_folder_of_each_system(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("os.path.expanduser", lambda path: "/home/u")
        assert folder_of({}, "linux") == os.path.join("/home/u", ".cache", "uriproof")
        assert folder_of({"XDG_CACHE_HOME": "x"}, "linux") == folder_of({}, "linux")
        assert folder_of({}, "darwin") == os.path.join("/home/u", "Library/Caches", "uriproof")
        assert folder_of({}, "win32") is None
        monkeypatch.setattr("os.path.expanduser", lambda path: path)
        assert folder_of({}, "linux") is None


@pytest.mark.parametrize(("name", "jobs"), [("out.sarif", "1"), ("./sub/out.json", "2")])
def test_a_report_is_not_checked_itself(lint: Run, name: str, jobs: str) -> None:
    put("a.html", BAD)
    put("sub/b.html", BAD)
    first, again = (
        (lint("-j", jobs, "-o", name, "--format", "sarif", "."), Path(name).read_text())
        for _ in range(2)
    )
    assert again == first
    assert "path-illegal" in again[1]


@pytest.mark.posix
@pytest.mark.parametrize("link", [os.symlink, os.link])
@pytest.mark.parametrize("name", ["sub/found", "other/found"])
def test_nor_by_another_name(lint: Run, link: Callable[[str, str], None], name: str) -> None:
    put("a.html", BAD)
    put("sub/b.html", BAD)  # what the name of the report leads to
    os.symlink("sub", "other")
    link(os.path.abspath("sub/b.html"), name)
    result = lint("-o", name, "--format", "concise", ".", "sub/b.html", name)
    report = Path(name).read_text()
    assert ("a.html:1:19" in report, "b.html" in report) == (True, False), result.err
    is_link = link is os.symlink
    assert Path(name).is_symlink() == is_link
    assert Path("sub/b.html").read_text() == (report if is_link else BAD)


def test_what_the_linter_wrote_is_not_checked_later(lint: Run) -> None:
    """Its reports quote URLs that are wrong; they are checked if they are given by name."""
    put("a.html", BAD)
    put("sub/b.html", BAD)
    assert lint("-o", "sub/kept.sarif", "--format", "sarif", ".").code == 1
    assert lint("--write-baseline", ".").code == 0
    shown = lint("--show-files", ".").out.replace("\\", "/").split()
    assert shown == ["a.html", "sub/b.html"]
    assert "sub/kept.sarif" in lint("--show-files", "sub/kept.sarif").out.replace("\\", "/")


@pytest.fixture
def outside(tmp_path: Path, lint: Run) -> Path:
    """A folder elsewhere with one file; links of the tree lead to both."""
    folder = tmp_path.parent / f"{tmp_path.name}-outside"
    folder.mkdir()
    (folder / "a.html").write_text(LINK.format("http://a/b c"))
    Path("link.html").symlink_to(folder / "a.html")
    Path("folder").symlink_to(folder)
    put("b.html", BAD)
    return folder


@pytest.mark.posix
class TestLinks:
    """Links of a stranger's tree lead nowhere that is written to."""

    @pytest.mark.parametrize("arguments", beside(__file__, "nothing_is_written"))
    def test_nothing_is_written(self, lint: Run, outside: Path, arguments: tuple[str, ...]) -> None:
        before = (outside / "a.html").read_text()
        result = lint(*arguments)
        assert (result.code, "a link leads out of" in result.err) == (2, True), result.err
        assert (os.listdir(outside), (outside / "a.html").read_text()) == (["a.html"], before)

    @pytest.mark.parametrize("name", ["../x.json", "a/../../x.json", "{outside}/x.json"])
    def test_a_configuration_names_no_baseline_elsewhere(
        self, lint: Run, outside: Path, name: str
    ) -> None:
        put("uriproof.toml", f'baseline = "{name.format(outside=outside)}"')
        result = lint("--write-baseline")
        assert result.code == 2
        assert "name it with --baseline" in result.err
        assert not list(outside.glob("*.json"))
        assert not Path("../x.json").exists()

    def test_nor_do_other_commands_write_there(self, lint: Run, outside: Path) -> None:
        Path("pyproject.toml").symlink_to(outside / "new.toml")
        (outside / "new.toml").write_text("")
        for command in (
            ["init"],
            ["grammar", "export", "rfc3986:port", "--to=python", "-o", "folder/x"],
            ["scan", "b.html", "--input-format=text", "--output=folder/x.parquet"],
        ):
            assert main(command) == 2, command
        assert sorted(os.listdir(outside)) == ["a.html", "new.toml"]
        assert (outside / "new.toml").read_text() == ""


@pytest.mark.prove
class TestUntrusted:
    """A tree of a stranger: what it says of itself does not count."""

    def test_its_settings_do_not_hold(self, lint: Run) -> None:
        for folder in (".", "sub"):
            put(f"{folder}/a.html", BAD)
            put(f"{folder}/.gitignore", "*\n")
        put("uriproof.toml", 'exclude = ["*"]\nbaseline = "none.json"\nextend = "none.toml"\n')
        put("sub/pyproject.toml", "[tool.uriproof]\nselect = []\n")
        subprocess.run(["git", "init", "-q"], check=True)
        assert places(lint()) == []
        result = lint("--untrusted")
        assert places(result) == ["a.html:1:19", "sub/a.html:1:19"]
        assert "the settings are the defaults, not those of the tree" in result.err
        assert kept() == []
        trusted = put("../trusted.toml", 'ignore = ["path"]')
        result = lint("--untrusted", "--config", str(trusted))
        assert (result.code, "those of ../trusted.toml" in result.err) == (0, True)

    def test_its_comments_hold_and_are_counted(self, lint: Run) -> None:
        put("a.html", f"{BAD} <!-- uriproof: ignore[path] -->\n" * 2)
        result = lint("--untrusted")
        assert "comments in its files suppress 2 diagnostics" in result.err
        assert result.code == 0

    @pytest.mark.posix
    def test_its_links_are_not_followed(self, lint: Run, outside: Path, tmp_path: Path) -> None:
        Path("inner.html").symlink_to("b.html")
        for paths in (["."], ["link.html", "b.html"], ["folder", "b.html"]):
            assert places(lint("--untrusted", *paths)) == ["b.html:1:19"], paths
        for path in ("folder/a.html", "inner.html", str(tmp_path / "folder" / "a.html")):
            result = lint("--untrusted", path)
            assert (result.code, "which --untrusted does not follow" in result.err) == (0, True)
            assert places(result) == []

    @pytest.mark.posix
    def test_git_is_not_run(self, lint: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        put("a.html", BAD)
        subprocess.run(["git", "init", "-q"], check=True)
        put("bin/git", "#!/bin/sh\ntouch ran\n").chmod(0o755)
        monkeypatch.setenv("PATH", str(Path("bin").resolve()))
        monkeypatch.setattr("uriproof.lint.files.git._program", lambda *_: str(Path("bin/git")))
        assert places(lint("--untrusted", "--gitignore", "a.html", ".")) == ["a.html:1:19"]
        assert not Path("ran").exists()

    @pytest.mark.parametrize("jobs", ["1", "3"])
    def test_a_file_that_takes_too_long_is_given_up(
        self, lint: Run, monkeypatch: pytest.MonkeyPatch, jobs: str
    ) -> None:
        for name in ("a.html", "c.html"):
            put(name, BAD)
        put("b.html", BAD * 50_000)
        monkeypatch.setattr(
            "uriproof.lint.engine.run._seconds", lambda size: 0.05 if size > 500_000 else 600
        )
        result = lint("--untrusted", "-j", jobs)
        assert places(result) == ["a.html:1:19", "c.html:1:19"]
        assert "b.html: not checked: it takes longer than 0 seconds" in result.err
        assert result.code == 2

    def test_the_results_are_those_of_a_usual_run(self, lint: Run) -> None:
        for number in range(100):
            put(f"{number}.html", BAD + GOOD)
        put("binary", "\0")
        usual = lint("--no-cache", "--format", "json")
        for jobs in ("1", "2"):
            found = lint("--untrusted", "-j", jobs, "--format", "json")
            assert (found.out, found.code) == (usual.out, 1)
            assert found.err.splitlines()[-1] == usual.err.splitlines()[-1]

    @pytest.mark.parametrize("option", ["--fix", "--diff", "--add-ignore", "--watch", "-"])
    def test_what_it_cannot_be_combined_with(self, lint: Run, option: str) -> None:
        assert (lint("--untrusted", option).code, lint("--untrusted", option).out) == (2, "")
