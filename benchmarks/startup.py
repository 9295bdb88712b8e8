"""The start: what ``import uriproof`` costs over Python itself, and a cold check.

Owns the measured processes; imports the clock. Invariant: every process is this interpreter with
this environment, and each command runs once before it is measured.
"""

import subprocess
import sys
from pathlib import Path
from time import perf_counter

from .texts import VALID
from .timing import Job, medians

ROUNDS = 15
SRC = Path(__file__).parent.parent / "src"

# The console script does the same: imports main from uriproof.cli and calls it.
_CHECK = "from uriproof.cli import main; main()"


def _process(code: str, *arguments: str) -> Job:
    path = f"import sys; sys.path.insert(0, {str(SRC)!r}); "

    def run() -> None:
        command = [sys.executable, "-c", path + code, *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own code

    return run


def measure() -> dict[str, float]:
    """Median seconds of a bare Python, of one that imports the package, and of a whole check."""
    jobs = {
        "python": _process("pass"),
        "import": _process("import uriproof"),
        "check": _process(_CHECK, "check", VALID),
    }
    return medians(jobs, ROUNDS, perf_counter)
