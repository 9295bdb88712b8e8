r"""Paths as texts: which lies below which, and how one is written from a folder.

Owns the comparison of paths by the rules of the system: on Windows ``C:\A`` and ``c:/a`` are one.
Imports ``columns``. Invariant: nothing raises, on whichever drives the paths are;
what is given back has slashes, and the letters that the path had.
"""

from __future__ import annotations

import os

from .columns import OCTETS

__all__ = ["below", "readable", "slashed", "through"]

SYSTEM = os.path
"""The rules of the system; tests set those of another."""


def slashed(path: str) -> str:
    """A path in its shortest form, with slashes.

    >>> slashed("./a//b/../c")
    'a/c'
    """
    return SYSTEM.normpath(path).replace(SYSTEM.sep, "/")


def below(path: str, folder: str) -> str | None:
    """A path from a folder above it, "" for the folder itself; None if it lies elsewhere.

    >>> below("/a/b/c", "/a"), below("/a", "/a/"), below("/ab", "/a")
    ('b/c', '', None)
    """
    whole, above = slashed(SYSTEM.abspath(path)), slashed(SYSTEM.abspath(folder)).rstrip("/")
    if whole == above:
        return ""
    if whole.startswith(f"{above}/"):
        return whole[len(above) + 1 :]
    names, known = whole.split("/"), above.split("/")
    here = [SYSTEM.normcase(name) for name in names[: len(known)]]
    if here != [SYSTEM.normcase(name) for name in known]:
        return None
    return "/".join(names[len(known) :])


def through(path: str, folder: str) -> str:
    """A path from a folder, through those above it if need be; absolute on another drive.

    >>> through("/a/b", "/a/c/d")
    '../../b'
    """
    try:
        return slashed(SYSTEM.relpath(path, folder))
    except ValueError:  # on another drive
        return slashed(SYSTEM.abspath(path))


def readable(path: str) -> str:
    r"""A path as a text that any reader of UTF-8 takes; octets that are no UTF-8 as escapes.

    >>> print(readable("caf\udce9"))
    caf\xE9
    """
    if path.isascii():
        return path
    shown = (f"\\x{OCTETS[char]:02X}" if char in OCTETS else char for char in path)
    return "".join(shown).encode("utf-8", "backslashreplace").decode("utf-8")
