"""Writes what tells of the configuration of ``uriproof lint``, out of its classes.

    python tools/build_schema.py           write the schema and tables in docs/lint
    python tools/build_schema.py --check   fails if they are not what the classes say

May import the package. Invariant: what it writes is a function of the code, to the byte; of
docs/lint/configuration.md, it writes only what stands between its marks.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from uriproof.lint.config.read import type_name
from uriproof.lint.config.schema import schema
from uriproof.lint.config.settings import FormatOptions, Settings, keys

DOCS = Path(__file__).parent.parent / "docs" / "lint"
SCHEMA = DOCS / "uriproof.schema.json"
PAGE = DOCS / "configuration.md"


def schema_text() -> str:
    """What the schema's file holds."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def page_text() -> str:
    """What the page holds, with the tables as they are to be."""
    text = PAGE.read_text("utf-8")
    for mark, kind in (("keys", Settings), ("format keys", FormatOptions)):
        start = text.index(f"<!-- {mark} -->")
        end = text.index("<!-- end -->", start)
        text = f"{text[:start]}<!-- {mark} -->\n{_table(kind)}\n{text[end:]}"
    return text


def _table(kind: type[Settings | FormatOptions]) -> str:
    """The keys of a table as a table of Markdown."""
    rows = ["| Key | Value | Default | Meaning |", "| --- | --- | --- | --- |"]
    for name, known in keys(kind).items():
        shown = ""
        if known.default not in ((), None, {}):
            value = list(known.default) if isinstance(known.default, tuple) else known.default
            shown = f"`{json.dumps(value)}`"
        what = type_name(known.type).replace("|", "\\|")
        rows.append(f"| `{name}` | {what} | {shown} | {known.about.doc} |")
    return "\n".join(rows)


def main(arguments: list[str]) -> int:
    """Write them, or with ``--check`` compare them. Returns the exit code."""
    made = {SCHEMA: schema_text(), PAGE: page_text()}
    stale = [f for f, text in made.items() if not f.is_file() or f.read_text("utf-8") != text]
    if arguments == ["--check"]:
        for file in stale:
            print(f"{file.name} is not up to date: python tools/build_schema.py", file=sys.stderr)  # noqa: T201
        return int(bool(stale))
    for file in stale:
        file.write_text(made[file], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
