"""Libraries that only some users need: what to install where one is missing.

Owns the words of that error. Imports the standard library alone. Invariant: the error is an
ImportError still, with the name of the library and the extra that brings it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around imports that want an extra of uriproof.

    >>> with needs("pydantic"):
    ...     raise ModuleNotFoundError("No module named 'pydantic'", name="pydantic")
    Traceback (most recent call last):
    ...
    ImportError: pydantic is not installed: pip install "uriproof[pydantic]"
    """
    try:
        yield
    except ImportError as error:
        words = f'{error.name} is not installed: pip install "uriproof[{extra}]"'
        raise ImportError(words, name=error.name) from error
