"""Files that change, as they change.

Owns the wait for changes. Imports watchfiles, an extra, when called. Invariant: what uriproof
itself writes beside the files it checks is no change.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from ...text.atomic import PARTIAL

__all__ = ["changes"]


def changes(paths: Iterable[str]) -> Iterator[list[str]]:
    """The files that changed below some paths, sorted, each time that some did.

    A path that does not exist is ignored. Errors: ImportError, at once, without watchfiles;
    KeyboardInterrupt.
    """
    from watchfiles import DefaultFilter, watch

    known = DefaultFilter()
    there = [path for path in paths if os.path.exists(path)]

    def changed() -> Iterator[list[str]]:
        if not there:
            return
        for found in watch(
            *there,
            watch_filter=lambda change, path: not path.endswith(PARTIAL) and known(change, path),
            debounce=300,
        ):
            yield sorted({path for _, path in found})

    return changed()
