"""``python -m tests.precision.trees FOLDER…``: what is to be judged by hand in real trees.

Owns the naive finder that recall is measured against. Imports ``uriproof.lint``. Invariant: every
URL with a diagnostic is written once, and so is each candidate: a run from a scheme and ``://`` to
white space or a quote, which is invalid even without what stands at its end, and in which nothing
was reported.

Prints one JSON object a line: ``kind`` (``flagged`` or ``candidate``), ``tree``, ``file``,
``line``, ``url``, ``codes``, ``format``, and the ``source`` line; then, for each tree, ``kind``
``tree`` with the numbers of files and of URLs.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from uriproof import Grammar
from uriproof.lint.config import settings
from uriproof.lint.engine.analyze import Engine
from uriproof.lint.files.source import decoded

_RUN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+://[^\s\"'`<>]++")
_AT_THE_END = ".,:;!?*_)]}|\\\uff0c\u3002\u3001\uff09\u3011\u300d"
_AROUND = 160  # characters of the source line that are shown on each side
_LARGEST = 10 << 20

Row = dict[str, object]


def rows(path: str) -> list[Row]:
    """What is to be judged of a file, and its number of URLs."""
    data = Path(path).read_bytes()[:_LARGEST]
    if b"\0" in data[:8000]:
        return []
    engine = Engine(settings.Settings())
    text = decoded(path, data).text
    result = engine.lint(path, data)
    base: Row = {"file": path, "format": engine.format(path, data)}
    found: list[Row] = [{"kind": "file", **base, "urls": result.urls}]
    spans: dict[tuple[int, int], list[tuple[str, str, str]]] = {}
    for one in result.diagnostics:
        span = (one.url_start, one.url_end) if one.url else (one.start, one.end)
        spans.setdefault(span, []).append((one.code, text[one.start : one.end], one.url))
    for (start, end), said in spans.items():
        codes = sorted({code for code, _, _ in said})
        blamed = [blamed for _, blamed, _ in said]
        found.append(_row("flagged", base, text, start, end, said[0][2], codes, blamed))
    iri = Grammar.load("rfc3987")
    for match in _RUN.finditer(text):
        url = match[0].rstrip(_AT_THE_END)
        start, end = match.span()
        if not iri["IRI"].is_valid(url) and not any(a < end and start < b for a, b in spans):
            found.append(_row("candidate", base, text, start, end, url))
    return found


def _row(kind: str, base: Row, text: str, start: int, end: int, url: str, *more: list[str]) -> Row:
    line = text.count("\n", 0, start) + 1
    first = max(text.rfind("\n", 0, start) + 1, start - _AROUND)
    last = text.find("\n", end)
    source = text[first : min(len(text) if last < 0 else last, end + _AROUND)]
    row: Row = {"kind": kind, **base, "line": line, "url": url, "source": source}
    return row | dict(zip(("codes", "blamed"), more, strict=False))


def _files(folder: str) -> Iterator[str]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if one not in settings.EXCLUDED)
        yield from (os.path.join(parent, one) for one in sorted(files))


def main(folders: list[str]) -> None:
    """Print the rows of the files in some folders."""
    with ProcessPoolExecutor(2) as pool:
        for folder in folders:
            paths = [one for one in _files(folder) if os.path.isfile(one)]
            counts: Counter[str] = Counter()
            for found in pool.map(rows, paths, chunksize=50):
                for row in found:
                    if row["kind"] == "file":
                        counts["files"] += 1
                        counts["urls"] += int(str(row["urls"]))
                    else:
                        print(json.dumps({"tree": folder, **row}, ensure_ascii=False))  # noqa: T201
            print(json.dumps({"kind": "tree", "tree": folder, **counts}))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
