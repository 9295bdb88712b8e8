"""The report of a scan as a page: one file that loads nothing and runs nothing.

Owns the page. Imports ``summary``, the plots and the palette. Invariant: all contents of files are
escaped and in visible form; every figure of a plot is also in a table or in words; nothing is shown
only by color.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import islice
from math import inf
from pathlib import Path

from ....lint.codes import violation_title
from ....text.columns import ELLIPSIS
from ....text.drawing import short, visible
from ....text.palette import COMPONENTS, component_class, variables
from ..summary import Counts, Example, ranked
from . import NOTHING, About, facts, first_files, percent
from .plots import Bar, bars, cell, histogram, strip

__all__ = ["report_html"]

_MOST = 25
"""Hosts and files that are listed."""

_MOST_BARS = 20
_LONGEST = 300  # characters of a name
_SPACE = "␣"
_MOST_PLACES = 8
_FEW_FILES = 4  # so few need no plot
_BUCKETS = (
    ("none", 0.0),
    ("≤0.01%", 0.0001),
    ("≤0.1%", 0.001),
    ("≤1%", 0.01),
    ("≤10%", 0.1),
    (">10%", inf),
)


def report_html(counts: Counts, about: About = NOTHING, *, title: str = "Scan") -> str:
    """The report as one HTML page. Cost: O(files + hosts); at most 25 of each are listed.

    >>> page = report_html(Counts(hosts={"<script>": 1}), title="<b>")
    >>> "<script" in page, "<h1>&lt;b&gt;</h1>" in page, "src=" in page
    (False, True, False)
    """
    return "\n".join(_page(counts, about, title)) + "\n"


def _page(counts: Counts, about: About, title: str) -> Iterator[str]:
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    kinds = "".join(f".c-{name}{{fill:var(--c-{name})}}" for name in COMPONENTS)
    sections = [*_sections(counts)]
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f"<title>{_name(title)}</title>"
    yield f"<style>\n{variables(':root')}\n{style}{kinds}\n</style>\n</head>\n<body>\n<main>"
    yield f'<header>\n<p class="kind">uriproof scan</p>\n<h1>{_name(title)}</h1>'
    yield f'<p class="verdict">{_verdict(counts)}</p>'
    yield from _run(about)
    yield "</header>"
    yield from _totals(counts, about)
    if len(sections) > 1:
        yield '<nav aria-label="Sections"><ul>'
        yield from (f'<li><a href="#{key}">{words}</a></li>' for key, words, _ in sections)
        yield "</ul></nav>"
    for key, words, lines in sections:
        if key == "components":
            yield '<div class="pair">'
        yield f'<section id="{key}" aria-labelledby="{key}-heading">'
        yield f'<h2 id="{key}-heading">{words}</h2>'
        yield from lines
        yield "</section>"
        if key == "productions":
            yield "</div>"
    yield from _notes(counts)
    yield "</main>\n</body>\n</html>"


def _sections(counts: Counts) -> Iterator[tuple[str, str, Iterable[str]]]:
    """The id, the heading and the lines of each section that has something to show."""
    if counts.violations:
        yield "components", "Components", _components(counts)
        yield "productions", "Productions", _productions(counts)
        yield "codes", "Codes", _codes(counts)
    if counts.hosts:
        yield "hosts", "Hosts", _hosts(counts)
    if counts.files:
        yield "files", "Files", _files(counts)


def _verdict(counts: Counts) -> str:
    if not counts.rows:
        return "No rows were read."
    if counts.invalid:
        share = percent(counts.invalid, counts.rows)
        rows = f"{counts.rows:,} row{'s' * (counts.rows != 1)}"
        if len(counts.files) > 1:
            rows += f" in {len(counts.files):,} files"
        are = "is" if counts.invalid == 1 else "are"
        return f'<b class="bad">{counts.invalid:,}</b> of {rows} {are} invalid ({share}).'
    return '<b class="ok">No row is invalid.</b>'


def _run(about: About) -> Iterator[str]:
    """The facts of the scan."""
    lines = [*about.lines, *([("Made", about.made)] if about.made else [])]
    if lines:
        yield '<dl class="run">'
        yield from (f"<div><dt>{_name(k)}</dt><dd>{_name(v)}</dd></div>" for k, v in lines)
        yield "</dl>"


def _totals(counts: Counts, about: About) -> Iterator[str]:
    valid = counts.rows - counts.null - counts.invalid
    parts = [
        Bar("Valid", valid, _of(valid, counts.rows), "valid"),
        Bar("Invalid", counts.invalid, _of(counts.invalid, counts.rows), "invalid"),
        Bar("Null", counts.null, _of(counts.null, counts.rows), "null"),
    ]
    figures = [("rows", f"{counts.rows:,}"), *facts(counts, about)]
    yield '<section aria-labelledby="totals-heading">\n<h2 id="totals-heading">Rows</h2>'
    if counts.rows:
        yield strip("totals", "Rows by verdict, from left to right", parts)
        yield '<ul class="legend">'
        for part in parts:
            yield f'<li class="{part.kind}"><i></i>{part.name} <b>{part.words}</b></li>'
        yield "</ul>"
    yield '<dl class="figures">'
    yield from (
        f"<div><dt>{name.capitalize()}</dt><dd>{value}</dd></div>" for name, value in figures
    )
    yield "</dl>\n</section>"


def _components(counts: Counts) -> Iterator[str]:
    names = [name for name in COMPONENTS if name in counts.components]
    names += [name for name in ranked(counts.components) if name not in names]
    found = {name: counts.components[name] for name in names}
    return _charted("component", ", in the order of the text", found, counts.violations)


def _productions(counts: Counts) -> Iterator[str]:
    found = ranked(counts.productions)
    return _charted("production", " of the grammar", found, counts.violations)


def _charted(what: str, more: str, found: dict[str, int], whole: int) -> Iterator[str]:
    yield f"<p>Violations by {what}{more}.</p>"
    shown = [_bar(name, value, whole) for name, value in islice(found.items(), _MOST_BARS)]
    yield bars(what, f"Violations by {what}", shown)
    yield from _more(len(found) - _MOST_BARS, what)


def _codes(counts: Counts) -> Iterator[str]:
    found = ranked(counts.codes)
    most = max(found.values())
    names = (
        f'<a href="#code-{at}"><code>{_name(code)}</code></a>'
        + cell(found[code], most, component_class(code))
        for at, code in enumerate(found)
    )
    rows = (
        (name, f"{value:,}", percent(value, counts.violations))
        for name, value in zip(names, found.values(), strict=True)
    )
    yield from _table("Violations by code", ("Code", "Violations", "Share"), rows)
    for at, code in enumerate(found):
        of = _of(found[code], counts.violations)
        yield f'<article class="code" id="code-{at}"><h3><code>{_name(code)}</code>'
        yield f'<span class="muted">{of}</span></h3>'
        if title := violation_title(code):
            yield f"<p>{_name(title)}.</p>"
        for example in counts.examples.get(code, ()):
            yield f'<figure><p class="text">{_marked(example)}</p>'
            yield f"<figcaption>{_place(example)}</figcaption></figure>"
        yield "</article>"


def _hosts(counts: Counts) -> Iterator[str]:
    found = ranked(counts.hosts)
    most = max(found.values())
    at_least = "At least so many invalid rows" if counts.missed else "Invalid rows"
    yield from _table(
        f"{at_least} by host, most first",
        ("Host", "Invalid rows", "Share"),
        (
            (
                f"<code>{_name(host)}</code>{cell(value, most, 'c-host')}",
                f"{value:,}",
                percent(value, counts.invalid),
            )
            for host, value in islice(found.items(), _MOST)
        ),
    )
    yield from _more(len(found) - _MOST, "host")
    if counts.missed:
        rows = f"{counts.missed:,} row{'s' * (counts.missed != 1)}"
        yield f'<p class="muted">Not all hosts were kept: each might have up to {rows} more.</p>'


def _files(counts: Counts) -> Iterator[str]:
    files = counts.files
    if len(files) > _FEW_FILES:
        yield "<p>Number of files by their share of invalid rows.</p>"
        yield histogram("shares", "Files by their share of invalid rows", _by_share(counts))
    names = first_files(files)
    most = max(of.invalid for of in files.values())
    yield from _table(
        "Files, those with most invalid rows first",
        ("File", "Invalid", "Share", "Rows", "Null", "Broken"),
        (
            (
                f"<code>{_name(name)}</code>{cell(of.invalid, most) if most else ''}",
                f"{of.invalid:,}",
                percent(of.invalid, of.rows),
                *map("{:,}".format, (of.rows, of.null, of.broken)),
            )
            for name, of in ((name, files[name]) for name in names[:_MOST])
        ),
    )
    yield from _more(len(names) - _MOST, "file")


def _by_share(counts: Counts) -> list[Bar]:
    """How many files there are with each share of invalid rows; the last bucket takes the rest."""
    found = dict.fromkeys((name for name, _ in _BUCKETS), 0)
    for of in counts.files.values():
        share = of.invalid / of.rows if of.rows else 0.0
        found[next(name for name, most in _BUCKETS if share <= most)] += 1
    return [
        Bar(name, value, f"{value:,}", "invalid" * (name != _BUCKETS[0][0]))
        for name, value in found.items()
    ]


def _notes(counts: Counts) -> Iterator[str]:
    yield '<section aria-labelledby="notes-heading" class="notes">'
    yield '<h2 id="notes-heading">How to read it</h2>\n<ul>'
    yield "<li>A row is invalid if its text has violations of the grammar: one or more.</li>"
    yield "<li>Null rows have no text, and are neither valid nor invalid.</li>"
    yield "<li>Rows of a file and characters of a text count from 0.</li>"
    yield (
        "<li>Examples are the first rows with the code. Passwords are asterisks, "
        f"{_SPACE} is a space, and a character without a glyph is an escape.</li>"
    )
    if counts.broken:
        yield (
            "<li>Broken rows could not be read, such as lines that are not JSON; they are not "
            "among the rows.</li>"
        )
    yield "</ul>\n</section>"


def _table(caption: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table with a caption, whose first column names its rows; all cells are HTML."""
    yield f'<div class="scroll" role="region" aria-label="{escape(caption)}" tabindex="0">'
    yield f"<table><caption>{escape(caption)}</caption>"
    columns = "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield f"<thead><tr>{columns}</tr></thead>\n<tbody>"
    for first, *others in rows:
        cells = "".join(f"<td>{one}</td>" for one in others)
        yield f'<tr><th scope="row">{first}</th>{cells}</tr>'
    yield "</tbody></table></div>"


def _more(left: int, what: str) -> Iterator[str]:
    if left > 0:
        yield f'<p class="muted">{ELLIPSIS} and {left:,} more {what}{"s" * (left != 1)}</p>'


def _marked(example: Example) -> str:
    """The text of an example with the blamed characters marked; ``+`` for missing parts."""
    pieces = [f'<span class="muted">{ELLIPSIS}</span>'] if example.first else []
    at = 0
    for start, end in example.spans:
        pieces.append(_shown(example.text[at:start]))
        pieces.append(f"<mark>{_shown(example.text[start:end]) or '+'}</mark>")
        at = end
    pieces.append(_shown(example.text[at:]))
    if (left := example.length - example.first - len(example.text)) > 0:
        rest = f"{ELLIPSIS} {left:,} more character{'s' * (left != 1)}"
        pieces.append(f'<span class="muted">{rest}</span>')
    return "".join(pieces) or '<span class="muted">(empty)</span>'


def _place(example: Example) -> str:
    """The place of an example, and the blamed characters."""
    places = [
        f"{start + example.first:,}"
        + (f"-{end + example.first - 1:,}" if end > start + 1 else "")
        + ("" if end > start else " (missing)")
        for start, end in example.spans
    ]
    if len(places) > _MOST_PLACES:
        places = [*places[:_MOST_PLACES], ELLIPSIS]
    many = len(places) > 1 or any("-" in place for place in places)
    at = f", character{'s' * many} {', '.join(places)}" if places else ""
    return f"{_name(example.file)}, row {example.row:,}{at}"


def _bar(name: str, value: int, whole: int) -> Bar:
    return Bar(name, value, _of(value, whole), component_class(name))


def _of(value: int, whole: int) -> str:
    return f"{value:,} ({percent(value, whole)})"


def _shown(text: str) -> str:
    """A text in its visible form, with open boxes for spaces, escaped."""
    return escape(visible(text).replace(" ", _SPACE))


def _name(text: str) -> str:
    return escape(short(text, _LONGEST))
