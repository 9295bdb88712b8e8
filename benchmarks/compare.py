"""The comparison: every contender on a valid URI, invalid ones and lines of real input.

Owns what the table measures; imports the contenders, the texts and the clock. Invariant: the
seconds of a cell are for one URI.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from .contenders import Contender
from .texts import FAULTS, INVALID, VALID, read_lines
from .timing import Job, medians

SINGLE = {"valid": VALID, "invalid": INVALID, "four faults": FAULTS}
COLUMNS = (*SINGLE, "lines")
SLOW_SECONDS = 0.001  # a tool that takes longer for one URI reads a tenth of the lines


@dataclass(frozen=True)
class Comparison:
    """Seconds for one URI by contender and column, and what there is to say beside them."""

    seconds: dict[tuple[Contender, str], float]
    wrong: set[tuple[Contender, str]]  # wrong verdict on a single URI
    shortened: set[Contender]  # read a tenth of the lines only

    def of(self, tool: str, verb: str, column: str) -> float | None:
        """Seconds of one cell, or None where it was not measured."""
        cells = (
            s for (c, k), s in self.seconds.items() if (c.tool, c.verb, k) == (tool, verb, column)
        )
        return next(cells, None)


def _each(call: Callable[[str], object], lines: list[str]) -> Job:
    def run() -> None:
        for line in lines:
            call(line)

    return run


def _one(call: Callable[[str], object], text: str) -> Job:
    return lambda: call(text)


def compare(contenders: list[Contender]) -> Comparison:
    """Measure all contenders side by side. Cost: some tens of seconds, most for slow tools."""
    lines = read_lines()
    jobs: dict[tuple[Contender, str], Job] = {}
    size: dict[tuple[Contender, str], int] = {}
    wrong: set[tuple[Contender, str]] = set()
    shortened: set[Contender] = set()
    for contender in contenders:
        for column, text in SINGLE.items():
            key = contender, column
            jobs[key], size[key] = _one(contender.call, text), 1
            if bool(contender.call(text)) is not (column == "valid"):
                wrong.add(key)
        if lines is None:
            continue
        start = perf_counter()
        contender.call(VALID)
        few = perf_counter() - start > SLOW_SECONDS
        if few:
            shortened.add(contender)
        chosen = lines[::10] if few else lines
        key = contender, "lines"
        jobs[key], size[key] = _each(contender.call, chosen), len(chosen)
    found = medians(jobs)
    return Comparison({k: s / size[k] for k, s in found.items()}, wrong, shortened)
