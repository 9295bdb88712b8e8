"""Differences: what patch and git make of them, and what a terminal shows."""

import os
import subprocess
from pathlib import Path
from shutil import which

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uriproof.lint.fix.diff import diff

LINES = st.lists(st.sampled_from(["a", "b", "c\r", "", "\x0c\u2028", "é"]), max_size=14)


def shown(before: str, after: str, file: str = "a.txt") -> str:
    return "".join(diff(file, before, after, colour=False))


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
    assert shown("a", "b", "./x/y.md").startswith("--- a/x/y.md\n+++ b/x/y.md\n")
    assert shown("a", "b", "x y.md").startswith("--- a/x y.md\t\n")


def test_a_terminal_takes_no_orders_from_a_line() -> None:
    lines = list(diff("a", "\x1b[2Ja\tb\r\n", "c\r\n", colour=True))
    assert lines[3] == "\x1b[31m-\\x1b[2Ja\tb\x1b[0m\n"
    assert lines[4] == "\x1b[32m+c\x1b[0m\n"


def test_what_is_hidden_is_not_shown() -> None:
    text = "".join(diff("a", "pw\nx\n", "pw\ny\n", False, lambda t: t.replace("pw", "**")))
    assert "pw" not in text
    assert " **\n-x\n+y\n" in text


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


@pytest.mark.skipif(which("git") is None, reason="git is not installed")
@settings(max_examples=15)
@given(before=LINES, after=LINES, ended=st.booleans())
def test_git_applies_it(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], after: list[str], ended: bool
) -> None:
    one, two = "\n".join([*before, "x"]) + "\n" * ended, "\n".join([*after, "y"]) + "\n"
    folder: Path = tmp_path_factory.mktemp("git")
    (folder / "a b.txt").write_bytes(one.encode())
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        cwd=folder,
        input=shown(one, two, "a b.txt").encode(),
        check=True,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)},
    )
    assert (folder / "a b.txt").read_bytes() == two.encode()
