"""click, imported only when a command line needs it: for options, for help, or for an error.

Owns the declaration of commands, which is that of click: ``from . import _click as click``. What is
declared becomes a command of click's when it is first used as one. Imports click, late. Invariant:
a call that gives nothing but arguments is read as click reads it (a test compares the two).
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from click import (
        Abort,
        BadParameter,
        Choice,
        ClickException,
        Command,
        Context,
        IntRange,
        Parameter,
        UsageError,
        argument,
        command,
        echo,
        option,
        style,
    )

    __all__ = [
        "Abort",
        "BadParameter",
        "Choice",
        "ClickException",
        "Command",
        "Context",
        "IntRange",
        "Parameter",
        "UsageError",
        "argument",
        "command",
        "echo",
        "option",
        "style",
    ]
else:

    def command(**settings):
        """Declare that a function is a command; what it takes is declared below it."""
        return lambda function: Declared(function, settings)

    def option(*names, **settings):
        """Declare an option, as ``click.option`` does; its ``group`` is a heading in the help."""
        return lambda function: _declare(function, "option", names, settings)

    def argument(*names, **settings):
        """Declare an argument, as ``click.argument`` does."""
        return lambda function: _declare(function, "argument", names, settings)

    def echo(message="", err=False, nl=True, color=None):
        """Write a text, as ``click.echo`` does where there is nothing to strip from it."""
        if "click" in sys.modules or "\x1b" in str(message):
            import click

            click.echo(message, err=err, nl=nl, color=color)
        else:
            stream = sys.stderr if err else sys.stdout
            stream.write(f"{message}\n" if nl else message)
            stream.flush()

    def __getattr__(name):
        if name in {"Choice", "IntRange"}:
            return lambda *args, **settings: _Type(name, args, settings)
        if name[:2] == "__":  # what an import looks for
            raise AttributeError(name)
        import click

        return getattr(click, name)


class _Type:
    """A type of click's, to be made with the command."""

    def __init__(self, name: str, args: tuple[Any, ...], settings: dict[str, Any]) -> None:
        self._name, self._args, self.settings = name, args, settings

    def made(self) -> Any:
        import click

        return getattr(click, self._name)(*self._args, **self.settings)


def _declare(function: Any, kind: str, names: tuple[str, ...], settings: dict[str, Any]) -> Any:
    vars(function).setdefault("declared", []).append((kind, names, settings))
    return function


class Declared:
    """A command that has been declared; in all else that is asked of it, click's own."""

    def __init__(self, function: Callable[..., Any], settings: dict[str, Any]) -> None:
        self.function = function
        self.settings = settings
        self._made: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.made(), name)

    def made(self) -> Any:
        """The command as click has it."""
        if self._made is None:
            import click

            from ._help import Command, Option

            function = self.function
            for kind, names, settings in list(vars(function).get("declared", [])):
                given = dict(settings)
                if isinstance(given.get("type"), _Type):
                    given["type"] = given["type"].made()
                if kind == "option":
                    given["cls"] = Option
                function = getattr(click, kind)(*names, **given)(function)
            self._made = click.command(cls=Command, **self.settings)(function)
        return self._made

    def plain(self, given: Sequence[str]) -> dict[str, Any] | None:
        """What the function is called with where nothing but arguments is given.

        None where click has to read them: an option, a wrong number, or a special type.
        """
        if self._made is not None or any(text[:1] == "-" and text != "-" for text in given):
            return None
        found: dict[str, Any] = {}
        left = list(given)
        for kind, names, settings in reversed(vars(self.function).get("declared", [])):
            if "envvar" in settings or "expose_value" in settings:
                return None
            if kind == "option":
                found[_name(names)] = _default(settings)
            elif settings.get("nargs") == -1:
                if settings.get("required") and not left:
                    return None
                found[names[0]], left = tuple(left), []
            elif left:
                found[names[0]] = left.pop(0)
            elif settings.get("required", True):
                return None
            else:
                found[names[0]] = None
        return None if left else found


def _default(settings: dict[str, Any]) -> Any:
    """The value of an option that is not given."""
    empty: Any = () if settings.get("multiple") else False if settings.get("is_flag") else None
    value = settings.get("default", empty)
    callback = settings.get("callback")
    return callback(None, None, value) if callback else value


def _name(names: Sequence[str]) -> str:
    """The parameter of an option: its bare name, or its longest one."""
    bare = [name for name in names if name[0] != "-"]
    longest: str = bare[0] if bare else max(names, key=lambda n: n.startswith("--"))
    return longest.partition("/")[0].lstrip("-").replace("-", "_").lower()
