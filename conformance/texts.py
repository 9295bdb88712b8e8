"""The texts that every parser is asked about: the suite, and what is made and met beyond it.

Owns the pool of texts; reads the suite, imports the grammar's automata and, if they are beside the
checkout, the files of shared data. Invariant: the same rule, seed and files give the same texts in
the same order, none twice, and none that a language without lone surrogates cannot have.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from uriproof.grammar import registry
from uriproof.grammar.machine.automaton import DEAD, Automaton
from uriproof.grammar.machine.sample import neighbors

from . import suite

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"

# Beyond a character from each class of the grammar: what parsers are known to treat in a way of
# their own, from the one class of characters that no URI has.
OUTSIDERS = (" ", "\n", "\t", "\0", "\\", "\u00e9", "\U0001f600")
SPECIAL = "http"  # a scheme for which parsers have rules of their own
MET = "URLs met"
LONGEST = 1000
"""Code points: what a longer text shows is about limits, not about the grammar."""
SLOW_MOST = 1400
SLOW_LONGEST = 200


@dataclass(frozen=True)
class Sizes:
    """How many texts to make; ``every`` third move of the automaton, say."""

    every: int
    neighbors: int
    walks: int
    short: int
    met: int


FULL = Sizes(every=1, neighbors=1, walks=1500, short=2, met=3000)
QUICK = Sizes(every=8, neighbors=1, walks=50, short=1, met=10)

Pool = dict[str, list[str]]


def gather(rule: str, seed: int, sizes: Sizes = FULL) -> Pool:
    """The texts by the source that they come from. Cost: seconds for ``FULL``."""
    automaton = registry.load("rfc3986").automaton(rule)
    moves = [text for text, _ in suite.transitions(rule)][:: sizes.every]
    sources: dict[str, Iterable[str]] = {
        **{name: [c["text"] for c in cases] for name, cases in suite.topics().items()},
        "transitions": moves,
        "special scheme": _special(moves),
        "near misses": _near(moves, automaton, _random("near", seed), sizes.neighbors),
        "walks": _walks(automaton, _random("walks", seed), sizes.walks),
        "short strings": _short(automaton, sizes.short),
        "attack strings": _attacks(),
        MET: _met(_random("met", seed), sizes.met),
    }
    seen: set[str] = set()
    pool: Pool = {}
    for name, texts in sources.items():
        kept = [t for t in dict.fromkeys(texts) if t not in seen and _can_be_asked(t)]
        seen.update(kept)
        pool[name] = kept
    return pool


def _can_be_asked(text: str) -> bool:
    return len(text) <= LONGEST and not any("\ud800" <= char <= "\udfff" for char in text)


def fewer(pool: Pool, most: int, seed: int) -> Pool:
    """For a slow tool: at most so many texts, as many from each source as can be, none long."""
    pool = {name: [t for t in some if len(t) <= SLOW_LONGEST] for name, some in pool.items()}
    chosen: Pool = {}
    left = most
    for done, (name, texts) in enumerate(sorted(pool.items(), key=lambda item: len(item[1]))):
        share = left // (len(pool) - done)
        some = texts if len(texts) <= share else _random(name, seed).sample(texts, share)
        chosen[name] = some
        left -= len(some)
    return {name: chosen[name] for name in pool}


def _random(name: str, seed: int) -> Random:
    """Each source has its own, so that more of one does not change another."""
    return Random(f"{name} {seed}")  # noqa: S311 -- no secret


def _special(texts: Iterable[str]) -> Iterator[str]:
    """The texts that start with a letter and a colon, with a well-known scheme instead."""
    return (SPECIAL + text[1:] for text in texts if text[:1].isalpha() and text[1:2] == ":")


def _near(moves: list[str], automaton: Automaton, random: Random, count: int) -> Iterator[str]:
    for text in [*moves, *list(_special(moves))[::4]]:
        yield from neighbors(text, automaton, random, count)


def _walks(automaton: Automaton, random: Random, count: int) -> Iterator[str]:
    """Random walks, which the rule accepts, each followed by the walk with a few edits."""
    distance = automaton.distances()
    alphabet = automaton.alphabet
    characters = [*OUTSIDERS, *(alphabet.sample(c) for c in range(alphabet.size))]
    for _ in range(count):
        state, text = 0, ""
        steps = random.randint(2, 24)
        while steps > 0 or distance[state]:
            moves = [
                (c, t)
                for c, t in enumerate(automaton.rows[state])
                if t != DEAD and (steps > 0 or distance[t] < distance[state])
            ]
            if not moves:
                break
            class_, state = random.choice(moves)
            low, high = random.choice(alphabet.ranges(class_))
            text += chr(random.randint(low, high))
            steps -= 1
        yield text
        for _ in range(random.randint(1, 3)):
            at = random.randint(0, len(text))
            text = text[:at] + random.choice(characters) + text[at + random.randint(0, 1) :]
        yield text


def _short(automaton: Automaton, most: int) -> Iterator[str]:
    """Every string up to a length, over a character from each class that the rule tells apart."""
    columns = {
        tuple(row[class_] for row in automaton.rows): automaton.alphabet.sample(class_)
        for class_ in reversed(range(automaton.alphabet.size))
    }
    characters = [*sorted(columns.values()), *OUTSIDERS]
    starts = ("", "A:", "A://") if automaton.rows[0][automaton.alphabet.of("/")] == DEAD else ("",)
    for start, length in itertools.product(starts, range(most + 1)):
        for tail in itertools.product(characters, repeat=length):
            yield start + "".join(tail)


def _attacks() -> Iterator[str]:
    path = DATA / "attack-strings.json"
    if path.exists():
        yield from (entry["text"] for entry in json.loads(path.read_text("utf-8")))


def _met(random: Random, count: int) -> Iterator[str]:
    path = DATA / "urls-48k.txt"
    if path.exists():
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
        yield from random.sample([line for line in lines if line], count)
