"""The settings, and the JSON Schema with which editors complete and check them.

Owns ``Settings``, with the type, default and description of each key, and their translation.
Imports ``select`` and ``lint.files``. Invariant: a field with a description is a key of the
configuration file, and of the schema; formats are not listed there, so that a new one changes none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args, get_origin

from ...diagnostic import Severity
from ...limits import LARGEST_FILE
from ...text.paths import below, root_of, slashed
from .places import kind_of
from .select import DEFAULT, Selection

if TYPE_CHECKING:
    from ...policy import Policy

FILES = ("uriproof.toml", "pyproject.toml")
"""The names of configuration files; the first that a folder has counts."""

Profile = Literal["auto", "uri", "iri"]
Query = Literal["key-value", "parameters"]
"""The bundled grammars of queries; a schema cannot ask the registry, a test does."""
Component = Literal["scheme", "userinfo", "host", "port", "path", "query", "fragment"]
Required = Literal["scheme", "host", "path", "query"]
"""Components of which a violation of the grammar, too, may be that they are missing."""

EXCLUDED = (
    *(".git", ".hg", ".svn", ".bzr", ".jj", "__pycache__", ".venv", "venv", ".tox", ".nox"),
    *("node_modules", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"),
    *(".uriproof_cache", "uriproof-baseline.json", "*.sarif"),  # what the linter wrote before
)


_ADDED = frozenset({"extend_select", "extend_exclude", "ignore", "unfixable"})
"""Settings of the command line or of an editor that add to those of a file."""


class About(NamedTuple):
    """The documentation of a setting: its description, examples, and whether it selects codes.

    Of a table, ``selectors`` says whether its keys or its values do. A field without a description
    cannot be set by a file.
    """

    doc: str
    selectors: bool | Literal["keys"] = False
    examples: tuple[Any, ...] = ()


_NONE: Mapping[str, Any] = {}


class FormatOptions(NamedTuple):
    """The settings for files of one format."""

    enabled: Annotated[bool, About("Whether to check the URLs in these files.")] = True
    ignore: Annotated[
        tuple[str, ...], About("Rules to ignore in these files.", selectors=True)
    ] = ()
    profile: Annotated[
        Profile | None, About("The profile for these files, instead of `profile`.")
    ] = None
    scheme_rules: Annotated[
        bool | None, About("Whether to apply scheme-specific rules to these files.")
    ] = None
    query: Annotated[
        Query | None, About("The grammar of queries in these files, instead of `query`.")
    ] = None


class Settings(NamedTuple):
    """All settings.

    ``root`` is the folder that path patterns are relative to, ``file`` the source of the settings,
    and ``outer`` has the excludes of the configuration files above that one, which also apply.
    """

    extend: Annotated[
        str | None,
        About(
            "A configuration file whose settings apply if this one has none.",
            examples=("../uriproof.toml",),
        ),
    ] = None
    select: Annotated[
        tuple[str, ...],
        About(
            "Rules to report: codes, code prefixes or groups (all, violations, advice, mistakes, "
            "security, linter).",
            selectors=True,
        ),
    ] = DEFAULT
    extend_select: Annotated[
        tuple[str, ...],
        About(
            "Rules to report in addition to `select`.",
            selectors=True,
            examples=(["special-purpose-address"],),
        ),
    ] = ()
    ignore: Annotated[tuple[str, ...], About("Rules to ignore.", selectors=True)] = ()
    per_file_ignores: Annotated[
        Mapping[str, tuple[str, ...]],
        About("Rules to ignore in the files that match a pattern.", selectors=True),
    ] = _NONE
    severity: Annotated[
        Mapping[str, Severity],
        About(
            "How severe the diagnostics of some rules are: error, warning or note.",
            selectors="keys",
        ),
    ] = _NONE
    fail_on: Annotated[Severity, About("The minimum severity for exit code 1.")] = "warning"
    include_tests: Annotated[
        bool,
        About(
            "Whether to treat files of tests (folders such as `tests/` and `fixtures/`, files such "
            "as `test_*.py`, recorded answers) and vendored files (folders such as `vendor/`, "
            "minified and bundled files) like others; by default, all in them is a note without a "
            "fix."
        ),
    ] = False
    fixable: Annotated[
        tuple[str, ...], About("Rules whose fixes are offered and made.", selectors=True)
    ] = ("all",)
    unfixable: Annotated[
        tuple[str, ...], About("Rules whose fixes are neither offered nor made.", selectors=True)
    ] = ()
    include: Annotated[
        tuple[str, ...], About("Patterns of the files to check; by default every text file.")
    ] = ()
    exclude: Annotated[tuple[str, ...], About("Patterns of files and folders to exclude.")] = (
        EXCLUDED
    )
    extend_exclude: Annotated[
        tuple[str, ...], About("Patterns to exclude in addition to `exclude`.")
    ] = ()
    gitignore: Annotated[bool, About("Whether to exclude files that git ignores.")] = True
    profile: Annotated[
        Profile,
        About(
            "Validate URLs by the specification of each file's format (auto), as URIs (uri), or as "
            "IRIs, which can have non-ASCII characters (iri)."
        ),
    ] = "auto"
    scheme_rules: Annotated[bool, About("Whether to also apply scheme-specific rules.")] = False
    query: Annotated[Query | None, About("A grammar that the queries of URLs must also match.")] = (
        None
    )
    schemes: Annotated[
        tuple[str, ...],
        About("The allowed schemes; by default every scheme.", examples=(["https", "mailto"],)),
    ] = ()
    hosts: Annotated[
        tuple[str, ...],
        About(
            "The allowed hosts; by default every host. `*.example.com` stands for all names that "
            "end in `.example.com`.",
            examples=(["example.com", "*.example.com"],),
        ),
    ] = ()
    forbid: Annotated[
        tuple[Component, ...],
        About(
            "Components that no URL may have: scheme, userinfo, host, port, path, query, fragment.",
            examples=(["userinfo", "port"],),
        ),
    ] = ()
    require: Annotated[
        tuple[Required, ...],
        About(
            "Components that every URL must have, relative references, too: scheme, host, path, "
            "query."
        ),
    ] = ()
    max_length: Annotated[
        int | None, About("The greatest length of a URL, in characters; by default any.")
    ] = None
    require_reason: Annotated[bool, About("Whether a suppression needs a reason.")] = False
    baseline: Annotated[str | None, About("A file of known diagnostics, which are hidden.")] = None
    cache: Annotated[bool, About("Whether to cache the results of files between runs.")] = True
    max_file_size: Annotated[int, About("The size in bytes of the largest file to check.")] = (
        LARGEST_FILE
    )
    formats: Annotated[
        Mapping[str, str], About("The format to read the files as that match a pattern.")
    ] = _NONE
    format: Annotated[Mapping[str, FormatOptions], About("Options for each format.")] = _NONE
    root: str = ""
    file: str = ""
    outer: Settings | None = None

    @property
    def levels(self) -> Iterator[Settings]:
        """These settings, and those outside them whose excludes also apply, up to the outermost."""
        level: Settings | None = self
        while level is not None:
            yield level
            level = level.outer

    @property
    def excluded(self) -> tuple[str, ...]:
        """All exclude patterns, relative to ``root``."""
        return (*self.exclude, *self.extend_exclude)

    @property
    def selection(self) -> Selection:
        return Selection((*self.select, *self.extend_select), self.ignore)

    @property
    def policy(self) -> Policy | None:
        """What is refused though the grammar allows it. Errors: ValueError, for what no file sets.

        >>> Settings(schemes=("https",)).policy.schemes, Settings().policy
        (('https',), None)
        """
        return _policy(self.forbid, self.schemes, self.hosts, self.require, self.max_length)

    def under(self, values: Mapping[str, Any]) -> Settings:
        """These settings, and values by field that add to them, or take their place."""
        more: dict[str, Any] = {
            name: (*getattr(self, name), *value) if name in _ADDED else value
            for name, value in values.items()
        }
        if "exclude" in values and self.outer is not None:
            more["outer"] = self.outer.under({"exclude": ()})
        return self._replace(**more)

    def relative(self, path: str) -> str:
        """A path from the root, with slashes, "" for the root; absolute if it is elsewhere."""
        inside = below(path, self.root) if self.root else None
        return slashed(os.path.abspath(path)) if inside is None else inside

    def apart(self, path: str) -> str:
        """The kind of a file that is reported apart, of tests or vendored; else empty."""
        if self.include_tests or path.startswith("<"):
            return ""
        relative = self.relative(path)
        if os.path.isabs(relative):  # elsewhere: folders above its checkout say nothing about it
            root = root_of(os.path.dirname(relative))
            relative = (root and below(relative, root)) or relative
        return kind_of(relative)


@cache
def _policy(
    forbid: tuple[str, ...],
    schemes: tuple[str, ...],
    hosts: tuple[str, ...],
    require: tuple[str, ...],
    most: int | None,
) -> Policy | None:
    if not (forbid or schemes or hosts or require or most):
        return None
    from ...policy import Policy

    return Policy(forbid=forbid, schemes=schemes, hosts=hosts, require=require, max_length=most)


def key(name: str) -> str:
    """A field's name as it is written in a file.

    >>> key("per_file_ignores")
    'per-file-ignores'
    """
    return name.replace("_", "-")


class Key(NamedTuple):
    """A key that can be set: the name of its field, its type, and its default."""

    field: str
    type: Any
    default: Any
    about: About


def keys(kind: type[Settings | FormatOptions]) -> dict[str, Key]:
    """The keys that can be set. Cost: evaluates the annotations, so not for quick code."""
    from typing import get_type_hints

    found = {}
    for field, type_ in get_type_hints(kind, include_extras=True).items():
        about = next(iter(getattr(type_, "__metadata__", ())), None)
        if about is not None:
            default = kind._field_defaults[field]
            found[key(field)] = Key(field, type_.__origin__, default, about)
    return found


def schema() -> dict[str, Any]:
    """The schema of ``uriproof.toml``, and of ``[tool.uriproof]`` in ``pyproject.toml``.

    Spec: JSON Schema 2020-12.

    >>> schema()["properties"]["profile"]["enum"]
    ['auto', 'uri', 'iri']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "uriproof",
        "description": "The configuration of uriproof lint.",
        **_object(Settings),
    }


def _object(kind: type[Settings | FormatOptions]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for name, known in keys(kind).items():
        entry = {"description": known.about.doc, **_type(known.type)}
        if known.default not in (None, {}):
            default = known.default
            entry["default"] = list(default) if isinstance(default, tuple) else default
        if known.about.examples:
            entry["examples"] = list(known.about.examples)
        properties[name] = entry
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _type(type_: Any) -> dict[str, Any]:
    args = [a for a in get_args(type_) if a is not type(None)]
    if type(None) in get_args(type_):
        return _type(args[0])
    if type_ is FormatOptions:
        return _object(FormatOptions)
    match get_origin(type_):
        case origin if origin is tuple:
            return {"type": "array", "items": _type(args[0])}
        case origin if origin is Literal:
            return {"enum": args}
        case origin if origin is Mapping:
            return {"type": "object", "additionalProperties": _type(args[1])}
    if type_ is int:
        return {"type": "integer", "minimum": 1}
    return {"type": {bool: "boolean", str: "string"}[type_]}
