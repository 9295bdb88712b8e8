"""The schemas in the package: of the configuration, and of what ``--format json`` writes."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from commands import Run

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")

ROOT = Path(__file__).parent.parent
SCHEMAS = {
    entry.name: json.loads(entry.read_text("utf-8"))
    for entry in files("uriproof").joinpath("schemas").iterdir()
    if entry.name.endswith(".json")
}
LINES = '<a href="http://u:p@h/a b?[x]"> <a href="http://h|i/"> http://h/a&amp;b <!-- \udcff -->\n'


def strict(schema: Any) -> Any:
    """The schema where no key is allowed that it does not have."""
    if isinstance(schema, dict):
        made = {name: strict(value) for name, value in schema.items()}
        if "properties" in schema:
            made["additionalProperties"] = False
        return made
    return [strict(one) for one in schema] if isinstance(schema, list) else schema


def violations(name: str, value: Any) -> list[str]:
    schema = strict(SCHEMAS[name])
    return [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(value)]


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for value in schema.values():
            yield from objects(value)


def test_each_is_a_schema_with_its_own_address() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for schema in SCHEMAS.values():
        jsonschema.Draft202012Validator.check_schema(schema)
        base, _, path = schema["$id"].partition("/raw/main/")
        assert base == project["urls"]["Source"]
        assert json.loads((ROOT / path).read_text("utf-8")) == schema


def test_every_key_is_explained() -> None:
    for name, schema in SCHEMAS.items():
        for each in objects(schema):
            for key, entry in each["properties"].items():
                assert {"description", "enum", "properties"} & set(entry), (name, key)


def test_what_lint_writes(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.html").write_bytes(LINES.encode("utf-8", "surrogateescape"))
    found = json.loads(run("lint", "--isolated", "--select", "all", "--format", "json").out)
    assert {one["severity"] for one in found} == {"error", "warning", "note"}
    assert any(one["edits"] for one in found)
    assert violations("lint.schema.json", found) == []
    assert violations("lint.schema.json", [{**found[0], "more": 1}]) != []
    lines = run("lint", "--isolated", "--select", "all", "--format", "jsonl").lines
    assert [json.loads(line) for line in lines[: len(found)]] == found


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ('extend = "a.toml"\nfail-on = "note"\n[severity]\npath = "note"\n', True),
        ('[format.html]\nprofile = "iri"\n', True),
        ('fail-on = "fatal"\n', False),
        ('[severity]\npath = "info"\n', False),
        ("selekt = []\n", False),
    ],
)
def test_configurations(text: str, valid: bool) -> None:
    assert (violations("uriproof.schema.json", tomllib.loads(text)) == []) is valid
