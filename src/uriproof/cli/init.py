"""``uriproof init``: a first configuration for the linter.

May import every other layer. Invariant: existing settings are not changed, and a file is written
whole or not at all.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import click

from ..lint.config import propose
from ..lint.session import BASELINE, Options, Session
from ..text.drawing import visible
from ..text.names import some
from ._group import Refused, examples
from ._inputs import read_text
from ._options import flag
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
@flag("--standalone", f"Write {_OWN} even if there is a {_SHARED}.")
def command(*, folder: str | None, standalone: bool) -> int:
    """Write a first configuration for FOLDER, by default the current one.

    It goes into pyproject.toml if there is one, otherwise into uriproof.toml. It excludes folders
    that look like third-party code or generated files. If there are errors or warnings, a baseline
    hides them, so that only new ones fail. Existing settings are never changed.

    \b
    Exit code: 0  written
               2  settings exist already, invalid usage, or the file could not be written
    """
    from ..lint.config.nearest import Configs
    from ..lint.files.source import Unread
    from ..lint.files.walk import Walk

    root = folder or "."
    if not os.path.isdir(root):
        raise Refused(f"folder {root} does not exist")
    own, shared = (os.path.normpath(os.path.join(root, name)) for name in (_OWN, _SHARED))
    before = _text(shared)
    if os.path.lexists(own):
        raise Refused(f"{own} exists already; it was not changed")
    items = Walk(Configs(isolated=True)).over([root])
    files = [one[0] for one in items if not isinstance(one, Unread)]
    found = propose.excludes(os.path.relpath(one, root).replace(os.sep, "/") for one in files)
    file, table, before = (
        (own, "", "") if before is None or standalone else (shared, "tool.uriproof", before)
    )
    text = _appended(before, propose.text(found, table))
    _require_toml(file, text)
    write_text(file, text)
    known = _hidden(root)
    if known:
        write_text(file, _appended(before, propose.text(found, table, BASELINE)))
    click.echo(f"Wrote {visible(file)} for {some(len(files), 'file')}.")
    for one in found:
        click.echo(f"  excluded: {visible(one.pattern)} ({one.why})")
    where = f" {visible(root)}" if folder else ""
    if known:
        click.echo(f"  hidden: {known} ({BASELINE})")
        click.echo(f"Next: uriproof lint --no-baseline{where}, to see what is hidden")
    else:
        click.echo(f"Next: uriproof lint{where}")
    return 0


def _hidden(root: str) -> str:
    """Write a baseline of what fails with the new configuration; what is in it, empty without."""
    from ..diagnostic import SEVERITIES
    from ..lint.suppress.baseline import Baseline

    session = Session(Options((root,), settings={"cache": False}), lambda message, error: None)
    known = Baseline(os.path.join(root, BASELINE))
    severities: Counter[str] = Counter()
    for one in session.diagnostics():
        if not session.counts_only(one):
            known.add([one])
            severities[one.severity] += 1
    if severities:
        write_text(known.file, known.text)
    kinds = (one for one in reversed(SEVERITIES) if severities[one])
    return ", ".join(some(severities[one], one) for one in kinds)


def _appended(before: str, text: str) -> str:
    """A text after another, with a blank line between them and the line ends of the first."""
    end = "\r\n" if "\r\n" in before else "\n"
    if before and not before.endswith("\n"):
        before += end
    return before + end * bool(before) + text.replace("\n", end)


def _require_toml(file: str, text: str) -> dict[str, Any]:
    """The contents of a TOML text. Errors: Refused, if it is not valid."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"{file}: not valid TOML: {error}") from error


def _text(file: str) -> str | None:
    """The text of a pyproject.toml to write to, or None without one. Errors: Refused."""
    if not os.path.exists(file):
        return None
    text = read_text(file)
    tool = _require_toml(file, text).get("tool")
    if isinstance(tool, dict) and "uriproof" in tool:
        raise Refused(f"{file} has [tool.uriproof] already; it was not changed")
    return text
