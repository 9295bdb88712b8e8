"""From the text of one file to its diagnostics, and a run over many files."""
