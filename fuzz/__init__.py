"""Fuzzing: one target a file, each run with ``python -m fuzz.NAME``; README.md says how."""
