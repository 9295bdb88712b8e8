"""Grammars: what it costs to build, to load, to compare and to sample them.

Owns these figures; imports the package, and measures what happens once in processes of its own.
Invariant: a process is this interpreter with this environment, and what a bare one costs is taken
off; each job is checked to have done what it is timed for.
"""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

from rich.console import Console
from rich.table import Table

from uriproof import Grammar
from uriproof.grammar import registry
from uriproof.grammar.machine.sample import samples
from uriproof.workbench.compare import compare
from uriproof.workbench.read_pattern import read_pattern
from uriproof.workbench.samples import misses

from .goals import Goal
from .texts import VALID
from .timing import medians

ROOT = Path(__file__).parent.parent
SRC = ROOT / "src"
SAMPLES = 100_000
MISSES = 10_000
PROCESSES = 11
ROUNDS = 3
LOADED = ("rfc3986", "rfc3987")
HOSTNAME = r"(?i)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.|$)){1,127}"

# What getrusage tells is no less than what the process was forked from had, so the kernel is asked.
_PEAK = (
    "import pathlib; lines = pathlib.Path('/proc/self/status').read_text().splitlines();"
    " print(next(line.split()[1] for line in lines if line.startswith('VmHWM')))"
)
# The memory of a process that has blamed, parsed and judged once: all that a grammar can load.
_USED = (
    "from uriproof import Grammar; g = Grammar.load({name!r}); g.is_valid({text!r});"
    " g.check({text!r} + ' '); g.automaton(); "
)
_JUDGED = "from uriproof import Grammar; assert Grammar.load({name!r}).is_valid({text!r})"


@dataclass(frozen=True)
class Figures:
    """Seconds by job, megabytes by grammar; no memory where the system does not tell."""

    seconds: dict[str, float]
    megabytes: dict[str, float]


def measure() -> Figures:
    """Measure all. Cost: half a minute."""
    seconds: dict[str, float] = {}
    judged = {name: _code(_JUDGED, name) for name in LOADED}
    ran = medians(
        {"": lambda: _run("pass"), **{n: _job(code) for n, code in judged.items()}},
        PROCESSES,
        perf_counter,
    )
    for name in LOADED:
        seconds[f"load {name}, and a first verdict"] = ran[name] - ran[""]
    seconds["build a parser from the ABNF of RFC 3986, and parse"] = _timed(_build)
    seconds["compare RFC 2396's URI-reference with RFC 3986's, both made"] = _timed(_compare)
    seconds["compare every rule that RFC 2396 and RFC 3986 share"] = _timed(_compare_rules)
    seconds["read a host name of 127 labels as a pattern"] = _timed(_read)
    seconds[f"{SAMPLES:,} samples of URI"] = _timed(lambda: _sample(True))
    seconds[f"{SAMPLES:,} samples of URI, each text equally likely"] = _timed(
        lambda: _sample(False)
    )
    seconds[f"{MISSES:,} near misses of URI"] = _timed(_miss)
    return Figures(seconds, _memory())


def _code(code: str, name: str) -> str:
    return code.format(name=name, text=VALID)


def _run(code: str) -> str:
    path = f"import sys; sys.path.insert(0, {str(SRC)!r}); "
    command = [sys.executable, "-c", path + code]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - ours
    return done.stdout


def _job(code: str) -> Callable[[], object]:
    return lambda: _run(code)


def _timed(job: Callable[[], object]) -> float:
    """The median of a few runs, each of which starts from nothing."""
    found: list[float] = []
    for _ in range(ROUNDS):
        registry.load.cache_clear()
        start = perf_counter()
        job()
        found.append(perf_counter() - start)
    return median(found)


def _build() -> None:
    text = (ROOT / "grammars" / "rfc3986.abnf").read_text("utf-8")
    tree = Grammar.from_abnf(text, name="own")["URI"].parse(VALID)
    _hold("".join(map(str, tree.scan_values(lambda _: True))) == VALID)


def _compare() -> None:
    first, second = (registry.load(name).automaton("URI-reference") for name in _VERSIONS)
    _hold(compare(first, second).relation == "overlapping")


_VERSIONS = ("rfc2396", "rfc3986")


def _compare_rules() -> None:
    first, second = (registry.load(name) for name in _VERSIONS)
    shared = [rule for rule in first.model.rules if rule in second.model.rules]
    found = [compare(first.automaton(rule), second.automaton(rule)).equal for rule in shared]
    _hold(any(found) and not all(found))


def _read() -> None:
    automaton = read_pattern(HOSTNAME)
    _hold(automaton.accepts("example.org") and not automaton.accepts("a-.org"))


def _sample(readable: bool) -> None:
    automaton = registry.load("rfc3986").automaton("URI")
    texts = list(islice(samples(automaton, readable=readable), SAMPLES))
    _hold(len(texts) == SAMPLES and all(map(automaton.accepts, texts[::100])))


def _miss() -> None:
    grammar = registry.load("rfc3986")
    found = list(islice(misses(grammar, "URI"), MISSES))
    _hold(not any(grammar.accepts("URI", miss.text) for miss in found[::100]))


def _memory() -> dict[str, float]:
    if not Path("/proc/self/status").exists():  # Linux tells, others do not
        return {}
    bare = _peak("")
    return {name: _peak(_code(_USED, name)) - bare for name in LOADED}


def _peak(code: str) -> float:
    """Megabytes of a process at its largest."""
    return median(int(_run(code + _PEAK)) for _ in range(ROUNDS)) / 1e3


def _hold(right: bool) -> None:
    """End the run where something that is timed is wrong."""
    if not right:
        raise SystemExit("what is timed gives a wrong result")


def show(console: Console, found: Figures) -> None:
    """Milliseconds by job, and megabytes by grammar."""
    table = Table(title="Grammars: milliseconds, and megabytes over a bare Python's")
    table.add_column("job")
    table.add_column("ms", justify="right")
    table.add_column("MB", justify="right")
    for job, seconds in found.seconds.items():
        table.add_row(job, f"{seconds * 1000:,.1f}", "")
    for name, megabytes in found.megabytes.items():
        table.add_row(f"{name}: verdict, report and automaton", "", f"{megabytes:,.1f}")
    console.print(table)


def goals(found: Figures) -> list[Goal]:
    """What each of these may cost."""
    build, compared, drawn = (
        next(s for job, s in found.seconds.items() if job.startswith(start))
        for start in ("build", "compare RFC", f"{SAMPLES:,} samples")
    )
    loads = [found.seconds[f"load {name}, and a first verdict"] for name in LOADED]
    return [
        Goal("build a parser from RFC 3986's ABNF", build, 2.0, False, "s"),
        *(
            Goal(f"load {name}, first verdict", seconds * 1000, 20.0, False, "ms")
            for name, seconds in zip(LOADED, loads, strict=True)
        ),
        Goal("compare RFC 2396 with RFC 3986", compared, 2.0, False, "s"),
        Goal(f"{SAMPLES:,} samples of URI", drawn, 5.0, False, "s"),
        Goal("memory of RFC 3987", found.megabytes.get("rfc3987"), 30.0, False, "MB"),
    ]
