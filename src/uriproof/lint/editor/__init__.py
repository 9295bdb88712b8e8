"""The linter in an editor: documents, positions and the language server."""
