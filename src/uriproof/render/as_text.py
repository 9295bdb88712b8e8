"""Reports as text for a person: the text with carets, then a sentence for each mistake.

Owns ``str(report)``, too, which a ``Report`` asks for by name.

May import ``text``, ``report`` and the words of ``validate``. Invariant: nothing of a checked
text reaches the output but in its visible form, and no line needs color to be understood.

Three depths. A valid text takes one line if it was given by itself, and none if it was one of many
read from a file. Below an invalid one, each mistake has a sentence, with the places that it is
about, and the production that is not met, with its section. With ``style.explain``, also what was
expected, and the production's own rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..report import Report, Suggestion, Violation, brief
from ..text.columns import ELLIPSIS
from ..text.drawing import draw, rows, short, visible
from ..text.facts import DIM, MARGIN, Fact, lay_out, places, wrapped
from ..text.names import or_list
from ..validate.words.messages import describe_character, told
from . import Entry, Style

_MOST = 20
"""Violations shown one by one in one report, a screen of them; the rest are counted."""
_MOST_SHOWN = 2_000
"""Characters of a text that may be copied."""
_WIDEST = 40
"""Columns of the verdict beside which a text is drawn; below a longer one it has more room."""
_DEFAULT_RULE = "URI"
"""The rule that nobody needs to be told."""

_RED, _GREEN, _CYAN, _BOLD = "31;1", "32", "36", "1"


def render(entries: Iterable[Entry], style: Style) -> Iterator[str]:
    """The entries as text, a blank line between drawings. Memory: one report."""
    before = ""
    for entry in entries:
        lines = list(_lines(entry, style))
        if lines:
            # A drawing stands free; one-line verdicts follow each other closely.
            loose = len(lines) > 1
            yield "\n" * bool(before and (loose or before == "loose"))
            yield "\n".join(lines) + "\n"
            before = "loose" if loose else "close"


def drawing(report: Report) -> str:
    """The text with carets under the blamed characters, and a sentence for each mistake."""
    return "\n".join(_lines(Entry(report), Style(advice=False)))


def _lines(entry: Entry, style: Style) -> Iterator[str]:
    """What is said of one entry; nothing of a valid one of many."""
    report = entry.report.masked()
    advises = entry.place is None or not report.ok if style.advice is None else style.advice
    advice = report.advice if advises else ()
    if report.ok and entry.place is not None and not advice:
        return
    suggested = report.suggestions if advice or not report.ok else ()
    if suggested and not (report.ok or style.explain):
        advice = ()  # it is about the text as it is, and another one was meant
    yield from _drawn(report, entry, style, suggested)
    listed = report.violations if style.explain else _left(report, suggested)
    shown = listed[:_MOST]
    facts = list(_facts(shown, style))
    for one in advice:
        facts.append(Fact("advice", f"{one.start}", one.message, one.code, color=_CYAN))
    yield from lay_out(facts, style.width, style.color)
    more = len(listed) - len(shown) + report.more
    if more and shown:
        yield f"{' ' * MARGIN}{ELLIPSIS} and {more:,} more violations"
    if not report.ok and report.fixed is not None:
        fixed = style.paint(short(report.fixed, _MOST_SHOWN), _GREEN)
        yield f"{' ' * MARGIN}{style.paint('fixed', _GREEN)}  {fixed}"


def _drawn(
    report: Report, entry: Entry, style: Style, suggested: Sequence[Suggestion]
) -> Iterator[str]:
    """The verdict, and beside it the text, with carets if it is not valid; and what was meant."""
    place = f"{visible(str(entry.place))}: " if entry.place else ""
    rule = f" {report.rule}" * (report.rule != _DEFAULT_RULE)
    verdict, color = ("valid", _GREEN) if report.ok else ("invalid", _RED)
    indent = len(place) + len(verdict) + len(rule) + 2
    head = style.paint(place, _BOLD) + style.paint(verdict + rule, color) + "  "
    if report.ok:
        yield head + draw(report.text, [], style.width - min(indent, _WIDEST))[0]
        yield from _meant("", suggested, style, indent)
        return
    if indent > _WIDEST:
        yield head.rstrip()
        head, indent = " " * MARGIN, MARGIN
    # In a text that is meant otherwise, what is missing is in the text that is suggested.
    whole = bool(suggested) and not style.explain
    spans = [(v.start, v.end) for v in report.violations if v.start < v.end or not whole]
    for line, *marks in rows(report.text, spans, style.width - indent):
        yield (head + line).rstrip()
        head = " " * indent
        for mark in "\n".join(filter(None, marks)).splitlines():
            yield head + style.paint(mark, _RED)
    if suggested or style.explain:
        yield from _meant(_reason(report, suggested), suggested, style, indent)


def _left(report: Report, suggested: Sequence[Suggestion]) -> Sequence[Violation]:
    """The violations that the reason of the first suggestion does not explain.

    A reason that is the hint of none of the violations of a character, and names it, is about them:
    that of a second mistake, which was found when the first was corrected.
    """
    reason = suggested[0].reason if suggested else ""
    others = [v for v in report.violations if not (v.hint and v.hint in reason)]
    explained = {v.found for v in report.violations if v.hint and v.hint in reason}
    return [v for v in others if v.found in explained or not _names(reason, v.found)]


def _names(sentence: str, found: str) -> bool:
    """Whether a sentence names each of the characters that were found."""
    return bool(found) and all(describe_character(char) in sentence for char in found)


def _reason(report: Report, suggested: Sequence[Suggestion]) -> str:
    """Why the text as a whole is wrong, if that is known."""
    known = [one.reason for one in suggested[:1]]
    known += [v.hint for v in report.violations if v.hint and v.hint is brief(v)]
    return known[0] if known else ""


def _meant(
    reason: str, suggested: Sequence[Suggestion], style: Style, indent: int
) -> Iterator[str]:
    """What was probably meant, after the reason; no text is broken that somebody may copy."""
    texts = [style.paint(short(one.text, _MOST_SHOWN), _GREEN) for one in suggested]
    question = f"Did you mean {', or '.join(texts)}?" if texts else ""
    length = (
        len(reason) + len(question) - sum(map(len, texts)) + sum(len(s.text) for s in suggested)
    )
    lines = [f"{reason} {question}".strip()]
    if length + indent >= style.width:
        lines = [*wrapped(reason, style.width - indent), question]
    yield from (f"{' ' * indent}{line}" for line in lines if line)


def _facts(violations: Iterable[Violation], style: Style) -> Iterator[Fact]:
    """One for each mistake, in the order of the first violation of each."""
    mistakes: dict[tuple[str, ...], list[Violation]] = {}
    for one in violations:
        words = one.message if style.explain else brief(one)
        whole = words is one.hint  # then it says all
        about = () if whole else (one.component, one.production, one.hint or "")
        mistakes.setdefault((words, *about), []).append(one)
    before, explained = "", set[str]()
    for (words, *_), alike in mistakes.items():
        first = alike[0]
        document, _, section = first.section.partition(" §")
        cited = f"§{section}" if section and document == before else first.section
        before = document or before
        source = ", ".join(filter(None, (first.production * bool(first.rule), cited)))
        below = _explained(alike, first.source in explained, style) if style.explain else ()
        explained.add(first.source)
        where = places([(v.start, v.end) for v in alike])
        sentence = words if style.explain and brief(first) is first.hint else told(alike)
        yield Fact(first.component, where, sentence, source, tuple(below))


def _explained(alike: Sequence[Violation], known: bool, style: Style) -> Iterator[str]:
    """What was expected, and the production's rule if it was not yet shown."""
    expected = [*dict.fromkeys(element for v in alike for element in v.expected)]
    if expected:
        yield f"expected: {or_list(expected)}"
    if not known:
        for line in _abnf(alike[0]):
            yield style.paint(line, _CYAN)
        if alike[0].source:
            yield style.paint(f"; {alike[0].source}", DIM)


def _abnf(violation: Violation) -> list[str]:
    """The production's own ABNF, lines as written, without the padding of the whole grammar."""
    if not violation.rule:
        return []
    first, *others = violation.rule.strip().splitlines()
    name, equals, right = first.partition("=")
    shift = len(first)
    if not others:
        right = f" {right.lstrip()}"
    first = f"{name.rstrip()} {equals}{right}" if equals else first
    shift -= len(first)
    return [first, *(line[min(shift, len(line) - len(line.lstrip())) :] for line in others)]
