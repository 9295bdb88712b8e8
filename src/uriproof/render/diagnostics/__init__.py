"""Renderers of findings: diagnostics in, text out, one file per output format.

Owns the finding of the renderers: a module ``as_NAME`` of this package with a function
``render(diagnostics, style, rules)`` is the format NAME; nothing else needs editing. May import
``diagnostic``, ``drawing``, ``percent`` and the styles of ``render``. Invariant: a renderer yields
pieces of output in the order of the findings, and adds nothing about what it has not been given.

Columns are code points, from 1, as in diagnostics, but where a format's contract says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from ...diagnostic import Diagnostic, RuleInfo
from .. import Style

__all__ = ["NO_RULES", "Renderer", "Rules", "formats", "renderer"]

Rules = Mapping[str, RuleInfo]
"""What is known of each code; a format asks only for the codes that it has to explain."""

NO_RULES: Rules = {}


class Renderer(Protocol):
    """What the module of a format has, under the name ``render``."""

    def __call__(
        self, diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
    ) -> Iterator[str]: ...


def formats() -> tuple[str, ...]:
    """The names of all formats.

    >>> {"concise", "full", "json", "sarif"} <= set(formats())
    True
    """
    import pkgutil

    found = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name[3:] for name in found if name.startswith("as_")))


def renderer(name: str) -> Renderer:
    """The renderer of a format that ``formats`` lists. Errors: ModuleNotFoundError."""
    from importlib import import_module

    render: Renderer = import_module(f"{__name__}.as_{name}").render
    return render


def array(records: Iterable[Any]) -> Iterator[str]:
    """Records as one JSON array, one a line, in ASCII, closed also if reading stops.

    >>> "".join(array([])), "".join(array([{"a": 1}, 2]))
    ('[]\\n', '[{"a": 1},\\n2]\\n')
    """
    import json

    before = "["
    try:
        for record in records:
            yield before + json.dumps(record)
            before = ",\n"
    except GeneratorExit:  # whoever reads has gone; there is nobody to close the array for
        before = ""
        raise
    finally:
        if before:
            yield "]\n" if before != "[" else "[]\n"
