"""A run of the linter: what is read, filtered, mended and counted.

May import every other layer. Invariant: findings come in the order of the files, each is told or
mended once, and each failure to read is told on standard error and makes the exit code 2.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby

from ..diagnostic import Diagnostic
from ..lint.engine.analyze import Dumped, Engine, Result
from ..lint.engine.run import Chunk, Item, Run
from ..lint.files.since import Changes
from ..lint.files.source import Source, Unread, decoded, spoken
from ..lint.files.walk import Walk
from ..lint.suppress.baseline import Baseline
from ..text.drawing import visible
from . import _click as click
from . import _console

__all__ = ["STANDARD_INPUT", "STDIN_SHOWN", "Lint", "Mending"]

STANDARD_INPUT = "-"
STDIN_SHOWN = "<stdin>"
_MOST = 5
"""Findings of one code that are told of one URL; the rest are counted."""

_LIST = "<stdin>.urls"
"""What standard input is read as unless told: URLs, one a line."""


Mend = Callable[[str, list[Diagnostic], list[Diagnostic]], tuple[list[Diagnostic], int]]


@dataclass(frozen=True, slots=True)
class Mending:
    """What is done about findings that have a fix: written, or shown as a difference."""

    write: bool = False
    unsafe: bool = False
    diff: bool = False


@dataclass
class Lint:
    """One call: what it reads, and what it has found so far."""

    walk: Walk
    paths: tuple[str, ...]
    stdin_name: str | None = None
    run: Run = field(default_factory=Run)
    baseline: Baseline | None = None
    changes: Changes | None = None
    mend: Mend | None = None
    """Given a file, what is said of it and what is not, what is left to say, and how much less."""
    mending: Mending = Mending()
    quiet: bool = False
    every: bool = False
    """Whether all findings are told, however many of one code are in one URL."""
    count: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    mendable: Counter[str] = field(default_factory=Counter)
    fresh: dict[str, int] = field(default_factory=dict)
    dumped: Callable[[Iterable[Dumped]], None] | None = None
    watch: _console.Watch = field(default_factory=_console.Watch)
    piped: bytes = b""

    def diagnostics(self) -> Iterator[Diagnostic]:
        """What is said, in order, after suppressions, baseline and mending."""
        for result in self._results():
            if isinstance(result, Unread):
                self._unread(result)
                continue
            said, hidden = self._filtered(result.diagnostics)
            self.count["hushed"] += result.hushed
            if self.dumped is not None:
                self.dumped(result.dumped)
                continue
            if self.mend is not None and said:
                said, mended = self.mend(result.file, said, hidden)
                self.count["mended"] += mended
            if any(d.severity != "note" for d in said):
                self.count["files wrong"] += 1
            for diagnostic in self._drawn_together(said):
                self._tally(diagnostic)
                # A replacement in the user information may hold a password.
                secret = diagnostic.edit is not None and diagnostic.component == "userinfo"
                yield replace(diagnostic, edit=None) if secret else diagnostic
        for note in self.walk.notes:
            self.complain(note, error=False)

    def files(self) -> Iterator[str]:
        """The files that would be checked."""
        for item in self._items():
            if isinstance(item, Unread):
                self._unread(item)
            else:
                yield item[0]

    @property
    def failed(self) -> bool:
        """Whether something could not be read, or is wrong with the configuration."""
        return bool(self.count["errors"] or self.walk.configs.problems)

    @property
    def found(self) -> int:
        """How many findings there are, notes left out."""
        return self.count["error"] + self.count["warning"]

    def complain(self, what: str, error: bool = True) -> None:
        """One line on standard error."""
        self.count["errors"] += error
        if self.quiet and not error:
            return
        self.watch.make_way(sys.stderr)
        sys.stdout.flush()
        click.echo(f"uriproof: {visible(what)}", err=True)

    @property
    def summary(self) -> str:
        """One line: what was found, and what was not looked at."""
        count = self.count
        files = _some(count["files wrong"], "file")
        if self.found:
            parts = [f"Found {_some(self.found, 'problem')} in {files}"]
        else:
            parts = [f"Nothing is wrong with {_some(count['urls'], 'URL')}"]
            parts[0] += f" in {_some(count['checked'], 'file')}"
        if count["mended"]:
            verb = "would be mended" if self.mending.diff else "mended"
            parts.append(f"{count['mended']:,} {verb}")
        if count["safe"] and not self.mending.write:
            parts.append(f"{count['safe']:,} mendable with --fix")
        if count["unsafe"] and not (self.mending.write and self.mending.unsafe):
            more = "more with" if count["safe"] else "mendable with --fix"
            parts.append(f"{count['unsafe']:,} {more} --unsafe-fixes")
        if count["known"]:
            parts.append(f"{count['known']:,} in the baseline")
        if count["hushed"]:
            parts.append(f"{count['hushed']:,} suppressed")
        for why in ("binary", "large"):
            if count[why]:
                parts.append(f"{_some(count[why], f'{why} file')} not checked")
        if count["unreadable"]:
            parts.append(f"{count['unreadable']:,} could not be read")
        return "; ".join(parts)

    def _items(self) -> Iterator[Item]:
        """The files; of those that have not changed, if that counts, none."""
        named = [path for path in self.paths if path != STANDARD_INPUT]
        for item in self.walk.over(named):
            if isinstance(item, Unread) or self.changes is None or self.changes.has(item[0]):
                yield item

    def _results(self) -> Iterator[Result | Unread]:
        if STANDARD_INPUT in self.paths:
            yield self._standard_input()
        if set(self.paths) == {STANDARD_INPUT}:
            return
        chunks = self.run.over(self._items())
        for chunk in self.watch.over(chunks, None, _files, "files", often=1):
            self.count["checked"] += chunk.checked
            self.count["urls"] += chunk.urls
            self.count["bytes"] += chunk.bytes
            self.fresh.update(chunk.fresh)
            yield from chunk.results

    def _standard_input(self) -> Result:
        self.piped = sys.stdin.buffer.read()
        result = self.check(STANDARD_INPUT, self.piped)
        self.count["checked"] += 1
        self.count["urls"] += result.urls
        return result

    def check(self, file: str, data: bytes) -> Result:
        """What is said of some bytes, as a file or, by its name, as standard input."""
        engine, source, name = self.reading(file, data)
        format_ = engine.format(name, data)
        return engine.check(source, spoken(name, data), format_, self.run.dump)

    def reading(self, file: str, data: bytes) -> tuple[Engine, Source, str]:
        """What reads some bytes: the engine, the text, and the name that tells the format."""
        name = shown = file
        if self.is_piped(file):
            name, shown = self.stdin_name or _LIST, self.stdin_name or STDIN_SHOWN
        engine = Engine(self.walk.configs.of(os.path.dirname(name)))
        return engine, decoded(shown, data), name

    def is_piped(self, file: str) -> bool:
        """Whether a name is that of standard input."""
        if STANDARD_INPUT not in self.paths:
            return False
        return file in {STANDARD_INPUT, STDIN_SHOWN, self.stdin_name}

    def _filtered(
        self, diagnostics: Iterable[Diagnostic]
    ) -> tuple[list[Diagnostic], list[Diagnostic]]:
        """What is new (on changed lines, and not in the baseline), and what is not."""
        said: list[Diagnostic] = []
        hidden: list[Diagnostic] = []
        for diagnostic in diagnostics:
            if self.changes is not None and diagnostic.file != STDIN_SHOWN:
                lines = diagnostic.line, diagnostic.end_line
                if not self.changes.touches(diagnostic.file, *lines):
                    hidden.append(diagnostic)
                    continue
            if self.baseline is not None and self.baseline.knows(diagnostic):
                self.count["known"] += 1
                hidden.append(diagnostic)
                continue
            said.append(diagnostic)
        return said, hidden

    def _drawn_together(self, said: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """The findings; of those with one code in one URL the first few, and how many more.

        An image in a ``data`` URI may hold hundreds of spaces, and one line must not drown all.
        """
        if self.every:
            yield from said
            return
        for _, group in groupby(said, key=lambda d: (d.url_start, d.url_end, d.url)):
            members = list(group)
            total = Counter(one.code for one in members)
            seen: Counter[str] = Counter()
            for one in members:
                seen[one.code] += 1
                more = total[one.code] - _MOST
                if not one.url or more <= 0 or seen[one.code] < _MOST:
                    yield one
                elif seen[one.code] == _MOST:
                    yield replace(one, message=f"{one.message}; and {more:,} more in this URL")

    def _tally(self, diagnostic: Diagnostic) -> None:
        self.count[diagnostic.severity] += 1
        self.codes[diagnostic.code] += 1
        if diagnostic.edit is not None:
            self.count["safe" if diagnostic.edit.safe else "unsafe"] += 1
            self.mendable[diagnostic.code] += diagnostic.edit.safe

    def _unread(self, unread: Unread) -> None:
        self.count[unread.why] += 1
        if unread.why == "unreadable":
            self.complain(f"{unread.file}: {unread.message}")
        elif unread.why != "binary":
            self.complain(f"{unread.file}: {unread.message}", error=False)


def _files(chunk: Chunk) -> int:
    return chunk.files


def _some(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
