"""Divides the text of a grammar: its lines, its rules, and the header of structured comments.

Owns places in the text and the faults found there. Imports ``errors`` and ``read_elements``.
Invariant: every piece and word knows its offset in the text, so that every fault is exact.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from ...limits import MAX_GRAMMAR
from ..errors import Cause, Fault, GrammarError, GrammarLimit
from .elements import Piece, pieces

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_DIRECTIVE = re.compile(
    r"[ \t]*; (title|source|cites|imports|starts|component|leaves|fix|escape|split|scheme|rule"
    r"|prose):(.*)"
)
_PROSE = re.compile(r"[ \t]*<([^>]*)>[ \t]*(=)[ \t]*(?=[^ \t])")


@dataclass(frozen=True, slots=True)
class Line:
    """A rule in the text: its pieces, and its lines without comments."""

    pieces: list[Piece]
    shown: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


class Source:
    """A text, its lines, and its faults so far."""

    def __init__(self, text: str, file: str) -> None:
        """Errors: GrammarLimit, for a text of more than ``MAX_GRAMMAR``."""
        if len(text) > MAX_GRAMMAR:
            raise GrammarLimit(
                f"{file}: this has {len(text):,} characters; "
                f"a grammar is read up to {MAX_GRAMMAR:,}"
            )
        self.text = text
        self.file = file
        self.faults: list[Fault] = []
        spans = [match.span() for match in _LINE.finditer(text) if match.end() > match.start()]
        self.lines = [(start, start + len(text[start:end].rstrip("\r\n"))) for start, end in spans]
        if text.startswith("\ufeff"):  # a byte order mark is not part of the first line
            self.lines[0] = (1, self.lines[0][1])
        self._starts = [start for start, _ in self.lines]

    def line(self, offset: int) -> int:
        """The number, from 1, of the line that an offset is in."""
        return max(bisect_right(self._starts, offset), 1)

    def fault(self, start: int, length: int, cause: Cause, message: str) -> Fault:
        """Note a fault at an offset; only the part in its line is marked."""
        number = self.line(start)
        first, end = self.lines[number - 1] if self.lines else (0, 0)
        length = max(min(length, end - start), 0)
        column = max(start - first, 0) + 1
        line = self.text[first:end]
        fault = Fault(self.file, number, column, cause, message, line, length)
        self.faults.append(fault)
        return fault

    def stop(self) -> None:
        """Raise all that has been noted, if anything. Errors: GrammarError."""
        if self.faults:
            raise GrammarError(sorted(self.faults, key=lambda fault: (fault.line, fault.column)))

    def divide(self) -> tuple[list[tuple[re.Match[str], int]], list[Line]]:
        """The directives of the header, each with its line's offset, and the rules.

        A rule starts at the indentation that all rules share; lines that are indented deeper
        continue it (RFC 5234 §2.2). Tabs reach to the next eighth column.
        """
        directives: list[tuple[re.Match[str], int]] = []
        found: list[tuple[int, list[Piece]]] = []  # indentation and pieces of a line
        for start, end in self.lines:
            line = self.text[start:end]
            if parts := pieces(line, start):
                lead = line[: parts[0].start - start]
                found.append((len(lead.expandtabs(8)), parts))
            elif not found and (directive := _DIRECTIVE.fullmatch(line)):
                directives.append((directive, start))
        margin = min((indentation for indentation, _ in found), default=0)
        rules: list[Line] = []
        for indentation, parts in found:
            text = self.text[parts[0].start : parts[-1].end]
            if indentation == margin:
                rules.append(Line(parts, [text]))
            elif rules:
                rules[-1].pieces.extend(parts)
                rules[-1].shown.append(" " * (indentation - margin) + text)
            else:
                message = "an indented line continues a rule, but none goes before it"
                self.fault(parts[0].start, len(text), "syntax", message)
        if not found:
            self.fault(0, 0, "syntax", "no rule was found in this text")
        return directives, rules


@dataclass(slots=True)
class Header:
    """The directives of the first comments; the reader checks every word by its offset."""

    title: str = ""
    source: str = ""
    cites: str = ""
    imports: list[tuple[Piece, list[Piece]]] | None = None
    """Each grammar with its named rules; without any, the used ones are meant."""
    starts: list[Piece] = field(default_factory=list)
    components: list[tuple[Piece, list[Piece]]] = field(default_factory=list)
    leaves: list[Piece] = field(default_factory=list)
    fix: list[Piece] = field(default_factory=list)
    escape: Piece | None = None
    split: Piece | None = None
    rules: list[tuple[Piece, str, str]] = field(default_factory=list)
    schemes: list[tuple[list[Piece], Piece]] = field(default_factory=list)
    prose: list[tuple[str, Piece, list[Piece]]] = field(default_factory=list)

    def productions(self) -> list[Piece]:
        """The words that name rules, own or imported."""
        words = [*self.starts, *self.leaves, *(rule for _, rule in self.schemes)]
        for _, found in self.components:
            words += found
        return [*words, self.escape] if self.escape else words


_FORMS = {
    "component": "; component: NAME = PRODUCTION ...",
    "imports": "; imports: GRAMMAR ..., or ; imports: GRAMMAR = RULE ...",
    "escape": "; escape: NAME",
    "split": "; split: NAME",
    "scheme": "; scheme: SCHEME ... = PRODUCTION",
    "rule": "; rule: NAME SECTION GLOSS",
    "prose": "; prose: <TEXT> = ELEMENTS",
}


def read_header(source: Source, directives: list[tuple[re.Match[str], int]]) -> Header:
    """The header that the directives make up; a malformed one is a fault."""
    header = Header()
    for match, start in directives:
        key: str = match[1]
        at = start + match.start(2)
        if not _take(header, key, match[2], at):
            form = f'this line of the header must have the form "{_FORMS[key]}"'
            source.fault(at - len(key) - 1, len(key) + 1, "header", form)
    return header


def _take(header: Header, key: str, value: str, at: int) -> bool:
    """Put a directive into the header; False if its value is malformed."""
    words = [Piece(m[0], at + m.start(), True) for m in re.finditer(r"[^ \t]+", value)]
    match key:
        case "title" | "source" | "cites":
            setattr(header, key, value.strip())
        case "imports":
            named = _equals(words, 1) and not any("=" in word.text for word in words[2:])
            if not named and "=" in value:
                return False
            new = [(words[0], words[2:])] if named else [(word, []) for word in words]
            header.imports = [*(header.imports or ()), *new]
        case "starts" | "leaves" | "fix":
            getattr(header, key).extend(words)
        case "escape" | "split":
            setattr(header, key, words[0] if len(words) == 1 else None)
            return len(words) == 1
        case "component":
            if found := _equals(words, 1):
                header.components.append((words[0], words[2:]))
            return found
        case "scheme":
            if found := _equals(words, len(words) - 2):
                header.schemes.append((words[:-2], words[-1]))
            return found
        case "rule":
            rest = value[words[1].end - at :] if len(words) > 1 else ""
            if rest:
                header.rules.append((words[0], words[1].text, rest.strip(" \t")))
            return bool(rest)
        case "prose":
            if prose := _PROSE.match(value):
                equals = Piece("=", at + prose.start(2), True)
                body = pieces(value[prose.end() :], at + prose.end())
                header.prose.append((prose[1].strip(), equals, body))
            return bool(prose)
    return True


def _equals(words: list[Piece], at: int) -> bool:
    """Whether a word is an equals sign, with words before it that have none, and words after it."""
    before = 0 < at < len(words) - 1 and not any("=" in word.text for word in words[:at])
    return before and words[at].text == "="
