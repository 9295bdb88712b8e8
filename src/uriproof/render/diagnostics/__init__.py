"""Renderers of findings: diagnostics in, text out, one file per output format.

Owns the finding of the renderers: a module ``as_NAME`` of this package with a function
``render(diagnostics, style)`` is the format NAME; nothing else needs editing. May import
``diagnostic``, ``drawing`` and the styles of ``render``. Invariant: a renderer yields pieces of
output in the order of the findings, and adds nothing about what it has not been given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...diagnostic import Diagnostic
from .. import Style

__all__ = ["Renderer", "formats", "renderer"]

Renderer = Callable[[Iterable[Diagnostic], Style], Iterator[str]]


def formats() -> tuple[str, ...]:
    """The names of all formats.

    >>> "concise" in formats()
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
