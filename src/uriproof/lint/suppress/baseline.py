"""The baseline: diagnostics that are known, and hidden.

Owns the text of the file and its meaning. Imports ``diagnostic``, and json when there is a file.
Invariant: an entry is kept by path, code and URL, not by line, so that it holds when the file
around it changes; one diagnostic more than there were is reported.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from ...diagnostic import Diagnostic
from ...errors import UriproofError
from ...limits import LARGEST_BASELINE
from ...text.paths import through
from ..files.source import Unread, read

_VERSION = 1

Key = tuple[str, str, str]


class BaselineError(UriproofError, ValueError):
    """A file that is not a valid baseline, with the reason."""


def _key(diagnostic: Diagnostic, root: str) -> Key:
    return through(diagnostic.file, root), diagnostic.code, _digest(diagnostic.url)


@lru_cache(64)
def _digest(url: str) -> str:
    """A URL in few characters; made once for all its diagnostics."""
    from hashlib import blake2b

    return blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


class Baseline:
    """The number of known diagnostics by path, code and URL; paths are from the file's folder."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.known: Counter[Key] = Counter()

    @property
    def _root(self) -> str:
        return os.path.dirname(os.path.abspath(self.file))

    @classmethod
    def read(cls, file: str) -> Baseline:
        """The baseline of a file. Errors: BaselineError, that says what to do."""
        import json

        again = "replace it with --write-baseline"
        raw = read(file, LARGEST_BASELINE)
        if isinstance(raw, Unread):
            why = {
                "vanished": "no such file: create it with --write-baseline",
                "large": f"more than {LARGEST_BASELINE:,} bytes: give the folders in it one each",
                "binary": f"not a baseline of uriproof; {again}",
            }
            raise BaselineError(f"{file}: {why.get(raw.why, raw.message)}")
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise BaselineError(f"{file}: invalid JSON ({error}); {again}") from error
        try:
            if data["version"] != _VERSION:
                raise BaselineError(f"{file}: another version; {again}")
            entries = [(e["path"], e["code"], e["url"], e["count"]) for e in data["diagnostics"]]
            kinds = {tuple(map(type, entry)) for entry in entries}
        except (KeyError, TypeError) as error:
            raise BaselineError(f"{file}: not a baseline of uriproof; {again}") from error
        if kinds - {(str, str, str, int)}:
            raise BaselineError(f"{file}: not a baseline of uriproof; {again}")
        made = cls(file)
        made.known.update({(p, c, u): n for p, c, u, n in entries})
        return made

    def knows(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic is known; each entry counts for the number in it."""
        name = _key(diagnostic, self._root)
        if self.known[name] <= 0:
            return False
        self.known[name] -= 1
        return True

    @property
    def left(self) -> int:
        """How many known diagnostics were not found: they have been fixed."""
        return self.known.total()

    def add(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Record diagnostics."""
        self.known.update(_key(diagnostic, self._root) for diagnostic in diagnostics)

    @property
    def text(self) -> str:
        """What its file holds, sorted, an entry a line."""
        import json

        entries = [
            json.dumps({"path": path, "code": code, "url": url, "count": count})
            for (path, code, url), count in sorted(self.known.items())
            if count > 0
        ]
        listed = ",\n".join(f"    {entry}" for entry in entries)
        listed = f"[\n{listed}\n  ]" if entries else "[]"
        return f'{{\n  "version": {_VERSION},\n  "diagnostics": {listed}\n}}\n'
