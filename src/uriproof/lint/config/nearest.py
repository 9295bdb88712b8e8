"""Which settings hold in each folder: those of the nearest configuration file above.

Owns the search, and what passes from one file to those below it. Imports ``settings`` and
``read``. Invariant: each file is read once; a file is never checked that a configuration file above
it excludes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
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
        self._of_file: dict[str, Settings] = {}
        self._nearest: dict[str, Settings | None] = {}

    def of(self, folder: str) -> Settings:
        """The settings of a folder: one object for all folders under one file, because files are
        divided among processes by it. Cost: looks for files once a folder."""
        alone = self.isolated or self.given is not None
        plain = self._given if alone else self._above(os.path.abspath(folder))
        file = plain.file if plain else ""
        if file not in self._of_file:
            loaded = plain or Settings(root=os.path.abspath(""))
            self._of_file[file] = loaded.under(self.values)
        return self._of_file[file]

    @cached_property
    def _given(self) -> Settings | None:
        return None if self.given is None else self._load(self.given)

    def _above(self, folder: str) -> Settings | None:
        """The settings of the nearest file, with the excludes of those above; None without any."""
        if folder in self._nearest:
            return self._nearest[folder]
        above = os.path.dirname(folder)
        outer = self._above(above) if above != folder else None
        found = outer
        for name in FILES:
            file = os.path.join(folder, name)
            if os.path.isfile(file) and (loaded := self._load(file)) is not None:
                found = loaded if outer is None else loaded._replace(outer=_excludes(outer))
                break
        self._nearest[folder] = found
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
