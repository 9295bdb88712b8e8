"""One HTML page with all rules of a grammar: each with its diagram, its ABNF and its words.

Owns the page. Imports the diagrams and the model. Invariant: the page is self-contained, it loads
nothing and runs no script; every reference links to the rule that it names; all text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from ..grammar.model import Model, Rule
from ..grammar.read.atom import REPEATED_NAME
from ..grammar.read.check_model import reachable
from ..grammar.read.elements import pieces
from ..text.drawing import visible
from ..text.page import head
from .describe import users
from .railroad import style, to_railroad_svg

WIDTH = 100
"""Columns of a diagram: wider parts continue below."""


def to_page(model: Model, rule: str | None = None) -> str:
    """A grammar as one HTML page: an index, and each rule with its diagram and its ABNF.

    With ``rule``, in its own spelling, that rule and all that it leads to. Own rules come first,
    then those of each imported grammar. Diagrams are drawn as by ``to_railroad_svg``, each
    reference with a link to ``#rule-NAME``.

    Errors: KeyError for a rule in another spelling than its own. Cost: that of the diagrams.

    >>> from uriproof.grammar.registry import load
    >>> page = to_page(load("rfc3986").model, "host")
    >>> page.count("<svg"), 'href="#rule-dec-octet"' in page, "<script" in page
    (15, True, False)
    """
    elements = {name: found.element for name, found in model.rules.items()}
    wanted = reachable(elements, [rule] if rule else elements)
    groups: dict[str, list[Rule]] = {}
    for name, found in model.rules.items():
        if name in wanted:
            groups.setdefault(found.grammar, []).append(found)
    groups = dict(sorted(groups.items(), key=lambda group: group[0] != model.name))
    if rule:
        groups = {g: sorted(rules, key=lambda r: r.name != rule) for g, rules in groups.items()}
    return "\n".join(_page(model, rule, groups)) + "\n"


def _style() -> str:
    return Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def _page(model: Model, rule: str | None, groups: dict[str, list[Rule]]) -> Iterator[str]:
    heading = _text(model.title or model.name)
    title = f"{_text(rule)}: {heading}" if rule else heading
    yield head(title, _style() + style())
    yield '<a class="skip" href="#rules">Skip the index</a>\n<div class="page">'
    yield '<nav aria-label="Rules">'
    for grammar, rules in groups.items():
        yield f"<h2>{_text(grammar)}</h2>\n<ul>"
        for found in rules:
            at = f'<span class="at">{_text(found.section)}</span>' if found.section else ""
            yield f"<li>{_link(found.name)}{at}</li>"
        yield "</ul>"
    yield f'</nav>\n<main id="rules">\n<h1>{title}</h1>'
    yield from _about(model, groups)
    shown = _names(groups)
    for number, (grammar, rules) in enumerate(groups.items()):
        if number or grammar != model.name:
            yield f"<h2>Rules of {_text(grammar)}</h2>"
        for found in rules:
            yield from _rule(model, found, [n for n in users(model, found.name) if n in shown])
    if model.unusable and not rule:
        yield "<h2>Rules that cannot be used</h2>\n<ul>"
        for name, (_, faults) in model.unusable.items():
            yield f"<li><code>{_text(name)}</code>: {_text(faults[0].message)}</li>"
        yield "</ul>"
    yield "</main>\n</div>\n</body>\n</html>"


def _names(groups: dict[str, list[Rule]]) -> set[str]:
    return {rule.name for rules in groups.values() for rule in rules}


def _about(model: Model, groups: dict[str, list[Rule]]) -> Iterator[str]:
    """The source of the grammar, and its start rules."""
    if model.source:
        words = _text(model.source)
        if model.source.startswith(("https://", "http://")):
            words = f'<a href="{words}">{words}</a>'
        yield f'<p class="about">{words}</p>'
    names = _names(groups)
    starts = [_link(name) for name in model.starts if name in names]
    count = len(names)
    yield (
        f'<p class="about">{count:,} rule{"s" * (count != 1)}'
        + (f"; starts with {', '.join(starts)}" if starts else "")
        + "</p>"
    )


def _rule(model: Model, rule: Rule, used_by: list[str]) -> Iterator[str]:
    name = _text(rule.name)
    yield f'<section class="rule" id="rule-{name}" aria-labelledby="name-{name}">'
    where = f"<span>{_text(model.citation(rule))}</span>"
    yield f'<h3 id="name-{name}"><a href="#rule-{name}">{name}</a>{where}</h3>'
    if rule.gloss:
        yield f"<p>{_text(rule.gloss[0].upper() + rule.gloss[1:])}.</p>"
    svg = to_railroad_svg(model, rule.name, width=WIDTH, styled=False)
    yield f'<div class="drawn">{svg}</div>'
    yield f"<pre><code>{_linked(model, rule.text)}</code></pre>"
    if used_by:
        yield f'<p class="used">Used by {", ".join(map(_link, used_by))}</p>'
    yield "</section>"


def _linked(model: Model, text: str) -> str:
    """ABNF with a link at each name of another rule."""
    lines: list[str] = []
    for line in text.split("\n"):
        out, end = "", 0
        for number, piece in enumerate(pieces(line, 0)):
            match = REPEATED_NAME.fullmatch(piece.text)
            found = model.find(match[2]) if match else None
            defines = number == 0 and not line[:1].isspace() and not lines
            if match and found and not defines:
                start = piece.end - len(match[2])
                out += _text(line[end:start]) + _link(found.name, match[2])
                end = piece.end
        lines.append(out + _text(line[end:]))
    return "\n".join(lines)


def _link(name: str, words: str = "") -> str:
    return f'<a href="#rule-{_text(name)}">{_text(words or name)}</a>'


def _text(text: str) -> str:
    return escape(visible(text))
