"""The documents that an editor has open: their diagnostics, fixes and explanations.

Owns the answers of the language server, in plain values. Imports the rest of ``lint``. Invariant:
each offered change has been made and checked; no password is shown.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ...diagnostic import Diagnostic, Edit
from ...grammar import registry
from ...text.drawing import short
from ..config.nearest import Configs
from ..config.read import of_table
from ..engine.analyze import Engine, Reader
from ..engine.run import engine_for
from ..files.source import Source, Unread
from ..files.walk import Walk, checks
from ..find._languages import pairs
from ..fix.apply import fix
from ..found import Found
from ..suppress.insert import add_suppressions

_SUFFIXES = pairs(
    "bibtex=bib clojure=clj csharp=cs elixir=ex erlang=erl fsharp=fs haskell=hs javascript=js"
    " javascriptreact=jsx jinja=j2 jinja-html=j2 kotlin=kt latex=tex makefile=mk markdown=md"
    " perl=pl plaintext=txt powershell=ps1 python=py restructuredtext=rst ruby=rb rust=rs"
    " shellscript=sh typescript=ts typescriptreact=tsx"
)
"""The suffix of each language that editors name, if that is not the name itself."""

_MOST_OFFERED = 20  # diagnostics that changes are offered for at once: each is tried on all text
_LONGEST_TITLE = 80  # code points of a URL in a menu
_LONGEST_LINE = 200  # code points that can hold a ``#!`` line: kernels read 127 to 255 bytes of it


class Change(NamedTuple):
    """A change of a document, and its subject; ``safe``: the meaning stays."""

    title: str
    edits: Sequence[Edit]
    fixes: tuple[Diagnostic, ...] = ()
    safe: bool = False


class Workspace:
    """The settings of all documents, read from the disk when they are first needed.

    ``configure`` takes those of the editor, which override those of a configuration file.
    """

    def __init__(self, config: str | None = None, isolated: bool = False) -> None:
        self._given = config, isolated
        self._editor: dict[str, Any] = {}
        self._problems: list[str] = []
        self.forget()

    def configure(self, settings: Mapping[str, Any]) -> bool:
        """Take the settings of the editor; returns whether they have changed.

        They have the keys of a configuration file. A null value is not set; a problem is reported
        by ``problems``, and left out.
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
        self._configs = Configs(*self._given, self._editor)

    def problems(self) -> list[str]:
        """The problems of the settings that were read since the last call."""
        found = [*self._problems, *map(str, self._configs.problems)]
        self._problems.clear()
        self._configs.problems.clear()
        return found

    def files(self, folders: Iterable[str]) -> Iterator[str]:
        """The files in some folders that a run would check."""
        return (one[0] for one in Walk(self._configs).over(folders) if not isinstance(one, Unread))

    def engine(self, path: str) -> Engine:
        """The linter under the settings of a path."""
        return engine_for(self._configs.of(os.path.dirname(path)))

    def checks(self, path: str) -> bool:
        """Whether a run would check the file; unsaved ones are always checked."""
        return not os.path.isfile(path) or checks(self._configs, path)


class Document:
    """One text as it is now; its path need not exist, and its language is as editors name it."""

    def __init__(self, workspace: Workspace, path: str, text: str, language: str = "") -> None:
        self._workspace = workspace
        self._path = path
        self.text = text
        self.language = language

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of the text. Cost: O(n), once."""
        if not (self._reader.options.enabled and self._workspace.checks(self._path)):
            return []
        engine = self._workspace.engine(self._path)
        return engine.check(Source(self._path, self.text), self._reader).diagnostics

    @cached_property
    def _reader(self) -> Reader:
        """How it is read: by its path, or else by its language."""
        engine = self._workspace.engine(self._path)
        head = self.text[:_LONGEST_LINE].encode("utf-8", "replace")
        suffix = f".{_SUFFIXES.get(self.language, self.language)}" if self.language else ""
        known = self._path.endswith(suffix) or engine.format(self._path, head) != "plain"
        return engine.reader(self._path if known else self._path + suffix, head)

    def changes(self, start: int, end: int) -> Iterator[Change]:
        """The changes for what meets a range, ends included: fixes, then suppressions."""
        near = [
            d for d in self.diagnostics if any(p.start <= end and start <= p.end for p in d.places)
        ][:_MOST_OFFERED]
        for url in dict.fromkeys((d.url_start, d.url_end) for d in near):
            yield from self._fix([d for d in self.diagnostics if (d.url_start, d.url_end) == url])
        # One comment is for all of a code on a line.
        for one in {(one.code, one.line): one for one in reversed(near)}.values():
            edits, _ = add_suppressions(self.text, self._reader.name, [one], "")
            if edits:
                yield Change(f"Suppress {one.code} here", edits, (one,))

    def all_changes(self) -> Change | None:
        """All safe fixes in one."""
        if not any(d.fixable == "safe" for d in self.diagnostics):
            return None
        done = fix(self.text, self.diagnostics, self._reader)
        title = "Apply all safe fixes to URLs"
        return Change(title, done.edits, done.fixed, True) if done.edits else None

    def _fix(self, found: Sequence[Diagnostic]) -> Iterator[Change]:
        """The fix of the diagnostics of one URL, or of none, if there is one that holds."""
        edits = [edit for d in found for edit in d.edits]
        safe = all(edit.safe for edit in edits)
        done = fix(self.text, found, self._reader, unsafe=not safe)
        if not done.edits:
            return
        if not found[0].url:
            title = "Remove this suppression"
        else:
            after = len(self.text) - found[0].url_end
            fixed = done.text[found[0].url_start : len(done.text) - after]
            plain = fixed.isascii() and "@" not in fixed  # before it, there might be a password
            title = f"Change to {short(fixed, _LONGEST_TITLE)}" if plain else "Fix this URL"
        if not safe:
            title += " (might change the meaning)"
        yield Change(title, done.edits, done.fixed, safe)

    def hover(self, at: int) -> tuple[int, int, str] | None:
        """The diagnostics at an offset, else its component of its URL, in Markdown."""
        here = [
            (d, p)
            for d in self.diagnostics
            for p in d.places
            if p.start <= at < max(p.end, p.start + 1)
        ]
        if here:
            text = "\n\n---\n\n".join(_explained(one) for one, _ in here)
            return here[0][1].start, here[0][1].end, text
        for found in self._reader.find(self.text):
            if found.start <= at < found.end:
                return self._described(found, at)
            if found.start > at:
                break
        return None

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


def _explained(diagnostic: Diagnostic) -> str:
    """A diagnostic with the production that is violated."""
    lines = [f"**{diagnostic.code}**: {_plain(diagnostic.message)}"]
    if diagnostic.hint:
        lines.append(_plain(diagnostic.hint))
    if diagnostic.production:
        lines += _production(diagnostic.component, diagnostic.production)
    if diagnostic.edits and diagnostic.component != "userinfo":
        what = "Fix" if diagnostic.fixable == "safe" else "Fix that might change the meaning"
        # No URL that is valid has a backtick in it, which would end the code.
        made = dict.fromkeys(f"`{edit.replacement}`" for edit in diagnostic.edits)
        lines.append(f"{what}: {', '.join(made)}")
    return "\n\n".join(lines)


def _production(component: str, production: str) -> list[str]:
    """A production with its specification and text."""
    models = [registry.load(name).model for name in ("rfc3986", "rfc3987")]
    model = next((one for one in models if one.find(production)), None)
    rule = model and model.find(production)
    if model is None or rule is None:
        return [f"{component}: `{production}`"]
    gloss = f": {_plain(rule.gloss)}" if rule.gloss else ""
    head = f"{component}: `{rule.name}`, {model.citation(rule)}{gloss}"
    return [head, f"```abnf\n{rule.text.strip()}\n```"]


def _plain(text: str) -> str:
    r"""Text that Markdown shows as it is.

    >>> _plain("a *b* <c>")
    'a \\*b\\* \\<c\\>'
    """
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|~" else char for char in text)
