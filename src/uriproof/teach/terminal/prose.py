"""The texts of lessons as words in colours: blocks, pieces, and what an answer is answered.

Owns those words. Imports Textual's texts and the visible form of texts. Invariant: a text of a
lesson is never read as markup; code has backquotes and right and wrong have signs, so that no
colour is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...text.drawing import rows, short
from .paint import joined, safe
from .rails import Piece

if TYPE_CHECKING:
    from textual.content import Content

__all__ = ["blocks", "exhibit", "feedback", "pieces", "report"]

_MUTED = "$text-muted"
_MOST = 400  # code points of a text that an exercise shows


def pieces(found: Iterable[dict[str, Any]] | None) -> list[Piece]:
    """A sentence: code and emphasis in their styles."""
    made: list[Piece] = []
    for one in found or ():
        words = safe(one["text"])
        if one.get("code"):
            made.append((f"`{words}`", "bold $c-host"))
        else:
            made.append((words, "italic" if one.get("emphasis") else ""))
    return made


def blocks(found: Iterable[dict[str, Any]] | None) -> list[Piece]:
    """Paragraphs and lists, a blank line between them."""
    made: list[Piece] = []
    for block in found or ():
        if made:
            made.append(("\n\n", ""))
        if block["kind"] == "list":
            for i, item in enumerate(block["items"]):
                made += [("\n" * bool(i) + "• ", _MUTED), *pieces(item)]
        else:
            made += pieces(block["pieces"])
    return made


def exhibit(exercise: dict[str, Any]) -> list[Piece]:
    """What an exercise is about: its texts and what they are validated against."""
    made: list[Piece] = []
    shown = (("text", "text"), ("other", "and"), ("base", "base"), ("query", "query grammar"))
    for key, label in shown:
        value = exercise.get(key)
        if value is None:
            continue
        words = short(value, _MOST) if value else "(empty)"
        made += (f"{label:<6}", _MUTED), (f"{words}\n", "bold")
    if made:
        grammar = exercise.get("grammar") or "rfc3986"
        made += (
            ("rule  ", _MUTED),
            (safe(exercise.get("rule") or "URI"), ""),
            (f"  {grammar}", _MUTED),
        )
    return made


def report(found: dict[str, Any], width: int) -> list[Piece]:
    """A report, short: the text with carets, the verdict, what is wrong, and the components."""
    made: list[Piece] = []
    spans = [(v["start"], v["end"]) for v in found["violations"]]
    for line, marks, extra in rows(found["text"], spans, width):
        made.append((f"{line or '(empty)'}\n", "bold"))
        made += [(f"{row}\n", "bold $blame") for row in (marks, extra) if row]
    if found["ok"]:
        made.append((f"✔ valid {found['rule']}\n", "bold $ok"))
    else:
        made.append((f"✘ not a valid {found['rule']}\n", "bold $blame"))
    for v in found["violations"][:6]:
        made += ("  ", ""), (f"{v['start']}  ", "bold"), (safe(v["message"]) + "\n", "")
    for name, c in found["components"].items():
        words = short(c["text"], 60) if c["text"] else "(empty)"
        made += (f"  {name:<9} ", _MUTED), (f"{words}  ", ""), (f"{c['production']}\n", _MUTED)
    return made


def feedback(answer: dict[str, Any], shown: bool, width: int) -> Content:
    """What comes of an answer: right or not, why, the misconception and its counterexample."""
    made: list[Piece] = []
    if answer.get("reports"):
        for one in answer["reports"]:
            made += report(one, width)
    elif shown:
        made.append(("The answer: ", "bold"))
    elif answer["right"]:
        made.append(("✔ Right. ", "bold $ok"))
    else:
        made.append(("✘ No. ", "bold $blame"))
    for one in answer.get("results") or ():
        made += [(f"{one['name']}: ", _MUTED), *pieces(one["words"])]
        if one.get("text"):
            made.append((f"  {short(one['text'], _MOST)}", "bold"))
        made.append(("\n", ""))
    if answer.get("answer") and (shown or answer["right"]):
        made += pieces(answer["answer"]["label"])
    if answer.get("message"):
        made += [(" ", ""), *pieces(answer["message"])]
    for one in answer.get("conditions") or ():
        sign: Piece = ("\n✔ ", "$ok") if one["met"] else ("\n✘ ", "$blame")
        made += [sign, *pieces(one["words"])]
    if answer.get("misconception"):
        made += [("\n\nThe misconception: ", "bold"), *pieces(answer["misconception"])]
    if one := answer.get("counterexample"):
        word = "valid" if one["valid"] else "not valid"
        made += (
            ("\nThe counterexample: ", "bold"),
            (short(one["text"], _MOST) or "the empty text", "bold"),
        )
        made.append((f" is {word}, by the rule {one['rule']}. ", ""))
        made += pieces(one["what"])
    if answer.get("why"):
        made += [
            ("\n\n" if made and not answer.get("reports") else "\n", ""),
            *blocks(answer["why"]),
        ]
    return joined(*made)
