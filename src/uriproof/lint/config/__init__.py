"""The settings of the linter: their sources and their definitions."""
