r"""Reports as one JSON array, one object a report, in the order of the input.

May import ``report`` and the standard library. Invariant: the output is one valid JSON text
(RFC 8259), in ASCII, whatever the texts hold, with one object a line, also if reading stops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from . import Entry, Style, json_array


def render(entries: Iterable[Entry], style: Style) -> Iterator[str]:
    """The entries as pieces of one JSON array.

    Each object is ``Report.to_dict()``; one that was read from a file also has ``file`` and
    ``line``. Advice is an empty list unless wanted. Memory: one report.

    >>> "".join(render([], Style()))
    '[]\\n'
    """
    return json_array(_record(entry, style) for entry in entries)


def _record(entry: Entry, style: Style) -> dict[str, Any]:
    place = entry.place
    where = {"file": place.file, "line": place.line} if place else {}
    return where | entry.report.to_dict(advice=style.advice is not False)
