"""The tables of the differential report, for a terminal and for Markdown files.

Owns the drawing; imports rich, uriproof and what was judged. Invariant: nothing of a text reaches
the output but escaped, and both forms hold the same cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

import uriproof
from uriproof.text.drawing import visible

from .judge import Class, Departures, Judgement
from .peers import Peer

if TYPE_CHECKING:
    from rich.console import Console

BEGIN, END = "<!-- differential: begin -->", "<!-- differential: end -->"
MOST_SHOWN = 12  # characters listed one by one
LONGEST = 60

FAMILIAR = ("rfc3986", "pydantic", "yarl", "urllib")
"""The tools that a Python programmer would use otherwise: the columns of the table in README."""
# uriproof: disable wrong on purpose
TYPICAL = (
    "http://e.com/a b",
    "http://e.com/100%",
    "http://e.com/?tag[]=x",
    "http://e.com:80a/",
    "http://[1:2:3]/",
    "http://1.2.3.256/",
)
ACCEPTS, REFUSES = "nothing: it accepts it", "only that it is invalid"
FAULTY = "http://exa mple.com:8o80/100%"
# uriproof: enable


@dataclass(frozen=True)
class Row:
    """One peer under one rule, what came of it, and how many of the URLs met it judges wrongly."""

    peer: Peer
    judgement: Judgement
    met: int
    met_wrong: int


@dataclass(frozen=True)
class Cell:
    """Words, and texts that were judged, which are shown in quotes."""

    words: str = ""
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A table and the lines about it; ``right`` numbers the columns of figures."""

    title: str
    words: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    right: tuple[int, ...] = ()


def sheets(rows: list[Row]) -> Iterator[Sheet]:
    """The table of all peers, then one of each that departs, under each rule."""
    yield _overall(rows)
    shown: dict[str, set[Class]] = {}  # by peer, what its tables so far tell
    for row in rows:
        known = shown.setdefault(row.peer.name, set())
        if row.judgement.wrong or row.judgement.raised:
            yield _classes(row, known)
        known.update(_told(d) for d in _all_of(row.judgement))


def _all_of(judged: Judgement) -> list[Departures]:
    return [*judged.accepted_classes, *judged.refused_classes]


def _overall(rows: list[Row]) -> Sheet:
    heads = ("peer", "version", "rule", "texts", "agrees", "accepts wrongly", "refuses wrongly")
    cells = [
        (
            row.peer.name,
            row.peer.version,
            row.peer.rule,
            f"{row.judgement.texts:,}" + (" †" if row.peer.slow else ""),
            f"{row.judgement.texts - len(row.judgement.wrong):,}",
            f"{len(row.judgement.accepted):,}",
            f"{len(row.judgement.refused):,}",
            f"{row.met_wrong:,} of {row.met:,}" if row.met else "-",
        )
        for row in rows
    ]
    notes = []
    if any(row.peer.slow for row in rows):
        notes.append("† takes milliseconds for a text, so it was asked about fewer")
    return Sheet(
        "Verdicts compared with the grammar's",
        tuple(notes),
        (*heads, "wrong on URLs met"),
        tuple(tuple(map(Cell, row)) for row in cells),
        right=(3, 4, 5, 6, 7),
    )


def summary(rows: Iterable[Row]) -> Sheet:
    """The few lines for README: what each familiar tool says of URIs that people write.

    Shape: a row for each text, one for the wrong verdicts on all texts, and one for the message; a
    column for uriproof, and for each familiar tool that was asked about the rule URI.
    """
    asked = {r.peer.name: r for r in rows if r.peer.rule == "URI" and r.peer.name in FAMILIAR}
    some = [asked[name] for name in FAMILIAR if name in asked]
    peers = [row.peer for row in some]
    lines = [
        (Cell(f"`{text}`"), _verdict(uriproof.is_valid, text), *(_asked(p, text) for p in peers))
        for text in TYPICAL
    ]
    total = max(row.judgement.texts for row in some)
    counts = [f"{len(row.judgement.wrong):,}" for row in some]
    says = [Cell(_message(peer, FAULTY)) for peer in peers]
    return Sheet(
        "",
        (),
        ("", "uriproof", *(f"{p.name} {p.version}" for p in peers)),
        (
            *lines,
            (Cell(f"wrong verdicts on {total:,} texts"), Cell("0"), *map(Cell, counts)),
            (Cell(f"message for `{FAULTY}`"), Cell(_blamed(FAULTY)), *says),
        ),
    )


def _asked(peer: Peer, text: str) -> Cell:
    return _verdict(lambda one: _message(peer, one) == ACCEPTS, text)


def _verdict(call: Callable[[str], bool], text: str) -> Cell:
    said = call(text)
    return Cell(("valid" if said else "invalid") + " ✗" * (said != uriproof.is_valid(text)))


def _message(peer: Peer, text: str) -> str:
    """What a tool says when it refuses a text, in one line."""
    try:
        return ACCEPTS if peer.call(text) else REFUSES
    except peer.refusals as error:
        said = str(error.args[0] if error.args else error)
        # The first line of pydantic's two counts the errors.
        return said.splitlines()[:2][-1].partition(" [")[0].strip()


def _blamed(text: str) -> str:
    violations = uriproof.check(text).violations
    return ", ".join(f"{v.component} {quoted(v.found)} at {v.start}" for v in violations)


def _told(found: Departures) -> Class:
    """A class without what is said of a reference and not of a URI, or the other way round."""
    parts = frozenset(n for n in found.class_ if n != "scheme" and not n.startswith("advice "))
    return parts or found.class_


def _classes(row: Row, known: set[Class]) -> Sheet:
    """The classes of one peer, but for those that an earlier table of it shows."""
    judged, peer = row.judgement, row.peer
    words = [f"Called: `{peer.entry}`", f"What it is: {peer.claim}"]
    if known.intersection(map(_told, _all_of(judged))):
        words.append("Left out: the classes that are also in the table above")
    if judged.explained < len(judged.refused):
        more = len(judged.refused) - judged.explained
        words.append(f"Not shrunk, so in no class: {more:,} of the texts refused wrongly")
    cells = [_cells("accepts", d) for d in judged.accepted_classes if _told(d) not in known]
    cells += [_cells("refuses", d) for d in judged.refused_classes if _told(d) not in known]
    cells += [
        (Cell(f"raises {name}"), Cell(), Cell(f"{count:,}"), Cell(texts=(text,)), Cell())
        for name, (count, text) in judged.raised.items()
    ]
    return Sheet(
        f"{peer.name} {peer.version}, rule {peer.rule}",
        tuple(words),
        ("", "class of departure", "texts", "shortest", "characters accepted"),
        tuple(cells),
        right=(2,),
    )


def _cells(verb: str, found: Departures) -> tuple[Cell, ...]:
    name = " + ".join(sorted(found.class_, key=_advice_last)) or "the shortest text"
    examples = Cell(texts=tuple(found.examples))
    return Cell(verb), Cell(name), Cell(f"{found.texts:,}"), examples, _characters(found)


def _advice_last(name: str) -> tuple[bool, str]:
    return name.startswith("advice "), name


def _characters(found: Departures) -> Cell:
    """How many of the tried characters are accepted, and which if these are few."""
    tried, accepted = found.characters or (0, ())
    if tried <= 1:  # nothing was tried, or no other character is at fault in that way
        return Cell()
    if len(accepted) == tried:
        return Cell(f"all {tried}")
    few = len(accepted) <= MOST_SHOWN
    return Cell(f"{len(accepted)} of {tried}" + ":" * few, accepted if few else ())


def quoted(text: str) -> str:
    """The text in quotes, escaped where it has no glyph, cut where it is long.

    >>> print(quoted("a: "), quoted('"'), quoted("a:" + 100 * "b")[-12:])
    "a: " '"' bbbbbbbbbb"…
    """
    shown = visible(text if len(text) <= LONGEST else text[:LONGEST])
    mark = "'" if '"' in shown and "'" not in shown else '"'
    return f"{mark}{shown}{mark}" + ("" if len(text) <= LONGEST else "…")


def to_console(console: Console, found: Iterable[Sheet]) -> None:
    """Print the tables."""
    for sheet in found:
        # Text, not markup: brackets are common here.
        table = Table(title=Text(sheet.title), title_justify="left")
        for number, head in enumerate(sheet.heads):
            table.add_column(Text(head), justify="right" if number in sheet.right else "left")
        for row in sheet.rows:
            table.add_row(*(Text("  ".join(_pieces(cell, quoted))) for cell in row))
        console.print(table if sheet.rows else Text(sheet.title, style="italic"))
        for line in sheet.words:
            console.print(Text(line))
        console.print()


def to_markdown(found: Iterable[Sheet]) -> str:
    """The same tables in Markdown."""
    lines: list[str] = []
    for sheet in found:
        lines += [f"### {sheet.title}", ""] if sheet.title else []
        # Two spaces break a line.
        lines += [line + "  " for line in sheet.words[:-1]]
        lines += [sheet.words[-1], ""] if sheet.words else []
        if sheet.rows:
            columns = range(len(sheet.heads))
            table = [sheet.heads, tuple("---:" if n in sheet.right else "---" for n in columns)]
            table += [tuple(" ".join(_pieces(cell, _code)) for cell in row) for row in sheet.rows]
            lines += ["| " + " | ".join(cells) + " |" for cells in table]
            lines.append("")
    return "\n".join(lines)


def _pieces(cell: Cell, shown: Callable[[str], str]) -> list[str]:
    return [*([cell.words] if cell.words else []), *map(shown, cell.texts)]


def _code(text: str) -> str:
    """A code span that may stand in a table (GFM 4.10: a pipe is escaped there even in code)."""
    inner, fence = quoted(text), "`"
    while fence in inner:
        fence += "`"
    return fence + inner.replace("|", "\\|") + fence


def write(path: Path, tables: str) -> None:
    """Put the tables between the two marks of a file. Errors: ValueError if a mark is missing."""
    text = path.read_text("utf-8")
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path} lacks {BEGIN} or {END}")
    path.write_text(f"{head}{BEGIN}\n\n{tables}\n{END}{tail}", "utf-8")
