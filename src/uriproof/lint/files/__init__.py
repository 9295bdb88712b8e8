"""The files of a run: their names, their contents, and their changes."""
