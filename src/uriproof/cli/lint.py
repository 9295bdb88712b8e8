"""``uriproof lint``: validate the URLs in files and folders.

May import every other layer. Invariant: standard output holds only the diagnostics in the chosen
format and, for people, a summary; it does not depend on the number of processes, and never holds a
password. The run itself is ``lint.session``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, TextIO

import click

from ..diagnostic import Diagnostic
from ..lint.config.settings import Settings, key
from ..lint.engine.run import Chunk
from ..lint.found import UrlRecord
from ..lint.session import STANDARD_INPUT, Counts, Options, Session, SessionError
from ..render import dumps, json_array
from ..render.diagnostics import default, renderer
from ..text.drawing import short, visible
from ..text.names import some
from ..text.paths import readable
from . import _output
from ._group import Refused, examples, files
from ._lint_options import lint_options
from ._options import refuse_beside, refuse_without
from ._output import complain, for_programs, note, output_file
from ._progress import Progress

if TYPE_CHECKING:
    from ..lint.fix.apply import Change

_OF_MANY = (
    *("select", "extend_select", "ignore", "fixable", "unfixable"),
    *("include", "exclude", "extend_exclude"),
)
_FOR_PEOPLE = frozenset({"full", "concise"})
_WITHOUT_NOTES = frozenset({"full", "github"})
"""Formats of which people read all, so that notes are only counted."""
_MOST_OF_A_URL = 200
"""Characters of a URL before or after a fix that are shown."""
_ACTIONS = ("add_ignore", "write_baseline", "dump_urls", "show_files", "show_settings")


@click.command(
    short_help="Validate the URLs in files of any format.",
    epilog=examples(
        ("uriproof lint --statistics", "the number of diagnostics by code"),
        ("uriproof lint --diff docs README.md", "what --fix would change"),
        ("uriproof lint --since origin/main", "only on lines that changed"),
    ),
)
@click.argument("paths", nargs=-1, metavar="[PATH]... [-]", shell_complete=files)
@lint_options
def command(**given: Any) -> int:
    """Validate the URLs in files of any format.

    PATH is a file or folder, by default the current folder; - is standard input, with one URL on
    each line unless --stdin-filename implies another format. A diagnostic is one code in one URL,
    with all its places. Lines and columns count from 1; columns are code points.

    \b
    Exit code: 0  no errors or warnings (with --fix: none are left)
               1  at least one error or warning
               2  invalid usage or configuration, or something could not be
                  checked or written
             130  interrupted, which is how --watch ends
    """
    _check_options(given)
    try:
        if given["watch"]:
            from ._watch import watch

            return watch(given["paths"], lambda: _once(given), given["output"])
        return _once(given)[1]
    except SessionError as error:
        raise Refused(str(error)) from error


def _check_options(given: dict[str, Any]) -> None:
    """Errors: UsageError, for options that contradict each other."""
    given["form"] = given["form"] or default(os.environ, bool(given["output"]))
    if not given["dump_urls"]:
        refuse_without("--dump-urls", "why")
    actions = [f"--{n.replace('_', '-')}" for n in ("diff", "fix", *_ACTIONS) if given[n]]
    if len(actions) > 1 and actions != ["--diff", "--fix"]:
        raise click.UsageError(f"{' and '.join(actions)} cannot be combined.")
    if not (given["fix"] or given["diff"]):
        refuse_without("--fix or --diff", "unsafe_fixes")
    if given["diff"] or not given["fix"]:
        refuse_without("--fix", "show_fixes", "exit_non_zero_on_fix")
    if given["quiet"]:
        refuse_beside("--quiet", "verbose")
    if given["no_baseline"]:
        refuse_beside("--no-baseline", "baseline", "write_baseline")
    if not given["add_ignore"]:
        refuse_without("--add-ignore", "reason")
    if given["stdin_filename"] and not given["paths"]:
        given["paths"] = (STANDARD_INPUT,)
    if given["watch"] and STANDARD_INPUT in given["paths"]:
        raise click.UsageError("--watch does not work with standard input.")
    if given["fix"] and STANDARD_INPUT in given["paths"] and len(given["paths"]) > 1:
        raise click.UsageError("--fix cannot combine files and standard input.")
    if given["untrusted"]:
        refuse_beside("--untrusted", "fix", "diff", "add_ignore", "watch")
        if STANDARD_INPUT in given["paths"]:
            raise click.UsageError("--untrusted does not work with standard input.")
    given["paths"] = given["paths"] or (".",)


def _options(given: dict[str, Any]) -> Options:
    settings = {
        **{name: given[name] or None for name in _OF_MANY},
        **{name: given[name] for name in ("gitignore", "include_tests", "profile", "fail_on")},
        "scheme_rules": given["schemes"],
        "schemes": given["allow_scheme"] or None,
        "cache": False if given["no_cache"] else None,
        "baseline": "" if given["no_baseline"] else None,
    }
    return Options(
        **{name: given[name] for name in Options._fields if name in given},
        output_file=given["output"],
        settings={name: value for name, value in settings.items() if value is not None},
    )


def _once(given: dict[str, Any]) -> tuple[Session, int]:
    """One run, and its exit code."""
    bar = Progress()

    def notify(message: str, error: bool) -> None:
        if error or not given["quiet"]:
            bar.make_way(sys.stderr)
            (complain if error else note)(message)

    def progress(chunks: Iterator[Chunk]) -> Iterable[Chunk]:
        return bar.over(chunks, None, lambda chunk: chunk.files, "files", often=1)

    def show(lines: Iterable[str]) -> None:
        bar.make_way(sys.stdout)
        for line in lines:
            if people:
                click.echo(line, nl=False, color=color)
            else:  # a patch has the bytes of the files
                sys.stdout.flush()
                sys.stdout.buffer.write(line.encode("utf-8", "surrogateescape"))

    color = _output.style(sys.stdout, None, given["color"]).color
    people = sys.stdout.isatty() or given["color"] == "always"
    session = Session(_options(given), notify, progress, show, color, people)
    if given["show_settings"]:
        click.echo(_settings(session.settings))
        code = 0
    else:
        code = _act(session, given, bar)
    session.close()
    if session.failed:
        code = 2
    elif given["exit_zero"]:
        code = 0
    return session, code


def _act(session: Session, given: dict[str, Any], bar: Progress) -> int:
    """Run the action of the options. Returns the exit code of a run without errors."""
    if given["show_files"]:
        for file in session.files():
            click.echo(visible(file))
        return 0
    if given["dump_urls"]:
        for line in _records(session.records(), given["form"], given["why"]):
            click.echo(line)
        return 0
    if given["write_baseline"]:
        number = session.write_baseline()
        if number is not None and not given["quiet"]:
            file = visible(session.baseline_file)
            click.echo(f"{some(number, 'diagnostic')} written to {file}", err=True)
        return 0
    to_file = given["output"]
    from_stdin = given["fix"] and STANDARD_INPUT in given["paths"]
    # Standard output is for the fixed text of standard input, and for patches.
    stream = sys.stderr if given["diff"] or from_stdin else sys.stdout
    with output_file(to_file) if to_file else nullcontext(stream) as out:
        _report(session, given, out, bar)
    if from_stdin:
        sys.stdout.flush()
        sys.stdout.buffer.write(session.output)
    counts = given["diff"] or given["exit_non_zero_on_fix"]
    return int(session.failing > 0 or (counts and session.counts.resolved > 0))


def _report(session: Session, given: dict[str, Any], stream: TextIO, bar: Progress) -> None:
    """Write the diagnostics to a stream, then the summary."""
    from ..lint.codes import codes

    if given["statistics"]:
        for _ in session.diagnostics():
            pass
        pieces = _statistics(session.counts, given["form"])
    else:
        style = _output.style(stream, None, given["color"])._replace(every=given["every"])
        found = session.diagnostics()
        if given["form"] in _WITHOUT_NOTES and not style.every:
            found = _without_notes(session, found)
        pieces = renderer(given["form"])(found, style, codes)
    if given["form"] not in _FOR_PEOPLE:
        for_programs(stream)
    for piece in pieces:
        bar.make_way(stream)
        stream.write(piece)
    stream.flush()
    people = given["form"] in _FOR_PEOPLE and stream is sys.stdout
    for line in _changes(session.changes):
        click.echo(line, err=not people)
    if not given["quiet"]:
        for line in session.summary.splitlines():
            click.echo(line, err=not people)


def _without_notes(session: Session, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The diagnostics but those that are only counted, which the summary tells."""
    for one in found:
        if session.counts_only(one):
            session.counts.hidden += 1
        else:
            yield one


# What is printed


def _statistics(counts: Counts, form: str) -> Iterator[str]:
    """How often each code was reported, the most frequent first."""
    from ..lint.codes import codes as table

    fixable = counts.fixable
    counted = sorted(counts.codes.items(), key=lambda item: (-item[1], item[0]))
    known = table() if counted else {}
    if form in {"json", "jsonl"}:
        entries = [
            {"code": c, "title": known[c].title, "count": n, "fixable": fixable[c]}
            for c, n in counted
        ]
        lines = (f"{dumps(entry)}\n" for entry in entries)
        yield from lines if form == "jsonl" else json_array(entries)
        return
    width = max((len(f"{number:,}") for _, number in counted), default=0)
    longest = max((len(code) for code, _ in counted), default=0)
    for code, number in counted:
        fix = f" ({fixable[code]:,} fixable)" if fixable[code] else ""
        yield f"{number:{width},}  {code:{longest}}  {known[code].title}{fix}\n"


def _changes(made: Iterable[Change]) -> Iterator[str]:
    """The fixes, one on each line: the place, and the URL before and after."""
    for one in made:
        place = f"{visible(one.file)}:{one.line}:{one.column}"
        before, after = (short(text, _MOST_OF_A_URL) for text in (one.before, one.after))
        yield f"{place}: {before} -> {after}" if after else f"{place}: removed {before.strip()}"


def _records(urls: Iterable[UrlRecord], form: str, why: bool) -> Iterator[str]:
    """URLs as lines; with ``why``, also the reason and verdict for each."""
    for one in urls:
        if form in {"json", "jsonl"}:
            shown = one._replace(file=readable(one.file), url=readable(one.url))
            yield dumps(shown._asdict())
        elif why or one.rule:
            yield f"{visible(one.file)}:{one.line}:{one.column}: {visible(one.url)}"
            if why and one.rule:
                yield f"    {visible(one.why)}; {one.rule}: {one.verdict}"
            elif why:
                yield f"    not a URL: {visible(one.why)}"


def _settings(values: Settings) -> str:
    """The settings as the configuration would have them, and the excludes of outer files."""
    import json

    shown = {key(name): value for name, value in values._asdict().items()}
    shown["format"] = {name: one._asdict() for name, one in values.format.items()}
    _, *outer = values.levels
    shown["outer"] = {level.file: level.excluded for level in outer}
    return json.dumps(shown, indent=2)
