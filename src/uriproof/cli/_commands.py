"""A group whose commands are the modules of a package.

Owns how commands are found. Imports click alone. Invariant: each module or package without a
leading underscore is a command of that name (an underscore inside stands for a hyphen) and defines
``command``; nothing else needs editing, and only the module that is asked for is imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from ..plug_ins import plug_ins
from ._click import Declared

__all__ = ["Commands"]


class Commands(click.Group):
    """The commands of a package, found by file name and imported when asked for."""

    otherwise = "To see them all: --help"
    """What to do where a command has no near name."""

    def __init__(self, *args: Any, package: str, section: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._package = package
        self.section = section

    def list_commands(self, ctx: click.Context) -> list[str]:
        path = import_module(self._package).__path__
        return [name.replace("_", "-") for name in plug_ins(path)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = import_module(f"{self._package}.{cmd_name.replace('-', '_')}")
        command = module.command
        made: click.Command = command.made() if isinstance(command, Declared) else command
        return made

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from ._help import write_sections

        found = ((name, self.get_command(ctx, name)) for name in self.listed(ctx))
        write_sections(formatter, ((n, c) for n, c in found if c is not None and not c.hidden))

    def listed(self, ctx: click.Context) -> list[str]:
        """The names of the commands in the order of the help."""
        return self.list_commands(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        names = self.list_commands(ctx)
        if name in names or name.startswith("-"):
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches

        from ..text.drawing import visible

        near = get_close_matches(name, names, n=1)
        advice = f"Did you mean {near[0]}?" if near else self.otherwise
        raise click.UsageError(f"There is no command {visible(name[:80])!r}. {advice}", ctx)
