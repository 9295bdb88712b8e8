"""``uriproof host``: the canonical form of each host, and every change on the way to it.

May import every layer below. Invariant: no host is printed in another form than it was given
without the changes that lead there.
"""

from __future__ import annotations

from ..percent.hosts.host import canonical_host
from ..text.drawing import visible
from . import _click as click
from ._answers import Answer, answer, format_option


@click.command(
    section="Read and rewrite",
    short_help="Show the canonical form of hosts.",
    examples=(
        ("uriproof host bücher.example", "a domain name"),
        ("uriproof host [2001:DB8::0]", "an address"),
    ),
)
@click.argument("hosts", nargs=-1, required=True, metavar="HOST... | -")
@format_option
def command(*, hosts: tuple[str, ...], form: str) -> int:
    """Show the canonical form of each HOST: a domain name in any script, or an address.

    Names become A-labels by UTS #46 and IDNA 2008, IPv6 addresses are written as RFC 5952 says.
    Each change is shown, and what browsers make of the host if that differs.

    \b
    Exit code: 0  every host is a name or an address
               1  some host is not; the reason is reported
               2  invalid usage, or something could not be read
    """

    def work(text: str) -> Answer:
        found = canonical_host(text)
        lines = [found.text]
        for change in found.changes:
            became = f"{visible(change.found)} -> {visible(change.replacement)}"
            lines.append(f"  {change.start}-{change.end}: {became}: {change.message}")
        if found.browser is None:
            lines.append("  browsers refuse it")
        elif found.browser != found.text:
            lines.append(f"  browsers write {found.browser}")
        return {"host": text, "canonical": found.to_dict()}, "\n".join(lines)

    return answer(hosts, work, form)
