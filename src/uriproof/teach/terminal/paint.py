"""What is known of a text, as words in colours: for every pane of the explanation.

Owns those words. Imports Textual's texts, the railroad diagrams and the visible form of texts.
Invariant: nothing of a text or a grammar is read as markup, and every fact is in words or signs,
never in a colour alone.
"""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from textual.content import Content

from ...text.columns import ELLIPSIS
from ...text.drawing import named, short, visible
from .ask import Seen, Subject
from .rails import Piece, diagram, lit_pieces

__all__ = ["Piece", "advice", "diagnostic", "here", "joined", "production", "safe", "violation"]

_MUTED, _BOLD = "$text-muted", "bold"
_MOST = 60  # code points of a text within a sentence
_MOST_NEXT = 12


def safe(words: object) -> str:
    """Words that may quote a text, and hold an ellipsis of our own, on one line."""
    return ELLIPSIS.join(visible(piece) for piece in str(words or "").split(ELLIPSIS))


def joined(*pieces: Piece) -> Content:
    """Words, each in its style."""
    return Content.assemble(*[(words, style) for words, style in pieces if words])


def _below(words: object, width: int) -> str:
    """A sentence on lines of its own, below what it belongs to."""
    return "".join(
        f"\n  {line}" for line in wrap(safe(words), max(width - 2, 20), break_on_hyphens=False)
    )


def violation(one: dict[str, Any], width: int) -> Content:
    """What is wrong, in words for a beginner and in those of the RFC, and its fix."""
    start, end = one["start"], one["end"]
    where = f"{start}" if end <= start + 1 else f"{start}-{end}"
    production = one["production"]
    component = one["component"]
    names = component if component == production else f"{component} ({production})"
    pieces: list[Piece] = [("✘ ", "$blame"), (f"{where}  ", _BOLD), (safe(names), _BOLD)]
    if one["fix"]:
        word = short(one["fix"]["replacement"], 24)
        pieces += ("  Enter: ", _MUTED), (f"write {word}" if word else "delete it", "$ok")
    if beginner := one.get("beginner"):
        pieces.append((_below(beginner, width), ""))
    pieces.append((_below(one["message"], width), _MUTED if one.get("beginner") else ""))
    if one["hint"]:
        pieces.append((_below(f"Hint: {one['hint']}", width), ""))
    if one["rule"]:
        pieces.append(("\n  " + "\n  ".join(abnf_lines(one["rule"])), "$c-host"))
    if one["section"]:
        pieces.append((f"\n  {safe(one['section'])}", _MUTED))
    return joined(*pieces)


def advice(one: dict[str, Any], width: int) -> Content:
    """What is valid but doubtful."""
    title = safe(one.get("title") or one["code"])
    pieces: list[Piece] = [("! ", "$c-query"), (f"{one['start']}  ", _BOLD), (title, _BOLD)]
    pieces.append((_below(one["message"], width), ""))
    if why := one.get("why"):
        pieces.append((_below(why, width), _MUTED))
    return joined(*pieces)


def diagnostic(one: dict[str, Any], width: int) -> Content:
    """One of a grammar's own text, with line and column."""
    sign: Piece = ("✘ ", "$blame") if one["fault"] else ("! ", "$c-query")
    place = f"line {one['line']}, column {one['column']}  "
    return joined(sign, (place, _BOLD), (_below(one["message"], width), ""))


def here(
    seen: Seen, offset: int, chosen: int | None, following: list[tuple[str, str, str]]
) -> Content:
    """Two lines: the character at the cursor with its productions, and what may come there."""
    text = seen.subject.text
    pieces: list[Piece] = []
    if offset < len(text):
        pieces += (f"{offset} ", _MUTED), (safe(named(text[offset])), _BOLD), ("  ", "")
    else:
        pieces += (f"{offset} ", _MUTED), ("the end", _BOLD), ("  ", "")
    if seen.derivation:
        nodes = seen.derivation["nodes"]
        if offset < seen.derivation["viable"] or not text:
            for i, number in enumerate(seen.rules_at(offset)):
                name = nodes[number]["name"]
                pieces.append((" > " if i else "", _MUTED))
                pieces.append(
                    (f"[{name}]" if number == chosen else name, _BOLD * (number == chosen))
                )
        elif blamed := _blamed(seen, offset):
            pieces += ("✘ ", "$blame"), (safe(" > ".join(blamed["path"])), "")
    elif seen.why:
        pieces.append((safe(seen.why), _MUTED))
    pieces.append(("\n", ""))
    if following:
        pieces.append(("may come here: ", _MUTED))
        first = sorted(following, key=lambda one: one[2] != "taken")
        for i, (word, _, fate) in enumerate(first[:_MOST_NEXT]):
            pieces.append(("  " if i else "", ""))
            pieces.append((safe(word) + "✓" * (fate == "taken"), _BOLD * (fate == "taken")))
        if len(first) > _MOST_NEXT:
            pieces.append((f"  and {len(first) - _MOST_NEXT} more", _MUTED))
    return joined(*pieces)


def _blamed(seen: Seen, offset: int) -> dict[str, Any] | None:
    for one in seen.violations:
        if one["start"] <= offset < max(one["end"], one["start"] + 1):
            return one
    return None


def production(
    subject: Subject,
    name: str,
    width: int,
    *,
    lit: list[str] | None = None,
    text: str | None = None,
    ambiguity: dict[str, Any] | None = None,
) -> Content:
    """A production: its words, ABNF and railroad diagram with the path that a text takes."""
    about = subject.about("rule", name)
    if "error" in about:
        return joined((safe(about["error"]["message"]), "$blame"))
    rule = about["rule"]
    pieces: list[Piece] = [(rule["name"], f"{_BOLD} $primary")]
    if cited := rule.get("cited") or rule.get("section"):
        pieces.append((f"  {safe(cited)}", _MUTED))
    if rule["gloss"]:
        pieces.append(("\n" + "\n".join(wrap(safe(rule["gloss"]), max(width, 20))), ""))
    if text is not None:
        pieces += ("\nreads  ", _MUTED), (short(text, _MOST) if text else "nothing", _BOLD)
    if ambiguity and ambiguity["alternatives"]:
        meant = ", or ".join(ambiguity["alternatives"])
        words = f"≈ This may be read as {meant}: {ambiguity['reason']}."
        pieces.append(("\n" + "\n".join(wrap(safe(words), max(width, 20))), "$c-query"))
    pieces.append(("\n\n", ""))
    for line in diagram(subject, rule["name"], lit or [], width):
        pieces += lit_pieces(line)
        pieces.append(("\n", ""))
    if lit:
        pieces.append(("━ the path of this text\n", _MUTED))
    pieces.append(("\n" + "\n".join(abnf_lines(rule["abnf"])) + "\n", "$c-host"))
    if rule["used_by"]:
        names = ", ".join(rule["used_by"])
        pieces += ("\nused by", _MUTED), (_below(names, width), "")
    examples = [e["text"] for e in rule["examples"] if e["text"]]
    if examples:
        pieces += ("\ne.g.\n  ", _MUTED), ("   ".join(short(e, 24) for e in examples[:6]), "")
    return joined(*pieces)


def abnf_lines(abnf: str) -> list[str]:
    """A rule's ABNF as it is written, without the padding of the whole grammar."""
    first, *others = abnf.strip().splitlines()
    name, equals, right = first.partition("=")
    shift = 0
    if equals:
        short_ = f"{name.rstrip()} ={right if others else ' ' + right.lstrip()}"
        shift, first = len(first) - len(short_), short_
    cut = [line[min(shift, len(line) - len(line.lstrip())) :] for line in others]
    return [visible(line) for line in (first, *cut)]
