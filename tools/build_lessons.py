"""The lessons' answers for the page, so that a lesson works before Python has loaded.

Owns which requests are answered beforehand: all those of a lesson's view, except for texts that a
person writes. Imports ``handle``. Invariant: the stored answers are those of ``handle``.

    python tools/build_lessons.py FOLDER     a part of tools/build_site.py
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from uriproof.teach import handle


def requests(name: str) -> Iterator[dict[str, Any]]:
    """The requests of the view of a lesson, in their order."""
    yield {"do": "lesson", "lesson": name}
    yield {"do": "worksheet", "lesson": name}
    for exercise in handle({"do": "lesson", "lesson": name})["lesson"]["exercises"]:
        for step in exercise["steps"]:
            if step["step"] == "run":
                if exercise["text"] is not None:
                    yield _answer(name, exercise, "run")
                continue
            show = _answer(name, exercise, step["step"], show=True)
            for value in values(exercise, step):
                yield _answer(name, exercise, step["step"], value=value)
            yield show
            if step["kind"] == "define":  # what is shown is judged like what is written
                right = handle(show)["answer"]["value"].strip("\n")
                yield _answer(name, exercise, step["step"], value=right)
            if step["step"] == "light":
                yield from _lit(name, exercise, step)


def _answer(name: str, exercise: dict[str, Any], step: str, **more: Any) -> dict[str, Any]:
    return {"do": "answer", "lesson": name, "exercise": exercise["id"], "step": step, **more}


def values(exercise: dict[str, Any], step: dict[str, Any]) -> Iterator[Any]:
    """All values that can be chosen; none if a text is written."""
    for option in step.get("options", ()):
        yield option["value"]
    if step["kind"] == "position":
        yield from range(len(exercise["text"]) + 1)
    for production in step.get("among", ()):
        yield production["name"]
    for box in step.get("boxes", ()):
        yield box["value"]


def _lit(name: str, exercise: dict[str, Any], step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The diagram, and the path of the text through it."""
    right = handle(_answer(name, exercise, "light", show=True))["answer"]
    rule = step["diagram"] or right["value"]
    yield {"do": "railroad", "rule": rule, "grammar": step["grammar"]}
    given = {key: exercise[key] for key in ("text", "rule", "grammar")}
    yield {"do": "explain", **given}


def write(folder: Path) -> None:
    """A file for each lesson, and one for the list of them."""
    folder.mkdir(parents=True)
    for name, asked in listed().items():
        pairs = [(one, _answered(one)) for one in asked]
        lines = ",\n".join(json.dumps(pair, separators=(",", ":")) for pair in pairs)
        (folder / f"{name}.json").write_text(f'{{"answers":[\n{lines}\n]}}\n', "utf-8")


def listed() -> dict[str, list[dict[str, Any]]]:
    """The requests of each file, each of them once."""
    every = {"do": "lessons"}
    made = {"all": [every]}
    for lesson in handle(every)["lessons"]:
        asked = {json.dumps(one, sort_keys=True): one for one in requests(lesson["id"])}
        made[lesson["id"]] = list(asked.values())
    return made


def _answered(request: dict[str, Any]) -> dict[str, Any]:
    answer = handle(request)
    if "error" in answer:
        raise ValueError(f"{request} has no answer: {answer['error']['message']}")
    return answer


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    write(parser.parse_args(arguments).folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
