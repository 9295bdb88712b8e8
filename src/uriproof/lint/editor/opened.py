"""A text that an editor knows, in the terms of the protocol.

Owns the way from ``workspace`` to the types of the Language Server Protocol (3.17). Imports
lsprotocol, which comes with pygls, an extra, when it is asked. Invariant: ranges are those of the
text as it is now, and nothing of an earlier one is kept.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...diagnostic import Diagnostic
from .positions import Positions
from .workspace import Change, Document, Workspace

if TYPE_CHECKING:
    import asyncio

    from lsprotocol import types as lsp

__all__ = ["Text", "path_of"]

_UNUSED = "unused-suppression"


class Text:
    """A text under a URI; ``version`` is None for a file that no editor has open."""

    def __init__(
        self,
        workspace: Workspace,
        uri: str,
        positions: Positions,
        language: str = "",
        version: int | None = None,
        shows_related: bool = False,
    ) -> None:
        self.uri = uri
        self.version = version
        self.positions = positions
        self.due: asyncio.TimerHandle | None = None
        self._workspace = workspace
        self._language = language
        self._shows_related = shows_related
        self._document: Document | None = None

    def become(self, positions: Positions, version: int) -> None:
        """Take in a change."""
        self.positions, self.version = positions, version
        self._document = None

    def forget(self) -> None:
        """Check it anew: settings have changed."""
        self._document = None

    @property
    def document(self) -> Document:
        """The text as the linter sees it. Cost: O(n) the first time after a change."""
        if self._document is None:
            path = path_of(self.uri)
            self._document = self._workspace.document(path, self.positions.text, self._language)
        return self._document

    def range(self, start: int, end: int) -> lsp.Range:
        """The range of two offsets."""
        from lsprotocol import types

        first, last = self.positions.position(start), self.positions.position(end)
        return types.Range(types.Position(*first), types.Position(*last))

    def diagnostics(self) -> list[lsp.Diagnostic]:
        """All diagnostics of the text."""
        return [self.diagnostic(one) for one in self.document.diagnostics]

    def diagnostic(self, one: Diagnostic) -> lsp.Diagnostic:
        """A diagnostic, with the other places that it blames if the editor shows them."""
        from lsprotocol import types

        levels = types.DiagnosticSeverity
        severity = {"error": levels.Error, "warning": levels.Warning, "note": levels.Information}
        address = self.document.address(one.code)
        return types.Diagnostic(
            range=self.range(one.start, one.end),
            message=f"{one.message}\n{one.hint}" if one.hint else one.message,
            severity=severity[one.severity],
            code=one.code,
            code_description=types.CodeDescription(href=address) if address else None,
            source="uriproof",
            tags=[types.DiagnosticTag.Unnecessary] if one.code == _UNUSED else None,
            related_information=[
                types.DiagnosticRelatedInformation(
                    location=types.Location(self.uri, self.range(place.start, place.end)),
                    message=f"{one.code}, also here",
                )
                for place in one.places[1:]
                if self._shows_related
            ]
            or None,
        )

    def action(self, change: Change, kind: str, versioned: bool) -> lsp.CodeAction:
        """A change that is offered; ``versioned`` where the editor takes edits of a version."""
        from lsprotocol import types

        edits = [
            types.TextEdit(range=self.range(start, end), new_text=new)
            for start, end, new in change.edits
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


def path_of(uri: str) -> str:
    """The path of a document; of one that is on no disk, what its URI names."""
    from pygls.uris import to_fs_path

    path = to_fs_path(uri) if uri.startswith("file:") else None
    return path or os.path.abspath(uri.rpartition("/")[2].rpartition(":")[2])
