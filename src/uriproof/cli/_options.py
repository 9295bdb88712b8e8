"""The options of commands, each declared in one way, and those that several commands have.

Owns how an option is declared. Imports click. Invariant: one name means one thing in every command;
a default that is not empty is shown; files are completed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ._group import files

Decorator = Callable[[Any], Any]

FIELDS = ("form", "key-value", "parameters")
"""What fields are encoded as, and decoded from: form data, or a query grammar."""


def value(names: str, text: str, **settings: Any) -> Decorator:
    """An option with a value, as its help begins: ``"-k --keep DELIMITERS"``, and its help.

    A word in lower case among the names is the name of the parameter. ``settings`` are click's.
    """
    *spelled, what = names.split()
    if what.startswith(("FILE", "FOLDER")):
        settings.setdefault("shell_complete", files)
    return _option(spelled, text, metavar=what, **settings)


def flag(names: str, text: str, **settings: Any) -> Decorator:
    """An option without a value."""
    return _option(names.split(), text, is_flag=True, **settings)


def pair(name: str, text: str) -> Decorator:
    """A flag that can also be turned off; None without either."""
    return _option([f"--{name}/--no-{name}"], text, default=None)


def choice(names: str, known: tuple[str, ...], text: str, **settings: Any) -> Decorator:
    """An option with one of some values."""
    return _option(names.split(), text, type=click.Choice(known), **settings)


def integer(
    names: str, text: str, least: int = 1, most: int | None = None, **more: Any
) -> Decorator:
    """An option with a number in bounds."""
    return value(names, text, type=click.IntRange(least, most), **more)


def many(names: str, text: str) -> Decorator:
    """An option that can be repeated, and takes several values, separated by commas."""
    return value(f"{names},…", text, multiple=True, callback=_listed)


def _listed(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for one in value for part in one.split(",") if part.strip())


def _option(names: list[str], text: str, **settings: Any) -> Decorator:
    shown = settings.get("default") not in (None, "", ())
    return click.option(*names, help=text, **{"show_default": shown, **settings})


def _given(names: tuple[str, ...]) -> list[str]:
    """Those of some options of the command that differ from their defaults, as they are spelled."""
    context = click.get_current_context()
    unset = None, False, ()
    given = [
        option
        for option in context.command.params
        if option.name in names and context.params[option.name] not in (*unset, option.default)
    ]
    return [max(option.opts, key=len) for option in given]


def refuse_beside(what: str, *names: str) -> None:
    """Errors: UsageError, if one of these options is given: it would do nothing with ``what``."""
    if options := _given(names):
        raise click.UsageError(f"{what} cannot be combined with {', '.join(options)}.")


def refuse_without(what: str, *names: str) -> None:
    """Errors: UsageError, if one of these options is given, which needs ``what``."""
    for option in _given(names):
        raise click.UsageError(f"{option} needs {what}.")


def format_choice(*names: str, text: str = "Output format.") -> Decorator:
    """The option ``--format``; its value is the parameter ``form``."""
    return choice("form --format", names, text, default="text")


format_option = format_choice("text", "json")
output_option = value("-o --output FILE", "Write to FILE instead of standard output.")
quiet_option = flag("-q --quiet", "Results only: no summary or notes.")
_COLORS = ("auto", "always", "never")
color_option = choice("--color", _COLORS, "Color the output; auto: on a terminal.", default="auto")
