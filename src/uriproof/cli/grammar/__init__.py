"""``uriproof grammar``: show, compare, export and sample grammars.

Owns the group. Each module of this package without a leading underscore is a command. May import
every other layer. Invariant: a command takes a bundled grammar and a user's own file alike.
"""

from __future__ import annotations

import click

from .._group import LazyGroup


@click.group(
    cls=LazyGroup,
    package=__name__,
    otherwise="To see them all: uriproof grammar --help",
    short_help="Show, check, compare and export grammars.",
)
def command() -> None:
    """Work on grammars, bundled or your own: show, check, compare, export."""
