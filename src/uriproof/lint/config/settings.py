"""The configuration: what may be set, where it is read from, and what is wrong with it.

Owns ``Settings`` and the reading of ``uriproof.toml`` and of ``[tool.uriproof]`` in
``pyproject.toml``. Imports the standard library, ``grammar.errors`` and ``lint.select``. Invariant:
a file of any content gives settings: what is wrong in it is reported with its line, and left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

from ...records import NamedTuple
from ...text.columns import cut
from ..files.source import LARGEST
from .select import DEFAULT, Selection

__all__ = ["FILES", "Configs", "FormatOptions", "Problem", "Settings"]
__all__ += ["key", "keys", "load", "type_name"]

FILES = ("uriproof.toml", "pyproject.toml")
"""The names of configuration files; the first that a folder has counts."""

Profile = Literal["rfc3986", "iri"]

EXCLUDED = (
    *(".git", ".hg", ".svn", ".bzr", ".jj", "__pycache__", ".venv", "venv", ".tox", ".nox"),
    *("node_modules", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"),
    ".uriproof_cache",
)


class About(NamedTuple):
    """What is said of a setting: its description, examples, and whether it selects codes.

    Without a description, it is none that a file may set.
    """

    doc: str
    selectors: bool = False
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


class Settings(NamedTuple):
    """All settings; ``root`` is the folder that path patterns are relative to."""

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
    include: Annotated[
        tuple[str, ...], About("Patterns of the files to check; by default every text file.")
    ] = ()
    exclude: Annotated[tuple[str, ...], About("Patterns of files and folders to exclude.")] = (
        EXCLUDED
    )
    extend_exclude: Annotated[
        tuple[str, ...], About("Patterns to exclude in addition to `exclude`.")
    ] = ()
    gitignore: Annotated[bool, About("Whether to exclude what git ignores.")] = True
    profile: Annotated[
        Profile,
        About("What to validate URLs as: URIs (rfc3986), or IRIs with non-ASCII characters (iri)."),
    ] = "rfc3986"
    scheme_rules: Annotated[bool, About("Whether to apply scheme-specific rules, too.")] = False
    schemes: Annotated[
        tuple[str, ...],
        About("The allowed schemes; by default every scheme.", examples=(["https", "mailto"],)),
    ] = ()
    require_reason: Annotated[bool, About("Whether a suppression needs a reason.")] = False
    baseline: Annotated[str | None, About("A file of known diagnostics, which are hidden.")] = None
    cache: Annotated[bool, About("Whether to cache the results of files between runs.")] = True
    max_file_size: Annotated[int, About("The size in bytes of the largest file to check.")] = (
        LARGEST
    )
    formats: Annotated[
        Mapping[str, str], About("The format to read the files as that match a pattern.")
    ] = _NONE
    format: Annotated[Mapping[str, FormatOptions], About("Options for each format.")] = _NONE
    root: str = ""
    file: str = ""

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


class Problem(NamedTuple):
    """Something wrong in a configuration file; the line counts from 1."""

    file: str
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: "
        return where + (f"{self.key}: {self.message}" if self.key else self.message)


def key(name: str) -> str:
    """A field's name as it is written in a file.

    >>> key("per_file_ignores")
    'per-file-ignores'
    """
    return name.replace("_", "-")


class Key(NamedTuple):
    """A key that may be set: the name of its field, its type, and its default."""

    field: str
    type: Any
    default: Any
    about: About


def keys(kind: type[Settings | FormatOptions]) -> dict[str, Key]:
    """The keys that may be set. Cost: evaluates the annotations, so not where it is quick."""
    from typing import get_type_hints

    found = {}
    for field, type_ in get_type_hints(kind, include_extras=True).items():
        about = next(iter(getattr(type_, "__metadata__", ())), None)
        if about is not None:
            default = kind._field_defaults[field]
            found[key(field)] = Key(field, type_.__origin__, default, about)
    return found


def load(file: str) -> tuple[Settings | None, tuple[Problem, ...]]:
    """The settings of a file, or None if it has none; and what is wrong with it.

    Errors: none: a file that cannot be read or is no TOML is a problem. Cost: O(n).
    """
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError as error:
        return None, (Problem(file, 1, "", error.strerror or str(error)),)
    own = os.path.basename(file) == "pyproject.toml"
    if own and b"uriproof" not in data:
        return None, ()
    import tomllib

    try:
        text = data.decode("utf-8-sig")
        table: Any = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return None, (Problem(file, line, "", "TOML must be UTF-8"),)
    except (ValueError, RecursionError) as error:
        words = str(error)
        place = re.search(r" ?\(at line (\d+), column (\d+)\)", words)
        words = words.replace(place[0], "") if place else words
        last = data.rstrip().count(b"\n") + 1  # without a place, the end is meant
        return None, (
            Problem(file, int(place[1]) if place else last, "", f"invalid TOML: {words}"),
        )
    prefix = ("tool", "uriproof") if own else ()
    for name in prefix:
        table = table.get(name) if isinstance(table, dict) else None
    if table is None:
        return None, ()
    reader = _Reader(file, text, prefix)
    root = os.path.dirname(os.path.abspath(file))
    if not isinstance(table, dict):
        reader.problem((), "expected a table: [tool.uriproof]")
        return None, tuple(reader.problems)
    found = reader.table(Settings, table, ())
    return Settings(root=root, file=file, **found), tuple(reader.problems)


class _Reader:
    """One file: the values that are right, and the problems of the others."""

    def __init__(self, file: str, text: str, prefix: tuple[str, ...]) -> None:
        self._file, self._text, self._prefix = file, text, prefix
        self.problems: list[Problem] = []

    def problem(self, path: tuple[str, ...], message: str) -> None:
        line = _line(self._text, (*self._prefix, *path))
        self.problems.append(Problem(self._file, line, ".".join(path), message))

    def table(
        self,
        kind: type[Settings | FormatOptions],
        table: Mapping[str, Any],
        path: tuple[str, ...],
    ) -> dict[str, Any]:
        """The fields that a table sets, by their names."""
        known = keys(kind)
        found: dict[str, Any] = {}
        for name, value in table.items():
            here = (*path, name)
            if name not in known:
                from ...text.names import did_you_mean

                hint = did_you_mean(name, known, 1) or f"; the keys are {', '.join(known)}"
                self.problem(here, f"no such key{hint}")
                continue
            got = self._value(known[name].type, value, here)
            if got is not None:
                found[known[name].field] = got
                if known[name].about.selectors:
                    self._selectors(got, here)
        return found

    def _value(self, type_: Any, value: Any, path: tuple[str, ...]) -> Any:
        """The value as of the type, or None if it is of another, which is a problem."""
        inner = get_args(type_)
        if get_origin(type_) is Mapping:
            if not isinstance(value, dict):
                return self.problem(path, f"expected {type_name(type_)}, not {_shown(value)}")
            items = ((n, self._item(inner[1], v, (*path, n))) for n, v in value.items())
            return {name: item for name, item in items if item is not None}
        return self._item(type_, value, path)

    def _item(self, type_: Any, value: Any, path: tuple[str, ...]) -> Any:
        if type_ is FormatOptions:
            if path[-1] not in _formats():
                return self._near(path, path[-1], _formats(), "format")
            if not isinstance(value, dict):
                return self.problem(path, f"expected a table, not {_shown(value)}")
            return FormatOptions(**self.table(FormatOptions, value, path))
        args = [a for a in get_args(type_) if a is not type(None)]
        if type(None) in get_args(type_):
            type_ = args[0]
        if get_origin(type_) is tuple:
            if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
                return self.problem(path, f"expected {type_name(type_)}, not {_shown(value)}")
            return tuple(value)
        if get_origin(type_) is Literal:
            if value not in get_args(type_):
                return self.problem(path, f"expected {type_name(type_)}, not {_shown(value)}")
            return value
        right = type(value) is type_ and not (type_ is int and value <= 0)
        if not right:
            return self.problem(path, f"expected {type_name(type_)}, not {_shown(value)}")
        if path[0] == "formats" and value not in _formats():
            return self._near(path, value, _formats(), "format")
        return value

    def _near(self, path: tuple[str, ...], name: str, known: tuple[str, ...], what: str) -> None:
        from ...text.names import did_you_mean

        end = did_you_mean(name, known) or f"; they are {', '.join(known)}"
        self.problem(path, f"there is no {what} {name!r}{end}")

    def _selectors(self, got: Any, path: tuple[str, ...]) -> None:
        """Reports selectors that select no code; they stay, since they do no harm."""
        from ..codes import names
        from .select import unknown

        parts = got.items() if isinstance(got, Mapping) else [("", got)]
        for name, selectors in parts:
            for wrong, near in unknown(selectors, names()).items():
                hint = f"; did you mean {' or '.join(near)}?" if near else ""
                where = (*path, name) if name else path
                self.problem(where, f"no code begins with {wrong!r}{hint}")


def _formats() -> tuple[str, ...]:
    from ..find import finders

    return tuple(finders())


def type_name(type_: Any) -> str:
    """The name of a type in a message."""
    args = [a for a in get_args(type_) if a is not type(None)]
    if get_origin(type_) is tuple:
        return "a list of strings"
    if get_origin(type_) is Mapping:
        return "a table"
    if get_origin(type_) is Literal:
        return " or ".join(f'"{a}"' for a in args)
    if args:
        return type_name(args[0])
    return {bool: "true or false", int: "a number above 0", str: "a string"}[type_]


def _shown(value: Any) -> str:
    shown = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    return cut(shown, 60)


_KEY = r"""(?:"{0}"|'{0}'|{0})"""


def _line(text: str, path: tuple[str, ...]) -> int:
    """The line that sets a key, or the nearest: the parser has no positions."""
    for size in range(len(path), -1, -1):
        head, rest = path[:size], path[size:]
        dot = r"\s*\.\s*"
        start = 0
        if head:
            names = dot.join(_KEY.format(re.escape(name)) for name in head)
            header = re.search(rf"(?m)^[ \t]*\[+\s*{names}\s*\]", text)
            if header is None:
                continue
            start = header.end()
        if not rest:
            return text.count("\n", 0, start) + 1
        end = re.compile(r"(?m)^[ \t]*\[[^\[\]]*\][ \t]*(?:#|$)").search(text, start)
        area = text[start : end.start() if end else len(text)]
        for most in range(len(rest), 0, -1):
            names = dot.join(_KEY.format(re.escape(name)) for name in rest[:most])
            setting = re.search(rf"(?m)^[ \t]*{names}\s*[=.]", area)
            if setting is not None:
                return text.count("\n", 0, start + setting.start()) + 1
    return 1


class Configs:
    """The settings that hold in each folder: those of the nearest file above.

    ``given`` is a file that holds everywhere; ``isolated`` reads none; ``override`` is what the
    command line sets, on top of each. ``problems`` are collected as files are read.
    """

    def __init__(
        self,
        given: str | None = None,
        isolated: bool = False,
        override: Callable[[Settings], Settings] = lambda settings: settings,
    ) -> None:
        self.given, self.isolated, self.override = given, isolated, override
        self.problems: list[Problem] = []
        self._known: dict[str, Settings] = {}

    def of(self, folder: str) -> Settings:
        """The settings of a folder. Cost: looks for files once a folder."""
        folder = os.path.abspath(folder)
        settings = self._known.get(folder)
        if settings is None:
            settings = self._known[folder] = self._find(folder)
        return settings

    def _find(self, folder: str) -> Settings:
        if self.isolated or self.given is not None:
            at = os.path.abspath("")
            if folder != at:
                return self.of(at)
            loaded = None if self.given is None else self._load(self.given)
            return self.override(loaded or Settings(root=at))
        for name in FILES:
            file = os.path.join(folder, name)
            if os.path.isfile(file) and (loaded := self._load(file)) is not None:
                return self.override(loaded)
        above = os.path.dirname(folder)
        if above != folder:
            return self.of(above)
        return self.override(Settings(root=os.path.abspath("")))

    def _load(self, file: str) -> Settings | None:
        near = os.path.relpath(file)
        settings, problems = load(file if near.startswith("..") else near)
        self.problems += problems
        return settings
