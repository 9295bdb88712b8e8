"""``uriproof grammar``: show, compare, export and sample grammars.

Owns the group. Each module of this package without a leading underscore is a command. May import
every other layer. Invariant: a command accepts bundled grammars and users' files alike.
"""

from __future__ import annotations

import click

from .._group import LazyGroup


@click.group(
    cls=LazyGroup,
    package=__name__,
    otherwise="To list the commands, run: uriproof grammar --help",
    short_help="Show, check, compare and export grammars.",
)
def command() -> None:
    """Show, check, compare and export grammars, bundled or your own."""
