"""Target: ``uriproof lint --fix`` and ``--unsafe-fixes``, on a file of any format.

Owns its inputs: one byte chooses the name of the file and, by its highest bit, unsafe fixes; the
rest is the file. Uses the command line. Invariant: a fix leaves nothing behind but the file, makes
no new diagnostic but advice, and changes nothing when run once more; ``--diff`` writes nothing.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path

from uriproof.advice import GROUPS, rules

from .files import NAMES, lint
from .harness import hold, run

_UNSAFE = 0x80
NOTES = {"bad-encoding"}  # what is no error
ADVICE = {code for group in GROUPS for code in rules(group)}  # on what the text is now
_UNREAD = 2  # the exit code for a file that could not be read


def one_input(data: bytes) -> None:
    """Fix a file twice, and compare what is reported before and after."""
    chosen, content = (data[:1] or b"\0")[0], data[1:]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / NAMES[(chosen & ~_UNSAFE) % len(NAMES)]
        file.write_bytes(content)
        fix = ("--fix", "--unsafe-fixes") if chosen & _UNSAFE else ("--fix",)
        before = _codes(file)
        lint(*fix, "--diff", str(file))
        hold(file.read_bytes() == content, "--diff changes nothing")
        code, _ = lint(*fix, str(file))
        hold(code in (0, 1, 2), "the exit code is 0, 1 or 2")
        once = file.read_bytes()
        hold([p.name for p in Path(folder).iterdir()] == [file.name], "only the file is there")
        after = _codes(file)
        hold((after - before).keys() <= ADVICE, "no diagnostic is new, advice aside")
        hold(once != content or before == after, "what is fixed is in the file")
        hold(code in (1, _UNREAD) or not after.keys() - NOTES, "exit code 0 when all is fixed")
        lint(*fix, str(file))
        hold(file.read_bytes() == once, "a second run changes nothing")


def _codes(file: Path) -> Counter[str]:
    _, out = lint("--format", "json", str(file))
    return Counter(each["code"] for each in json.loads(out))


if __name__ == "__main__":
    run(one_input)
