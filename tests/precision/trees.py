"""``python -m tests.precision trees FOLDER``: the measurement on public trees, repeated.

Owns the reading of ``trees.toml``, the trees with what a person found in them. Runs the command of
the linter. Invariant: nothing is fetched; a tree is a folder ``owner+name`` with the files of the
commit that the table names, and trees that are not there are left out.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("trees.toml")


class Tree(NamedTuple):
    """A tree, and how many distinct URLs with diagnostics a person judged so in it: to be fixed;
    true, but nobody would change it; an input of a test; false."""

    name: str
    commit: str
    group: str
    fix: int
    nobody: int
    test: int
    false: int

    @property
    def said(self) -> int:
        """All the URLs with diagnostics."""
        return self.fix + self.nobody + self.test + self.false

    @property
    def folder(self) -> str:
        """The name of the folder with its files."""
        return self.name.replace("/", "+")


def trees() -> Iterator[Tree]:
    """The trees of the table, in its order."""
    for group, rows in tomllib.loads(TABLE.read_text("utf-8")).items():
        for name, row in rows.items():
            yield Tree(name, row["commit"], group, *row["urls"])


def said(folder: Path) -> set[str]:
    """The distinct URLs with diagnostics in a tree; for a problem of a file, its name."""
    command = [sys.executable, "-m", "uriproof", "lint", "--no-cache", "--no-gitignore"]
    command += ["--isolated", "-j1", "--format", "jsonl", "."]
    run = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    if run.returncode > 1:
        raise RuntimeError(run.stderr.decode("utf-8", "replace"))
    found = map(json.loads, run.stdout.decode("utf-8").splitlines())
    return {one.get("url") or one["file"] for one in found}


def main(folder: Path) -> int:
    """Lint each tree that is there; print how many URLs had diagnostics, and how many have some
    now. Exit code 1 if a tree differs, because somebody then has to read what is new."""
    differ = seen = 0
    for tree in trees():
        if not (folder / tree.folder).is_dir():
            continue
        seen += 1
        now = len(said(folder / tree.folder))
        differ += now != tree.said
        print(f"{tree.name}: {tree.said} then, {now} now")  # noqa: T201 -- a command
    print(f"{seen} trees, {differ} of them differ")  # noqa: T201
    return 1 if differ or not seen else 0
