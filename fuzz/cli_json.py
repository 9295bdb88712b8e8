"""Target: the command line, with any bytes on standard input; JSON out, and text beside it.

Owns its inputs: one byte chooses the options, the rest are the lines. Invariant: the exit code is
0, 1 or 2 and says what the JSON says; there is one report for each line that can be read.
"""

from __future__ import annotations

import json
import sys
from io import BytesIO, StringIO, TextIOWrapper
from unittest.mock import patch

from uriproof import Rule
from uriproof.cli import main

from .harness import hold, run

OPTIONS: tuple[tuple[str, ...], ...] = (
    (),
    ("--rule", "URI-reference"),
    ("--no-advice",),
    ("--query", "key-value"),
    ("--rule", "host"),
    ("--query", "parameters", "--rule", "URI-reference"),
)
RULES = ("URI", "URI-reference", "URI", "URI", "host", "URI-reference")
QUERIES = (None, None, None, "key-value", None, "parameters")


def one_input(data: bytes) -> None:
    """Run the command line twice: for JSON, and for text."""
    chosen = (data[:1] or b"\0")[0] % len(OPTIONS)
    lines = data[1:]
    code, out = _run(("--format", "json", *OPTIONS[chosen]), lines)
    hold(out.isascii(), "JSON is ASCII")
    reports = json.loads(out)
    texts, unread = _texts(lines)
    hold(len(reports) == len(texts), "one report for each line, in order")
    advice = "--no-advice" not in OPTIONS[chosen]
    for shown, text in zip(reports, texts, strict=True):
        report = Rule(RULES[chosen], query=QUERIES[chosen]).check(text).to_dict(advice=advice)
        here = {key: shown[key] for key in report}
        hold(here == json.loads(json.dumps(report)), "the report is that of check")
    bad = not all(r["ok"] for r in reports)
    hold(code == (2 if unread else int(bad)), "the exit code says what was found")
    as_text, drawn = _run(OPTIONS[chosen], lines)
    hold(as_text == code, "the exit code does not depend on the format")
    hold(all(c.isprintable() or c == "\n" for c in drawn), "no control character gets out")


def _texts(data: bytes) -> tuple[list[str], int]:
    """The lines as the command line promises to read them, and how many are not UTF-8."""
    texts, unread = [], 0
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, raw in enumerate(lines, 1):
        ended = number < len(lines)
        line = raw.removesuffix(b"\r") if ended else raw
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            unread += 1
            continue
        if text.strip(" \t"):
            texts.append(text)
    return texts, unread


def _run(options: tuple[str, ...], lines: bytes) -> tuple[int, str]:
    given, out = TextIOWrapper(BytesIO(lines), "utf-8"), StringIO()
    with (
        patch.object(sys, "stdin", given),
        patch.object(sys, "stdout", out),
        patch.object(sys, "stderr", StringIO()),
    ):
        return main(["check", *options, "-"]), out.getvalue()


if __name__ == "__main__":
    run(one_input)
