"""Differences of edits: what patch and git make of them, and what a terminal shows."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uriproof.diagnostic import Edit
from uriproof.lint.fix.diff import changed, diff, patch

PIECES = ["a", "b\n", "c\r", "", "\n", "\x0c\u2028", "é", "d\ne\n"]
Edits = list[Edit]


def made_by(before: str, edits: Edits) -> str:
    for edit in reversed(edits):
        before = before[: edit.start] + edit.replacement + before[edit.end :]
    return before


def shown(before: str, edits: Edits, file: str = "a.txt") -> str:
    return "".join(patch(file, before, made_by(before, edits), changed(before, edits))[0])


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
    assert shown("a", [Edit(0, 1, "b", True)]).splitlines()[2:] == [
        "@@ -1 +1 @@",
        "-a",
        "\\ No newline at end of file",
        "+b",
        "\\ No newline at end of file",
    ]


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


LINES_AND_SECRETS = st.lists(st.sampled_from(["a", "b", "pw"]), min_size=1, max_size=12)


@given(LINES_AND_SECRETS, st.lists(st.booleans(), min_size=12, max_size=12))
def test_secret_lines_are_in_no_patch_and_the_rest_applies(
    before: list[str], fresh: list[bool]
) -> None:
    after = [f"{line}!" if new else line for line, new in zip(before, fresh, strict=False)]
    one, other = ("".join(f"{line}\n" for line in lines) for lines in (before, after))
    edits = lines_to(one, {n: new for n, new in enumerate(after) if new != before[n]})
    masked = one.replace("pw", "**"), other.replace("pw", "**")
    lines, left = patch("a", one, other, changed(one, edits), masked)
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


TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, Edits]:
    """A text, and edits of it in order."""
    before = draw(TEXTS)
    places = draw(st.lists(st.integers(0, len(before)), max_size=8).map(sorted))
    spans = zip(places[::2], places[1::2], strict=False)
    return before, [Edit(a, b, draw(st.sampled_from(PIECES)), True) for a, b in spans]


@given(edited())
def test_a_difference_makes_the_one_of_the_other(given: tuple[str, Edits]) -> None:
    before, edits = given
    assert made(before, shown(before, edits)) == made_by(before, edits)


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
@given(edited())
def test_git_applies_it(tmp_path_factory: pytest.TempPathFactory, given: tuple[str, Edits]) -> None:
    before, edits = f"x{given[0]}", [e._replace(start=e.start + 1, end=e.end + 1) for e in given[1]]
    edits = [Edit(0, 1, "y", True), *edits]
    folder: Path = tmp_path_factory.mktemp("git")
    (folder / "a b.txt").write_bytes(before.encode())
    apply(folder, shown(before, edits, "a b.txt").encode())
    assert (folder / "a b.txt").read_bytes() == made_by(before, edits).encode()


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


@pytest.mark.prove
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


@pytest.mark.prove
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
