"""Target: ``uriproof lint``, on a file of any format with any bytes in it.

Owns its inputs: one byte chooses the name of the file, the rest is the file. Uses the command line
alone. Invariant: what is reported stands in the file where the report says, and every output format
and run reports the same.
"""

from __future__ import annotations

import json
from typing import Any

from .files import NAMES, lint, text_of
from .harness import hold, run

KEYS = {"code", "severity", "file", "line", "column", "start", "end", "message", "edits", "url"}


def one_input(data: bytes) -> None:
    """Lint the bytes as standard input, as JSON and in full."""
    name, file = NAMES[(data[:1] or b"\0")[0] % len(NAMES)], data[1:]
    code, out = lint("--format", "json", "--stdin-filename", name, "-", data=file)
    diagnostics: list[dict[str, Any]] = json.loads(out)
    hold(code in (0, 1, 2), "the exit code is 0, 1 or 2")
    counted = [each for each in diagnostics if each["severity"] != "note"]
    hold(bool(counted) <= (code == 1), "what is reported gives exit code 1")
    text = text_of(file)
    before = (0, 0)
    for each in diagnostics:
        hold(each.keys() >= KEYS, "no key is left out")
        if each["code"] == "bad-encoding":  # of the whole file, and before all others
            continue
        hold(before <= (before := (each["start"], each["end"])), "diagnostics are sorted")
        if text is None:
            continue
        hold(0 <= each["start"] <= each["end"] <= len(text), "diagnostics are in the file")
        hold(each["line"] >= 1 and each["column"] >= 1, "lines and columns count from 1")
        for edit in each["edits"]:
            hold(0 <= edit["start"] <= edit["end"] <= len(text), "fixes are in the file")
    _, lines = lint("--format", "jsonl", "--stdin-filename", name, "-", data=file)
    again = [json.loads(line) for line in lines.splitlines()]
    hold(again == diagnostics, "jsonl has the diagnostics of json")
    _, full = lint("--format", "full", "--stdin-filename", name, "-", data=file)
    hold(all(c.isprintable() or c == "\n" for c in full), "no control character gets out")


if __name__ == "__main__":
    run(one_input)
