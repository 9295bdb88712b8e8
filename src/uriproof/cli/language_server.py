"""``uriproof language-server``: diagnostics and fixes in editors.

May import every other layer. Invariant: standard output carries only the protocol.
"""

from __future__ import annotations

import click

from .. import __version__
from ..extras import needs
from ._group import Refused, examples
from ._options import flag, value


@click.command(
    short_help="Serve diagnostics and fixes to an editor.",
    epilog=examples(("uriproof language-server", "started by an editor")),
)
@value("--config FILE", "Configuration for all files.")
@flag("--isolated", "Ignore configuration files.")
@flag("--stdio", "Some editors add this.", hidden=True)
def command(*, config: str | None, isolated: bool, stdio: bool) -> int:
    """Serve diagnostics and fixes for URLs to an editor.

    Speaks the Language Server Protocol on standard input and output; your editor starts it.
    Requires pip install "uriproof[lsp]".

    \b
    Exit code: 0  the editor shut it down
               1  the editor disconnected without a shutdown
               2  invalid usage
    """
    from ..lint.session import SessionError, configs

    try:
        configs(config, isolated)
    except SessionError as error:
        raise Refused(str(error)) from error
    with needs("lsp"):
        from ..lint.editor.server import serve
    return 0 if serve(__version__, config, isolated) else 1
