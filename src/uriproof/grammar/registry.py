"""The bundled grammars by name, and the way from a user's ABNF to a compiled grammar.

Owns finding and loading the files of the build, which it loads by name, as data. Imports its own
package. Invariant: a grammar is loaded at most once, and only the requested parts.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .compiled import Compiled
from .spelling import identifier

if TYPE_CHECKING:
    from collections.abc import Container

    from .machine.trace import Trace
    from .model import Model

_GENERATED = os.path.join(os.path.dirname(os.path.dirname(__file__)), "_generated")


class Bundled:
    """The files of the build for one grammar; each method loads only its result."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._folder = identifier(name)

    def _module(self, name: str) -> Any:
        return import_module(f"uriproof._generated.{self._folder}.{name}")

    def model(self) -> Model:
        from .read.stored import read_model

        return read_model(self._module("rules"), lambda name: load(name).model)

    def start(self) -> str:
        start: str = self._module("regex").START
        return start

    def has_regex(self, rule: str) -> bool:
        return rule in self._module("regex").REGEX

    def regex(self, rule: str) -> str | None:
        made = self._module("regex")
        text: str | None = made.REGEX.get(rule)
        while text is not None and "«" in text:
            first, *others = text.split("«")
            parts = (other.partition("»") for other in others)
            text = first + "".join(made.PARTS[int(number)] + rest for number, _, rest in parts)
        return text

    def captures(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        captures: dict[str, tuple[str, tuple[str, ...]]] = self._module("regex").CAPTURES
        return captures

    def alternatives(self) -> dict[str, tuple[str, ...]]:
        alternatives: dict[str, tuple[str, ...]] = self._module("regex").ALTERNATIVES
        return alternatives

    def not_regular(self) -> Container[str]:
        names: tuple[str, ...] = self._module("tables").NOT_REGULAR
        return names

    def trace(self, rule: str) -> Trace | None:
        from .machine.trace import read_trace

        own = self._module("tables")
        home = own.ELSEWHERE.get(rule)
        tables = own if home is None else Bundled(home)._module("tables")
        return read_trace(tables, rule, own.ESCAPE) if rule in tables.TRACES else None

    def lark(self, rule: str) -> str | None:
        """The lark grammar, if one is stored and can start with the rule: its header says so."""
        path = os.path.join(_GENERATED, self._folder, f"{self._name}.lark")
        if not os.path.isfile(path):
            return None  # it is made when it is asked for
        with open(path, encoding="utf-8") as file:
            text = file.read()
        return text if f' start="{identifier(rule).lower()}", ' in text else None

    def starting(self, rule: str) -> str | None:
        """The bundled grammar of which a rule is a start rule. Cost: reads all, once."""
        return next((name for name in names() if rule in load(name).model.starts), None)


@cache
def names() -> tuple[str, ...]:
    """The bundled grammars.

    >>> "rfc3986" in names()
    True
    """
    found = (entry.name for entry in os.scandir(_GENERATED) if entry.is_dir())
    folders = (f for f in found if os.path.isfile(os.path.join(_GENERATED, f, "rules.py")))
    return tuple(sorted(folder.replace("_", "-") for folder in folders))


@cache
def load(name: str) -> Compiled:
    """A bundled grammar, by the name of its file. Errors: UnknownGrammar, with near names.

    >>> load("rfc3986").accepts("port", "8o80")
    False
    """
    if name not in names():
        from .errors import UnknownGrammar

        raise UnknownGrammar(name, names())
    return Compiled(stored=Bundled(name))


@cache
def schemes() -> dict[str, tuple[str, str]]:
    """The schemes that a bundled grammar speaks of: its name, and the rule for their URIs.

    Cost: a small module of each bundled grammar is imported, once.

    >>> all(load(name).rule_name(rule) == rule for name, rule in schemes().values())
    True
    """
    found: dict[str, tuple[str, str]] = {}
    for name in names():
        own: dict[str, str] = import_module(f"uriproof._generated.{identifier(name)}").SCHEMES
        for scheme, rule in own.items():
            first = found.setdefault(scheme, (name, rule))
            if first != (name, rule):
                raise ValueError(f"{first[0]} and {name} both hold the scheme {scheme}")
    return found


def compile_abnf(text: str, name: str = "grammar", file: str = "<text>") -> Compiled:
    """A grammar from ABNF (RFC 5234, RFC 7405); ``file`` is its name in errors.

    Its header can import bundled grammars. A rule that leads to an undefined one is refused when it
    is used. Errors: GrammarError, with every fault.
    """
    from .read.abnf import read_abnf

    return Compiled(
        model=read_abnf(text, name=name, file=file, resolve=lambda n: load(n).model, partial=True)
    )
