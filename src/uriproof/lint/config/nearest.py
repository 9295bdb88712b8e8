"""Which settings hold in each folder: those of the nearest configuration file above.

Owns the search, and what passes from one file to those below it. Imports ``settings`` and
``read``. Invariant: each file is read once; a file is never checked that a configuration file above
it excludes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...text.paths import through
from .settings import EXCLUDED, FILES, Settings

if TYPE_CHECKING:
    from ...text.tables import Problem


class Configs:
    """The settings that hold in each folder: those of the nearest file above.

    ``given`` is a file for all folders; ``isolated`` reads none; ``values`` are settings of the
    command line or of an editor, on top of each. ``problems`` are collected as files are read.
    """

    def __init__(
        self,
        given: str | None = None,
        isolated: bool = False,
        values: Mapping[str, Any] | None = None,
    ) -> None:
        self.given = given
        self.isolated = isolated
        self.values = values or {}
        self.problems: list[Problem] = []
        self._known: dict[str, Settings] = {}
        self._plain: dict[str, Settings | None] = {}

    def of(self, folder: str) -> Settings:
        """The settings of a folder. Cost: looks for files once a folder."""
        folder = os.path.abspath(folder)
        settings = self._known.get(folder)
        if settings is None:
            settings = self._known[folder] = self._find(folder)
        return settings

    def _find(self, folder: str) -> Settings:
        if self.isolated or self.given is not None:
            at = os.path.abspath("")
            if folder != at:
                return self.of(at)
            loaded = None if self.given is None else self._load(self.given)
            return (loaded or Settings(root=at)).under(self.values)
        plain = self._nearest(folder)
        if plain is None:
            return Settings(root=os.path.abspath("")).under(self.values)
        # One object for all folders under one file: files are divided among processes by it.
        return plain.under(self.values) if plain.root == folder else self.of(plain.root)

    def _nearest(self, folder: str) -> Settings | None:
        """The settings of the nearest file, with the excludes of those above; None without any."""
        if folder in self._plain:
            return self._plain[folder]
        above = os.path.dirname(folder)
        outer = self._nearest(above) if above != folder else None
        found = outer
        for name in FILES:
            file = os.path.join(folder, name)
            if os.path.isfile(file) and (loaded := self._load(file)) is not None:
                found = loaded if outer is None else loaded._replace(outer=_excludes(outer))
                break
        self._plain[folder] = found
        return found

    def _load(self, file: str) -> Settings | None:
        from .read import load

        near = through(file, "")
        settings, problems = load(file if near.startswith("..") else near)
        self.problems += problems
        return settings


def _excludes(settings: Settings) -> Settings | None:
    """The excludes of some settings in the words of their file; None without any."""
    own = () if settings.exclude is EXCLUDED else settings.exclude
    if not own and not settings.extend_exclude:
        return settings.outer
    return Settings(
        root=settings.root,
        file=settings.file,
        exclude=own,
        extend_exclude=settings.extend_exclude,
        outer=settings.outer,
    )
