"""Groups of commands, each imported when it is called, and the examples in their help.

Owns how commands are found and refuse. Imports click. Invariant: each module or package without a
leading underscore is a command of that name (an underscore inside stands for a hyphen) and defines
``command``; nothing else needs editing, and only the module that is called is imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from .. import __version__
from ..plug_ins import plug_ins
from ..text.drawing import visible
from ..text.names import did_you_mean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_MOST_OF_A_NAME = 80
"""Characters of an unknown command that are shown and compared: a longer one is not a name."""


class Refused(click.ClickException):
    """An error that is not invalid usage, and is shown without the usage of the command."""

    exit_code = 2


def examples(*pairs: tuple[str, str]) -> str:
    """The end of a command's help: command lines, each with its effect."""
    width = max(len(line) for line, _ in pairs)
    return "\b\nExamples:\n" + "\n".join(f"  {line:{width}}  {does}" for line, does in pairs)


def files(_: click.Context, __: click.Parameter, word: str) -> list[CompletionItem]:
    """The completion of a file name, which is left to the shell."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(word, type="file")]


class LazyGroup(click.Group):
    """The commands of a package, as click's documentation has it under *Lazily Loading*."""

    def __init__(self, *args: Any, package: str, otherwise: str, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._package = package
        self._otherwise = otherwise

    def list_commands(self, ctx: click.Context) -> list[str]:
        path = import_module(self._package).__path__
        return [name.replace("_", "-") for name in plug_ins(path)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = import_module(f"{self._package}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(ctx)
        if args[0] not in names:
            name = args[0][:_MOST_OF_A_NAME]
            known = [*names, *(option for it in self.get_params(ctx) for option in it.opts)]
            advice = did_you_mean(name, known) or f". {self._otherwise}"
            raise click.UsageError(f"There is no command {visible(name)!r}{advice}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    package=__package__,
    otherwise="To validate a text, run: uriproof check TEXT",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", message="uriproof %(version)s")
def group() -> None:
    """Validate URIs and explain their errors: which characters, which production, which fix."""
