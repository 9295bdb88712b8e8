"""``uriproof grammar export``: one production for another engine.

May import every other layer. Invariant: what is written to a file is written whole or not at all.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress

import click

from ...drawing import visible
from ...grammar.export import export, note, targets, title
from .._grammars import chosen, grammar_option, refusals


def _notes(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """What each engine needs, in words."""
    if wanted:
        for to in targets():
            click.echo(f"{to}: {title(to)}\n")
            for line in note(to).splitlines():
                click.echo(f"    {line}")
            click.echo()
        ctx.exit()


@click.command()
@click.argument("rule", required=False)
@click.option("--to", required=True, metavar="TARGET", help=f"One of: {', '.join(targets())}.")
@grammar_option
@click.option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.")
@click.option(
    "--notes",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_notes,
    help="What each target's engine needs, and what matching costs there.",
)
def command(*, rule: str | None, to: str, grammar: str, output: str | None) -> int:
    """Write RULE, or else the grammar's start rule, for another engine.

    \b
    Exit code: 0  it is written
               2  there is no such rule, grammar or target, the target cannot say
                  what the rule says, or the file cannot be written
    """
    source, name = chosen(rule, grammar)
    with refusals():
        text = export(source.compiled, name, to).rstrip("\n") + "\n"
    if output is None or output == "-":
        click.echo(text, nl=False)
    else:
        _write(output, text)
    return 0


def _write(file: str, text: str) -> None:
    """Put a file in its place in one step, so that no one ever reads half of it."""
    target = os.path.realpath(file)
    shown = visible(file)
    if os.path.isdir(target):
        raise click.UsageError(f"{shown}: a folder; name a file in it")
    temporary = None
    try:
        if os.path.exists(target) and not os.path.isfile(target):  # a device or a pipe
            with open(target, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            return
        folder, base = os.path.split(target)
        handle, temporary = tempfile.mkstemp(prefix=f".{base[:40]}.", dir=folder)
        with open(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except OSError as error:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)
        raise click.UsageError(f"{shown}: {error.strerror or error}") from error


def _mode(target: str) -> int:
    """The permissions of the file that is replaced, or those of a new one."""
    try:
        return os.stat(target).st_mode & 0o7777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
