"""``uriproof clean``: what a person typed becomes a URI, with each change reported.

May import every layer below. Invariant: standard output has one line for each text, in the order of
the input: blank for one that is no URI now, or is ambiguous, which is reported on standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

import click

from ..percent.clean import REPAIRS, RULES, WARNINGS, Cleaning, NotCleaned
from ..percent.clean import clean as clean_text
from ..percent.errors import known
from ..text.drawing import short
from ._answers import Answer, answer, refuse_options
from ._group import examples
from ._output import format_option

_SHOWN = 60  # code points of a change


_LISTS = ("Repairs", REPAIRS), ("Warnings", WARNINGS)


def _list(title: str, names: Mapping[str, str]) -> str:
    """A list at the end of the help."""
    return f"\n\n\b\n{title}:\n" + "\n".join(f"  {n:17} {words}" for n, words in names.items())


@click.command(
    short_help="Turn user input into URIs.",
    epilog=examples(
        ("uriproof clean 'http://example.com/a b'", "encode illegal characters"),
        ("uriproof clean -a ' http://example.com'", "also repair likely mistakes"),
        ("uriproof clean - < urls.txt", "one on each line"),
    )
    + "".join(_list(title, names) for title, names in _LISTS),
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT... | -")
@click.option(
    "-r",
    "--rule",
    type=click.Choice(RULES),
    default=RULES[0],
    show_default=True,
    help="Production that the results must match.",
)
@click.option("-a", "--repair-all", is_flag=True, help="Make all repairs listed below.")
@click.option(
    "-p",
    "--repair",
    "repairs",
    multiple=True,
    metavar="NAME",
    type=click.Choice(list(REPAIRS)),
    help="Make this repair (listed below).",
)
@click.option("--allow-all", is_flag=True, help="Accept all ambiguous texts as they were read.")
@click.option(
    "--allow",
    "allowed",
    multiple=True,
    metavar="CODE",
    type=click.Choice(list(WARNINGS)),
    help="Accept texts with this warning (listed below) as they were read.",
)
@click.option(
    "--encoding", default="utf-8", show_default=True, help="Encoding of non-ASCII characters."
)
@click.option("-v", "--verbose", is_flag=True, help="Also report encoded characters.")
@format_option
def command(
    *,
    texts: tuple[str, ...],
    rule: str,
    repair_all: bool,
    repairs: tuple[str, ...],
    allow_all: bool,
    allowed: tuple[str, ...],
    encoding: str,
    verbose: bool,
    form: str,
) -> int:
    """Turn each TEXT into a URI; - is each line of standard input.

    By default, only percent-encodes the characters that are not allowed in URIs. Repairs,
    ambiguities and violations are reported on standard error.

    \b
    Exit code: 0  every text is now a URI, and none is ambiguous
               1  at least one text is not a URI, or has a warning that is not allowed
               2  invalid usage, or something could not be read
    """
    taken = frozenset(WARNINGS if allow_all else allowed)

    def work(text: str) -> Answer:
        found = clean_text(text, rule, repair=repair_all or repairs, encoding=encoding, report=True)
        left = tuple(warning for warning in found.warnings if warning.code not in taken)
        if form == "text":
            sys.stdout.flush()
            lines = _changes(found, verbose)
            lines += [
                f"allowed: {w.start}-{w.end} {w.code}: {w.message}"
                for w in found.warnings
                if w not in left
            ]
            for line in lines:
                click.echo(f"  {line}", err=True)
        if left or not found.ok:
            raise NotCleaned(found, left)
        return found.to_dict(), found.result

    refuse_options(lambda: known(encoding))
    return answer(texts, work, form, aligned=True)


def _changes(found: Cleaning, verbose: bool) -> list[str]:
    """The changes of one text, in words; those of a host are always reported."""
    return [
        f"{c.name} {c.start}-{c.end}: {_quoted(c.found)} became {_quoted(c.replacement)}"
        for c in found.changes
        if verbose or c.name != "encode" or c.component == "host"
    ]


def _quoted(text: str) -> str:
    return f'"{short(text, _SHOWN)}"' if text else "nothing"
