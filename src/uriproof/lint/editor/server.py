"""The language server: the protocol around ``workspace``.

Owns the protocol (Language Server Protocol 3.17) and the texts that are open. Imports pygls, an
extra, when it is started. Invariant: diagnostics are of a document's last version; nothing of a
document is kept when it is closed.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...diagnostic import Diagnostic
from ..config.settings import FILES
from .positions import Positions
from .workspace import Change, Document, Workspace

if TYPE_CHECKING:
    from lsprotocol import types as lsp
    from pygls.lsp.server import LanguageServer

__all__ = ["serve", "server"]

_PAUSE = 0.1  # seconds after a change, so that what is typed is not checked letter by letter
_UNUSED = "unused-suppression"


@dataclass
class _Open:
    """A document that is open in the editor."""

    uri: str
    language: str
    version: int
    positions: Positions
    document: Document | None = None
    due: asyncio.TimerHandle | None = None


def serve(config: str | None = None, isolated: bool = False) -> bool:
    """Answer on standard input and output until the editor asks to exit.

    Returns whether it had announced that. Errors: ImportError, without pygls.
    """
    import logging

    from lsprotocol import types

    logging.getLogger("pygls").setLevel(logging.ERROR)  # it logs each message
    made = server(Workspace(config, isolated))
    announced: list[None] = []
    _registered(made, types.SHUTDOWN, None, announced.append)
    # What pygls is given, it closes in the end.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as stdout:
        made.start_io(None, stdout)
    return bool(announced)


def server(workspace: Workspace) -> LanguageServer:
    """A server that has not been started. Errors: ImportError, without pygls."""
    from importlib.metadata import PackageNotFoundError, version

    from lsprotocol import types
    from pygls.lsp.server import LanguageServer
    from pygls.protocol import LanguageServerProtocol, lsp_method

    class Protocol(LanguageServerProtocol):
        """pygls counts a form feed and U+2028 as ends of lines, and editors do not: so the texts
        are kept here, and its own are not changed."""

        @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
        def lsp_text_document__did_change(
            self, params: types.DidChangeTextDocumentParams
        ) -> Iterator[Any]:
            handler = self.fm.features.get(types.TEXT_DOCUMENT_DID_CHANGE)
            if handler is not None:
                yield handler, (params,), None

    try:
        number = version("uriproof")
    except PackageNotFoundError:  # not installed, run from its source
        number = "0"
    made = LanguageServer(
        "uriproof",
        number,
        text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
        protocol_cls=Protocol,
    )
    _Features(made, workspace).register()
    return made


class _Features:
    """What the server does for each message."""

    def __init__(self, made: LanguageServer, workspace: Workspace) -> None:
        self._server = made
        self._workspace = workspace
        self._texts: dict[str, _Open] = {}

    def register(self) -> None:
        from lsprotocol import types

        def feature(name: str, options: Any = None) -> Callable[[Callable[[Any], Any]], None]:
            return lambda method: _registered(self._server, name, options, method)

        kinds = [types.CodeActionKind.QuickFix, _fix_all()]
        feature(types.INITIALIZED)(self._initialized)
        feature(types.TEXT_DOCUMENT_DID_OPEN)(self._opened)
        feature(types.TEXT_DOCUMENT_DID_CHANGE)(self._changed)
        feature(types.TEXT_DOCUMENT_DID_SAVE)(self._saved)
        feature(types.TEXT_DOCUMENT_DID_CLOSE)(self._closed)
        feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(self._watched)
        feature(types.TEXT_DOCUMENT_HOVER)(self._hover)
        options = types.CodeActionOptions(code_action_kinds=kinds)
        feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(self._actions)

    def _initialized(self, _: lsp.InitializedParams) -> None:
        """Ask for notifications when configuration files change."""
        from lsprotocol import types

        client = self._server.client_capabilities.workspace
        watching = client.did_change_watched_files if client else None
        if not (watching and watching.dynamic_registration):
            return
        watchers = [types.FileSystemWatcher(glob_pattern=f"**/{name}") for name in FILES]
        registration = types.Registration(
            id="settings",
            method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            register_options=types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers),
        )
        self._server.client_register_capability(types.RegistrationParams([registration]))

    def _opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        positions = Positions(document.text, self._encoding)
        text = _Open(document.uri, document.language_id, document.version, positions)
        self._texts[document.uri] = text
        self._check(text)

    def _changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        from lsprotocol import types

        text = self._texts.get(params.text_document.uri)
        if text is None:
            return
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = change.range.start, change.range.end
                fresh = text.positions.changed(
                    (start.line, start.character), (end.line, end.character), change.text
                )
            else:
                fresh = change.text
            text.positions = Positions(fresh, self._encoding)
        text.version = params.text_document.version
        text.document = None
        if text.due is not None:
            text.due.cancel()
        text.due = asyncio.get_running_loop().call_later(_PAUSE, self._check, text)

    def _saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        uri = params.text_document.uri
        if uri.rpartition("/")[2] in FILES:
            self._check_all()
        elif (text := self._texts.get(uri)) is not None:
            text.document = None  # it may be on the disk only now, and excluded there
            self._check(text)

    def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        text = self._texts.pop(params.text_document.uri, None)
        if text is not None:
            if text.due is not None:
                text.due.cancel()
            self._publish(text.uri, [])

    def _watched(self, _: lsp.DidChangeWatchedFilesParams) -> None:
        self._check_all()

    def _check_all(self) -> None:
        """Check all documents under new settings."""
        self._workspace.forget()
        for text in self._texts.values():
            text.document = None
            self._check(text)

    def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        from lsprotocol import types

        text = self._texts.get(params.text_document.uri)
        if text is None:
            return None
        position = params.position
        at = text.positions.offset(position.line, position.character)
        shown = self._document(text).hover(at)
        if shown is None:
            return None
        content = types.MarkupContent(kind=types.MarkupKind.Markdown, value=shown[2])
        return types.Hover(contents=content, range=self._range(text, shown[0], shown[1]))

    def _actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        from lsprotocol import types

        text = self._texts.get(params.text_document.uri)
        if text is None:
            return []
        first, last = params.range.start, params.range.end
        start = text.positions.offset(first.line, first.character)
        end = text.positions.offset(last.line, last.character)
        only = params.context.only
        found: list[lsp.CodeAction] = []
        if _wants(only, types.CodeActionKind.QuickFix):
            for change in self._document(text).changes(start, end):
                found.append(self._action(text, change, types.CodeActionKind.QuickFix))
        # An editor that fixes on saving asks for this kind; a person sees it beside others.
        if _wants(only, _fix_all()) and (found or only):
            whole = self._document(text).all_changes()
            if whole is not None:
                found.append(self._action(text, whole, _fix_all()))
        return found

    def _action(self, text: _Open, change: Change, kind: str) -> lsp.CodeAction:
        from lsprotocol import types

        edits = [
            types.TextEdit(range=self._range(text, start, end), new_text=new)
            for start, end, new in change.edits
        ]
        document = types.OptionalVersionedTextDocumentIdentifier(text.uri, text.version)
        client = self._server.client_capabilities.workspace
        edit = client.workspace_edit if client else None
        if edit is not None and edit.document_changes:
            changes = types.WorkspaceEdit(
                document_changes=[types.TextDocumentEdit(text_document=document, edits=[*edits])]
            )
        else:
            changes = types.WorkspaceEdit(changes={text.uri: edits})
        quick = kind == types.CodeActionKind.QuickFix
        return types.CodeAction(
            title=change.title,
            kind=kind,
            diagnostics=[self._diagnostic(text, d) for d in change.fixes] if quick else None,
            is_preferred=True if quick and change.safe else None,
            edit=changes,
        )

    def _check(self, text: _Open) -> None:
        """Publish the diagnostics of a document."""
        from lsprotocol import types

        text.due = None
        found = [self._diagnostic(text, d) for d in self._document(text).diagnostics]
        self._publish(text.uri, found, text.version)
        for problem in self._workspace.problems():
            self._server.window_show_message(
                types.ShowMessageParams(type=types.MessageType.Warning, message=problem)
            )

    def _publish(self, uri: str, found: list[lsp.Diagnostic], version: int | None = None) -> None:
        from lsprotocol import types

        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=found, version=version)
        )

    def _document(self, text: _Open) -> Document:
        if text.document is None:
            path = _path(text.uri)
            text.document = self._workspace.document(path, text.positions.text, text.language)
        return text.document

    def _diagnostic(self, text: _Open, diagnostic: Diagnostic) -> lsp.Diagnostic:
        from lsprotocol import types

        levels = types.DiagnosticSeverity
        severity = {"error": levels.Error, "warning": levels.Warning, "note": levels.Information}
        message = diagnostic.message
        if diagnostic.hint:
            message += f"\n{diagnostic.hint}"
        unused = diagnostic.code == _UNUSED
        address = self._document(text).address(diagnostic.code)
        return types.Diagnostic(
            range=self._range(text, diagnostic.start, diagnostic.end),
            message=message,
            severity=severity[diagnostic.severity],
            code=diagnostic.code,
            code_description=types.CodeDescription(href=address) if address else None,
            source="uriproof",
            tags=[types.DiagnosticTag.Unnecessary] if unused else None,
            related_information=[
                types.DiagnosticRelatedInformation(
                    location=types.Location(text.uri, self._range(text, place.start, place.end)),
                    message="also here",
                )
                for place in diagnostic.places[1:]
            ]
            or None,
        )

    def _range(self, text: _Open, start: int, end: int) -> lsp.Range:
        from lsprotocol import types

        first, last = text.positions.position(start), text.positions.position(end)
        return types.Range(types.Position(*first), types.Position(*last))

    @property
    def _encoding(self) -> str:
        return str(self._server.workspace.position_encoding or "utf-16")


def _registered(
    made: LanguageServer, name: str, options: Any, method: Callable[[Any], Any]
) -> None:
    """Register a method; pygls sets attributes on what it is given, so no bound method."""

    def handler(params: Any) -> Any:
        return method(params)

    made.feature(name, options)(handler)


def _fix_all() -> str:
    return "source.fixAll.uriproof"


def _wants(only: Any, kind: str) -> bool:
    """Whether a kind of action, or one that it is a kind of, is asked for."""
    if not only:
        return True
    return any(f"{kind}.".startswith(f"{getattr(one, 'value', one)}.") for one in only)


def _path(uri: str) -> str:
    """The path of a document; of one that is on no disk, what its URI names."""
    from pygls.uris import to_fs_path

    path = to_fs_path(uri) if uri.startswith("file:") else None
    return path or os.path.abspath(uri.rpartition("/")[2].rpartition(":")[2])
