"""``uriproof clean``: what a person typed becomes a URI, with each change reported.

May import every layer below. Invariant: standard output has one line for each text, in the order of
the input: blank for one that is no URI now, or is ambiguous, which is reported on standard error.
"""

from __future__ import annotations

import sys

import click

from ..cleaning import REPAIRS, NotCleaned
from ..cleaning import clean as clean_text
from ..percent.errors import known
from ..report import Report
from ..text.drawing import short
from ._answers import Answer, answer, refuse_options
from ._group import examples
from ._options import choice, flag, format_option, value

_SHOWN = 60  # code points of a text or of a change
_RULES = ("URI", "URI-reference", "absolute-URI", "relative-ref")
"""Those that have components (RFC 3986 section 3)."""

_REPAIRS = "\n\n\b\nRepairs:\n" + "\n".join(f"  {n:8} {words}" for n, words in REPAIRS.items())


@click.command(
    short_help="Turn user input into URIs.",
    epilog=examples(
        ("uriproof clean 'http://example.com/a b'", "encode illegal characters"),
        ("uriproof clean www.example.com", "correct an obvious mistake"),
        ("uriproof clean --repair scheme www.example.com", "only a missing scheme"),
        ("uriproof clean - < urls.txt", "one on each line"),
    )
    + _REPAIRS,
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT... | -")
@choice("-r --rule", _RULES, "Production that the results must match.", default=_RULES[0])
@value(
    "repairs -p --repair NAME",
    "Correct only these mistakes: a name from the list below, or the code of a mistake.",
    multiple=True,
)
@flag("--no-repair", "Correct no mistake; only apply fixes.")
@value("--encoding TEXT", "Encoding of non-ASCII characters.", default="utf-8")
@flag("-v --verbose", "Also report encoded characters.")
@format_option
def command(
    *,
    texts: tuple[str, ...],
    rule: str,
    repairs: tuple[str, ...],
    no_repair: bool,
    encoding: str,
    verbose: bool,
    form: str,
) -> int:
    """Turn each TEXT into a URI; - is each line of standard input.

    Percent-encodes the characters that URIs cannot contain. A text with a known mistake becomes
    the URI that was meant, if there is only one; the mistake is reported on standard error.

    \b
    Exit code: 0  every text is a URI now
               1  at least one text is not, or may be one of several URIs
               2  invalid usage, or something could not be read
    """
    repair = not no_repair if not repairs else () if no_repair else repairs

    def work(text: str) -> Answer:
        found = clean_text(text, rule, repair=repair, encoding=encoding, report=True)
        if found.result is None:
            raise NotCleaned(found)
        if form == "text":
            sys.stdout.flush()
            lines = [found.reason] if found.reason else _fixes(found.report) if verbose else []
            if lines:
                subject = short(found.report.masked().text, _SHOWN)
                click.echo("\n".join(f"{subject}: {line}" for line in lines), err=True)
        return found.to_dict(), found.result

    refuse_options(lambda: clean_text("a:", repair=repair, encoding=known(encoding)))
    return answer(texts, work, form, aligned=True)


def _fixes(report: Report) -> list[str]:
    """What was encoded, in words, without the characters of a password."""
    return [
        f'{one.start}-{one.end} {one.component}: "{short(one.found, _SHOWN)}" was encoded'
        for one in report.masked().violations
    ]
