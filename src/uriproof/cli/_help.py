"""How help looks: options in groups, examples, commands in sections.

Owns the layout of what ``--help`` prints, and of an error. Imports click; loaded with the first
command that click has to make. Invariant: every option and every command is listed, under a group
of its own or among the others, and no sentence is cut.

What ``_click`` declares takes three settings more than click knows: ``group`` of an option, and of
a command ``section`` and ``examples``, which are pairs of a command line and what it does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from ..text.names import did_you_mean

__all__ = ["HELP", "Choice", "Command", "Option", "show_usage_error", "write_sections"]

HELP: dict[str, Any] = {"help_option_names": ["-h", "--help"]}

Examples = tuple[tuple[str, str], ...]

_OPTIONS = "Options"
_WIDEST = 48
"""Columns of a command line in an example, so that its explanation is beside it."""


class Choice(click.Choice):  # type: ignore[type-arg] # not generic before click 8.2
    """One of some words; the error for another names those that are near."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            words = error.message.rstrip(".") + did_you_mean(str(value), self.choices)
            raise click.BadParameter(words, ctx, param) from None


class Option(click.Option):
    """An option that is listed under a heading."""

    def __init__(self, *names: Any, group: str = _OPTIONS, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.group = group


class Command(click.Command):
    """A command with examples, listed in a section of its group's help."""

    def __init__(
        self, *names: Any, section: str = "", examples: Examples = (), **settings: Any
    ) -> None:
        # Its own, too, and not its group's alone: click remembers them from the first use.
        super().__init__(*names, **{"context_settings": HELP, **settings})
        self.section = section
        self.examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.examples:
            with formatter.section("Examples"):
                formatter.write_dl(self.examples, col_max=_WIDEST)
        rows: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                rows.setdefault(getattr(parameter, "group", _OPTIONS), []).append(record)
        rows[_OPTIONS] = rows.pop(_OPTIONS, [])  # --help and whatever has no group come last
        for heading, records in rows.items():
            if records:
                with formatter.section(heading if heading == _OPTIONS else f"{heading} options"):
                    formatter.write_dl(records)


def write_sections(
    formatter: click.HelpFormatter, commands: Iterable[tuple[str, click.Command]]
) -> None:
    """List commands by their sections, in the order in which each section first comes."""
    rows: dict[str, list[tuple[str, str]]] = {}
    for name, command in commands:
        section = getattr(command, "section", "") or "Commands"
        rows.setdefault(section, []).append((name, _summary(command)))
    width = max((len(name) for each in rows.values() for name, _ in each), default=0)
    for section, records in rows.items():
        with formatter.section(section):
            formatter.write_dl([(f"{name:{width}}", words) for name, words in records])


def _summary(command: click.Command) -> str:
    """What a command is for: its short help, or the first sentence of its help."""
    if command.short_help:
        return command.short_help
    first = " ".join((command.help or "").partition("\n\n")[0].split())
    return first.partition(". ")[0].removesuffix(".") + "." if first else ""


def show_usage_error(error: click.UsageError) -> None:
    """The error, then how the command is called. Errors: OSError."""
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
        error.show()
        return
    lines = [f"Error: {error.format_message()}"]
    if error.ctx is not None:
        lines += ["", error.ctx.get_usage()]
        if error.ctx.command.get_help_option(error.ctx) is not None:
            name = error.ctx.help_option_names[-1]
            lines.append(f"Try '{error.ctx.command_path} {name}' for help.")
    click.echo("\n".join(lines), err=True)
