"""The count of diagnostics: one definition, and the summary's sentence in each situation."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from tables import beside

from uriproof.cli.lint import command
from uriproof.lint.session import Counts

pytestmark = pytest.mark.prove

# Three diagnostics: of one URL two codes, one of them in three places; and one of another.
MANY = "http://h/aéb?a[x][y]\nhttp://h/aéb\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(name: str, text: str | bytes) -> None:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())


def run(*options: str) -> str:
    """What is printed, standard error included."""
    result = CliRunner().invoke(command, ["--isolated", "--no-cache", *options])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output


def summary(*options: str) -> str:
    lines = run("--format", "concise", *options).splitlines()
    first = max(at for at, one in enumerate(lines) if one.startswith(("Checked ", "No file")))
    return " ".join(lines[first:])


@pytest.mark.parametrize("tree", beside(__file__, "trees"))
def test_a_summary(tree: dict[str, Any]) -> None:
    for name, text in tree["files"].items():
        put(name, text)
    for options, expected in tree["runs"]:
        assert summary(*options.split()) == expected, options


def test_iris_are_counted_from_the_cache() -> None:
    put("a.md", "http://h/é")
    for _ in range(2):
        result = CliRunner().invoke(command, ["--isolated", "--format", "concise"])
        assert "1 URL with non-ASCII" in result.output


def test_every_number_is_the_same() -> None:
    """The summary, the statistics, and each format count alike; the baseline and --add-ignore do
    not count notes, if these do not fail."""
    put("a.py", "".join(f'"{url}"\n' for url in MANY.replace("é", "|").split()))
    put("b.html", b'\xe9 <a href="http://h/a b"> <a href="http://h/?a[x]&a[y]">')
    number = 6
    assert f": {number} diagnostics (1 error, 5 notes)" in summary()
    statistics = [re.match(r" *(\d+)  \S", line) for line in run("--statistics").splitlines()]
    assert sum(int(match[1]) for match in statistics if match) == number
    written = {form: run("-q", "--format", form) for form in ("json", "sarif", "gitlab", "rdjson")}
    assert len(json.loads(written["json"])) == number
    assert len(json.loads(written["gitlab"])) == number
    assert len(json.loads(written["sarif"])["runs"][0]["results"]) == number
    assert len(json.loads(written["rdjson"])["diagnostics"]) == number
    for form in ("jsonl", "concise", "pylint", "azure"):
        assert len(run("-q", "--format", form).splitlines()) == number
    assert f"{number} diagnostics in 2 files." in run("-q", "--format", "markdown")
    junit = ElementTree.fromstring(run("-q", "--format", "junit"))  # noqa: S314
    assert len(junit.findall("testsuite/testcase")) == number
    checkstyle = ElementTree.fromstring(run("-q", "--format", "checkstyle"))  # noqa: S314
    assert len(checkstyle.findall("file/error")) == number
    assert run("-q", "--format", "full").count("\n\n") == 1
    assert run("-q", "--format", "full", "--all").count("\n\n") == number
    assert run("--write-baseline") == "1 diagnostic written to uriproof-baseline.json\n"
    every = "--fail-on", "note"
    assert run("--write-baseline", *every).startswith(f"{number} diagnostics written to ")
    entries = json.loads(Path("uriproof-baseline.json").read_text())["diagnostics"]
    assert sum(entry["count"] for entry in entries) == number
    assert summary("--baseline", "uriproof-baseline.json", "a.py", "b.html") == (
        f"Checked 4 URLs in 2 files: no diagnostics; {number} in the baseline"
    )
    added = run("--add-ignore", *every, "--format", "concise", "a.py", "b.html")
    assert added == f"Checked 4 URLs in 2 files: {number} diagnostics suppressed, none left\n"
    assert f"no diagnostics; {number} suppressed" in summary("a.py", "b.html")


def test_a_baseline_holds_while_its_places_move() -> None:
    put("a.urls", MANY)
    run("--write-baseline")
    put("a.urls", f"http://h/\n\n{MANY}")
    assert summary("--baseline", "uriproof-baseline.json", "a.urls") == (
        "Checked 3 URLs in 1 file: 1 diagnostic (1 note); 1 fixable with --fix; 2 in the baseline"
    )
    put("a.urls", f"{MANY}http://h/aéb\n")
    assert ": 2 diagnostics (1 error, 1 note)" in summary(
        "--baseline", "uriproof-baseline.json", "a.urls"
    )


def test_more_alike_are_counted_in_full() -> None:
    put("a.urls", "".join(f"http://h/{number}<a\n" for number in range(17)))
    put("b.urls", "http://h/<a\n")
    out = run("--format", "full")
    error = 'path-illegal "<"'
    assert out.count(error) == 5
    assert "\na.urls: path-illegal and 12 more like this (--all shows them)\n\n" in out
    assert 'path-illegal: "<" is not allowed in a path; 18 times in 2 files\n' in out
    assert '  = to silence it: ignore = ["path-illegal"]\n' in out
    assert run("--format", "full", "--all").count(error) == 18
    assert len(run("-q", "--format", "concise").splitlines()) == 18


def test_a_pattern_that_repeats_is_one_note() -> None:
    for name in "abc":
        put(f"{name}.urls", "".join(f"http://h/{name}{number} x\n" for number in range(4)))
    out = run("--format", "full")
    assert out.count("path-illegal A space") == 9
    assert "path-illegal: A space is not allowed in a path; 12 times in 3 files\n" in out
    assert '  = to silence it: ignore = ["path-illegal"]\n' in out


IN_DOCS = 'per-file-ignores = { "docs/**" = ["path-illegal"] }'
EVERYWHERE = 'ignore = ["path-illegal"]'


@pytest.mark.parametrize(
    ("files", "setting"),
    [
        (["docs/a.urls"], 'per-file-ignores = { "docs/a.urls" = ["path-illegal"] }'),
        (["docs/a1.urls", "docs/a2.urls"], IN_DOCS),
        (["docs/a/b.urls", "docs/c.urls"], IN_DOCS),
        (["docs/[a]/b.urls", "docs/[a]/c.urls"], EVERYWHERE),
        (["docs/a.urls", "more/a.urls"], EVERYWHERE),
        pytest.param(['\x1b]0;x"\n::error::y/a.urls'], EVERYWHERE, marks=pytest.mark.posix),
        pytest.param(["\\/a.urls", "\\/b.urls"], EVERYWHERE, marks=pytest.mark.posix),
    ],
)
def test_how_to_silence_what_repeats(files: list[str], setting: str) -> None:
    for file in files:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        put(file, "".join(f"http://h/{file[-6]}{number} x\n" for number in range(10)))
    out = run("--format", "full")
    assert f"{10 * len(files)} times" in out
    assert f"  = to silence it: {setting}\n" in out
    assert not any(one.startswith("::") or "\x1b" in one for one in out.splitlines())
    put("uriproof.toml", f"{setting}\n")
    assert CliRunner().invoke(command, ["--no-cache"]).exit_code == 0


def test_a_url_that_repeats_is_drawn_once() -> None:
    for number in range(12):
        put(f"{number:02}.urls", f"# {number}\nhttp://h/a b\n")
    out = run("--format", "full")
    assert out.count("2 | http://h/a b\n") == 1
    assert "\n01.urls:2:11: path-illegal the same URL as in 00.urls:2:11\n\n" in out
    assert out.count("the same URL as in 00.urls:2:11") == 8
    assert "12 times in 12 files\n  = all in one URL: http://h/a b\n  = to silence it" in out
    assert run("--format", "full", "--all").count("2 | http://h/a b\n") == 12


def test_a_line_has_at_most_a_hundred_characters() -> None:
    counts = Counts()
    counts.urls = counts.files = counts.iris = counts.known = counts.suppressed = 99_999
    counts.unsafe = counts.wrong = counts.hidden = 99_999
    counts.apart.update({"tests": 99_999, "vendored files": 99_999})
    counts.codes["path-illegal"] = counts.fixable["path-illegal"] = 99_999
    counts.severities.update(error=99_999, warning=99_999, note=99_999)
    counts.unread.update(dict.fromkeys(("binary", "large", "lost", "unreadable"), 99_999))
    for did in ("", "would be fixed"):
        lines = counts.summary(did).splitlines()
        assert len(lines) > 3
        assert lines[0].startswith("Checked 99,999 URLs in 99,999 files:")
        assert all(len(line) <= 100 and not line.startswith((" ", ";")) for line in lines), lines


def test_people_see_what_is_apart_by_all() -> None:
    put("tests/a.urls", "http://h/é\n")
    put("vendor/a.urls", "http://h/è\n")
    out = run("--format", "full")
    assert out == (
        "Checked 2 URLs in 2 files: 2 diagnostics (2 notes) in 2 files; "
        "2 notes not shown (--all);\n1 in tests, 1 in vendored files "
        "(--include-tests treats them like others)\n"
    )
    assert "vendor/a.urls:1:10: path-illegal note" in run("--format", "full", "--all")
    assert "vendor/a.urls:1:10: path-illegal note" in run("--format", "concise")
