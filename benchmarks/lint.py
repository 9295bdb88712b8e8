"""Linting whole trees: the whole process, beside other linters that read every file.

Owns the measured processes; imports rich and the goals. Invariant: every tool reads the same
folders from the same place, writes its findings to nowhere, keeps no cache, and ran once before it
is measured, so that all read from memory.

The folders are the standard library and the installed packages of this Python, or those that the
environment variable URIPROOF_LINT_TREES names, divided as PATH is. ruff reads the Python files of
them alone, and does more with those; it is what people compare with.
"""

import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

from rich.console import Console
from rich.table import Table

from .goals import Goal

SRC = Path(__file__).parent.parent / "src"
ROUNDS = 3
SLOW_SECONDS = 15.0  # a tool that takes this long is measured once
MOST_MEGABYTES = 200.0
LEAST_SPEED = 100.0  # megabytes in a second
_LOOKS = 0.01  # seconds between two looks at the memory
_MEGABYTE = 1e6

_ISOLATED = ("--isolated", "--no-gitignore", "--no-cache", "--exit-zero", "--format", "concise")


@dataclass(frozen=True)
class Linted:
    """Files and bytes that are text, and per tool seconds and bytes of memory at most.

    ``processor`` are the seconds that processors were busy, which other work does not change.
    """

    files: int
    size: int
    seconds: dict[str, float]
    processor: dict[str, float]
    memory: dict[str, int]
    missing: list[str]


def trees() -> list[str]:
    """The folders to read; none lies in another."""
    given = os.environ.get("URIPROOF_LINT_TREES", "").split(os.pathsep)
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders = sorted({os.path.realpath(path) for path in ([g for g in given if g] or paths)})
    return [
        one
        for one in folders
        if not any(one != other and one.startswith(other + os.sep) for other in folders)
    ]


def _commands(folders: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """What is run, by tool, and the tools that are not installed."""
    ours = [sys.executable, "-m", "uriproof", "lint", *_ISOLATED, "--quiet"]
    found = {"uriproof": [*ours, *folders], "uriproof -j 1": [*ours, "-j", "1", *folders]}
    others = {
        # It passes over site-packages unless it is told not to.
        "ruff": [
            *("check", "--isolated", "--no-cache", "--no-respect-gitignore", "--exit-zero"),
            *("--config", "exclude=[]"),
        ],
        "typos": ["--isolated", "--no-ignore", "--hidden", "--format", "brief"],
        "codespell": ["--quiet-level", "3"],
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
    return {**os.environ, "PYTHONPATH": str(SRC)}


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


def measure() -> Linted:
    """The median seconds of each tool. Cost: a minute or so, most of it codespell's."""
    folders = trees()
    commands, missing = _commands(folders)
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
    return Linted(files, size, seconds, processor, memory, missing)


def show(console: Console, found: Linted) -> None:
    """The table: a tool a row."""
    title = f"Linting {found.files:,} text files, {found.size / _MEGABYTE:,.0f} MB; whole process"
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


def goals(found: Linted) -> list[Goal]:
    """Faster than ruff and typos, 100 MB in a second, in less than 200 MB of memory."""
    ours = found.seconds["uriproof"]
    against = [
        Goal(
            f"lint of the installed Python against {tool}",
            found.seconds[tool] / ours if tool in found.seconds else None,
            1.0,
            True,
            "times as fast",
        )
        for tool in ("ruff", "typos")
    ]
    speed = found.size / _MEGABYTE / ours
    memory = found.memory.get("uriproof")
    return [
        *against,
        Goal("lint of the installed Python", speed, LEAST_SPEED, True, "MB/s"),
        Goal(
            "its memory, all processes",
            memory / _MEGABYTE if memory else None,
            MOST_MEGABYTES,
            False,
            "MB",
        ),
    ]
