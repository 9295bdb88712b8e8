"""The reading of configuration files: their settings and their problems.

Owns ``uriproof.toml``, ``[tool.uriproof]`` in ``pyproject.toml``, and the meaning of ``extend``.
Imports the standard library, ``settings`` and ``text``. Invariant: a file with any content gives
settings: each problem in it is reported with its line, and left out.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ...limits import DEEPEST_EXTENDS, LARGEST_SETTINGS, LONGEST_GLOB, MOST_PROBLEMS
from ...text.columns import cut
from ...text.tables import BadTOML, Field, Problem, Reader, parse
from ...text.tables import Key as Place
from ..files.source import Unread, read
from . import globs
from .settings import FormatOptions, Settings, keys

_OF_POLICIES = ("schemes", "hosts")
_OF_PATTERNS = ("include", "exclude", "extend-exclude", "per-file-ignores", "formats")

Values = dict[str, Any]
"""The fields of ``Settings`` that are set, by their names."""


def load(file: str) -> tuple[Settings | None, tuple[Problem, ...]]:
    """The settings of a file and of those that it extends, or None if it has none; the problems.

    Errors: none: a file that cannot be read or is not valid TOML is a problem. Cost: O(n).
    """
    values, problems = _values(file, ())
    if values is None:
        return None, tuple(problems)
    root = os.path.dirname(os.path.abspath(file))
    return Settings(root=root, file=file, **values), tuple(problems)


def of_table(table: Mapping[str, Any], name: str) -> tuple[Values, tuple[Problem, ...]]:
    """The fields that a table sets which comes from elsewhere, such as an editor; the problems.

    >>> values, problems = of_table({"ignore": ["path"], "selekt": []}, "editor")
    >>> values, str(problems[0])
    ({'ignore': ('path',)}, 'editor:1: selekt: unknown key; did you mean select?')
    """
    reader = _Reader("", (), name)
    return reader.table(Settings, table, ()), tuple(reader.problems)


def _values(file: str, above: tuple[str, ...]) -> tuple[Values | None, list[Problem]]:
    """The settings of a file and those that it extends; ``above`` are the files that led to it."""
    table, text, problems = _table(file)
    if table is None:
        return None, problems
    reader = _Reader(text, _prefix(file), file)
    own = reader.table(Settings, table, ())
    base: Values = {}
    if "extend" in own:
        base = _extended(own["extend"], reader, (*above, file))
    return _merged(base, own), [*problems, *reader.problems]


def _table(file: str) -> tuple[Mapping[str, Any] | None, str, list[Problem]]:
    """The table of a file that holds settings, None if there is none; the text; the problems."""
    data = read(file, LARGEST_SETTINGS)
    if isinstance(data, Unread):
        why = {"large": f"more than {LARGEST_SETTINGS:,} bytes", "binary": "TOML must be UTF-8"}
        return None, "", [Problem(1, "", why.get(data.why, data.message), file)]
    prefix = _prefix(file)
    if prefix and b"uriproof" not in data:
        return None, "", []
    try:
        text = data.decode("utf-8-sig")
        table: Any = parse(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return None, "", [Problem(line, "", "TOML must be UTF-8", file)]
    except BadTOML as error:
        return None, "", [Problem(error.line, "", error.message, file)]
    for name in prefix:
        table = table.get(name) if isinstance(table, dict) else None
    if table is None or isinstance(table, dict):
        return table, text, []
    reader = _Reader(text, prefix, file)
    reader.problem((), "expected a table: [tool.uriproof]")
    return None, "", reader.problems


def _prefix(file: str) -> tuple[str, ...]:
    """The names of the table that has the settings."""
    return ("tool", "uriproof") if os.path.basename(file) == "pyproject.toml" else ()


def _extended(given: str, reader: _Reader, chain: tuple[str, ...]) -> Values:
    """The settings of the file that the last one of a chain extends; empty after a problem."""
    path = os.path.join(os.path.dirname(chain[-1]), os.path.expanduser(given))
    path = os.path.normpath(path)
    if "\0" in path:
        reader.problem(("extend",), "a path cannot have a NUL")
        return {}
    if len(chain) > DEEPEST_EXTENDS:
        reader.problem(("extend",), f"more than {DEEPEST_EXTENDS} files extend each other")
        return {}
    if any(os.path.realpath(path) == os.path.realpath(one) for one in chain):
        way = " extends ".join([*chain, path])
        reader.problem(("extend",), f"a circle: {way}")
        return {}
    if not os.path.isfile(path):
        reader.problem(("extend",), f"file {path} does not exist")
        return {}
    values, problems = _values(path, chain)
    reader.problems += problems
    if values is None and not problems:
        reader.problem(("extend",), f"{path} has no table [tool.uriproof]")
    return values or {}


def _merged(base: Values, own: Values) -> Values:
    """The settings of a file on top of those that it extends.

    Tables and the keys ``extend-…`` add to those of the base; so does ``ignore``, unless ``select``
    is also set, which starts anew. All others replace it.

    >>> _merged({"ignore": ("path",), "profile": "iri"}, {"ignore": ("host",), "cache": False})
    {'ignore': ('path', 'host'), 'profile': 'iri', 'cache': False}
    """
    merged = dict(base)
    for name, value in own.items():
        before = base.get(name)
        adds = name.startswith("extend_") or (name == "ignore" and "select" not in own)
        if isinstance(value, Mapping):
            merged[name] = {**(before or {}), **value}
        elif adds and before:
            merged[name] = (*before, *value)
        else:
            merged[name] = value
    if "select" in own and "ignore" not in own:
        merged.pop("ignore", None)
    return merged


class _Reader(Reader):
    """One file: the values that are right, and the problems of the others."""

    longest = LONGEST_GLOB  # most texts are patterns and paths

    listed = "uriproof lint --show-settings"

    def fields(self, kind: Any) -> dict[str, Field]:
        return {name: Field(one.field, one.type, False) for name, one in keys(kind).items()}

    def table(self, kind: Any, table: Mapping[str, Any], key: Place) -> Values:
        found = super().table(kind, table, key)
        for name, one in keys(kind).items():
            if one.about.selectors and one.field in found:
                got = found[one.field]
                self._selectors(tuple(got) if one.about.selectors == "keys" else got, (*key, name))
        return found

    def record(self, kind: Any, table: Mapping[str, Any], key: Place) -> Any:
        """The options that are right: each has a default."""
        return kind(**self.table(kind, table, key))

    def unknown(self, known: Mapping[str, Field], name: str, value: Any, key: Place) -> str:
        """Names the place of the keys in a table which other tools have."""
        if key or name not in {"lint", "tool"} or not isinstance(value, dict):
            return super().unknown(known, name, value, key)
        if self._prefix:
            return "no such table; its keys belong directly in [tool.uriproof]"
        return "no such table; its keys belong at the top of this file"

    def value(self, type_: Any, value: Any, key: Place) -> Any:
        if type_ in (int, int | None) and not (type(value) is int and value > 0):
            return self.expected("a number above 0", value, key)
        if type_ is FormatOptions and key[-1] not in _formats():
            return self._near(key, str(key[-1]))
        got = super().value(type_, value, key)
        if type_ is str and key[0] == "formats" and got is not None and got not in _formats():
            return self._near(key, got)
        return got

    def wrong(self, text: str, key: Place) -> str:
        """The problem of a text: it is too long, its braces expand to too much, or no URL can have
        such a scheme or host."""
        if key[0] in _OF_POLICIES:
            return super().wrong(text, key) or _refused(text, str(key[0]))
        if (why := super().wrong(text, key)) or key[0] not in _OF_PATTERNS:
            return why
        too_large = globs.too_large(text)
        words = f"the braces of {cut(text, 60)} expand to too much; write several patterns"
        return words if too_large else ""

    def _near(self, key: Place, name: str) -> None:
        from ...text.names import did_you_mean

        end = did_you_mean(name, _formats()) or f"; use one of {', '.join(_formats())}"
        self.problem(key, f"unknown format {cut(repr(name), 60)}{end}")

    def _selectors(self, got: Any, key: Place) -> None:
        """Reports selectors that select no code; they stay, since they do no harm."""
        from ..codes import names
        from .select import unknown

        parts = got.items() if isinstance(got, Mapping) else [("", got)]
        for name, selector in ((name, one) for name, some in parts for one in some):
            if len(self.problems) >= MOST_PROBLEMS:
                return
            for wrong, near in unknown([selector], names()).items():
                hint = f"; did you mean {' or '.join(near)}?" if near else ""
                where = (*key, name) if name else key
                self.problem(where, f"no code begins with {cut(repr(wrong), 60)}{hint}")


def _refused(text: str, name: str) -> str:
    """Why a policy does not take an entry of its list."""
    from ...policy import Policy

    given: dict[str, Any] = {name: (text,)}
    try:
        Policy(**given)
    except ValueError as error:
        return cut(str(error), 80)
    return ""


def _formats() -> tuple[str, ...]:
    from ..find import finders

    return tuple(finders())
