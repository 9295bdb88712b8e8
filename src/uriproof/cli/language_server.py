"""``uriproof language-server``: findings and fixes in editors.

May import every other layer. Invariant: standard output holds nothing but the protocol.
"""

from __future__ import annotations

import os

from . import _click as click

__all__ = ["command"]


@click.command()
@click.option("--config", metavar="FILE", help="Settings for all files, not the nearest.")
@click.option("--isolated", is_flag=True, help="Read no settings.")
@click.option("--stdio", is_flag=True, hidden=True, help="Some editors add this.")
def command(*, config: str | None, isolated: bool, stdio: bool) -> int:
    """Tell an editor what is wrong with the URLs in its texts, and how to mend them.

    Speaks the Language Server Protocol on standard input and output; editors start it.
    Needs pygls: install uriproof[lsp].

    \b
    Exit code: 0  the editor shut it down
               1  the editor went away without a word
               2  the call is wrong
    """
    if config is not None and isolated:
        raise click.UsageError("--isolated reads no settings, and --config reads some: give one.")
    if config is not None and not os.path.isfile(config):
        raise click.UsageError(f"--config: there is no file {config}")
    from ..lint.editor.server import serve

    try:
        announced = serve(config, isolated)
    except ImportError as error:
        raise click.UsageError(f"This needs pygls: install uriproof[lsp] ({error})") from error
    return 0 if announced else 1
