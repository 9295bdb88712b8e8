"""The figures to reach, and whether this run reached them.

Owns the goals; imports what was measured. Invariant: a goal that could not be measured is said to
be so, neither reached nor missed.
"""

from dataclasses import dataclass

from .compare import Comparison
from .growth import MOST_PER_TENFOLD, Growth


@dataclass(frozen=True)
class Goal:
    """What is asked for, in words, and what was measured against its limit."""

    words: str
    measured: float | None
    limit: float
    at_least: bool
    unit: str

    @property
    def verdict(self) -> str:
        if self.measured is None:
            return "not measured"
        over = self.measured >= self.limit
        return "reached" if over is self.at_least or self.measured == self.limit else "missed"


def _times(found: Comparison, ours: tuple[str, str], theirs: tuple[str, str, str]) -> float | None:
    """How many times as long theirs takes as ours, in the same column."""
    verb, column = ours
    mine, other = found.of("uriproof", verb, column), found.of(*theirs[:2], column)
    return other / mine if mine and other else None


def of_comparison(found: Comparison) -> list[Goal]:
    """Goals of the table; each names the column that it is measured on."""
    against = (
        ("is_valid", "valid", "rfc3986-validator", "validate_rfc3986", 3.0),
        *(("is_valid", c, "can_ada", v, 1.3) for v in ("parse", "can_parse") for c in _BOTH),
        ("check", "invalid", "rfc3987-syntax", "is_valid_syntax_iri", 200.0),
        ("parse", "valid", "rfc3987-syntax", "parse", 100.0),
    )
    goals = [
        Goal(
            f"{verb} against {tool}'s {theirs}, {column}",
            _times(found, (verb, column), (tool, theirs, column)),
            limit,
            True,
            "times as fast",
        )
        for verb, column, tool, theirs, limit in against
    ]
    for column, limit in (("valid", 4.0), ("invalid", 15.0), ("four faults", 25.0)):
        times = _times(found, ("is_valid", column), ("uriproof", "check", column))
        goals.append(Goal(f"check against is_valid, {column}", times, limit, False, "times"))
    return goals


_BOTH = ("valid", "lines")


def of_batch(found: dict[str, float]) -> list[Goal]:
    """Goals of the batch verb, against the loop that it replaces."""
    loop, each = found.values()
    return [
        Goal("are_valid against a loop", loop / each, 1.5, True, "times as fast"),
    ]


def of_start(found: dict[str, float]) -> list[Goal]:
    """Goals of the start."""
    most = {"import": 1.7, "help": 20.0, "check": 10.0, "lint": 15.0}
    return [
        Goal(
            f"cold start: {name}, to bare Python",
            found[name] / found["python"],
            times,
            False,
            "times",
        )
        for name, times in most.items()
    ]


def of_growth(found: list[Growth]) -> list[Goal]:
    """The goals of growth: the worst family decides."""
    worst = max(found, key=lambda g: g.worst)
    dearest = max((g for g in found if not g.family.file), key=lambda g: g.micro)
    return [
        Goal(
            f"growth per tenfold, worst: {worst.family.name}",
            worst.worst,
            MOST_PER_TENFOLD,
            False,
            "times",
        ),
        Goal(f"check, a character, worst: {dearest.family.name}", dearest.micro, 5.0, False, "µs"),
    ]
