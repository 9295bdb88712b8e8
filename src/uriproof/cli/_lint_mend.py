"""What is done about findings: fixes written or shown, and suppressions put in.

May import every other layer. Invariant: a file is written whole or not at all, and only with what
was asked for; what could not be mended is said as before.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from ..diagnostic import Diagnostic
from ..lint.files.source import Unread, encoded, read, spoken
from . import _click as click
from ._lint import Lint, Mending

__all__ = ["Mender"]


class Mender:
    """Mends the files of one run."""

    def __init__(self, lint: Lint, mending: Mending, reason: str | None, colour: bool) -> None:
        self._lint = lint
        self._mending = mending
        self._reason = reason
        self._colour = colour

    def __call__(
        self, file: str, said: list[Diagnostic], hidden: list[Diagnostic]
    ) -> tuple[list[Diagnostic], int]:
        """What is left to say of a file, and how many findings are mended or suppressed.

        ``hidden`` is what is found there, too, and not to be said.
        """
        if self._reason is None and not any(self._wanted(d) for d in said):
            return said, 0
        piped = self._lint.is_piped(file)
        data = self._lint.piped if piped else read(file, sys.maxsize)
        if isinstance(data, Unread):
            self._lint.complain(f"{file}: {data.message}: not mended")
            return said, 0
        engine, source, name = self._lint.reading(file, data)
        if self._reason is None:
            from ..lint.fix.apply import mend, reader

            wanted = [d for d in said if self._wanted(d)]
            reads = reader(engine, replace(source, file=name), data)
            text = mend(source.text, wanted, reads, self._mending.unsafe).text
        else:
            text = self._ignoring(source.text, file, said, self._reason)
        if text == source.text:
            return said, 0
        try:
            after = self._lint.check(file, encoded(text, source))
            if self._mending.diff:
                # A patch that shows a password does more harm than one that does not apply.
                called, format_ = spoken(name, data), engine.format(name, data)
                hide = partial(engine.masked, name=called, format_=format_)
                self._show(file, source.text, text, hide)
            elif piped:
                self._lint.piped = encoded(text, source)
            else:
                from ..lint.fix.fixes import write

                write(file, text, source)
        except (OSError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or str(error)
            self._lint.complain(f"{file}: {why}: not mended")
            return said, 0
        # What was not said before (on other lines, or in the baseline) is not said now.
        unsaid = Counter((d.code, d.url) for d in hidden)
        left: list[Diagnostic] = []
        for diagnostic in after.diagnostics:
            known = diagnostic.code, diagnostic.url
            if unsaid[known] > 0:
                unsaid[known] -= 1
            else:
                left.append(diagnostic)
        return left, max(len(said) - len(left), 0)

    def _wanted(self, diagnostic: Diagnostic) -> bool:
        edit = diagnostic.edit
        return edit is not None and (edit.safe or self._mending.unsafe)

    def _ignoring(self, text: str, file: str, said: Iterable[Diagnostic], reason: str) -> str:
        """The text with suppressions; what cannot be suppressed is told."""
        from ..lint.suppress.insert import ignoring

        text, refused = ignoring(text, file, said, reason)
        for diagnostic, why in refused:
            place = f"{diagnostic.file}:{diagnostic.line}:{diagnostic.column}"
            self._lint.complain(f"{place}: {diagnostic.code}: {why}", error=False)
        return text

    def _show(self, file: str, before: str, after: str, hide: Callable[[str], str]) -> None:
        from ..lint.fix.diff import diff

        self._lint.watch.make_way(sys.stdout)
        for line in diff(file, before, after, self._colour, hide):
            click.echo(line, nl=False, color=self._colour)
