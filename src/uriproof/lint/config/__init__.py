"""The settings of the linter: where they are read from, and what may be set."""
