"""The queries of docs/data/scan.md, on the table that the command of the page writes.

Owns the blocks of SQL and Python of that page; its commands are run by ``test_docs``. Invariant:
each block is followed by what it prints now.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from build_examples import BLOCK, NAMED, commands, printed

PAGE = Path(__file__).parent.parent.parent / "docs" / "data" / "scan.md"
QUERY = re.compile(r"```(sql|python)\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


def shown_by(kind: str, query: str) -> str:
    """What a query prints."""
    if kind == "sql":
        duckdb = pytest.importorskip("duckdb")
        return str(duckdb.connect().sql(query))
    pytest.importorskip("polars")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(query, str(PAGE), "exec"), {})  # noqa: S102 -- what the page says
    return out.getvalue()


def test_the_queries_print_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text("utf-8")
    for _, body in BLOCK.findall(text):
        if named := NAMED.match(body):
            Path(named[1]).write_text(body, "utf-8")
    printed(next(c for c in commands(text) if "--output violations.parquet" in c))
    queries = QUERY.findall(text)
    assert len(queries) == len(re.findall("^```(?:sql|python)$", text, re.MULTILINE)) > 0
    for kind, query, shown in queries:
        assert shown_by(kind, query).rstrip() == shown.rstrip()


def test_every_option_is_on_the_page() -> None:
    from uriproof.cli.scan import command

    text = PAGE.read_text("utf-8")
    for param in command.params:
        options = [option for option in param.opts if option.startswith("-")]
        assert not options or any(re.search(rf"{o}(?![\w-])", text) for o in options), options
