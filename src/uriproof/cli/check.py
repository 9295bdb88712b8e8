"""``uriproof check``: validate texts given as arguments, or one a line from files.

May import every other layer. Invariant: each text is read, checked and reported before the next,
in the order of the input; each failure to read is reported on standard error and makes the exit
code 2.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

import click

from ..render import Entry, Place, Style, as_text, json_array
from ..report import Report
from ..rule import Rule
from ..text.names import some
from . import _inputs, _output
from ._answers import write_line
from ._grammars import refusals, rule_of, rule_options
from ._group import examples
from ._inputs import Line
from ._options import color_option, flag, format_option, pair, value
from ._progress import Progress

_MOST_COMPLAINTS = 10
"""Lines of one file reported as not UTF-8 one by one; the rest are counted."""


@click.command(
    short_help="Validate URIs: arguments, lines of files, standard input.",
    epilog=examples(
        ("uriproof check 'http://example.com/a b'", "what is wrong, and the fix"),
        ("uriproof check --explain 'http://h:80a/'", "also the rule that is not met"),
        ("uriproof check -r absolute-URI -f urls.txt", "each line, against a production"),
        ("uriproof check --format json - < urls.txt", "for a program"),
    ),
)
@click.argument("texts", nargs=-1, metavar="[TEXT]... [-]")
@value("files -f --file FILE", "Also check each line of FILE.", multiple=True)
@rule_options
@format_option
@color_option
@flag("--explain", "Also show what was expected, and the rule.")
@flag("--fix", "Print every text, with the fixes that are safe.")
@pair(
    "advice",
    "Also report valid but questionable URIs.  [default: not for valid lines of files]",
)
@flag("--security", "Also report attack patterns; with --no-advice, only these.")
def command(
    *,
    texts: tuple[str, ...],
    files: tuple[str, ...],
    rule: str | None,
    grammar: str,
    query: str | None,
    schemes: bool,
    form: str,
    explain: bool,
    fix: bool,
    advice: bool | None,
    security: bool,
    color: str,
) -> int:
    """Validate each TEXT, and each line of each FILE and of standard input (-).

    Offsets count code points from 0, as in Python; lint counts lines and columns from 1.

    \b
    Exit code: 0  every text is valid (with --fix: or has been fixed)
               1  at least one text is invalid
               2  invalid usage, or something could not be read
    """
    if not texts and not files:
        raise click.UsageError(
            "Nothing to check: give a TEXT, --file FILE, or - for standard input."
        )
    if fix and form != "text":
        raise click.UsageError("--fix prints the fixed texts; --format json has them as 'fixed'.")
    if explain and form != "text":
        raise click.UsageError("--explain is for text output; --format json always has all of it.")
    groups = ("security",) if advice is False else ("advice", "security")
    if security:
        advice = True
    held = rule_of(rule, grammar, query, schemes)
    run = _Run(held, groups if security else (), texts, files)
    if fix:
        run.fix(_output.style(sys.stderr, advice, color)._replace(explain=explain))
    else:
        # As text, a valid line without advice is not shown: no report is needed.
        entries = run.entries(terse=form == "text" and not advice)
        style = _output.style(sys.stdout, advice, color)._replace(explain=explain)
        if form == "text":
            pieces = as_text.render(entries, style)
        else:
            pieces = json_array(entry.to_dict(style) for entry in entries)
        for piece in pieces:
            run.progress.make_way(sys.stdout)
            sys.stdout.write(piece)
    if run.summary:
        aside = fix or form != "text"
        sys.stdout.flush()
        # A blank line between drawings and the summary.
        click.echo("\n" * (run.drawn and not aside) + run.summary, err=aside)
    return run.exit_code


class _Run:
    """One call: what it reads, and what it has found so far."""

    def __init__(
        self,
        rule: Rule,
        advice: tuple[str, ...],
        texts: tuple[str, ...],
        files: tuple[str, ...],
    ) -> None:
        """``advice``: the groups of advice that is given, if it is not all."""
        self._rule = rule
        self._advice = advice
        self._texts = texts
        self._files = files
        self._count: Counter[str] = Counter()
        self.progress = Progress()

    def entries(self, *, terse: bool) -> Iterator[Entry]:
        """A report for each text; if ``terse``, for each but the valid lines."""
        for line in self._lines():
            if line.text is None or line.blank:
                continue
            if terse and line.place is not None and self._rule.is_valid(line.text):
                self._count["texts"] += 1
            else:
                yield self._entry(line.text, line.place)

    def fix(self, style: Style) -> None:
        """Each text to standard output, with all fixes if every violation has one.

        A line that is blank, or that could not be decoded, is passed on as it is, so that the
        output has the lines of the input. What cannot be fixed is reported on standard error.
        """
        for line in self._lines():
            if line.text is None or line.blank:
                self._print(line.raw.decode("utf-8", "surrogateescape"))
                continue
            if self._rule.is_valid(line.text):
                self._count["texts"] += 1
                self._print(line.text)
                continue
            entry = self._entry(line.text, line.place)
            fixed = entry.report.fixed
            self._print(line.text if fixed is None else fixed)
            if fixed is not None:
                self._count["fixed"] += 1
            else:
                self.progress.make_way(sys.stderr)
                for piece in as_text.render([entry], style):
                    sys.stderr.write(piece)

    @property
    def drawn(self) -> bool:
        return self._count["invalid"] > 0

    @property
    def exit_code(self) -> int:
        if self._count["unread"] or self._count["undecoded"]:
            return 2
        return int(self._count["invalid"] > self._count["fixed"])

    @property
    def summary(self) -> str:
        """One line; nothing for a single text."""
        count = self._count
        if len(self._texts) == 1 and not self._files and self._texts[0] != _inputs.STANDARD_INPUT:
            return ""
        parts = [f"{count['texts'] - count['invalid']:,} valid", f"{count['invalid']:,} invalid"]
        if count["fixable"]:
            parts.append(f"{count['fixed'] or count['fixable']:,} of them ")
            parts[-1] += "fixed" if count["fixed"] else "fixable"
        parts += [f"{count['undecoded']:,} not UTF-8"] * bool(count["undecoded"])
        line = f"{some(count['texts'], 'text')}: {', '.join(parts)}"
        unread = f"; {some(count['unread'], 'file')} could not be read"
        return line + unread * bool(count["unread"])

    def _entry(self, text: str, place: Place | None) -> Entry:
        report = self._report(text)
        self._count["texts"] += 1
        if not report.ok:
            self._count["invalid"] += 1
            self._count["fixable"] += report.fixed is not None
        return Entry(report, place)

    def _report(self, text: str) -> Report:
        with refusals():  # the blame engine is built at the first invalid text
            report = self._rule.check(text)
        if not self._advice:
            return report
        from ..advice import advise

        given = report.text, report.rule, report.grammar, report.components, report.violations
        advice = advise(report, self._advice)
        return Report(*given, report.more, advice, source=report._source)

    def _lines(self) -> Iterator[Line]:
        """The texts in order. A failure to read is reported at once, and counted."""
        total = _inputs.size([*(t for t in self._texts if t == "-"), *self._files])
        complaints: Counter[str] = Counter()
        for line in self.progress.over(_inputs.texts(self._texts, self._files), total, _weight):
            if isinstance(line, _inputs.Unreadable):
                self._count["unread"] += 1
                self._complain(line.why)
                continue
            if line.text is None and line.place is not None:
                self._count["undecoded"] += 1
                complaints[line.place.file] += 1
                if complaints[line.place.file] <= _MOST_COMPLAINTS:
                    self._complain(f"{line.place}: {line.why}")
            yield line
        for file, number in complaints.items():
            if number > _MOST_COMPLAINTS:
                self._complain(f"{file}: {number - _MOST_COMPLAINTS:,} more lines not UTF-8")

    def _print(self, text: str) -> None:
        self.progress.make_way(sys.stdout)
        write_line(text, exact=True)

    def _complain(self, what: str) -> None:
        self.progress.make_way(sys.stderr)
        _output.complain(what)


def _weight(line: Line | _inputs.Unreadable) -> int:
    return len(line.raw) + 1 if isinstance(line, Line) else 0
