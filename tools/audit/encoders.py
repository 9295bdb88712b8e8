"""The page of encoders: the characters that each leaves bare, and where that breaks the grammar."""

from __future__ import annotations

from collections.abc import Iterable

from uriproof.percent.characters import ASCII, characters

from .coders import Encoder, components, encoders
from .printed import MARKS, claims, delimiters
from .tables import CONTROLS, NAMES, Part, Table, as_markdown, listed

TITLE = "Encoders"
ABOUT = (
    "How other encoders treat the characters of ASCII, and where that breaks the grammar of RFC "
    "3986. `tools/build_coders.py` writes this page: the behavior of the encoders is data, with "
    "sources, and the grammar gives all verdicts."
)
BARE, ENCODED, DROPPED, BROKEN = "=", "%", "-", "!"
_PLAIN = tuple(c for c in ASCII if c.isalnum())


def page() -> str:
    """The page, of all encoders."""
    return "\n".join(as_markdown(TITLE, ABOUT, _parts(list(encoders())))) + "\n"


def _parts(chosen: list[Encoder]) -> Iterable[Part]:
    yield (
        "Which characters are encoded",
        (
            f"`{BARE}` not encoded, `{ENCODED}` percent-encoded, `+` written as a plus sign, "
            f"`{DROPPED}` dropped, `{BROKEN}` not encoded although it is illegal in the component "
            "that the encoder is for. The last rows show what each production of RFC 3986 allows."
        ),
        _matrix(chosen),
        True,
    )
    data = [e for e in chosen if e.purpose == "data"]
    yield (
        "Encoders of data",
        (
            "The columns *not in* list characters that the encoder does not encode although the "
            "component does not allow them, so the URI is invalid or divided elsewhere. *Reserved* "
            "lists reserved characters that it does not encode, which can be read as delimiters. "
            "*Needless* lists unreserved characters that it encodes, and the last column "
            "characters that a query allows: encoding them is needless unless they delimit, as & "
            "and = do in key-value pairs, and + in form data."
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
            "Illegal characters that each does not encode, in its component or in any URI; and "
            "legal ones that it encodes: delimiters, which changes the meaning of the URI, or the "
            "percent sign, so that escapes are encoded twice."
        ),
        (
            ("encoder", "for", "illegal, not encoded", "legal, encoded"),
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
            f"Where {kind} can be data",
            (
                "`y` if the grammar allows it unencoded. The authority stands for its userinfo "
                "and its registered name, a path for its segments. `*` marks differences from the "
                "article URI-safe characters, which does not have the rows after the fragment."
            ),
            (("component", *marks), rows),
            False,
        )
    yield (
        "Sets in the articles",
        (
            "Compared with the grammar: the characters of a production, or the ASCII characters "
            "that none of some productions has; letters and digits are left out."
        ),
        (
            (
                *("article", "set", "grammar", "production"),
                *("printed, not allowed", "allowed, not printed"),
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
