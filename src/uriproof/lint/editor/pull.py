"""Diagnostics that the editor asks for: of a document, or of all files of the workspace.

Owns ``textDocument/diagnostic`` and ``workspace/diagnostic`` (Language Server Protocol 3.17).
Imports lsprotocol, which comes with pygls, an extra, when it is asked. Invariant: an open document
is reported as it is in the editor, any other as it is on the disk; what the editor has already got
is not sent again.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from ..files.source import decoded, read
from .opened import Text, path_of
from .workspace import Workspace

if TYPE_CHECKING:
    from lsprotocol import types as lsp

__all__ = ["Pull"]

_Stamp = tuple[int, int]


class Pull:
    """The answers; ``texts`` are the open documents by URI, ``make`` makes one of a file's text."""

    def __init__(
        self,
        workspace: Workspace,
        texts: Mapping[str, Text],
        make: Callable[[str, str], Text],
    ) -> None:
        self._workspace = workspace
        self._texts = texts
        self._make = make
        self._known: dict[str, tuple[_Stamp, str]] = {}

    def forget(self) -> None:
        """Settings have changed: what is known of files does not hold."""
        self._known.clear()

    def document(
        self, params: lsp.DocumentDiagnosticParams
    ) -> lsp.RelatedFullDocumentDiagnosticReport | lsp.RelatedUnchangedDocumentDiagnosticReport:
        """The diagnostics of one document."""
        from lsprotocol import types

        uri = params.text_document.uri
        text = self._texts.get(uri) or self._file(uri)
        found = text.diagnostics() if text else []
        name = _name(found)
        if name == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=name)
        return types.RelatedFullDocumentDiagnosticReport(items=found, result_id=name)

    async def workspace(
        self, params: lsp.WorkspaceDiagnosticParams, folders: Sequence[str]
    ) -> lsp.WorkspaceDiagnosticReport:
        """The diagnostics of all files that a run would check; of those without, nothing.

        Other messages are answered between two files. Cost: O(n) the first time, then a look at
        the time of each file.
        """
        from lsprotocol import types

        had = {one.uri: one.value for one in params.previous_result_ids}
        items: list[lsp.WorkspaceDocumentDiagnosticReport] = []
        seen: set[str] = set()
        for path in self._workspace.files(folders):
            await asyncio.sleep(0)
            uri = _uri(path)
            seen.add(uri)
            report = self._report(uri, path, had.get(uri))
            if report is not None:
                items.append(report)
        for uri in had.keys() - seen:  # gone, or excluded now
            items.append(types.WorkspaceFullDocumentDiagnosticReport(uri=uri, items=[]))
        return types.WorkspaceDiagnosticReport(items=items)

    def _report(
        self, uri: str, path: str, had: str | None
    ) -> lsp.WorkspaceDocumentDiagnosticReport | None:
        """The report of one file; None where there is nothing to say."""
        from lsprotocol import types

        text = self._texts.get(uri)
        stamp = None if text else _stamp(path)
        known = self._known.get(uri)
        if known is not None and known[0] == stamp and known[1] in {had or "", ""}:
            name = known[1]
            return (
                types.WorkspaceUnchangedDocumentDiagnosticReport(uri=uri, result_id=name)
                if name
                else _cleared(uri, had)
            )
        text = text or self._file(uri)
        found = text.diagnostics() if text else []
        name = _name(found) if found else ""
        if stamp is not None:
            self._known[uri] = stamp, name
        if not found:
            return _cleared(uri, had)
        version = text.version if text else None
        if name == had:
            return types.WorkspaceUnchangedDocumentDiagnosticReport(
                uri=uri, result_id=name, version=version
            )
        return types.WorkspaceFullDocumentDiagnosticReport(
            uri=uri, items=found, version=version, result_id=name
        )

    def _file(self, uri: str) -> Text | None:
        """What is on the disk under a URI; None where no text is."""
        path = path_of(uri)
        data = read(path, self._workspace.largest(path)) if os.path.isfile(path) else None
        if not isinstance(data, bytes):
            return None
        return self._make(uri, decoded(path, data).text)


def _cleared(uri: str, had: str | None) -> lsp.WorkspaceFullDocumentDiagnosticReport | None:
    """No diagnostics, where the editor still shows some."""
    from lsprotocol import types

    return types.WorkspaceFullDocumentDiagnosticReport(uri=uri, items=[]) if had else None


def _name(found: Sequence[lsp.Diagnostic]) -> str:
    """A name of some diagnostics, which others do not have."""
    return blake2b(repr(found).encode("utf-8", "replace"), digest_size=16).hexdigest()


def _stamp(path: str) -> _Stamp | None:
    """What changes with a file; None where it is gone."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _uri(path: str) -> str:
    from pygls.uris import from_fs_path

    return from_fs_path(os.path.abspath(path)) or path
