"""The tables: what was measured, for people to read.

Owns the drawing; imports rich and what was measured. Invariant: it adds nothing to the figures
but ratios of two of them.
"""

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .compare import COLUMNS, SINGLE, Comparison
from .contenders import Contender
from .goals import Goal
from .growth import PARSE_SIZES, SIZES, Growth
from .texts import LINES, VALID


def _micro(seconds: float) -> str:
    return f"{seconds * 1e6:,.2f}" if seconds < 1e-4 else f"{seconds * 1e6:,.0f}"  # noqa: PLR2004


def show_comparison(
    console: Console, contenders: list[Contender], missing: list[str], found: Comparison
) -> None:
    """The table: microseconds for one URI, and how many times that is of uriproof.is_valid."""
    table = Table(title="Microseconds for one URI, by its characters; x is times uriproof is_valid")
    table.add_column("tool")
    table.add_column("call")
    singles = [f"{column}, {len(text)}" for column, text in SINGLE.items()]
    for head in (*singles, f"{LINES:,} lines"):
        table.add_column(head, justify="right")
        table.add_column("x", justify="right", style="dim")
    for contender in contenders:
        cells: list[str] = []
        for column in COLUMNS:
            seconds = found.seconds.get((contender, column))
            base = found.of("uriproof", "is_valid", column)
            if seconds is None or base is None:
                cells += ["-", ""]
                continue
            mark = " !" if (contender, column) in found.wrong else ""
            mark += " *" if column == "lines" and contender in found.shortened else ""
            cells += [_micro(seconds) + mark, f"{seconds / base:,.1f}"]
        table.add_row(contender.tool, contender.verb, *cells)
    console.print(table)
    if found.wrong:
        console.print("! wrong verdict by RFC 3986")
    if found.shortened:
        console.print(f"* {LINES // 10} of the lines only")
    if not any(column == "lines" for _, column in found.seconds):
        console.print("The list of URLs is not beside the checkout: that column is left out")
    if missing:
        console.print("Not installed, so not measured: " + ", ".join(missing))


def show_shapes(console: Console, found: dict[str, tuple[float, float]]) -> None:
    """Microseconds for one match, by the shape of the expression."""
    table = Table(title="Microseconds for one match of the expression alone")
    table.add_column("shape")
    table.add_column(f"valid, {len(VALID)} characters", justify="right")
    table.add_column("one of the lines", justify="right")
    for words, seconds in found.items():
        table.add_row(words, *map(_micro, seconds))
    console.print(table)


def show_batch(console: Console, found: dict[str, float]) -> None:
    """Microseconds for one of many texts."""
    table = Table(title="Microseconds for one of many texts")
    table.add_column("job")
    table.add_column("µs", justify="right")
    for words, seconds in found.items():
        table.add_row(escape(words), _micro(seconds))
    console.print(table)


def show_start(console: Console, found: dict[str, float]) -> None:
    """Milliseconds of the processor, a process each."""
    table = Table(title="Milliseconds of the processor, whole process")
    table.add_column("process")
    table.add_column("ms", justify="right")
    words = {
        "python": "bare Python",
        "import": "import uriproof",
        "help": "uriproof --help",
        "check": "uriproof check URI",
        "lint": "uriproof lint FILE",
    }
    for key, seconds in found.items():
        table.add_row(words[key], f"{seconds * 1000:,.1f}")
    console.print(table)


Verbs = tuple[tuple[str, tuple[int, ...]], ...]
OF_STRINGS: Verbs = (("is_valid", SIZES), ("check", SIZES), ("parse", PARSE_SIZES))
OF_FILES: Verbs = (("lint", SIZES),)
OF_NESTED: Verbs = (("check", PARSE_SIZES), ("parse", PARSE_SIZES))
HEADS = {OF_STRINGS: "hostile string", OF_FILES: "hostile file", OF_NESTED: "not regular"}


def show_growth(console: Console, found: Iterable[Growth], verbs: Verbs = OF_STRINGS) -> None:
    """Milliseconds by family, verb and size, and the worst ratio per tenfold of each verb."""
    table = Table(
        title="Milliseconds at 10 kB, 100 kB, 1 MB; x is the worst time ratio per tenfold"
    )
    table.add_column(HEADS[verbs])
    table.add_column("ok")
    for verb, sizes in verbs:
        for size in sizes:
            table.add_column(f"{verb}\n{size:,}", justify="right")
        table.add_column("x", justify="right", style="dim")
    for growth in found:
        cells = [growth.family.name, "yes" if growth.valid else "no"]
        for verb, sizes in verbs:
            for size in sizes:
                seconds = growth.seconds.get((verb, size))
                cells.append("-" if seconds is None else f"{seconds * 1000:,.2f}")
            ratios = growth.ratios(verb)
            cells.append(f"{max(ratios):.1f}" if ratios else "")
        table.add_row(*cells)
    console.print(table)
    console.print("- left out: the size before it took long, and grew as the ratio says")


def show_goals(console: Console, goals: list[Goal]) -> None:
    """Each goal, what was measured, and whether it was reached."""
    table = Table(title="Figures to reach")
    for head in ("goal", "asked", "measured", ""):
        table.add_column(head, justify="left" if head in ("goal", "") else "right")
    for goal in goals:
        sign = ">=" if goal.at_least else "<="
        measured = "-" if goal.measured is None else f"{goal.measured:,.1f}"
        table.add_row(goal.words, f"{sign} {goal.limit:g} {goal.unit}", measured, goal.verdict)
    console.print(table)
