"""Suppressions: comments that name the diagnostics to suppress, and why.

Owns their syntax and their effect. Imports ``diagnostic`` and ``lint.files.source``. Invariant: a
diagnostic that no suppression names is reported.

In a comment of any syntax, with codes (or beginnings of codes) in brackets, or none for all, and a
reason after them::

    uriproof: ignore[path-illegal] reason      what starts on this line
    uriproof: ignore-next-line[…] reason       what starts on the next line that is not blank
    uriproof: disable[…] reason                from here on …
    uriproof: enable[…]                        … to here
    uriproof: ignore-file[…] reason            in the whole file
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from ...diagnostic import Diagnostic
from ...text.patterns import lazy
from ..files.source import Lines

MARK = "uriproof:"
"""Every suppression contains it."""

VERBS = ("ignore", "ignore-next-line", "ignore-file", "disable", "enable")
_DIRECTIVE = lazy(
    rf"{MARK}[ \t]*(?P<verb>[a-z]+(?:-[a-z]+)*)"
    r"(?:[ \t]*\[(?P<codes>[^\[\]\r\n]*+)\])?"
)

# The beginnings of comments, or of lines in them, in common languages. Quotes are not
# among them: in all languages but two they begin a string.
_OPENERS = (
    *("#", "//", "///", "/*", "*", "<!--", "--", ";", "%", "..", "(*", "{#", "{-", "!", "{/*"),
    *("<%--", "{{!", "{{!--", "{*", "[//]: # (", "REM", "rem", "dnl", "@c", '.\\"'),
)
_CLOSERS = ("--%>", "--}}", "-->", "*/}", "*/", "*)", "#}", "-}", "*}", "}}", ")")

_CODE = lazy(r"[^\s,]+")


class Suppression(NamedTuple):
    """One comment: its place, its names, and the lines that it covers, ``first`` to ``last``.

    ``codes`` holds the selectors with their offsets; empty for all. ``used`` holds those that have
    suppressed something, ``""`` for all. For a block, ``ends`` has the last line of each selector
    that is enabled again before ``last``.
    """

    verb: str
    start: int
    end: int
    line: int
    codes: tuple[tuple[str, int], ...]
    reason: str
    first: int
    last: int
    removal: tuple[int, int] | None
    used: set[str]
    ends: dict[str, int]

    @property
    def selectors(self) -> tuple[str, ...]:
        """The selectors; ``""`` stands for all codes."""
        return tuple(code for code, _ in self.codes) or ("",)

    def names(self, code: str) -> str | None:
        """The first selector that names a code, ``""`` for all; None if none does."""
        return next((c for c in self.selectors if code.startswith(c)), None)

    def lines(self, selector: str) -> tuple[int, int]:
        """The first and the last line that a selector covers."""
        return self.first, self.ends.get(selector, self.last)


def suppressions(text: str, lines: Lines) -> list[Suppression]:
    r"""The suppressions of a text, in order. Cost: O(n).

    >>> text = "# uriproof: ignore-next-line[path] known\nhttp://a/ /"
    >>> [(s.verb, s.codes, s.reason, s.first) for s in suppressions(text, Lines(text))]
    [('ignore-next-line', (('path', 29),), 'known', 2)]
    """
    found: list[Suppression] = []
    blocks: dict[str, list[Suppression]] = {}
    followed: list[int] = []
    before = 0  # no opener reaches back over the mark before
    for match in _DIRECTIVE.finditer(text):
        number, _ = lines.place(match.start())
        first, last = lines.span(number)
        start, before = max(first, before), match.start()
        opener = _opener(text[start : match.start()])
        verb = match["verb"]
        if opener is None or (verb not in VERBS and match["codes"] is None and not near_verb(verb)):
            continue
        begins = match.end()
        again = text.find(MARK, begins, last)
        rest, closer = _comment_end(text[begins : last if again < 0 else again])
        codes = tuple(
            (code[0], match.start("codes") + code.start())
            for code in _CODE.finditer(match["codes"] or "")
        )
        end = begins + len(rest.rstrip())
        reason = rest.strip(" \t:-–—")  # noqa: RUF001 -- dashes that people set before a reason
        comment = start + opener, begins + len(rest) + closer
        # Not before another one: the rest of the line would be read for each of them.
        removal = _removal(text, lines, number, comment) if again < 0 else None
        if verb == "ignore-next-line":
            followed = followed or _followed(lines)
        covered = _covered(verb, number, len(lines), followed)
        one = Suppression(
            *(verb, match.start(), end, number, codes, reason, *covered, removal), set(), {}
        )
        if verb == "disable":
            for selector in one.selectors:
                blocks.setdefault(selector, []).append(one)
        elif verb == "enable":
            _enable(one, blocks)
        found.append(one)
    return found


def _covered(verb: str, line: int, last: int, followed: list[int]) -> tuple[int, int]:
    """The first and the last line that a comment in a line covers, if no block is ended."""
    if verb == "ignore-file":
        return 1, last
    if verb == "ignore-next-line":
        return followed[line], followed[line]
    return line, last if verb == "disable" else line


def _enable(one: Suppression, blocks: dict[str, list[Suppression]]) -> None:
    """End the open blocks of the named selectors, or all. Cost: each block is ended once."""
    for selector in (*one.selectors, "") if one.codes else [*blocks]:
        for block in blocks.pop(selector, ()):
            block.ends[selector] = one.line
            one.used.add("")


def _opener(before: str) -> int | None:
    """The start of the comment in the text before the mark on its line, if it is one."""
    stripped = before.rstrip()
    opener = max((o for o in _OPENERS if stripped.endswith(o)), key=len, default=None)
    if opener is None:
        # Vim's script and Visual Basic begin a comment with a quote; the line holds nothing else.
        return len(before) - len(before.lstrip()) if stripped.strip() in {'"', "'"} else None
    at = len(stripped) - len(opener)
    # In text about suppressions they are between backticks.
    return None if stripped[:at].endswith("`") else at


def _comment_end(rest: str) -> tuple[str, int]:
    """The text before the end of the comment, and the length of that end."""
    ends = [(at, closer) for closer in _CLOSERS[:-1] if (at := rest.find(closer)) >= 0]
    if ends:
        at, closer = min(ends, key=lambda end: (end[0], -len(end[1])))
        return rest[:at], len(closer)
    return rest, 0


def _removal(
    text: str, lines: Lines, number: int, comment: tuple[int, int]
) -> tuple[int, int] | None:
    """The span to remove for a comment that ends its line: it, or its whole line."""
    start, end = lines.span(number)
    if text[comment[1] : end].strip():
        return None
    if text[start : comment[0]].strip():
        return start + len(text[start : comment[0]].rstrip()), end
    return start, lines.span(number + 1)[0] if number < len(lines) else end


def _followed(lines: Lines) -> list[int]:
    """For each line, the next that is neither blank nor a suppression of the next line; for the
    last ones, the line itself. Cost: O(n)."""
    found = [*range(len(lines) + 1)]
    following = 0
    for number in range(len(lines), 0, -1):
        found[number] = following or number
        line = lines.line(number)
        if line.strip() and f"{MARK} ignore-next-line" not in line:
            following = number
    return found


def near_verb(verb: str) -> str:
    """The verb that a misspelled one might stand for, or nothing."""
    from ...text.names import near

    return "".join(near(verb, VERBS, 1))


def apply(
    found: Iterable[Diagnostic], known: list[Suppression]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """The remaining and the suppressed diagnostics; marks the suppressions that were used.

    Cost: O(n log n) in diagnostics and selectors together, for each code that was found.
    """
    diagnostics = list(found)
    by_code: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        by_code.setdefault(diagnostic.code, []).append(diagnostic)
    active = [one for one in known if one.verb in VERBS and one.verb != "enable"]
    suppressed: set[int] = set()
    for code, same in by_code.items():
        named = [(one, name) for one in active if (name := one.names(code)) is not None]
        # A comment after a URL of several lines suppresses the diagnostics in any of them.
        behind = [n for n in named if n[0].verb == "ignore"]
        around = [n for n in named if n[0].verb != "ignore"]
        for part, ends in ((behind, "last_line"), (around, "line")):
            spans = [(d.line, getattr(d, ends)) for d in same]
            lines = [one.lines(name) for one, name in part]
            where = _Union(spans)
            for (one, name), span in zip(part, lines, strict=True):
                if where.meets(*span):
                    one.used.add(name)
            covered = _Union(lines)
            pairs = zip(same, spans, strict=True)
            suppressed.update(id(d) for d, span in pairs if covered.meets(*span))
    reported = [d for d in diagnostics if id(d) not in suppressed]
    return reported, [d for d in diagnostics if id(d) in suppressed]


class _Union:
    """Ranges of lines, first to last, put together. Cost: O(n log n), then O(log n) each."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self._firsts: list[int] = []
        self._lasts: list[int] = []
        for first, last in sorted(ranges):
            if self._lasts and first <= self._lasts[-1]:
                self._lasts[-1] = max(self._lasts[-1], last)
            else:
                self._firsts.append(first)
                self._lasts.append(last)

    def meets(self, first: int, last: int) -> bool:
        """Whether some line of a range is in one of these."""
        at = bisect_left(self._lasts, first)
        return at < len(self._firsts) and self._firsts[at] <= last
