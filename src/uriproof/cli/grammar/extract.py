"""``uriproof grammar extract``: the ABNF in an RFC's text.

May import every other layer. Invariant: standard output has only the grammar, and everything left
out of it is reported on standard error.
"""

from __future__ import annotations

import sys

import click

from ...text.drawing import visible
from ...text.names import some
from .._grammars import refusals
from .._group import examples, files
from .._inputs import read_text
from .._options import output_option, quiet_option
from .._output import put


@click.command(
    short_help="Extract the ABNF from the text of an RFC.",
    epilog=examples(("uriproof grammar extract rfc3986.txt -o own.abnf", "to a file")),
)
@click.argument("file", metavar="FILE|-", shell_complete=files)
@output_option
@quiet_option
def command(*, file: str, output: str | None, quiet: bool) -> int:
    """Extract the ABNF from FILE, the text of an RFC (or standard input, -).

    Prose, page breaks and indentation are dropped; comments stay. A rule that is defined more than
    once is taken from the section with the most rules, such as an appendix of collected ABNF. In
    Markdown and XML, only blocks marked as ABNF are read.

    \b
    Exit code: 0  written
               2  no ABNF was found, or FILE cannot be read
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
        click.echo(f"{visible(shown)}: {some(len(found.rules), 'rule')}", err=True)
    return 0
