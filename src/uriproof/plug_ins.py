"""Plug-ins: the modules of a package, each of which is one more of its kind.

Owns how they are found. Imports the standard library alone. Invariant: to add one is to add its
file; a name with a leading underscore is a helper.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["plug_ins"]

_ENDINGS = ("", ".py", ".pyc")  # of a package, a module, and a module without its source


def plug_ins(path: Iterable[str]) -> tuple[str, ...]:
    """The names of the modules in the folders of a package, ``__path__``, sorted.

    ``pkgutil`` finds them, too, but imports ``inspect``, which takes longer than to check a URI.

    >>> from uriproof.lint import find
    >>> plug_ins(find.__path__)[:3]
    ('asciidoc', 'css', 'csv')
    """
    files = (os.path.splitext(file) for folder in path for file in os.listdir(folder))
    return tuple(
        sorted({name for name, ending in files if ending in _ENDINGS and name[0] not in "_."})
    )
