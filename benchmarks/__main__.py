"""``python -m benchmarks [SECTION]...``: measures, prints, judges.

Owns the order of the run; imports the other modules here. Invariant: exit code 0 whatever was
measured, for a figure that was missed is a fact about this machine too; 2 for an unknown word.
"""

import sys
from time import perf_counter

from rich.console import Console

from . import (
    api,
    batch,
    compare,
    contenders,
    data,
    goals,
    grammars,
    growth,
    keystroke,
    lint,
    page,
    percent,
    requests,
    shapes,
    show,
    startup,
)

_PARTS = (percent, grammars, api, requests, keystroke, page, data)
PARTS = {part.__name__.rpartition(".")[2]: part for part in _PARTS}
SECTIONS = ("compare", "shapes", "batch", "start", "growth", "lint", *PARTS)
WIDTH = 150


def main(arguments: list[str]) -> int:
    """Run the sections that are named, all of them by default. Cost: three minutes or so."""
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    unknown = [a for a in arguments if a not in SECTIONS]
    if unknown:
        console.print(f"unknown: {' '.join(unknown)}; there are: {' '.join(SECTIONS)}")
        return 2
    chosen = arguments or SECTIONS
    began = perf_counter()
    reached: list[goals.Goal] = []
    if "compare" in chosen:
        tools, missing = contenders.load()
        table = compare.compare(tools)
        show.show_comparison(console, tools, missing, table)
        reached += goals.of_comparison(table)
    if "shapes" in chosen:
        show.show_shapes(console, shapes.measure())
    if "batch" in chosen:
        many = batch.measure()
        show.show_batch(console, many)
        reached += goals.of_batch(many)
    if "start" in chosen:
        processes = startup.measure()
        show.show_start(console, processes)
        reached += goals.of_start(processes)
    if "growth" in chosen:
        families = [growth.measure(family) for family in growth.FAMILIES]
        show.show_growth(console, families)
        files = [growth.measure(family) for family in growth.LINTED]
        show.show_growth(console, files, show.OF_FILES)
        nested = [growth.measure(family) for family in growth.NESTED]
        show.show_growth(console, nested, show.OF_NESTED)
        reached += goals.of_growth([*families, *files])
    if "lint" in chosen:
        reached += lint.run(console)
    for name, part in PARTS.items():
        if name in chosen:
            found = part.measure()
            part.show(console, found)
            reached += part.goals(found)
    if reached:
        show.show_goals(console, reached)
    console.print(f"{perf_counter() - began:.0f} seconds")
    return 0


sys.exit(main(sys.argv[1:]))
