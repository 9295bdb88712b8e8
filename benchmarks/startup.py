"""The start: what processes cost, from ``import uriproof`` to a cold run of the linter.

Owns the measured processes; imports the standard library. Invariant: every process is this
interpreter with this environment, each runs once before it is measured, and what is measured is
the time of the processor, not of the clock on the wall.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from .texts import VALID

ROUNDS = 15
SRC = Path(__file__).parent.parent / "src"

# The console script does the same: imports main from uriproof.cli and calls it.
_RUN = "from uriproof.cli import main; main()"
_FILE = "# Title\n\nSee <http://example.com/> and [a link](http://example.com/a%20b).\n"


def _process(code: str, *arguments: str) -> Callable[[], float]:
    """A function that runs the process once, and returns its seconds."""
    path = f"import sys; sys.path.insert(0, {str(SRC)!r}); "
    # Bytecode is kept, as it is of an installed package.
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def run() -> float:
        before = getrusage(RUSAGE_CHILDREN)
        command = [sys.executable, "-c", path + code, *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=kept)  # noqa: S603
        after = getrusage(RUSAGE_CHILDREN)  # to the microsecond; os.times counts ticks
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    return run


def measure() -> dict[str, float]:
    """Median seconds of a bare Python, and of processes that import the package or run it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.md")
        file.write_text(_FILE, encoding="utf-8")
        jobs = {
            "python": _process("pass"),
            "import": _process("import uriproof"),
            "help": _process(_RUN, "--help"),
            "check": _process(_RUN, "check", VALID),
            "lint": _process(_RUN, "lint", "--isolated", "--no-cache", str(file)),
        }
        for job in jobs.values():
            job()
        found: dict[str, list[float]] = {name: [] for name in jobs}
        for _ in range(ROUNDS):
            for name, job in jobs.items():
                found[name].append(job())
    return {name: statistics.median(seconds) for name, seconds in found.items()}
