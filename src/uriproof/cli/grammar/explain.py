"""``uriproof grammar explain``: which production reads which characters of a text.

May import every other layer. Invariant: every format has the same derivation; no line of text is
wider than the terminal, and bars align with the columns of their characters.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ...grammar.derive.explain import counted
from ...render import Entry, as_text
from ...report import Report
from ...text.columns import ELLIPSIS, columns, cut
from ...text.drawing import draw, named, visible
from .. import _output
from .._grammars import chosen, grammar_option, refusals
from .._group import examples
from .._options import format_choice, value
from .._output import can_show, print_json, wrapped

if TYPE_CHECKING:
    from ...grammar.derive.explain import Ambiguity, Derivation, Node
    from ...render import Style

_MOST = 200
"""Maximum lines of a tree; the rest is counted."""
_MOST_NOTES = 10
_NAMES = 34
"""Columns for the names of the nodes next to the bars."""
_NOTE = 8
"""Minimum columns for notes next to a name."""
_DEEPEST = 24
"""Maximum levels of indentation of a name."""
_RED, _GREEN, _CYAN, _DIM = "31;1", "32", "36", "2"

_BARS = ("├", "─", "┤", "│", "╵", "╌")
ASCII_BARS = ("[", "-", "]", "|", "'", ".")


@click.command(
    short_help="Show how a rule derives a text.",
    epilog=examples(
        ("uriproof grammar explain 1.2.3.4 --rule host", "its derivation"),
        ("uriproof grammar explain a:b --format svg", "a drawing"),
    ),
)
@click.argument("text")
@value("-r --rule RULE", "Production to read the text as.  [default: the first start rule]")
@grammar_option
@format_choice("text", "json", "svg")
def command(*, text: str, rule: str | None, grammar: str, form: str) -> int:
    """Show how a rule derives TEXT: which production reads which characters.

    If the grammar is ambiguous, the alternatives and the preferred one are shown. An invalid text
    is derived around its errors, which are shown, as is what is missing. SVG is one self-contained
    drawing, with colors for light and dark pages; a large tree is shown in part.

    \b
    Exit code: 0  the text is valid
               1  it is not
               2  unknown rule or grammar, invalid usage, or the derivation is too long
    """
    from ...grammars import explain

    source, name = chosen(rule, grammar)
    with refusals():
        found = explain(text, name, source)
        report = None if found.ok else source[name].check(text)
    if form == "svg":
        from ...grammar.derive.svg import to_svg

        click.echo(to_svg(found))
    elif form == "json":
        record = found.to_dict()
        record["violations"] = (
            [v.to_dict() for v in report.masked().violations] if report is not None else []
        )
        print_json(record)
    else:
        style = _output.style(sys.stdout, False)
        bars = _BARS if can_show("".join(_BARS)) else ASCII_BARS
        lines = drawn(found, style, bars, report)
        click.echo("\n".join(lines), color=style.color)
    return 0 if found.ok else 1


# A derivation drawn for a terminal: each node as wide as its text, and under it


def drawn(
    found: Derivation,
    style: Style,
    bars: tuple[str, ...] = _BARS,
    report: Report | None = None,
) -> Iterator[str]:
    """The derivation as lines; ``report`` has the violations of a text that is not valid."""
    page = _Page(found, style, bars)
    yield from page.verdict()
    yield ""
    yield from page.tree()
    yield from page.notes()
    if not found.ok:
        yield ""
        yield from page.following()
    if report is not None and not report.ok:
        yield ""
        yield from _reported(report, style)


class _Page:
    """One derivation, and how to show it."""

    def __init__(self, found: Derivation, style: Style, bars: tuple[str, ...]) -> None:
        self._found = found
        self._style = style
        self._bars = bars
        self._characters = found.characters
        self._shown = shown = [n for n, node in enumerate(found.nodes) if self._is_shown(node)]
        self._columns = columns(found.text)
        named_ = (min(n.depth, _DEEPEST) + len(n.name) for n in map(found.nodes.__getitem__, shown))
        self._named = min(max(named_, default=0), _NAMES)

    def _is_shown(self, node: Node) -> bool:
        """Whether a node is in the tree; nodes inside a single character are not."""
        if not node.depth or node.fault:
            return True
        outer = self._found.nodes[node.parent]
        if outer.is_rule and outer.name in self._characters:
            return False
        return node.name not in self._characters or not self._made_of_characters(outer.name)

    def _made_of_characters(self, name: str) -> bool:
        """True of a rule made only of characters, such as a segment or a scheme."""
        from ...grammar.model import references

        rule = self._found.rules[name]
        return name in self._characters or all(
            target in self._characters for target in references(rule.element)
        )

    def verdict(self) -> Iterator[str]:
        found = self._found
        invalid = self._style.paint(f"invalid {found.rule}", _RED)
        if found.ok:
            ways = "one way" if found.count == 1 else f"{counted(found.count)} ways"
            yield f"{self._style.paint(f'valid {found.rule}', _GREEN)}, derived in {ways}"
        elif found.viable < len(found.text):
            at = found.viable
            word = named(found.text[at])
            yield f"{invalid}: {word} at {at} is not allowed"
        else:
            yield f"{invalid}: it ends too early"

    # The tree

    def tree(self) -> Iterator[str]:
        found, width = self._found, self._style.width
        wide = self._columns[-1]
        bars = wide + 2 + _NAMES + 2 <= width
        if found.text:
            lines = [visible(found.text)] if bars else draw(found.text, [], width - 2)
            yield from (*(f"  {line}" for line in lines), "")
        for number in self._shown[:_MOST]:
            node = found.nodes[number]
            left = self._bar(node).ljust(wide) if bars else self._place(node)
            yield self._line(f"  {left}  ", node)
        if len(self._shown) > _MOST:
            more = len(self._shown) - _MOST
            yield f"  {ELLIPSIS} and {more:,} more; --format json has them all"

    def _bar(self, node: Node) -> str:
        """A bar in the columns that a node reads, or that an error is over."""
        start, end = self._columns[node.start], self._columns[node.end]
        first, line, last, single, empty, opened = self._bars
        taken = end - start
        if not taken:
            bar = empty
        elif node.fault:
            bar = opened * taken
        else:
            bar = single if taken == 1 else first + line * (taken - 2) + last
        return " " * start + bar

    def _place(self, node: Node) -> str:
        """Offsets and the text itself, if there is no room for bars."""
        width = len(str(len(self._found.text)))
        place = f"{node.start:>{width}}-{node.end:<{width}}"
        room = max(self._style.width - _NAMES - len(place) - 10, 10)
        text = visible(self._found.text[node.start : min(node.end, node.start + room + 1)])
        return f"{place}  {cut(text, room).ljust(room)}"

    def _line(self, left: str, node: Node) -> str:
        """One node: its name, indented by its depth, and notes about it."""
        name = " " * min(node.depth, _DEEPEST) + node.name
        notes = []
        if node.fault:
            notes.append("missing" if node.fault == "missing" else "not allowed")
        elif not node.whole:
            notes.append("with an error")
        if node.is_rule:
            rule = self._found.rules[node.name]
            if node.alternative and not node.alternative.startswith('"'):
                notes.append(f"as {node.alternative}")
            if rule.section[:1].isdigit():
                notes.append(f"§{rule.section}")
            if rule.gloss:
                notes.append(rule.gloss)
        room = self._style.width - columns(left)[-1]
        line = cut(name, room)
        rest = room - max(len(line), self._named) - 2
        words = cut(" · ".join(notes), rest) if rest >= _NOTE else ""
        if not words:
            return f"{left}{line}"
        return f"{left}{line.ljust(self._named)}  {self._style.paint(words, _DIM)}"

    # The rest

    def notes(self) -> Iterator[str]:
        """Where the grammar is ambiguous, and which alternative wins."""
        for note in self._found.ambiguities[:_MOST_NOTES]:
            yield ""
            yield from self._wrapped(self._style.paint("ambiguous", _CYAN), 9, self._choice(note))
        more = len(self._found.ambiguities) - _MOST_NOTES
        if more > 0:
            yield ""
            yield f"  {ELLIPSIS} and {more:,} more ambiguous places"

    def _choice(self, note: Ambiguity) -> str:
        text = cut(visible(self._found.text[note.start : note.end]), 40)
        where = f"{note.start}-{note.end} {text}".rstrip()
        if note.ways:
            first, *others = (cut(way, 60) for way in note.ways)
            return (
                f"{where}: {note.rule} can be {first} or {' or '.join(others)}; "
                f"{first} is meant: {note.reason}"
            )
        element = cut(note.element, 60)
        return (
            f"{where}: {element} in {note.rule} fits in {counted(note.number)} ways; {note.reason}"
        )

    def _wrapped(self, label: str, taken: int, text: str) -> Iterator[str]:
        room = self._style.width - taken - 4
        for number, line in enumerate(wrapped(text, room)):
            yield f"  {label if not number else ' ' * taken}  {line}"

    def following(self) -> Iterator[str]:
        """The expected elements where the text becomes invalid, by production."""
        words: dict[str, list[str]] = {}
        for other in self._found.following:
            listed = words.setdefault(other.production, [])
            if other.word not in listed:
                listed.append(other.word)
        at = self._found.viable
        if not words:
            yield f"  at {at} nothing more can follow"
            return
        yield f"  at {at} could follow"
        for production, listed in words.items():
            yield from self._wrapped(f"  in {production}:", len(production) + 6, " / ".join(listed))


def _reported(report: Report, style: Style) -> Iterator[str]:
    """The violations, as ``uriproof check`` shows them."""
    lines = "".join(as_text.render([Entry(report)], style))
    yield from lines.rstrip("\n").split("\n")
