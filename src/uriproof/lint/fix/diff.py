r"""Differences that edits make in a file, as patch and git apply read them.

Owns the unified format, the binary one of git, and which of them a file needs. Imports ``text`` and
``lint.files``. Invariant: git apply makes of the file what ``--fix`` would, to the byte, whatever
its bytes, its line ends and its name; of a line with a password, only the edits are in a patch.

>>> edits = [Edit(2, 3, "B", True)]
>>> lines = patch("a.txt", "a\nb\nc\n", "a\nB\nc\n", changed("a\nb\nc\n", edits))
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
import zlib
from base64 import b85encode
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...diagnostic import Edit
from ...text.columns import paint
from ...text.drawing import visible
from ...text.paths import below
from ..files.git import object_name
from ..files.source import Source, encoded
from .fixes import NotWritten

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
        for line in _hunks(one, other, trimmed):
            yield _shown(line, color)


def patch_of(
    source: Source, text: str, edits: Sequence[Edit], masked: Callable[[str], str]
) -> tuple[list[str], str]:
    """The patch that turns a file into a text, for the folder that the run began in, and why it is
    one that only git reads; empty if it is text.

    The lines of the patch are bytes, in UTF-8 if they are valid (PEP 383). ``masked`` hides the
    passwords of a text, line for line: if a line of the patch has one, the patch is binary.

    Errors: NotWritten, for changes that git does not patch.
    """
    name: str | None = source.file
    if not source.file.startswith("<"):
        # A link stays unchanged: the patch is for its target.
        name = below(os.path.realpath(source.file), os.path.realpath(""))
    if name is None:
        raise NotWritten(source.file, "outside of the working directory, so git would not apply it")
    if source.encoding.startswith(_WIDE):
        return _binary(name, source, text, edits), f"it is in {source.encoding.upper()}"

    def made(of: Callable[[str], str]) -> list[str]:
        one, other = (
            encoded(of(each), source).decode("utf-8", "surrogateescape")
            for each in (source.text, text)
        )
        return patch(name, one, other, changed(source.text, edits))

    lines = made(str)
    if lines == made(masked):
        return lines, ""
    return _binary(name, source, text, edits), "text would show a password"


def patch(file: str, before: str, after: str, changes: Iterable[Change]) -> list[str]:
    """The difference for git apply and patch, a line at a time.

    The texts are the bytes of the files, in UTF-8 if they are valid (PEP 383). A line ends only
    with LF, as for patch: other line ends are part of them. Cost: O(n).
    """
    one, other = _lines(before), _lines(after)
    trimmed = _trimmed(one, other, changes)
    if not trimmed:
        return []
    names = [_quoted(f"{side}/{file}") for side in "ab"]
    end = "\t" if " " in file and names[0][0] != '"' else ""  # so that all of the name is read
    head = [f"--- {names[0]}{end}\n", f"+++ {names[1]}{end}\n"]
    return [*head, *_hunks(one, other, trimmed)]


_COPIED = 0xFFFFFF  # bytes that one instruction copies at most, and 127 that one puts in
_PUT_IN = 0x7F
_OF_A_LINE = 52


def _binary(name: str, source: Source, text: str, edits: Iterable[Edit]) -> list[str]:
    """A patch in the binary format of git, which copies all but the edits from the file as it is:
    so nothing else of the file is in it.

    Source: "delta" of gitformat-pack, and the section "generating binary patches" of git-diff.
    Errors: NotWritten, if the encoding does not write pieces of a text as it does the whole.
    """
    before, after = encoded(source.text, source), encoded(text, source)
    bare = source._replace(bom=b"")
    made, result = bytearray(_number(len(before)) + _number(len(after))), b""
    start, end, at = 0, len(source.bom), 0  # of the bytes that are copied; in the text
    for edit in [*edits, Edit(len(source.text), len(source.text), "", True)]:
        end += len(encoded(source.text[at : edit.start], bare))
        for first in range(start, end, _COPIED):
            size = min(end - first, _COPIED)
            made += b"\xff" + first.to_bytes(4, "little") + size.to_bytes(3, "little")
        new = encoded(edit.replacement, bare)
        for first in range(0, len(new), _PUT_IN):
            piece = new[first : first + _PUT_IN]
            made += bytes((len(piece),)) + piece
        result += before[start:end] + new
        start = end = end + len(encoded(source.text[edit.start : edit.end], bare))
        at = edit.end
    if result != after:
        raise NotWritten(source.file, f"in {source.encoding}, of which there is no patch")
    packed = zlib.compress(bytes(made))
    lines = [packed[at : at + _OF_A_LINE] for at in range(0, len(packed), _OF_A_LINE)]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"  # of the bytes in a line
    return [
        f"diff --git {_quoted(f'a/{name}')} {_quoted(f'b/{name}')}\n",
        f"index {object_name(before)}..{object_name(after)}\n",
        f"GIT binary patch\ndelta {len(made)}\n",
        *(f"{letters[len(one) - 1]}{b85encode(one, pad=True).decode()}\n" for one in lines),
        "\n",
    ]


def _number(size: int) -> bytes:
    """A number, seven bits in a byte, the lowest first."""
    found = bytearray()
    while size > 0x7F:  # noqa: PLR2004
        found.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes((*found, size))


_ESCAPES = {"\n": "n", "\t": "t", "\r": "r", '"': '"', "\\": "\\"}


def _quoted(name: str) -> str:
    r"""A name as git writes it: in quotes if it holds an end mark or is not text.

    >>> _quoted("a/b c\n"), _quoted("a/b c")
    ('"a/b c\\n"', 'a/b c')
    """
    if name.isprintable() and not any(char in _ESCAPES for char in name):
        return name
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


def _hunks(before: list[str], after: list[str], changes: Iterable[Change]) -> Iterator[str]:
    """The hunks, changes that are near to each other in one."""
    together: list[Change] = []
    moved = 0  # lines, by the hunks so far
    for change in changes:
        if together and change[0] - together[-1][1] > 2 * _CONTEXT:
            yield from _hunk(before, after, together, moved)
            moved += sum((d - c) - (b - a) for a, b, c, d in together)
            together = []
        together.append(change)
    if together:
        yield from _hunk(before, after, together, moved)


def _hunk(before: list[str], after: list[str], changes: list[Change], moved: int) -> Iterator[str]:
    start = max(changes[0][0] - _CONTEXT, 0)
    end = min(changes[-1][1] + _CONTEXT, len(before))
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
