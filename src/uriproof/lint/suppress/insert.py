"""Suppressions put into files: a comment for each line that something is said of.

Owns the comment syntaxes of languages, by the suffixes of their files. Imports ``diagnostic`` and
``lint.source``. Invariant: nothing but comments is added; where a comment could become part of a
text, or there are none, nothing is added, and why is said.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from ...diagnostic import Diagnostic
from ..files.source import Lines
from .comments import MARK

__all__ = ["add_suppressions"]

_HASH = "bash cfg-py cmake coffee cr dockerfile elixir ex exs fish gd graphql jl ksh mk nim nix"
_HASH += " pl pm po ps1 py pyi pyx r rake rb sh tcl tf toml yaml yml zsh"
_SLASHES = "c cc cjs cpp cs cts cxx d dart fs go groovy h hh hpp java js jsx kt kts less m mjs mm"
_SLASHES += " mts php proto rs sass scala scss sol swift ts tsx v zig"
_DASHES = "ada adb ads elm hs lua sql vhd"
_SEMICOLON = "asm clj cljs el lisp scm"
_PERCENT = "erl hrl tex sty cls"
_ANGLES = "htm html markdown md mdx rmd qmd svelte svg vue xhtml xml xsd xsl xslt"

_COMMENTS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(_HASH.split(), ("#", "")),
    **dict.fromkeys(_SLASHES.split(), ("//", "")),
    **dict.fromkeys(_DASHES.split(), ("--", "")),
    **dict.fromkeys(_SEMICOLON.split(), (";", "")),
    **dict.fromkeys(_PERCENT.split(), ("%", "")),
    **dict.fromkeys(_ANGLES.split(), ("<!--", " -->")),
    "css": ("/*", " */"),
    "ml": ("(*", " *)"),
    "mli": ("(*", " *)"),
}
"""Per suffix, what begins a comment at the end of a line, and what ends it."""

_MARKUP = frozenset(_ANGLES.split()) - {"markdown", "md", "mdx", "rmd", "qmd"}

_NAMED = {"Makefile": ("#", ""), "Dockerfile": ("#", ""), "CMakeLists.txt": ("#", "")}
_ABOVE = {"rst": ("..", ""), "ini": ("#", ""), "cfg": ("#", ""), "adoc": ("//", "")}
"""Where a comment stands on a line of its own only."""

_NO_COMMENTS = "the format has no comments: use a baseline, or per-file-ignores"
_IN_TEXT = "a comment would become part of a text of several lines: use a baseline"
_CODE_BLOCK = "a comment would become part of a block of code: use a baseline"


def add_suppressions(
    text: str, file: str, diagnostics: Iterable[Diagnostic], reason: str
) -> tuple[str, list[tuple[Diagnostic, str]]]:
    r"""The text with a suppression for each line, and what could not be suppressed, and why.

    A suppression that the line has is written anew with the codes of both. Cost: O(n).
    """
    base = file.replace("\\", "/").rpartition("/")[2]
    suffix = base.rpartition(".")[2].lower()
    trailing = _NAMED.get(base) or _COMMENTS.get(suffix)
    above = _ABOVE.get(suffix)
    refused: list[tuple[Diagnostic, str]] = []
    by_line: dict[int, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        if diagnostic.code not in {"unused-suppression", "suppression-without-reason"}:
            by_line.setdefault(diagnostic.line, []).append(diagnostic)
    syntax = trailing or above
    if syntax is None:
        return text, [(one, _NO_COMMENTS) for group in by_line.values() for one in group]
    lines = Lines(text)
    closed = _Closed(text, lines, suffix)
    break_ = "\r\n" if "\r\n" in text else "\n"
    pieces: list[str] = []
    at = 0
    for number, group in sorted(by_line.items()):
        why = closed.why(number)
        if why:
            refused += [(one, why) for one in group]
            continue
        start, end = lines.span(number)
        codes = ", ".join(sorted({one.code for one in group}))
        words = f" {reason}" if reason else ""
        if syntax[1].endswith("-->"):
            words = words.replace("--", "—")  # ends the comment, or may not stand in one
        if trailing is not None:
            opener, closer = trailing
            end = start + len(text[start:end].rstrip())
            comment = f"  {opener} {MARK} ignore[{codes}]{words}{closer}"
            pieces += text[at:end], comment
            at = end
        else:
            opener, closer = syntax
            indent = re.match(r"[ \t]*", text[start:end])
            before = indent[0] if indent else ""
            comment = f"{before}{opener} {MARK} ignore-next-line[{codes}]{words}{closer}{break_}"
            pieces += text[at:start], comment
            at = start
    return "".join([*pieces, text[at:]]), refused


_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEREDOC = re.compile(r"""<<[-~]?\s*(['"]?)([A-Za-z_]\w*)\1""")
_TAG = re.compile(r"<[A-Za-z!?/]")
_RAW = re.compile(r"(?i)<(/?)(?:script|style|textarea|title|pre|template)\b|<!\[CDATA\[|\]\]>")

_THREE = "cs dart ex exs groovy java jl kt kts nim scala swift"
_SPANNING: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_THREE.split(), ('"""',)),
    **dict.fromkeys(["cjs", "cts", "go", "js", "jsx", "mjs", "mts", "ts", "tsx"], ("`",)),
    "toml": ('"""', "'''"),
    "rs": ('"',),
    "sql": ("'",),
}
"""Per suffix, the quotes between which a text may go over the end of a line."""

_BLOCKS = {"css": ("/*", "*/"), "ml": ("(*", "*)"), "mli": ("(*", "*)"), "lua": ("[[", "]]")}
"""Per suffix, what begins a block in which no comment begins, and what ends it."""

_DOCUMENTS = frozenset(["bash", "dockerfile", "ksh", "php", "pl", "pm", "rb", "sh", "zsh"])


class _Closed:
    """The lines whose end lies within a text that goes on: there, nothing may be added."""

    def __init__(self, text: str, lines: Lines, suffix: str) -> None:
        self._lines = lines
        self._reasons: dict[int, str] = {}
        self._marks: dict[str, list[int]] = {}
        self._text = text
        self._suffix = suffix
        if suffix in {"py", "pyi"}:
            self._python(text)
        elif suffix in {"md", "markdown", "mdx", "rmd", "qmd"}:
            self._markdown()
        elif suffix in {"yaml", "yml"}:
            self._yaml()
        else:
            self._quoted(suffix)

    def why(self, number: int) -> str:
        """Why nothing may be added at the end of a line, or nothing."""
        if self._lines.line(number).rstrip().endswith("\\"):
            return "the line goes on in the next: use a baseline"
        return self._reasons.get(number, "") or self._around(number)

    def _around(self, number: int) -> str:
        """Why nothing may be added, by what is open at the end of a line."""
        _, end = self._lines.span(number)
        block = _BLOCKS.get(self._suffix)
        if block is not None and self._last(block[0], end) > self._last(block[1], end):
            return _IN_TEXT
        if self._suffix == "php" and self._last("<?", end) <= self._last("?>", end):
            return _IN_TEXT
        if self._suffix in _MARKUP:
            opened = self._last("<", end)
            if opened > self._last(">", end) and _TAG.match(self._text, opened, end):
                return "a comment would stand in a tag: use a baseline"
            at = bisect_right(self._raw, (end, False)) - 1
            if at >= 0 and self._raw[at][1]:
                return _IN_TEXT
        return ""

    def _last(self, mark: str, end: int) -> int:
        """Where a mark stands last before an offset; -1 if nowhere. Cost: O(log n) after O(n)."""
        starts = self._marks.get(mark)
        if starts is None:
            marks = re.finditer(f"(?={re.escape(mark)})", self._text)
            starts = self._marks[mark] = [match.start() for match in marks]
        at = bisect_right(starts, end - len(mark))
        return starts[at - 1] if at else -1

    @cached_property
    def _raw(self) -> list[tuple[int, bool]]:
        """Where texts that hold no comments of the markup begin (True) and end (False)."""
        return [
            (match.end(), not match[1] and match[0] != "]]>") for match in _RAW.finditer(self._text)
        ]

    def _python(self, text: str) -> None:
        """Tokens that span lines, all but their last line; all, where there are no tokens."""
        import io
        import tokenize

        try:
            for token in tokenize.generate_tokens(io.StringIO(text).readline):
                if token.start[0] < token.end[0] and token.type != tokenize.NEWLINE:
                    for number in range(token.start[0], token.end[0]):
                        self._reasons[number] = _IN_TEXT
        except (tokenize.TokenError, SyntaxError, ValueError):
            for number in range(1, len(self._lines) + 1):
                self._reasons[number] = "the file is no Python: use a baseline"

    def _markdown(self) -> None:
        """Fences, tables' head lines do not matter: a cell may hold a comment; front matter."""
        fence = ""
        front = self._lines.line(1).rstrip() == "---"
        for number in range(1, len(self._lines) + 1):
            line = self._lines.line(number)
            if front:
                self._reasons[number] = _CODE_BLOCK
                front = number == 1 or line.rstrip() not in {"---", "..."}
                continue
            match = _FENCE.match(line)
            if fence or match:
                self._reasons[number] = _CODE_BLOCK
            elif line.startswith(("    ", "\t")) or line.lstrip().startswith("["):
                # An indented block; a definition of a link, which a comment would end.
                self._reasons[number] = _CODE_BLOCK
            if match and not fence:
                fence = match[1]
            elif match and match[1].startswith(fence) and not line.strip(" `~"):
                fence = ""

    def _yaml(self) -> None:
        """The lines of block scalars, which are indented more than what they belong to."""
        within = -1
        for number in range(1, len(self._lines) + 1):
            line = self._lines.line(number)
            indent = len(line) - len(line.lstrip())
            if within >= 0 and (not line.strip() or indent > within):
                self._reasons[number] = _IN_TEXT
                continue
            within = indent if re.search(r"[|>][-+0-9]*\s*(?:#.*)?$", line) else -1

    def _quoted(self, suffix: str) -> None:
        """Lines within backticks, three quotes, or a here-document, as near as can be told."""
        quotes = _SPANNING.get(suffix, ())
        open_: dict[str, bool] = dict.fromkeys(quotes, False)
        ends = ""
        documents = suffix in _DOCUMENTS
        for number in range(1, len(self._lines) + 1):
            line = self._lines.line(number)
            if ends:
                self._reasons[number] = _IN_TEXT
                ends = "" if line.strip().rstrip(";") == ends else ends
                continue
            for quote in quotes:
                open_[quote] ^= line.count(quote) % 2 == 1
            if any(open_.values()):
                self._reasons[number] = _IN_TEXT
            if documents and (begun := _HEREDOC.search(line)):
                ends = begun[2]
                self._reasons[number] = _IN_TEXT
