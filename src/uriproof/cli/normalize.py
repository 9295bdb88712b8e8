"""``uriproof normalize``: the normal form of each text, or another form that means the same.

May import every other layer. Invariant: without ``--steps``, standard output has one line for each
text, blank for one without such a form.
"""

from __future__ import annotations

from collections.abc import Callable

import click

from ..text.drawing import visible
from ..uri.normalize import LEVEL, LEVELS, normalization_steps, normalize
from ._answers import Answer, answer
from ._group import examples
from ._options import choice, flag, format_option, refuse_without

FORMS = ("normal", "uri", "iri", "host")


@click.command(
    short_help="Normalize URIs, IRIs and hosts.",
    epilog=examples(
        ("uriproof normalize HTTP://E.com/a/../%7eb", "the normal form"),
        ("uriproof normalize --steps HTTP://a/./b", "the changes of each level"),
        ("uriproof normalize --to uri http://h/café", "encode non-ASCII characters"),
        ("uriproof normalize --to host bücher.example", "a host in its canonical form"),
        ("uriproof normalize - < urls.txt", "one on each line"),
    ),
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT... | -")
@choice(
    "--to",
    FORMS,
    "Convert each TEXT: to its normal form; from an IRI to a URI; from a URI to an IRI; a "
    "host in any script to its canonical form (A-labels: UTS #46 and IDNA 2008; IPv6: RFC 5952).",
    default=FORMS[0],
)
@choice(
    "--level",
    LEVELS,
    "Last level of normalization; includes the levels before it (RFC 3986 section 6.2).  "
    f"[default: {LEVEL}]",
)
@flag("--idna", "With --to uri or iri: also convert the labels of the host.")
@flag("--steps", "Also show each change and, for a host, the form in browsers.")
@format_option
def command(
    *, texts: tuple[str, ...], to: str, level: str | None, idna: bool, steps: bool, form: str
) -> int:
    """Normalize each TEXT, a URI or a relative reference; - is each line of standard input.

    \b
    Exit code: 0  every text is normalized
               1  at least one text is not a URI-reference (with --to: not an IRI or a host)
               2  invalid usage, or something could not be read
    """
    if to != "normal":
        refuse_without("--to normal", "level")
    if to in {"uri", "iri"}:
        refuse_without("--to normal or host", "steps")
    else:
        refuse_without("--to uri or iri", "idna")
    if to == "normal":
        work = _normal(level or LEVEL, steps, fast=form == "text" and not steps)
    elif to == "host":
        work = _host(steps)
    else:
        work = _mapped(to, idna)
    return answer(texts, work, form, aligned=not steps)


def _normal(level: str, steps: bool, fast: bool) -> Callable[[str], Answer]:
    def work(text: str) -> Answer:
        if fast:
            return {}, normalize(text, level)
        made = normalization_steps(text, level)
        result = made[-1].after if made else text
        lines = [result]
        for step in made if steps else ():
            for change in step.changes:
                before, after = (
                    "undefined" if value is None else f'"{value}"'
                    for value in (change.before, change.after)
                )
                lines.append(
                    f"  {step.level:<16}  {change.component}: {before} -> {after}"
                    f"  (RFC 3986 §{step.section})"
                )
        record = {"text": text, "normalized": result, "steps": [s.to_dict() for s in made]}
        return record, "\n".join(lines)

    return work


def _host(steps: bool) -> Callable[[str], Answer]:
    from ..percent.hosts.host import canonical_host

    def work(text: str) -> Answer:
        found = canonical_host(text)
        lines = [found.text]
        for change in found.changes if steps else ():
            became = f"{visible(change.found)} -> {visible(change.replacement)}"
            lines.append(f"  {change.start}-{change.end}: {became}: {change.message}")
        if steps and found.browser is None:
            lines.append("  browsers reject it")
        elif steps and found.browser != found.text:
            lines.append(f"  browsers write {found.browser}")
        return {"text": text, "canonical": found.to_dict()}, "\n".join(lines)

    return work


def _mapped(to: str, idna: bool) -> Callable[[str], Answer]:
    from ..uri.iri import iri_to_uri, uri_to_iri

    def work(text: str) -> Answer:
        made = (iri_to_uri if to == "uri" else uri_to_iri)(text, idna=idna)
        return {"text": text, to: made}, made

    return work
