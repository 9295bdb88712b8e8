"""The language server: the protocol around ``documents``.

Owns the protocol (Language Server Protocol 3.17) and the texts that are open. Imports pygls, an
extra, and is itself imported when the server is started. Invariant: diagnostics are of a document's
last version; nothing of a document is kept when it is closed; what an editor that asks for
diagnostics has already got is not sent again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.uris import from_fs_path, to_fs_path

from ...diagnostic import Diagnostic
from ..codes import codes
from ..config.settings import FILES
from ..files.source import Positions, Unread, decoded, read
from .documents import Change, Document, Workspace

_SECTION = "uriproof"
_PAUSE = 0.1  # seconds after a change, so that typing is not checked letter by letter
_FIX_ALL = "source.fixAll.uriproof"
_LEVELS = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


def serve(version: str, config: str | None = None, isolated: bool = False) -> bool:
    """Answer on standard input and output until the editor asks to exit.

    Returns whether it had announced that.
    """
    logging.getLogger("pygls").setLevel(logging.ERROR)  # it logs each message
    server = LanguageServer(
        "uriproof",
        version,
        text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
        protocol_cls=_Protocol,
    )
    announced: list[None] = []
    server.feature(types.SHUTDOWN)(partial(announced.append))
    _Features(server, Workspace(config, isolated)).register()
    # pygls closes its streams at the end.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as stdout:
        server.start_io(None, stdout)
    return bool(announced)


class _Protocol(LanguageServerProtocol):
    """pygls counts a form feed and U+2028 as ends of lines, and editors do not: so the texts are
    kept here, and its own are not changed."""

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(
        self, params: types.DidChangeTextDocumentParams
    ) -> Iterator[Any]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None


class _Text(Document):
    """A text under a URI; ``version`` is None for a file that no editor has open, and ``related``
    says that the editor shows related places of a diagnostic."""

    def __init__(
        self,
        workspace: Workspace,
        uri: str,
        positions: Positions,
        language: str,
        version: int | None,
        related: bool,
    ) -> None:
        super().__init__(workspace, _path_of(uri), positions.text, language)
        self.uri, self.positions, self.version = uri, positions, version
        self.due: asyncio.TimerHandle | None = None
        self._related = related

    def range(self, start: int, end: int) -> types.Range:
        first, last = self.positions.position(start), self.positions.position(end)
        return types.Range(types.Position(*first), types.Position(*last))

    def shown(self) -> list[types.Diagnostic]:
        return [self.diagnostic(one) for one in self.diagnostics]

    def diagnostic(self, one: Diagnostic) -> types.Diagnostic:
        """A diagnostic, with the other places that it blames if the editor shows them."""
        known = codes().get(one.code)
        unused = one.code == "unused-suppression"
        related = [
            types.DiagnosticRelatedInformation(
                location=types.Location(self.uri, self.range(place.start, place.end)),
                message=f"{one.code}, also here",
            )
            for place in one.places[1:]
            if self._related
        ]
        return types.Diagnostic(
            range=self.range(one.start, one.end),
            message=f"{one.message}\n{one.hint}" if one.hint else one.message,
            severity=_LEVELS[one.severity],
            code=one.code,
            code_description=types.CodeDescription(known.url) if known and known.url else None,
            source="uriproof",
            tags=[types.DiagnosticTag.Unnecessary] if unused else None,
            related_information=related or None,
        )

    def action(self, change: Change, kind: str, versioned: bool) -> types.CodeAction:
        """An offered change; ``versioned`` if the editor takes edits of a version."""
        edits = [
            types.TextEdit(self.range(one.start, one.end), one.replacement) for one in change.edits
        ]
        if versioned:
            document = types.OptionalVersionedTextDocumentIdentifier(self.uri, self.version)
            changes = types.WorkspaceEdit(
                document_changes=[types.TextDocumentEdit(text_document=document, edits=[*edits])]
            )
        else:
            changes = types.WorkspaceEdit(changes={self.uri: edits})
        quick = kind == types.CodeActionKind.QuickFix
        return types.CodeAction(
            title=change.title,
            kind=kind,
            diagnostics=[self.diagnostic(one) for one in change.fixes] if quick else None,
            is_preferred=True if quick and change.safe else None,
            edit=changes,
        )


class _Features:
    """The reactions of the server to each message."""

    def __init__(self, server: LanguageServer, workspace: Workspace) -> None:
        self._server = server
        self._workspace = workspace
        self._texts: dict[str, _Text] = {}
        self._known: dict[str, tuple[object, str | None]] = {}
        """Of files that are in no editor, a stamp, and what their diagnostics are called."""

    def register(self) -> None:
        actions = types.CodeActionOptions([types.CodeActionKind.QuickFix, _FIX_ALL])
        pull = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=True)
        options = {types.TEXT_DOCUMENT_CODE_ACTION: actions, types.TEXT_DOCUMENT_DIAGNOSTIC: pull}
        features: dict[str, Callable[[Any], Any]] = {
            types.INITIALIZE: self._initialize,
            types.INITIALIZED: self._initialized,
            types.TEXT_DOCUMENT_DID_OPEN: self._opened,
            types.TEXT_DOCUMENT_DID_CHANGE: self._changed,
            types.TEXT_DOCUMENT_DID_SAVE: self._saved,
            types.TEXT_DOCUMENT_DID_CLOSE: self._closed,
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: self._reread,
            types.WORKSPACE_DID_CHANGE_CONFIGURATION: self._configured,
            types.TEXT_DOCUMENT_HOVER: self._hover,
            types.TEXT_DOCUMENT_CODE_ACTION: self._actions,
            types.TEXT_DOCUMENT_DIAGNOSTIC: self._pulled,
            types.WORKSPACE_DIAGNOSTIC: self._pulled_all,
        }
        for name, method in features.items():
            # pygls sets attributes on its argument, which a method does not allow.
            self._server.feature(name, options.get(name))(partial(method))

    @property
    def _client(self) -> types.WorkspaceClientCapabilities:
        return self._server.client_capabilities.workspace or types.WorkspaceClientCapabilities()

    @property
    def _pulls(self) -> bool:
        """Whether the editor asks for diagnostics."""
        shown = self._server.client_capabilities.text_document
        return shown is not None and shown.diagnostic is not None

    # Settings

    def _initialize(self, params: types.InitializeParams) -> None:
        self._take(params.initialization_options, "settings")

    def _initialized(self, _: types.InitializedParams) -> None:
        """Ask for the settings, and for notifications when they or their files change."""
        files = [types.FileSystemWatcher(glob_pattern=f"**/{name}") for name in FILES]
        watched = types.DidChangeWatchedFilesRegistrationOptions(watchers=files)
        section = types.DidChangeConfigurationRegistrationOptions(section=_SECTION)
        asked = (
            (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watched),
            (types.WORKSPACE_DID_CHANGE_CONFIGURATION, section),
        )
        can = (self._client.did_change_watched_files, self._client.did_change_configuration)
        listed = [
            types.Registration(name, name, options)
            for (name, options), known in zip(asked, can, strict=True)
            if known and known.dynamic_registration
        ]
        if listed:
            self._server.client_register_capability(types.RegistrationParams(listed))
        self._ask_for_settings()

    def _ask_for_settings(self) -> bool:
        """Ask for the settings of the editor; whether it answers such questions."""
        if not self._client.configuration:
            return False
        items = [types.ConfigurationItem(section=_SECTION)]
        self._server.workspace_configuration(
            types.ConfigurationParams(items), lambda found: self._apply(found[0] if found else None)
        )
        return True

    def _configured(self, params: types.DidChangeConfigurationParams) -> None:
        if not self._ask_for_settings():
            self._apply(params.settings)

    def _take(self, given: Any, within: str = _SECTION) -> bool:
        """Take the settings of the editor, possibly none or nested; returns whether they
        changed."""
        found = _plain(given)
        inner = found.get(within, found) if isinstance(found, Mapping) else None
        return isinstance(inner, Mapping) and self._workspace.configure(inner)

    def _apply(self, given: Any) -> None:
        if self._take(given):
            self._check_all()
        self._show_problems()

    def _show_problems(self) -> None:
        for problem in self._workspace.problems():
            shown = types.ShowMessageParams(types.MessageType.Warning, problem)
            self._server.window_show_message(shown)

    def _reread(self, _: Any) -> None:
        """Check all documents under the settings that files have now."""
        self._workspace.forget()
        self._check_all()

    def _check_all(self) -> None:
        """Check all documents under other settings."""
        self._known.clear()
        for text in [*self._texts.values()]:
            self._become(text, text.positions, text.version)
        if self._pulls and (own := self._client.diagnostics) and own.refresh_support:
            self._server.workspace_diagnostic_refresh(None)

    # Documents

    def _text(
        self, uri: str, positions: Positions, language: str = "", version: int | None = None
    ) -> _Text:
        """A text as the editor shows its diagnostics."""
        shown = self._server.client_capabilities.text_document
        told = shown.publish_diagnostics if shown else None
        related = told is not None and bool(told.related_information)
        return _Text(self._workspace, uri, positions, language, version, related)

    def _positions(self, text: str) -> Positions:
        counted = self._server.workspace.position_encoding or types.PositionEncodingKind.Utf16
        return Positions(text, types.PositionEncodingKind(counted).value)

    def _opened(self, params: types.DidOpenTextDocumentParams) -> None:
        one = params.text_document
        text = self._text(one.uri, self._positions(one.text), one.language_id, one.version)
        self._texts[one.uri] = text
        self._check(text)

    def _become(
        self, text: _Text, positions: Positions, version: int | None, pause: float = 0
    ) -> None:
        """Check the current version of an open text, after a pause."""
        if text.due is not None:
            text.due.cancel()
        fresh = self._texts[text.uri] = self._text(text.uri, positions, text.language, version)
        fresh.due = asyncio.get_running_loop().call_later(pause, self._check, fresh)

    def _changed(self, params: types.DidChangeTextDocumentParams) -> None:
        text = self._texts.get(params.text_document.uri)
        if text is None:
            return
        positions = text.positions
        for change in params.content_changes:
            fresh = change.text
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = _span(positions, change.range)
                fresh = positions.text[:start] + fresh + positions.text[end:]
            positions = self._positions(fresh)
        self._become(text, positions, params.text_document.version, _PAUSE)

    def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        uri = params.text_document.uri
        if uri.rpartition("/")[2] in FILES:
            self._reread(params)
        elif (text := self._texts.get(uri)) is not None:
            self._become(text, text.positions, text.version)

    def _closed(self, params: types.DidCloseTextDocumentParams) -> None:
        text = self._texts.pop(params.text_document.uri, None)
        if text is not None and text.due is not None:
            text.due.cancel()
        if text is not None and not self._pulls:
            self._publish(text.uri, [])

    def _check(self, text: _Text) -> None:
        """Publish the diagnostics of a document, unless the editor asks for them."""
        text.due = None
        if not self._pulls:
            self._publish(text.uri, text.shown(), text.version)
            self._show_problems()

    def _publish(self, uri: str, found: list[types.Diagnostic], version: int | None = None) -> None:
        told = types.PublishDiagnosticsParams(uri, found, version)
        self._server.text_document_publish_diagnostics(told)

    # Answers

    def _hover(self, params: types.HoverParams) -> types.Hover | None:
        text = self._texts.get(params.text_document.uri)
        at = params.position
        shown = text.hover(text.positions.offset(at.line, at.character)) if text else None
        if text is None or shown is None:
            return None
        content = types.MarkupContent(kind=types.MarkupKind.Markdown, value=shown[2])
        return types.Hover(contents=content, range=text.range(shown[0], shown[1]))

    def _actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        text = self._texts.get(params.text_document.uri)
        if text is None:
            return []
        edit = self._client.workspace_edit
        versioned = bool(edit and edit.document_changes)
        start, end = _span(text.positions, params.range)
        only = params.context.only
        found: list[types.CodeAction] = []
        if _wants(only, types.CodeActionKind.QuickFix):
            for change in text.changes(start, end):
                found.append(text.action(change, types.CodeActionKind.QuickFix, versioned))
        # An editor that fixes on saving asks for this kind; a person sees it next to others.
        if _wants(only, _FIX_ALL) and (found or only):
            whole = text.all_changes()
            if whole is not None:
                found.append(text.action(whole, _FIX_ALL, versioned))
        return found

    def _pulled(self, params: types.DocumentDiagnosticParams) -> Any:
        """The diagnostics of one document: as it is in the editor, or else on the disk."""
        uri = params.text_document.uri
        text = self._texts.get(uri) or self._file(uri)
        found = text.shown() if text else []
        self._show_problems()
        name = _name(found)
        if name == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(name)
        return types.RelatedFullDocumentDiagnosticReport(items=found, result_id=name)

    async def _pulled_all(
        self, params: types.WorkspaceDiagnosticParams
    ) -> types.WorkspaceDiagnosticReport:
        """The diagnostics of all files that a run would check; of those without, nothing.

        Other messages are answered between two files. Cost: O(n) the first time, then a look at
        the time of each file.
        """
        root = self._server.workspace.root_path
        folders = [_path_of(uri) for uri in self._server.workspace.folders] or [root] * bool(root)
        had = {one.uri: one.value for one in params.previous_result_ids}
        items: list[types.WorkspaceDocumentDiagnosticReport] = []
        for path in self._workspace.files(folders):
            await asyncio.sleep(0)
            uri = from_fs_path(os.path.abspath(path)) or path
            items += self._report(uri, path, had.pop(uri, None))
        # The rest is gone, or excluded now.
        items += [types.WorkspaceFullDocumentDiagnosticReport(uri, []) for uri in had]
        self._show_problems()
        return types.WorkspaceDiagnosticReport(items)

    def _report(
        self, uri: str, path: str, had: str | None
    ) -> Iterator[types.WorkspaceDocumentDiagnosticReport]:
        """The report of one file, if there is anything to say."""
        text = self._texts.get(uri)
        stamp = None if text else _stamp(path)
        found: list[types.Diagnostic] = []
        if stamp is not None and self._known.get(uri) == (stamp, had):
            name = had
        else:
            text = text or self._file(uri)
            found = text.shown() if text else []
            name = _name(found) if found else None
        if stamp is not None:
            self._known[uri] = stamp, name
        version = text.version if text else None
        if name != had:
            yield types.WorkspaceFullDocumentDiagnosticReport(
                uri=uri, items=found, version=version, result_id=name
            )
        elif had is not None:
            yield types.WorkspaceUnchangedDocumentDiagnosticReport(uri, had, version=version)

    def _file(self, uri: str) -> _Text | None:
        """The text on disk under a URI; None if there is none."""
        path = _path_of(uri)
        data = read(path, self._workspace.engine(path).settings.max_file_size)
        if isinstance(data, Unread):
            return None
        return self._text(uri, self._positions(decoded(path, data).text))


def _path_of(uri: str) -> str:
    """The path of a document; of one that is on no disk, what its URI names."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return path or os.path.abspath(uri.rpartition("/")[2].rpartition(":")[2])


def _span(positions: Positions, given: types.Range) -> tuple[int, int]:
    start, end = given.start, given.end
    return positions.offset(start.line, start.character), positions.offset(end.line, end.character)


def _name(found: Sequence[types.Diagnostic]) -> str:
    """A name of some diagnostics, which others do not have."""
    return blake2b(repr(found).encode("utf-8", "replace"), digest_size=16).hexdigest()


def _stamp(path: str) -> object:
    """The consequences of a file's change; None if it is gone."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _plain(value: Any) -> Any:
    """A value of the protocol that has no type, as plain dictionaries and lists."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):  # as pygls reads an object
        value = value._asdict()
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _wants(only: Any, kind: str) -> bool:
    """Whether a kind of action, or one that it is a kind of, is asked for."""
    return not only or any(f"{kind}.".startswith(f"{getattr(one, 'value', one)}.") for one in only)
