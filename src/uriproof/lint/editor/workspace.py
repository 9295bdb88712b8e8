"""The documents that an editor has open: diagnostics, fixes, and what stands where.

Owns the answers of the language server, in plain values. Imports the rest of ``lint``, and what
only an answer needs when it is asked for. Invariant: each change that is offered has been made and
looked at again; no password is shown.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ...diagnostic import Diagnostic
from ..config.nearest import Configs
from ..config.read import of_table
from ..config.settings import Settings
from ..engine.analyze import Engine, Reader
from ..engine.run import engine_for
from ..files.source import Source, Unread
from ..files.walk import Walk
from ..fix.apply import fix
from ..found import Found

__all__ = ["Change", "Document", "Workspace"]

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
"""The suffix of each language that editors name, where that is not the name itself."""

_ADDED = {"extend_select", "extend_exclude", "ignore", "unfixable"}
"""Settings of the editor that add to those of a file."""

_MOST_OFFERED = 20  # diagnostics that changes are offered for at once
_LONGEST_LINE = 200  # code points that may hold a ``#!`` line


class Change(NamedTuple):
    """A change of a document: its title, the replacements (start, end, text), and what it fixes.

    ``safe``: the meaning stays.
    """

    title: str
    edits: tuple[tuple[int, int, str], ...]
    fixes: tuple[Diagnostic, ...] = ()
    safe: bool = False


class Workspace:
    """The settings of all documents, read from the disk when they are first needed.

    ``configure`` takes those of the editor, which go before what a configuration file has.
    """

    def __init__(self, config: str | None = None, isolated: bool = False) -> None:
        self._given = config, isolated
        self._editor: dict[str, Any] = {}
        self._problems: list[str] = []
        self.forget()

    def configure(self, settings: Mapping[str, Any]) -> bool:
        """Take the settings of the editor; whether they are others than before.

        They have the keys of a configuration file. What is null is not set; what is wrong is
        reported by ``problems``, and left out.
        """
        given = {name: value for name, value in settings.items() if value is not None}
        values, problems = of_table(given, "settings of the editor") if given else ({}, ())
        if values.pop("extend", None):
            self._problems.append("settings of the editor: extend: only a file extends another")
        self._problems += [f"settings of the editor: {one.key}: {one.message}" for one in problems]
        if values == self._editor:
            return False
        self._editor = values
        self.forget()
        return True

    def forget(self) -> None:
        """Read the settings again: a configuration file has changed."""
        self._configs = Configs(*self._given, self._override)
        self._checked: dict[str, bool] = {}

    def _override(self, settings: Settings) -> Settings:
        """Settings of a file under those of the editor; lists that add to others still do."""
        values: dict[str, Any] = {
            name: (*getattr(settings, name), *value) if name in _ADDED else value
            for name, value in self._editor.items()
        }
        return settings._replace(**values)

    def problems(self) -> list[str]:
        """What is wrong with the settings that were read since the last call."""
        found = [*self._problems, *map(str, self._configs.problems)]
        self._problems.clear()
        self._configs.problems.clear()
        return found

    def files(self, folders: Iterable[str]) -> Iterator[str]:
        """The files in some folders that a run would check."""
        for item in Walk(self._configs).over(folders):
            if not isinstance(item, Unread):
                yield item[0]

    def largest(self, path: str) -> int:
        """The size in bytes of the largest file to check in the folder of a path."""
        return self._configs.of(os.path.dirname(path)).max_file_size

    def saved(self, path: str) -> None:
        """Look again whether a file is excluded: it may be on the disk only now."""
        self._checked.pop(path, None)

    def document(self, path: str, text: str, language: str = "") -> Document:
        """A text under a path, which need not exist; ``language`` as the editor names it."""
        engine = engine_for(self._configs.of(os.path.dirname(path)))
        return Document(engine, path, text, language, self._is_checked(path))

    def _is_checked(self, path: str) -> bool:
        """Whether a run would check the file; what is on no disk is always checked."""
        if path not in self._checked:
            walk = Walk(self._configs, force_exclude=True)
            known = not os.path.isfile(path) or any(True for _ in walk.over([path]))
            self._checked[path] = known
        return self._checked[path]


class Document:
    """One text as it is now."""

    def __init__(
        self, engine: Engine, path: str, text: str, language: str = "", is_checked: bool = True
    ) -> None:
        self._engine = engine
        self._path = path
        self._is_checked = is_checked
        self.text = text
        self._head = text[:_LONGEST_LINE].encode("utf-8", "replace")
        known = engine.format(path, self._head) != "plain"
        self._name = path if known else _named(path, language)

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of the text. Cost: O(n), once."""
        if not (self._is_checked and self._reader.options.enabled):
            return []
        return self._engine.check(Source(self._path, self.text), self._reader).diagnostics

    def at(self, start: int, end: int) -> list[Diagnostic]:
        """The diagnostics that meet a range; both ends belong to it."""
        return [
            d for d in self.diagnostics if any(p.start <= end and start <= p.end for p in d.places)
        ]

    def changes(self, start: int, end: int) -> Iterator[Change]:
        """The changes for what meets a range: fixes, then suppressions.

        Only for the first diagnostics in it, since each change is tried on the whole text.
        """
        near = self.at(start, end)[:_MOST_OFFERED]
        urls = dict.fromkeys((d.url_start, d.url_end) for d in near)
        for url in urls:
            of_url = [d for d in self.diagnostics if (d.url_start, d.url_end) == url]
            yield from self._fix(of_url)
        # One comment is for all of a code on a line.
        for diagnostic in {(one.code, one.line): one for one in reversed(near)}.values():
            yield from self._suppression(diagnostic)

    def all_changes(self) -> Change | None:
        """All safe fixes in one."""
        if not any(d.fixable == "safe" for d in self.diagnostics):
            return None
        fixed = fix(self.text, self.diagnostics, self._reader).fixed
        edits = _edits(fixed)
        return Change("Fix all URLs where that is safe", edits, fixed, True) if edits else None

    def address(self, code: str) -> str:
        """Where the rule of a code is specified, or "". Cost: the first time, as of ``codes``."""
        from ..explain import RuleInfos

        known = RuleInfos().get(code)
        return known.url if known is not None else ""

    def hover(self, at: int) -> tuple[int, int, str] | None:
        """The diagnostics at an offset, else its component of its URL, in Markdown."""
        here = [
            (d, p)
            for d in self.diagnostics
            for p in d.places
            if p.start <= at < max(p.end, p.start + 1)
        ]
        if here:
            place = here[0][1]
            text = "\n\n---\n\n".join(self._explain(one) for one, _ in here)
            return place.start, place.end, text
        for found in self._reader.find(self.text):
            if found.start <= at < found.end:
                return self._described(found, at)
            if found.start > at:
                break
        return None

    @cached_property
    def _reader(self) -> Reader:
        return self._engine.reader(self._name, self._head)

    def _fix(self, found: Sequence[Diagnostic]) -> Iterator[Change]:
        """The fix of the diagnostics of one URL, or of none, if there is one that holds."""
        edits = [edit for d in found for edit in d.edits]
        if not edits:
            return
        safe = all(edit.safe for edit in edits)
        fixed = fix(self.text, found, self._reader, unsafe=not safe).fixed
        if not fixed:
            return
        if not found[0].url:
            title = "Remove this suppression"
        else:
            raw = " ".join(dict.fromkeys(edit.replacement for edit in edits))
            secret = any(d.component == "userinfo" for d in found)
            title = "Fix this URL" if secret or not raw.isascii() else f"Fix this URL: {raw}"
        if not safe:
            title += " (may change the meaning)"
        yield Change(title, _edits(fixed), fixed, safe)

    def _suppression(self, diagnostic: Diagnostic) -> Iterator[Change]:
        from ..suppress.insert import add_suppressions

        text, _ = add_suppressions(self.text, self._name, [diagnostic], "")
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

    def _explain(self, diagnostic: Diagnostic) -> str:
        """A diagnostic with the production that is violated."""
        lines = [f"**{diagnostic.code}**: {_plain(diagnostic.message)}"]
        if diagnostic.hint:
            lines.append(_plain(diagnostic.hint))
        if diagnostic.production:
            lines += _production(diagnostic.component, diagnostic.production)
        if diagnostic.edits and diagnostic.component != "userinfo":
            what = "Fix" if diagnostic.fixable == "safe" else "Fix that may change the meaning"
            made = dict.fromkeys(_code(edit.replacement) for edit in diagnostic.edits)
            lines.append(f"{what}: {', '.join(made)}")
        return "\n\n".join(lines)

    def _described(self, found: Found, at: int) -> tuple[int, int, str] | None:
        """The component that an offset is in, and its production."""
        report = self._reader.judge.report(found)
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


def _named(path: str, language: str) -> str:
    """The name to choose a format by where the path says nothing: with the language's suffix."""
    if not language:
        return path
    suffix = f".{_SUFFIXES.get(language, language)}"
    return path if path.endswith(suffix) else path + suffix


def _edits(fixed: Sequence[Diagnostic]) -> tuple[tuple[int, int, str], ...]:
    edits = {(e.start, e.end, e.replacement) for d in fixed for e in d.edits}
    return tuple(sorted(edits))


def _production(component: str, production: str) -> list[str]:
    """A production with its specification and text."""
    from ...grammar import registry

    for name in ("rfc3986", "rfc3987"):
        model = registry.load(name).model
        rule = model.find(production)
        if rule is not None:
            break
    else:
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
