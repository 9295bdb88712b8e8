"""The linter as the targets call it: names of files, and the command with bytes on its input.

Owns the list of names, whose order seeds rely on: add at the end. Imports the command line.
Invariant: no settings and no cache of this machine have any effect.
"""

from __future__ import annotations

import codecs
import sys
from io import BytesIO, TextIOWrapper
from unittest.mock import patch

from uriproof.cli import main

NAMES = (
    *("a.md", "a.html", "a.txt", "a.rst", "a.adoc", "a.css", "a.csv", "a.json", "a.jsonl"),
    *("a.ipynb", "a.yaml", "openapi.yaml", "a.toml", "a.ini", "a.xml", "a.py", "a.c", "a.js"),
    *("a.sh", "a.sql", "a.tex", "a.go", "a.rb", "a.svg", "a.tsv", "a.ts", "a.bat", "a.log"),
)


def lint(*options: str, data: bytes = b"") -> tuple[int, str]:
    """The exit code and standard output of ``uriproof lint``."""
    given = TextIOWrapper(BytesIO(data), "utf-8")
    out, error = (TextIOWrapper(BytesIO(), "utf-8", newline="\n") for _ in range(2))
    with (
        patch.object(sys, "stdin", given),
        patch.object(sys, "stdout", out),
        patch.object(sys, "stderr", error),
    ):
        code = main(["lint", "--isolated", "--no-cache", "--jobs", "1", "--quiet", *options])
        out.flush()
    return code, out.buffer.getvalue().decode("utf-8")


def text_of(data: bytes) -> str | None:
    """The file's text without its byte order mark, if it is plainly UTF-8."""
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError:
        return None
