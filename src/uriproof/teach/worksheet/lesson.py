"""A lesson on paper: its productions, its exercises with boxes to tick or to mark, and the key.

Owns what a lesson's sheet has. Imports the pages of a worksheet. Invariant: it shows what the
requests ``lesson``, ``answer`` and ``railroad`` answer; only the key has answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ..lessons import prose
from .page import LINE, OFFSET, Block, cells, choices, papers

Answers: TypeAlias = Mapping[tuple[str, str], Mapping[str, Any]]
"""The answers that were asked for, by the exercise's id and the name of the step."""

Drawings: TypeAlias = Mapping[tuple[str, str], Block]
"""The diagrams, by the production and its grammar."""

_LETTERS = "abc"


def lesson_pages(
    title: str, lesson: Mapping[str, Any], answers: Answers, drawings: Drawings
) -> list[Block]:
    """The sheet and its key, JSON-ready. Cost: O(n).

    The order of an exercise's steps is that of the page. Of "run" there is nothing on paper.
    """
    rules: list[Block] = [["pre", {}, one["abnf"]] for one in lesson["productions"]]
    cited: list[Block] = [["p", {"class": "code"}, lesson["cited"]]] if lesson["cited"] else []
    asked: list[Block] = []
    solved: list[Block] = []
    for exercise in lesson["exercises"]:
        lettered = [*zip(_LETTERS, on_paper(exercise), strict=False)]
        steps = [_step(letter, step, drawings) for letter, step in lettered]
        asked.append(["li", {}, *_head(exercise), *steps])
        keys = (_key(letter, answers[exercise["id"], step["step"]]) for letter, step in lettered)
        solved.append(["li", {}, *(block for key in keys for block in key)])
    return papers(
        (title, f"Key: {title}"),
        [*_prose(lesson["introduction"]), *rules, ["ol", {}, *asked], *cited],
        [["ol", {}, *solved], *_prose(lesson["summary"])],
    )


def on_paper(exercise: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The steps that ask for something."""
    return [step for step in exercise["steps"] if step["step"] != "run"]


def _head(exercise: Mapping[str, Any]) -> Iterator[Block]:
    written = any(step["kind"] == "define" for step in on_paper(exercise))
    read_as: list[Block] = [] if written else [" as ", ["code", {}, exercise["rule"]]]
    yield ["p", {}, ["strong", {}, exercise["title"]], *read_as]
    yield from _prose(exercise["task"])
    first = "First:" if exercise["other"] is not None else ""
    texts = (("Base URI:", "base"), (first, "text"), ("Second:", "other"))
    for name, key in texts:
        if exercise[key] is not None:
            yield from ([["p", {}, name]] if name else [])
            yield cells(exercise[key])


def _step(letter: str, step: Mapping[str, Any], drawings: Drawings) -> Block:
    """A question, and the place for its answer."""
    made: list[Block] = [["p", {"class": "ask"}, f"{letter}) ", *_words(step["question"])]]
    for condition in step.get("conditions", ()):
        made.append(["p", {}, "\u2013 ", *_words(condition)])
    for rule in step.get("given", ()):
        made.append(["pre", {}, rule])
    for name, key in (("To be accepted:", "accepts"), ("To be refused:", "refuses")):
        if texts := step.get(key):
            shown = (block for text in texts for block in (" ", _code(text)))
            made.append(["p", {}, name, *shown])
    if diagram := step.get("diagram"):
        made.append(["p", {}, "Mark it in the diagram of ", ["code", {}, diagram], ":"])
        made.append(["div", {"class": "rails"}, drawings[diagram, step["grammar"]]])
    elif options := [_words(one["label"]) for one in step.get("options", ())]:
        made.append(choices(options))
    elif names := [one["name"] for one in step.get("among", ())]:
        made.append(choices([["code", {}, name]] for name in names))
    else:
        made.append(["p", {"class": "choices"}, OFFSET] if step["kind"] == "position" else LINE)
    return ["div", {"class": "part"}, *made]


def _key(letter: str, answer: Mapping[str, Any]) -> Iterator[Block]:
    yield ["p", {}, f"{letter}) ", ["strong", {}, *_words(answer["answer"]["label"])]]
    yield from _prose(answer["why"])


def _code(text: str) -> Block:
    return ["code", {}, text] if text else ["em", {}, "the empty text"]


def _words(pieces: str | list[prose.Piece]) -> list[Block]:
    if isinstance(pieces, str):
        return [pieces]
    names = (("code", "code"), ("emphasis", "em"))
    found: list[Block] = []
    for one in pieces:
        name = next((name for key, name in names if one[key]), None)
        found.append([name, {}, one["text"]] if name else one["text"])
    return found


def _prose(blocks: list[prose.Block]) -> Iterator[Block]:
    for block in blocks:
        if block["kind"] == "list":
            yield ["ul", {}, *(["li", {}, *_words(item)] for item in block["items"])]
        else:
            yield ["p", {}, *_words(block["pieces"])]
