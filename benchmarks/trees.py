"""Trees to lint: packages of a language, a handbook in Markdown, descriptions of APIs.

Owns which folders are read, and makes them where there are none; imports the standard library.
Invariant: what is made is the same in every run, and of the kinds of lines that such trees have:
it stands in for trees that are fetched, and nothing of those is in the repository.

The environment variables below name folders to read instead, divided as PATH is.
"""

import json
import os
import sysconfig
from pathlib import Path

KINDS = {
    "packages": "URIPROOF_LINT_PACKAGES",
    "handbook": "URIPROOF_LINT_HANDBOOK",
    "API descriptions": "URIPROOF_LINT_DESCRIPTIONS",
}
"""The kinds of trees, and the environment variable that names folders of each."""

DOCS = Path(__file__).parent.parent / "docs"
PAGES, DOCUMENTS, ITEMS = 1_500, 200, 120


def folders(kind: str, scratch: Path) -> list[str]:
    """The folders of a kind; none lies in another. What is made is made below ``scratch``."""
    given = [one for one in os.environ.get(KINDS[kind], "").split(os.pathsep) if one]
    if not given and kind == "packages":
        names = ("stdlib", "platstdlib", "purelib", "platlib")
        given = [sysconfig.get_path(name) for name in names]
    elif not given:
        made = scratch / kind.replace(" ", "-")
        made.mkdir()
        (_handbook if kind == "handbook" else _descriptions)(made)
        given = [str(made)]
    found = sorted({os.path.realpath(path) for path in given})
    return [
        one
        for one in found
        if not any(one != other and one.startswith(other + os.sep) for other in found)
    ]


def _handbook(folder: Path) -> None:
    """Pages of this package's docs, again and again, each with links of its own."""
    texts = [path.read_text("utf-8") for path in sorted(DOCS.rglob("*.md"))]
    for number in range(PAGES):
        links = "\n".join(
            f"- [Page {at}](https://example.com/{number}/{at}?q=a#b), see <http://example.org/{at}>"
            for at in range(40)
        )
        page = f"# Page {number}\n\n{texts[number % len(texts)]}\n\n{links}\n"
        (folder / f"{number}.md").write_text(page, "utf-8")


def _descriptions(folder: Path) -> None:
    """Descriptions by OpenAPI, one half in JSON, the other in YAML."""
    for number in range(DOCUMENTS):
        document = _description(number)
        in_json, in_yaml = folder / f"{number}.json", folder / f"{number}.yaml"
        if number % 2:
            in_json.write_text(json.dumps(document, indent=2), "utf-8")
        else:
            in_yaml.write_text("\n".join(_yaml(document)) + "\n", "utf-8")


def _description(number: int) -> dict[str, object]:
    reference = {"$ref": "#/components/schemas/Item"}
    answer = {
        "description": "See [the guide](https://example.com/guide#items).",
        "content": {"application/json": {"schema": reference}},
    }
    operation = {
        "summary": "Returns the items of a page: those that the user may see.",
        "externalDocs": {"url": "https://example.com/docs"},
        "responses": {"200": answer, "404": answer},
    }
    properties = {
        f"field{at}": {"type": "string", "example": f"text {at}", "description": "Any text"}
        for at in range(ITEMS)
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": f"Service {number}", "version": "1"},
        "servers": {"url": "https://{region}.example.com/v1"},
        "paths": {f"/items/{at}/{{id}}": {"get": operation} for at in range(ITEMS)},
        "components": {"schemas": {"Item": {"type": "object", "properties": properties}}},
    }


def _yaml(value: dict[str, object], indent: str = "") -> list[str]:
    """Mappings of strings as lines of YAML."""
    lines: list[str] = []
    for key, one in value.items():
        if isinstance(one, dict):
            lines += [f"{indent}{json.dumps(key)}:", *_yaml(one, indent + "  ")]
        else:
            lines.append(f"{indent}{json.dumps(key)}: {json.dumps(one)}")
    return lines
