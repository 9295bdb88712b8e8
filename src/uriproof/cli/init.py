"""``uriproof init``: a first configuration for the linter.

May import every other layer. Invariant: no settings that exist are changed, and a file is written
whole or not at all.
"""

from __future__ import annotations

import os
from typing import Any

import click

from ..text.drawing import visible
from ._group import examples
from ._inputs import read_text
from ._output import write_text

_OWN, _SHARED = "uriproof.toml", "pyproject.toml"


@click.command(
    short_help="Write a first configuration for uriproof lint.",
    epilog=examples(
        ("uriproof init", "for the current folder"),
        ("uriproof init --standalone", "not in pyproject.toml"),
    ),
)
@click.argument("folder", required=False, metavar="[FOLDER]")
@click.option("--standalone", is_flag=True, help=f"Write {_OWN} even beside a {_SHARED}.")
def command(*, folder: str | None, standalone: bool) -> int:
    """Write a first configuration for FOLDER, by default the current one.

    It goes into pyproject.toml where there is one, else into uriproof.toml. Folders that hold code
    of others, data of tests or generated files are proposed to be excluded. Settings that exist
    are never changed.

    \b
    Exit code: 0  written
               2  there are settings already, invalid usage, or the file could not be written
    """
    from ..lint.config import propose
    from ..lint.config.nearest import Configs
    from ..lint.files.source import Unread
    from ..lint.files.walk import Walk

    root = folder or "."
    if not os.path.isdir(root):
        raise click.UsageError(f"There is no folder {visible(root)}.")
    own, shared = (os.path.normpath(os.path.join(root, name)) for name in (_OWN, _SHARED))
    before = _text(shared)
    if os.path.lexists(own):
        raise click.UsageError(f"{visible(own)} is there already; it was not changed.")
    items = Walk(Configs(isolated=True)).over([root])
    files = [one[0] for one in items if not isinstance(one, Unread)]
    found = propose.excludes(os.path.relpath(one, root).replace(os.sep, "/") for one in files)
    if before is None or standalone:
        file, text = own, propose.text(found)
    else:
        file, text = shared, _appended(before, propose.text(found, "tool.uriproof"))
    _require_toml(file, text)
    write_text(file, text)
    many = "s" * (len(files) != 1)
    click.echo(f"Wrote {visible(file)} for {len(files):,} file{many}.")
    for one in found:
        click.echo(f"  excluded: {visible(one.pattern)} ({one.why})")
    where = f" {visible(root)}" if folder else ""
    click.echo(f"Next: uriproof lint --statistics{where}")
    return 0


def _appended(before: str, text: str) -> str:
    """A text after another, a blank line between them, with the line ends of the first."""
    end = "\r\n" if "\r\n" in before else "\n"
    if before and not before.endswith("\n"):
        before += end
    return before + end * bool(before) + text.replace("\n", end)


def _require_toml(file: str, text: str) -> dict[str, Any]:
    """What a text holds. Errors: UsageError, where it is no TOML."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise click.UsageError(f"{visible(file)}: invalid TOML: {error}") from error


def _text(file: str) -> str | None:
    """The text of a pyproject.toml to write in; None without one. Errors: UsageError."""
    if not os.path.exists(file):
        return None
    text = read_text(file)
    tool = _require_toml(file, text).get("tool")
    if isinstance(tool, dict) and "uriproof" in tool:
        where = visible(file)
        raise click.UsageError(f"{where} has [tool.uriproof] already; it was not changed.")
    return text
