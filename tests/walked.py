"""The page's walk of tables, in Node, and texts to walk.

Owns how the tests run it. Imports the package. Invariant: what is walked is what the page loads.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from uriproof.grammar.compiled import Compiled
from uriproof.workbench.samples import drawn, misses

HERE = Path(__file__).parent
DATA = HERE.parent.parent / "shared" / "data"
TABLES = HERE.parent / "src" / "uriproof" / "teach" / "page" / "tables" / "rfc3986"
NODE_MISSING = None if shutil.which("node") else "node is not installed (Debian: nodejs)"

STRANGE = "\ud800\udfff\U0001f600é\u212a\u0130\x00\n\x7f\U0010ffff"
EDGES = ":/?#[]@%!$&'()*+,;=-._~ azAZ09<>\"\\^`{|}" + STRANGE


def walked(cases: Sequence[tuple[str, Sequence[str]]]) -> list[list[Any]]:
    """What the page says of texts under rules of RFC 3986, from its own files: in one process."""
    given = [
        {"tables": json.loads((TABLES / f"{rule}.json").read_text("utf-8")), "texts": list(texts)}
        for rule, texts in cases
    ]
    script = str(HERE / "walk_in_node.mjs")
    done = subprocess.run(
        ["node", script], input=json.dumps(given), capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr[-2_000:]
    found: list[list[Any]] = json.loads(done.stdout)
    return found


def texts(grammar: Compiled, rule: str, count: int, seed: int = 0) -> list[str]:
    """Valid texts, near misses, texts with several edits, and texts at random."""
    chance = random.Random(f"{grammar.name} {rule} {seed}")  # noqa: S311 -- the same each time
    quarter = count // 4
    valid = [*islice(drawn(grammar, rule, seed=seed), quarter)]
    missed = [*missing(grammar, rule, quarter, seed)]
    edited = [mutated(chance.choice(valid + missed or [""]), chance) for _ in range(quarter)]
    alphabet = sorted({*"".join(valid), *"".join(missed), *chance.sample(EDGES, 6)}) or ["a"]
    few = chance.sample(alphabet, min(len(alphabet), 7))
    wild = ["".join(chance.choices(few, k=chance.randrange(9))) for _ in range(quarter)]
    return [whole(text) for text in ["", *valid, *missed, *edited, *wild]]


def missing(grammar: Compiled, rule: str, count: int, seed: int) -> Iterator[str]:
    """So many near misses; none for a rule that accepts every text."""
    try:
        yield from (miss.text for miss in islice(misses(grammar, rule, seed=seed), count))
    except ValueError:
        return


def urls() -> Iterator[str]:
    """URLs met in the wild, where the file is beside the checkout."""
    file = DATA / "urls-48k.txt"
    if file.exists():
        yield from file.read_text("utf-8-sig").splitlines()


def attacks() -> list[str]:
    file = DATA / "attack-strings.json"
    return [one["text"] for one in json.loads(file.read_text("utf-8"))] if file.exists() else []


def mutated(text: str, chance: random.Random) -> str:
    """A text after one to four edits: characters put in, taken out, replaced, doubled."""
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.choice((0, 0, 1, 1, 1, 2, 5)))
        new = chance.choice(("", chance.choice(EDGES), chance.choice(EDGES), text[at:end] * 2))
        text = text[:at] + new + text[end:]
    return text


def whole(text: str) -> str:
    """The text, with each pair of surrogates as the one code point that JavaScript reads."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
