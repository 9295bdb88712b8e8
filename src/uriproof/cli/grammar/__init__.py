"""``uriproof grammar``: the bench to look at grammars, compare, export and sample them.

Owns the group. Each module of this package without a leading underscore is a verb. May import
every other layer. Invariant: a verb takes a bundled grammar and a user's own file alike.
"""

from __future__ import annotations

import click

from .._commands import Commands

__all__ = ["command"]


@click.group(cls=Commands, package=__name__)
def command() -> None:
    """Work on grammars, bundled or your own: show, check, lay out, extract, compare, export."""
