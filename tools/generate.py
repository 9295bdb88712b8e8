"""Write every generated file that is committed, and prove the compiled grammars.

``python tools/generate.py`` writes changed files, the same bytes on every machine, and says how
long each builder took; CI runs it, and then ``git diff --exit-code``. ``python tools/generate.py
key-value rfc3986`` compiles and proves only these grammars, and writes their pages: seconds, for
editing one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
STAGES: tuple[tuple[str, ...], ...] = (
    ("grammars",),
    ("pages", "tables", "coders", "codes", "conformance", "schema", "names", "errata"),
    ("examples",),
)
"""The builders. Those of one stage read nothing that another of it writes, and run in parallel: all
others start from the compiled grammars, and the examples print the results of all of them. Other
``build_*.py`` need a network, a browser or data that is not here, and are run by hand."""
OF_A_GRAMMAR = ("grammars", "pages")
"""The builders that take names of grammars."""


def run(name: str, arguments: Sequence[str]) -> int:
    """Run one builder; its output is shown as a whole when it has ended."""
    command = [sys.executable, str(TOOLS / f"build_{name}.py"), *arguments]
    begin = time.monotonic()
    done = subprocess.run(  # noqa: S603 -- our own tools
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    state = "failed" if done.returncode else "done"
    print(f"{done.stdout}build_{name}: {state} in {time.monotonic() - begin:.1f} s", flush=True)  # noqa: T201
    return done.returncode


def main(names: Sequence[str]) -> int:
    """Write everything, or the files of these grammars. Returns the exit code."""
    for stage in STAGES:
        chosen = [builder for builder in stage if not names or builder in OF_A_GRAMMAR]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            codes = list(pool.map(lambda builder: run(builder, names), chosen))
        if any(codes):
            return 1  # the next stages would start from wrong files
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
