"""``uriproof grammar format``: formats files of ABNF.

May import every other layer. Invariant: a file is written only where its layout changes, whole or
not at all, and never with --check or --diff.
"""

from __future__ import annotations

import os
import sys
from difflib import unified_diff

from ...text.drawing import visible
from ...workbench.abnf.format import NARROWEST, WIDTH
from .. import _click as click
from .._files import read_text, write_text


@click.command(
    short_help="Format grammars.",
    examples=(
        ("uriproof grammar format own.abnf", "in place"),
        ("uriproof grammar format --diff own.abnf", "what would change"),
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--check", is_flag=True, help="Write nothing; list the files that would change.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change.")
@click.option(
    "--width",
    type=click.IntRange(NARROWEST),
    default=WIDTH,
    show_default=True,
    help="Columns of a line; an RFC has 72.",
)
def command(*, files: tuple[str, ...], check: bool, diff: bool, width: int) -> int:
    """Format each FILE of ABNF in place; standard input (-) goes to standard output.

    Aligns "=" and comments, puts "/" at the beginning of a line, wraps long lines, and spells names
    as their rules do. Comments stay. The result is parsed again and means the same.

    \b
    Exit code: 0  formatted, or nothing to do
               1  with --check or --diff: some file would change
               2  some file is no ABNF, or cannot be read or written
    """
    from ...grammar.errors import GrammarError, GrammarLimit
    from ...grammar.registry import load
    from ...workbench.abnf.format import format_abnf

    code = changed = 0
    for file in files:
        shown = "<stdin>" if file == "-" else file
        name = os.path.basename(file).removesuffix(".abnf")
        try:
            text = read_text(file)
            made = format_abnf(
                text, resolve=lambda n: load(n).model, name=name, file=visible(shown), width=width
            )
            if "\r\n" in text:
                made = made.replace("\n", "\r\n")
            changed += made != text
            if diff:
                click.echo("".join(_difference(text, made, shown)), nl=False)
            elif check and made != text:
                click.echo(f"{visible(shown)}: would change")
            elif not check and file == "-":
                click.echo(made, nl=False)
            elif not check and made != text:
                write_text(file, made)
                click.echo(f"{visible(shown)}: formatted", err=True)
        except GrammarError as error:
            code = _failed(str(error))
        except (click.UsageError, GrammarLimit) as error:
            code = _failed(f"uriproof: {visible(str(error))}")
    return code or int(changed > 0 and (check or diff))


def _failed(message: str) -> int:
    sys.stdout.flush()
    click.echo(message, err=True)
    return 2


def _difference(text: str, made: str, file: str) -> list[str]:
    """The changed lines as a patch."""
    lines = unified_diff(
        text.splitlines(keepends=True),
        made.splitlines(keepends=True),
        visible(file),
        visible(file),
    )
    return [
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    ]
