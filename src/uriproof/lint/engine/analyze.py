"""From the text of a file to what is said of it.

Owns the way from found URLs to diagnostics. Imports the rest of ``lint``; what only a finding
needs is imported when there is one. Invariant: a URL of which nothing is said is one that its rule
accepts, with some filling of its holes; no password is in what is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ...diagnostic import Diagnostic
from ..config.globs import matcher
from ..config.select import Selection
from ..config.settings import FormatOptions, Settings
from ..files.source import Lines, Source, decoded, spoken
from ..find import finders, named
from ..suppress.comments import MARK, apply, suppressions, unused
from .judge import Judge
from .passwords import masked, password

if TYPE_CHECKING:
    from ..found import Found
    from .diagnose import Speaker

__all__ = ["Dumped", "Engine", "Result"]

_MARK = MARK.encode()
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")  # UTF-16 and UTF-32 begin so
_NOTHING = FormatOptions()


@dataclass(frozen=True, slots=True)
class Dumped:
    """A place that was taken for a URL, or was not; ``rule`` is empty where it was not.

    ``verdict``: "valid", or what is wrong, in codes.
    """

    file: str
    line: int
    column: int
    url: str
    rule: str
    why: str
    verdict: str


@dataclass(slots=True)
class Result:
    """What is said of one file, in text order; how many URLs it has, and what is suppressed."""

    file: str
    urls: int = 0
    diagnostics: list[Diagnostic] = field(default_factory=list)
    hushed: int = 0
    dumped: list[Dumped] = field(default_factory=list)

    @property
    def silent(self) -> bool:
        """Nothing is said of the file, and nothing is suppressed."""
        return not (self.diagnostics or self.hushed or self.dumped)


class Engine:
    """What some settings make of files. One engine checks any number of files.

    >>> engine = Engine(Settings())
    >>> [(d.line, d.column, d.code) for d in engine.lint("a.urls", b"http://a/%zz").diagnostics]
    [(1, 10, 'path-bad-escape')]
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._selection = settings.selection
        self._formats = [(matcher([p]), name) for p, name in settings.formats.items()]
        self._ignores = [(matcher([p]), codes) for p, codes in settings.per_file_ignores.items()]
        self._selections: dict[tuple[str, ...], Selection] = {}
        self._anchors: dict[str, tuple[bytes, ...]] = {}
        self._judges: dict[tuple[bool, bool], Judge] = {}

    def lint(self, file: str, data: bytes, dump: bool = False) -> Result:
        """What is said of a file of some bytes; if ``dump``, of every URL in it, too.

        Errors: none. Cost: O(n).
        """
        format_ = self.format(file, data)
        if not self.wants(format_, data):
            return Result(file)
        return self.check(decoded(file, data), spoken(file, data), format_, dump)

    def format(self, file: str, data: bytes = b"") -> str:
        """The name of the format that a file is read as."""
        if self._formats:
            relative = self.settings.relative(file)
            for match, name in self._formats:
                if match(relative):
                    return name
        return named(spoken(file, data))

    def wants(self, format_: str, data: bytes) -> bool:
        """Whether a file can hold a URL, or a suppression: the quick refusal.

        What is not in single bytes is let through.
        """
        if not self.settings.format.get(format_, _NOTHING).enabled:
            return False
        anchors = self._anchors.get(format_)
        if anchors is None:
            given = (anchor.encode() for anchor in finders()[format_].ANCHORS)
            anchors = self._anchors[format_] = tuple(given)
        if not anchors:
            return True
        for anchor in anchors:
            if anchor in data:
                return True
        return _MARK in data or data.startswith(_WIDE)

    def selection(self, file: str, format_: str) -> Selection:
        """What is said of a file of a format."""
        ignored = self.settings.format.get(format_, _NOTHING).ignore
        if self._ignores:
            relative = self.settings.relative(file)
            ignored += tuple(c for match, codes in self._ignores if match(relative) for c in codes)
        known = self._selections.get(ignored)
        if known is None:
            known = self._selections[ignored] = self._selection.ignoring(ignored)
        return known

    def check(self, source: Source, name: str, format_: str, dump: bool = False) -> Result:
        """What is said of a text that is read as a format, its name telling the language."""
        result = Result(source.file)
        judge = self.judge(format_)
        accepts, advised = judge.accepts, self._advised
        schemes = self.settings.schemes
        wrong: list[Found] = []
        secret: list[Found] = []  # URLs that may hold passwords, which share lines with others
        every: list[Found] = []
        for found in finders()[format_].find(source.text, name):
            result.urls += 1
            if not accepts(found) or schemes or judge.advice(found, advised):
                wrong.append(found)
            if "@" in found.text:
                secret.append(found)
            if dump:
                every.append(found)
        marked = MARK in source.text
        if not (wrong or marked or source.bad >= 0 or dump):
            return result
        from .diagnose import Speaker

        lines = Lines(source.text)
        speaker = Speaker(source, lines, judge, secret)
        selection = self.selection(source.file, format_)
        said = [d for d in self._said(speaker, wrong, selection) if d is not None]
        if marked:
            said = self._suppressed(speaker, lines, said, selection, result)
        result.diagnostics = said
        if dump:
            result.dumped = list(speaker.dump(every))
        return result

    def masked(self, text: str, name: str, format_: str) -> str:
        """A text that is read as a format, with asterisks for the passwords in its URLs."""
        judge = self.judge(format_)
        spans: list[tuple[int, int]] = []
        for found in finders()[format_].find(text, name):
            secret = password(judge.report(found), found.holes) if "@" in found.text else None
            if secret:
                spans.append((found.offset(secret[0]), found.offset(secret[1])))
        return masked(text, spans) if spans else text

    def _said(
        self, speaker: Speaker, wrong: list[Found], selection: Selection
    ) -> Iterator[Diagnostic]:
        """What is said of the URLs, before suppressions, in text order."""
        if speaker.source.bad >= 0 and selection.has("bad-encoding", "linter"):
            yield speaker.bad_encoding()
        schemes = self.settings.schemes
        for found in wrong:
            spoken_of = [
                *speaker.violations(found, selection),
                *(speaker.foreign(found, schemes, selection) if schemes else ()),
                *speaker.advice(found, selection, self._advised),
            ]
            if len(spoken_of) > 1:
                spoken_of.sort(key=lambda d: (d.start, d.end, d.code))
            yield from spoken_of

    def _suppressed(
        self,
        speaker: Speaker,
        lines: Lines,
        said: list[Diagnostic],
        selection: Selection,
        result: Result,
    ) -> list[Diagnostic]:
        """What the file's own comments leave of what is said, and what is said of them."""
        known = suppressions(speaker.source.text, lines)
        if not known:
            return said
        said, hushed = apply(said, known)
        result.hushed = len(hushed)
        if selection.has("unused-suppression", "linter"):
            said += speaker.unused(unused(known, lambda code: self._active(code, selection)))
        if self.settings.require_reason and selection.has("suppression-without-reason", "linter"):
            said += speaker.unreasoned(known)
        said.sort(key=lambda d: (d.start, d.end, d.code))
        return said

    def _active(self, selector: str, selection: Selection) -> bool:
        """Whether what a suppression names is said now, or is no code at all."""
        from ..codes import names

        meant = [item for item in names().items() if item[0].startswith(selector)]
        return not meant or any(selection.has(code, group) for code, group in meant)

    @cached_property
    def _advised(self) -> tuple[str, ...]:
        """The codes of the advice that is asked for; any costs a report of every URL."""
        from ..codes import names

        return tuple(
            code
            for code, group in names().items()
            if group in ("advice", "security") and self._selection.has(code, group)
        )

    def judge(self, format_: str) -> Judge:
        """What gives the verdicts on URLs in files of a format."""
        options = self.settings.format.get(format_, _NOTHING)
        iri = (options.profile or self.settings.profile) == "iri"
        schemes = options.scheme_rules
        key = iri, self.settings.scheme_rules if schemes is None else schemes
        judge = self._judges.get(key)
        if judge is None:
            judge = self._judges[key] = Judge(*key)
        return judge
