"""One HTML page with all rules of a grammar: each with its diagram, its ABNF and its words.

Owns the page. Imports the diagrams and the model. Invariant: the page stands alone, it loads
nothing and runs no script; every reference links to the rule that it names; all text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ..grammar.model import Model, Rule, references
from ..grammar.read.atom import REPEATED_NAME
from ..grammar.read.check_model import reachable
from ..grammar.read.elements import pieces
from ..text.drawing import visible
from .railroad import style, to_railroad_svg

WIDTH = 100
"""Columns of a diagram: what is wider goes on below."""

_STYLE = """\
:root{color-scheme:light dark;--ink:#1f2328;--dim:#59636e;--line:#d1d9e0;--paper:#fff;\
--panel:#f6f8fa;--link:#0a58ca;--mark:#fff3c4}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--dim:#9198a1;--line:#3d444d;\
--paper:#0d1117;--panel:#151b23;--link:#79b8ff;--mark:#3b2f0b}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;color:var(--ink);background:var(--paper);\
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:3px}
.page{display:grid;grid-template-columns:minmax(12rem,17rem) minmax(0,1fr);max-width:80rem;\
margin:0 auto}
nav{position:sticky;top:0;align-self:start;height:100vh;overflow-y:auto;padding:2rem 1rem;\
border-right:1px solid var(--line);font-size:.875rem}
nav h2{font-size:.8125rem;color:var(--dim);\
margin:1.25rem 0 .25rem}
nav h2:first-child{margin-top:0}
nav ul{list-style:none;margin:0;padding:0}
nav li{display:flex;justify-content:space-between;gap:.75rem}
nav a{text-decoration:none;overflow-wrap:anywhere;font-family:"DejaVu Sans Mono",ui-monospace,\
Menlo,Consolas,monospace;font-size:.8125rem;line-height:1.7}
nav a:hover{text-decoration:underline}
nav .at{color:var(--dim);font-size:.75rem;white-space:nowrap;line-height:2}
main{padding:2rem 2rem 4rem;min-width:0}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 .5rem}
.about{color:var(--dim);margin:0 0 .25rem}
.about a{overflow-wrap:anywhere}
main h2{font-size:1.25rem;margin:3rem 0 0;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
.rule{padding:1.25rem 0 .5rem}
.rule h3{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .75rem;margin:0;\
font:600 1.0625rem "DejaVu Sans Mono",ui-monospace,Menlo,Consolas,monospace}
.rule h3 a{color:inherit;text-decoration:none}
.rule h3 a:hover{text-decoration:underline}
.rule h3 span{color:var(--dim);font:.875rem system-ui,-apple-system,"Segoe UI",Roboto,\
"DejaVu Sans",sans-serif}
.rule p{margin:.25rem 0}
.rule .used{color:var(--dim);font-size:.875rem}
.rule:target h3{background:var(--mark);box-shadow:0 0 0 .35rem var(--mark);border-radius:2px}
.drawn{overflow-x:auto;margin:.5rem 0}
.drawn svg{display:block}
pre{margin:.5rem 0;padding:.6rem .8rem;overflow-x:auto;background:var(--panel);\
border:1px solid var(--line);border-radius:6px;\
font:.8125rem/1.5 "DejaVu Sans Mono",ui-monospace,Menlo,Consolas,monospace}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{position:static}
@media(max-width:50rem){.page{display:block}nav{position:static;height:auto;border-right:0;\
border-bottom:1px solid var(--line);padding:1rem}nav ul{display:flex;flex-wrap:wrap;gap:0 1rem}\
nav .at{display:none}main{padding:1rem}}
@media print{nav,.skip{display:none}.page{display:block}.rule{break-inside:avoid}pre{border:0}}
"""


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


def _page(model: Model, rule: str | None, groups: dict[str, list[Rule]]) -> Iterator[str]:
    heading = _text(model.title or model.name)
    title = f"{_text(rule)}: {heading}" if rule else heading
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>\n<style>\n{_STYLE}{style()}</style>\n</head>\n<body>"
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
    users: dict[str, list[str]] = {}
    shown = _names(groups)
    for name in (name for name in model.rules if name in shown):
        for target in dict.fromkeys(references(model.rules[name].element)):
            users.setdefault(target, []).append(name)
    for number, (grammar, rules) in enumerate(groups.items()):
        if number or grammar != model.name:
            yield f"<h2>Rules of {_text(grammar)}</h2>"
        for found in rules:
            yield from _rule(model, found, users.get(found.name, []))
    if model.unusable and not rule:
        yield "<h2>Rules that cannot be used</h2>\n<ul>"
        for name, (_, faults) in model.unusable.items():
            yield f"<li><code>{_text(name)}</code>: {_text(faults[0].message)}</li>"
        yield "</ul>"
    yield "</main>\n</div>\n</body>\n</html>"


def _names(groups: dict[str, list[Rule]]) -> set[str]:
    return {rule.name for rules in groups.values() for rule in rules}


def _about(model: Model, groups: dict[str, list[Rule]]) -> Iterator[str]:
    """Where the grammar is from, and where to start."""
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


def _rule(model: Model, rule: Rule, users: list[str]) -> Iterator[str]:
    name = _text(rule.name)
    yield f'<section class="rule" id="rule-{name}" aria-labelledby="name-{name}">'
    where = f"<span>{_text(model.citation(rule))}</span>"
    yield f'<h3 id="name-{name}"><a href="#rule-{name}">{name}</a>{where}</h3>'
    if rule.gloss:
        yield f"<p>{_text(rule.gloss[0].upper() + rule.gloss[1:])}.</p>"
    svg = to_railroad_svg(model, rule.name, width=WIDTH, styled=False)
    yield f'<div class="drawn">{svg}</div>'
    yield f"<pre><code>{_linked(model, rule.text)}</code></pre>"
    if users:
        yield f'<p class="used">Used by {", ".join(map(_link, users))}</p>'
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
