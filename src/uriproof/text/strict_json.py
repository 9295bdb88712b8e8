"""JSON as RFC 8259 says, of which no two readers differ: what is wrong with a text, and where.

Owns the reading of JSON that others sent. Imports limits and errors, and ``json`` late.
Invariant: what is read can be written again as JSON in UTF-8: no NaN, no half of a surrogate pair.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any, TypeAlias

from ..errors import UriproofError
from ..limits import DEEPEST_JSON

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indexes, from the whole value to a part of it."""


class InvalidJSON(UriproofError, ValueError):
    """A text that is not valid JSON, or that readers differ on; wrong at ``start``."""

    def __init__(self, message: str, start: int = 0) -> None:
        self.start = start
        super().__init__(message)


def read_json(text: str | bytes, halves: bool = False) -> Any:
    """The value of a text in JSON; with ``halves``, it can have lone surrogates.

    Errors: ValueError, for octets that are not UTF-8, or InvalidJSON, also for keys given twice,
    numbers that are not finite or have thousands of digits, lone surrogates, and arrays and objects
    nested deeper than DEEPEST_JSON: programs differ about them, so that one that validates could
    see another value than one that uses it. Cost: O(n). Spec: RFC 8259; RFC 7493 §2.

    >>> read_json('{"a": 1.5}')
    {'a': 1.5}
    """
    import json

    text = text if isinstance(text, str) else text.decode("utf-8")
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite
        )
        if "\\u" in text and not halves:
            json.dumps(value, ensure_ascii=False).encode()
        if _is_deep(value):
            _refuse("")
    except json.JSONDecodeError as error:
        words = error.msg.partition(":")[0].removesuffix(" at").removesuffix(" starting")
        words = f"not valid JSON: {words[:1].lower()}{words[1:]}"
        raise InvalidJSON(words, error.pos) from None
    except (ValueError, RecursionError):  # which do not say where
        _Places(text, None, halves).read()
        raise InvalidJSON("not valid JSON") from None
    return value


def places(text: str, paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Where these parts are in a text that was read. Cost: O(n), n their length and the text's."""
    found = _Places(text, {path[:end] for path in paths for end in range(len(path) + 1)})
    found.read()
    return found.spans


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _refuse("")


def _refuse(_: str) -> Any:
    raise ValueError


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _refuse(text)


def _is_deep(value: object) -> bool:
    level, depth = [value], 0
    while level and depth <= DEEPEST_JSON:
        inner = [each for each in level if isinstance(each, dict | list)]
        level = [each for own in inner for each in (own if isinstance(own, list) else own.values())]
        depth += bool(inner)
    return depth > DEEPEST_JSON


class _Places:
    """Reads a text part by part; parts that are not wanted are skipped, which is faster."""

    def __init__(self, text: str, wanted: set[Path] | None, halves: bool = False) -> None:
        import json

        self._text, self._wanted = text, wanted
        self._errors = "surrogatepass" if halves else "strict"
        decoder = json.JSONDecoder(
            object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite
        )
        self._skip = decoder.raw_decode
        self._blank = json.decoder.WHITESPACE.match  # type: ignore[attr-defined]
        self.spans: dict[Path, tuple[int, int]] = {}

    def read(self) -> None:
        self._value(self._next(0), ())

    def _next(self, at: int) -> int:
        return int(self._blank(self._text, at).end())

    def _value(self, at: int, path: Path) -> int:
        if self._wanted is not None and path not in self._wanted:
            return self._skip(self._text, at)[1]
        opening = self._text[at]
        if opening in "[{":
            if len(path) == DEEPEST_JSON:
                words = f"arrays and objects are nested more than {DEEPEST_JSON} deep"
                raise InvalidJSON(words, at)
            end = self._parts(self._next(at + 1), path, opening == "{")
        else:
            end = self._scalar(at)[1]
        self.spans[path] = at, end
        return end

    def _scalar(self, at: int) -> tuple[Any, int]:
        try:
            value, end = self._skip(self._text, at)
            str(value).encode(errors=self._errors)
        except UnicodeEncodeError:
            raise InvalidJSON("half of a surrogate pair is not a character", at) from None
        except ValueError:
            words = "a number must be finite, and not have thousands of digits"
            raise InvalidJSON(words, at) from None
        return value, end

    def _parts(self, at: int, path: Path, named: bool) -> int:
        """Read the items or members from ``at``; returns the end of the array or object."""
        seen: set[str | int] = set()
        while self._text[at] not in "]}":
            key: str | int = len(seen)
            if named:
                start = at
                key, at = self._scalar(at)
                if key in seen:
                    raise InvalidJSON("this key was given before", start)
                at = self._next(self._next(at) + 1)
            seen.add(key)
            at = self._next(self._value(at, (*path, key)))
            if self._text[at] == ",":
                at = self._next(at + 1)
        return at + 1
