r"""Reports as one JSON array, one object a report, in the order of the input.

May import ``report`` and the standard library. Invariant: the output is one valid JSON text
(RFC 8259), in ASCII, whatever the texts hold, with one object a line, also if reading stops.
A lone surrogate is an escape such as ``\ud800``, which Python's reader gives back as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from . import Entry, Style


def render(entries: Iterable[Entry], style: Style) -> Iterator[str]:
    """The entries as pieces of one JSON array.

    Each object is ``Report.to_dict()``; one that was read from a file also has ``file`` and
    ``line``. Advice is an empty list unless wanted. Memory: one report.

    >>> "".join(render([], Style()))
    '[]\\n'
    """
    import json

    before = "["
    try:
        for entry in entries:
            report = entry.report
            place = entry.place
            where = {"file": place.file, "line": place.line} if place else {}
            told = report.to_dict(advice=style.advice is not False)
            yield before + json.dumps(where | told, ensure_ascii=True)
            before = ",\n"
    except GeneratorExit:  # whoever reads has gone; there is nobody to close the array for
        before = ""
        raise
    finally:
        if before:
            yield "]\n" if before != "[" else "[]\n"
