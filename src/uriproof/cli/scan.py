"""``uriproof scan``: validate a column of large files.

May import every other layer. Invariant: standard output has only the summary; files that cannot be
read are reported on standard error and make the exit code 2. The run itself is ``data.scan.run``.
"""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from ..text.drawing import visible
from . import INTERRUPTED, USAGE, _output
from ._grammars import rule_of, rule_options
from ._group import Refused, examples, files
from ._progress import Progress

if TYPE_CHECKING:
    from ..data.scan.run import Options, Result
    from ..rule import Rule

__all__ = ["FORMATS", "command"]

FORMATS = ("parquet", "csv", "tsv", "jsonl", "warc", "text")

_MOST_COMPLAINTS = 10


@click.command(
    short_help="Validate a column of large files: Parquet, CSV and others.",
    epilog=examples(
        ("uriproof scan urls.txt", "each line of a file"),
        ("uriproof scan 'crawl/*.parquet' --column url", "a column of many files"),
        ("uriproof scan a.csv.gz -o bad.parquet", "all violations as a table"),
        ("zcat a.gz | uriproof scan - --input-format jsonl", "standard input"),
    ),
)
@click.argument("files", nargs=-1, metavar="FILE... [-]", shell_complete=files)
@click.option(
    "--column",
    metavar="NAME",
    help="Column with the texts; a.b in a struct or object; in CSV and TSV also its number, from "
    "1.  [default: the only column of text; in WARC, WARC-Target-URI]",
)
@click.option(
    "--input-format",
    type=click.Choice(FORMATS),
    help="Format of all files.  [default: by file extension; text for standard input]",
)
@click.option(
    "--header/--no-header",
    default=None,
    help="Whether the first record of CSV and TSV is a header.  [default: unless it looks like "
    "data]",
)
@click.option(
    "--delimiter",
    metavar="CHARACTER",
    help="Delimiter of CSV and TSV; escapes such as \\t and \\x01 also work.  [default: detected "
    "in the first records]",
)
@rule_options
@click.option(
    "-o",
    "--output",
    metavar="FILE.parquet",
    help="Write every violation to this file: file, row, start, end, component, production, kind, "
    "code, fix and text, passwords masked.",
)
@click.option("--report", metavar="FILE.html", help="Write the summary to this page, with plots.")
@_output.format_choice("text", "json", text="Format of the summary.")
@_output.color_option
@_output.jobs_option
@click.option(
    "--state",
    metavar="FOLDER",
    help="Keep finished work in this folder until the end.  [default: FILE.parquet.scan]",
)
def command(**given: Any) -> int:
    """Validate one column of files of any size, and count the errors.

    FILE is Parquet, CSV, TSV, JSON Lines, WARC or plain text with one URI on each line, also
    compressed (gzip, zstd, bzip2, xz, lz4); a pattern in quotes ('crawl/**/*.csv'); a folder; or -
    for standard input. Hidden files and folders (.git, _temporary) are skipped. Rows count from 0
    in their file: rows of Parquet, records after the header of CSV and TSV, records of WARC, lines
    of the others. Null and blank rows are not validated. Broken rows, which cannot be read, are
    counted and skipped.

    After an interruption, the same command resumes a scan with --output or --state, except from
    standard input. The --output file is written when the scan completes. Requires pip install
    "uriproof[data]".

    \b
    Exit code: 0  every text is valid
               1  at least one text is invalid
               2  invalid usage, or something could not be read or written
             130  interrupted
    """
    if not given["files"]:
        raise click.UsageError("Nothing to scan: give a FILE, or - for standard input.")
    rule = rule_of(given["rule"], given["grammar"], given["query"], given["schemes"])
    _check_folder(given["report"])
    return _Scan(given, rule).run()


class _Scan:
    """One call, and its messages."""

    def __init__(self, given: dict[str, Any], rule: Rule) -> None:
        self._given, self._rule = given, rule
        self._progress = Progress()

    def run(self) -> int:
        from ..data.scan.run import Interrupted, ScanError, scan

        try:
            result = scan(
                self._given["files"],
                self._rule,
                self._options(),
                notify=self._notify,
                tick=self._progress.scanned,
                finish=self._finish,
            )
        except ScanError as error:
            self._notify(str(error), True)
            return 2
        except Interrupted as error:
            self._notify(error.words)
            return INTERRUPTED
        except (OSError, ImportError, click.ClickException):
            raise
        except Exception:  # an error of this program ends with 1, which is that of invalid texts
            traceback.print_exc()
            return USAGE
        if result.unread or result.counts.broken:
            return 2
        return int(result.counts.invalid > 0)

    def _options(self) -> Options:
        from ..data.scan.run import Options

        names = ("column", "header", "state")
        return Options(
            **{name: self._given[name] for name in names},
            out=self._given["output"],
            format=self._given["input_format"],
            delimiter=_delimiter(self._given["delimiter"]),
            processes=self._given["jobs"] or None,
            about=self._about(),
        )

    def _about(self) -> dict[str, str]:
        """The rule, in words."""
        about = {"rule": self._rule.name, "grammar": self._given["grammar"]}
        if self._given["query"]:
            about["query"] = self._given["query"]
        if self._given["schemes"]:
            about["schemes"] = "yes"
        return about

    def _notify(self, what: str, error: bool = False) -> None:
        self._progress.make_way(sys.stderr)
        (_output.complain if error else _output.note)(what)

    def _finish(self, result: Result) -> None:
        """The output is written: print the page, the summary and the notes."""
        self._progress.close()
        counts = result.counts
        if self._given["report"]:
            self._write_page(result)
        if self._given["form"] == "json":
            from ..data.scan.report import as_json

            sys.stdout.write(as_json(counts, self._facts(result)))
        else:
            from ..data.scan.report.text import summary_text

            style = _output.style(sys.stdout, None, self._given["color"])
            text = summary_text(
                counts,
                self._facts(result),
                color=style.color,
                width=style.width,
                encoding=sys.stdout.encoding or "utf-8",
            )
            sys.stdout.write(text)
        sys.stdout.flush()
        if self._given["output"]:
            number = counts.violations
            words = f"{number:,} violation{'s' * (number != 1)}"
            self._notify(f"{words} written to {self._given['output']}")
        for file, first in list(result.broken.items())[:_MOST_COMPLAINTS]:
            number = counts.files[file].broken
            rows = f"{number:,} broken row{'s' * (number != 1)} skipped"
            which = "the first" if number > 1 else "it"
            self._notify(f"{file}: {rows}; {which} is row {first.row:,}: {first.why}", True)
        if (more := len(result.broken) - _MOST_COMPLAINTS) > 0:
            self._notify(f"{more:,} more files have broken rows", True)

    def _write_page(self, result: Result) -> None:
        from ..data.scan.report.html import report_html
        from ._output import write_text

        files = self._given["files"]
        title = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1:,} more"
        page = report_html(result.counts, self._facts(result), title=title)
        write_text(self._given["report"], page)

    def _facts(self, result: Result) -> Any:
        from datetime import UTC, datetime

        from .. import __version__
        from ..data.scan.report import About

        given = self._given
        lines = [("Files", " ".join(given["files"]))]
        lines += [("Rule", f"{self._rule.name} of {given['grammar']}")]
        lines += [("Query", given["query"])] if given["query"] else []
        lines += [("Scheme-specific rules", "yes")] if given["schemes"] else []
        lines += [("Column", given["column"])] if given["column"] else []
        lines += [("Processes", f"{given['jobs']:,}")] if given["jobs"] else []
        lines += [("Violations", given["output"])] if given["output"] else []
        lines += [("Version", f"uriproof {__version__}")]
        made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        return About(tuple(lines), result.seconds, result.before, result.unread, made)


def _delimiter(given: str | None) -> str | None:
    r"""The character of ``--delimiter``. Errors: UsageError.

    >>> _delimiter(r"\x01"), _delimiter(r"\t"), _delimiter(";")
    ('\x01', '\t', ';')
    """
    if given is None:
        return None
    found = "\t" if given == r"\t" else given
    if len(given) == 4 and given.startswith(r"\x"):  # noqa: PLR2004 -- and two digits
        with suppress(ValueError):
            found = chr(int(given[2:], 16))
    if len(found) != 1 or not found.isascii() or found in '"\r\n\0':
        raise click.UsageError(
            f"--delimiter: {visible(given)!r} is not a single ASCII character that can separate "
            r"fields, such as ; or \t"
        )
    return found


def _check_folder(file: str | None) -> None:
    """Errors: Refused, if a file cannot be written; better now than at the end."""
    if file is not None:
        folder = os.path.dirname(os.path.realpath(file))
        if not os.path.isdir(folder):
            raise Refused(f"{visible(file)}: folder {visible(folder)} does not exist")
