"""Differences: what patch and git make of them, and what a terminal shows."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uriproof.lint.fix.diff import diff, patch

LINES = st.lists(st.sampled_from(["a", "b", "c\r", "", "\x0c\u2028", "é"]), max_size=14)


def shown(before: str, after: str, file: str = "a.txt") -> str:
    return "".join(patch(file, before, after)[0])


def test_changes_that_are_near_are_one_hunk() -> None:
    before = "".join(f"{n}\n" for n in range(30))
    near = before.replace("\n5\n", "\nx\n").replace("\n11\n", "\ny\n")
    far = before.replace("\n5\n", "\nx\n").replace("\n13\n", "\ny\n")
    assert shown(before, near).count("@@ -") == 1
    assert shown(before, far).count("@@ -") == 2
    assert "@@ -3,13 +3,13 @@\n 2\n" in shown(before, near)


def test_nothing_differs() -> None:
    assert shown("a\n", "a\n") == ""


def test_a_line_without_an_end() -> None:
    assert shown("a", "b").splitlines()[2:] == [
        "@@ -1 +1 @@",
        "-a",
        "\\ No newline at end of file",
        "+b",
        "\\ No newline at end of file",
    ]


def test_names_are_as_git_writes_them() -> None:
    assert shown("a", "b", "x/y.md").startswith("--- a/x/y.md\n+++ b/x/y.md\n")
    assert shown("a", "b", "x y.md").startswith("--- a/x y.md\t\n")
    assert shown("a", "b", 'x"\udce9\t').startswith('--- "a/x\\"\\351\\t"\n')


def test_a_terminal_takes_no_orders_from_a_line() -> None:
    lines = list(diff("a", "\x1b[2Ja\tb\r\n", "c\r\n", colour=True))
    assert lines[3] == "\x1b[31m-\\x1b[2Ja\tb\x1b[0m\n"
    assert lines[4] == "\x1b[32m+c\x1b[0m\n"


def test_without_colour_a_terminal_takes_no_orders_either() -> None:
    assert "".join(diff("a", "\x1b[2J\n", "b\n", colour=False)).splitlines()[3:] == [
        "-\\x1b[2J",
        "+b",
    ]


LINES_AND_SECRETS = st.lists(st.sampled_from(["a", "b", "pw"]), min_size=1, max_size=12)


@given(LINES_AND_SECRETS, st.lists(st.booleans(), min_size=12, max_size=12))
def test_secret_lines_are_in_no_patch_and_the_rest_applies(
    before: list[str], changed: list[bool]
) -> None:
    after = [f"{line}!" if new else line for line, new in zip(before, changed, strict=False)]
    one, other = ("".join(f"{line}\n" for line in lines) for lines in (before, after))
    lines, left = patch("a", one, other, (one.replace("pw", "**"), other.replace("pw", "**")))
    text = "".join(lines)
    assert "pw" not in text
    result = made(one, text)
    expected = [
        old if number in left else new
        for number, (old, new) in enumerate(zip(before, after, strict=True), 1)
    ]
    assert result == "".join(f"{line}\n" for line in expected)
    # git takes a hunk without a line below what it changes for one at the end.
    for hunk in text.split("@@ -")[1:]:
        assert hunk.splitlines()[-1][0] == " " or after[-1] != before[-1]


def made(before: str, difference: str) -> str:
    """What a difference makes of a text, by the rules of the unified format (POSIX diff)."""
    lines = before.split("\n")
    ended = lines[-1] == ""
    old = [f"{line}\n" for line in lines[:-1]] + ([] if ended else [lines[-1]])
    new: list[str] = []
    at = 0
    left = [f"{line}\n" for line in difference.split("\n")[:-1]]
    for number, line in enumerate(left):
        if line.startswith("@@"):
            first, _, count = line.split()[1][1:].partition(",")
            start = int(first) - (count != "0")
            new += old[at:start]
            at = start
        elif number > 1 and line[0] in " -+":
            if number + 1 < len(left) and left[number + 1].startswith("\\"):
                line = line[:-1]  # noqa: PLW2901 -- the next line says that it has no end
            if line[0] != "+":
                assert old[at] == line[1:]
                at += 1
            if line[0] != "-":
                new.append(line[1:])
    return "".join([*new, *old[at:]])


@given(LINES, LINES, st.booleans(), st.booleans())
def test_a_difference_makes_the_one_of_the_other(
    before: list[str], after: list[str], ended: bool, also: bool
) -> None:
    one, other = "\n".join(before) + "\n" * ended, "\n".join(after) + "\n" * also
    assert made(one, shown(one, other)) == other


@given(LINES, st.lists(st.sampled_from(["a", "b"]), min_size=14, max_size=14), st.booleans())
def test_lines_that_stay_as_many(before: list[str], other: list[str], ended: bool) -> None:
    after = [new if new == "a" else line for line, new in zip(before, other, strict=False)]
    one, two = ("\n".join(lines) + "\n" * ended for lines in (before, after))
    assert made(one, shown(one, two)) == two


needs_git = pytest.mark.skipif(which("git") is None, reason="git is not installed")


def apply(folder: Path, difference: bytes, *options: str) -> None:
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", *options, "-"],
        cwd=folder,
        input=difference,
        check=True,
        capture_output=True,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)},
    )


@needs_git
@settings(max_examples=15)
@given(before=LINES, after=LINES, ended=st.booleans())
def test_git_applies_it(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], after: list[str], ended: bool
) -> None:
    one, two = "\n".join([*before, "x"]) + "\n" * ended, "\n".join([*after, "y"]) + "\n"
    folder: Path = tmp_path_factory.mktemp("git")
    (folder / "a b.txt").write_bytes(one.encode())
    apply(folder, shown(one, two, "a b.txt").encode())
    assert (folder / "a b.txt").read_bytes() == two.encode()


LINK = b'<a href="http://h/a b">'
FIXED = b'<a href="http://h/a%20b">'
SECRET = b'<a href="http://me:secret@h/">'


# Files, and whether all of them can be in a patch: what is left out would show a password, in its
# own line or in the line below.
FILES = [
    (b"\xef\xbb\xbf" + LINK, True),
    (LINK + b"\r\nx\r\n", True),
    (b"caf\xe9\n" + LINK + b" \xff\xfe\nna\xefve", True),
    (b'<meta charset="latin-1">caf\xe9\n' + LINK + b"\n", True),
    (LINK, True),
    (b"x\ry\r" + LINK, True),
    (b"\n" * 3 + LINK + b"\n" + b"y\n" * 9 + LINK + b"\n", True),
    (SECRET + b"\n" + LINK + b"\nx\n" + SECRET, True),
    (SECRET + b"\n" + LINK, True),
    (LINK + SECRET + b"\nx\n" + LINK + b"\n", False),
    (b"x\n" + LINK + b"\n" + SECRET + b"\nx\n" + LINK + b"\n", False),
]
NAMES = ["{}.html", "a b/{}.html", '"\\\t{}\u00e9\udce9.html']


@needs_git
def test_git_applies_what_the_command_prints(tmp_path: Path) -> None:
    expected: dict[Path, bytes] = {}
    for number, (data, whole) in enumerate(FILES):
        for name in NAMES:
            file = tmp_path / name.format(number)
            try:
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(data)
            except OSError:  # this file system has no such names
                continue
            if whole:
                expected[file] = data.replace(LINK, FIXED)
            else:
                expected[file] = FIXED.join(data.rsplit(LINK, 1))
    run = lint(tmp_path, "--diff", "-q")
    assert b"secret" not in run.stdout + run.stderr
    apply(tmp_path, run.stdout)
    assert {file: file.read_bytes() for file in expected} == expected


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


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.html", LINK.decode().encode("utf-16"), "UTF-16-LE, of which git makes no patch"),
        ("../a.html", LINK, "outside of the working directory"),
    ],
)
def test_what_is_in_no_patch_is_named(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / name).write_bytes(data)
    run = lint(folder, "--diff", name)
    assert run.stdout == b""
    assert (run.returncode, why in run.stderr.decode()) == (2, True)


def test_changes_that_are_left_out_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"x\n" + LINK + b"\n" + SECRET)
    run = lint(tmp_path, "--diff")
    assert run.stdout == b""
    assert b"a.html:2: not in the patch, which would show a password" in run.stderr
    assert b"0 diagnostics would be fixed, 1 left" in run.stderr  # by this patch
    assert run.returncode == 1


def lint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own: its output is bytes."""
    options = ["--isolated", "--no-cache", "--select=path-illegal", *arguments]
    source = str(Path(__file__).parent.parent.parent / "src")
    return subprocess.run(
        [sys.executable, "-m", "uriproof", "lint", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": source, "FORCE_COLOR": "1"},
        capture_output=True,
        check=False,
    )
