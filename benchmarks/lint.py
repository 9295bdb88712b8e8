"""Linting whole trees: the whole process, beside other linters that read every file.

Owns the measured processes; imports rich, the trees and the goals. Invariant: every tool reads the
same folders from the same place, writes its findings to nowhere, and ran once before it is
measured, so that all read from memory; none keeps a cache, but where a row says so.

ruff reads the Python files alone, and does more with those; it is what people compare with.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

from rich.console import Console
from rich.table import Table

from . import trees
from .goals import Goal

SRC = Path(__file__).parent.parent / "src"
ROUNDS = 3
SLOW_SECONDS = 15.0  # a tool that takes this long is measured once
MOST_MEGABYTES = 200.0
MOST_PROCESSOR = 2.0  # times the work of typos, which looks at every word of the same files
MOST_JOBS = 1.1  # times that with -j 1: what two measurements of the same differ by
LEAST_WARM = 5.0  # times as fast with a cache of all files
SMALL = 100  # files of a small tree
LEAST_SPEED = 100.0  # megabytes in a second
_LOOKS = 0.01  # seconds between two looks at the memory
_MEGABYTE = 1e6

_ISOLATED = ("--isolated", "--no-gitignore", "--exit-zero", "--format", "concise", "--quiet")


@dataclass(frozen=True)
class Linted:
    """Of a kind of tree: files and bytes that are text, and per tool seconds and most memory.

    ``processor`` are the seconds that processors were busy, which other work does not change.
    """

    kind: str
    files: int
    size: int
    seconds: dict[str, float]
    processor: dict[str, float]
    memory: dict[str, int]
    missing: list[str]


def _commands(folders: list[str], cache: str) -> tuple[dict[str, list[str]], list[str]]:
    """What is run, by tool, and the tools that are not installed."""
    ours = [sys.executable, "-m", "uriproof", "lint", *_ISOLATED]
    cold = [*ours, "--no-cache"]
    found = {
        "uriproof": [*cold, *folders],
        "uriproof -j 1": [*cold, "-j", "1", *folders],
        "uriproof, warm cache": [*ours, "--cache-dir", cache, *folders],
    }
    others = {
        # It excludes site-packages by default.
        "ruff": [
            *("check", "--isolated", "--no-cache", "--no-respect-gitignore", "--exit-zero"),
            *("--config", "exclude=[]"),
        ],
        "typos": ["--isolated", "--no-ignore", "--hidden", "--format", "brief"],
    }
    missing: list[str] = []
    for tool, options in others.items():
        program = shutil.which(tool) or shutil.which(tool, path=str(Path(sys.executable).parent))
        if program is None:
            missing.append(tool)
        else:
            found[tool] = [program, *options, *folders]
    return found, missing


def _environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(SRC)}


def _start(command: list[str]) -> "subprocess.Popen[bytes]":
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=nowhere, stderr=nowhere, env=_environment())  # noqa: S603 - our own command


def _seconds(command: list[str]) -> tuple[float, float]:
    """Seconds that went by, and seconds of processors, of the process and all that it started."""
    start = perf_counter()
    process = _start(command)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return perf_counter() - start, used.ru_utime + used.ru_stime


def _memory(command: list[str]) -> int:
    """The most memory that the process and its children had at once, shared pages counted once.

    0 where the system does not tell. A run of its own, for the looking takes time.
    """
    most = 0
    with _start(command) as process:
        while process.poll() is None:
            most = max(most, _now(process.pid))
            sleep(_LOOKS)
    return most


def _now(pid: int) -> int:
    """Bytes of a process and of all that it started, by what Linux tells of each."""
    total = 0
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
        for task in Path(f"/proc/{pid}/task").iterdir():
            children = (task / "children").read_text(encoding="ascii").split()
            total += sum(_now(int(child)) for child in children)
    except OSError:
        return total
    return total


def _text(folders: list[str]) -> tuple[int, int]:
    """How many files are text, and their bytes: no NUL within the first 8,192."""
    files = size = 0
    for folder in folders:
        for path, _, names in os.walk(folder):
            for name in names:
                try:
                    with open(os.path.join(path, name), "rb") as file:
                        if b"\0" not in file.read(8192):
                            files += 1
                            size += os.fstat(file.fileno()).st_size
                except OSError:
                    continue
    return files, size


def run(console: Console) -> list[Goal]:
    """Measure, show each table when it is there, and judge."""
    found: list[Linted] = []
    for tree in measure():
        show(console, tree)
        found.append(tree)
    return goals(found)


def measure() -> Iterator[Linted]:
    """The median seconds of each tool, of each kind of tree and of a small one. Cost: minutes."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        for kind in trees.KINDS:
            yield _measured(kind, trees.folders(kind, scratch), scratch)
        yield _measured("small tree", [_small(scratch)], scratch)


def _small(scratch: Path) -> str:
    """A folder with the first pages of a handbook."""
    folder = scratch / "small"
    folder.mkdir()
    pages = (p for one in trees.folders("handbook", folder) for p in Path(one).rglob("*.md"))
    few = scratch / "few"
    few.mkdir()
    for number, page in enumerate(sorted(pages)[:SMALL]):
        shutil.copyfile(page, few / f"{number}.md")
    return str(few)


def _measured(kind: str, folders: list[str], scratch: Path) -> Linted:
    commands, missing = _commands(folders, str(scratch / f"cache of {kind}"))
    files, size = _text(folders)
    taken = {tool: [_seconds(command)] for tool, command in commands.items()}
    slow = {tool for tool, [(seconds, _)] in taken.items() if seconds > SLOW_SECONDS}
    for _ in range(ROUNDS):
        for tool in commands.keys() - slow:
            taken[tool].append(_seconds(commands[tool]))
    memory = {tool: _memory(commands[tool]) for tool in commands.keys() - slow}
    rounds = {tool: runs if tool in slow else runs[1:] for tool, runs in taken.items()}
    seconds = {tool: statistics.median(run[0] for run in runs) for tool, runs in rounds.items()}
    processor = {tool: statistics.median(run[1] for run in runs) for tool, runs in rounds.items()}
    return Linted(kind, files, size, seconds, processor, memory, missing)


def show(console: Console, found: Linted) -> None:
    """The table: a tool a row."""
    size = f"{found.files:,} text files, {found.size / _MEGABYTE:,.0f} MB"
    title = f"Linting {found.kind}: {size}; whole process"
    table = Table(title=title)
    table.add_column("tool")
    for head in ("seconds", "MB/s", "times uriproof", "of processors", "MB of memory"):
        table.add_column(head, justify="right")
    for tool, seconds in found.seconds.items():
        memory = found.memory.get(tool)
        table.add_row(
            tool,
            f"{seconds:.2f}",
            f"{found.size / _MEGABYTE / seconds:,.0f}",
            f"{seconds / found.seconds['uriproof']:.1f}",
            f"{found.processor[tool]:.2f}",
            f"{memory / _MEGABYTE:,.0f}" if memory else "-",
        )
    console.print(table)
    if found.missing:
        console.print("Not installed, so not measured: " + ", ".join(found.missing))


def goals(found: list[Linted]) -> list[Goal]:
    """At most twice the work of typos, a cache of use, and no price for several processes.

    Work is what the processors were busy for: other programs change the seconds that go by.
    """
    *kinds, small = found
    reached: list[Goal] = []
    for one in kinds:
        ours, typos = one.processor["uriproof"], one.processor.get("typos")
        warm = ours / one.processor["uriproof, warm cache"]
        reached += [
            Goal(
                f"lint of {one.kind}, work to that of typos",
                ours / typos if typos else None,
                MOST_PROCESSOR,
                False,
                "times",
            ),
            Goal(f"lint of {one.kind}, warm cache", warm, LEAST_WARM, True, "times as fast"),
        ]
    packages = kinds[0]
    ours = packages.seconds["uriproof"]
    memory = packages.memory.get("uriproof", 0) / _MEGABYTE or None
    ruff = packages.seconds["ruff"] / ours if "ruff" in packages.seconds else None
    return [
        *reached,
        Goal("lint of packages against ruff", ruff, 1.0, True, "times as fast"),
        Goal("lint of packages", packages.size / _MEGABYTE / ours, LEAST_SPEED, True, "MB/s"),
        Goal("its memory, all processes", memory, MOST_MEGABYTES, False, "MB"),
        *(
            Goal(
                f"lint of {one.kind}, work to that with -j 1",
                one.processor["uriproof"] / one.processor["uriproof -j 1"],
                MOST_JOBS,
                False,
                "times",
            )
            for one in (*kinds, small)
        ),
    ]
