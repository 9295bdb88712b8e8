"""``python -m benchmarks.differential``: asks every tool, and shows where each departs.

Owns the order of the run; imports the other modules here. Invariant: exit code 0 whatever the
tools say, for that is what is looked for; 1 if uriproof and its own automaton differ; 2 for a
wrong call.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from time import perf_counter

from rich.console import Console

from . import show, texts
from .judge import Disagreement, Truth, Witness, judge
from .peers import NAMES, Peer, load

WIDTH = 150
SHRUNK, SLOW_SHRUNK, QUICK_SHRUNK = 1000, 40, 8
QUICK_SLOW = 60


def compare(found: Iterable[Peer], seed: int, quick: bool = False) -> list[show.Row]:
    """Each peer asked about the texts of its rule. Errors: Disagreement."""
    truths: dict[str, Truth] = {}
    pools: dict[str, texts.Pool] = {}
    rows: list[show.Row] = []
    for peer in found:
        rule = peer.rule
        if rule not in truths:
            truths[rule] = Truth(rule)
            pools[rule] = texts.gather(rule, seed, texts.QUICK if quick else texts.FULL)
        pool = pools[rule]
        if peer.ascii_only:
            pool = {name: [t for t in some if t.isascii()] for name, some in pool.items()}
        if peer.slow:
            pool = texts.fewer(pool, QUICK_SLOW if quick else texts.SLOW_MOST, seed)
        result = judge(
            Witness(peer.call, peer.refusals),
            truths[rule],
            chain.from_iterable(pool.values()),
            (QUICK_SHRUNK if quick else SLOW_SHRUNK) if peer.slow else SHRUNK,
            peer.ascii_only,
        )
        met = pool[texts.MET]
        rows.append(show.Row(peer, result, len(met), len(result.wrong.intersection(met))))
    return rows


def main(arguments: list[str]) -> int:
    """Compare, and print or write the tables. Cost: a minute or two; seconds with --quick."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.differential")
    parser.add_argument("--quick", action="store_true", help="a few seconds, with far fewer texts")
    parser.add_argument("--seed", type=int, default=3986, help="makes other texts (default: 3986)")
    parser.add_argument("--peer", action="append", choices=NAMES, help="this one; may be repeated")
    parser.add_argument(
        "--markdown",
        type=Path,
        metavar="FILE",
        help=f"write the tables into FILE, between {show.BEGIN} and {show.END}",
    )
    parser.add_argument(
        "--readme", type=Path, metavar="FILE", help="the same for the summary of familiar tools"
    )
    options = parser.parse_args(arguments)
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    began = perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the peers say about themselves
            found, missing = load(options.peer or NAMES)
            rows = compare(found, options.seed, options.quick)
    except Disagreement as error:
        console.print(str(error), markup=False)
        return 1
    made = list(show.sheets(rows))
    if options.markdown is not None:
        show.write(options.markdown, show.to_markdown(made))
    else:
        show.to_console(console, made)
    if options.readme is not None:
        show.write(options.readme, show.to_markdown([show.summary(rows)]))
    console.print(f"seed {options.seed}; is_valid and the automaton agree on every text")
    if missing:
        console.print("Not installed, so not asked: " + ", ".join(missing))
    if not texts.DATA.exists():
        console.print("The shared data is not beside the checkout: no URLs met, no attack strings")
    console.print(f"{perf_counter() - began:.0f} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
