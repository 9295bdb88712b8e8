"""``uriproof clean``: what a person typed becomes a URI, with each step told.

May import every layer below. Invariant: standard output has one line for each text that became a
URI, in the order of the input; all else is told on standard error.
"""

from __future__ import annotations

import sys

import click

from ..drawing import visible
from ..percent.clean import cleaning
from ..percent.cleaning import ADVANCED, RULES, Cleaning, NotCleaned
from ._answers import Answer, answer, format_option

_SHOWN = 60  # code points of a change


@click.command(epilog="\b\nSteps:\n" + "\n".join(f"  {k:14} {v}" for k, v in ADVANCED.items()))
@click.argument("texts", nargs=-1, required=True, metavar="TEXT... | -")
@click.option(
    "-r",
    "--rule",
    type=click.Choice(RULES),
    default=RULES[0],
    show_default=True,
    help="What the texts shall become.",
)
@click.option("-a", "--advanced", is_flag=True, help="Take all the steps below as well.")
@click.option(
    "-s",
    "--step",
    "chosen",
    multiple=True,
    metavar="STEP",
    type=click.Choice(list(ADVANCED)),
    help="Take one of the steps below as well.",
)
@click.option("-v", "--verbose", is_flag=True, help="Also tell what was encoded.")
@format_option
def command(
    *,
    texts: tuple[str, ...],
    rule: str,
    advanced: bool,
    chosen: tuple[str, ...],
    verbose: bool,
    form: str,
) -> int:
    """Make a URI of each TEXT; - is each line of standard input.

    Encodes what no URI holds, and nothing else. What is done beyond that, what cannot be known,
    and what stands in the way is told on standard error.

    \b
    Exit code: 0  every text is a URI now
               1  something stands in the way of some text
               2  the call is wrong, or something could not be read
    """

    def work(text: str) -> Answer:
        found = cleaning(text, rule, advanced=advanced or chosen)
        if not found.ok:
            raise NotCleaned(found)
        if form == "text":
            sys.stdout.flush()
            for line in _told(found, verbose):
                click.echo(f"  {line}", err=True)
        return found.to_dict(), found.result

    return answer(texts, work, form)


def _told(found: Cleaning, verbose: bool) -> list[str]:
    """The steps and doubts of one text, in words."""
    lines = [
        f"{s.name} {s.start}-{s.end}: {_quoted(s.found)} became {_quoted(s.replacement)}"
        for s in found.steps
        if verbose or s.name != "encode"
    ]
    return lines + [f"doubt {d.start}-{d.end}: {d.message} ({d.code})" for d in found.doubts]


def _quoted(text: str) -> str:
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
    return f'"{visible(shown)}"' if text else "nothing"
