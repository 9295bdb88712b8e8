"""``uriproof encoders``: what other encoders leave bare, and where that breaks the grammar.

May import every layer below. Invariant: the same tables in every format; docs/ENCODERS.md is what
``--format markdown`` prints.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import click

from ..percent.characters import ASCII, characters
from ..percent.encoders import (
    MARKS,
    Encoder,
    UnknownEncoder,
    claims,
    components,
    delimiters,
    encoder,
    encoders,
)

BARE, ENCODED, DROPPED, BROKEN = "=", "%", "-", "!"
_NAMES = {" ": "SP"}
_CONTROLS = tuple(c for c in ASCII if not c.isprintable())
_PLAIN = tuple(c for c in ASCII if c.isalnum())

Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""The heads of the columns, and the rows; the first column names the row."""


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "-c",
    "--component",
    type=click.Choice(components()),
    help="Mark what an encoder leaves bare that this one does not admit.",
)
@click.option(
    "form",
    "--format",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How to tell.",
)
def command(*, names: tuple[str, ...], component: str | None, form: str) -> int:
    """Show what encoders do to the characters of ASCII: all, or those named.

    \b
    Exit code: 0  shown
               2  the call is wrong
    """
    try:
        chosen = [encoder(name) for name in names] or list(encoders())
    except UnknownEncoder as error:
        raise click.UsageError(str(error)) from error
    if form == "json":
        click.echo(json.dumps(_as_dict(chosen), indent=1))
    else:
        write = _as_markdown if form == "markdown" else _as_text
        click.echo("\n".join(write(_parts(chosen, component, whole=not names))))
    return 0


Part = tuple[str, str, Table, bool]
"""A title, what the table says in words, the table, and whether it is drawn as a picture."""


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
                "delimiter; what it encodes without need, for it is unreserved."
            ),
            (
                ("encoder", *(f"not in {p}" for p in components()), "reserved", "needless"),
                [
                    (
                        e.name,
                        *(_listed(e.breaks(p)) for p in components()),
                        _listed(e.delimiting),
                        _listed(e.needless),
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
                    (e.name, e.into or "a URI", _listed(e.illegal), _listed(e.meddling))
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
        "Held against the production of RFC 3986, beside letters and digits.",
        (
            ("article", "set", "production", "printed, not admitted", "admitted, not printed"),
            [
                (c.source, c.title, c.rule, _listed(c.too_many), _listed(c.missing))
                for c in claims()
            ],
        ),
        False,
    )


def _matrix(chosen: list[Encoder], component: str | None, whole: bool) -> Table:
    heads = ("", *(_NAMES.get(c, c) for c in MARKS), "CTL", "aA0")
    anywhere = frozenset().union(*(characters(p) for p in components()))
    rows = []
    for each in chosen:
        of_data = anywhere if each.purpose == "data" else each.legal
        legal = characters(component) if component else of_data
        cells = [_cell(each.output(c), c, legal) for c in MARKS]
        for group in _CONTROLS, _PLAIN:
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
        # A percent sign that is left bare starts an escape, or is told of in the notes.
        return BARE if char in legal or char == "%" else BROKEN
    if not output:
        return DROPPED
    return ENCODED if len(output) > 1 else output


def _listed(chars: Iterable[str]) -> str:
    """Characters to read: controls as one word, for they always come together."""
    found = list(chars)
    marks = " ".join(_NAMES.get(c, c) for c in found if c not in _CONTROLS)
    return f"CTL {marks}".strip() if any(c in _CONTROLS for c in found) else marks


def _as_text(parts: Iterable[Part]) -> Iterable[str]:
    for number, (title, words, (heads, rows), picture) in enumerate(parts):
        if number:
            yield ""
        yield title
        yield ""
        if words:
            yield from _wrapped(words.replace("`", ""))
            yield ""
        if heads[-1] == "source":
            for name, *more in rows:
                yield from (name, f"    {'; '.join(filter(None, more))}")
        else:
            yield from _columns(heads, rows, tight=picture)


def _as_markdown(parts: Iterable[Part]) -> Iterable[str]:
    yield "# Encoders"
    yield ""
    yield from _wrapped(
        "What other encoders do to the characters of ASCII, and where that breaks the grammar of "
        "RFC 3986. Written by `uriproof encoders --format markdown`: what the encoders do is data, "
        "each with its source; every judgement is the grammar's."
    )
    for title, words, (heads, rows), picture in parts:
        yield from ("", f"## {title}", "")
        if words:
            yield from (*_wrapped(words), "")
        if picture:
            yield from ("```text", *_columns(heads, rows, tight=True), "```")
            continue
        yield _row(heads)
        yield "|" + "---|" * len(heads)
        for row in rows:
            yield _row([row[0], *(_code(cell, heads[i]) for i, cell in enumerate(row[1:], 1))])


_WORDS = frozenset({"for", "note", "source", "set", "production"})


def _code(cell: str, head: str) -> str:
    if not cell or head in _WORDS or len(head) == 1:
        return cell.replace("*", "\\*")
    return f"`` {cell} ``" if "`" in cell else f"`{cell}`"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _columns(heads: Sequence[str], rows: Iterable[Sequence[str]], tight: bool) -> Iterable[str]:
    lines = [heads, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    gap = " " if tight else "  "
    for line in lines:
        yield gap.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _wrapped(words: str) -> list[str]:
    import textwrap

    return textwrap.wrap(words, 100, break_long_words=False, break_on_hyphens=False)


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
                "production": c.rule,
                "too_many": list(c.too_many),
                "missing": list(c.missing),
            }
            for c in claims()
        ],
    }
