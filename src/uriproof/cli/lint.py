"""``uriproof lint``: the URLs of files and folders, held to the grammar.

May import every other layer. Invariant: standard output holds the findings in the format that was
asked for, and nothing beside them but, for people, a summary.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TextIO

from ..lint.engine.run import Run
from ..lint.files.since import NoChanges, since
from ..lint.files.walk import Walk
from ..lint.suppress.baseline import Baseline, BaselineError
from ..text.drawing import visible
from . import _click as click
from . import _console, _lint_output
from ._lint import STANDARD_INPUT, Lint, Mending
from ._lint_mend import Mender
from ._lint_settings import configs, shown

BASELINE = "uriproof-baseline.json"


def _listed(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Several values in one, between commas."""
    return tuple(part.strip() for one in value for part in one.split(",") if part.strip())


def _many(name: str, what: str, text: str) -> Callable[[Any], Any]:
    return click.option(name, multiple=True, callback=_listed, metavar=f"{what},…", help=text)


def _flag(name: str, text: str) -> Callable[[Any], Any]:
    return click.option(name, is_flag=True, help=text)


_OPTIONS = (
    _many("--select", "CODE", "Say these: codes, their beginnings, or the groups all, violations, "
          "advice, mistakes, security, linter.  [default: violations, linter, mistakes]"),
    _many("--extend-select", "CODE", "Say these, too."),
    _many("--ignore", "CODE", "Do not say these."),
    click.option("form", "--format", type=click.Choice(_lint_output.formats()), default="full",
                 show_default=True, help="How to tell."),
    click.option("-o", "--output-file", metavar="FILE", help="Where to tell, instead of here."),
    _flag("--statistics", "Count the findings by code."),
    _flag("--fix", "Mend the files where that is safe."),
    _flag("--unsafe-fixes", "Mend also where that may change the meaning."),
    _flag("--diff", "Show what would be mended, and change nothing."),
    _flag("--add-ignore", "Suppress each finding by a comment on its line."),
    click.option("--reason", metavar="TEXT", help="With --add-ignore: what the comments say."),
    click.option("--baseline", metavar="FILE", help="Do not say what this file knows."),
    _flag("--write-baseline", f"Write it anew, with what is found.  [default: {BASELINE}]"),
    click.option("--since", metavar="REF", help="Only lines that have changed since a commit."),
    _many("--include", "GLOB", "Check only files that match."),
    _many("--exclude", "GLOB", "Pass over these, instead of what is configured."),
    _many("--extend-exclude", "GLOB", "Pass over these, too."),
    _flag("--force-exclude", "Pass over them even if they are given by name."),
    click.option("--gitignore/--no-gitignore", default=None, help="Pass over what git ignores."),
    click.option("--profile", type=click.Choice(["rfc3986", "iri"]), help="Hold to URIs or IRIs."),
    click.option("--schemes/--no-schemes", default=None, help="Hold to rules of schemes, too."),
    _many("--allow-scheme", "SCHEME", "Allow these schemes only."),
    click.option("--config", metavar="FILE", help="Settings for all files, not the nearest."),
    _flag("--isolated", "Read no settings."),
    click.option("--stdin-filename", metavar="NAME", help="What standard input is read as."),
    _flag("--dump-urls", "Show every URL that is found, and do no more."),
    _flag("--why", "With --dump-urls: show each decision."),
    _flag("--show-files", "Show the files to check, and do no more."),
    _flag("--show-settings", "Show the settings, and do no more."),
    click.option("-j", "--jobs", type=click.IntRange(0), default=0, metavar="N",
                 help="Processes.  [default: as many as there are processors]"),
    _flag("--no-cache", "Check every file anew."),
    click.option("--cache-dir", metavar="FOLDER", help="Where verdicts are remembered."),
    _flag("--watch", "Go on, whenever a file changes."),
    click.option("-q", "--quiet", is_flag=True, help="Findings only: no summary, no notes."),
    _flag("--exit-zero", "Exit with 0 whatever is found."),
)  # fmt: skip


def _with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]... [-]")
@_with_options
def command(**given: Any) -> int:
    """Find the URLs in files of any format, and say what is wrong with them.

    PATH is a file or a folder, by default the folder that you are in; - is standard input: one
    URL a line, or what --stdin-filename says.

    \b
    Exit code: 0  nothing was found (with --fix: or all has been mended)
               1  something was found
               2  the call is wrong, or something could not be read
    """
    _proven(given)
    if given["watch"]:
        return _watch(given)
    return _once(given)


def _proven(given: dict[str, Any]) -> None:
    """Errors: UsageError, for options that contradict each other."""
    if given["why"] and not given["dump_urls"]:
        raise click.UsageError("--why goes with --dump-urls.")
    doing = [f"--{n.replace('_', '-')}" for n in ("diff", "fix") if given[n]]
    doing += [f"--{n.replace('_', '-')}" for n in _DOING if given[n]]
    if len(doing) > 1 and doing != ["--diff", "--fix"]:
        raise click.UsageError(f"{' and '.join(doing)} do different things: give one.")
    if given["unsafe_fixes"] and not (given["fix"] or given["diff"]):
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff.")
    if given["reason"] and not given["add_ignore"]:
        raise click.UsageError("--reason goes with --add-ignore.")
    if given["stdin_filename"] and not given["paths"]:
        given["paths"] = (STANDARD_INPUT,)
    if given["watch"] and STANDARD_INPUT in given["paths"]:
        raise click.UsageError("--watch is for files, not for standard input.")
    given["paths"] = given["paths"] or (".",)


_DOING = ("add_ignore", "write_baseline", "dump_urls", "show_files", "show_settings")


def _watch(given: dict[str, Any]) -> int:
    """One run after the other, until an interrupt."""
    from ..lint.files.watch import changes

    given = {**given, "watch": False}
    try:
        changed = changes(given["paths"])
    except ImportError as error:
        raise click.UsageError("--watch needs watchfiles: install uriproof[watch]") from error
    code = _once(given)
    for _ in changed:
        click.echo("—" * 20, err=True)
        code = _once(given)
    return code


def _once(given: dict[str, Any]) -> int:
    """One run. Returns the exit code."""
    settings = configs(**given)
    here = settings.of("")
    if given["show_settings"]:
        click.echo(shown(here))
    lint = Lint(Walk(settings, given["force_exclude"]), given["paths"], given["stdin_filename"])
    lint.quiet = given["quiet"]
    folder = given["cache_dir"] or os.path.join(here.root, ".uriproof_cache")
    cache = None
    if here.cache and not given["dump_urls"]:
        from ..lint.files.cache import Cache

        cache = Cache(folder)
    lint.run = Run(given["jobs"], None if cache is None else cache.entries, given["dump_urls"])
    try:
        if given["since"] is not None:
            lint.changes = since(given["since"])
        file = given["baseline"] or (here.baseline and os.path.join(here.root, here.baseline))
        if file and not given["write_baseline"]:
            lint.baseline = Baseline.read(file)
    except (BaselineError, NoChanges) as error:
        raise click.UsageError(visible(str(error))) from error
    code = 0 if given["show_settings"] else _act(lint, given, file or BASELINE)
    for problem in settings.problems:
        lint.complain(str(problem))
    if cache is not None:
        cache.add(lint.fresh)
    if lint.failed:
        return 2
    return 0 if given["exit_zero"] else code


def _act(lint: Lint, given: dict[str, Any], baseline: str) -> int:
    """What was asked for. Returns the exit code, for a run that met no trouble."""
    if given["show_files"]:
        for file in lint.files():
            click.echo(visible(file))
        return 0
    if given["dump_urls"]:
        lint.dumped = _lint_output.dumper(given["form"], given["why"])
        for _ in lint.diagnostics():
            pass
        return 0
    if given["write_baseline"]:
        return _write(lint, baseline)
    mending = Mending(given["fix"], given["unsafe_fixes"], given["diff"])
    if given["fix"] and STANDARD_INPUT in given["paths"] and len(given["paths"]) > 1:
        raise click.UsageError("--fix mends files, or standard input, not both at once.")
    lint.mending = mending
    to_file = given["output_file"]
    # Standard output is for what is mended, where that is standard input, and for differences.
    aside = mending.diff or (mending.write and STANDARD_INPUT in given["paths"])
    try:
        with (
            open(to_file, "w", encoding="utf-8", errors="backslashreplace")
            if to_file
            else nullcontext() as opened
        ):
            _tell(lint, given, opened or (sys.stderr if aside else sys.stdout))
    except FileNotFoundError as error:
        if not to_file:
            raise
        raise click.UsageError(f"{to_file}: {error.strerror or error}") from error
    if mending.write and STANDARD_INPUT in given["paths"]:
        sys.stdout.flush()
        sys.stdout.buffer.write(lint.piped)
    return int(lint.found > 0 or (mending.diff and lint.count["mended"] > 0))


def _tell(lint: Lint, given: dict[str, Any], stream: TextIO) -> None:
    """Findings to a stream, then the summary."""
    style = _console.style(stream, None)
    colour = _console.style(sys.stdout, None).colour
    if given["fix"] or given["diff"] or given["add_ignore"]:
        reason = (given["reason"] or "") if given["add_ignore"] else None
        lint.mend = Mender(lint, lint.mending, reason, colour)
    if given["statistics"]:
        for _ in lint.diagnostics():
            pass
        for line in _lint_output.statistics(lint.codes, lint.mendable, given["form"]):
            stream.write(line)
    else:
        for piece in _lint_output.rendered(given["form"], lint.diagnostics(), style):
            lint.watch.make_way(stream)
            stream.write(piece)
    if not given["quiet"]:
        stream.flush()
        people = given["form"] in {"full", "concise"} and stream is sys.stdout
        click.echo(visible(lint.summary), err=not people)


def _write(lint: Lint, file: str) -> int:
    """Write the baseline."""
    made = Baseline(file)
    lint.every = True
    made.add(d for d in lint.diagnostics() if d.severity != "note")
    try:
        made.write()
    except OSError as error:
        lint.complain(f"{file}: {error.strerror or error}")
        return 2
    if not lint.quiet:
        click.echo(f"{made.left:,} findings written to {visible(file)}", err=True)
    return 0
