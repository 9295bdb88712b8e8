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

from ..data.scan import FORMATS, Options, ScanError
from ..text.drawing import visible
from ..text.names import some
from . import USAGE, _output
from ._grammars import rule_of, rule_options
from ._group import Refused, examples, files
from ._options import choice, color_option, format_choice, pair, value
from ._progress import Progress

if TYPE_CHECKING:
    from ..data.scan.run import Result
    from ..rule import Rule

_MOST_COMPLAINTS = 10


def _only(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The one column. Errors: BadParameter; click itself would take the last."""
    if len(given) > 1:
        raise click.BadParameter("a scan reads one column; run it again for another")
    return given[0] if given else None


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
    "--input-format",
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
)
@value("--quote CHARACTER", "Quote of CSV and TSV; '' for none.", default='"')
@value("--encoding NAME", "Encoding of files of text.  [default: utf-8]")
@value("--sample N%", "Validate only this share of the rows.")
@rule_options
@value(
    "-o --output FILE",
    "Write every violation to this file, in Parquet, CSV or JSON Lines by its name: file, "
    "row, start, end, component, production, kind, code, fix, text and host, passwords masked.",
)
@value("--report FILE.html", "Write the summary to this page, with plots.")
@value(
    "--fail-over N[%]",
    "Exit with 1 only if more rows than this, or than this share of them, are invalid.",
    default="0",
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
    rule = rule_of(given["rule"], given["grammar"], given["query"], given["schemes"])
    about = _about(given, rule)
    options, most = _options(given, about), _amount("--fail-over", given["fail_over"])
    _check_folder(given["report"])
    progress = Progress()

    def notify(what: str) -> None:
        progress.make_way(sys.stderr)
        _output.note(what)

    try:
        from ..data.scan.run import scan

        result = scan(given["files"], rule, options, notify=notify, tick=progress.scanned)
    except ScanError as error:
        raise Refused(str(error)) from error
    except (OSError, ImportError, click.ClickException):
        raise
    except Exception:  # an error of this program ends with 1, which is that of invalid texts
        traceback.print_exc()
        return USAGE
    finally:
        progress.close()
    _show(result, given, about)
    if result.unread or result.broken:
        return 2
    number, whole = most
    return int(result.counts.invalid * whole > number * (result.counts.rows if whole > 1 else 1))


def _options(given: dict[str, Any], about: dict[str, str]) -> Options:
    """The options of the run. Errors: UsageError."""
    csv = given["header"] is not None or given["delimiter"] is not None or given["quote"] != '"'
    if csv and given["input_format"] not in {None, "csv", "tsv"}:
        raise click.UsageError("--header, --no-header, --delimiter and --quote are for CSV and TSV")
    share = None
    if given["sample"] is not None:
        number, whole = _amount("--sample", given["sample"])
        share = number / whole
        if whole == 1 or not 0 < share < 1:
            raise click.UsageError("--sample: use a share between 0% and 100%, such as 1%")
    return Options(
        column=given["column"],
        format=given["input_format"],
        header=given["header"],
        delimiter=_character("--delimiter", given["delimiter"]),
        quote=_character("--quote", given["quote"] or None) or "",
        encoding=_encoding(given["encoding"]),
        sample=share,
        out=given["output"],
        about={f"uriproof.{name}": words for name, words in about.items()},
    )


def _about(given: dict[str, Any], rule: Rule) -> dict[str, str]:
    """The rule and the version, in words."""
    from .. import __version__

    about = {"version": __version__, "rule": rule.name, "grammar": given["grammar"]}
    about |= {"query": given["query"]} if given["query"] else {}
    return about | ({"schemes": "yes"} if given["schemes"] else {})


def _amount(option: str, given: str) -> tuple[float, int]:
    """A number and what it is of: 100 for a percentage, else 1. Errors: UsageError.

    >>> _amount("--fail-over", "0.1%"), _amount("--fail-over", "5")
    ((0.1, 100), (5.0, 1))
    """
    number = given.removesuffix("%")
    if not number.replace(".", "", 1).isdecimal() or not number.isascii():
        raise click.UsageError(f"{option}: {visible(given)!r} is not a number or a percentage")
    return float(number), 100 if number != given else 1


def _encoding(name: str | None) -> str | None:
    """Errors: UsageError, for an encoding that Python does not have, or that is not of text."""
    from codecs import lookup

    try:
        if name is None or lookup(name)._is_text_encoding:
            return name
    except (LookupError, ValueError):
        pass
    raise click.UsageError(
        f"--encoding: {visible(str(name))!r} is unknown; use latin-1, for example"
    )


def _character(option: str, given: str | None) -> str | None:
    r"""The character of an option. Errors: UsageError.

    >>> _character("", r"\x01"), _character("", r"\t"), _character("", ";")
    ('\x01', '\t', ';')
    """
    if given is None:
        return None
    found = "\t" if given == r"\t" else given
    if len(given) == 4 and given.startswith(r"\x"):  # noqa: PLR2004 -- and two digits
        with suppress(ValueError):
            found = chr(int(given[2:], 16))
    if len(found) != 1 or not found.isascii() or found in "\r\n\0":
        raise click.UsageError(
            f"{option}: {visible(given)!r} is not a single ASCII character, such as ; or \\t"
        )
    return found


def _show(result: Result, given: dict[str, Any], rule: dict[str, str]) -> None:
    """The page, the summary and the notes: the output is written."""
    from datetime import UTC, datetime

    from ..data.scan.report import BLOCKS, About, as_json, summary_text
    from ..data.scan.sources import shown_name

    counts, names = result.counts, [shown_name(name) for name in given["files"]]
    lines = {"files": " ".join(names)} | rule
    lines |= {name: given[name] for name in ("column", "sample", "output") if given[name]}
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    about = About(tuple(lines.items()), result.seconds, len(result.unread), made)
    if given["report"]:
        from ..data.scan.page import report_html

        title = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"
        _output.write_text(given["report"], report_html(counts, about, title=title))
    if given["form"] == "json":
        sys.stdout.write(as_json(counts, about))
    else:
        style = _output.style(sys.stdout, None, given["color"])
        blocks = _output.can_show(BLOCKS)
        text = summary_text(counts, about, color=style.color, width=style.width, blocks=blocks)
        sys.stdout.write(text)
    sys.stdout.flush()
    if given["output"]:
        _output.note(f"{some(counts.violations, 'violation')} written to {given['output']}")
    complaints = [f"{file}: {why}" for file, why in result.unread.items()]
    for file, (row, why) in result.broken.items():
        number = counts.files[file].broken
        which = "the first" if number > 1 else "it"
        skipped = f"{some(number, 'broken row')} skipped"
        complaints.append(f"{file}: {skipped}; {which} is row {row:,}: {why}")
    for complaint in complaints[:_MOST_COMPLAINTS]:
        _output.complain(complaint)
    if (more := len(complaints) - _MOST_COMPLAINTS) > 0:
        _output.complain(f"{some(more, 'more file')} could not be read, or have broken rows")


def _check_folder(file: str | None) -> None:
    """Errors: Refused, if a file cannot be written; better now than at the end."""
    if file is not None:
        folder = os.path.dirname(os.path.realpath(file))
        if not os.path.isdir(folder):
            raise Refused(f"{visible(file)}: folder {visible(folder)} does not exist")
