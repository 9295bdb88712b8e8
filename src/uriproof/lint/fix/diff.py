r"""Differences that edits make in a file, as patch and git apply read them.

Owns the unified format, and what of a file can be in a patch. Imports ``text`` and ``lint.files``.
Invariant: git apply makes of the file what ``--fix`` would, to the byte, whatever its bytes, its
line ends and its name, so far as the patch goes; no line that is secret is in it.

>>> edits = [Edit(2, 3, "B", True)]
>>> lines, _ = patch("a.txt", "a\nb\nc\n", "a\nB\nc\n", changed("a\nb\nc\n", edits))
>>> print("".join(lines), end="")
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 a
-b
+B
 c
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from ...diagnostic import Edit
from ...text.columns import paint
from ...text.drawing import visible
from ...text.paths import below
from ..files.source import Source, encoded
from .fixes import NotWritten

__all__ = ["changed", "diff", "patch", "patch_of"]

_CONTEXT = 3  # lines, as git and diff have them
_NO_END = "\\ No newline at end of file\n"
_BOLD = "1"
_COLORS = {"-": "31", "+": "32", "@": "36"}

Change = tuple[int, int, int, int]
"""Lines [a, b) of the one text become [c, d) of the other; numbers count from 0."""

_WIDE = ("utf-16", "utf-32")


def changed(text: str, edits: Iterable[Edit]) -> list[Change]:
    """The lines that edits change, which are in text order; adjacent lines in one.

    A line that an edit only joins with another is one of them. Cost: O(n).
    """
    changes: list[Change] = []
    at = line = moved = 0
    for edit in edits:
        first = line + text.count("\n", at, edit.start)
        line = first + text.count("\n", edit.start, edit.end)
        at = edit.end
        a, c = first, first + moved
        moved += edit.replacement.count("\n") - (line - first)
        if changes and changes[-1][1] >= a:
            a, _, c, _ = changes.pop()
        changes.append((a, line + 1, c, line + 1 + moved))
    return changes


def diff(
    file: str, before: str, after: str, changes: Iterable[Change], color: bool
) -> Iterator[str]:
    """The difference for people, a line at a time, without control characters; empty if there is
    none. Secrets are masked already. Cost: O(n)."""
    one, other = _lines(before), _lines(after)
    trimmed = _trimmed(one, other, changes)
    if trimmed:
        for head in f"--- a/{visible(file)}", f"+++ b/{visible(file)}":
            yield f"{paint(head, _BOLD, color)}\n"
        for line in _hunks(one, other, trimmed, ()):
            yield _shown(line, color)


def patch_of(
    source: Source, text: str, edits: Iterable[Edit], masked: Callable[[str], str]
) -> tuple[list[str], list[int]]:
    """The patch that turns a file into a text, for the folder that the run began in, and the lines
    of changes left out of it.

    The lines of the patch are bytes, in UTF-8 if they are valid (PEP 383). ``masked`` hides the
    passwords of a text: no line that has one is in the patch.

    Errors: NotWritten, for changes that git does not patch.
    """
    if source.encoding.startswith(_WIDE):
        raise NotWritten(source.file, f"{source.encoding.upper()}, of which git makes no patch")
    name: str | None = source.file
    if not source.file.startswith("<"):
        # A link stays unchanged: the patch is for its target.
        name = below(os.path.realpath(source.file), os.path.realpath(""))
    if name is None:
        raise NotWritten(source.file, "outside of the working directory, so git would not apply it")

    def octets(of: str) -> str:
        return encoded(of, source).decode("utf-8", "surrogateescape")

    shown = octets(masked(source.text)), octets(masked(text))
    changes = changed(source.text, edits)
    return patch(name, octets(source.text), octets(text), changes, shown)


def patch(
    file: str,
    before: str,
    after: str,
    changes: Iterable[Change],
    shown: tuple[str, str] | None = None,
) -> tuple[list[str], list[int]]:
    """The difference for git apply, a line at a time, and the lines whose changes are not in it.

    The texts are the bytes of the files, in UTF-8 if they are valid (PEP 383). ``shown`` are the
    same two with secrets masked, line for line: no line that differs there is in the patch. A
    change is left out if it is in such a line, or right above one: all that surrounds it then has
    to be shorter, and git apply takes a change without a line below it for one at the end.

    A line ends only with LF, as for patch: other line ends are part of them. Cost: O(n).
    """
    one, other = _lines(before), _lines(after)
    masked, also = map(_lines, shown or (before, after))
    secret = {at for at, line in enumerate(one) if line != masked[at]}
    new = {at for at, line in enumerate(other) if line != also[at]}
    kept: list[Change] = []
    left: list[int] = []
    for change in _trimmed(one, other, changes):
        a, b, c, d = change
        if secret.isdisjoint(range(a, b + 1)) and new.isdisjoint(range(c, d)):
            kept.append(change)
        else:
            left += range(a + 1, max(a + 1, b) + 1)
    if not kept:
        return [], left
    head = [f"--- {_quoted(f'a/{file}')}\n", f"+++ {_quoted(f'b/{file}')}\n"]
    return [*head, *_hunks(one, other, kept, secret)], left


_ESCAPES = {"\n": "n", "\t": "t", "\r": "r", '"': '"', "\\": "\\"}


def _quoted(name: str) -> str:
    r"""A name as git writes it: in quotes if it holds an end mark or is not text.

    >>> _quoted("a/b c\n"), _quoted("a/b c")
    ('"a/b c\\n"', 'a/b c\t')
    """
    if name.isprintable() and not any(char in _ESCAPES for char in name):
        return f"{name}\t" if " " in name else name  # so that all of it is read
    pieces = ['"']
    for char in name:
        if char in _ESCAPES:
            pieces.append("\\" + _ESCAPES[char])
        elif char.isprintable():
            pieces.append(char)
        else:
            octets = char.encode("utf-8", "surrogateescape")
            pieces += (f"\\{octet:03o}" for octet in octets)
    return "".join(pieces) + '"'


def _lines(text: str) -> list[str]:
    """The lines, each with its LF, if it has one."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _trimmed(
    before: Sequence[str], after: Sequence[str], changes: Iterable[Change]
) -> list[Change]:
    """The changes without lines that stay at their ends, such as one after a line taken out."""
    found: list[Change] = []
    for a, b, c, d in changes:
        b, d = min(b, len(before)), min(d, len(after))  # noqa: PLW2901 -- no line after the last LF
        while a < b and c < d and before[a] == after[c]:
            a, c = a + 1, c + 1  # noqa: PLW2901
        while a < b and c < d and before[b - 1] == after[d - 1]:
            b, d = b - 1, d - 1  # noqa: PLW2901
        if (a, c) != (b, d):
            found.append((a, b, c, d))
    return found


def _hunks(
    before: list[str], after: list[str], changes: Iterable[Change], secret: Container[int]
) -> Iterator[str]:
    """The hunks, changes that are near to each other in one; secret lines are in none."""
    together: list[Change] = []
    moved = 0  # lines, by the hunks so far
    for change in changes:
        if together:
            gap = range(together[-1][1], change[0])
            if len(gap) > 2 * _CONTEXT or any(at in secret for at in gap):
                yield from _hunk(before, after, together, secret, moved)
                moved += sum((d - c) - (b - a) for a, b, c, d in together)
                together = []
        together.append(change)
    if together:
        yield from _hunk(before, after, together, secret, moved)


def _hunk(
    before: list[str], after: list[str], changes: list[Change], secret: Container[int], moved: int
) -> Iterator[str]:
    start, end = changes[0][0], changes[-1][1]
    for _ in range(_CONTEXT):
        start -= start > 0 and start - 1 not in secret
        end += end < len(before) and end not in secret
    longer = sum((d - c) - (b - a) for a, b, c, d in changes)
    yield f"@@ -{_range(start, end)} +{_range(start + moved, end + moved + longer)} @@\n"
    at = start
    for a, b, c, d in changes:
        yield from _marked(" ", before[at:a])
        yield from _marked("-", before[a:b])
        yield from _marked("+", after[c:d])
        at = b
    yield from _marked(" ", before[at:end])


def _range(start: int, end: int) -> str:
    """The first line and the number of lines; before the first if there are none."""
    count = end - start
    if count == 1:
        return f"{start + 1}"
    return f"{start + bool(count)},{count}"


def _marked(mark: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if line.endswith("\n"):
            yield f"{mark}{line}"
        else:
            yield f"{mark}{line}\n{_NO_END}"


def _shown(line: str, color: bool) -> str:
    """A line in its visible form."""
    body, _, rest = line.partition("\n")
    shown = "\t".join(visible(piece) for piece in body.removesuffix("\r").split("\t"))
    return f"{paint(shown, _COLORS.get(body[:1], ''), color and body[:1] in _COLORS)}\n{rest}"
