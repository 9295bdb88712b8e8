"""``uriproof scan``: validate a column of large files.

May import every other layer. Invariant: standard output has only the summary; files that cannot be
read are reported on standard error and make the exit code 2. The run itself is ``data.scan.run``.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TextIO

import click

from .. import __version__
from ..data.scan import FORMATS, Options, ScanError
from ..text.drawing import visible
from ..text.names import some
from . import _output
from ._grammars import rule_of, rule_options
from ._group import Refused, examples, files
from ._options import choice, color_option, format_choice, pair, refuse_beside, value
from ._progress import Progress

if TYPE_CHECKING:
    from ..data.scan.results import Counts

_MOST_COMPLAINTS = 10


def _only(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The one column. Errors: BadParameter; click itself would take the last."""
    if len(given) > 1:
        raise click.BadParameter("a scan reads one column; run it again for another")
    return given[0] if given else None


def _amount(_: click.Context, __: click.Parameter, given: str) -> tuple[float, int]:
    """A number and what it is of: 100 for a percentage, else 1. Errors: BadParameter."""
    number = given.removesuffix("%")
    if not number.replace(".", "", 1).isdecimal() or not number.isascii():
        raise click.BadParameter(f"{visible(given)!r} is not a number or a percentage")
    return float(number), 100 if number != given else 1


def _share(context: click.Context, option: click.Parameter, given: str | None) -> float | None:
    """A part of 1. Errors: BadParameter."""
    number, whole = _amount(context, option, given or "0")
    if given and (whole == 1 or not 0 < number < whole):
        raise click.BadParameter("use a share between 0% and 100%, such as 1%")
    return number / whole or None


def _character(_: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """A character, which can be an escape; a quote can be empty. Errors: BadParameter."""
    if given is None or (not given and option.name == "quote"):
        return given
    try:
        found = given.encode("ascii").decode("unicode_escape")
    except UnicodeError:
        found = ""
    if len(found) != 1 or not found.isascii() or found in "\r\n\0":
        words = "is not a single ASCII character, such as ; or \\t"
        raise click.BadParameter(f"{visible(given)!r} {words}")
    return found


@click.command(
    short_help="Validate a column of large files: Parquet, CSV and others.",
    epilog=examples(
        ("uriproof scan urls.txt", "each line of a file"),
        ("uriproof scan 'crawl/*.parquet' --column url", "a column of many files"),
        ("uriproof scan s3://bucket/crawl/ --sample 1%", "a sample of a bucket"),
        ("uriproof scan a.csv.gz -o bad.parquet", "all violations as a table"),
        ("zcat a.gz | uriproof scan - --input-format jsonl", "standard input"),
    ),
)
@click.argument("files", nargs=-1, metavar="FILE... [-]", shell_complete=files)
@value(
    "--column NAME",
    "Column with the texts; a.b in a struct, an object or a list of them; in CSV and TSV "
    "also its number, from 1.  [default: the only column of text]",
    multiple=True,
    callback=_only,
)
@choice(
    "format --input-format",
    tuple(FORMATS),
    "Format of all files.  [default: by file extension; text for standard input]",
)
@pair(
    "header",
    "Whether the first record of CSV and TSV is a header.  [default: unless it has a URL]",
)
@value(
    "--delimiter CHARACTER",
    "Delimiter of CSV and TSV; escapes such as \\t and \\x01 also work.  [default: the most "
    "frequent in the first line]",
    callback=_character,
)
@value("--quote CHARACTER", "Quote of CSV and TSV; '' for none.", default='"', callback=_character)
@value("--encoding NAME", "Encoding of files of text.  [default: utf-8]")
@value("--sample N%", "Validate only this share of the rows.", callback=_share)
@rule_options
@value(
    "-o --output FILE",
    "Write every violation to this file, in Parquet, CSV or JSON Lines by its name: file, "
    "row, start, end, component, production, kind, code, text and host, passwords masked.",
)
@value("--report FILE.html", "Write the summary to this page, with plots.")
@value(
    "--fail-over N[%]",
    "Exit with 1 only if more rows than this, or than this share of them, are invalid.",
    default="0",
    callback=_amount,
)
@format_choice("text", "json", text="Format of the summary.")
@color_option
def command(**given: Any) -> int:
    """Validate one column of files of any size, and count the errors.

    FILE is Parquet, CSV, TSV, JSON Lines or plain text with one URI on each line, also compressed
    (gzip, zstd, bzip2, lz4): a file, a folder, a pattern in quotes ('crawl/**/*.csv'), an address
    (s3://, gs://, https://), or - for standard input. Hidden files and folders (.git, _temporary)
    are skipped. Rows count from 0 in their file: rows of Parquet, records after the header of CSV
    and TSV, lines of the others. Null and blank rows are not validated. Broken rows, which cannot
    be read, are counted and skipped. The --output file is written whole or not at all. Requires
    pip install "uriproof[data]".

    \b
    Exit code: 0  every text is valid, or as many as --fail-over wants
               1  more texts are invalid
               2  invalid usage, or something could not be read or written
             130  interrupted
    """
    if not given["files"]:
        raise click.UsageError("Nothing to scan: give a FILE, or - for standard input.")
    if given["format"] not in {None, "csv", "tsv"}:
        refuse_beside(f"--input-format {given['format']}", "header", "delimiter", "quote")
    rule = rule_of(given["rule"], given["grammar"], given["query"], given["schemes"])
    about = {"version": __version__, "rule": rule.name, "grammar": given["grammar"]}
    about |= {"query": given["query"]} if given["query"] else {}
    about |= {"schemes": "yes"} if given["schemes"] else {}
    picked = {each.name: given[each.name] for each in fields(Options) if each.name in given}
    options = Options(**picked, about={f"uriproof.{name}": words for name, words in about.items()})
    progress = Progress()
    with ExitStack() as stack:
        page = given["report"] and stack.enter_context(_output.output_file(given["report"]))
        try:
            from ..data.scan.run import scan

            counts = scan(given["files"], rule, options, progress.scanned)
        except ScanError as error:
            raise Refused(str(error)) from error
        finally:
            progress.close()
        _show(counts, given, about, page)
    if counts.unread or counts.broken:
        return 2
    number, whole = given["fail_over"]
    return int(counts.invalid * whole > number * (counts.rows if whole > 1 else 1))


def _show(counts: Counts, given: dict[str, Any], rule: dict[str, str], page: TextIO | None) -> None:
    """The page, the summary and the notes: the output is written."""
    from ..data.scan.report import BLOCK, as_json, summary_text
    from ..data.scan.sources import shown_name

    names = [shown_name(name) for name in given["files"]]
    about = {"files": " ".join(names)} | rule
    about |= {name: given[name] for name in ("column", "output") if given[name]}
    about |= {"sample": f"{given['sample']:.4g} of all rows"} if given["sample"] else {}
    if page is not None:
        from ..data.scan.page import report_html

        title = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"
        page.write(report_html(counts, about, title))
    if given["form"] == "json":
        sys.stdout.write(as_json(counts, about))
    else:
        style = _output.style(sys.stdout, None, given["color"])
        block = BLOCK if _output.can_show(BLOCK) else "#"
        sys.stdout.write(summary_text(counts, color=style.color, width=style.width, block=block))
    sys.stdout.flush()
    if given["output"]:
        _output.note(f"{some(counts.violations, 'violation')} written to {given['output']}")
    complaints = [f"{file}: {why}" for file, why in counts.unread.items()]
    for file, of in counts.files.items():
        if of.first_broken is not None:
            which = "the first" if of.broken > 1 else "it"
            row, why = of.first_broken
            skipped = f"{some(of.broken, 'broken row')} skipped"
            complaints.append(f"{file}: {skipped}; {which} is row {row:,}: {why}")
    for complaint in complaints[:_MOST_COMPLAINTS]:
        _output.complain(complaint)
    if (more := len(complaints) - _MOST_COMPLAINTS) > 0:
        _output.complain(f"{some(more, 'more file')} could not be read, or have broken rows")
