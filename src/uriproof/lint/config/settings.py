"""The settings: what may be set.

Owns ``Settings``, with the type, default and description of each key. Imports the standard library
and ``select``. Invariant: what is not marked as internal is a key of the configuration file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, Literal, get_type_hints

from ...diagnostic import Severity
from ..files.source import LARGEST
from .select import DEFAULT, Selection

__all__ = ["EXCLUDED", "FILES", "FormatOptions", "Settings", "key", "keys"]

FILES = ("uriproof.toml", "pyproject.toml")
"""The names of configuration files; the first that a folder has counts."""

Profile = Literal["rfc3986", "iri"]

EXCLUDED = (
    *(".git", ".hg", ".svn", ".bzr", ".jj", "__pycache__", ".venv", "venv", ".tox", ".nox"),
    *("node_modules", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"),
    ".uriproof_cache",
)


def _about(doc: str, default: Any = (), **more: Any) -> Any:
    """A field with its description for the schema."""
    kind = {"default_factory": dict} if default == {} else {"default": default}
    return field(**kind, metadata={"doc": doc, **more})


@dataclass(frozen=True)
class FormatOptions:
    """The settings for files of one format."""

    enabled: bool = _about("Whether to check the URLs in these files.", True)
    ignore: tuple[str, ...] = _about("Rules to ignore in these files.", selectors=True)
    profile: Profile | None = _about(  # noqa: RUF009 -- a field
        "The profile for these files, instead of `profile`.", None
    )
    scheme_rules: bool | None = _about(
        "Whether to apply scheme-specific rules to these files.", None
    )


@dataclass(frozen=True)
class Settings:
    """All settings.

    ``root`` is the folder that path patterns are relative to, ``file`` where the settings are from,
    and ``outer`` has the excludes of the configuration files above that one, which hold, too.
    """

    extend: str | None = _about(
        "A configuration file whose settings apply where this one has none.",
        None,
        examples=["../uriproof.toml"],
    )
    select: tuple[str, ...] = _about(
        "Rules to report: codes, code prefixes or groups (all, violations, advice, mistakes, "
        "security, linter).",
        DEFAULT,
        selectors=True,
    )
    extend_select: tuple[str, ...] = _about(
        "Rules to report in addition to `select`.",
        selectors=True,
        examples=[["special-purpose-address"]],
    )
    ignore: tuple[str, ...] = _about("Rules to ignore.", selectors=True)
    per_file_ignores: Mapping[str, tuple[str, ...]] = _about(
        "Rules to ignore in the files that match a pattern.", {}, selectors=True
    )
    severity: Mapping[str, Severity] = _about(
        "How severe the diagnostics of some rules are: error, warning or note.",
        {},
        selectors="keys",
    )
    fail_on: Severity = _about(  # noqa: RUF009 -- a field
        "The least severity that makes the exit code 1.", "warning"
    )
    fixable: tuple[str, ...] = _about(
        "Rules whose fixes are offered and made.", ("all",), selectors=True
    )
    unfixable: tuple[str, ...] = _about(
        "Rules whose fixes are neither offered nor made.", selectors=True
    )
    include: tuple[str, ...] = _about("Patterns of the files to check; by default every text file.")
    exclude: tuple[str, ...] = _about("Patterns of files and folders to exclude.", EXCLUDED)
    extend_exclude: tuple[str, ...] = _about("Patterns to exclude in addition to `exclude`.")
    gitignore: bool = _about("Whether to exclude what git ignores.", True)
    profile: Profile = _about(  # noqa: RUF009 -- a field
        "What to validate URLs as: URIs (rfc3986), or IRIs with non-ASCII characters (iri).",
        "rfc3986",
    )
    scheme_rules: bool = _about("Whether to apply scheme-specific rules, too.", False)
    schemes: tuple[str, ...] = _about(
        "The allowed schemes; by default every scheme.", examples=[["https", "mailto"]]
    )
    require_reason: bool = _about("Whether a suppression needs a reason.", False)
    baseline: str | None = _about("A file of known diagnostics, which are hidden.", None)
    cache: bool = _about("Whether to cache the results of files between runs.", True)
    max_file_size: int = _about("The size in bytes of the largest file to check.", LARGEST)
    formats: Mapping[str, str] = _about("The format to read the files as that match a pattern.", {})
    format: Mapping[str, FormatOptions] = _about("Options for each format.", {})
    root: str = field(default="", metadata={"internal": True})
    file: str = field(default="", metadata={"internal": True})
    outer: Settings | None = field(default=None, metadata={"internal": True})

    @property
    def levels(self) -> Iterator[Settings]:
        """These settings, and those outside them whose excludes hold, too, up to the outermost."""
        level: Settings | None = self
        while level is not None:
            yield level
            level = level.outer

    @property
    def excluded(self) -> tuple[str, ...]:
        """All patterns of what is excluded, relative to ``root``."""
        return (*self.exclude, *self.extend_exclude)

    @property
    def selection(self) -> Selection:
        return Selection((*self.select, *self.extend_select), self.ignore)

    def relative(self, path: str) -> str:
        """A path from the root, with slashes, "" for the root; absolute where it lies elsewhere."""
        whole = os.path.abspath(path)
        if whole == self.root:
            return ""
        if self.root and whole.startswith(self.root.rstrip(os.sep) + os.sep):
            whole = whole[len(self.root.rstrip(os.sep)) + 1 :]
        return whole.replace(os.sep, "/")


def key(name: str) -> str:
    """A field's name as it is written in a file.

    >>> key("per_file_ignores")
    'per-file-ignores'
    """
    return name.replace("_", "-")


def keys(kind: type) -> dict[str, tuple[Field[Any], Any]]:
    """The keys that may be set, each with its field and type."""
    types = get_type_hints(kind)
    return {key(f.name): (f, types[f.name]) for f in fields(kind) if not f.metadata.get("internal")}
