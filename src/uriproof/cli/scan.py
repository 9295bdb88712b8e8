"""``uriproof scan``: validate a column of large files.

May import every other layer. Invariant: standard output has the summary and nothing beside it; what
cannot be read is reported on standard error and makes the exit code 2. The run itself is
``data.scan.run``.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from ..text.drawing import visible
from . import _click as click
from . import _console
from ._answers import format_option
from ._grammars import grammar_option, load, refusals

if TYPE_CHECKING:
    from ..data.rule import ColumnRule

_GLOB = frozenset("*?[")


@click.command(
    section="Validate",
    short_help="Validate a column of large files: Parquet, CSV, JSON Lines, WARC, text.",
    examples=(
        ("uriproof scan urls.txt", "the lines of a text file"),
        ("uriproof scan 'crawl/*.parquet' --column url", "a column of many files"),
        ("uriproof scan a.csv.gz --out bad.parquet", "and all violations as a table"),
    ),
)
@click.argument("files", nargs=-1, metavar="FILE... [-]")
@click.option("--column", metavar="NAME", help="Column of texts; by default the only one there is.")
@click.option("--format", "given", metavar="FORMAT", help="Format of the files.")
@click.option("-r", "--rule", help="Production to validate the texts against.  [default: URI]")
@grammar_option
@click.option("-q", "--query", metavar="NAME", help="Also validate the query against this grammar.")
@click.option("--schemes", is_flag=True, help="Also apply scheme-specific rules.")
@click.option("--out", metavar="FILE.parquet", help="Write all violations to this file.")
@click.option("--report", metavar="FILE.html", help="Write the summary as a page, with plots.")
@click.option("--engine", default="arrow", show_default=True, metavar="ENGINE", help="Engine.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Number of processes.")
@click.option("--state", metavar="FOLDER", help="Where what is done is kept.")
@_console.color_option
def command(**given: Any) -> int:
    """Validate the texts of a column in files of any size."""
    from ..data.rule import ColumnRule
    from ..data.scan.run import Options, scan

    rule = ColumnRule(given["rule"] or "URI", load(given["grammar"]), given["query"], given["schemes"])
    options = Options(given["column"], given["given"], given["out"], given["state"], given["engine"], given["jobs"] or os.cpu_count() or 1)
    result = scan(given["files"], rule, options, notify=lambda w: click.echo(w, err=True))
    from ..data.scan.report.text import summary_text
    click.echo(summary_text(result.counts, color=False, width=80, seconds=result.seconds))
    return 0
