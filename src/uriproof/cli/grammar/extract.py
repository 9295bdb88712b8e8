"""``uriproof grammar extract``: the ABNF in an RFC's text.

May import every other layer. Invariant: standard output is the grammar alone, and all that is left
out of it is reported on standard error.
"""

from __future__ import annotations

import sys

import click

from ...text.drawing import visible
from .._grammars import refusals
from .._group import examples, files
from .._inputs import read_text
from .._output import output_option, put, quiet_option


@click.command(
    short_help="Write the ABNF that is in the text of an RFC.",
    epilog=examples(("uriproof grammar extract rfc3986.txt -o own.abnf", "to a file")),
)
@click.argument("file", metavar="FILE|-", shell_complete=files)
@output_option
@quiet_option
def command(*, file: str, output: str | None, quiet: bool) -> int:
    """Write the ABNF in FILE, the text of an RFC (or standard input, -).

    Prose, page breaks and indentation are dropped; comments stay. A rule that is defined more than
    once is taken from the section with most rules, such as an appendix of collected ABNF. Of
    Markdown and XML, what is marked as ABNF is taken.

    \b
    Exit code: 0  written
               2  there is no ABNF, or FILE cannot be read
    """
    from ...grammar.registry import load
    from ...workbench.abnf.extract import extract_abnf

    shown = "<stdin>" if file == "-" else file
    with refusals():
        found = extract_abnf(
            read_text(file), resolve=lambda name: load(name).model, file=visible(shown)
        )
    put(output, found.abnf)
    if not quiet:
        sys.stdout.flush()
        for note in found.notes:
            click.echo(f"{visible(shown)}:{note.line}: {visible(note.message)}", err=True)
        count = len(found.rules)
        click.echo(f"{visible(shown)}: {count:,} rule{'s' * (count != 1)}", err=True)
    return 0
