"""``uriproof completion``: the script with which a shell completes the command line.

May import the other modules of this package. Invariant: standard output holds the script alone.
"""

from __future__ import annotations

import os

from . import _click as click


@click.command(
    section="Learn",
    short_help="Print the completion script of a shell.",
    examples=(
        ("uriproof completion bash", "for bash, to be saved in a file"),
        ("uriproof completion", "for the shell of $SHELL"),
    ),
)
@click.argument("shell", required=False, metavar="[SHELL]")
def command(*, shell: str | None) -> int:
    """Print the script with which SHELL completes commands, options, codes, rules and files.

    Save it where the shell looks for it:

    \b
    bash  ~/.local/share/bash-completion/completions/uriproof
    zsh   _uriproof, in a folder of $fpath, such as ~/.zfunc
    fish  ~/.config/fish/completions/uriproof.fish

    Without SHELL, that of the environment variable SHELL is meant.

    \b
    Exit code: 0  printed
               2  invalid usage, or the shell is not known
    """
    from ._completion import SHELLS, script

    name = shell or os.path.basename(os.environ.get("SHELL", ""))
    if name not in SHELLS:
        raise click.UsageError("Which shell? Give bash, zsh or fish.")
    click.echo(script(name))
    return 0
