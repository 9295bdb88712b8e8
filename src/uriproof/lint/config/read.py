"""The reading of configuration files: what they set, and what is wrong with them.

Owns ``uriproof.toml``, ``[tool.uriproof]`` in ``pyproject.toml``, and what ``extend`` means.
Imports the standard library, ``settings`` and ``text``. Invariant: a file of any content gives
settings: what is wrong in it is reported with its line, and left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any, Literal, NamedTuple, get_args, get_origin

from ...text.columns import cut
from ..files.source import Unread, read
from . import globs
from .settings import FormatOptions, Settings, keys

__all__ = ["Problem", "load", "of_table", "type_name"]

LARGEST = 1_000_000
"""Bytes of a file of settings: those that people write have some thousands."""
MOST = 1_000
"""Entries of a list or a table: each costs time for every file or diagnostic."""
MOST_STEPS = 10_000_000
"""Of reading keys with dots: the standard library takes the square of the parts of each."""
LONGEST = globs.LONGEST
"""Characters of a text, most of which are patterns and paths."""
MOST_PROBLEMS = 50
"""Problems of a file that are told: to find the line of one, the file is read."""
DEEPEST = 20
"""Files that extend each other."""
_INTEGER = 2**63
"""What a number is less than: TOML 1.0.0, "Integer"."""

Values = dict[str, Any]
"""The fields of ``Settings`` that are set, by their names."""


class Problem(NamedTuple):
    """Something wrong in a configuration file; the line counts from 1."""

    file: str
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: "
        return where + (f"{self.key}: {self.message}" if self.key else self.message)


def load(file: str) -> tuple[Settings | None, tuple[Problem, ...]]:
    """The settings of a file and of those that it extends, or None if it has none; the problems.

    Errors: none: a file that cannot be read or is no TOML is a problem. Cost: O(n).
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
    ({'ignore': ('path',)}, 'editor:1: selekt: no such key; did you mean select?')
    """
    reader = _Reader(name, "", ())
    return reader.table(Settings, table, ()), tuple(reader.problems)


def _values(file: str, above: tuple[str, ...]) -> tuple[Values | None, list[Problem]]:
    """What a file sets, with what it extends; ``above`` are the files that led to it."""
    table, text, problems = _table(file)
    if table is None:
        return None, problems
    reader = _Reader(file, text, _prefix(file))
    own = reader.table(Settings, table, ())
    base: Values = {}
    if "extend" in own:
        base = _extended(own["extend"], reader, (*above, file))
    return _merged(base, own), [*problems, *reader.problems]


def _table(file: str) -> tuple[Mapping[str, Any] | None, str, list[Problem]]:
    """The table of a file that holds settings, None if there is none; the text; the problems."""
    data = read(file, LARGEST)
    if isinstance(data, Unread):
        why = {"large": f"more than {LARGEST:,} bytes", "binary": "TOML must be UTF-8"}
        return None, "", [Problem(file, 1, "", why.get(data.why, data.message))]
    prefix = _prefix(file)
    if prefix and b"uriproof" not in data:
        return None, "", []
    import tomllib

    try:
        text = data.decode("utf-8-sig")
        if sum(row.count(".") ** 2 for row in text.split("\n")) > MOST_STEPS:
            return None, "", [Problem(file, 1, "", "lines with too many dots to be read")]
        table: Any = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return None, "", [Problem(file, line, "", "TOML must be UTF-8")]
    except (ValueError, RecursionError) as error:
        words = str(error)
        place = re.search(r" ?\(at line (\d+), column (\d+)\)", words)
        words = words.replace(place[0], "") if place else words
        last = data.rstrip().count(b"\n") + 1  # without a place, the end is meant
        line = int(place[1]) if place else last
        return None, "", [Problem(file, line, "", f"invalid TOML: {words}")]
    for name in prefix:
        table = table.get(name) if isinstance(table, dict) else None
    if table is None or isinstance(table, dict):
        return table, text, []
    return None, "", [Problem(file, _line(text, prefix), "", "expected a table: [tool.uriproof]")]


def _prefix(file: str) -> tuple[str, ...]:
    """The names of the table that has the settings."""
    return ("tool", "uriproof") if os.path.basename(file) == "pyproject.toml" else ()


def _extended(given: str, reader: _Reader, chain: tuple[str, ...]) -> Values:
    """What the file sets that the last one of a chain extends; nothing if that is wrong."""
    path = os.path.join(os.path.dirname(chain[-1]), os.path.expanduser(given))
    path = os.path.normpath(path)
    if "\0" in path:
        reader.problem(("extend",), "a path cannot have a NUL")
        return {}
    if len(chain) > DEEPEST:
        reader.problem(("extend",), f"more than {DEEPEST} files extend each other")
        return {}
    if any(os.path.realpath(path) == os.path.realpath(one) for one in chain):
        way = " extends ".join([*chain, path])
        reader.problem(("extend",), f"a circle: {way}")
        return {}
    if not os.path.isfile(path):
        reader.problem(("extend",), f"there is no file {path}")
        return {}
    values, problems = _values(path, chain)
    reader.problems += problems
    if values is None and not problems:
        reader.problem(("extend",), f"{path} has no table [tool.uriproof]")
    return values or {}


def _merged(base: Values, own: Values) -> Values:
    """What a file sets on top of what it extends.

    Tables and the keys ``extend-…`` add to those of the base; so does ``ignore``, but where
    ``select`` is set, too, which begins anew. All else replaces it.

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


class _Reader:
    """One file: the values that are right, and the problems of the others."""

    def __init__(self, file: str, text: str, prefix: tuple[str, ...]) -> None:
        self._file, self._text, self._prefix = file, text, prefix
        self.problems: list[Problem] = []

    def problem(self, path: tuple[str, ...], message: str) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            line = _line(self._text, (*self._prefix, *path))
            self.problems.append(Problem(self._file, line, cut(".".join(path), 80), message))

    def table(
        self,
        kind: type[Settings | FormatOptions],
        table: Mapping[str, Any],
        path: tuple[str, ...],
    ) -> Values:
        """The fields that a table sets, by their names."""
        known = keys(kind)
        found: Values = {}
        for name, value in table.items():
            here = (*path, name)
            if len(self.problems) >= MOST_PROBLEMS:
                break
            if name not in known:
                if isinstance(value, dict) and (where := self._belong(path, name)):
                    self.problem(here, where)
                    continue
                from ...text.names import did_you_mean

                hint = did_you_mean(name, known, 1) or f"; the keys are {', '.join(known)}"
                self.problem(here, f"no such key{hint}")
                continue
            got = self._value(known[name].type, value, here)
            if got is not None:
                found[known[name].field] = got
                if selectors := known[name].about.selectors:
                    self._selectors(tuple(got) if selectors == "keys" else got, here)
        return found

    def _belong(self, path: tuple[str, ...], name: str) -> str:
        """Where the keys belong that are in a table which other tools have; empty for others."""
        if path or name not in {"lint", "tool"}:
            return ""
        if self._prefix:
            return "no such table; its keys belong directly in [tool.uriproof]"
        return "no such table; its keys belong at the top of this file"

    def _value(self, type_: Any, value: Any, path: tuple[str, ...]) -> Any:
        """The value as of the type, or None if it is of another, which is a problem."""
        inner = get_args(type_)
        if get_origin(type_) is Mapping:
            if not isinstance(value, dict):
                return self.problem(path, f"expected {type_name(type_)}, not {_shown(value)}")
            if len(value) > MOST:
                return self.problem(path, f"more than {MOST:,} entries")
            if wrong := next((n for n in value if self._too_long(path, n)), None):
                return self.problem(path, self._too_long(path, wrong))
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
            if len(value) > MOST:
                return self.problem(path, f"more than {MOST:,} entries")
            for why in filter(None, (self._too_long(path, v) for v in value)):
                return self.problem(path, why)
            return tuple(value)
        if get_origin(type_) is Literal:
            if value not in get_args(type_):
                return self.problem(path, f"expected {type_name(type_)}, not {_shown(value)}")
            return value
        right = type(value) is type_ and not (type_ is int and not 0 < value < _INTEGER)
        if not right:
            return self.problem(path, f"expected {type_name(type_)}, not {_shown(value)}")
        if type_ is str and (why := self._too_long(path, value)):
            return self.problem(path, why)
        if path[0] == "formats" and value not in _formats():
            return self._near(path, value, _formats(), "format")
        return value

    @staticmethod
    def _too_long(path: tuple[str, ...], text: str) -> str:
        """What is wrong with the length of a text, or of what the braces of a pattern stand for."""
        if len(text) > LONGEST:
            return f"a text of more than {LONGEST:,} characters"
        if path[0] in _OF_PATTERNS and globs.too_large(text):
            return f"the braces of {cut(text, 60)} stand for too much; write several patterns"
        return ""

    def _near(self, path: tuple[str, ...], name: str, known: tuple[str, ...], what: str) -> None:
        from ...text.names import did_you_mean

        end = did_you_mean(name, known) or f"; they are {', '.join(known)}"
        self.problem(path, f"there is no {what} {cut(repr(name), 60)}{end}")

    def _selectors(self, got: Any, path: tuple[str, ...]) -> None:
        """Reports selectors that select no code; they stay, since they do no harm."""
        from ..codes import names
        from .select import unknown

        parts = got.items() if isinstance(got, Mapping) else [("", got)]
        for name, selector in ((name, one) for name, some in parts for one in some):
            if len(self.problems) >= MOST_PROBLEMS:
                return
            for wrong, near in unknown([selector], names()).items():
                hint = f"; did you mean {' or '.join(near)}?" if near else ""
                where = (*path, name) if name else path
                self.problem(where, f"no code begins with {cut(repr(wrong), 60)}{hint}")


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
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return cut(repr(value), 60)
    except (RecursionError, ValueError):  # tables in tables; a number of too many digits
        return "a value that is too large to be shown"


_OF_PATTERNS = ("include", "exclude", "extend-exclude", "per-file-ignores", "formats")
_KEY = r"""(?:"{0}"|'{0}'|{0})"""


def _line(text: str, path: tuple[str, ...]) -> int:
    """The line that sets a key, or the nearest: the parser has no positions."""
    path = tuple(takewhile(lambda name: len(name) <= LONGEST, path))
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
