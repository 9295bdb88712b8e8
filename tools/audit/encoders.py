"""The page of encoders: what each leaves bare, and where that breaks the grammar."""

from __future__ import annotations

from collections.abc import Iterable

from uriproof.percent.characters import ASCII, characters

from .coders import Encoder, components, encoders
from .printed import MARKS, claims, delimiters
from .tables import CONTROLS, NAMES, Part, Table, as_markdown, listed

TITLE = "Encoders"
ABOUT = (
    "What other encoders do to the characters of ASCII, and where that breaks the grammar of "
    "RFC 3986. Written by `tools/build_coders.py`: what the encoders do is data, each with its "
    "source; every judgement is the grammar's."
)
BARE, ENCODED, DROPPED, BROKEN = "=", "%", "-", "!"
_PLAIN = tuple(c for c in ASCII if c.isalnum())


def page() -> str:
    """The page, of all encoders."""
    return "\n".join(as_markdown(TITLE, ABOUT, _parts(list(encoders())))) + "\n"


def _parts(chosen: list[Encoder]) -> Iterable[Part]:
    yield (
        "What is left bare",
        (
            f"`{BARE}` left bare, `{ENCODED}` percent-encoded, `+` written as a plus sign, "
            f"`{DROPPED}` dropped, `{BROKEN}` left bare though it is not legal where the encoder "
            "is for. The last rows are what each production of RFC 3986 admits."
        ),
        _matrix(chosen),
        True,
    )
    data = [e for e in chosen if e.purpose == "data"]
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
    yield (
        "Encoders of URIs",
        (
            "What each leaves bare that is illegal, in the component it is for or in any URI; "
            "what it encodes though it may stand: a delimiter, which changes what the URI "
            "means, or the percent sign, so that escapes are encoded twice."
        ),
        (
            ("encoder", "for", "illegal, left bare", "legal, encoded"),
            [(e.name, e.into or "a URI", listed(e.illegal), listed(e.meddling)) for e in cleaning],
        ),
        False,
    )
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


def _matrix(chosen: list[Encoder]) -> Table:
    heads = ("", *(NAMES.get(c, c) for c in MARKS), "CTL", "aA0")
    anywhere = frozenset().union(*(characters(p) for p in components()))
    rows = []
    for each in chosen:
        legal = anywhere if each.purpose == "data" else each.legal
        cells = [_cell(each.output(c), c, legal) for c in MARKS]
        for group in CONTROLS, _PLAIN:
            cells.append("".join(sorted({_cell(each.output(c), c, legal) for c in group})))
        rows.append((each.name, *cells))
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
