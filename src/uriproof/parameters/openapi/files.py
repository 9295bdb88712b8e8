"""An OpenAPI document in several files, as one: a root file, and those below its folder.

Owns the reading of files. Imports the problems of documents. Invariant: nothing is read outside the
folder of the root file, whatever a reference or a link says, and nothing is fetched.

How it works. The other files become members of the root, below ``x-files``, and references to them
lead there: ``shared/a.yaml#/b`` is ``#/x-files/shared~1a.yaml/b``. Messages name the file again.
"""

from __future__ import annotations

import os
import posixpath
from functools import cache
from typing import Any

from ...grammar import registry
from ...limits import LARGEST_DOCUMENT, MOST_DOCUMENT_FILES
from ...percent.decode import decode
from ...percent.encode import encode
from ...percent.errors import DecodeError
from ...text.paths import below
from ..document import DocumentProblem, InvalidDocument
from ..reachable import FILES, escaped

_YAML = (".yaml", ".yml")
_READ = (".json", *_YAML)


def read_document(path: str | os.PathLike[str]) -> dict[str, Any]:
    """An OpenAPI document in a file of JSON or YAML, with the files that it refers to.

    References to files in the same folder or below it are followed, those in other files too. All
    others stay, and are problems of the operations that need them. For YAML, whose scalars are read
    as in YAML 1.2, PyYAML is needed.

    Errors: InvalidDocument, if a file cannot be read, is not JSON or YAML, or they are too many or
    too large; OSError for the root file; ImportError, with how to install PyYAML. Cost: O(size of
    the files). Spec: OpenAPI 3.1.1 §4.3, §4.8.23.
    """
    folder, root = os.path.split(os.path.abspath(os.fspath(path)))
    files = _Files(folder, root)
    found = files.read()
    if files.problems:
        raise InvalidDocument(tuple(files.problems))
    return found


class _Files:
    def __init__(self, folder: str, root: str) -> None:
        self._folder, self._root = os.path.realpath(folder), root
        self._room = LARGEST_DOCUMENT
        self._waiting = [root]
        self._known = {root}
        self.problems: list[DocumentProblem] = []

    def read(self) -> dict[str, Any]:
        """The root with all files in it."""
        found: dict[str, Any] = {}
        while self._waiting and self._room > 0:
            name = self._waiting.pop()
            octets = self._octets(name)
            if octets is None:
                continue
            self._room -= len(octets)
            try:
                found[name] = _parsed(name, octets)
            except ValueError as error:
                self._problem(name, str(error))
            self._redirect(found.get(name), name)
        if self._room <= 0:
            self._problem(self._root, f"its files have more than {LARGEST_DOCUMENT:,} octets")
        if len(self._known) > MOST_DOCUMENT_FILES:
            words = f"it refers to more than {MOST_DOCUMENT_FILES:,} files"
            self._problem(self._root, words)
        root = found.pop(self._root, None)
        if not isinstance(root, dict) and not self.problems:
            self._problem(self._root, "expected an object")
        return {**root, FILES: found} if isinstance(root, dict) else {}

    def _problem(self, name: str, message: str) -> None:
        self.problems.append(DocumentProblem(f"{name}#", message))

    def _octets(self, name: str) -> bytes | None:
        """The octets of a file; None if there is none below the folder, links followed."""
        path = os.path.realpath(os.path.join(self._folder, name))
        if name != self._root and (below(path, self._folder) is None or not os.path.isfile(path)):
            return None
        with open(path, "rb") as file:
            return file.read(self._room + 1)

    def _redirect(self, document: Any, name: str) -> None:
        """Let the references of a file lead to places in the root; each file waits once."""
        waiting, seen = [document], set()
        while waiting:
            top = waiting.pop()
            if not isinstance(top, dict | list) or id(top) in seen:
                continue
            seen.add(id(top))
            if isinstance(top, dict) and isinstance(reference := top.get("$ref"), str):
                top["$ref"] = self._place(reference, name)
            waiting += top.values() if isinstance(top, dict) else top

    def _place(self, reference: str, name: str) -> str:
        """A reference in a file as one to a place in the root; as it is, if it leads out."""
        path, _, pointer = reference.partition("#")
        file = name
        if path:
            file = _resolved(path, name)
            if not file.endswith(_READ):
                return reference
            if file not in self._known and len(self._known) <= MOST_DOCUMENT_FILES:
                self._known.add(file)
                self._waiting.append(file)
        if file == self._root:
            return f"#{pointer}"
        return f"#/{FILES}/{encode(escaped(file), 'fragment')}{pointer}"


def _resolved(path: str, name: str) -> str:
    """The path of a file from the folder; empty if it is a URI, or leads out of the folder."""
    if not registry.load("rfc3986").matcher("path-noscheme")(path):
        return ""
    try:
        found = posixpath.normpath(posixpath.join(posixpath.dirname(name), decode(path)))
    except DecodeError:
        return ""
    out = found.startswith(("/", "../")) or "\\" in found or ":" in found or "\0" in found
    return "" if out else found


def _parsed(name: str, octets: bytes) -> Any:
    """The value of a file. Errors: ValueError, in words; ImportError."""
    try:
        if not name.endswith(_YAML):
            import json

            return json.loads(octets)
        return _loaded(octets)
    except (ValueError, RecursionError) as error:
        words = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
        raise ValueError(words.replace("\n", " ")) from None


def _loaded(octets: bytes) -> Any:
    loader = _loader()
    import yaml  # type: ignore[import-untyped]  # it has no types

    try:
        return yaml.load(octets, loader)  # noqa: S506 -- a loader of plain values
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None


@cache
def _loader() -> Any:
    """A loader of YAML that reads scalars as the JSON schema of YAML 1.2 does, as OpenAPI demands.

    So ``no`` is a text, and so is 2020-01-01. There are no merge keys, which can multiply.
    Errors: ImportError.
    """
    try:
        import yaml
    except ImportError:
        raise ImportError('to read YAML, install PyYAML: pip install "uriproof[openapi]"') from None

    rfc8259 = registry.load("rfc8259")
    kinds = {"true": "bool", "false": "bool", "null": "null", "~": "null", "": "null"}

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
            if kind is not yaml.ScalarNode or not implicit[0]:
                return super().resolve(kind, value, implicit)
            name = kinds.get(value, "str")
            if rfc8259.matcher("number")(value):
                name = "int" if rfc8259.matcher("int")(value.removeprefix("-")) else "float"
            return f"tag:yaml.org,2002:{name}"

    return Loader
