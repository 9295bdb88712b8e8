"""Completion is click's own: what it offers, and that a shell can ask for it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.shell_completion import CompletionItem, ShellComplete

from uriproof.cli._group import group

pytestmark = pytest.mark.prove


def completed(line: str) -> list[CompletionItem]:
    """What completes the last word of a line, which may be empty."""
    *args, incomplete = line.split(" ")
    return ShellComplete(group, {}, "uriproof", "").get_completions(args, incomplete)


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("li", {"lint"}),
        ("grammar ex", {"explain", "export", "extract"}),
        ("lint --fail", {"--fail-on"}),
        ("lint --fail-on ", {"error", "warning", "note"}),
        ("lint --format j", {"json", "jsonl", "junit"}),
        ("normalize --to ", {"normal", "uri", "iri", "host"}),
        ("check -g rfc39", {"rfc3986", "rfc3987"}),
        ("grammar compare --grammar rfc39", {"rfc3986"}),
        ("check --rule IP", {"IP-literal", "IPv6address"}),
        ("check --grammar rfc3987 --rule i", {"isegment", "iuserinfo"}),
    ],
)
def test_what_completes_it(line: str, some: set[str]) -> None:
    found = [item.value for item in completed(line)]
    assert some <= set(found)
    assert all(value.startswith(line.rpartition(" ")[2]) for value in found)


@pytest.mark.parametrize("line", ["lint docs/", "lint --config ", "check --file urls", "scan "])
def test_what_is_a_file(line: str) -> None:
    (item,) = completed(line)
    assert (item.type, item.value) == ("file", line.rpartition(" ")[2])


@pytest.mark.parametrize("line", ["check http", "check --grammar none --rule a"])
def test_what_nothing_completes(line: str) -> None:
    assert completed(line) == []


def test_a_shell_asks_in_the_environment() -> None:
    asked = {"_URIPROOF_COMPLETE": "zsh_complete", "COMP_WORDS": "uriproof li", "COMP_CWORD": "1"}
    command = [sys.executable, "-c", "from uriproof.cli import main; main([])"]
    run = subprocess.run(
        command, capture_output=True, text=True, check=True, env=os.environ | asked
    )
    assert "lint" in run.stdout
