"""``uriproof explain``: the meaning of a code, a scheme or a production.

May import every other layer. Invariant: text and JSON have the same facts; an unknown name
ends in one message with near names, and in exit code 2.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from ..rule import GENERIC
from ..text.drawing import visible
from ..uri.scheme_info import scheme
from . import _output
from ._group import Refused, examples
from ._options import color_option, format_option
from ._output import print_json

if TYPE_CHECKING:
    from ..grammar.model import Rule
    from ..lint.codes import Code
    from ..render import Style

_SCHEME = "scheme:"

_Part: TypeAlias = tuple[list[dict[str, Any]], list[str]]
"""What is explained: JSON-ready records, and lines that have the same facts."""


@click.command(
    short_help="Explain a code, a production or a scheme.",
    epilog=examples(
        ("uriproof explain path-illegal", "a code"),
        ("uriproof explain security", "the codes of a group"),
        ("uriproof explain IPv6address", "a production"),
        ("uriproof explain scheme:https", "a scheme, as registered with IANA"),
    ),
)
@click.argument("what", required=False, metavar="[WHAT]")
@format_option
@color_option
def command(*, what: str | None, form: str, color: str) -> int:
    """Explain WHAT: a code, a code prefix or group, a production, or a scheme (scheme:NAME).

    Without WHAT, list all codes. The explanation of a code has its reason, an example, its fix, its
    specification, and how to disable it; that of a scheme has its status in IANA's registry (RFC
    7595), its reference, its default port, and the bundled grammar that "check --schemes" uses for
    it. The prefix scheme: can be omitted if nothing else has that name.

    \b
    Exit code: 0  explained
               1  the scheme is not registered
               2  unknown code or production, or invalid usage
    """
    from ..lint.config.select import GROUPS

    style = _output.style(sys.stdout, None, color)
    code = 0
    if what is None or what in GROUPS:
        parts = [_listed("", style, what or "all")]
    elif what.startswith(_SCHEME):
        parts = [_scheme(what.removeprefix(_SCHEME))]
        code = int(not scheme(what.removeprefix(_SCHEME)))
    else:
        parts = [part for part in _named(what, style) if part[0]]
        if not parts and not scheme(what):
            raise Refused(_unknown(what))
        parts = parts or [_scheme(what)]
    if form == "json":
        print_json(record for records, _ in parts for record in records)
    else:
        click.echo("\n\n".join("\n".join(lines) for _, lines in parts), color=style.color)
    return code


def _named(what: str, style: Style) -> Iterator[_Part]:
    """What has a name, other than a scheme."""
    from ..lint.codes import codes, names

    code = what.lower().replace("_", "-")
    if code in names():
        known = codes()[code]
        yield [known.to_dict()], [*_page(known, style)]
        return
    yield _foreign(what, style)
    for rule in _productions(what):
        keys = ("name", "grammar", "section", "gloss", "text")
        yield [{key: getattr(rule, key) for key in keys}], [*_production(rule, style)]
    if code:
        yield _listed(code, style)


def _scheme(name: str) -> _Part:
    """The facts about a scheme, with the date of the copy, because a registry grows."""
    from ..grammar import registry

    found = scheme(name)
    shown = visible(found.name) or "(the empty name)"
    if not found.valid:
        rule = registry.load(GENERIC).model.rules["scheme"]
        words = f"{shown}: not a valid scheme name (RFC 3986 section {rule.section})"
        return [found.to_dict()], [words, f"  {rule.text}"]
    status = f"registered, {found.status}" if found else "not registered"
    lines = [f"{shown}: {status} (IANA, as of {found.date})"]
    if found.references:
        lines.append(f"  reference: {'; '.join(map(visible, found.references))}")
    if found.near:
        lines.append(f"  near names: {', '.join(found.near)}")
    if found.default_port is not None:
        lines.append(f"  default port: {found.default_port}")
    if found.needs_host:
        lines.append("  its URIs have a host")
    if found.grammar:
        lines.append(f"  grammar: {found.grammar} ({found.rule})")
    return [found.to_dict()], lines


def _foreign(what: str, style: Style) -> _Part:
    """A grammar by its name; or a code that only grammars outside the linter have."""
    from typing import get_args

    from ..grammar import registry
    from ..report import Kind
    from ..text.names import or_list

    models = {name: registry.load(name).model for name in registry.names()}
    if what in models:
        title = models[what].title
        head = f"{style.paint(what, '1')}  a grammar: {visible(title)}"
        lines = [head, "", f"  All of it: uriproof grammar show {what}"]
        return [{"name": what, "title": title}], lines
    kind = next((k for k in get_args(Kind) if what.endswith(f"-{k}")), None)
    component = what.removesuffix(f"-{kind}")
    grammars = [
        name
        for name, model in models.items()
        if component in model.starts or component in model.components.values()
    ]
    if kind == "forbidden" and grammars:
        title = "Refused by a policy, or by a limit"
        words = "Only if an application applies one; the linter does not report it."
        return [{"code": what, "title": title}], [f"{style.paint(what, '31;1')}  {title}", words]
    if kind is None or not grammars:
        return [], []
    title = f"A violation of kind {kind}, in the component {component}"
    words = f"Only in texts validated against {or_list(grammars)}; the linter does not report it."
    lines = [f"{style.paint(what, '31;1')}  {title}", words, ""]
    lines += [f"  All of it: uriproof grammar show {name}" for name in grammars]
    return [{"code": what, "title": title, "grammars": grammars}], lines


def _unknown(what: str) -> str:
    """The message for an unknown name, with near ones."""
    from ..grammar import registry
    from ..lint.codes import names
    from ..text.names import near, or_list

    known = [*names(), *registry.load(GENERIC).model.rules]
    others = near(what[:80], known)
    hint = (
        f"Did you mean {or_list(others)}?" if others else "To list the codes, run: uriproof explain"
    )
    return f"{visible(what[:80])!r} is not a code, production or scheme. {hint}"


def _listed(start: str, style: Style, only: str = "all") -> _Part:
    """The codes with a prefix, by their groups, or those of one group."""
    from ..lint.codes import codes
    from ..lint.config.select import GROUPS, Selection

    chosen = Selection((only,))
    known = [code for code in codes().values() if code.code.startswith(start)]
    known = [code for code in known if chosen.has(code.code, code.kind)]
    records: list[dict[str, Any]] = []
    lines: list[str] = []
    width = max((len(code.code) for code in known), default=0)
    for group in dict.fromkeys(code.kind for code in known):
        some = [code for code in known if code.kind == group]
        words = GROUPS[group if only == "all" else only].every
        lines += [""] * bool(lines) + [style.paint(words, "1")]
        lines += [f"  {code.code:<{width}}  {code.title}" for code in some]
        records += [
            {"code": code.code, "title": code.title, "group": group, "severity": code.severity}
            for code in some
        ]
    return records, lines


def _productions(what: str) -> Iterator[Rule]:
    """The productions of a name: in the generic syntax, else in every grammar that defines it."""
    from ..grammar import registry

    grammar, colon, name = what.rpartition(":")
    if colon and grammar not in registry.names():
        return
    grammars = [grammar] if colon else [GENERIC, *registry.names()]
    seen: set[str] = set()
    for one in grammars:
        # Rule names are case-insensitive (RFC 5234 §2.1).
        for rule in registry.load(one).model.rules.values():
            if rule.name.lower() == name.lower() and rule.grammar not in seen:
                seen.add(rule.grammar)
                yield rule
        if seen and one == GENERIC and not colon:
            return


def _production(rule: Rule, style: Style) -> Iterator[str]:
    where = f"{rule.grammar}, section {rule.section}" if rule.section else rule.grammar
    yield f"{style.paint(rule.name, '1')}  a production ({visible(where)})"
    if rule.gloss:
        yield f"  {visible(rule.gloss)}"
    yield ""
    yield from (f"    {visible(line)}" for line in rule.text.splitlines())
    yield ""
    name = rule.name if rule.grammar == GENERIC else f"{rule.grammar}:{rule.name}"
    yield f"  All of it: uriproof grammar show {name}"


def _page(known: Code, style: Style) -> Iterator[str]:
    """The explanation of a code."""
    from textwrap import wrap

    drawn, fixed = known.shown()
    color = "31;1" if known.severity == "error" else "33;1"
    yield f"{style.paint(known.code, color)}  {known.title}"
    yield f"{known.severity.capitalize()}: {known.group}."
    yield ""
    yield from wrap(known.why, style.width, break_on_hyphens=False, break_long_words=False)
    if known.case:
        yield ""
        yield from wrap(f"Known from: {known.case}", style.width, break_on_hyphens=False)
        yield known.alarms
    if known.url:
        yield f"{known.cited[0]}: {known.url}"
    if known.abnf:
        yield ""
        yield from (f"    {line}" for line in known.abnf.splitlines())
    yield ""
    bad, good = known.example
    checked_as = f" (checked as {known.checked_as})" if known.checked_as else ""
    yield style.paint(bad, "1") + checked_as
    for line in drawn:
        marks = line.strip() and not line.strip("^+ ")
        yield "    " + (style.paint(line, "31;1") if marks else line)
    if fixed is not None:
        yield ""
        yield style.paint("Fixed", "1")
        yield f"    {style.paint(visible(fixed), '32')}"
    if fixed != known.good:
        yield ""
        yield style.paint(good, "1")
        yield f"    {visible(known.good)}"
    yield ""
    title, setting = known.switch
    yield style.paint(title, "1") + ", in pyproject.toml"
    yield "    [tool.uriproof]"
    yield f"    {setting}"
    yield ""
    yield style.paint("In one place", "1") + ", by a comment"
    width = max(len(comment) for comment, _ in known.suppressions())
    yield from (f"    {comment:<{width}}  {where}" for comment, where in known.suppressions())
