"""Fuzzing: one target a file, each run with ``python -m fuzz.NAME``; README.md says how.

Owns the instruments. Imports atheris and every module of the package. Invariant: no target comes
before them, for what is imported earlier or later would run without instruments.
"""

import pkgutil
from importlib import import_module

import atheris  # type: ignore[import-untyped]  # it has no types

with atheris.instrument_imports(include=["uriproof"]):
    for _module in pkgutil.walk_packages(import_module("uriproof").__path__, "uriproof."):
        if not _module.name.endswith("__main__"):
            import_module(_module.name)
