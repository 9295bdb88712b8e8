"""The base of all errors of the package, and values that are neither true nor false.

Owns ``UriproofError`` and ``HasVerdict``. Imports nothing. Invariant: every error that the package
raises by itself is a ``UriproofError``, and one of ValueError, LookupError, TypeError or OSError.
"""

from __future__ import annotations


class UriproofError(Exception):
    """The base of all errors of this package, except TypeError for arguments of a wrong type."""


class HasVerdict:
    """A value with a verdict, ``ok`` by default, for which its truth would be taken."""

    __slots__ = ()
    _verdict = "ok"

    def __bool__(self) -> bool:
        kind = type(self).__name__
        raise TypeError(f"a {kind} is neither true nor false: ask for its .{self._verdict}")
