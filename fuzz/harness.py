"""How a target runs: feed it inputs, and keep what breaks a promise.

Owns the command line of the targets. Imports atheris. Invariant: an input that breaks a promise is
never lost: it ends the run, or, with ``URIPROOF_KEEP`` naming a folder, is kept there, the shortest
for each place and message, and the run goes on.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import atheris  # type: ignore[import-untyped]  # it has no types

__all__ = ["Broken", "hold", "run", "words"]

_NAMED = 150


class Broken(Exception):
    """A promise that an input breaks."""


def hold(kept: bool, promise: str) -> None:
    """Raise Broken unless the promise is kept."""
    if not kept:
        raise Broken(promise)


def words(data: bytes) -> str:
    """Bytes as text; those that are not UTF-8 become lone surrogates, as in arguments."""
    return data.decode("utf-8", "surrogateescape")


def run(target: Callable[[bytes], None]) -> None:
    """Fuzz a target with the options of libFuzzer in ``sys.argv``; the folders hold seeds."""
    keep = os.environ.get("URIPROOF_KEEP")
    one_input = _Keeper(target, Path(keep)) if keep else target
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


class _Keeper:
    """A target that keeps the shortest input for each way to break a promise."""

    def __init__(self, target: Callable[[bytes], None], folder: Path) -> None:
        self._target = target
        self._folder = folder
        self._least: dict[str, int] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, data: bytes) -> None:
        try:
            self._target(data)
        except Exception as error:  # whatever it is, it was not promised
            self._keep(data, error)

    def _keep(self, data: bytes, error: Exception) -> None:
        at = traceback.extract_tb(error.__traceback__)[-1]
        said = str(error) if isinstance(error, Broken) else f"{Path(at.filename).stem}-{at.lineno}"
        name = re.sub(r"[^\w.-]+", "-", f"{type(error).__name__}-{said}")[:_NAMED]
        if len(data) < self._least.get(name, sys.maxsize):
            self._least[name] = len(data)
            (self._folder / name).write_bytes(data)
            shown = "".join(traceback.format_exception(error))
            (self._folder / f"{name}.txt").write_text(f"{data!r}\n\n{shown}", "utf-8", "replace")
