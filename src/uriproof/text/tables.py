"""Tables of TOML as typed values, with every problem in them at its line.

Owns the parsing of hostile files within bounds, the lines of keys, and how type hints are read from
a table. Imports ``errors`` and the rest of ``text``. Invariant: a text of any content gives values,
or problems with a line, a key and what to do; nothing else is raised.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from ..errors import UriproofError
from ..limits import (
    DEEPEST_TOML_KEY,
    LONGEST_ENTRY,
    MOST_ENTRIES,
    MOST_PROBLEMS,
    MOST_TOML_STEPS,
    TOML_INTEGER,
)
from .columns import cut

Key = tuple[str | int, ...]
"""The names, and the numbers within arrays of tables, that lead to a value."""


_NAME = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_NAMES = rf"{_NAME}(?:[ \t]*+\.[ \t]*+{_NAME})*+"
_HEADER = re.compile(rf"[ \t]*+(\[\[?+)[ \t]*+({_NAMES})[ \t]*+\]")
_ASSIGNED = re.compile(rf"[ \t]*+({_NAMES})[ \t]*+=")
_EACH = re.compile(rf"({_NAME})[ \t.]*+")


class Problem(NamedTuple):
    """A problem of a file: the line from 1, the key, and what to do."""

    line: int
    key: str
    message: str
    file: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: " if self.file else f"line {self.line}: "
        return where + (f"{self.key}: {self.message}" if self.key else self.message)


class BadTOML(UriproofError, ValueError):
    """A text that is not valid TOML; ``line`` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def parse(text: str) -> dict[str, Any]:
    """The table of a text. Errors: BadTOML. Cost: O(n), but for what dots in keys cost.

    >>> try: parse("a = 1\\nb = ?\\n")
    ... except BadTOML as error: print(error.line, error)
    2 invalid TOML: Invalid value (column 5)
    """
    import tomllib

    if sum(row.count(".") ** 2 for row in text.split("\n")) > MOST_TOML_STEPS:
        raise BadTOML(1, "lines with too many dots to be read")
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise BadTOML(1, "invalid TOML: nested too deeply") from None
    except ValueError as error:
        words = str(error)
    place = re.search(r" ?\(at line (\d+), column (\d+)\)", words)
    words = words.replace(place[0], f" (column {place[2]})") if place else words
    # Without a place, the parser means the end.
    line = int(place[1]) if place else text.rstrip().count("\n") + 1
    raise BadTOML(line, f"invalid TOML: {words}")


def lines(text: str) -> dict[Key, int]:
    """The line, from 1, of each key and each table: the parser does not say them.

    A guess at worst: a lookalike of a key in a text of several lines can count as one.
    Cost: O(n).

    >>> lines('a = 1\\n[[b]]\\n"c.d" = 2\\n')[("b", 0, "c.d")]
    3
    """
    found: dict[Key, int] = {(): 1}
    counts: dict[Key, int] = {}
    table: Key = ()
    quote = ""
    for number, line in enumerate(text.split("\n"), 1):
        if quote:
            quote = "" if quote in line else quote
        elif header := _HEADER.match(line):
            table = _entered(_named(header[2]), header[1] == "[[", counts)
            found.setdefault(table, number)
            if table and isinstance(table[-1], int):
                found.setdefault(table[:-1], number)
        else:
            if (assigned := _ASSIGNED.match(line)) and len(table) < DEEPEST_TOML_KEY:
                found.setdefault((*table, *_named(assigned[1])), number)
            quote = next((mark for mark in ('"""', "'''") if line.count(mark) % 2), "")
    return found


def _named(names: str) -> Key:
    key: Key = ()
    at = 0
    while len(key) < DEEPEST_TOML_KEY and (name := _EACH.match(names, at)):
        key = (*key, name[1].strip("\"'"))
        at = name.end()
    return key


def _entered(names: Key, is_array: bool, counts: dict[Key, int]) -> Key:
    """The table that a header opens; ``counts`` has the last number in each array of tables."""
    table: Key = ()
    for i, name in enumerate(names):
        table = (*table, name)
        if is_array and i == len(names) - 1:
            counts[table] = counts.get(table, -1) + 1
        if table in counts:
            table = (*table, counts[table])
    return table


def named(key: Key) -> str:
    """A key as people write it.

    >>> named(("exercise", 0, "explain", "option", 2, "text"))
    'exercise[1].explain.option[3].text'
    """
    words = "".join(f"[{name + 1}]" if isinstance(name, int) else f".{name}" for name in key)
    return words.removeprefix(".")


class Field(NamedTuple):
    """A key of a table: the name of its field, its type, and whether it must be set."""

    name: str
    type: Any
    required: bool


class Reader:
    """Reads tables into the fields of named tuples and dataclasses, by their type hints.

    ``problems`` has the problems, at most fifty. A subclass sets other limits: ``most`` entries of
    a list or a table, and the ``longest`` text, in characters; ``listed`` is the command that lists
    its keys. It overrides ``fields`` if keys are not spelled like fields, ``value`` for its own
    types and ``record`` for relations between fields. ``prefix`` leads to the table in the file.
    """

    most: int = MOST_ENTRIES
    longest: int = LONGEST_ENTRY
    listed = ""

    def __init__(self, text: str, prefix: Key = (), file: str = "") -> None:
        self._text = text
        self._prefix = prefix
        self._file = file
        self.problems: list[Problem] = []

    @cached_property
    def places(self) -> dict[Key, int]:
        """The lines of all keys; only read if they are needed."""
        return lines(self._text)

    def line_of(self, key: Key) -> int:
        """The line of a key, or of the nearest table around it."""
        key = (*self._prefix, *key)[:DEEPEST_TOML_KEY]
        while key not in self.places:
            key = key[:-1]
        return self.places[key]

    def problem(self, key: Key, message: str) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            one = Problem(self.line_of(key), cut(named(key), 80), message, self._file)
            self.problems.append(one)

    def expected(self, what: str, value: Any, key: Key) -> None:
        """Notes that a value is not what the key needs."""
        self.problem(key, f"expected {what}, not {_shown(value)}")

    def fields(self, kind: Any) -> Mapping[str, Field]:
        """The keys of a class of tables."""
        optional = getattr(kind, "_field_defaults", None)
        if optional is None:
            missing = dataclasses.MISSING
            optional = {
                field.name
                for field in dataclasses.fields(kind)
                if (field.default, field.default_factory) != (missing, missing)
            }
        hints = get_type_hints(kind)
        return {name: Field(name, hint, name not in optional) for name, hint in hints.items()}

    def table(self, kind: Any, table: Mapping[str, Any], key: Key) -> dict[str, Any]:
        """The fields that a table sets rightly, by their names; the rest is noted."""
        known = self.fields(kind)
        found: dict[str, Any] = {}
        for name, value in table.items():
            if len(self.problems) >= MOST_PROBLEMS:
                break
            if name not in known:
                self.problem((*key, name), self.unknown(known, name, value, key))
                continue
            got = self.value(known[name].type, value, (*key, name))
            if got is not None:
                found[known[name].name] = got
        for name, field in known.items():
            if field.required and name not in table:
                self.problem(key, f"{name} is missing")
        return found

    def unknown(self, known: Mapping[str, Field], name: str, value: Any, key: Key) -> str:
        """The message for a key that no table of this kind has."""
        from .names import did_you_mean

        hint = did_you_mean(name, known, 1, listed=self.listed)
        return f"unknown key{hint or '; the keys are ' + ', '.join(known)}"

    def record(self, kind: Any, table: Mapping[str, Any], key: Key) -> Any:
        """A value of a class from a table, or None if anything is wrong in it."""
        before = len(self.problems)
        values = self.table(kind, table, key)
        # Beyond the most problems nothing more is noted, nor read.
        wrong = len(self.problems) > before or before >= MOST_PROBLEMS
        return None if wrong else kind(**values)

    def value(self, type_: Any, value: Any, key: Key) -> Any:
        """The value as of the type, or None if it is of another, which is noted."""
        kinds = _kinds(type_)
        if get_origin(type_) is Literal:
            return value if value in kinds else self.expected(type_name(type_), value, key)
        if get_origin(type_) is tuple:
            return self._items(type_, value, key)
        if get_origin(type_) is Mapping:
            return self._mapping(type_, value, key)
        for kind in kinds:
            if _is_record(kind) and isinstance(value, dict):
                return self.record(kind, value, key)
            if get_origin(kind) is not None:
                return self.value(kind, value, key)
            if type(value) is kind and not (kind is int and abs(value) >= TOML_INTEGER):
                return self._short(value, key) if kind is str else value
        return self.expected(type_name(type_), value, key)

    def _items(self, type_: Any, value: Any, key: Key) -> Any:
        inner = get_args(type_)[0]
        if not isinstance(value, list) or (inner is str and {*map(type, value)} - {str}):
            return self.expected(type_name(type_), value, key)
        if len(value) > self.most:
            return self.problem(key, f"more than {self.most:,} entries")
        before = len(self.problems)
        if inner is str:
            items = [self._short(one, key) for one in value]
        else:
            items = [self.value(inner, one, (*key, i)) for i, one in enumerate(value)]
        return tuple(items) if len(self.problems) == before else None

    def _mapping(self, type_: Any, value: Any, key: Key) -> Any:
        if not isinstance(value, dict):
            return self.expected(type_name(type_), value, key)
        if len(value) > self.most:
            return self.problem(key, f"more than {self.most:,} entries")
        if any(self._short(name, key) is None for name in value):
            return None
        inner = get_args(type_)[1]
        items = ((name, self.value(inner, one, (*key, name))) for name, one in value.items())
        return {name: item for name, item in items if item is not None}

    def _short(self, text: str, key: Key) -> Any:
        """A text, or None if it is too long, or wrong for its key."""
        why = self.wrong(text, key)
        return text if not why else self.problem(key, why)

    def wrong(self, text: str, key: Key) -> str:
        """The problem of a text, or of a name in a table, at a key; empty if there is none."""
        too_long = len(text) > self.longest
        return f"a text of more than {self.longest:,} characters" if too_long else ""


def _kinds(type_: Any) -> list[Any]:
    """The types that a value can have, without None."""
    is_one = get_origin(type_) in (tuple, Mapping) or not get_args(type_)
    return [type_] if is_one else [a for a in get_args(type_) if a is not type(None)]


def _is_record(kind: Any) -> bool:
    return dataclasses.is_dataclass(kind) or hasattr(kind, "_field_defaults")


def type_name(type_: Any) -> str:
    """The name of a type in a message.

    >>> type_name(tuple[str, ...]), type_name(str | int | None)
    ('a list of strings', 'a string or a whole number')
    """
    kinds = _kinds(type_)
    if get_origin(type_) is tuple:
        return f"a list of {'tables' if _is_record(get_args(type_)[0]) else 'strings'}"
    if get_origin(type_) is Literal:
        return " or ".join(f'"{kind}"' for kind in kinds)
    if get_origin(type_) is Mapping:
        return "a table"
    if len(kinds) > 1 or kinds != [type_]:
        return " or ".join(map(type_name, kinds))
    return {bool: "true or false", int: "a whole number", str: "a string"}.get(type_, "a table")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return cut(repr(value), 60)
    except (RecursionError, ValueError):  # tables in tables; a number of too many digits
        return "a value that is too large to be shown"
