"""Differences of edits: what patch and git make of them, and what a terminal shows."""

import os
import subprocess
from contextlib import chdir, suppress
from pathlib import Path
from shutil import which

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from uriproof.cli.lint import command
from uriproof.diagnostic import Edit
from uriproof.lint.fix.diff import changed, diff, patch

PIECES = ["a", "b\n", "c\r", "", "\n", "\x0c\u2028", "é", "d\ne\n"]
Edits = list[Edit]


def made_by(before: str, edits: Edits) -> str:
    for edit in reversed(edits):
        before = before[: edit.start] + edit.replacement + before[edit.end :]
    return before


def shown(before: str, edits: Edits, file: str = "a.txt") -> str:
    return "".join(patch(file, before, made_by(before, edits), changed(before, edits)))


def lines_to(before: str, numbers: dict[int, str]) -> Edits:
    """Edits that replace lines of one character."""
    starts = [0, *(at + 1 for at, char in enumerate(before) if char == "\n")]
    ends = [before.find("\n", start) for start in starts]
    return [Edit(starts[n], ends[n], new, True) for n, new in numbers.items()]


def test_changes_that_are_near_are_one_hunk() -> None:
    before = "".join(f"{n}\n" for n in range(30))
    near = shown(before, lines_to(before, {5: "x", 11: "y"}))
    assert near.count("@@ -") == 1
    assert shown(before, lines_to(before, {5: "x", 13: "y"})).count("@@ -") == 2
    assert "@@ -3,13 +3,13 @@\n 2\n" in near


def test_lines_that_stay_are_not_in_it() -> None:
    assert shown("a\n", []) == ""
    assert shown("a\n", [Edit(0, 1, "a", True)]) == ""
    # A line taken out, up to the start of the next, and one put in before another.
    assert shown("a\nb\nc\n", [Edit(2, 4, "", True)]).splitlines()[2:] == [
        "@@ -1,3 +1,2 @@",
        *(" a", "-b", " c"),
    ]
    assert shown("a\nc\n", [Edit(2, 2, "b\n", True)]).splitlines()[3:] == [" a", "+b", " c"]


def test_a_line_without_an_end() -> None:
    none = "\\ No newline at end of file"
    assert shown("a", [Edit(0, 1, "b", True)]).splitlines()[3:] == ["-a", none, "+b", none]


def test_names_are_as_git_writes_them() -> None:
    edits = [Edit(0, 1, "b", True)]
    assert shown("a", edits, "x/y.md").startswith("--- a/x/y.md\n+++ b/x/y.md\n")
    assert shown("a", edits, "x y.md").startswith("--- a/x y.md\t\n")
    assert shown("a", edits, 'x"\udce9\t').startswith('--- "a/x\\"\\351\\t"\n')


@pytest.mark.parametrize(("before", "after"), [("", ""), ("\x1b[31m", "\x1b[0m")])
def test_a_terminal_takes_no_orders_from_a_line(before: str, after: str) -> None:
    one = "\x1b[2Ja\tb\r\n"
    edits = [Edit(0, len(one), "c\r\n", True)]
    lines = list(diff("a", one, "c\r\n", changed(one, edits), color=bool(before)))
    assert lines[3] == f"{before}-\\x1b[2Ja\tb{after}\n"
    assert lines[4] == f"{before.replace('1m', '2m')}+c{after}\n"


TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, Edits]:
    """A text, and edits of it in order."""
    before = draw(TEXTS)
    places = draw(st.lists(st.integers(0, len(before)), max_size=8).map(sorted))
    spans = zip(places[::2], places[1::2], strict=False)
    return before, [Edit(a, b, draw(st.sampled_from(PIECES)), True) for a, b in spans]


needs_git = pytest.mark.skipif(which("git") is None, reason="git is not installed")


def apply(folder: Path, difference: bytes) -> None:
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        cwd=folder,
        input=difference,
        check=True,
        capture_output=True,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)},
    )


@needs_git
@settings(max_examples=15)
@given(edited())
def test_git_applies_it(tmp_path_factory: pytest.TempPathFactory, given: tuple[str, Edits]) -> None:
    before, edits = f"x{given[0]}", [e._replace(start=e.start + 1, end=e.end + 1) for e in given[1]]
    edits = [Edit(0, 1, "y", True), *edits]
    folder: Path = tmp_path_factory.mktemp("git")
    (folder / "a b.txt").write_bytes(before.encode())
    apply(folder, shown(before, edits, "a b.txt").encode())
    assert (folder / "a b.txt").read_bytes() == made_by(before, edits).encode()


LINK, FIXED = b'<a href="http://h/a b">', b'<a href="http://h/a%20b">'
SECRET = b'<a href="http://me:secret@h/">'
FILES = [
    b"\xef\xbb\xbf" + LINK,
    LINK + b"\r\nx\r\n",
    b"caf\xe9\n" + LINK + b" \xff\xfe\nna\xefve",
    b'<meta charset="latin-1">caf\xe9\n' + LINK + b"\n",
    LINK,
    b"x\ry\r" + LINK,
    b"\n" * 3 + LINK + b"\n" + b"y\n" * 9 + LINK + b"\n",
    SECRET + b"\n" + LINK + b"\nx\n" + SECRET,
    SECRET + b"\n" + LINK,
    LINK + SECRET + b"\nx\n" + LINK + b"\n",
    b"x\n" + LINK + b"\n" + SECRET + b"\nx\n" + LINK + b"\n",
    LINK.decode().encode("utf-16"),
]
# With edits in a URL with a password, and several of one URL; unsafe ones, at ends of lines.
MIXED = (
    "é\U0001f600 <a href='http://h/a|bé c'><a href='ftp://me:secret@h/a b'>\r\n\ny <http://h/%zz>"
)
NAMES = ["{}.html", "a b/{}.html", '"\\\t{}\u00e9\udce9.html']


@needs_git
def test_git_applies_what_the_command_prints(tmp_path: Path) -> None:
    def fixed(data: bytes) -> bytes:
        if data.startswith(b"\xff\xfe"):
            return fixed(data.decode("utf-16").encode()).decode().encode("utf-16")
        return data.replace(LINK, FIXED)

    tree = {name.format(at): data for at, data in enumerate(FILES) for name in NAMES}
    assert fixed_and_patched(tmp_path, tree) == {name: fixed(data) for name, data in tree.items()}
    codecs = "utf-8", "utf-8-sig", "utf-16", "utf-32"
    mixed = {f"{codec}.html": (MIXED * 3).encode(codec) for codec in codecs}
    made = fixed_and_patched(tmp_path / "mixed", mixed)
    assert [name for name in mixed if made[name] == mixed[name]] == []


def fixed_and_patched(folder: Path, tree: dict[str, bytes]) -> dict[str, bytes]:
    """What ``--fix`` writes, after git has made the same of a copy, by the patch."""
    found: list[dict[str, bytes]] = []
    for way in "fix", "diff":
        root = folder / way
        for name, data in tree.items():
            with suppress(OSError):  # this file system might have no such names
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_bytes(data)
        run = lint(root, f"--{way}", "-q", "--unsafe-fixes")
        assert run.returncode in (0, 1), run.stderr
        assert b"secret" not in run.stdout + run.stderr
        if way == "diff" and run.stdout:
            apply(root, run.stdout)
        found.append({name: (root / name).read_bytes() for name in tree if (root / name).exists()})
    assert found[0] == found[1]
    return found[0]


@needs_git
@pytest.mark.posix
def test_git_applies_it_in_the_folder_of_the_run(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.html").write_bytes(LINK)
    (docs / "link.html").symlink_to("a.html")
    apply(docs, lint(docs, "--diff", "link.html").stdout)
    assert (docs / "a.html").read_bytes() == FIXED
    assert (docs / "link.html").is_symlink()


@pytest.mark.prove
def test_what_is_in_no_patch_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "a.html").write_bytes(LINK)
    run = lint(folder, "--diff", "../a.html")
    assert (run.returncode, run.stdout) == (2, b"")
    assert b"outside of the working directory" in run.stderr


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"x\n" + LINK + b"\n" + SECRET, b"text would show a password"),
        (LINK.decode().encode("utf-16"), b"it is in UTF-16-LE"),
    ],
)
def test_a_patch_that_is_not_text_is_named(tmp_path: Path, data: bytes, why: bytes) -> None:
    (tmp_path / "a.html").write_bytes(data)
    run = lint(tmp_path, "--diff")
    assert b"GIT binary patch\ndelta " in run.stdout
    assert b"a.html: only git apply reads this patch: " + why in run.stderr
    assert b"1 diagnostic would be fixed" in run.stderr
    assert run.returncode == 1


def lint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The command, whose output is bytes."""
    options = ("--isolated", "--no-cache", "--select=path-illegal", *arguments)
    with chdir(folder):
        run = CliRunner(env={"FORCE_COLOR": "1"}).invoke(command, options, standalone_mode=False)
    code = run.return_value or 0
    return subprocess.CompletedProcess([], code, run.stdout_bytes, run.stderr_bytes)
