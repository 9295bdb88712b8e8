"""The options of ``uriproof lint``, in the order of its help.

Owns their names, types and help. May import every other layer. Invariant: related options are
listed together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ..lint.session import BASELINE
from ..render.diagnostics import formats
from . import _output
from ._group import files

__all__ = ["lint_options"]

Decorator = Callable[[Any], Any]


def _listed(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Several values in one, separated by commas."""
    return tuple(part.strip() for one in value for part in one.split(",") if part.strip())


def _many(name: str, what: str, text: str) -> Decorator:
    return click.option(name, multiple=True, callback=_listed, metavar=f"{what},…", help=text)


def _flag(*names: str, text: str) -> Decorator:
    return click.option(*names, is_flag=True, help=text)


def _value(*names: str, what: str, text: str) -> Decorator:
    complete = files if what in {"FILE", "FOLDER"} else None
    return click.option(*names, metavar=what, shell_complete=complete, help=text)


def _pair(name: str, text: str) -> Decorator:
    """A flag that can also be turned off; without either, the configuration decides."""
    return click.option(f"--{name}/--no-{name}", default=None, help=text)


_GROUPS: dict[str, tuple[Decorator, ...]] = {
    "Reporting": (
        _many("--select", "CODE", "Codes, code prefixes or groups to report; the groups: all, "
              "violations, advice, mistakes, security, linter.  "
              "[default: violations, linter, mistakes]"),
        _many("--extend-select", "CODE", "Additional codes to report."),
        _many("--ignore", "CODE", "Codes to ignore."),
        click.option("--profile", type=click.Choice(["auto", "uri", "iri"]),
                     help="Validate as URI or IRI; auto: by the specification of each format."),
        _pair("schemes", "Also apply scheme-specific rules."),
        _many("--allow-scheme", "SCHEME", "Only allow these schemes."),
        _value("--since", what="REF", text="Only report lines changed since a commit."),
        _value("--baseline", what="FILE",
               text="Hide the diagnostics recorded in this baseline file."),
        _flag("--write-baseline",
              text=f"Create or replace the baseline file.  [default: {BASELINE}]"),
        click.option("--fail-on", type=click.Choice(["error", "warning", "note"]),
                     help="Minimum severity for exit code 1.  [default: warning]"),
        _pair("include-tests", "Treat files of tests like others, not as notes."),
        _flag("--exit-zero", text="Exit with 0 even if there are diagnostics."),
    ),
    "Output": (
        click.option("form", "--format", type=click.Choice(formats()), metavar="NAME",
                     help=f"Output format: {', '.join(formats())}.  [default: full; github in "
                     "GitHub Actions, azure in Azure Pipelines; gitlab for a file in GitLab CI]"),
        _output.output_option,
        _output.color_option,
        _flag("every", "--all", text="In format full, show all diagnostics, not five of a kind."),
        _flag("--statistics", text="Count the diagnostics by code."),
        _output.quiet_option,
        _flag("-v", "--verbose",
              text="Also report the configuration of each file, and why files are skipped."),
    ),
    "Fixing": (
        _flag("--fix", text="Apply the safe fixes."),
        _flag("--unsafe-fixes", text="Also apply fixes that might change the meaning."),
        _many("--fixable", "CODE", "Only fix these.  [default: all]"),
        _many("--unfixable", "CODE", "Do not fix these."),
        _flag("--show-fixes", text="With --fix: list the changes, before and after."),
        _flag("--exit-non-zero-on-fix", text="With --fix: exit with 1 if anything was fixed."),
        _flag("--diff", text="Show the fixes as a patch; change nothing."),
        _flag("--add-ignore", text="Suppress each diagnostic with a comment on its line."),
        _value("--reason", what="TEXT", text="With --add-ignore: the reason for the comments."),
    ),
    "File": (
        _many("--include", "GLOB", "Only check files that match."),
        _many("--exclude", "GLOB", "Exclude these instead of the configured ones."),
        _many("--extend-exclude", "GLOB", "Also exclude these."),
        _flag("--force-exclude", text="Exclude files even if named on the command line."),
        _pair("gitignore", "Exclude files that git ignores."),
        _value("--stdin-filename", what="NAME", text="Check standard input as this file."),
    ),
    "Configuration": (
        _value("--config", what="FILE", text="Configuration for all files."),
        _flag("--isolated", text="Ignore configuration files."),
        _flag("--untrusted", text="For untrusted changes: do not run git, follow links, use "
              "settings except --config, or finish files that take too long."),
        _flag("--show-settings", text="Only show the settings."),
        _flag("--show-files", text="Only list the files to check."),
        _flag("--dump-urls", text="Only list the URLs found."),
        _flag("--why", text="With --dump-urls: also explain each decision."),
    ),
    "Running": (
        _flag("--watch", text="Re-run when files change."),
        _output.jobs_option,
        _flag("--no-cache", text="Ignore the cache."),
        _value("--cache-dir", what="FOLDER", text="Cache directory."),
    ),
}  # fmt: skip


def lint_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """All the options, for the command."""
    for options in reversed(_GROUPS.values()):
        for option in reversed(options):
            function = option(function)
    return function
