"""Files of texts as chunks: the same ones each time that a file is read.

Owns ``Source``, ``Chunk`` and ``Texts``, and how the format of a file is found. Imports the
plug-ins of this folder by name. Invariant: the chunks of a file, their numbers and those of their
rows depend only on its content, so that finished chunks can be skipped when it is read again.

A plug-in has ``FORMATS``, from the names of its formats to the ends of file names, and

- ``runs(source, column, notify)``: lists of chunks, each of which one process reads best in order.
  It finds the column, and reads no more than it has to; it notifies people of guesses.
  Errors: ``Unreadable``.
- ``Reading(source)``, made in the process that works on chunks: ``texts(chunk)``.

To add a format is to add its file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import cache
from glob import glob, has_magic
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ....errors import UriproofError
from ....extras import needs
from ....plug_ins import plug_ins

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["STANDARD_INPUT", "Chunk", "Notify", "Source", "Texts", "Unreadable", "expanded"]
__all__ += ["format_of", "formats", "plug_in"]

Notify: TypeAlias = Callable[[str, bool], None]

STANDARD_INPUT = "-"

_COMPRESSED = (".gz", ".zst", ".bz2", ".xz", ".lz4")


class Unreadable(UriproofError):
    """A file, or some of its rows, that cannot be read: the reason, and what to do.

    ``place`` names the rows, if it is not the whole file.
    """

    def __init__(self, words: str, place: str = "") -> None:
        self.words = words
        self.place = place
        super().__init__(words, place)


class Source(NamedTuple):
    """A file: its number among those of the scan, its name as it was given, and its format.

    For CSV and TSV: whether it has a header, and its delimiter; None if that is not known.
    """

    number: int
    name: str
    format: str
    header: bool | None = None
    delimiter: str | None = None

    @property
    def shown(self) -> str:
        """The name for people and columns."""
        return "<stdin>" if self.name == STANDARD_INPUT else self.name


class Chunk(NamedTuple):
    """Some rows of a file, one after the other.

    ``first`` is the number of the first, from 0 in the file; ``rows`` is the count of numbers that
    it takes, including broken rows. ``what`` is for the reader: the place of the rows, or their
    bytes. ``part`` is its share of the file, of 1, if that is known.
    """

    file: int
    number: int
    first: int
    rows: int
    what: Any
    part: float = 0.0


class Texts(NamedTuple):
    """The results of a reader for a chunk: an array of strings with nulls, and the broken rows.

    ``at`` are the numbers of the texts, or None if no row is broken: then they count up. ``why`` is
    the reason for the first broken row, ``first``.
    """

    column: pa.Array
    at: list[int] | None = None
    broken: int = 0
    first: int = 0
    why: str = ""


@cache
def formats() -> dict[str, str]:
    """The names of all formats, and the plug-in of each."""
    with needs("data"):
        return {
            name: module
            for module in plug_ins(__path__)
            for name in import_module(f"{__name__}.{module}").FORMATS
        }


def plug_in(format: str) -> ModuleType:
    """The plug-in that reads a format."""
    return import_module(f"{__name__}.{formats()[format]}")


def format_of(name: str) -> str | None:
    """The format that the name of a file says, or None; standard input is text.

    >>> format_of("crawl/urls.CSV.gz"), format_of("urls")
    ('csv', None)
    """
    if name == STANDARD_INPUT:
        return "text"
    lower = name.lower()
    for ending in _COMPRESSED:
        lower = lower.removesuffix(ending)
    for format in formats():
        if lower.endswith(plug_in(format).FORMATS[format]):
            return format
    return None


def expanded(names: Iterable[str]) -> list[str]:
    """The files of names, patterns and folders, each once.

    A pattern (``**`` is any number of folders) that no file matches is kept. For a folder, these
    are the files with the extension of a format. Both skip hidden files, and files in hidden
    folders (see ``_hidden``), unless a part of the pattern names them.
    """
    found: dict[str, None] = {}
    for name in names:
        if os.path.isdir(name):
            files = []
            for folder, folders, inside in os.walk(name):
                folders[:] = [each for each in folders if not _hidden(each)]
                kept = (file for file in inside if not _hidden(file) and format_of(file))
                files += [os.path.join(folder, file) for file in kept]
            files.sort()
        elif has_magic(name) and not os.path.lexists(name):
            asked = [part for part in name.split(os.sep) if _hidden(part)]
            files = sorted(
                file
                for file in glob(name, recursive=True)
                if not os.path.isdir(file)
                and all(
                    any(fnmatchcase(part, each) for each in asked)
                    for part in file.split(os.sep)
                    if _hidden(part)
                )
            )
        else:
            files = [name]
        found.update(dict.fromkeys(files or [name]))
    return list(found)


def _hidden(name: str) -> bool:
    """Whether a name does not mark data, as in Spark and Hive: ``_temporary``, ``.git``.

    A name with an equals sign is that of a partition, by a column whose name begins this way.
    """
    if name in {os.curdir, os.pardir}:
        return False
    return name.startswith(".") or (name.startswith("_") and "=" not in name)
