"""How far a person is in the lessons: kept on this machine, in one small file.

Owns that file. Imports the one way to write files. Invariant: a file that is missing, broken or of
another version is no error, and is not written over before something is to be kept.
"""

from __future__ import annotations

import os
from typing import Any

from ...text.atomic import write_text
from .files import data_folder

__all__ = ["Progress"]

_VERSION = 1


class Progress:
    """What is done of each lesson, and how the screen is to look.

    ``path`` is the file; None keeps nothing beyond the run.
    """

    def __init__(self, path: str | None = "") -> None:
        self.path = os.path.join(data_folder(), "teach.json") if path == "" else path
        self.error = ""
        self._kept = self._read()

    def _read(self) -> dict[str, Any]:
        import json

        empty: dict[str, Any] = {"version": _VERSION, "lessons": {}}
        if self.path is None:
            return empty
        try:
            with open(self.path, encoding="utf-8") as stream:
                kept = json.load(stream)
        except (OSError, ValueError, RecursionError):
            return empty
        lessons = kept.get("lessons") if isinstance(kept, dict) else None
        if not isinstance(lessons, dict) or kept.get("version") != _VERSION:
            return empty
        known = {k: v for k, v in lessons.items() if isinstance(v, list)}
        totals = kept.get("totals")
        counts = totals if isinstance(totals, dict) else {}
        return {
            **kept,
            "totals": {k: v for k, v in counts.items() if isinstance(v, int)},
            "lessons": {k: [d for d in v if isinstance(d, str)] for k, v in known.items()},
        }

    def done(self, lesson: str) -> frozenset[str]:
        """What is done of a lesson, by the names that ``finish`` was given."""
        return frozenset(self._kept["lessons"].get(lesson, ()))

    def begin(self, lesson: str, total: int) -> None:
        """Note how many steps a lesson has; written with the first that is done."""
        totals = self._kept.setdefault("totals", {})
        if isinstance(totals, dict):
            totals[lesson] = total

    def finish(self, lesson: str, what: str) -> None:
        done = self._kept["lessons"].setdefault(lesson, [])
        if what not in done:
            done.append(what)
            self._write()

    def mark(self, lesson: str) -> tuple[str, str]:
        """A sign and words for how far a person is in a lesson."""
        done, total = len(self.done(lesson)), self._kept.get("totals", {}).get(lesson, 0)
        if not done:
            return "·", ""
        if total and done >= total:
            return "✔", "done"
        return "◐", f"{done} of {total} steps" if total else "begun"

    def forget(self, lesson: str) -> None:
        """Begin a lesson again."""
        if self._kept["lessons"].pop(lesson, None) is not None:
            self._write()

    @property
    def theme(self) -> str:
        """The theme that was chosen, if any."""
        found = self._kept.get("theme")
        return found if isinstance(found, str) else ""

    @theme.setter
    def theme(self, name: str) -> None:
        self._kept["theme"] = name
        self._write()

    def _write(self) -> None:
        import json

        if self.path is None:
            return
        self.error = ""
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            write_text(os.path.realpath(self.path), json.dumps(self._kept, indent=1) + "\n")
        except OSError as error:
            self.error = f"The progress is not kept: {error.strerror or error}"
