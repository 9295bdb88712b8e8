"""From the text of a file to its diagnostics.

How it works, for ``x.html`` with ``<a href="http://e.com/a b">``:

1. ``Engine.reader`` chooses the format by the name of the file or by its ``#!`` line: html. With
   the settings, the format gives the finder, and the judge: does it take IRIs, or only URIs?
2. ``Reader.may_hold_urls`` looks for the format's anchors in the bytes; most files end here.
3. ``decoded`` turns the bytes into text, by byte order mark, as UTF-8, or as they declare.
4. The finder yields each URL as a ``Found``: the text ``http://e.com/a b`` as HTML decodes it, the
   rule URI-reference, its offsets 9 to 25 in the file, and the holes that a template will fill.
5. The judge matches it with the compiled expression of the rule. Valid URLs end here.
6. In the others ``evidence`` looks for signs that something is to be filled in: here, none.
   For the rest ``validate`` gives the violations: the space at 14, in the path (path-illegal).
7. ``fix`` makes its edit in the escaping of HTML: ``%20`` for 23 to 24, safe.
8. ``DiagnosticBuilder`` makes line 1, column 24 of that, and masks passwords; the linter's own
   ``rules`` add their reports.
9. ``select`` and ``ignore`` choose among the codes, then comments in the file suppress some.
10. ``session`` takes it from there: ``--since``, baseline, ``--fix``, counts, output.

Owns steps 1, 2, 5, 8 and 9. Imports the rest of ``lint``; what only a diagnostic needs is imported
when there is one. Invariant: a URL without a diagnostic is one that its rule accepts, with some
filling of its holes; no password is in a diagnostic.

>>> html = b'<a href="http://e.com/a b">'
>>> [(d.line, d.column, d.code) for d in Engine(Settings()).lint("x.html", html).diagnostics]
[(1, 24, 'path-illegal')]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ...diagnostic import Diagnostic
from ...text.invisible import hides
from ..config.globs import matcher
from ..config.places import begin_of_tests
from ..config.select import Selection
from ..config.settings import FormatOptions, Settings
from ..files.source import Lines, Source, decoded
from ..find import finders, named, with_shebang_suffix
from ..found import Lost
from ..rules import LintRule, Subject, rules
from ..suppress.comments import MARK, Suppression, apply, suppressions
from .judge import Judge, cut_short, kept

if TYPE_CHECKING:
    from ..found import Found, UrlRecord
    from .diagnose import Adjustment, DiagnosticBuilder

_MARK = MARK.encode()
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")  # UTF-16 and UTF-32 begin this way
_DEFAULT = FormatOptions()


def why_lost(error: Exception, lost: str = "not checked") -> str:
    """The report of an error in uriproof itself, with what to do about it."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{lost}: uriproof failed ({what}); please report this"


class Result:
    """The diagnostics of one file in order, the number of its URLs, and of those suppressed.

    ``iris`` is the number of URLs that are not URIs but valid in a format that takes IRIs. ``lost``
    has the lines with a URL that could not be checked, and why.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.urls = self.iris = self.suppressed = 0
        self.diagnostics: list[Diagnostic] = []
        self.records: list[UrlRecord] = []
        self.lost: list[tuple[int, str]] = []
        self.is_borrowed = False
        """Whether files next to it decided something, so that the result depends on them."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to report of the file, and nothing was suppressed."""
        return not (self.diagnostics or self.suppressed or self.records or self.lost)


class Reader(NamedTuple):
    """The reading of a file: the URLs in a text, the verdict on each, and its components.

    ``name`` is the file's, with the suffix that its ``#!`` line implies.
    """

    name: str
    format: str
    options: FormatOptions
    judge: Judge
    anchors: tuple[bytes, ...]

    def may_hold_urls(self, data: bytes) -> bool:
        """Whether bytes might hold a URL or a suppression, at a first look.

        Encodings without single bytes might.
        """
        if not self.options.enabled:
            return False
        if not self.anchors or any(anchor in data for anchor in self.anchors):
            return True
        if _MARK in data or data.startswith(_WIDE):
            return True
        # Elements, schemes and functions have no case (HTML Standard §13.1.2, CSS Syntax 3 §4.3.4).
        words = [anchor.lower() for anchor in self.anchors if anchor.lower() != anchor.upper()]
        folded = data.lower() if words else b""
        return any(word in folded for word in words)

    def find(self, text: str, lost: list[Lost] | None = None) -> Iterator[Found]:
        """The URLs of a text, in order. If the finder fails, the text from the line of the last URL
        on is added to ``lost``. Cost: O(n)."""
        end = 0
        try:
            for found in finders()[self.format].find(text, self.name):
                end = found.end
                yield found
        except Exception as error:  # the other files are checked all the same
            if lost is not None:
                why = why_lost(error, "not checked from here on")
                lost.append(Lost(text.rfind("\n", 0, end) + 1, len(text), why))

    def masked(self, text: str) -> str:
        """The text with an asterisk for each character of a password. Cost: O(n)."""
        spans = cut_short(text)
        lost: list[Lost] = []
        for found in self.find(text, lost) if "@" in text else ():
            spans += self.judge.hidden(found)
        spans += [(one.start, one.end) for one in lost]  # there might be one
        pieces: list[str] = []
        at = 0
        for start, end in sorted(spans):
            hidden = "".join(char if char in "\r\n" else "*" for char in text[max(at, start) : end])
            pieces += text[at:start], hidden
            at = max(at, end)
        return "".join([*pieces, text[at:]])


class Engine:
    """The linter under some settings. One engine checks any number of files."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._selection = settings.selection
        self._formats = [(matcher([p]), name) for p, name in settings.formats.items()]
        self._ignores = [(matcher([p]), codes) for p, codes in settings.per_file_ignores.items()]
        self._selections: dict[tuple[str, ...], Selection] = {}
        self._anchors: dict[str, tuple[bytes, ...]] = {}
        self._judges: dict[tuple[object, ...], Judge] = {}

    def lint(self, file: str, data: bytes, dump: bool = False) -> Result:
        """The diagnostics of a file of some bytes; if ``dump``, also every URL in it.

        Errors: none. Cost: O(n).
        """
        reader = self.reader(file, data)
        if not reader.may_hold_urls(data):
            return Result(file)
        return self.check(decoded(file, data), reader, dump)

    def reader(self, file: str, data: bytes = b"") -> Reader:
        """How a file is read; ``data`` are its first bytes, for a ``#!`` line."""
        name = with_shebang_suffix(file, data)
        format_ = self.format(file, data)
        anchors = self._anchors.get(format_)
        if anchors is None:
            given = (anchor.encode() for anchor in finders()[format_].ANCHORS)
            anchors = self._anchors[format_] = tuple(given)
        options = self.settings.format.get(format_, _DEFAULT)
        return Reader(name, format_, options, self._judge(format_, options), anchors)

    def format(self, file: str, data: bytes = b"") -> str:
        """The name of the format that a file is read as."""
        if self._formats:
            relative = self.settings.relative(file)
            for match, name in self._formats:
                if match(relative):
                    return name
        return named(with_shebang_suffix(file, data))

    def selection(self, file: str, options: FormatOptions = _DEFAULT) -> Selection:
        """The codes that are reported of a file."""
        ignored = options.ignore
        if self._ignores:
            relative = self.settings.relative(file)
            ignored += tuple(c for match, codes in self._ignores if match(relative) for c in codes)
        known = self._selections.get(ignored)
        if known is None:
            known = self._selections[ignored] = self._selection.ignoring(ignored)
        return known

    def check(self, source: Source, reader: Reader, dump: bool = False) -> Result:
        """The diagnostics of a text; if ``dump``, also every URL in it. Cost: O(n)."""
        result = Result(source.file)
        judge = reader.judge
        lost: list[Lost] = []
        wrong, secret = self._sifted(source, reader, result, lost, dump)
        selection = self.selection(source.file, reader.options)
        of_file = self._chosen("file", selection)
        problems = [(rule, problem) for rule in of_file for problem in rule.check(source)]
        marked = MARK in source.text
        if not (wrong or marked or problems or dump or lost):
            return result
        from .diagnose import DiagnosticBuilder

        lines = Lines(source.text)
        builder = DiagnosticBuilder(source, lines, judge, secret, lost)
        diagnostics = [builder.problem(*one) for one in problems]
        checked: list[Found] = []
        for found in wrong:
            try:
                diagnostics += _in_order(self._of_url(builder, found, judge, selection))
                checked.append(found)
            except Exception as error:  # the other URLs are checked all the same
                lost.append(Lost(found.start, found.end, why_lost(error)))
        result.lost = [(lines.place(one.start)[0], one.why) for one in sorted(lost)]
        known = suppressions(source.text, lines) if marked else []
        if known:
            diagnostics, suppressed = apply(diagnostics, known)
            result.suppressed = len(suppressed)
            diagnostics += self._of_suppressions(builder, known, selection)
        if problems or known:
            diagnostics = _in_order(diagnostics)
        if diagnostics:
            module = begin_of_tests(source.file, source.text)
            diagnostics = [self._adjustment.of(one, module) for one in diagnostics]
        result.diagnostics = diagnostics
        result.is_borrowed = builder.is_borrowed
        result.records = list(builder.records(checked)) if dump else []
        return result

    def _sifted(
        self, source: Source, reader: Reader, result: Result, lost: list[Lost], every_url: bool
    ) -> tuple[list[Found], list[Found]]:
        """The URLs with something to report, counted, and those with possible passwords, which
        share lines with others. URLs that cannot be checked are added to ``lost``."""
        judge, advised = reader.judge, self._advised
        accepts = judge.accepts
        quiet: dict[Any, bool] = {} if every_url else judge.quiet(advised)
        wrong: list[Found] = []
        secret: list[Found] = []
        for given in reader.find(source.text, lost):
            key = given.text, given.rule, given.holes, given.profile
            is_iri = quiet.get(key)
            if is_iri is not None:
                result.urls += 1
                result.iris += is_iri
                continue
            found = given
            try:
                valid = accepts(found)
                if not valid:
                    from .evidence import settled

                    shown = settled(found, judge)
                    if shown is None:
                        continue
                    if shown is not found:
                        found, valid = shown, accepts(shown)
                result.urls += 1
                is_iri = hidden = False
                if not found.text.isascii():
                    is_iri = valid and judge.lets_through(found)
                    result.iris += is_iri
                    hidden = hides(found.text)
                doubtful = every_url or hidden or not valid or judge.refused(found)
                if doubtful or judge.advice(found, advised):
                    wrong.append(found)
                elif found is given and "@" not in found.text:
                    kept(quiet, key, is_iri)
            except Exception as error:  # the other URLs are checked all the same
                lost.append(Lost(found.start, found.end, why_lost(error)))
            if "@" in found.text:
                secret.append(found)
        return wrong, secret

    def _of_url(
        self, builder: DiagnosticBuilder, found: Found, judge: Judge, selection: Selection
    ) -> Iterator[Diagnostic]:
        """The diagnostics of a URL."""
        yield from builder.violations(found, selection)
        yield from builder.refused(found, selection)
        for rule in self._chosen("hidden", selection) if hides(found.text) else ():
            problems = rule.check(found, judge.report(found))
            yield from builder.problems(rule, list(problems), found)
        yield from builder.advice(found, selection, self._advised)

    def _of_suppressions(
        self, builder: DiagnosticBuilder, known: list[Suppression], selection: Selection
    ) -> Iterator[Diagnostic]:
        """The diagnostics of the suppressions in a file, which have been applied."""
        from ..codes import names

        def is_active(selector: str) -> bool:
            named_ = [item for item in names().items() if item[0].startswith(selector)]
            return not named_ or any(selection.has(code, group) for code, group in named_)

        for rule in self._chosen("suppressions", selection):
            for problem in rule.check(known, is_active):
                yield builder.problem(rule, problem)

    @cached_property
    def _adjustment(self) -> Adjustment:
        from .diagnose import Adjustment

        return Adjustment(self.settings)

    def _chosen(self, kind: Subject, selection: Selection) -> list[LintRule]:
        """The linter's own rules of a kind that are selected, and apply under the settings."""
        of_kind = (rule for rule in rules().values() if rule.kind == kind)
        chosen = (rule for rule in of_kind if selection.has(rule.code, "linter"))
        return [rule for rule in chosen if rule.applies(self.settings)]

    @cached_property
    def _advised(self) -> tuple[str, ...]:
        """The codes of the advice that is selected; any costs a report of every URL."""
        from ..codes import names

        return tuple(
            code
            for code, group in names().items()
            if group in ("advice", "security") and self._selection.has(code, group)
        )

    def _judge(self, format_: str, options: FormatOptions) -> Judge:
        """The verdicts on URLs in files of a format with some options."""
        schemes = options.scheme_rules
        key = (
            options.profile or self.settings.profile,
            finders()[format_].PROFILES[0].kind,
            self.settings.scheme_rules if schemes is None else schemes,
            options.query or self.settings.query,
            self.settings.policy,
        )
        judge = self._judges.get(key)
        if judge is None:
            judge = self._judges[key] = Judge(*key)
        return judge


def _in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(diagnostics, key=lambda d: (d.start, d.end, d.code))
