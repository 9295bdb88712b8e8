"""``uriproof help``: the help of uriproof, or of one of its commands.

May import the other modules of this package. Invariant: it prints what ``--help`` prints.
"""

from __future__ import annotations

from . import _click as click


@click.command(
    section="Learn",
    short_help="Show the help of a command.",
    examples=(
        ("uriproof help lint", "as uriproof lint --help"),
        ("uriproof help grammar show", "of a command in a group"),
    ),
)
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
def command(*, names: tuple[str, ...]) -> int:
    """Show the help of COMMAND, or the list of the commands.

    \b
    Exit code: 0  shown
               2  there is no such command
    """
    from ._group import run

    return int(run([*names, "--help"]) or 0)
