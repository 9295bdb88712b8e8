"""``uriproof explain``: what a code means, or where a production is shown.

May import every other layer. Invariant: text and JSON tell the same; whatever is not known ends in
one message with near names, and in exit code 2.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..text.drawing import visible
from . import _click as click
from . import _console
from ._answers import format_option

if TYPE_CHECKING:
    from ..grammar.model import Rule
    from ..lint.explain import Explained
    from ..render import Style

_GROUPS = {
    "violations": "Violations: what a production of the grammar does not allow",
    "advice": "Advice: valid, but probably not meant or not wise; said where it is selected",
    "security": "Security: valid, but a pattern of attacks on software; said where it is selected",
    "linter": "The linter: what it says of files, suppressions and its configuration",
}
_GENERIC = "rfc3986"


@click.command()
@click.argument("what", required=False, metavar="[WHAT]")
@format_option
def command(*, what: str | None, form: str) -> int:
    """Explain WHAT: a code, a production, or the beginning or group of codes. Without WHAT, all.

    A code has its reason, a text that gets it with the check's own picture, what mends it, where
    it is specified, and how to leave it out.

    \b
    Exit code: 0  explained
               2  there is no such code or production, or the call is wrong
    """
    style = _console.style(sys.stdout, None)
    records: list[dict[str, Any]] = []
    lines: list[str] = []
    if what is None or what == "all":
        records, lines = _listed("", style)
    elif what in _GROUPS:
        records, lines = _listed("", style, what)
    else:
        _explain(what, style, records, lines)
    if form == "json":
        import json

        click.echo("[" + ",\n".join(json.dumps(record) for record in records) + "]")
    else:
        click.echo("\n".join(lines), color=style.colour)
    return 0


def _explain(what: str, style: Style, records: list[dict[str, Any]], lines: list[str]) -> None:
    """What is told of a name, as JSON-ready values and as lines. Errors: UsageError."""
    from ..lint.codes import names
    from ..lint.explain import explained

    code = what.lower().replace("_", "-")
    if code in names():
        it = explained(code)
        records.append(it.to_dict())
        lines += _page(it, style)
        return
    records += _foreign(what, style, lines)
    productions = list(_productions(what))
    for rule in productions:
        records.append(
            {key: getattr(rule, key) for key in ("name", "grammar", "section", "gloss", "text")}
        )
        lines += [*_production(rule, style), ""]
    more, listed = _listed(code, style) if code else ([], [])
    records += more
    lines += listed
    if records:
        if lines and not lines[-1]:
            lines.pop()
        return
    raise click.UsageError(_unknown(what))


def _foreign(what: str, style: Style, lines: list[str]) -> list[dict[str, Any]]:
    """A grammar by its name; or a code that only other grammars than those of the linter have."""
    from typing import get_args

    from ..grammar import registry
    from ..report import Kind

    models = {name: registry.load(name).model for name in registry.names()}
    if what in models:
        lines += [f"{_paint(what, '1', style)}  a grammar: {visible(models[what].title)}"]
        lines += ["", f"  All of it: uriproof grammar show {what}", ""]
        return [{"name": what, "title": models[what].title}]
    kind = next((k for k in get_args(Kind) if what.endswith(f"-{k}")), None)
    component = what.removesuffix(f"-{kind}")
    grammars = [
        name
        for name, model in models.items()
        if component in model.starts or component in model.components.values()
    ]
    if kind is None or not grammars:
        return []
    title = f"A violation of kind {kind}, in the component {component}"
    lines += [f"{_paint(what, '31;1', style)}  {title}"]
    lines += [f"Of texts held to {' or '.join(grammars)}: the linter says no such thing.", ""]
    lines += [f"  All of it: uriproof grammar show {name}" for name in grammars] + [""]
    return [{"code": what, "title": title, "grammars": grammars}]


def _unknown(what: str) -> str:
    """That a name is not known, and which are near."""
    from ..grammar import registry
    from ..grammar.errors import near
    from ..lint.codes import names

    known = [*names(), *registry.load(_GENERIC).model.rules]
    others = near(what[:80], known)
    hint = f"Did you mean {' or '.join(others)}?" if others else "uriproof explain lists the codes."
    return f"There is no code and no production {visible(what[:80])!r}. {hint}"


def _listed(
    start: str, style: Style, only: str | None = None
) -> tuple[list[dict[str, Any]], list[str]]:
    """The codes that begin so, by their groups, or those of one group."""
    from ..lint.codes import codes

    known = [code for code in codes().values() if code.code.startswith(start)]
    known = [code for code in known if only in {None, code.kind}]
    records: list[dict[str, Any]] = []
    lines: list[str] = []
    width = max((len(code.code) for code in known), default=0)
    for group, words in _GROUPS.items():
        some = [code for code in known if code.kind == group]
        if some:
            lines += [""] * bool(lines) + [_paint(words, "1", style)]
            lines += [f"  {code.code:<{width}}  {code.title}" for code in some]
        records += [
            {"code": code.code, "title": code.title, "group": group, "severity": code.severity}
            for code in some
        ]
    return records, lines


def _productions(what: str) -> Iterator[Rule]:
    """The productions of a name: of the generic syntax, else of every grammar that has its own."""
    from ..grammar import registry

    grammar, colon, name = what.rpartition(":")
    if colon and grammar not in registry.names():
        return
    grammars = [grammar] if colon else [_GENERIC, *registry.names()]
    seen: set[str] = set()
    for one in grammars:
        # Rule names are case-insensitive (RFC 5234 §2.1).
        for rule in registry.load(one).model.rules.values():
            if rule.name.lower() == name.lower() and rule.grammar not in seen:
                seen.add(rule.grammar)
                yield rule
        if seen and one == _GENERIC and not colon:
            return


def _production(rule: Rule, style: Style) -> Iterator[str]:
    where = f"{rule.grammar}, section {rule.section}" if rule.section else rule.grammar
    yield f"{_paint(rule.name, '1', style)}  a production ({visible(where)})"
    if rule.gloss:
        yield f"  {visible(rule.gloss)}"
    yield ""
    yield from (f"    {visible(line)}" for line in rule.text.splitlines())
    yield ""
    name = rule.name if rule.grammar == _GENERIC else f"{rule.grammar}:{rule.name}"
    yield f"  All of it: uriproof grammar show {name}"


def _page(it: Explained, style: Style) -> Iterator[str]:
    """The explanation of a code."""
    from textwrap import wrap

    known = it.known
    colour = "31;1" if known.severity == "error" else "33;1"
    yield f"{_paint(known.code, colour, style)}  {known.title}"
    yield f"{known.severity.capitalize()}; {it.group}."
    yield ""
    yield from wrap(known.why, style.width, break_on_hyphens=False, break_long_words=False)
    if known.case:
        yield ""
        yield from wrap(f"Known from: {known.case}", style.width, break_on_hyphens=False)
        yield known.alarms
    if it.url:
        yield f"{it.cited}: {it.url}"
    if known.abnf:
        yield ""
        yield from (f"    {line}" for line in known.abnf.splitlines())
    yield ""
    violation = known.kind == "violations"
    held = f" (held to {it.held_to})" if it.held_to else ""
    yield _paint("Wrong" if violation else "Said of", "1", style) + held
    for line in it.drawn:
        marks = line.strip() and not line.strip("^+ ")
        yield "    " + (_paint(line, "31;1", style) if marks else line)
    if it.mended is not None:
        yield ""
        yield _paint("Mended", "1", style)
        yield f"    {_paint(visible(it.mended), '32', style)}"
    if it.mended != known.good:
        yield ""
        yield _paint("Right" if violation else "Not said of", "1", style)
        yield f"    {visible(known.good)}"
    yield ""
    said = "To leave it out" if it.is_said else "To have it said"
    yield _paint(said, "1", style) + ", in pyproject.toml"
    yield "    [tool.uriproof]"
    yield f"    {it.select}"
    yield ""
    yield _paint("In one place", "1", style) + ", by a comment"
    width = max(len(comment) for comment, _ in it.suppressions())
    yield from (f"    {comment:<{width}}  {where}" for comment, where in it.suppressions())


def _paint(text: str, colour: str, style: Style) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m" if style.colour else text
