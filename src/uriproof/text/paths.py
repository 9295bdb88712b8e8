r"""Paths as texts: which lies below which, and how one is written from a folder.

Owns the comparison of paths by the rules of the system: on Windows ``C:\A`` and ``c:/a`` are one.
Imports ``columns``. Invariant: nothing raises, on whichever drives the paths are; results have
slashes, and the letters of the path.

A tree might be hostile, and a link in it lead anywhere: everything that writes asks ``link_out``.
"""

from __future__ import annotations

import os

from .columns import OCTETS

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


def inside(path: str, folder: str) -> str | None:
    """``below`` by the names, or else where links lead. Cost: a look at each folder."""
    by_name = below(path, folder)
    return below(os.path.realpath(path), os.path.realpath(folder)) if by_name is None else by_name


def through(path: str, folder: str) -> str:
    """A path from a folder, through those above it if need be; absolute on another drive.

    >>> through("/a/b", "/a/c/d")
    '../../b'
    """
    try:
        return slashed(SYSTEM.relpath(path, folder))
    except ValueError:  # on another drive
        return slashed(SYSTEM.abspath(path))


def root_of(folder: str) -> str | None:
    """The folder at or above a folder that git works in; None if there is none.

    Cost: a look at each folder above.
    """
    at = os.path.abspath(folder or ".")
    while not os.path.exists(os.path.join(at, ".git")):
        at, below_ = os.path.dirname(at), at
        if at == below_:
            return None
    return at


def tree_of(folder: str) -> str:
    """The tree that a folder belongs to: the checkout around it, else the working directory if that
    is above it, else the folder itself."""
    here = os.path.abspath("")
    return root_of(folder) or (here if below(folder, here) is not None else os.path.abspath(folder))


def link_out(path: str) -> str | None:
    """The tree of a path, if a link in the tree makes the path lead elsewhere; else None.

    Links above the tree are the user's own, and so are those of the system (``/dev/stdout``).
    """
    folder = os.path.dirname(os.path.abspath(path))
    if f"{folder}/".startswith(_DEVICES):
        return None
    tree = tree_of(folder)
    return tree if below(os.path.realpath(path), os.path.realpath(tree)) is None else None


_DEVICES = ("/dev/", "/proc/")


def readable(path: str) -> str:
    r"""A path as a text that any reader of UTF-8 accepts; octets that are not UTF-8 as escapes.

    >>> print(readable("caf\udce9"))
    caf\xE9
    """
    if path.isascii():
        return path
    shown = (f"\\x{OCTETS[char]:02X}" if char in OCTETS else char for char in path)
    return "".join(shown).encode("utf-8", "backslashreplace").decode("utf-8")
