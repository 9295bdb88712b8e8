"""The files of a run: which there are, which settings hold for each, and which change meanwhile.

Owns the walk, and the wait for changes, which imports watchfiles, an extra, when called. Imports
``lint.config``, and pathspec, if .gitignore is to be read without git. Invariant: the order is that
of the arguments, and of paths within each; no file comes twice; unreadable files are reported, and
the rest is walked.

Links found on the way are not followed, so that there are no loops; a link given by name is
followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from ...limits import LARGEST_IGNORE, MOST_ANY_FOLDERS, MOST_ASTERISKS
from ...text.atomic import PARTIAL
from ...text.paths import below, root_of, through, tree_of
from ..config.globs import matcher
from ..config.nearest import Configs
from ..config.settings import Settings
from .cache import SUFFIX
from .git import GitError, git
from .source import Unread, read

Item = tuple[str, Settings] | Unread

_NO_PATHSPEC = (
    "ignored files are checked too, because git does not list this folder; "
    'to read .gitignore without git: pip install "uriproof[lint]"'
)


class Walk:
    """The files below some paths. ``notes`` are collected on the way.

    With ``force_exclude``, files are excluded even if they are given by name. ``skipped`` is given
    each file or folder that is excluded, and why. If the tree is ``untrusted``, git is not run, and
    no link is followed.
    """

    def __init__(
        self,
        configs: Configs,
        force_exclude: bool = False,
        skipped: Callable[[str, str], None] | None = None,
        untrusted: bool = False,
    ) -> None:
        self.configs = configs
        self.force_exclude = force_exclude
        self.skipped = skipped
        self.untrusted = untrusted
        self.notes: list[str] = []

    def over(self, paths: Iterable[str]) -> Iterator[Item]:
        """Each file once, with its settings; what cannot be read, with the reason."""
        given = list(paths)
        seen: dict[str, list[str]] = {}  # paths that differ in the case of letters at most
        for path in given:
            for item in self._below(path):
                if len(given) > 1 and not isinstance(item, Unread):
                    whole = os.path.abspath(item[0])
                    known = seen.setdefault(whole.casefold(), [])
                    if any(_is_one(one, whole) for one in known):
                        continue
                    known.append(whole)
                yield item

    def _below(self, path: str) -> Iterator[Item]:
        shown = _shown(path)
        try:
            is_folder = stat.S_ISDIR(os.stat(path).st_mode)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            words = getattr(error, "strerror", None) or str(error)
            yield Unread(path, "unreadable", words)
            return
        if self.untrusted and _is_linked(path):
            yield Unread(path, "link", "a link, which --untrusted does not follow: not checked")
            return
        if is_folder:
            yield from self._folder(shown)
            return
        settings = self.configs.of(os.path.dirname(shown))
        head, name = os.path.split(shown)
        if self.force_exclude and (filter_ := _Filter(settings, head)).drops_name(name):
            self._skip(shown, filter_)
            return
        yield shown, settings

    def _folder(self, folder: str) -> Iterator[Item]:
        settings = self.configs.of(folder)
        listed = _listed(folder) if settings.gitignore and not self.untrusted else None
        if listed is not None:
            yield from self._from_git(folder, listed)
        else:
            yield from self._from_disk(folder)

    def _from_git(self, folder: str, names: list[str]) -> Iterator[Item]:
        """The files that git lists, filtered by the settings of each folder."""
        for head, names_in_it in groupby(names, lambda name: name.rpartition("/")[0]):
            if not _is_inside(head, folder):
                continue
            filter_ = self._filter(os.path.join(folder, head) if head else folder, folder)
            for name in names_in_it:
                path = os.path.join(folder, name) if folder else name
                if filter_.drops_name(name.rpartition("/")[2]):
                    self._skip(path, filter_)
                    continue
                try:
                    mode = os.lstat(path).st_mode
                except OSError:
                    continue  # in the index, and deleted from the disk
                if stat.S_ISREG(mode):
                    yield path, filter_.settings
                elif stat.S_ISDIR(mode):  # a submodule, whose files its own index lists
                    yield from self._folder(path)

    def _skip(self, path: str, filter_: _Filter) -> None:
        """Report what a filter has dropped, and why, if requested."""
        if self.skipped is not None:
            self.skipped(path, filter_.why(os.path.basename(path)))

    def _filter(self, folder: str, given: str) -> _Filter:
        """The names in a folder that its settings drop."""
        return _Filter(self.configs.of(folder), folder, None if self.force_exclude else given)

    def _from_disk(self, folder: str) -> Iterator[Item]:
        """The files on disk; .gitignore is read if a library for it is installed."""
        # Each folder to come, with the expressions of .gitignore above it.
        todo: list[tuple[str, Settings | tuple[_Ignored, ...]]] = [(folder, ())]
        while todo:
            here, above = todo.pop()
            if isinstance(above, Settings):
                yield here, above
                continue
            try:
                with os.scandir(here or ".") as entries:
                    found = list(entries)
            except OSError as error:
                yield Unread(here, "unreadable", error.strerror or str(error))
                continue
            filter_ = self._filter(here, folder)
            if filter_.settings.gitignore and any(e.name == ".gitignore" for e in found):
                own = self._ignored(here)
                above = (*above, own) if own else above
            children: list[tuple[str, Any]] = []
            for entry in found:
                name = entry.name
                if filter_.drops_name(name, entry):
                    self._skip(os.path.join(here, name), filter_)
                    continue
                is_folder = entry.is_dir(follow_symlinks=False)
                if not is_folder and not entry.is_file(follow_symlinks=False):
                    continue
                path = os.path.join(here, name) if here else name
                if above and _ignores(above, path, is_folder):
                    continue
                if is_folder:
                    children.append((name + "/", (path, above)))
                else:
                    children.append((name, (path, filter_.settings)))
            children.sort(reverse=True)
            todo += [item for _, item in children]

    def _ignored(self, folder: str) -> _Ignored | None:
        """The expressions of a folder's .gitignore, if they can be read."""
        try:
            from pathspec import GitIgnoreSpec
        except ImportError:
            if _NO_PATHSPEC not in self.notes:
                self.notes.append(_NO_PATHSPEC)
            return None
        file = os.path.join(folder, ".gitignore")
        data = read(file, LARGEST_IGNORE)
        try:
            lines = [] if isinstance(data, Unread) else data.decode("utf-8").splitlines()
            if any(map(_is_slow, lines)):
                self.notes.append(f"{file}: not read: too many asterisks in a pattern")
                return None
            spec = GitIgnoreSpec.from_lines(lines)
        except ValueError:  # an invalid pattern ignores nothing, as in git
            return None
        return _Ignored(folder, spec)


class _Ignored(NamedTuple):
    """One .gitignore, for the contents of its folder."""

    folder: str
    spec: Any

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True for ignored, False for re-included, None for no match."""
        inside = through(path, self.folder or ".") + "/" * is_folder
        include: bool | None = self.spec.check_file(inside).include
        return include


def _ignores(above: tuple[_Ignored, ...], path: str, is_folder: bool) -> bool:
    """Whether the nearest .gitignore with a match for a path ignores it (gitignore(5))."""
    verdicts = (ignored.verdict(path, is_folder) for ignored in reversed(above))
    return next((one for one in verdicts if one is not None), False)


class _Filter:
    """The names that some settings, and those outside them, drop in one folder.

    ``given`` is the folder that was given by name: even if it is excluded, it is checked, and only
    the names of its own contents count.
    """

    def __init__(self, settings: Settings, folder: str, given: str | None = None) -> None:
        self.settings = settings
        self._levels = [_Level(level, folder, given) for level in settings.levels]
        self._includes = matcher(settings.include) if settings.include else None

    def drops_name(self, name: str, entry: os.DirEntry[str] | None = None) -> bool:
        """Whether a name in the folder is left out; a folder, if it is excluded."""
        if name.endswith((PARTIAL, SUFFIX)):
            return True
        for level in self._levels:
            if level.excludes(level.below + name):
                return True
        if self._includes is None or self._includes(self._levels[0].below + name):
            return False
        return entry is None or not entry.is_dir(follow_symlinks=False)

    def why(self, name: str) -> str:
        """Why a name in the folder is left out."""
        for level in self._levels:
            if pattern := level.pattern(name):
                return f'excluded by "{pattern}"{level.source}'
        return f"not included{self._levels[0].source}"


class _Level:
    """The excludes of one configuration file in a folder, whose path from it is ``below``."""

    def __init__(self, settings: Settings, folder: str, given: str | None) -> None:
        self._settings = settings
        self.excludes: Callable[[str], object] = matcher(settings.excluded)
        below = settings.relative(folder or ".")
        named = "" if given is None else settings.relative(given or ".")
        if named and below.startswith(named) and self.excludes(named):
            below = below[len(named) :].lstrip("/")
        self.below = f"{below}/" if below else ""

    @property
    def source(self) -> str:
        """The file that the excludes are from, as a phrase; empty for the defaults."""
        return f" of {self._settings.file}" if self._settings.file else ""

    def pattern(self, name: str) -> str:
        """The first pattern that excludes a name in the folder; empty if none does."""
        path = self.below + name
        return next((one for one in self._settings.excluded if matcher([one])(path)), "")


def checks(configs: Configs, path: str) -> bool:
    """Whether settings let a file be checked; one that is gone has been, perhaps."""
    return any(True for _ in Walk(configs, force_exclude=True).over([path]))


def _shown(path: str) -> str:
    """A path as diagnostics have it: relative to the working directory if it is below that."""
    inside = below(path, "")
    return os.path.normpath(path if inside is None else inside) if inside != "" else ""


def _is_one(path: str, other: str) -> bool:
    """Whether two paths that differ in the case of letters at most lead to one file."""
    try:
        return path == other or os.path.samefile(path, other)
    except OSError:
        return False


def _is_slow(pattern: str) -> bool:
    """Whether a pattern of a .gitignore has more asterisks in a name, or more ``**``, than people
    write."""
    names = pattern.split("/")
    return names.count("**") > MOST_ANY_FOLDERS or any(
        name.count("*") > MOST_ASTERISKS for name in names
    )


def _is_linked(path: str) -> bool:
    """Whether a path, or a folder on the way to it in its tree, is a link."""
    tree = tree_of(os.path.dirname(os.path.abspath(path)))
    return not _is_inside(below(path, tree) or "", tree)


def _is_inside(head: str, folder: str) -> bool:
    """Whether a folder that an index names is there without links. An index is a file from any
    source: its names can lead up, be absolute, or be behind a link."""
    if os.path.isabs(head) or os.pardir in head.split("/"):
        return False
    whole = os.path.realpath(folder or ".")
    return os.path.realpath(os.path.join(whole, head)) == os.path.normpath(
        os.path.join(whole, head)
    )


def _listed(folder: str) -> list[str] | None:
    """The files that git tracks, or would, below a folder; None if git does not tell."""
    if root_of(folder) is None:
        return None
    try:
        out = git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    except GitError:
        return None
    names = out.decode("utf-8", "surrogateescape").split("\0")
    # Nothing: the folder itself is ignored, and still its files were asked for.
    return sorted({name for name in names if name}) or None


def changes(paths: Iterable[str]) -> Iterator[list[str]]:
    """The files that changed below some paths, sorted, each time that some did.

    A path that does not exist is ignored. Errors: ImportError, at once, without watchfiles;
    KeyboardInterrupt.
    """
    from watchfiles import DefaultFilter, watch

    known = DefaultFilter()
    there = [path for path in paths if os.path.exists(path)]

    def changed() -> Iterator[list[str]]:
        if not there:
            return
        for found in watch(
            *there,
            watch_filter=lambda change, path: not path.endswith(PARTIAL) and known(change, path),
            debounce=300,
        ):
            yield sorted({path for _, path in found})

    return changed()
