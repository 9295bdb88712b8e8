"""Patches of files, which ``git apply`` takes in the folder that the run began in.

Owns what of a file can be in a patch. Imports ``lint.fix.diff`` and ``lint.files``. Invariant: git
makes of a file what ``--fix`` would, to the byte, so far as the patch goes.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from ...text.paths import below
from ..files.source import Source, encoded
from .diff import patch
from .fixes import NotWritten

__all__ = ["patch_of"]

_WIDE = ("utf-16", "utf-32")


def patch_of(
    source: Source, text: str, masked: Callable[[str], str]
) -> tuple[list[str], list[int]]:
    """The lines of the patch that makes a text of a file, and the lines of changes left out of it.

    The lines of the patch are bytes, in UTF-8 where they are that (PEP 383). ``masked`` hides the
    passwords of a text: no line that has one is in the patch.

    Errors: NotWritten, for what git does not patch.
    """
    if source.encoding.startswith(_WIDE):
        raise NotWritten(source.file, f"{source.encoding.upper()}, of which git makes no patch")
    name: str | None = source.file
    if not source.file.startswith("<"):
        # A link stays as it is: the patch is for what it leads to.
        name = below(os.path.realpath(source.file), os.path.realpath(""))
    if name is None:
        raise NotWritten(source.file, "outside of the working directory, where git applies nothing")

    def octets(of: str) -> str:
        return encoded(of, source).decode("utf-8", "surrogateescape")

    shown = octets(masked(source.text)), octets(masked(text))
    return patch(name, octets(source.text), octets(text), shown)
