"""Suppressions: comments that say which findings are known, and why.

Owns their syntax and their effect. Imports ``diagnostic`` and ``lint.source``. Invariant: what a
suppression does not name is said all the same, and one that suppresses nothing is told of.

In a comment of any syntax, with codes (or beginnings of codes) in brackets, or none for all, and a
reason after them::

    uriproof: ignore[path-illegal] reason      what starts on this line
    uriproof: ignore-next-line[…] reason       what starts on the next line that is not blank
    uriproof: disable[…] reason                from here on …
    uriproof: enable[…]                        … to here
    uriproof: ignore-file[…] reason            in the whole file
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ..diagnostic import Diagnostic, Edit
from .source import Lines

__all__ = ["MARK", "Suppression", "apply", "suppressions"]

MARK = "uriproof:"
"""What every suppression holds: a file without it has none."""

_VERBS = ("ignore", "ignore-next-line", "ignore-file", "disable", "enable")
_DIRECTIVE = re.compile(
    rf"{MARK}[ \t]*(?P<verb>[a-z]+(?:-[a-z]+)*)[ \t]*"
    r"(?:\[(?P<codes>[^\]\r\n]*)\])?(?=(?P<rest>[^\r\n]*))"
)

# What begins a comment, or a line of one, in the languages that people write. Quotes are not
# among them: in all languages but two they begin a string.
_OPENERS = (
    *("#", "//", "///", "/*", "*", "<!--", "--", ";", "%", "..", "(*", "{#", "{-", "!", "{/*"),
    *("<%--", "{{!", "{{!--", "{*", "[//]: # (", "REM", "rem", "dnl", "@c", '.\\"'),
)
_CLOSERS = ("--%>", "--}}", "-->", "*/}", "*/", "*)", "#}", "-}", "*}", "}}", ")")

_CODE = re.compile(r"[^\s,]+")


@dataclass(slots=True)
class Suppression:
    """One comment: where it stands, what it names, and the lines that it speaks of.

    ``codes`` holds the selectors with their offsets; empty for all. ``used`` holds those of them
    that have suppressed something, ``""`` for all.
    """

    verb: str
    start: int
    end: int
    line: int
    codes: tuple[tuple[str, int], ...]
    reason: str
    first: int
    last: int
    removal: tuple[int, int] | None = None
    used: set[str] = field(default_factory=set)

    def names(self, code: str) -> str | None:
        """The selector that names a code, ``""`` for all; None if none does."""
        if not self.codes:
            return ""
        return next((c for c, _ in self.codes if code.startswith(c)), None)


def suppressions(text: str, lines: Lines) -> list[Suppression]:
    r"""The suppressions of a text, in order. Cost: O(n).

    >>> text = "# uriproof: ignore-next-line[path] so it is\nhttp://a/ /"
    >>> [(s.verb, s.codes, s.reason, s.first) for s in suppressions(text, Lines(text))]
    [('ignore-next-line', (('path', 29),), 'so it is', 2)]
    """
    found: list[Suppression] = []
    blocks: list[Suppression] = []
    for match in _DIRECTIVE.finditer(text):
        number, _ = lines.place(match.start())
        start, _ = lines.span(number)
        opener = _opener(text[start : match.start()])
        verb = match["verb"]
        if opener is None or (verb not in _VERBS and match["codes"] is None and not _near(verb)):
            continue
        rest, closer = _ended(match["rest"])
        codes = tuple(
            (code[0], match.start("codes") + code.start())
            for code in _CODE.finditer(match["codes"] or "")
        )
        end = match.start("rest") + len(rest.rstrip())
        reason = rest.strip(" \t:-–—")  # noqa: RUF001 -- dashes that people set before a reason
        one = Suppression(verb, match.start(), end, number, codes, reason, number, number)
        comment = start + opener, match.start("rest") + len(rest) + closer
        one.removal = _removal(text, lines, number, comment)
        if verb == "ignore-file":
            one.first, one.last = 1, len(lines)
        elif verb == "ignore-next-line":
            one.first = one.last = _next(text, lines, number)
        elif verb == "disable":
            one.last = len(lines)
            blocks.append(one)
        elif verb == "enable":
            wanted = {code for code, _ in codes}
            for block in [*blocks]:
                if not wanted or {code for code, _ in block.codes} <= wanted:
                    block.last = number
                    one.used.add("")
                    blocks.remove(block)
        found.append(one)
    return found


def _opener(before: str) -> int | None:
    """Where the comment begins in what stands before the mark on its line, if it is one."""
    stripped = before.rstrip()
    opener = max((o for o in _OPENERS if stripped.endswith(o)), key=len, default=None)
    if opener is None:
        # Vim's script and Visual Basic begin a comment with a quote; the line holds nothing else.
        return len(before) - len(before.lstrip()) if stripped.strip() in {'"', "'"} else None
    at = len(stripped) - len(opener)
    # In text about suppressions they stand between backticks.
    return None if stripped[:at].endswith("`") else at


def _ended(rest: str) -> tuple[str, int]:
    """What stands before the end of the comment, or the next one, and the length of that end."""
    again = rest.find(MARK)
    rest = rest if again < 0 else rest[:again]
    ends = [(at, closer) for closer in _CLOSERS[:-1] if (at := rest.find(closer)) >= 0]
    if ends:
        at, closer = min(ends, key=lambda end: (end[0], -len(end[1])))
        return rest[:at], len(closer)
    return rest, 0


def _removal(
    text: str, lines: Lines, number: int, comment: tuple[int, int]
) -> tuple[int, int] | None:
    """What to take out to be rid of a comment that ends its line: it, or its whole line."""
    start, end = lines.span(number)
    if text[comment[1] : end].strip():
        return None
    if text[start : comment[0]].strip():
        return start + len(text[start : comment[0]].rstrip()), end
    return start, lines.span(number + 1)[0] if number < len(lines) else end


def _next(text: str, lines: Lines, number: int) -> int:
    """The next line that is neither blank nor a suppression of the next line itself."""
    for after in range(number + 1, len(lines) + 1):
        line = lines.line(after)
        if line.strip() and f"{MARK} ignore-next-line" not in line:
            return after
    return number


def _near(verb: str) -> tuple[str, ...]:
    from ..grammar.errors import near

    return near(verb, _VERBS, 1)


def apply(
    found: Iterable[Diagnostic], known: list[Suppression]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """What is not suppressed, and what is; marks the suppressions that were used.

    Cost: O(diagnostics times suppressions), of which a file has few.
    """
    said: list[Diagnostic] = []
    hushed: list[Diagnostic] = []
    for diagnostic in found:
        hit = False
        for one in known:
            if one.verb not in _VERBS or one.verb == "enable":
                continue
            meets = one.first <= diagnostic.line <= one.last or (
                one.verb == "ignore" and diagnostic.line <= one.line <= diagnostic.end_line
            )
            named = one.names(diagnostic.code) if meets else None
            if named is not None:
                one.used.add(named)
                hit = True
        (hushed if hit else said).append(diagnostic)
    return said, hushed


def unused(
    known: Iterable[Suppression], active: Callable[[str], bool]
) -> Iterator[tuple[int, int, str, Edit | None]]:
    """Where a suppression, or a code of one, suppresses nothing: its span, why, and the fix.

    A code that is not ``active`` now may be needed another time: nothing is said of it.
    """
    for one in known:
        removal = Edit(*one.removal, "", True) if one.removal else None
        if one.verb not in _VERBS:
            meant = _near(one.verb)
            hint = f"; did you mean {meant[0]}?" if meant else f"; they are {', '.join(_VERBS)}"
            yield one.start, one.end, f"there is no suppression {one.verb!r}{hint}", None
        elif not one.codes:
            if "" not in one.used:
                what = "no block is open here" if one.verb == "enable" else "it suppresses nothing"
                yield one.start, one.end, what, removal
        elif one.verb == "enable":
            if not one.used:
                yield one.start, one.end, "no block of these codes is open here", removal
        else:
            idle = [(c, at) for c, at in one.codes if c not in one.used and active(c)]
            if len(idle) == len(one.codes):
                yield one.start, one.end, "it suppresses nothing", removal
            else:
                for code, at in idle:
                    yield at, at + len(code), f"{code} is not found here", None
