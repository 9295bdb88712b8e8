"""Writes the descriptions of the configuration and formats of ``uriproof lint`` from the code.

Writes the schema and the tables in docs/lint; ``tools/generate.py`` runs it. May import the
package. Invariant: its output is a function of the code, to the byte; in
docs/lint/configuration.md and formats.md, it writes only between its marks.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

from uriproof.lint.config.settings import FormatOptions, Settings, keys, schema
from uriproof.lint.find import finders
from uriproof.text.tables import type_name

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs" / "lint"
SCHEMA = DOCS / "uriproof.schema.json"
PACKAGED = ROOT / "src" / "uriproof" / "schemas" / "uriproof.schema.json"
PAGE = DOCS / "configuration.md"
FORMATS = DOCS / "formats.md"


def schema_text() -> str:
    """The contents of the schema's file, in the docs and in the package."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    address = f"{data['project']['urls']['Source']}/raw/main/{SCHEMA.relative_to(ROOT).as_posix()}"
    made = schema()
    made = {"$schema": made.pop("$schema"), "$id": address, **made}
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def page_text() -> str:
    """The contents of the page, with up-to-date tables."""
    text = PAGE.read_text("utf-8")
    for mark, kind in (("keys", Settings), ("format keys", FormatOptions)):
        text = _with(text, mark, _table(kind))
    return text


def formats_text() -> str:
    """The contents of the page of formats, with an up-to-date table of profiles."""
    rows = ["| Format | URLs | Profile | Source |", "| --- | --- | --- | --- |"]
    for name, finder in finders().items():
        for number, one in enumerate(finder.PROFILES):
            shown = name if not number else ""
            rows.append(f"| {shown} | {one.of} | {one.kind} | {one.source} |")
    return _with(FORMATS.read_text("utf-8"), "profiles", "\n".join(rows))


def _with(text: str, mark: str, table: str) -> str:
    """The text with a table behind a mark."""
    start = text.index(f"<!-- {mark} -->")
    end = text.index("<!-- end -->", start)
    return f"{text[:start]}<!-- {mark} -->\n{table}\n{text[end:]}"


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


def main() -> int:
    """Write them. Returns the exit code."""
    schema_json = schema_text()
    made = {SCHEMA: schema_json, PACKAGED: schema_json, PAGE: page_text(), FORMATS: formats_text()}
    for file, text in made.items():
        file.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
