"""``uriproof grammar show``: all facts about a rule, or the rules of a grammar.

May import every other layer. Invariant: text and JSON have the same facts, and no line of the text
is wider than the terminal unless a rule is written that way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from ...text.columns import cut, width
from ...text.drawing import visible
from ...text.names import some
from .. import _grammars, _output
from .._group import examples
from .._options import flag, format_choice
from .._output import can_show, print_json, table, wrapped

if TYPE_CHECKING:
    from ...grammar.compiled import Compiled
    from ...render import Style
    from ...workbench.describe import CharacterSet, Description

_LEFT = 14
"""Columns of the names of facts."""


@click.command(
    short_help="Show rules: ABNF, diagram, examples.",
    epilog=examples(
        ("uriproof grammar show", "all rules"),
        ("uriproof grammar show IPv6address", "one of them"),
        ("uriproof grammar show --format html > rules.html", "a page"),
    ),
)
@click.argument("rule", required=False, metavar="[RULE]")
@_grammars.grammar_option
@format_choice(
    *("text", "json", "svg", "html"),
    text="Output format; svg: the diagram of a rule, html: a page with all diagrams.",
)
@flag("ascii_only --ascii", "Draw the diagram in ASCII.")
def command(*, rule: str | None, grammar: str, form: str, ascii_only: bool) -> int:
    """Show RULE: description, ABNF, diagram, examples, facts. Without RULE, list all rules.

    RULE can be GRAMMAR:RULE, or GRAMMAR to show that grammar. "Starts with" is the FIRST set of the
    rule, "then comes" its FOLLOW set over the start rules of the grammar. The page of --format html
    is self-contained; with RULE it has that rule and all rules that it refers to.

    \b
    Exit code: 0  shown
               2  unknown rule or grammar, the grammar has errors, or invalid usage
    """
    from ...grammar import registry

    chosen, name = _grammars.load(grammar), None
    if rule is not None and rule in registry.names() and rule not in chosen.rules:
        chosen = _grammars.load(rule)
    elif rule is not None:
        chosen, name = _grammars.subject(rule, grammar)
    compiled = chosen.compiled
    style = _output.style(sys.stdout, None)
    ascii_only = ascii_only or not can_show("├◀…")
    if form == "svg":
        from ...workbench.railroad import to_railroad_svg

        if name is None:
            raise click.UsageError("--format svg needs a RULE.")
        click.echo(to_railroad_svg(compiled.model, name, links=False))
    elif form == "html":
        from ...workbench.to_page import to_page

        click.echo(to_page(compiled.model, name), nl=False)
    elif form == "json":
        print_json(_record(compiled, name))
    elif name is None:
        click.echo("\n".join(_overview(compiled, style)), color=style.color)
    else:
        click.echo("\n".join(_shown(compiled, name, style, ascii_only)), color=style.color)
    return 0


def _record(compiled: Compiled, name: str | None) -> dict[str, Any]:
    from ...workbench.describe import describe
    from ...workbench.railroad import to_railroad_text

    if name is not None:
        diagram = to_railroad_text(compiled.model, name)
        return describe(compiled, name).to_dict() | {"diagram": diagram}
    model = compiled.model
    return {
        "name": model.name,
        "title": model.title,
        "starts": list(model.starts),
        "schemes": dict(model.schemes),
        "unusable": list(model.unusable),
        "rules": [
            {key: getattr(r, key) for key in ("name", "grammar", "section", "gloss", "text")}
            | {"file": r.file, "line": r.line, "component": model.components.get(r.name)}
            for r in model.rules.values()
        ],
    }


def _overview(compiled: Compiled, style: Style) -> Iterator[str]:
    """The grammar's facts, then each of its rules; for imported ones, the names."""
    model = compiled.model
    yield _bold(model.name, style) + (f": {visible(model.title)}" if model.title else "")
    yield ""
    yield from _fact("starts with", model.starts, style)
    if model.schemes:
        yield from _fact("schemes", (f"{s} ({r})" for s, r in model.schemes.items()), style)
    own = [r for r in model.rules.values() if r.grammar == model.name]
    yield ""
    rows = [(rule.name, rule.section, visible(rule.gloss)) for rule in own]
    yield from (f"  {line}" for line in table(rows, style.width - 2))
    imported: dict[str, list[str]] = {}
    for rule in model.rules.values():
        if rule.grammar != model.name:
            imported.setdefault(rule.grammar, []).append(rule.name)
    for grammar, names in imported.items():
        yield ""
        yield from _fact(f"of {grammar}", names, style)
    if model.unusable:
        yield ""
        yield from _fact("not usable", model.unusable, style)
        yield from _fact("", ["(to see why, run: uriproof grammar show RULE)"], style)


def _shown(compiled: Compiled, name: str, style: Style, ascii_only: bool) -> Iterator[str]:
    from ...workbench.describe import describe
    from ...workbench.railroad import to_railroad_text

    it = describe(compiled, name)
    where = f"{it.grammar}, section {it.section}" if it.section else it.grammar
    yield f"{_bold(it.name, style)}  ({where})"
    if it.gloss:
        yield from wrapped(visible(it.gloss), style.width)
    yield ""
    yield f"{visible(it.file)}:{it.line}"
    yield from (f"  {visible(line)}" for line in it.text.split("\n"))
    yield ""
    room = style.width - 2
    diagram = to_railroad_text(compiled.model, name, room, ascii_only=ascii_only)
    yield from (f"  {line}" for line in diagram)
    yield ""
    yield from _facts(it, style)
    yield ""
    yield from _examples(it, style)
    for note in it.notes:
        yield from _fact("note", visible(note).split(), style)


def _facts(it: Description, style: Style) -> Iterator[str]:
    if it.component:
        yield from _fact("component", [it.component], style)
    if it.schemes:
        yield from _fact("schemes", it.schemes, style)
    yield from _fact("uses", it.uses or ["no other rule"], style)
    yield from _fact("used by", [*it.used_by, *(["(a start rule)"] * it.start)], style)
    yield from _fact("starts with", _set(it.first), style)
    if it.follow is not None:
        end = ["or the end"] if it.follow.names else ["only the end"]
        yield from _fact("then comes", [*it.follow.names, *(end * it.ends)], style)
    yield from _fact("characters", _set(it.characters), style)
    if it.greatest is None:
        length = f"{it.least:,} or more"
    elif it.least == it.greatest:
        length = f"{it.least:,}"
    else:
        length = f"{it.least:,} to {it.greatest:,}"
    yield from _fact("length", [length, "(can be empty)" if it.empty else ""], style)
    if it.states is not None:
        yield from _fact("automaton", [some(it.states, "state")], style)


def _set(characters: CharacterSet) -> tuple[str, ...]:
    return characters.names or ("none",)


def _examples(it: Description, style: Style) -> Iterator[str]:
    yield _bold("shortest examples", style)
    rows = [
        (visible(e.text) or "(empty)" if e.text is not None else f"({e.length:,} characters)", e)
        for e in it.examples
    ]
    most = max((width(shown) for shown, _ in rows), default=0)
    left = min(most, style.width // 2)
    for shown, example in rows:
        words = cut(visible(example.element), max(style.width - left - 4, 10))
        if width(shown) > left:
            yield from (f"  {shown}", f"  {'':<{left}}  {words}")
        else:
            yield f"  {shown}{' ' * (left - width(shown))}  {words}"
    yield from [""] * bool(it.notes)


def _fact(name: str, words: Iterable[str], style: Style) -> Iterator[str]:
    """The name of a fact, then its words, as many on a line as fit; no word is divided."""
    line = name.ljust(_LEFT - 1)
    start = _bold(line, style)
    used = 0
    for word in filter(None, words):
        if used and _LEFT + used + 1 + len(word) > style.width:
            yield start
            start, used = " " * (_LEFT - 1), 0
        start += f" {word}"
        used += 1 + len(word)
    yield start.rstrip()


def _bold(words: str, style: Style) -> str:
    return style.paint(words, "1")
