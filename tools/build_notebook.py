"""Run the example notebook, and write what its cells put out into it.

``python tools/build_notebook.py`` writes ``examples/lesson.ipynb``; ``--check`` writes nothing and
fails if its outputs would change. Needs nbclient and ipykernel (dependency group "test").
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOK = ROOT / "examples" / "lesson.ipynb"


def executed(text: str) -> str:
    """The text of a notebook with the outputs of its cells. Errors: those of the cells."""
    nbformat: Any = import_module("nbformat")
    nbclient: Any = import_module("nbclient")
    book = nbformat.reads(text, as_version=4)
    paths = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    client = nbclient.NotebookClient(book, timeout=120, record_timing=False, kernel_name="python3")
    client.execute(env=environment, cwd=str(NOTEBOOK.parent))
    return written(book)


def written(book: Any) -> str:
    """A notebook as it is committed: without the traces of its run."""
    book = json.loads(json.dumps(book))
    book["metadata"] = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(book["cells"], 1):
        cell["id"] = f"cell-{number}"
        cell["metadata"] = {}
        for field in ("source", "text"):
            if isinstance(cell.get(field), str):
                cell[field] = cell[field].splitlines(keepends=True)
        for output in cell.get("outputs", ()):
            for data in (output.get("data", {}), output):
                for kind, value in data.items():
                    if kind in ("text", "text/html", "text/plain") and isinstance(value, str):
                        data[kind] = value.splitlines(keepends=True)
    return json.dumps(book, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main() -> int:
    before = NOTEBOOK.read_text(encoding="utf-8")
    after = executed(before)
    if "--check" in sys.argv[1:]:
        if after != before:
            sys.stderr.write(f"{NOTEBOOK.name} is out of date: run tools/build_notebook.py\n")
        return int(after != before)
    NOTEBOOK.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
