"""The bases of all errors of the package, of its values, and of those neither true nor false.

Owns ``UriproofError``, ``Value`` and ``HasVerdict``. Imports nothing. Invariant: every error that
the package raises by itself is a ``UriproofError``, and one of ValueError, LookupError, TypeError
or OSError.
"""

from __future__ import annotations


class UriproofError(Exception):
    """The base of all errors of this package, except TypeError for arguments of a wrong type."""


class Value:
    """A value that cannot be changed, and equals others of its kind with the same ``_key``."""

    __slots__ = ()

    def _key(self) -> tuple[object, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, type(self)) else NotImplemented

    __ne__ = object.__ne__  # the opposite, also if another base is a tuple

    def __hash__(self) -> int:
        return hash(self._key())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed: {name}")


class HasVerdict:
    """A value with a verdict, ``ok`` by default, for which its truth would be taken."""

    __slots__ = ()
    _verdict = "ok"

    def __bool__(self) -> bool:
        kind = type(self).__name__
        raise TypeError(f"a {kind} is neither true nor false: ask for its .{self._verdict}")
