"""Many texts: ``are_valid`` beside a loop that calls ``is_valid``.

Owns that comparison; imports uriproof and the timing. Invariant: every job gives the same answers
about the same lines, checked before anything is measured.
"""

import uriproof

from .texts import VALID, read_lines
from .timing import Job, medians

INVALID_EVERY = 100


def lines() -> list[str]:
    """The lines of real input, or, where the list is absent, made ones of which few are wrong."""
    found = read_lines()
    if found is not None:
        return found
    return [VALID + (" " if n % INVALID_EVERY == 0 else str(n)) for n in range(1000)]


def measure() -> dict[str, float]:
    """Seconds for one text, by job."""
    texts = lines()
    jobs: dict[str, Job] = {
        "[is_valid(t) for t in texts]": lambda: [uriproof.is_valid(t) for t in texts],
        "list(are_valid(texts))": lambda: list(uriproof.are_valid(texts)),
    }
    loop, each = jobs.values()
    if loop() != each():
        raise SystemExit("are_valid and the loop differ")
    return {words: seconds / len(texts) for words, seconds in medians(jobs, rounds=15).items()}
