"""click, imported only when a command line needs it: for help, for an error, for rare options.

Owns the declaration of commands, which is that of click: ``from . import _click as click``. What is
declared becomes a command of click's when it is first used as one. Imports click, late. Invariant:
a call that is read without click is read as click reads it (a test compares the two).
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

    Parameters = list[tuple[str, tuple[str, ...], dict[str, Any]]]
    """Each as it was declared: "option" or "argument", the names, the settings."""

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

        from ._help import Choice

        made = Choice if self._name == "Choice" else getattr(click, self._name)
        return made(*self._args, **self.settings)

    def has(self, value: str) -> bool:
        """Whether it is known that click takes the value as it is."""
        return self._name == "Choice" and not self.settings and value in self._args[0]


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
        """What the function is called with, where that is plain.

        None where click has to read it: ``--name=value``, ``-ab``, a value that is to be converted,
        a wrong number of arguments.
        """
        if self._made is not None:
            return None
        declared: Parameters = vars(self.function).get("declared", [])
        read = _options(given, [one for one in declared if one[0] == "option"])
        if read is None:
            return None
        left, values = read
        found: dict[str, Any] = {}
        for kind, names, settings in reversed(declared):
            if "envvar" in settings or "expose_value" in settings:
                return None
            if kind == "option":
                name = _name(names)
                found[name] = values[name] if name in values else _default(settings)
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


_PLAIN = {"default", "group", "help", "is_flag", "metavar", "multiple", "show_default", "type"}
"""Settings of an option whose meaning is known here."""


def _options(given: Sequence[str], declared: Parameters) -> tuple[list[str], dict[str, Any]] | None:
    """The arguments, and the values of the options; None where click has to read one of them."""
    known = {
        spelled: option for option in declared for name in option[1] for spelled in name.split("/")
    }
    left: list[str] = []
    values: dict[str, Any] = {}
    texts = iter(given)
    for text in texts:
        if text[:1] != "-" or text == "-":
            left.append(text)
            continue
        if text not in known or not known[text][2].keys() <= _PLAIN:
            return None
        _, names, settings = known[text]
        name = _name(names)
        pair = next((one for one in names if "/" in one), "")
        if pair or settings.get("is_flag"):
            values[name] = not pair.endswith(f"/{text}")
        elif (value := next(texts, None)) is not None and _is_plain(value, settings):
            values[name] = (*values.get(name, ()), value) if settings.get("multiple") else value
        else:
            return None
    return left, values


def _is_plain(value: str, settings: dict[str, Any]) -> bool:
    """Whether an option takes a value as it is; click takes the type of a default for its own."""
    type_ = settings.get("type")
    if type_ is None:
        return settings.get("default") is None or isinstance(settings["default"], str)
    return isinstance(type_, _Type) and type_.has(value)


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
