"""``uriproof scheme``: what is known about schemes, as registered with IANA and as bundled.

May import every layer below. Invariant: the date of the copy stands beside each verdict, for a
registry grows.
"""

from __future__ import annotations

from ..grammar import registry
from ..text.drawing import visible
from ..uri.scheme_info import SchemeInfo, scheme
from . import _click as click
from ._answers import Answer, answer, format_option


@click.command(
    section="Read and rewrite",
    short_help="Look up schemes in IANA's registry.",
    examples=(("uriproof scheme https", "status, specification, port"),),
)
@click.argument("names", nargs=-1, required=True, metavar="NAME... | -")
@format_option
def command(*, names: tuple[str, ...], form: str) -> int:
    """Look up each scheme NAME in IANA's registry; - is each line of standard input.

    Shows its status (RFC 7595), its reference, its default port, and the bundled grammar that
    "check --schemes" validates its URIs against; for an unregistered name, similar names.

    \b
    Exit code: 0  every name is registered
               1  some name is not
               2  invalid usage, or something could not be read
    """
    unknown = False

    def work(text: str) -> Answer:
        nonlocal unknown
        found = scheme(text)
        unknown = unknown or not found
        return found.to_dict(), "\n".join(_lines(found))

    return answer(names, work, form) or int(unknown)


def _lines(found: SchemeInfo) -> list[str]:
    name = visible(found.name) or "(the empty name)"
    if not found.valid:
        rule = registry.load("rfc3986").model.rules["scheme"]
        return [f"{name}: no name of a scheme (RFC 3986 section {rule.section})", f"  {rule.text}"]
    status = f"registered, {found.status}" if found else "not registered"
    lines = [f"{name}: {status} (IANA, as of {found.date})"]
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
    return lines
