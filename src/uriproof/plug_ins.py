"""Plug-ins, which are modules of a package with a common interface; and hooks to higher layers.

Owns how they are found, and the list of methods of lower layers that a higher layer implements.
Imports only the standard library. Invariant: to add a plug-in is to add its file; a name with a
leading underscore is a helper.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

_ENDINGS = ("", ".py", ".pyc")  # of a package, a module, and a module without its source


def plug_ins(path: Iterable[str]) -> tuple[str, ...]:
    """The names of the modules in the folders of a package, ``__path__``, sorted.

    ``pkgutil`` finds them as well, but imports ``inspect``, which takes longer than to check a URI.

    >>> from uriproof.lint import find
    >>> plug_ins(find.__path__)[:3]
    ('asciidoc', 'css', 'csv')
    """
    files = (os.path.splitext(file) for folder in path for file in os.listdir(folder))
    return tuple(
        sorted({name for name, ending in files if ending in _ENDINGS and name[0] not in "_."})
    )


_ABOVE = {
    "pattern": "workbench.export",
    "advise": "advice",
    "recognize": "mistakes",
    "suggestions": "mistakes",
    "core_schema": "fields",
    "json_schema": "fields",
    "drawing": "render.as_text",
    "notebook": "render.notebook",
}
"""Imports run one way, low to high. Yet users ask a ``Rule`` for its pattern, and a ``Report`` for
its drawing, since they are the values at hand: the implementation is loaded by its name when it is
called. The test of the layers knows this list and its users."""


def from_above(name: str) -> Callable[..., Any]:
    """A function of a higher layer, by its name.

    >>> from_above("core_schema").__module__
    'uriproof.fields'
    """
    from importlib import import_module

    found: Callable[..., Any] = getattr(import_module(f"{__package__}.{_ABOVE[name]}"), name)
    return found
