"""Writes the JSON Schema of the configuration of ``uriproof lint``.

    python tools/build_schema.py           docs/uriproof.schema.json, out of the dataclasses
    python tools/build_schema.py --check   fails if it is not what the dataclasses say

May import the package. Invariant: the file is a function of the code, to the byte.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from uriproof.lint.schema import schema

FILE = Path(__file__).parent.parent / "docs" / "uriproof.schema.json"


def text() -> str:
    """What the file holds."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Write it, or with ``--check`` compare it. Returns the exit code."""
    if arguments == ["--check"]:
        if FILE.is_file() and FILE.read_text("utf-8") == text():
            return 0
        print(f"{FILE.name} is not up to date: python tools/build_schema.py", file=sys.stderr)  # noqa: T201
        return 1
    FILE.write_text(text(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
