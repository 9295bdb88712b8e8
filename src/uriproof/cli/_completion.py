"""Completion in bash, zsh and fish: what the word before the cursor may become.

Owns what completes each kind of argument, by its metavar. Imports click, and what has the names;
loaded only when a shell asks (see ``main``) or its script is printed. Invariant: nothing but the
completions is written, and a command line that is wrong completes to nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
)

from ._group import group

__all__ = ["SHELLS", "VARIABLE", "respond", "script"]

VARIABLE = "_URIPROOF_COMPLETE"
"""The environment variable by which a shell asks; ``main`` looks for it."""

Items = Iterable[CompletionItem]


def _codes() -> Iterator[CompletionItem]:
    """Groups, first words of codes, and codes."""
    from ..lint.codes import names
    from ..lint.config.select import GROUPS

    for name, words in GROUPS.items():
        yield CompletionItem(name, help=words)
    for word in dict.fromkeys(code.partition("-")[0] for code in names()):
        if word not in names():
            yield CompletionItem(word, help=f"all codes that begin with {word}")
    for code, kind in names().items():
        yield CompletionItem(code, help=kind)


def _grammars() -> Iterator[CompletionItem]:
    from ..grammar import registry

    return map(CompletionItem, registry.names())


def _rules(grammar: str = "rfc3986") -> Iterator[CompletionItem]:
    """The rules of a bundled grammar, or of a file."""
    from ._grammars import load

    return map(CompletionItem, load(grammar).rules)


def _schemes() -> Iterator[CompletionItem]:
    from ..grammar.schemes import schemes

    return map(CompletionItem, schemes())


def _targets() -> Iterator[CompletionItem]:
    from ..workbench.export import targets

    return map(CompletionItem, targets())


def _commands(ctx: click.Context) -> Iterator[CompletionItem]:
    """The commands of the group that the words so far lead to."""
    found: click.Command | None = group
    for name in ctx.params.get("names") or ():
        found = found.get_command(ctx, name) if isinstance(found, click.Group) else None
    return map(CompletionItem, found.list_commands(ctx) if isinstance(found, click.Group) else ())


def _values(parameter: click.Parameter, ctx: click.Context) -> Items | None:
    """What may stand for a parameter; None where that is a file, or not known."""
    kind = re.sub(r"\W+$|^\W+", "", str(parameter.metavar or parameter.name)).upper()
    grammar = ctx.params.get("grammar") or "rfc3986"
    values: dict[str, Callable[[], Items]] = {
        "CODE": _codes,
        "COMMAND": partial(_commands, ctx),
        "GRAMMAR": _grammars,
        "NAME|FILE.ABNF": _grammars,
        "RULE": partial(_rules, grammar),
        "SCHEME": _schemes,
        "SHELL": lambda: map(CompletionItem, SHELLS),
        "TARGET": _targets,
        "A": _grammars,
        "B": _grammars,
    }
    of_names: dict[str | None, Callable[[], Items]] = {
        "query": _grammars,
        "component": partial(_rules, grammar),
        "names": _schemes,
    }
    if kind == "WHAT" and ctx.info_name == "explain":
        return [*_codes(), *_rules()]
    found = values.get(kind) or (of_names.get(parameter.name) if kind.startswith("NAME") else None)
    return found() if found else None


_FILES = re.compile("FILE|PATH|GLOB|FOLDER")
_LISTS = re.compile(r",(?:…|\.\.\.)\W*$")


def _completed(
    parameter: click.Parameter, ctx: click.Context, incomplete: str
) -> list[CompletionItem]:
    """What completes the value of a parameter."""
    if isinstance(parameter.type, click.Choice):
        return parameter.type.shell_complete(ctx, parameter, incomplete)
    metavar = str(parameter.metavar or "")
    before, comma, last = incomplete.rpartition(",") if _LISTS.search(metavar) else ("", "", "")
    last = last if comma else incomplete
    found = [
        CompletionItem(before + comma + item.value, help=item.help)
        for item in _values(parameter, ctx) or ()
        if item.value.startswith(last)
    ]
    if found or not _FILES.search(metavar):
        return found
    return [CompletionItem(incomplete, type="dir" if "FOLDER" in metavar else "file")]


class _Shell(ShellComplete):
    """A shell's way to ask, which completes the arguments of every command."""

    joins = True
    """Whether an option and the value after its equals sign are one word, as shells have it."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        context = click.Context(group, info_name=self.prog_name)
        command: click.Command | None = group
        for name in args:
            if isinstance(command, click.Group) and not name.startswith("-"):
                command = command.get_command(context, name)
        for parameter in command.params if command is not None else ():
            vars(parameter)["shell_complete"] = partial(_completed, parameter)
        try:
            found = super().get_completions(args, incomplete)
        except (click.ClickException, ValueError, OSError):
            return []
        option, equals, _ = incomplete.partition("=")
        if self.joins and equals and option.startswith("--"):
            for item in found:
                item.value = f"{option}={item.value}" if item.type == "plain" else item.value
        return found


class _Bash(_Shell, BashComplete):
    joins = False

    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        # To bash an equals sign is a word of its own.
        return [word for word in args if word != "="], incomplete


class _Zsh(_Shell, ZshComplete):
    """As click has it."""


class _Fish(_Shell, FishComplete):
    # What click has drops all of a value after its first comma.
    source_template = FishComplete.source_template.replace('split ","', 'split --max 1 ","')


SHELLS: dict[str, type[_Shell]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}


def _of(shell: str) -> Any:
    return SHELLS[shell](group, {}, "uriproof", VARIABLE)


def script(shell: str) -> str:
    """The script by which a shell asks."""
    # Not that of the subclass, which would start bash to learn its version.
    return ShellComplete.source(_of(shell))


def respond() -> int:
    """Write what a shell has asked for. Returns the exit code."""
    shell, _, what = os.environ[VARIABLE].partition("_")
    if shell not in SHELLS or what not in {"source", "complete"}:
        return 2
    click.echo(script(shell) if what == "source" else _of(shell).complete())
    return 0
