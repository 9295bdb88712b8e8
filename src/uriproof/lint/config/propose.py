"""A first configuration for a tree: its excludes, and the settings to know first.

Owns which folders are proposed to be excluded, and the text. Imports the names of folders.
Invariant: proposals are only for what is in the tree, and the text is read without problems.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ...text.names import some
from .places import FILES, FOLDERS, VENDORED, kind_of


class Exclude(NamedTuple):
    """A pattern to exclude, the number of files that it excludes, and their kind."""

    pattern: str
    files: int
    why: str


def excludes(paths: Iterable[str]) -> list[Exclude]:
    """The excludes for the files of a tree, whose paths have slashes; the largest first.

    >>> excludes(["vendor/a.md", "vendor/x/vendor/b.md", "src/a.py", "web/app.min.js"])[0]
    Exclude(pattern='vendor/', files=2, why='third-party code')
    >>> excludes(["tests/add/vendor/a.md"])
    []
    """
    folders: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for path in paths:
        if kind_of(path) != VENDORED:
            continue
        *above, name = path.split("/")
        at = next((n for n, one in enumerate(above, 1) if one in FOLDERS), 0)
        if at:
            folders["/".join(above[:at])] += 1
        elif ends := [end for end in FILES if name.endswith(end)]:
            files[f"*{ends[0]}"] += 1
    found = [Exclude(pattern, count, "generated") for pattern, count in files.items()]
    for folder, count in folders.items():
        found.append(Exclude(f"{folder}/", count, FOLDERS[folder.rpartition("/")[2]]))
    return sorted(found, key=lambda one: (-one.files, one.pattern))


def text(
    found: Iterable[Exclude],
    table: str = "",
    baseline: str | None = None,
) -> str:
    """The configuration as TOML, under a table of that name if it is not empty.

    ``baseline`` is the file of the known diagnostics.

    >>> print(text([Exclude("vendor/", 2, "third-party code")], "tool.uriproof").splitlines()[4])
        "vendor/",  # third-party code: 2 files
    """
    lines = [f"[{table}]"] * bool(table)
    lines += [
        "# Settings for uriproof lint; list all with: uriproof lint --show-settings",
        "# Excluded in addition to what git ignores:",
    ]
    listed = list(found)
    entries = [
        f"    {_quoted(one.pattern)},  # {one.why}: {some(one.files, 'file')}" for one in listed
    ]
    lines += ["extend-exclude = [", *entries, "]"] if entries else ["# extend-exclude = []"]
    if baseline is not None:
        lines += [
            "",
            "# Known diagnostics are hidden; new ones fail. After fixing some,",
            "# write it again: uriproof lint --write-baseline",
            f"baseline = {_quoted(baseline)}",
        ]
    prefix = f"{table}." if table else ""
    lines += [
        "",
        "# Advice on valid but questionable URLs is mostly off; see: uriproof explain advice",
        '# extend-select = ["advice"]',
        "",
        f"# [{prefix}per-file-ignores]",
        '# "docs/legacy/**" = ["path"]',
        "",
        f"# [{prefix}severity]",
        '# advice = "note"',
    ]
    return "\n".join(lines) + "\n"


def _quoted(pattern: str) -> str:
    """A basic string of TOML, with special characters of patterns escaped."""
    import json

    special = {"[": "[[]", "*": "[*]", "?": "[?]", "{": "[{]"}
    if not pattern.endswith(FILES):
        pattern = "".join(special.get(char, char) for char in pattern)
    return json.dumps(pattern, ensure_ascii=False)
