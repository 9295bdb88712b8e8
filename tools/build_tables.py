"""Write the tables that the page walks, from the grammars.

``tools/generate.py`` runs it. It writes ``src/uriproof/teach/page/tables/``, a file for each rule
of RFC 3986.
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
    OUT.mkdir(parents=True, exist_ok=True)
    for file in OUT.glob("*.json"):
        if file not in made:
            file.unlink()
    for file, text in made.items():
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
