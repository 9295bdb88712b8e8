"""What an editor shows of one text: findings, the ways to mend them, and what stands where.

Owns the answers of the language server, in plain values. Imports the rest of ``lint``, and what
only an answer needs when it is asked for. Invariant: each change that is offered has been made and
looked at again; no password is shown.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...diagnostic import Diagnostic
from ..config.settings import Configs, FormatOptions, Settings
from ..engine.analyze import Engine
from ..files.source import Source, spoken
from ..files.walk import Walk
from ..find import named
from ..fix.apply import Reader, mend, reader
from ..found import Found

__all__ = ["Change", "Desk", "Sheet"]

_SUFFIXES = {
    "bibtex": "bib",
    "clojure": "clj",
    "csharp": "cs",
    "dockerfile": "dockerfile",
    "elixir": "ex",
    "erlang": "erl",
    "fsharp": "fs",
    "haskell": "hs",
    "javascript": "js",
    "javascriptreact": "jsx",
    "jinja": "j2",
    "jinja-html": "j2",
    "kotlin": "kt",
    "latex": "tex",
    "makefile": "mk",
    "markdown": "md",
    "perl": "pl",
    "plaintext": "txt",
    "powershell": "ps1",
    "python": "py",
    "restructuredtext": "rst",
    "ruby": "rb",
    "rust": "rs",
    "shellscript": "sh",
    "typescript": "ts",
    "typescriptreact": "tsx",
}
"""Of the languages that editors name, the suffix, where that is not the name itself."""

_USUAL = FormatOptions()
_MOST_OFFERED = 20  # findings that changes are offered for at once
_LONGEST_LINE = 200  # code points that a first line is looked at for what runs the file


@dataclass(frozen=True, slots=True)
class Change:
    """A way to mend: its title, the replacements (start, end, text), and what it mends.

    ``sure`` says that the meaning stays.
    """

    title: str
    edits: tuple[tuple[int, int, str], ...]
    mends: tuple[Diagnostic, ...] = ()
    sure: bool = False


class Desk:
    """The settings of all texts that are open, read from the disk when they are first needed."""

    def __init__(self, config: str | None = None, isolated: bool = False) -> None:
        self._given = config, isolated
        self.forget()

    def forget(self) -> None:
        """Read the settings again: a file of them has changed."""
        self._configs = Configs(*self._given)
        self._engines: dict[str, Engine] = {}

    def problems(self) -> list[str]:
        """What is wrong with the settings that were read since this was asked last."""
        found = [str(problem) for problem in self._configs.problems]
        self._configs.problems.clear()
        return found

    def sheet(self, path: str, text: str, language: str = "") -> Sheet:
        """A text under a path, which need not exist; ``language`` as the editor names it."""
        settings = self._configs.of(os.path.dirname(path))
        key = repr(settings)
        engine = self._engines.get(key)
        if engine is None:
            engine = self._engines[key] = Engine(settings)
        wanted = self._wanted(path, settings)
        return Sheet(engine, path, text, language, wanted)

    def _wanted(self, path: str, settings: Settings) -> bool:
        """Whether a run would check the file; what is on no disk is always checked."""
        if not os.path.isfile(path):
            return True
        walk = Walk(Configs(*self._given), force_exclude=True)
        return any(True for _ in walk.over([path]))


class Sheet:
    """One text as it is now."""

    def __init__(
        self, engine: Engine, path: str, text: str, language: str = "", wanted: bool = True
    ) -> None:
        self._engine = engine
        self._path = path
        self._wanted = wanted
        self.text = text
        self._head = text[:_LONGEST_LINE].encode("utf-8", "replace")
        self._name = _named(path, language, self._head)

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """What is said of the text. Cost: O(n), once."""
        if not self._wanted:
            return []
        format_ = self._engine.format(self._name, self._head)
        if not self._engine.settings.format.get(format_, _USUAL).enabled:
            return []
        name = spoken(self._name, self._head)
        return self._engine.check(self._source, name, format_).diagnostics

    def at(self, start: int, end: int) -> list[Diagnostic]:
        """What is said of what meets a range; both ends belong to it."""
        return [d for d in self.diagnostics if d.start <= end and start <= d.end]

    def changes(self, start: int, end: int) -> Iterator[Change]:
        """The ways to mend what meets a range, the surest first; suppression comes last.

        Where more is found in the range than anybody chooses from, the first of it: each change is
        tried on the whole text.
        """
        near = self.at(start, end)[:_MOST_OFFERED]
        urls = dict.fromkeys((d.url_start, d.url_end) for d in near)
        for url in urls:
            said = [d for d in self.diagnostics if (d.url_start, d.url_end) == url]
            yield from self._mended(said)
        for diagnostic in near:
            yield from self._suppressed(diagnostic)

    def all_changes(self) -> Change | None:
        """Everything that can be mended safely, in one."""
        if not any(d.edit is not None and d.edit.safe for d in self.diagnostics):
            return None
        after = mend(self.text, self.diagnostics, self._reader)
        edits = _edits(after.mended)
        return (
            Change("Mend all URLs that can be safely", edits, after.mended, True) if edits else None
        )

    def address(self, code: str) -> str:
        """Where the rule of a code is specified, or "". Cost: the first time, as of ``codes``."""
        from ..codes import Infos

        known = Infos().get(code)
        return known.url if known is not None else ""

    def hover(self, at: int) -> tuple[int, int, str] | None:
        """What is wrong at an offset, else what it is in its URL, in Markdown."""
        here = [d for d in self.at(at, at) if d.start <= at < max(d.end, d.start + 1)]
        if here:
            first = here[0]
            return first.start, first.end, "\n\n---\n\n".join(map(self._explained, here))
        for found in self._reader.find(self.text):
            if found.start <= at < found.end:
                return self._described(found, at)
            if found.start > at:
                break
        return None

    @cached_property
    def _source(self) -> Source:
        return Source(self._path, self.text)

    @cached_property
    def _reader(self) -> Reader:
        return reader(self._engine, replace(self._source, file=self._name), self._head)

    def _mended(self, said: Sequence[Diagnostic]) -> Iterator[Change]:
        """The fix of one URL, or of what is said of no URL, if there is one that holds."""
        edits = [d.edit for d in said if d.edit is not None]
        if not edits:
            return
        sure = all(edit.safe for edit in edits)
        after = mend(self.text, said, self._reader, unsafe=not sure)
        if not after.mended:
            return
        if not said[0].url:
            title = "Remove this suppression"
        else:
            raw = " ".join(dict.fromkeys(edit.replacement for edit in edits))
            secret = any(d.component == "userinfo" for d in said)
            title = "Mend this URL" if secret or not raw.isascii() else f"Mend this URL: {raw}"
        if not sure:
            title += " (may change what it means)"
        yield Change(title, _edits(after.mended), after.mended, sure)

    def _suppressed(self, diagnostic: Diagnostic) -> Iterator[Change]:
        from ..suppress.insert import ignoring

        text, _ = ignoring(self.text, self._name, [diagnostic], "")
        if text == self.text:
            return
        first = 0
        while first < len(self.text) and self.text[first] == text[first]:
            first += 1
        last = 0
        most = min(len(self.text), len(text)) - first
        while last < most and self.text[-1 - last] == text[-1 - last]:
            last += 1
        edit = first, len(self.text) - last, text[first : len(text) - last]
        yield Change(f"Suppress {diagnostic.code} here", (edit,), (diagnostic,))

    def _explained(self, diagnostic: Diagnostic) -> str:
        """One finding, with the production that it offends."""
        lines = [f"**{diagnostic.code}**: {_plain(diagnostic.message)}"]
        if diagnostic.hint:
            lines.append(_plain(diagnostic.hint))
        if diagnostic.production:
            lines += _production(diagnostic.component, diagnostic.production)
        if diagnostic.edit is not None and diagnostic.component != "userinfo":
            what = "Fix" if diagnostic.edit.safe else "Fix that may change the meaning"
            lines.append(f"{what}: {_code(diagnostic.edit.replacement)}")
        return "\n\n".join(lines)

    def _described(self, found: Found, at: int) -> tuple[int, int, str] | None:
        """The component that an offset is in, and its production."""
        from ...grammar import registry
        from ...validate.check import check

        grammar = registry.load("rfc3986")
        report = check(grammar, found.text, grammar.rule_name(found.rule))
        inside = [
            one
            for one in report.components.values()
            if found.offset(one.start) <= at < found.offset(one.end)
        ]
        if not inside:
            return None
        one = min(inside, key=lambda component: component.end - component.start)
        lines = _production(one.name, one.production)
        return found.offset(one.start), found.offset(one.end), "\n\n".join(lines)


def _named(path: str, language: str, head: bytes) -> str:
    """The name to choose a format by: the path's, unless that says nothing and the editor does."""
    if named(spoken(path, head)) != "plain" or not language:
        return path
    suffix = f".{_SUFFIXES.get(language, language)}"
    return path if path.endswith(suffix) else path + suffix


def _edits(mended: Sequence[Diagnostic]) -> tuple[tuple[int, int, str], ...]:
    edits = {(d.edit.start, d.edit.end, d.edit.replacement) for d in mended if d.edit is not None}
    return tuple(sorted(edits))


def _production(component: str, production: str) -> list[str]:
    """A production in the words of its specification."""
    from ...grammar import registry

    model = registry.load("rfc3986").model
    rule = model.find(production)
    if rule is None:
        return [f"{component}: {_code(production)}"]
    lines = [f"{component}: {_code(rule.name)}, {model.citation(rule)}"]
    if rule.gloss:
        lines[0] += f": {_plain(rule.gloss)}"
    return [*lines, f"```abnf\n{rule.text.strip()}\n```"]


def _code(text: str) -> str:
    """Text as Markdown's code (CommonMark 0.31 §6.1)."""
    if "`" not in text:
        return f"`{text}`"
    fence = "`" * (1 + max(map(len, re.findall("`+", text))))
    return f"{fence} {text} {fence}"


def _plain(text: str) -> str:
    r"""Text that Markdown shows as it is.

    >>> _plain("a *b* <c>")
    'a \\*b\\* \\<c\\>'
    """
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|~" else char for char in text)
