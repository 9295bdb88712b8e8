"""The report of a scan as a page: one file that loads nothing and runs nothing.

Owns the page. Imports ``report``, ``results`` and the palette. Invariant: all contents of files are
escaped and in visible form; every bar stands beside its number; nothing is shown only by color.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from html import escape
from itertools import islice
from pathlib import Path

from ...limits import LONGEST_EXAMPLE
from ...lint.codes import violation_title
from ...text.columns import ELLIPSIS
from ...text.drawing import short
from ...text.names import some
from ...text.page import head, quoted
from ...text.palette import COMPONENTS, component_class, variables
from .report import Chart, charts, facts, missed, percent, place, verdict
from .results import Counts, Example, ranked

_MOST = 25
"""Names that a table lists."""

_LONGEST = 300  # characters of a name
_LEAST = 0.5  # percent of the width: any value but 0 is visible
_NOTES = (
    "A row is invalid if its text has violations of the grammar: one or more.",
    "Null rows have no text, and are neither valid nor invalid. Broken rows could not be read.",
    "Rows of a file and characters of a text count from 0.",
    "Passwords are asterisks, ␣ is a space, and a character without a glyph is an escape.",
)


def report_html(counts: Counts, about: Mapping[str, str], title: str = "Scan") -> str:
    """The report as one HTML page. Cost: O(files + hosts); at most 25 of each are listed.

    >>> page = report_html(Counts(), {}, title="<script>")
    >>> "<script" in page, "<h1>&lt;script&gt;</h1>" in page, "src=" in page
    (False, True, False)
    """
    return "\n".join(_page(counts, about, title)) + "\n"


def _page(counts: Counts, about: Mapping[str, str], title: str) -> Iterator[str]:
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    kinds = "".join(f".c-{name}{{background:var(--c-{name})}}" for name in COMPONENTS)
    yield head(_name(title), f"{variables(':root')}\n{style}{kinds}\n")
    kind = "bad" if counts.invalid else "ok"
    read = f"{some(counts.rows, 'row')} in {some(counts.read, 'file')}"
    yield f"<main>\n<header>\n<h1>{_name(title)}</h1>"
    yield f'<p>{read}: <b class="{kind}">{verdict(counts)}</b></p>\n<dl>'
    for name, value in {**about, "made": counts.made, **facts(counts)}.items():
        yield f"<div><dt>{_name(name.capitalize())}</dt><dd>{_name(value)}</dd></div>"
    yield "</dl>\n</header>"
    for chart in charts(counts):
        yield from _table(chart)
    yield f"<p>{missed(counts)}</p>" if counts.missed else ""
    yield "<h2>Examples</h2>" if counts.examples else ""
    for code in ranked(counts.codes):
        yield f"<h3><code>{_name(code)}</code> {_name(violation_title(code))}</h3>"
        for example in counts.examples.get(code, ()):
            yield f'<figure><p class="text">{_marked(example)}</p>'
            yield f"<figcaption>{_name(place(example))}</figcaption></figure>"
    yield '<section id="notes">\n<h2>How to read it</h2>\n<ul>'
    yield from (f"<li>{note}</li>" for note in _NOTES)
    yield "</ul>\n</section>\n</main>\n</body>\n</html>"


def _table(chart: Chart) -> Iterator[str]:
    """A table with a bar for each name, its number, and its share of the whole."""
    most = max(*chart.found.values(), 1)
    yield f'<section>\n<h2>{chart.title}</h2>\n<div class="scroll"><table>'
    yield f"<tr><th>{chart.head.capitalize()}</th><th>Number</th><th>Share</th></tr>"
    for name, value in islice(chart.found.items(), _MOST):
        size = max(100 * value / most, _LEAST) if value else 0
        kind = {"valid": "ok", "null": "none"}.get(name) or component_class(name) or "blame"
        bar = f'<i class="{kind}" style="width:{size:.4g}%"></i>'
        yield f"<tr><th><code>{_name(name)}</code>{bar}</th>"
        yield f"<td>{value:,}</td><td>{percent(value, chart.whole)}</td></tr>"
    yield "</table></div>"
    if (left := len(chart.found) - _MOST) > 0:
        yield f"<p>{ELLIPSIS} and {some(left, f'more {chart.head}')}</p>"
    yield "</section>"


def _marked(example: Example) -> str:
    """The text of an example with the blamed characters marked; ``+`` for missing parts."""
    pieces: list[str] = []
    at = 0
    for start, end in example.spans:
        pieces.append(_quoted(example.text[at:start]))
        pieces.append(f"<mark>{_quoted(example.text[start:end]) or '+'}</mark>")
        at = end
    return "".join([*pieces, _quoted(example.text[at:])]) or "(empty)"


_quoted = partial(quoted, most=LONGEST_EXAMPLE)


def _name(text: str) -> str:
    return escape(short(text, _LONGEST))
