"""The language server: the protocol around ``workspace``.

Owns the protocol (Language Server Protocol 3.17) and the texts that are open. Imports pygls, an
extra, when it is started. Invariant: diagnostics are of a document's last version; nothing of a
document is kept when it is closed.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..config.settings import FILES
from .opened import Text, path_of
from .positions import Positions
from .pull import Pull
from .workspace import Workspace

if TYPE_CHECKING:
    from lsprotocol import types as lsp
    from pygls.lsp.server import LanguageServer

__all__ = ["serve", "server"]

_SECTION = "uriproof"
_PAUSE = 0.1  # seconds after a change, so that what is typed is not checked letter by letter


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
        self._texts: dict[str, Text] = {}
        self._pull = Pull(workspace, self._texts, self._text)

    def register(self) -> None:
        from lsprotocol import types

        def feature(name: str, options: Any = None) -> Callable[[Callable[[Any], Any]], None]:
            return lambda method: _registered(self._server, name, options, method)

        kinds = [types.CodeActionKind.QuickFix, _fix_all()]
        feature(types.INITIALIZE)(self._initialize)
        feature(types.INITIALIZED)(self._initialized)
        feature(types.TEXT_DOCUMENT_DID_OPEN)(self._opened)
        feature(types.TEXT_DOCUMENT_DID_CHANGE)(self._changed)
        feature(types.TEXT_DOCUMENT_DID_SAVE)(self._saved)
        feature(types.TEXT_DOCUMENT_DID_CLOSE)(self._closed)
        feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(self._watched)
        feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(self._configured)
        feature(types.TEXT_DOCUMENT_HOVER)(self._hover)
        options = types.CodeActionOptions(code_action_kinds=kinds)
        feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(self._actions)
        pull = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=True)
        feature(types.TEXT_DOCUMENT_DIAGNOSTIC, pull)(self._pulled)
        _registered_async(self._server, types.WORKSPACE_DIAGNOSTIC, self._pulled_all)

    # Settings

    def _initialize(self, params: lsp.InitializeParams) -> None:
        """Take the settings that the editor starts the server with."""
        given = _plain(params.initialization_options)
        if isinstance(given, Mapping):
            inner = given.get("settings", given)
            self._workspace.configure(inner if isinstance(inner, Mapping) else {})

    def _initialized(self, _: lsp.InitializedParams) -> None:
        """Ask for the settings, and for notifications when they or their files change."""
        from lsprotocol import types

        client = self._server.client_capabilities.workspace
        if client is None:
            return
        registrations = []
        if (files := client.did_change_watched_files) and files.dynamic_registration:
            watchers = [types.FileSystemWatcher(glob_pattern=f"**/{name}") for name in FILES]
            watched = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
            name = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registrations.append(types.Registration("settings", name, watched))
        if (own := client.did_change_configuration) and own.dynamic_registration:
            name = types.WORKSPACE_DID_CHANGE_CONFIGURATION
            section = types.DidChangeConfigurationRegistrationOptions(section=_SECTION)
            registrations.append(types.Registration("editor", name, section))
        if registrations:
            self._server.client_register_capability(types.RegistrationParams(registrations))
        self._ask_for_settings()

    def _ask_for_settings(self) -> bool:
        """Ask for the settings of the editor; whether it answers such questions."""
        from lsprotocol import types

        client = self._server.client_capabilities.workspace
        if client is None or not client.configuration:
            return False
        items = [types.ConfigurationItem(section=_SECTION)]
        self._server.workspace_configuration(
            types.ConfigurationParams(items), lambda found: self._take(found[0] if found else None)
        )
        return True

    def _configured(self, params: lsp.DidChangeConfigurationParams) -> None:
        if not self._ask_for_settings():
            given = _plain(params.settings)
            self._take(given.get(_SECTION, given) if isinstance(given, Mapping) else None)

    def _take(self, given: Any) -> None:
        """Take the settings of the editor, which may be none."""
        found = _plain(given)
        if isinstance(found, Mapping) and self._workspace.configure(found):
            self._check_all()
        self._show_problems()

    def _show_problems(self) -> None:
        from lsprotocol import types

        for problem in self._workspace.problems():
            self._server.window_show_message(
                types.ShowMessageParams(type=types.MessageType.Warning, message=problem)
            )

    # Documents

    def _opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        text = self._text(document.uri, document.text, document.language_id, document.version)
        self._texts[document.uri] = text
        self._check(text)

    def _changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        from lsprotocol import types

        text = self._texts.get(params.text_document.uri)
        if text is None:
            return
        positions = text.positions
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = change.range.start, change.range.end
                fresh = positions.changed(
                    (start.line, start.character), (end.line, end.character), change.text
                )
            else:
                fresh = change.text
            positions = Positions(fresh, self._encoding)
        text.become(positions, params.text_document.version)
        if text.due is not None:
            text.due.cancel()
        if not self._pulls:
            text.due = asyncio.get_running_loop().call_later(_PAUSE, self._check, text)

    def _saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        uri = params.text_document.uri
        self._workspace.saved(path_of(uri))
        if uri.rpartition("/")[2] in FILES:
            self._reread()
        elif (text := self._texts.get(uri)) is not None:
            text.forget()
            self._check(text)

    def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        text = self._texts.pop(params.text_document.uri, None)
        if text is not None:
            if text.due is not None:
                text.due.cancel()
            self._publish(text.uri, [])

    def _watched(self, _: lsp.DidChangeWatchedFilesParams) -> None:
        self._reread()

    def _reread(self) -> None:
        """Check all documents under the settings that files have now."""
        self._workspace.forget()
        self._check_all()

    def _check_all(self) -> None:
        """Check all documents under other settings."""
        self._pull.forget()
        for text in self._texts.values():
            text.forget()
            self._check(text)
        client = self._server.client_capabilities.workspace
        if self._pulls and client and client.diagnostics and client.diagnostics.refresh_support:
            self._server.workspace_diagnostic_refresh(None)

    # Answers

    def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        from lsprotocol import types

        text = self._texts.get(params.text_document.uri)
        if text is None:
            return None
        position = params.position
        at = text.positions.offset(position.line, position.character)
        shown = text.document.hover(at)
        if shown is None:
            return None
        content = types.MarkupContent(kind=types.MarkupKind.Markdown, value=shown[2])
        return types.Hover(contents=content, range=text.range(shown[0], shown[1]))

    def _actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        from lsprotocol import types

        text = self._texts.get(params.text_document.uri)
        if text is None:
            return []
        client = self._server.client_capabilities.workspace
        edit = client.workspace_edit if client else None
        versioned = bool(edit and edit.document_changes)
        first, last = params.range.start, params.range.end
        start = text.positions.offset(first.line, first.character)
        end = text.positions.offset(last.line, last.character)
        only = params.context.only
        found: list[lsp.CodeAction] = []
        if _wants(only, types.CodeActionKind.QuickFix):
            for change in text.document.changes(start, end):
                found.append(text.action(change, types.CodeActionKind.QuickFix, versioned))
        # An editor that fixes on saving asks for this kind; a person sees it beside others.
        if _wants(only, _fix_all()) and (found or only):
            whole = text.document.all_changes()
            if whole is not None:
                found.append(text.action(whole, _fix_all(), versioned))
        return found

    def _pulled(self, params: lsp.DocumentDiagnosticParams) -> Any:
        report = self._pull.document(params)
        self._show_problems()
        return report

    async def _pulled_all(self, params: lsp.WorkspaceDiagnosticParams) -> Any:
        folders = [path_of(uri) for uri in self._server.workspace.folders]
        root = self._server.workspace.root_path
        report = await self._pull.workspace(params, folders or [root] * bool(root))
        self._show_problems()
        return report

    def _check(self, text: Text) -> None:
        """Publish the diagnostics of a document, unless the editor asks for them."""
        text.due = None
        if not self._pulls:
            self._publish(text.uri, text.diagnostics(), text.version)
            self._show_problems()

    def _publish(self, uri: str, found: list[lsp.Diagnostic], version: int | None = None) -> None:
        from lsprotocol import types

        if self._pulls:
            return
        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=found, version=version)
        )

    @property
    def _pulls(self) -> bool:
        """Whether the editor asks for diagnostics."""
        client = self._server.client_capabilities.text_document
        return client is not None and client.diagnostic is not None

    @property
    def _shows_related(self) -> bool:
        """Whether the editor shows other places beside a diagnostic."""
        client = self._server.client_capabilities.text_document
        shows = client.publish_diagnostics if client else None
        return bool(shows and shows.related_information)

    def _text(self, uri: str, text: str, language: str = "", version: int | None = None) -> Text:
        """A text as the editor counts its columns, and shows its diagnostics."""
        positions = Positions(text, self._encoding)
        return Text(self._workspace, uri, positions, language, version, self._shows_related)

    @property
    def _encoding(self) -> str:
        return str(self._server.workspace.position_encoding or "utf-16")


def _plain(value: Any) -> Any:
    """A value of the protocol that has no type, as plain dictionaries and lists."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):  # as pygls reads an object
        value = value._asdict()
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _registered_async(
    made: LanguageServer, name: str, method: Callable[[Any], Awaitable[Any]]
) -> None:
    """Register a method that gives way to others."""

    async def handler(params: Any) -> Any:
        return await method(params)

    made.feature(name)(handler)


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
