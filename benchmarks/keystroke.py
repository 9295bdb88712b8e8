"""What a keystroke costs on the page: the walk of a rule's tables over the whole text, in Node.

Owns the texts, usual and hostile ones; imports what the page runs. Invariant: what is measured is
all that the instant layer does for a key: verdict, components, each character, first violation.
"""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from .goals import Goal

HERE = Path(__file__).parent
PAGE = HERE.parent / "src" / "uriproof" / "teach" / "page"
RULES = ("URI", "URI-reference")
SIZES = {200: 16.0, 10_000: 100.0, 100_000: None}
"""Code points of a text, and the most milliseconds that it may take."""
ROUNDS = 9
HTTP = "http://"
# What is repeated after what.
SHAPES = {
    "a path": (f"{HTTP}example.com/", "a/b-c%20d;e=1/"),
    "a query with brackets": (f"{HTTP}example.com/?", "a=1&b=[2]&"),
    "three kinds of violations": (f"{HTTP}exa mple.com:8o/", "a b[c]%zz<é>/"),
    "spaces": ("", " "),
    "percent signs": (f"{HTTP}a/", "%"),
    "colons": ("", "a:"),
    "an address": (f"{HTTP}[", "::1"),
    "lone surrogates": (f"{HTTP}a/", "\ud800"),
    "astral, each but once": (f"{HTTP}a/", ""),
}


@dataclass(frozen=True)
class Keystrokes:
    """Milliseconds, by rule: to read the tables, and by shape and size; and bytes."""

    prepare: dict[str, float]
    walks: dict[tuple[str, str, int], float]
    tables: dict[str, int]
    scripts: int

    def worst(self, size: int) -> float | None:
        return max((ms for (_, _, n), ms in self.walks.items() if n == size), default=None)


def measure() -> Keystrokes:
    """Each rule in a process of its own. Cost: half a minute. Nothing where there is no Node."""
    scripts = [PAGE / "walk.js", *(PAGE / "walk").glob("*.js")]
    found = Keystrokes({}, {}, {}, sum(file.stat().st_size for file in scripts))
    node = shutil.which("node")
    for rule in RULES:
        if node is None:
            break
        tables = (PAGE / "tables" / "rfc3986" / f"{rule}.json").read_text("utf-8")
        texts = {f"{n} {shape}": _text(shape, n) for n in SIZES for shape in SHAPES}
        given = json.dumps({"tables": tables, "texts": texts, "rounds": ROUNDS})
        done = subprocess.run(  # noqa: S603 -- a script of its own
            [node, str(HERE / "keystroke.mjs")],
            input=given,
            capture_output=True,
            text=True,
            check=True,
        )
        answer = json.loads(done.stdout)
        found.prepare[rule] = answer["prepare"]
        found.tables[rule] = len(tables.encode())
        for name, milliseconds in answer["texts"].items():
            size, _, shape = name.partition(" ")
            found.walks[rule, shape, int(size)] = milliseconds
    return found


def _text(shape: str, size: int) -> str:
    before, unit = SHAPES[shape]
    if not unit:
        return before + "".join(chr(0x10000 + n) for n in range(size - len(before)))
    return (before + unit * (size // len(unit) + 1))[:size]


def show(console: Console, found: Keystrokes) -> None:
    """A row a shape, a column a rule and size."""
    if not found.walks:
        console.print("Not installed, so not measured: node")
        return
    table = Table(title="A keystroke on the page: milliseconds of the processor, in Node")
    table.add_column("text")
    for rule in RULES:
        for size in SIZES:
            table.add_column(f"{rule}, {size:,}", justify="right")
    for shape in SHAPES:
        cells = [f"{found.walks[r, shape, n]:,.1f}" for r in RULES for n in SIZES]
        table.add_row(shape, *cells)
    console.print(table)
    for rule in RULES:
        size, once = found.tables[rule], found.prepare[rule]
        console.print(f"tables of {rule}: {size:,} bytes, read in {once:.0f} ms, once")
    console.print(f"scripts that walk them: {found.scripts:,} bytes")


def goals(found: Keystrokes) -> list[Goal]:
    """The worst shape decides."""
    return [
        Goal(f"a keystroke, {size:,} characters, worst text", found.worst(size), most, False, "ms")
        for size, most in SIZES.items()
        if most is not None
    ]
