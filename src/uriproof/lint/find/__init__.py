"""Finders: the URLs of a text, one file per file format.

Owns the choice of a finder for a file. A module of this package without a leading underscore is a
finder, with the attributes of ``Finder``; nothing else needs editing. May import ``lint.found`` and
the helpers whose names start with an underscore. Invariant: a finder takes any text, however
broken, in linear time, and yields its findings in text order, disjoint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from ...plug_ins import plug_ins
from ..found import Comment, Found, Profile
from ._languages import INTERPRETERS, by_ending

FALLBACK = "plain"

_HEAD = 4_000  # bytes in which a page begins with its root element: a license can precede it
_OF_ANYTHING = (".mustache", ".hbs", ".handlebars", ".j2", ".jinja", ".jinja2", ".twig", ".erb")


class Finder(Protocol):
    """The contents of the module of a format.

    ``SUFFIXES`` end the names of its files, in lower case (".md", ".blade.php"); ``NAMES`` are
    whole names ("Makefile", "requirements.txt"). ``ANCHORS`` are texts of which a file must hold at
    least one, in any case, to hold a URL; an empty tuple means that any file might.

    ``PROFILES`` say of which URLs URIs are demanded, and of which IRIs are taken, by the format's
    own specification: first of all those whose ``Found.profile`` says nothing else.

    It can also have ``ESCAPES``, which write a text so that the format decodes it to that text, by
    the names that ``Found.escape`` has, and ``COMMENTS``, by suffix without dot or by name.
    """

    SUFFIXES: tuple[str, ...]
    NAMES: tuple[str, ...]
    ANCHORS: tuple[str, ...]
    PROFILES: tuple[Profile, ...]

    def find(self, text: str, name: str) -> Iterator[Found]: ...


@cache
def finders() -> dict[str, Finder]:
    """Every finder by the name of its format.

    >>> "plain" in finders()
    True
    """
    names = plug_ins(__path__)
    return {name: cast("Finder", import_module(f"{__name__}.{name}")) for name in names}


@cache
def _formats() -> dict[str, str]:
    """The format of each suffix and of each whole name."""
    endings: dict[str, str] = {}
    for name, finder_ in finders().items():
        for ending in (*finder_.SUFFIXES, *finder_.NAMES):
            first = endings.setdefault(ending, name)
            if first != name:
                raise ValueError(f"{first} and {name} both find in {ending}")
    return endings


def named(file: str) -> str:
    """The name of the format of a file, only by its name; the longest known suffix wins.

    >>> named("docs/README.txt"), named("x.unheard-of")
    ('plain', 'plain')
    """
    return by_ending(_formats(), file) or FALLBACK


def finder(file: str) -> Finder:
    """The finder for a file, by its name."""
    return finders()[named(file)]


@cache
def escapes() -> dict[str, Callable[[str], str]]:
    """How to write a text in a file, by the names that ``Found.escape`` has.

    >>> escapes()["html"]("a&b")
    'a&amp;b'
    """
    found: dict[str, Callable[[str], str]] = {}
    for finder_ in finders().values():
        found.update(getattr(finder_, "ESCAPES", {}))
    return found


@cache
def _comments() -> dict[str, Comment]:
    found: dict[str, Comment] = {}
    for finder_ in finders().values():
        found.update(getattr(finder_, "COMMENTS", {}))
    return found


def comment(file: str) -> Comment | None:
    """How a comment is written in a file, by its name; None if there are none.

    >>> comment("a/x.py"), comment("a.json")
    (Comment(opener='#', closer='', above=False), None)
    """
    base = file.replace("\\", "/").rpartition("/")[2]
    return _comments().get(base) or _comments().get(base.rpartition(".")[2].lower())


def with_shebang_suffix(name: str, data: bytes) -> str:
    r"""The name, with the suffix of the language that its ``#!`` line names, or its declaration of
    XML (XML 1.0 §2.8), if it has one: settings in XML are often called ``x.conf``, and templates
    are of anything.

    >>> with_shebang_suffix("bin/run", b"#!/usr/bin/env -S python3.11 -I\n")
    'bin/run.py'
    >>> with_shebang_suffix("x.conf", b"<?xml version='1.0'?>")
    'x.conf.xml'
    >>> with_shebang_suffix("x.j2", b"<?xml version='1.0'?><html/>")
    'x.j2'
    """
    if data.startswith(b"<?xml "):
        is_template = name.endswith(_OF_ANYTHING) and b"<html" not in data[:_HEAD].lower()
        if is_template or named(name) == "ini":
            return f"{name}.xml"
    if not data.startswith(b"#!"):
        return name
    line = data[2:200].partition(b"\n")[0].decode("ascii", "replace")
    words = [word.rpartition("/")[2] for word in line.split() if not word.startswith("-")]
    if words[:1] == ["env"]:
        words = [word for word in words[1:] if "=" not in word]
    suffix = INTERPRETERS.get(words[0].rstrip("0123456789.")) if words else None
    return f"{name}.{suffix}" if suffix else name
