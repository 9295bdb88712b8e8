"""Write the tables that the page walks, from the grammars.

``python tools/build_tables.py`` writes ``src/uriproof/teach/page/tables/``, a file for each rule of
RFC 3986; ``--check`` writes nothing and fails if a file would change.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from uriproof.grammar import registry  # noqa: E402
from uriproof.teach.tables import tables  # noqa: E402 -- after the path is set

GRAMMAR = "rfc3986"
OUT = ROOT / "src" / "uriproof" / "teach" / "page" / "tables" / GRAMMAR


def files() -> dict[Path, str]:
    """The files to be, each on one line but for its automata, a state a line."""
    compiled = registry.load(GRAMMAR)
    note = {"generated": "by tools/build_tables.py from grammars/rfc3986.abnf; do not edit"}
    return {
        OUT / f"{rule}.json": json.dumps(note | tables(compiled, rule), separators=(",", ":"))
        + "\n"
        for rule in compiled.model.rules
    }


def main() -> int:
    made = files()
    there = {file: file.read_text(encoding="utf-8") for file in OUT.glob("*.json")}
    if "--check" in sys.argv[1:]:
        if there != made:
            names = sorted(f.name for f in made.keys() | there if made.get(f) != there.get(f))
            sys.stderr.write(f"out of date: {', '.join(names)}: run tools/build_tables.py\n")
        return int(there != made)
    OUT.mkdir(parents=True, exist_ok=True)
    for file in there.keys() - made.keys():
        file.unlink()
    for file, text in made.items():
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
