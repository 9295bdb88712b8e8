"""A run of the linter: which files, under which settings, and what becomes of their diagnostics.

Owns the common parts of every run: settings and their overrides, ``--since``, the baseline, fixes,
added suppressions, and the one count, as ``diagnostic`` defines it: one code in one URL counts
once, with any severity, as often as it is reported. Imports the rest of ``lint``, but not the
command line. Invariant: the number in the summary is that of the diagnostics that were yielded, and
so of those that any format wrote; diagnostics come in the order of the files, each is reported or
fixed once, and a file is written whole or not at all; errors of reading and writing go to
``notify``.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from ..diagnostic import SEVERITIES, Diagnostic, Severity
from ..errors import UriproofError
from ..text.atomic import write_text
from ..text.names import cause, some
from ..text.paths import below, inside, tree_of
from .config.nearest import Configs
from .config.settings import Settings
from .engine.analyze import Reader, Result
from .engine.run import Chunk, Item, Run, engine_for
from .files.git import NoChanges, since
from .files.source import Source, Unread, decoded
from .files.walk import Walk
from .found import UrlRecord
from .suppress.baseline import Baseline, BaselineError

if TYPE_CHECKING:
    from .fix.apply import Change, Changer, Mode


class Counts:
    """The numbers of one run.

    ``urls`` in ``files`` were looked at, of which ``iris`` URLs are valid only as IRIs. ``codes``
    and ``severities`` are those of the diagnostics, ``fixable`` the codes of those with a safe fix,
    ``unsafe`` of those with another. ``resolved`` diagnostics were fixed, or suppressed, or would
    be; ``known`` ones are in the baseline, ``suppressed`` ones were suppressed before.
    """

    def __init__(self) -> None:
        self.files = self.urls = self.iris = 0
        self.codes: Counter[str] = Counter()
        self.severities: Counter[Severity] = Counter()
        self.fixable: Counter[str] = Counter()
        self.unsafe = 0
        self.resolved = self.known = self.suppressed = 0
        self.unread: Counter[str] = Counter()
        """Files that were not read, by the class of the reason."""
        self.apart: Counter[str] = Counter()
        """Notes in files of tests and vendored files, by these kinds."""
        self.hidden = 0
        """Notes that are only counted."""
        self.wrong = 0
        """URLs with diagnostics."""
        self.errors = 0
        """A file that could not be read or written."""
        self._places: set[str] = set()
        self._of_file: set[tuple[int, int]] = set()
        self._repeated = False

    @property
    def total(self) -> int:
        """How many diagnostics there are."""
        return self.codes.total()

    def add(self, diagnostic: Diagnostic, apart: str = "") -> None:
        """Count one more; ``apart`` is the kind of its file, if that is reported apart."""
        self.codes[diagnostic.code] += 1
        if apart:
            self.apart[apart] += 1
        if diagnostic.file not in self._places:
            self._of_file = set()
        if diagnostic.url:
            place = diagnostic.url_start, diagnostic.url_end
            self._repeated = self._repeated or place in self._of_file
            self.wrong += place not in self._of_file
            self._of_file.add(place)
        self.severities[diagnostic.severity] += 1
        self._places.add(diagnostic.file)
        if diagnostic.fixable == "safe":
            self.fixable[diagnostic.code] += 1
        elif diagnostic.fixable:
            self.unsafe += 1

    def at_least(self, severity: Severity) -> int:
        """The number of diagnostics that are at least as severe."""
        counted = SEVERITIES[SEVERITIES.index(severity) :]
        return sum(self.severities[one] for one in counted)

    def summary(self, did: str = "", *, safe: bool = True, unsafe: bool = True) -> str:
        """Lines of at most 100 characters.

        ``did`` is the action on the ``resolved`` ones ("fixed"), empty without one; ``safe`` and
        ``unsafe`` say whether to name the options that fix the others.
        """
        checked = f"Checked {some(self.urls, 'URL')} in {some(self.files, 'file')}"
        parts = [f"{checked}: {self._found(did)}" if self.files else "No file was checked"]
        if safe and (number := self.fixable.total()):
            parts.append(f"{number:,} fixable with --fix")
        if unsafe and self.unsafe:
            more = "more with" if safe and self.fixable else "fixable with --fix"
            parts.append(f"{self.unsafe:,} {more} --unsafe-fixes")
        if self.hidden:
            parts.append(f"{some(self.hidden, 'note')} not shown (--all)")
        if self.apart:
            where = ", ".join(f"{number:,} in {kind}" for kind, number in self.apart.items())
            them = "it" if self.apart.total() == 1 else "them"
            parts.append(f"{where} (--include-tests treats {them} like others)")
        if self.iris:
            one = self.iris == 1
            parts.append(
                f"{some(self.iris, 'URL')} with non-ASCII characters {'is a' if one else 'are'} "
                f"valid IRI{'s' * (not one)} (--profile uri reports {'it' if one else 'them'})"
            )
        if self.known:
            parts.append(f"{self.known:,} in the baseline")
        if self.suppressed:
            parts.append(f"{self.suppressed:,} suppressed")
        for why in ("binary", "large"):
            if number := self.unread[why]:
                parts.append(f"{some(number, f'{why} file')} not checked")
        if number := self.unread["lost"]:
            parts.append(f"{some(number, 'URL')} not checked")
        if number := self.unread["unreadable"]:
            parts.append(f"{some(number, 'file')} could not be read")
        head, found = parts[0].rpartition(": ")[::2]
        return _lines([f"{head}: "] * bool(head) + [f"{one}; " for one in (found, *parts[1:])])

    def _found(self, did: str) -> str:
        """The diagnostics that are left, and those that something was done about."""
        where = f" in {some(len(self._places), 'file')}" if self.total and self.files > 1 else ""
        if self._repeated:
            where = f" of {some(self.wrong, 'URL')}{where}"
        kinds = [severity for severity in reversed(SEVERITIES) if self.severities[severity]]
        if len(kinds) > 1 or kinds == ["note"]:
            where = f" ({', '.join(some(self.severities[s], s) for s in kinds)}){where}"
        if did and (self.resolved or self.total):
            left = f"{self.total:,}" if self.total else "none"
            return f"{some(self.resolved, 'diagnostic')} {did}, {left} left{where}"
        return f"{some(self.total, 'diagnostic') if self.total else 'no diagnostics'}{where}"


_WIDTH = 100
"""Characters of a line of the summary: a log of CI shows that many."""


def _lines(pieces: Iterable[str]) -> str:
    """Pieces of text, with marks between them, in lines."""
    lines = [""]
    for piece in pieces:
        if lines[-1] and len(lines[-1] + piece) - 1 > _WIDTH:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines).rstrip("; ")


BASELINE = "uriproof-baseline.json"
"""The baseline file that is written, by default."""

STANDARD_INPUT = "-"
_STDIN = "<stdin>"
_LIST = "<stdin>.urls"
"""The default format of standard input: URLs, one on each line."""


class SessionError(UriproofError, ValueError):
    """Options that cannot be followed; says which and why."""


class Options(NamedTuple):
    """The settings of a run.

    ``untrusted`` is for a tree that might be hostile: its settings are ignored, its links are not
    followed, and files that take too long are skipped. ``output_file`` is the file of the caller's
    report, which is not checked itself. ``settings`` are on top of those of configuration files;
    ``reason`` is for the suppressions of ``add_ignore``.
    """

    paths: tuple[str, ...] = (".",)
    stdin_filename: str | None = None
    config: str | None = None
    isolated: bool = False
    settings: Mapping[str, Any] = {}
    force_exclude: bool = False
    cache_dir: str | None = None
    jobs: int = 0
    since: str | None = None
    baseline: str | None = None
    write_baseline: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    add_ignore: bool = False
    reason: str | None = None
    show_fixes: bool = False
    dump_urls: bool = False
    verbose: bool = False
    untrusted: bool = False
    output_file: str | None = None


def configs(
    config: str | None = None, isolated: bool = False, settings: Mapping[str, Any] | None = None
) -> Configs:
    """The settings of each folder. Errors: SessionError, for an unknown code or a missing file."""
    if config is not None and isolated:
        raise SessionError("--isolated ignores configuration files, --config names one: give one.")
    if config is not None and not os.path.isfile(config):
        raise SessionError(f"--config: file {config} does not exist")
    for option, selectors in (settings or {}).items():
        if option in {"select", "extend_select", "ignore", "fixable", "unfixable"}:
            _require_codes(option.replace("_", "-"), selectors)
    return Configs(config, isolated, settings)


def _require_codes(option: str, selectors: Iterable[str]) -> None:
    """Errors: SessionError, for a selector that selects no code."""
    from ..text.names import or_list
    from .codes import names
    from .config.select import unknown

    for wrong, near in unknown(selectors, names()).items() if selectors else ():
        hint = f"did you mean {or_list(near)}?" if near else "to list them, run: uriproof explain"
        raise SessionError(f"--{option}: no code begins with {wrong!r}; {hint}")


Progress = Callable[[Iterator[Chunk]], Iterable[Chunk]]


class Session:
    """One run. ``notify`` is given each line about it, and whether that is an error.

    ``progress`` is given the chunks of work as they come, and ``show`` the patches of ``diff``, in
    a form for ``people``, with ``color``, or for git. ``counts`` are the totals, complete when the
    diagnostics have been read.

    Errors: SessionError.
    """

    def __init__(
        self,
        options: Options,
        notify: Callable[[str, bool], None],
        progress: Progress = iter,
        show: Callable[[Iterable[str]], None] = lambda lines: None,
        color: bool = False,
        people: bool = False,
    ) -> None:
        self.options = options
        settings = options.settings
        if options.untrusted:  # the ignore files of a tree are settings, too
            settings = {"gitignore": False, **settings, "cache": False}
        isolated = options.isolated or (options.untrusted and options.config is None)
        self.configs = configs(options.config, isolated, settings)
        self.settings = self.configs.of("")
        self.output = b""
        """The fixed standard input."""
        self.counts = Counts()
        self._notify, self._progress, self._show = notify, progress, show
        self._changer = self._new_changer(options, color, people)
        skipped = self._skipped if options.verbose else None
        self._walk = Walk(self.configs, options.force_exclude, skipped, options.untrusted)
        self._fresh: dict[str, str] = {}
        self._cache = None
        if self.settings.cache and not options.dump_urls and (folder := self._cache_folder()):
            from .files.cache import Cache

            self._cache = Cache(folder, self.settings.root)
        known = None if self._cache is None else self._cache.entries
        self._run = Run(options.jobs, known, options.dump_urls, untrusted=options.untrusted)
        file = self.settings.baseline
        file = options.baseline or (file and os.path.join(self.settings.root, file))
        self.baseline_file = file or BASELINE
        self._baseline = self._changes = None
        try:
            if options.since is not None:
                named = [path for path in options.paths if path != STANDARD_INPUT]
                self._changes = since(options.since, paths=named)
            if file and not options.write_baseline:
                self._baseline = Baseline.read(file)
        except (BaselineError, NoChanges) as error:
            given = isinstance(error, NoChanges) or options.baseline
            where = "" if given else f"{self.settings.file}: baseline: "
            raise SessionError(f"{where}{error}") from error

    def _cache_folder(self) -> str | None:
        """The folder of the cache. Errors: SessionError, for a named one inside a tree, where
        anyone who changes the tree could write false results."""
        from .files.cache import folder_of

        given = self.options.cache_dir
        folder = given or folder_of(os.environ)
        if folder is None:
            return None
        for path in (self.settings.root, *self.options.paths):
            tree = tree_of(path if os.path.isdir(path) else os.path.dirname(path))
            if inside(folder, tree) is None:
                continue
            if given:
                raise SessionError(f"--cache-dir: {given} is in {tree}: name a folder elsewhere")
            return None
        return folder

    def _new_changer(self, options: Options, color: bool, people: bool) -> Changer | None:
        """The changer of files, if any are to be changed."""
        if not (options.fix or options.diff or options.add_ignore):
            return None
        from .fix.apply import Changer

        shown: Mode = "terminal" if people else "patch"
        return Changer(
            "suppress" if options.add_ignore else shown if options.diff else "fix",
            options.unsafe_fixes,
            options.reason or "",
            self._read,
            self._check,
            self._complain,
            self._show,
            options.show_fixes,
            color,
        )

    def diagnostics(self) -> Iterator[Diagnostic]:
        """The diagnostics, in order, after suppressions, baseline and fixes."""
        for result in self._results():
            found, hidden = self._filtered(result.diagnostics)
            self.counts.suppressed += result.suppressed
            apart = self._apart_of(result.file) if found else ""
            if self.options.add_ignore:  # a note needs no suppression
                found = [one for one in found if not self.counts_only(one)]
            if found and self._changer is not None and not apart:
                left = self._change(result.file, found, hidden)
                self.counts.resolved += max(len(found) - len(left), 0)
                found = left
            for diagnostic in found:
                self.counts.add(diagnostic, apart)
                # A replacement in the user information might hold a password.
                secret = diagnostic.edits and diagnostic.component == "userinfo"
                yield diagnostic._replace(edits=()) if secret else diagnostic
        self._note()

    def _apart_of(self, file: str) -> str:
        """The kind of a file of tests or a vendored file; else empty."""
        return self.configs.of(os.path.dirname(file)).apart(file)

    def counts_only(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic is a note that breaks nothing, and does not make the run fail."""
        return diagnostic.severity == "note" != self.settings.fail_on

    def records(self) -> Iterator[UrlRecord]:
        """Every URL, in order."""
        for result in self._results():
            yield from result.records
        self._note()

    def files(self) -> Iterator[str]:
        """The files that would be checked."""
        for item in self._items():
            if isinstance(item, Unread):
                self._unread(item)
            else:
                yield item[0]

    def write_baseline(self) -> int | None:
        """Write the baseline; how many diagnostics are in it, None if it cannot be written.

        Errors: SessionError, for a file that a configuration names outside of its tree.
        """
        if not self.options.baseline and self.settings.baseline:
            tree = tree_of(self.settings.root)
            if below(self.baseline_file, tree) is None:
                named = f"{self.settings.file}: baseline: {self.settings.baseline}"
                raise SessionError(f"{named} is outside of {tree}: name it with --baseline")
        made = Baseline(self.baseline_file)
        # What does not fail need not be known.
        made.add(one for one in self.diagnostics() if not self.counts_only(one))
        try:
            write_text(made.file, made.text)
        except OSError as error:
            self._complain(f"{self.baseline_file}: {cause(error)}")
            return None
        return made.left

    def close(self) -> None:
        """Report errors in the configuration, and write the cache."""
        for problem in self.configs.problems:
            self._complain(str(problem))
        if self._cache is not None:
            self._cache.add(self._fresh)

    @property
    def failed(self) -> bool:
        """Whether something could not be read, or is wrong with the configuration."""
        return bool(self.counts.errors or self.configs.problems)

    @property
    def failing(self) -> int:
        """The number of diagnostics that are at least as severe as ``fail-on``."""
        return self.counts.at_least(self.settings.fail_on)

    @property
    def summary(self) -> str:
        """What was checked, what was found, and what was not checked."""
        options = self.options
        did = "fixed" if options.fix else ""
        if options.diff:
            did = "would be fixed"
        elif options.add_ignore:
            did = "suppressed"
        safe = not (options.fix or options.add_ignore)
        unsafe = not (options.add_ignore or options.unsafe_fixes)
        return self.counts.summary(did, safe=safe, unsafe=unsafe)

    def _items(self) -> Iterator[Item]:
        """The files; with ``--since``, those that have changed."""
        named = [path for path in self.options.paths if path != STANDARD_INPUT]
        for item in self._walk.over(named):
            if self.options.output_file and self._is_output(item[0]):
                continue  # the report of an earlier run
            if isinstance(item, Unread) or self._changes is None or self._changes.has(item[0]):
                if self.options.verbose and not isinstance(item, Unread):
                    self._notify(f"{item[0]}: {_source(item[1])}", False)
                yield item
            elif self.options.verbose:
                self._skipped(item[0], f"no line has changed since {self.options.since}")

    def _is_output(self, path: str) -> bool:
        """Whether a file is the one that the report is written to, by whatever name."""
        with suppress(OSError):
            return os.path.samefile(path, self.options.output_file or "")
        return False

    def _results(self) -> Iterator[Result]:
        if STANDARD_INPUT in self.options.paths:
            self.output = sys.stdin.buffer.read()
            source, reader = self._read(STANDARD_INPUT, self.output)
            result = self._check(source, reader)
            self._looked_at(1, result.urls, result.iris)
            self._lost(result)
            yield result
        if set(self.options.paths) == {STANDARD_INPUT}:
            return
        for chunk in self._progress(self._run.over(self._items())):
            self._looked_at(chunk.checked, chunk.urls, chunk.iris)
            self._fresh.update(chunk.fresh)
            for one in chunk.results:
                if isinstance(one, Unread):
                    self._unread(one)
                else:
                    self._lost(one)
                    yield one

    def _check(self, source: Source, reader: Reader) -> Result:
        engine = engine_for(self.configs.of(os.path.dirname(reader.name)))
        return engine.check(source, reader, self.options.dump_urls)

    def _read(self, file: str, data: bytes) -> tuple[Source, Reader]:
        """The text of some bytes, of a file or of standard input, and how it is read."""
        name = shown = file
        if self._is_stdin(file):
            given = self.options.stdin_filename
            name, shown = given or _LIST, given or _STDIN
        reader = engine_for(self.configs.of(os.path.dirname(name))).reader(name, data)
        return decoded(shown, data), reader

    def _is_stdin(self, file: str) -> bool:
        """Whether a name is that of standard input."""
        named = {STANDARD_INPUT, _STDIN, self.options.stdin_filename}
        return STANDARD_INPUT in self.options.paths and file in named

    def _filtered(
        self, diagnostics: Iterable[Diagnostic]
    ) -> tuple[list[Diagnostic], list[Diagnostic]]:
        """The new diagnostics (on changed lines, and not in the baseline), and the others."""
        new: list[Diagnostic] = []
        hidden: list[Diagnostic] = []
        for one in diagnostics:
            if self._changes is not None and one.file != _STDIN and not self._touched(one):
                hidden.append(one)
            elif self._baseline is not None and self._baseline.knows(one):
                self.counts.known += 1
                hidden.append(one)
            else:
                new.append(one)
        return new, hidden

    def _touched(self, one: Diagnostic) -> bool:
        """Whether a line of a diagnostic has changed since the commit."""
        changes = self._changes
        return changes is None or any(
            changes.touches(one.file, place.line, place.end_line) for place in one.places
        )

    def _change(
        self, file: str, found: list[Diagnostic], hidden: list[Diagnostic]
    ) -> list[Diagnostic]:
        """Change a file, or show how; the diagnostics that are left."""
        if self._changer is None:
            return found
        is_stdin = self._is_stdin(file)
        given = self.output if is_stdin else None
        left, output = self._changer.change(file, found, hidden, given)
        self.output = self.output if output is None else output
        return left

    @property
    def changes(self) -> Sequence[Change]:
        """With ``show_fixes``, the fixes, in the order of the files."""
        return () if self._changer is None else self._changer.changes

    def _looked_at(self, files: int, urls: int, iris: int) -> None:
        self.counts.files += files
        self.counts.urls += urls
        self.counts.iris += iris

    def _skipped(self, path: str, why: str) -> None:
        self._notify(f"{path}: skipped: {why}", False)

    def _unread(self, unread: Unread) -> None:
        self.counts.unread[unread.why] += 1
        if unread.why != "binary" or self.options.verbose:
            self._complain(f"{unread.file}: {unread.message}", unread.why == "unreadable")

    def _lost(self, result: Result) -> None:
        for line, why in result.lost:
            self.counts.unread["lost"] += 1
            self._complain(f"{result.file}:{line}: {why}")

    def _note(self) -> None:
        if self.options.untrusted:
            own = f"those of {self.options.config}" if self.options.config else "the defaults"
            told = f"--untrusted: the settings are {own}, not those of the tree"
            if number := self.counts.suppressed:
                told += f"; comments in its files suppress {some(number, 'diagnostic')}"
            self._notify(told, False)
        for note in self._walk.notes:
            self._complain(note, error=False)

    def _complain(self, message: str, error: bool = True) -> None:
        self.counts.errors += error
        self._notify(message, error)


def _source(settings: Settings) -> str:
    """The source of settings, in words."""
    return f"settings of {settings.file}" if settings.file else "default settings"
