"""``uriproof encoders``: what other encoders leave bare, and where that breaks the grammar.

May import every layer below. Invariant: the same tables in every format;
docs/validate/encoders.md is what ``--format markdown`` prints.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from ..percent.audit.coders import Encoder, UnknownCoder, components, encoder, encoders
from ..percent.audit.printed import MARKS, claims, delimiters
from ..percent.characters import ASCII, characters
from . import _click as click
from ._tables import CONTROLS, NAMES, Part, Table, as_markdown, as_text, listed, table_format

TITLE = "Encoders"
ABOUT = (
    "What other encoders do to the characters of ASCII, and where that breaks the grammar of "
    "RFC 3986. Written by `uriproof encoders --format markdown`: what the encoders do is data, "
    "each with its source; every judgement is the grammar's."
)
BARE, ENCODED, DROPPED, BROKEN = "=", "%", "-", "!"
_PLAIN = tuple(c for c in ASCII if c.isalnum())


@click.command(
    section="Learn",
    short_help="Show what the encoders of other languages do.",
    examples=(
        ("uriproof encoders", "all of them"),
        ("uriproof encoders --component query", "what breaks a query"),
    ),
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "-c",
    "--component",
    type=click.Choice(components()),
    help="Mark what an encoder leaves bare that this one does not admit.",
)
@table_format
def command(*, names: tuple[str, ...], component: str | None, form: str) -> int:
    """Show what encoders do to the characters of ASCII: all, or those named.

    \b
    Exit code: 0  shown
               2  invalid usage
    """
    try:
        chosen = [encoder(name) for name in names] or list(encoders())
    except UnknownCoder as error:
        raise click.UsageError(str(error)) from error
    if form == "json":
        click.echo(json.dumps(_as_dict(chosen), indent=1))
    else:
        parts = _parts(chosen, component, whole=not names)
        click.echo(
            "\n".join(as_markdown(TITLE, ABOUT, parts) if form == "markdown" else as_text(parts))
        )
    return 0


def _parts(chosen: list[Encoder], component: str | None, whole: bool) -> Iterable[Part]:
    yield (
        "What is left bare",
        (
            f"`{BARE}` left bare, `{ENCODED}` percent-encoded, `+` written as a plus sign, "
            f"`{DROPPED}` dropped, `{BROKEN}` left bare though it is not legal "
            + (f"in {component}." if component else "where the encoder is for.")
            + (" The last rows are what each production of RFC 3986 admits." if whole else "")
        ),
        _matrix(chosen, component, whole),
        True,
    )
    data = [e for e in chosen if e.purpose == "data"]
    if data:
        yield (
            "Encoders of data",
            (
                "What each leaves bare that a component does not admit, so that the URI is broken "
                "or divided elsewhere; what it leaves bare that is reserved, and may be read as a "
                "delimiter; what it encodes without need, for it is unreserved; and what a query "
                "admits bare, but it encodes: without need wherever that does not divide, as & and "
                "= do in key-value pairs, and + in form data."
            ),
            (
                (
                    "encoder",
                    *(f"not in {p}" for p in components()),
                    "reserved",
                    "needless",
                    "needless in a query",
                ),
                [
                    (
                        e.name,
                        *(listed(e.breaks(p)) for p in components()),
                        listed(e.delimiting),
                        listed(e.needless),
                        listed(c for c in e.needless_in("query") if c not in e.needless),
                    )
                    for e in data
                ],
            ),
            False,
        )
    cleaning = [e for e in chosen if e.purpose == "cleaning"]
    if cleaning:
        yield (
            "Encoders of URIs",
            (
                "What each leaves bare that is illegal, in the component it is for or in any URI; "
                "what it encodes though it may stand: a delimiter, which changes what the URI "
                "means, or the percent sign, so that escapes are encoded twice."
            ),
            (
                ("encoder", "for", "illegal, left bare", "legal, encoded"),
                [
                    (e.name, e.into or "a URI", listed(e.illegal), listed(e.meddling))
                    for e in cleaning
                ],
            ),
            False,
        )
    if whole:
        yield from _printed()
    notes = [(e.name, e.note or "", e.source) for e in chosen]
    yield "Sources and notes", "", (("encoder", "note", "source"), notes), False


def _printed() -> Iterable[Part]:
    for kind in ("gen-delims", "sub-delims"):
        marks = sorted(characters(kind))
        rows = []
        for row in delimiters():
            cells = []
            for char in marks:
                cell = "y" if char in row.allowed else ""
                cells.append(cell + "*" if row.differs(char) else cell)
            rows.append((row.component, *cells))
        yield (
            f"Where {kind} may stand as data",
            (
                "`y` where the grammar admits it bare; the authority is its userinfo and its "
                "registered name, a path its segments. `*` where the article URI-safe characters "
                "prints otherwise; the rows after the fragment are not in the article."
            ),
            (("component", *marks), rows),
            False,
        )
    yield (
        "Sets that the articles print",
        (
            "Held against what the grammar has: the characters of a production, or all of ASCII "
            "that is in none of some; beside letters and digits."
        ),
        (
            (
                *("article", "set", "grammar", "production"),
                *("printed, not admitted", "admitted, not printed"),
            ),
            [
                (c.source, c.title, c.grammar, c.rule, listed(c.too_many), listed(c.missing))
                for c in claims()
            ],
        ),
        False,
    )


def _matrix(chosen: list[Encoder], component: str | None, whole: bool) -> Table:
    heads = ("", *(NAMES.get(c, c) for c in MARKS), "CTL", "aA0")
    anywhere = frozenset().union(*(characters(p) for p in components()))
    rows = []
    for each in chosen:
        of_data = anywhere if each.purpose == "data" else each.legal
        legal = characters(component) if component else of_data
        cells = [_cell(each.output(c), c, legal) for c in MARKS]
        for group in CONTROLS, _PLAIN:
            cells.append("".join(sorted({_cell(each.output(c), c, legal) for c in group})))
        rows.append((each.name, *cells))
    if whole:
        for production in components():
            bare = characters(production)
            cells = [BARE if c in bare else ENCODED for c in MARKS]
            rows.append((production, *cells, ENCODED, BARE))
    return heads, rows


def _cell(output: str, char: str, legal: frozenset[str]) -> str:
    if output == char:
        # A percent sign that is left bare starts an escape, or the notes say so.
        return BARE if char in legal or char == "%" else BROKEN
    if not output:
        return DROPPED
    return ENCODED if len(output) > 1 else output


def _as_dict(chosen: list[Encoder]) -> dict[str, object]:
    return {
        "components": {p: sorted(characters(p)) for p in components()},
        "encoders": [each.to_dict() for each in chosen],
        "delimiters": [
            {
                "component": row.component,
                "productions": list(row.productions),
                "allowed": sorted(row.allowed),
                "printed": None if row.printed is None else sorted(row.printed),
            }
            for row in delimiters()
        ],
        "claims": [
            {
                "title": c.title,
                "source": c.source,
                "grammar": c.grammar,
                "production": c.rule,
                "too_many": list(c.too_many),
                "missing": list(c.missing),
            }
            for c in claims()
        ],
    }
