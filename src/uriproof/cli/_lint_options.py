"""The options of ``uriproof lint``, in the order of its help.

Owns their names, types and help. May import every other layer. Invariant: related options are
listed together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..lint.session import BASELINE
from ..render.diagnostics import formats
from ._options import (
    Decorator,
    choice,
    color_option,
    flag,
    integer,
    many,
    output_option,
    pair,
    quiet_option,
    value,
)

_GROUPS: dict[str, tuple[Decorator, ...]] = {
    "Reporting": (
        many("--select CODE", "Codes, code prefixes or groups to report; the groups: all, "
             "violations, advice, mistakes, security, linter.  "
             "[default: violations, linter, mistakes]"),
        many("--extend-select CODE", "Additional codes to report."),
        many("--ignore CODE", "Codes to ignore."),
        choice("--profile", ("auto", "uri", "iri"),
               "Validate as URI or IRI; auto: by the specification of each format."),
        pair("schemes", "Also apply scheme-specific rules."),
        many("--allow-scheme SCHEME", "Only allow these schemes."),
        value("--since REF", "Only report lines changed since a commit."),
        value("--baseline FILE", "Hide the diagnostics recorded in this baseline file."),
        flag("--no-baseline", "Do not hide what the baseline of the configuration has."),
        flag("--write-baseline", f"Create or replace the baseline file.  [default: {BASELINE}]"),
        choice("--fail-on", ("error", "warning", "note"),
               "Minimum severity for exit code 1.  [default: warning]"),
        pair("include-tests", "Treat files of tests and vendored ones like others, not as notes."),
        flag("--exit-zero", "Exit with 0 even if there are diagnostics."),
    ),
    "Output": (
        choice("form --format", formats(),
               f"Output format: {', '.join(formats())}.  [default: full; github in GitHub Actions, "
               "azure in Azure Pipelines; gitlab for a file in GitLab CI]", metavar="NAME"),
        output_option,
        color_option,
        flag("every --all", "In formats full and github, also show notes; in full, all of a kind, "
             "not five."),
        flag("--statistics", "Count the diagnostics by code."),
        quiet_option,
        flag("-v --verbose",
              "Also report the configuration of each file, and why files are skipped."),
    ),
    "Fixing": (
        flag("--fix", "Apply the safe fixes."),
        flag("--unsafe-fixes", "Also apply fixes that might change the meaning."),
        many("--fixable CODE", "Only fix these.  [default: all]"),
        many("--unfixable CODE", "Do not fix these."),
        flag("--show-fixes", "With --fix: list the changes, before and after."),
        flag("--exit-non-zero-on-fix", "With --fix: exit with 1 if anything was fixed."),
        flag("--diff", "Show the fixes as a patch; change nothing."),
        flag("--add-ignore", "Suppress each diagnostic with a comment on its line."),
        value("--reason TEXT", "With --add-ignore: the reason for the comments."),
    ),
    "File": (
        many("--include GLOB", "Only check files that match."),
        many("--exclude GLOB", "Exclude these instead of the configured ones."),
        many("--extend-exclude GLOB", "Also exclude these."),
        flag("--force-exclude", "Exclude files even if named on the command line."),
        pair("gitignore", "Exclude files that git ignores."),
        value("--stdin-filename NAME", "Check standard input as this file."),
    ),
    "Configuration": (
        value("--config FILE", "Configuration for all files."),
        flag("--isolated", "Ignore configuration files."),
        flag("--untrusted", "For untrusted changes: do not run git, follow links, use "
              "settings except --config, or finish files that take too long."),
        flag("--show-settings", "Only show the settings."),
        flag("--show-files", "Only list the files to check."),
        flag("--dump-urls", "Only list the URLs found."),
        flag("--why", "With --dump-urls: also explain each decision."),
    ),
    "Running": (
        flag("--watch", "Re-run when files change."),
        integer("-j --jobs N", "Number of processes.  [default: number of CPUs]", 0,
               default=0, show_default=False),
        flag("--no-cache", "Ignore the cache."),
        value("--cache-dir FOLDER", "Cache directory."),
    ),
}  # fmt: skip


def lint_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """All the options, for the command."""
    for options in reversed(_GROUPS.values()):
        for option in reversed(options):
            function = option(function)
    return function
