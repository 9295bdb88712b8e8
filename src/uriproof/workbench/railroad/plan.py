"""The contents of a railroad diagram: its elements, bounded, each with its words and its id.

Owns the ids of elements and the words in boxes. Imports the model and the way text is made visible.
Invariant: an element has the same id in every drawing: the rule's name and the positions, from 0,
that lead to it (``host.0.1``); and a plan holds at most ``MAX_PIECES`` pieces, however large the
rule is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
    children,
)
from ...text.columns import cut
from ...text.columns import width as columns
from ...text.drawing import visible

MAX_PIECES = 1_000
"""Maximum pieces of a plan; the rest is counted in a box, not drawn."""

MAX_ITEMS = 100
"""Alternatives, or elements one after the other, that are drawn of any one element."""

MAX_LABEL = 60
"""Columns of a label; a longer one is cut, and says how long it is."""

_MAX_TITLE = 300
_MAX_NESTED = 40

Kind = Literal["box", "rail", "row", "stack", "loop"]
Role = Literal["terminal", "range", "rule", "group", "more", ""]


@dataclass(frozen=True, slots=True)
class Piece:
    """One element to be drawn.

    ``node`` is its id. A box has a ``label``, a ``role`` and perhaps a ``title`` that says more; a
    ``rule`` names the rule that it refers to. A loop has ``least`` to ``most`` rounds of its only
    item.
    """

    kind: Kind
    node: str
    items: tuple[Piece, ...] = ()
    label: str = ""
    role: Role = ""
    title: str = ""
    rule: str = ""
    least: int = 1
    most: int | None = 1


def plan(model: Model, rule: str, ascii_only: bool = False) -> Piece:
    """The plan of a rule, in its own spelling."""
    return _Planner(model, ascii_only).element(model.rules[rule].element, rule, 0)


def label(element: Element, ascii_only: bool = False) -> tuple[str, str]:
    """The label of a terminal or a reference in a box, and its title.

    >>> label(CharVal("http")), label(CharVal("://"))
    (('"http"i', '"http" in upper or lower case'), ('"://"', ''))
    >>> label(NumVal((0x30, 0x39), True)), label(NumVal((0x68, 0x74)))
    (('"0"-"9"', '%x30-39'), ('"ht"', '%x68.74: exactly so, case counts'))
    """
    match element:
        case CharVal(text, sensitive):
            letters = text.lower() != text.upper()
            shown = f'"{_shown(text, ascii_only)}"'
            if not letters:
                return shown, ""
            if sensitive:
                return shown, f"{element}: exactly so, case counts"
            return f"{shown}i", f"{shown} in upper or lower case"
        case NumVal(points, is_range):
            # A quotation mark in quotation marks, like a character without a glyph, is better as a
            # number.
            printable = all(0x20 < p < 0x7F and chr(p) != '"' for p in points)  # noqa: PLR2004
            if not printable:
                return str(element), ""
            if is_range:
                return f'"{chr(points[0])}"-"{chr(points[1])}"', str(element)
            text = "".join(map(chr, points))
            exact = ": exactly so, case counts" if text.lower() != text.upper() else ""
            return f'"{text}"', f"{element}{exact}"
        case _:
            return str(element), ""


def _shown(text: str, ascii_only: bool) -> str:
    text = visible(text[:_MAX_TITLE])
    return text.encode("ascii", "backslashreplace").decode() if ascii_only else text


class _Planner:
    def __init__(self, model: Model, ascii_only: bool) -> None:
        self.model = model
        self.ascii_only = ascii_only
        self.ellipsis = "..." if ascii_only else "…"
        self.left = MAX_PIECES

    def element(self, element: Element, node: str, nested: int) -> Piece:
        self.left -= 1
        match element:
            case Repetition(_, _, 0) | Concatenation(()) | CharVal(""):
                return Piece("rail", node)
            case RuleRef(name):
                return self._reference(name, node)
            case CharVal() | NumVal():
                return self._terminal(element, node)
        if nested >= _MAX_NESTED or self.left <= 0:
            return self._group(element, node)

        def inner(i: int, item: Element) -> Piece:
            return self.element(item, f"{node}.{i}", nested + 1)

        match element:
            case Repetition(item, least, most):
                return Piece("loop", node, (inner(0, item),), least=least, most=most)
            case Concatenation(items) | Alternation(items):
                drawn: list[Piece] = []
                for i, item in enumerate(items[:MAX_ITEMS]):
                    if self.left <= 0:
                        break
                    drawn.append(inner(i, item))
                if hidden := len(items) - len(drawn):
                    drawn.append(self._more(hidden, element, f"{node}:more"))
                kind: Kind = "row" if isinstance(element, Concatenation) else "stack"
                return Piece(kind, node, tuple(drawn))
        raise TypeError(f"no element: {element!r}")

    def _terminal(self, element: CharVal | NumVal, node: str) -> Piece:
        shown, title = label(element, self.ascii_only)
        length = len(element.text) if isinstance(element, CharVal) else len(element.points)
        if columns(shown) > MAX_LABEL:
            title = cut(shown, _MAX_TITLE, self.ellipsis)
            many = f" ({length:,} characters)"
            shown = cut(shown, MAX_LABEL - len(many), self.ellipsis) + many
        role: Role = "range" if isinstance(element, NumVal) and element.is_range else "terminal"
        return Piece("box", node, label=shown, role=role, title=title)

    def _reference(self, name: str, node: str) -> Piece:
        rule = self.model.rules[name]
        title = f"{rule.gloss} (section {rule.section})" if rule.section else rule.gloss
        shown = cut(name, MAX_LABEL, self.ellipsis)
        return Piece("box", node, label=shown, role="rule", title=title, rule=name)

    def _group(self, element: Element, node: str) -> Piece:
        """An element too deep inside, or beyond the last piece, as a box with its ABNF."""
        return Piece("box", node, label=group_label(element, self.ellipsis), role="group")

    def _more(self, hidden: int, element: Element, node: str) -> Piece:
        what = "alternatives" if isinstance(element, Alternation) else "elements"
        shown = f"{self.ellipsis} {hidden:,} more {what}"
        return Piece("box", node, label=shown, role="more")


def group_label(element: Element, ellipsis: str = "…") -> str:
    """The beginning of an element's ABNF, in parentheses; the rest is never spelled out."""
    words: list[str] = []
    stack: list[Element] = [element]
    while stack and sum(map(len, words)) < MAX_LABEL:
        top = stack.pop()
        if inner := children(top):
            stack += reversed(inner[:MAX_ITEMS])
        else:
            words.append(label(top)[0][:MAX_LABEL])
    return cut(f"( {' '.join(words)} )", MAX_LABEL, ellipsis)
